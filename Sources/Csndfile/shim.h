// libsndfile, for writing offline renderings and reading the sound files that layers play.
#pragma once
#include <sndfile.h>
