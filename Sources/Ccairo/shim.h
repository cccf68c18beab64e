// cairo, for drawing patches.
#pragma once
#include <cairo-svg.h>
#include <cairo.h>
