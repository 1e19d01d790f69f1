/* SPDX-License-Identifier: MIT */
/* Two versions side by side. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/text.h"
#include "tools/lib/fleet/labels.h"
#include "tools/lib/fleet/matching.h"
#include "tools/lib/report/fleet_page_parts.h"

/* Rows of the table, and rows below a function. The page says how many more there are, and how to see them. */
enum { CHANGE_ROWS = 200, PATH_ROWS = 10 };

static const char *verdict_of(const fleet_writing *w, const fleet_change *c)
{
    const char *verdict = fleet_verdict(c, w->page->level);
    return !strcmp(verdict, "same") ? "noise" : verdict;
}

static bool is_changed(const fleet_writing *w, const fleet_change *c)
{
    return c->result.tested && c->p < w->page->level;
}

static void put_cost(const fleet_writing *w, double cost)
{
    if (isnan(cost) || isinf(cost))
        fputs("<td></td>", w->out);
    else
        fprintf(w->out, "<td>%.2f</td>", cost);
}

static const descriptors *descriptors_with(const fleet_writing *w, const char *wanted)
{
    for (size_t g = 0; g < w->asked->all->group_count; g++) {
        const merged_group *group = w->asked->all->group[g];
        if (w->asked->images.known[group->image] && labels_have(group->labels, wanted))
            return w->asked->images.known[group->image];
    }
    return NULL;
}

static void put_path_changes(const fleet_writing *w, const fleet_change *c)
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
        fleet_page_put_path(w, descriptors_with(w, p->of_before ? w->page->before : w->page->after), p->path);
        fputs("</td></tr>\n", w->out);
    }
    free(paths);
}

static void put_change(const fleet_writing *w, const fleet_change *c)
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
    fleet_page_put_safe(w, c->name);
    fputs(" <span class=\"dim\" title=\"", w->out);
    fleet_page_put_safe(w, c->file);
    fputs("\">", w->out);
    fleet_page_put_safe(w, c->file ? matching_tail(c->file, c->parts) : NULL);
    fprintf(w->out, ":%" PRIu32 "</span></td></tr>\n", c->line_after ? c->line_after : c->line_before);
    if (is_changed(w, c))
        put_path_changes(w, c);
}

void fleet_page_compare(fleet_writing *w)
{
    size_t count;
    if (!w->page->before)
        return;
    fleet_change *all = fleet_compare(w->asked->all, &w->asked->images, w->page->before, w->page->after, &count);
    for (size_t i = 0; i < count; i++) {
        w->figures.tested += all[i].result.tested;
        w->figures.changed += is_changed(w, &all[i]);
    }
    fleet_page_part(
        w, "compare", "What changed",
        "Instructions per call of each function, and below a function that changed the paths that make the "
        "difference. Noise is what recordings of a version differ by (Welch's t test, with Holm's correction "
        "over all functions).");
    fputs("<p>From ", w->out);
    fleet_page_put_safe(w, w->page->before);
    fputs(" to ", w->out);
    fleet_page_put_safe(w, w->page->after);
    fprintf(w->out, ": <strong>%zu of %zu functions that could be tested changed</strong>, at a level of %g.</p>\n",
            w->figures.changed, w->figures.tested, w->page->level);
    uint64_t unpriced = fleet_unpriced(w->asked->all, &w->asked->images, w->page->before, w->page->after);
    if (unpriced)
        fprintf(w->out,
                "<p>%" PRIu64 " recordings were merged without their image: what they called is not known, and they "
                "do not count here.</p>\n",
                unpriced);
    fleet_page_table(w,
                     "<th>before</th><th>after</th><th>change</th><th>p</th><th class=\"name\"></th><th class=\"name\">"
                     "function</th>");
    for (size_t i = 0; i < count && i < CHANGE_ROWS; i++)
        put_change(w, &all[i]);
    fleet_page_table_end(w);
    fleet_page_put_more(w, CHANGE_ROWS, count, "weft fleet compare --all");
    fleet_page_part_end(w);
    free(all);
}
