/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/report/embed.h"
#include "tools/lib/report/fleet_page_parts.h"

EMBED(fleet_page_css, FILE_OF("page.css"));
EMBED(fleet_page_js, FILE_OF("fleet.js"));

/* ---- what was merged ---- */

static bool is_wanted(const fleet_writing *w, const merged_group *g)
{
    return labels_have(g->labels, w->page->label);
}

static void put_groups(const fleet_writing *w)
{
    char text[40];
    const merged *all = w->asked->all;
    fleet_page_part(w, "merged", "What was merged",
                    "Recordings with the same labels, image and k are summed up together.");
    fleet_page_table(w,
                     "<th class=\"name\">labels</th><th class=\"name\">image</th><th>k</th><th>recordings</th><th>paths"
                     "</th><th>lost paths</th><th>recordings with gaps</th>");
    for (size_t i = 0; i < all->group_count; i++) {
        const merged_group *g = all->group[i];
        if (!is_wanted(w, g))
            continue;
        fputs("<tr><td class=\"name\">", w->out);
        fleet_page_put_safe(w, *g->labels ? g->labels : "(none)");
        fprintf(w->out, "</td><td class=\"name code\">%.16s", asked_image_text(w->asked, g->image, text));
        fprintf(w->out, "</td><td>%" PRIu32 "</td><td>", g->k);
        fleet_page_put_number(w, g->totals.recordings);
        fputs("</td><td>", w->out);
        fleet_page_put_number(w, g->totals.paths);
        fputs(g->totals.gapped ? "</td><td>at least " : "</td><td>", w->out);
        fleet_page_put_number(w, g->totals.lost);
        fputs("</td><td>", w->out);
        fleet_page_put_number(w, g->totals.gapped);
        fputs("</td></tr>\n", w->out);
    }
    fleet_page_table_end(w);
    fleet_page_part_end(w);
}

static void put_losses(const fleet_writing *w, uint64_t gapped, uint64_t lost)
{
    if (!gapped) {
        fputs("Nothing is missing.", w->out);
        return;
    }
    fputs("<strong>", w->out);
    fleet_page_put_number(w, gapped);
    fputs(gapped == 1 ? " of the recordings has gaps" : " of the recordings have gaps", w->out);
    if (lost) {
        fputs("; at least ", w->out);
        fleet_page_put_number(w, lost);
        fputs(lost == 1 ? " path is lost" : " paths are lost", w->out);
    } else {
        fputs("; how much is missing is not known", w->out);
    }
    fputs(".</strong>", w->out);
}

static void put_sentence(const fleet_writing *w)
{
    uint64_t recordings = 0, paths = 0, lost = 0, gapped = 0;
    for (size_t i = 0; i < w->asked->all->group_count; i++) {
        const merged_group *g = w->asked->all->group[i];
        bool wanted = is_wanted(w, g);
        recordings += wanted ? g->totals.recordings : 0;
        paths += wanted ? g->totals.paths : 0;
        lost += wanted ? g->totals.lost : 0;
        gapped += wanted ? g->totals.gapped : 0;
    }
    fleet_page_put_number(w, recordings);
    fputs(recordings == 1 ? " recording, " : " recordings, ", w->out);
    fleet_page_put_number(w, paths);
    fputs(" paths. ", w->out);
    put_losses(w, gapped, lost);
    if (*w->page->label) {
        fputs(" Only recordings with ", w->out);
        fleet_page_put_safe(w, w->page->label);
        putc('.', w->out);
    }
}

/* ---- the page ---- */

static void put_head(const fleet_writing *w)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\"\n content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n<title>Weft report of ",
          w->out);
    fleet_page_put_safe(w, w->page->name);
    fputs("</title>\n<style>\n", w->out);
    fputs(fleet_page_css, w->out);
    fputs("</style>\n</head>\n<body>\n<header><div class=\"brand\"><span>", w->out);
    fleet_page_put_safe(w, w->page->name);
    fputs("</span></div>\n<p id=\"sentence\">", w->out);
    put_sentence(w);
    fputs("</p>\n<p><label>Only rows with <input id=\"filter\" type=\"search\" placeholder=\"function, file, device\">"
          "</label></p>\n</header>\n<main>\n",
          w->out);
}

bool fleet_page_write(const fleet_page *page, FILE *file, fleet_page_figures *figures, char *message,
                      size_t message_size)
{
    fleet_writing w = {.page = page, .asked = page->asked, .out = file};
    put_head(&w);
    bool known = fleet_page_top(&w);
    fleet_page_compare(&w);
    known = fleet_page_rare(&w) && known;
    fleet_page_uncovered(&w);
    put_groups(&w);
    fputs("</main>\n<footer class=\"dim\">Made by <code>weft report</code>. Nothing on this page is loaded from "
          "elsewhere.</footer>\n<script>\n\"use strict\";\n",
          file);
    fputs(fleet_page_js, file);
    fputs("</script>\n</body>\n</html>\n", file);
    *figures = w.figures;
    if (!known)
        snprintf(message, message_size, "%s", FLEET_TOO_SHORT);
    return known;
}

/* ---- versions ---- */

static const char *version_in(const char *labels_text, size_t *size)
{
    for (const char *at = labels_text; *at; at += strcspn(at, ","), at += *at == ',')
        if (!strncmp(at, "version=", 8)) {
            *size = strcspn(at, ",");
            return at;
        }
    return NULL;
}

static char *copy_of(const char *text, size_t size)
{
    char *copy = memory_zero(size + 1, 1);
    memcpy(copy, text, size);
    return copy;
}

bool fleet_page_versions(const merged *all, char **before, char **after)
{
    const char *found[2];
    size_t sizes[2], count = 0;
    for (size_t g = 0; g < all->group_count; g++) {
        size_t size = 0, same = 0;
        const char *version = version_in(all->group[g]->labels, &size);
        if (!version)
            continue;
        while (same < count && (sizes[same] != size || memcmp(found[same], version, size) != 0))
            same++;
        if (same < count)
            continue;
        if (count == 2)
            return false;
        found[count] = version;
        sizes[count++] = size;
    }
    if (count < 2)
        return false;
    char *a = copy_of(found[0], sizes[0]), *b = copy_of(found[1], sizes[1]);
    bool swap = strverscmp(a, b) > 0;
    *before = swap ? b : a;
    *after = swap ? a : b;
    return true;
}
