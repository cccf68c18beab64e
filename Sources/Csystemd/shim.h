// libsystemd, used for its D-Bus client only. No variadic function is called.
#pragma once
#include <systemd/sd-bus.h>
