// libsndfile, for writing what the offline renderer makes.
#pragma once
#include <sndfile.h>
