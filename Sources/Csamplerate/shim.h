// libsamplerate, for sound files at another sample rate than JACK's.
#pragma once
#include <samplerate.h>
