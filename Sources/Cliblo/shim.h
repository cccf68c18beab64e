// liblo, used as a codec only: it encodes and decodes messages; its servers are not used.
#pragma once
#include <lo/lo.h>
