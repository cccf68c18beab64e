// libsamplerate, for sound files whose sample rate is not JACK's.
#pragma once
#include <samplerate.h>
