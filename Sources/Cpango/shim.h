// Pango, for text in pictures. pkg-config's flags for its headers include -pthread, about which SwiftPM warns at every build. So the functions
// in use are declared here, and Package.swift names cairo's flags. Pango's binary interface is stable.
#pragma once
#include <cairo.h>

#pragma clang assume_nonnull begin

// Pango units per point.
#define PANGO_SCALE 1024

typedef struct _PangoContext PangoContext;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutLine PangoLayoutLine;

PangoFontMap *pango_cairo_font_map_new(void);
PangoContext *pango_font_map_create_context(PangoFontMap *fontmap);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *_Nullable options);
void pango_context_set_round_glyph_positions(PangoContext *context, int round_positions);
void pango_cairo_update_context(cairo_t *cr, PangoContext *context);

PangoFontDescription *pango_font_description_from_string(const char *str);
void pango_font_description_set_absolute_size(PangoFontDescription *desc, double size);
void pango_font_description_free(PangoFontDescription *desc);

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *desc);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_get_size(PangoLayout *layout, int *width, int *_Nullable height);
PangoLayoutLine *_Nullable pango_layout_get_line_readonly(PangoLayout *layout, int line);
void pango_cairo_show_layout_line(cairo_t *cr, PangoLayoutLine *line);

void g_object_unref(void *object);

#pragma clang assume_nonnull end
