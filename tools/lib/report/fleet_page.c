/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp */
#include "tools/lib/report/fleet_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/labels.h"

#define FILE_OF(name) ".incbin \"tools/lib/report/page/" name "\"\n"
#define EMBED(name, files)                                                                                             \
    __asm__(".section .rodata\n" #name ":\n" files ".byte 0\n.previous\n");                                            \
    extern const char name[]
EMBED(fleet_page_css, FILE_OF("page.css"));
EMBED(fleet_page_js, FILE_OF("fleet.js"));

/* Rows of a table; what is beyond is said, and how to see it. */
enum { TOP_ROWS = 50, RARE_ROWS = 200, CHANGE_ROWS = 200, PATH_ROWS = 10, UNCOVERED_FUNCTIONS = 500 };

typedef struct writing {
    const fleet_page *page;
    const asked *asked;
    FILE *out;
    fleet_page_figures figures;
} writing;

/* ---- text ---- */

/* Text of a program or a file, as HTML. */
static void put(const writing *w, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", w->out);
            break;
        case '>':
            fputs("&gt;", w->out);
            break;
        case '&':
            fputs("&amp;", w->out);
            break;
        case '"':
            fputs("&quot;", w->out);
            break;
        default:
            putc(*text, w->out);
        }
}

/* What another function prints, made safe. */
static void put_safe(const writing *w, const char *text)
{
    char *safe;
    size_t size;
    FILE *file = memory_stream(&safe, &size);
    text_print(file, text);
    fclose(file);
    put(w, safe);
    free(safe);
}

static void put_path(const writing *w, const descriptors *known, uint32_t path)
{
    char *text;
    size_t size;
    FILE *file = memory_stream(&text, &size);
    fleet_print_path(known, path, file);
    fclose(file);
    put(w, text);
    free(text);
}

static void put_devices(const writing *w, uint32_t set)
{
    uint32_t count;
    const uint32_t *member = sets_members(&w->asked->all->sets, set, &count);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", w->out);
        put_safe(w, w->asked->all->names.text[member[i]]);
    }
    if (set == SETS_MORE)
        fprintf(w->out, "more than %d", SETS_MEMBERS_MAX);
}

static void begin_part(const writing *w, const char *id, const char *title, const char *about)
{
    fprintf(w->out, "<section class=\"part\" id=\"%s\"><h2>%s</h2><p>%s</p>\n", id, title, about);
}

static void begin_table(const writing *w, const char *heads)
{
    fprintf(w->out, "<div class=\"scroll\"><table class=\"wide\"><thead><tr>%s</tr></thead><tbody>\n", heads);
}

static void end_table(const writing *w)
{
    fputs("</tbody></table></div>\n", w->out);
}

static void end_part(const writing *w)
{
    fputs("</section>\n", w->out);
}

/* ---- what was merged ---- */

static bool is_wanted(const writing *w, const merged_group *g)
{
    return labels_have(g->labels, w->page->label);
}

static void put_groups(const writing *w)
{
    char text[40];
    const merged *all = w->asked->all;
    begin_part(w, "merged", "What was merged", "Recordings with the same labels, image and k are summed up together.");
    begin_table(w, "<th class=\"name\">labels</th><th class=\"name\">image</th><th>k</th><th>recordings</th><th>paths"
                   "</th><th>lost paths</th><th>recordings with gaps</th>");
    for (size_t i = 0; i < all->group_count; i++) {
        const merged_group *g = all->group[i];
        if (!is_wanted(w, g))
            continue;
        fputs("<tr><td class=\"name\">", w->out);
        put_safe(w, *g->labels ? g->labels : "(none)");
        fprintf(w->out, "</td><td class=\"name code\">%.16s", asked_image_text(w->asked, g->image, text));
        fprintf(w->out,
                "</td><td>%" PRIu32 "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64
                "</td></tr>\n",
                g->k, g->totals.recordings, g->totals.paths, g->totals.lost, g->totals.gapped);
    }
    end_table(w);
    end_part(w);
}

static void put_sentence(const writing *w)
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
    fprintf(w->out, "%" PRIu64 " recording%s, %" PRIu64 " paths. ", recordings, recordings == 1 ? "" : "s", paths);
    if (gapped)
        fprintf(w->out, "<strong>%" PRIu64 " of the recordings have gaps; %" PRIu64 " paths are lost.</strong>", gapped,
                lost);
    else
        fputs("Nothing is missing.", w->out);
    if (*w->page->label) {
        fputs(" Only recordings with ", w->out);
        put_safe(w, w->page->label);
        putc('.', w->out);
    }
}

/* ---- top and rare ---- */

static void put_row(const writing *w, const fleet_rows *rows, const fleet_row *r, uint64_t whole)
{
    double share = whole ? 100 * (double)r->cost / (double)whole : 0;
    fprintf(w->out, "<tr><td>%" PRIu64 "</td>", r->count);
    if (r->cost)
        fprintf(w->out, "<td>%" PRIu64 "</td>", r->cost);
    else
        fputs("<td>not known</td>", w->out);
    if (whole)
        fprintf(w->out, "<td><span class=\"share\" style=\"width:%.0fpx\"></span>%.1f %%</td>", share, share);
    fputs("<td class=\"name\">", w->out);
    for (uint32_t i = 0; i < r->length; i++) {
        fputs(i ? " | " : "", w->out);
        put_path(w, w->asked->images.known[r->image], rows->paths[r->path + i]);
    }
    fputs("</td><td class=\"name\">", w->out);
    put_devices(w, r->set);
    fputs("</td></tr>\n", w->out);
}

static void put_more(const writing *w, size_t shown, size_t all, const char *command)
{
    if (all > shown)
        fprintf(w->out, "<p>%zu of %zu. <code>%s</code> shows all.</p>\n", shown, all, command);
}

static bool put_top(writing *w)
{
    fleet_rows rows = {0};
    uint64_t whole = 0;
    bool known = fleet_paths(w->asked->all, w->page->label, w->page->k, 0, &rows);
    fleet_rows_by_cost(&rows);
    for (size_t i = 0; known && i < rows.count; i++)
        whole += rows.row[i].length == 1 ? rows.row[i].cost : 0;
    begin_part(w, "top", "Where the time goes", "The paths of all devices on which most instructions were spent.");
    begin_table(w, whole ? "<th>times</th><th>instructions</th><th>share</th><th class=\"name\">path</th><th "
                           "class=\"name\">devices</th>"
                         : "<th>times</th><th>instructions</th><th class=\"name\">path</th><th "
                           "class=\"name\">devices</th>");
    for (size_t i = 0; known && i < rows.count && i < TOP_ROWS; i++)
        put_row(w, &rows, &rows.row[i], whole);
    end_table(w);
    put_more(w, TOP_ROWS, rows.count, "weft fleet top --top N");
    end_part(w);
    w->figures.top = rows.count;
    fleet_rows_free(&rows);
    return known;
}

static bool put_rare(writing *w)
{
    char about[160];
    fleet_rows rows = {0};
    bool known = fleet_paths(w->asked->all, w->page->label, w->page->k, w->page->fewer, &rows);
    fleet_rows_by_cost(&rows);
    snprintf(about, sizeof about,
             "Paths that fewer than %" PRIu32 " devices took, and which. No longer sequence around one is listed.",
             w->page->fewer);
    begin_part(w, "rare", "What few devices do", about);
    begin_table(w, "<th>times</th><th>instructions</th><th class=\"name\">path</th><th class=\"name\">devices</th>");
    for (size_t i = 0; known && i < rows.count && i < RARE_ROWS; i++)
        put_row(w, &rows, &rows.row[i], 0);
    end_table(w);
    put_more(w, RARE_ROWS, rows.count, "weft fleet rare");
    end_part(w);
    w->figures.rare = rows.count;
    fleet_rows_free(&rows);
    return known;
}

/* ---- two versions ---- */

static const char *verdict_of(const writing *w, const fleet_change *c)
{
    if (!c->line_before || !c->line_after)
        return c->line_before ? "gone" : "new";
    if (!c->result.tested)
        return "untested";
    return c->p >= w->page->level ? "noise" : c->result.after > c->result.before ? "slower" : "faster";
}

static bool is_changed(const writing *w, const fleet_change *c)
{
    return c->result.tested && c->p < w->page->level;
}

static void put_cost(const writing *w, double cost)
{
    if (isnan(cost) || isinf(cost))
        fputs("<td></td>", w->out);
    else
        fprintf(w->out, "<td>%.2f</td>", cost);
}

static const descriptors *descriptors_with(const writing *w, const char *wanted)
{
    for (size_t g = 0; g < w->asked->all->group_count; g++) {
        const merged_group *group = w->asked->all->group[g];
        if (w->asked->images.known[group->image] && labels_have(group->labels, wanted))
            return w->asked->images.known[group->image];
    }
    return NULL;
}

static void put_path_changes(const writing *w, const fleet_change *c)
{
    size_t count;
    fleet_path_change *paths =
        fleet_compare_paths(w->asked->all, &w->asked->images, w->page->before, w->page->after, c, &count);
    for (size_t i = 0; i < count && i < PATH_ROWS; i++) {
        const fleet_path_change *p = &paths[i];
        double before = p->price_before ? p->before * (p->price_before - 1) : 0;
        double after = p->price_after ? p->after * (p->price_after - 1) : 0;
        if (fabs(before - after) < 1e-9)
            break;
        fprintf(w->out,
                "<tr class=\"of-path\"><td>%.2f</td><td>%.2f</td><td></td><td></td><td></td><td class=\"name\">",
                before, after);
        put_path(w, descriptors_with(w, p->of_before ? w->page->before : w->page->after), p->path);
        fputs("</td></tr>\n", w->out);
    }
    free(paths);
}

static void put_change(const writing *w, const fleet_change *c)
{
    const char *verdict = verdict_of(w, c);
    bool both = c->result.before > 0 && !isnan(c->result.after);
    fprintf(w->out, "<tr class=\"%s\">", verdict);
    put_cost(w, c->result.before);
    put_cost(w, c->result.after);
    if (both)
        fprintf(w->out, "<td>%+.1f %%</td>", 100 * (c->result.after / c->result.before - 1));
    else
        fputs("<td></td>", w->out);
    if (isnan(c->p))
        fputs("<td></td>", w->out);
    else
        fprintf(w->out, "<td>%.2g</td>", c->p);
    fprintf(w->out, "<td class=\"name\">%s</td><td class=\"name\">", verdict);
    put_safe(w, c->name);
    fputs(" <span class=\"dim\">", w->out);
    put_safe(w, c->file);
    fprintf(w->out, ":%" PRIu32 "</span></td></tr>\n", c->line_after ? c->line_after : c->line_before);
    if (is_changed(w, c))
        put_path_changes(w, c);
}

static void put_compare(writing *w)
{
    size_t count;
    if (!w->page->before)
        return;
    fleet_change *all = fleet_compare(w->asked->all, &w->asked->images, w->page->before, w->page->after, &count);
    for (size_t i = 0; i < count; i++) {
        w->figures.tested += all[i].result.tested;
        w->figures.changed += is_changed(w, &all[i]);
    }
    begin_part(w, "compare", "What changed",
               "Instructions per call of each function, and below a function that changed the paths that make the "
               "difference. Noise is what recordings of a version differ by (Welch's t test, with Holm's correction "
               "over all functions).");
    fputs("<p>From ", w->out);
    put_safe(w, w->page->before);
    fputs(" to ", w->out);
    put_safe(w, w->page->after);
    fprintf(w->out, ": <strong>%zu of %zu functions that could be tested changed</strong>, at a level of %g.</p>\n",
            w->figures.changed, w->figures.tested, w->page->level);
    begin_table(w, "<th>before</th><th>after</th><th>change</th><th>p</th><th class=\"name\"></th><th class=\"name\">"
                   "function</th>");
    for (size_t i = 0; i < count && i < CHANGE_ROWS; i++)
        put_change(w, &all[i]);
    end_table(w);
    put_more(w, CHANGE_ROWS, count, "weft fleet compare --all");
    end_part(w);
    free(all);
}

/* ---- what nobody has run ---- */

/* Lines of a file as "12-14, 17". */
static void put_lines(const writing *w, const coverage *c, size_t from, size_t end)
{
    bool any = false;
    for (size_t i = from; i < end; i++) {
        size_t last = i;
        if (c->line[i].count)
            continue;
        while (last + 1 < end && !c->line[last + 1].count)
            last++;
        fprintf(w->out, "%s%" PRIu32, any ? ", " : "", c->line[i].line);
        if (c->line[last].line != c->line[i].line)
            fprintf(w->out, "-%" PRIu32, c->line[last].line);
        any = true;
        i = last;
    }
}

static void put_file(const writing *w, const coverage *c, const coverage_part *p)
{
    size_t hit = 0, none = 0;
    for (size_t i = p->line; i < p->line_end; i++)
        hit += c->line[i].count != 0;
    if (hit == p->line_end - p->line)
        return;
    fputs("<tr><td class=\"name\">", w->out);
    put_safe(w, p->file);
    fprintf(w->out, "</td><td>%zu of %zu</td><td class=\"name\">", hit, p->line_end - p->line);
    for (size_t i = p->function; i < p->function_end && none < UNCOVERED_FUNCTIONS; i++) {
        if (c->function[i].count)
            continue;
        fputs(none++ ? ", " : "", w->out);
        put_safe(w, c->function[i].name);
    }
    fputs("</td><td class=\"name\">", w->out);
    put_lines(w, c, p->line, p->line_end);
    fputs("</td></tr>\n", w->out);
}

static void put_image(writing *w, uint32_t number)
{
    char text[40];
    coverage *c = asked_coverage(w->asked, number, w->page->label);
    coverage_part p = {0};
    fprintf(w->out, "<h3 class=\"code\">image %.16s</h3>\n", asked_image_text(w->asked, number, text));
    if (!c) {
        fputs("<p>Its lines are not known: give --elf APP.elf.</p>\n", w->out);
        return;
    }
    begin_table(w, "<th class=\"name\">file</th><th>lines that ran</th><th class=\"name\">functions not called</th>"
                   "<th class=\"name\">lines not run</th>");
    while (coverage_next(c, &p))
        put_file(w, c, &p);
    end_table(w);
    fprintf(w->out, "<p>%zu of %zu lines ran.</p>\n", c->lines_hit, c->line_count);
    w->figures.lines_hit += c->lines_hit;
    w->figures.lines += c->line_count;
    w->figures.functions += c->functions_hit;
    coverage_free(c);
}

static void put_uncovered(writing *w)
{
    begin_part(w, "uncovered", "What nobody has run", "Files with lines that no recording ran.");
    for (uint32_t n = 0; n < w->asked->images.count; n++)
        if (asked_has(w->asked, n, w->page->label))
            put_image(w, n);
    end_part(w);
}

/* ---- the page ---- */

static void put_head(const writing *w)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\"\n content=\"default-src 'none'; style-src 'unsafe-inline'; "
          "script-src 'unsafe-inline'\">\n<title>Weft report of ",
          w->out);
    put_safe(w, w->page->name);
    fputs("</title>\n<style>\n", w->out);
    fputs(fleet_page_css, w->out);
    fputs("</style>\n</head>\n<body>\n<header><div class=\"brand\"><span>", w->out);
    put_safe(w, w->page->name);
    fputs("</span></div>\n<p id=\"sentence\">", w->out);
    put_sentence(w);
    fputs("</p>\n<p><label>Only rows with <input id=\"filter\" type=\"search\" placeholder=\"function, file, device\">"
          "</label></p>\n</header>\n<main>\n",
          w->out);
}

bool fleet_page_write(const fleet_page *page, FILE *file, fleet_page_figures *figures, char *message,
                      size_t message_size)
{
    writing w = {.page = page, .asked = page->asked, .out = file};
    put_head(&w);
    bool known = put_top(&w);
    put_compare(&w);
    known = put_rare(&w) && known;
    put_uncovered(&w);
    put_groups(&w);
    fputs("</main>\n<footer class=\"dim\">Made by <code>weft report</code>. Nothing on this page is loaded from "
          "elsewhere.</footer>\n<script>\n\"use strict\";\n",
          file);
    fputs(fleet_page_js, file);
    fputs("</script>\n</body>\n</html>\n", file);
    *figures = w.figures;
    if (!known)
        snprintf(message, message_size, "some recordings were merged for sequences shorter than -k");
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
