/* SPDX-License-Identifier: MIT */
/* Functions and lines that no recording ran. */
#include <inttypes.h>

#include "tools/lib/fleet/labels.h"
#include "tools/lib/report/fleet_page_parts.h"

/* Names in a cell of the table. */
enum { UNCOVERED_FUNCTIONS = 500 };

/* Lines of a file as "12-14, 17". */
static void put_lines(const fleet_writing *w, const coverage *c, size_t from, size_t end)
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

static void put_file(const fleet_writing *w, const coverage *c, const coverage_part *p)
{
    size_t hit = 0, none = 0;
    for (size_t i = p->line; i < p->line_end; i++)
        hit += c->line[i].count != 0;
    if (hit == p->line_end - p->line)
        return;
    fputs("<tr><td class=\"name\">", w->out);
    fleet_page_put_safe(w, p->file);
    fprintf(w->out, "</td><td>%zu of %zu</td><td class=\"name\">", hit, p->line_end - p->line);
    for (size_t i = p->function; i < p->function_end && none < UNCOVERED_FUNCTIONS; i++) {
        if (c->function[i].count)
            continue;
        fputs(none++ ? ", " : "", w->out);
        fleet_page_put_safe(w, c->function[i].name);
    }
    fputs("</td><td class=\"name\">", w->out);
    put_lines(w, c, p->line, p->line_end);
    fputs("</td></tr>\n", w->out);
}

/* Its identity, and the labels that it was recorded with. */
static void put_image_name(const fleet_writing *w, uint32_t number)
{
    char text[40];
    bool any = false;
    fprintf(w->out, "<h3><span class=\"code\">image %.16s</span>", asked_image_text(w->asked, number, text));
    for (size_t i = 0; i < w->asked->all->group_count; i++) {
        const merged_group *g = w->asked->all->group[i];
        if (g->image != number || !*g->labels || !labels_have(g->labels, w->page->label))
            continue;
        fputs(any ? "; " : " of ", w->out);
        fleet_page_put_safe(w, g->labels);
        any = true;
    }
    fputs("</h3>\n", w->out);
}

static void put_files(const fleet_writing *w, const coverage *c)
{
    coverage_part p = {0};
    if (c->lines_hit == c->line_count) {
        fprintf(w->out, "<p>All %zu lines ran.</p>\n", c->line_count);
        return;
    }
    fleet_page_table(w,
                     "<th class=\"name\">file</th><th>lines that ran</th><th class=\"name\">functions not called</th>"
                     "<th class=\"name\">lines not run</th>");
    while (coverage_next(c, &p))
        put_file(w, c, &p);
    fleet_page_table_end(w);
    fprintf(w->out, "<p>%zu of %zu lines ran.</p>\n", c->lines_hit, c->line_count);
}

static void put_image(fleet_writing *w, uint32_t number)
{
    coverage *c = asked_coverage(w->asked, number, w->page->label);
    put_image_name(w, number);
    if (!c) {
        fputs("<p>Its lines are not known: give --elf APP.elf.</p>\n", w->out);
        return;
    }
    put_files(w, c);
    w->figures.lines_hit += c->lines_hit;
    w->figures.lines += c->line_count;
    w->figures.functions += c->functions_hit;
    coverage_free(c);
}

void fleet_page_uncovered(fleet_writing *w)
{
    fleet_page_part(w, "uncovered", "What nobody has run", "Files with lines that no recording ran.");
    for (uint32_t n = 0; n < w->asked->images.count; n++)
        if (asked_has(w->asked, n, w->page->label))
            put_image(w, n);
    fleet_page_part_end(w);
}
