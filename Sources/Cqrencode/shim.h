// libqrencode, for the QR code of the panel's link.
#pragma once
#include <qrencode.h>
