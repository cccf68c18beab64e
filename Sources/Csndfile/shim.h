// libsndfile, for writing what the offline renderer makes, and reading what layers play.
#pragma once
#include <sndfile.h>
