// libebur128, for the loudness of what is rendered.
#pragma once
#include <ebur128.h>
