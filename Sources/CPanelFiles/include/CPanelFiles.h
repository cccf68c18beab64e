#pragma once

#include <stddef.h>

/// A file of the panel's page.
struct panel_file {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

/// All files of the page.
const struct panel_file *panel_files(size_t *count);
