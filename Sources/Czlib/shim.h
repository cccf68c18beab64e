// zlib, for compressing what the web server sends.
#pragma once
#include <zlib.h>
