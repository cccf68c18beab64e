// liblo as a codec: messages and bundles are made and taken apart, its servers are not used.
#pragma once
#include <lo/lo.h>
