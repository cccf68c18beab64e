// The files of the page, as they are in Sources/WebPanel/Web.
#include "CPanelFiles.h"

// The compiler embeds files in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_css[] = {
#embed "../WebPanel/Web/app.css"
};
static const unsigned char app_js[] = {
#embed "../WebPanel/Web/app.js"
};
static const unsigned char axes_js[] = {
#embed "../WebPanel/Web/axes.js"
};
static const unsigned char bar_js[] = {
#embed "../WebPanel/Web/bar.js"
};
static const unsigned char bedtime_js[] = {
#embed "../WebPanel/Web/bedtime.js"
};
static const unsigned char bookmarks_js[] = {
#embed "../WebPanel/Web/bookmarks.js"
};
static const unsigned char chapters_js[] = {
#embed "../WebPanel/Web/chapters.js"
};
static const unsigned char course_drawing_js[] = {
#embed "../WebPanel/Web/course-drawing.js"
};
static const unsigned char course_hand_js[] = {
#embed "../WebPanel/Web/course-hand.js"
};
static const unsigned char course_source_js[] = {
#embed "../WebPanel/Web/course-source.js"
};
static const unsigned char course_css[] = {
#embed "../WebPanel/Web/course.css"
};
static const unsigned char course_js[] = {
#embed "../WebPanel/Web/course.js"
};
static const unsigned char dialogs_js[] = {
#embed "../WebPanel/Web/dialogs.js"
};
static const unsigned char faders_js[] = {
#embed "../WebPanel/Web/faders.js"
};
static const unsigned char icon_192_png[] = {
#embed "../WebPanel/Web/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../WebPanel/Web/icon-512.png"
};
static const unsigned char icon_full_png[] = {
#embed "../WebPanel/Web/icon-full.png"
};
static const unsigned char icon_svg[] = {
#embed "../WebPanel/Web/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../WebPanel/Web/index.html"
};
static const unsigned char keys_js[] = {
#embed "../WebPanel/Web/keys.js"
};
static const unsigned char layers_js[] = {
#embed "../WebPanel/Web/layers.js"
};
static const unsigned char library_js[] = {
#embed "../WebPanel/Web/library.js"
};
static const unsigned char link_js[] = {
#embed "../WebPanel/Web/link.js"
};
static const unsigned char listen_js[] = {
#embed "../WebPanel/Web/listen.js"
};
static const unsigned char lists_js[] = {
#embed "../WebPanel/Web/lists.js"
};
static const unsigned char meter_js[] = {
#embed "../WebPanel/Web/meter.js"
};
static const unsigned char now_js[] = {
#embed "../WebPanel/Web/now.js"
};
static const unsigned char orb_js[] = {
#embed "../WebPanel/Web/orb.js"
};
static const unsigned char osc_js[] = {
#embed "../WebPanel/Web/osc.js"
};
static const unsigned char pace_js[] = {
#embed "../WebPanel/Web/pace.js"
};
static const unsigned char panel_webmanifest[] = {
#embed "../WebPanel/Web/panel.webmanifest"
};
static const unsigned char peers_js[] = {
#embed "../WebPanel/Web/peers.js"
};
static const unsigned char places_css[] = {
#embed "../WebPanel/Web/places.css"
};
static const unsigned char places_js[] = {
#embed "../WebPanel/Web/places.js"
};
static const unsigned char proof_js[] = {
#embed "../WebPanel/Web/proof.js"
};
static const unsigned char queue_js[] = {
#embed "../WebPanel/Web/queue.js"
};
static const unsigned char rating_js[] = {
#embed "../WebPanel/Web/rating.js"
};
static const unsigned char requests_js[] = {
#embed "../WebPanel/Web/requests.js"
};
static const unsigned char sessions_js[] = {
#embed "../WebPanel/Web/sessions.js"
};
static const unsigned char slide_js[] = {
#embed "../WebPanel/Web/slide.js"
};
static const unsigned char start_js[] = {
#embed "../WebPanel/Web/start.js"
};
static const unsigned char style_css[] = {
#embed "../WebPanel/Web/style.css"
};
static const unsigned char time_js[] = {
#embed "../WebPanel/Web/time.js"
};
static const unsigned char undo_js[] = {
#embed "../WebPanel/Web/undo.js"
};

#define FILE_NAMED(name, bytes) {name, bytes, sizeof bytes}

static const struct panel_file files[] = {
    FILE_NAMED("app.css", app_css),
    FILE_NAMED("app.js", app_js),
    FILE_NAMED("axes.js", axes_js),
    FILE_NAMED("bar.js", bar_js),
    FILE_NAMED("bedtime.js", bedtime_js),
    FILE_NAMED("bookmarks.js", bookmarks_js),
    FILE_NAMED("chapters.js", chapters_js),
    FILE_NAMED("course-drawing.js", course_drawing_js),
    FILE_NAMED("course-hand.js", course_hand_js),
    FILE_NAMED("course-source.js", course_source_js),
    FILE_NAMED("course.css", course_css),
    FILE_NAMED("course.js", course_js),
    FILE_NAMED("dialogs.js", dialogs_js),
    FILE_NAMED("faders.js", faders_js),
    FILE_NAMED("icon-192.png", icon_192_png),
    FILE_NAMED("icon-512.png", icon_512_png),
    FILE_NAMED("icon-full.png", icon_full_png),
    FILE_NAMED("icon.svg", icon_svg),
    FILE_NAMED("index.html", index_html),
    FILE_NAMED("keys.js", keys_js),
    FILE_NAMED("layers.js", layers_js),
    FILE_NAMED("library.js", library_js),
    FILE_NAMED("link.js", link_js),
    FILE_NAMED("listen.js", listen_js),
    FILE_NAMED("lists.js", lists_js),
    FILE_NAMED("meter.js", meter_js),
    FILE_NAMED("now.js", now_js),
    FILE_NAMED("orb.js", orb_js),
    FILE_NAMED("osc.js", osc_js),
    FILE_NAMED("pace.js", pace_js),
    FILE_NAMED("panel.webmanifest", panel_webmanifest),
    FILE_NAMED("peers.js", peers_js),
    FILE_NAMED("places.css", places_css),
    FILE_NAMED("places.js", places_js),
    FILE_NAMED("proof.js", proof_js),
    FILE_NAMED("queue.js", queue_js),
    FILE_NAMED("rating.js", rating_js),
    FILE_NAMED("requests.js", requests_js),
    FILE_NAMED("sessions.js", sessions_js),
    FILE_NAMED("slide.js", slide_js),
    FILE_NAMED("start.js", start_js),
    FILE_NAMED("style.css", style_css),
    FILE_NAMED("time.js", time_js),
    FILE_NAMED("undo.js", undo_js),
};

const struct panel_file *panel_files(size_t *count) {
    *count = sizeof files / sizeof files[0];
    return files;
}
