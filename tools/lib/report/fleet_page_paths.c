/* SPDX-License-Identifier: MIT */
/* The paths on which most time was spent, and those that few devices took. */
#include <inttypes.h>

#include "tools/lib/report/fleet_page_parts.h"

/* Rows of a table. The page says how many more there are, and how to see them. */
enum { TOP_ROWS = 50, RARE_ROWS = 200 };
enum { DEVICES_FEW = 4 }; /* devices: 4 or more are not listed if they are all of the profile's */

static void put_devices(const fleet_writing *w, uint32_t set)
{
    bool whole;
    const char *device[SETS_MEMBERS_MAX];
    uint32_t count = fleet_devices(w->asked->all, set, device, &whole);
    if (whole && count >= DEVICES_FEW) {
        fprintf(w->out, "all %" PRIu32, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", w->out);
        fleet_page_put_safe(w, device[i]);
    }
    if (set == SETS_MORE)
        fprintf(w->out, "more than %d", SETS_MEMBERS_MAX);
}

static void put_row(const fleet_writing *w, const fleet_rows *rows, const fleet_row *r, uint64_t whole)
{
    double share = whole ? 100 * (double)r->cost / (double)whole : 0;
    fputs("<tr><td class=\"name\">", w->out);
    for (uint32_t i = 0; i < r->length; i++) {
        fputs(i ? " | " : "", w->out);
        fleet_page_put_path(w, w->asked->images.known[r->image], rows->paths[r->path + i]);
    }
    fputs("</td>", w->out);
    if (whole)
        fprintf(w->out, "<td><span class=\"share\" style=\"width:%.0fpx\"></span>%.1f %%</td>", share, share);
    fputs("<td>", w->out);
    if (r->cost)
        fleet_page_put_number(w, r->cost);
    else
        fputs("not known", w->out);
    fputs("</td><td>", w->out);
    fleet_page_put_number(w, r->count);
    fputs("</td><td class=\"name\">", w->out);
    put_devices(w, r->set);
    fputs("</td></tr>\n", w->out);
}

static const char heads[] =
    "<th class=\"name\">path</th><th>instructions</th><th>times</th><th class=\"name\">devices</th>";

bool fleet_page_top(fleet_writing *w)
{
    fleet_rows rows = {0};
    uint64_t whole = 0;
    bool known = fleet_paths(w->asked->all, w->page->label, w->page->k, 0, &rows);
    fleet_rows_by_cost(&rows);
    for (size_t i = 0; known && i < rows.count; i++)
        whole += rows.row[i].length == 1 ? rows.row[i].cost : 0;
    fleet_page_part(w, "top", "Where the time goes", "The paths of all devices on which most instructions were spent.");
    fleet_page_table(w, whole ? "<th class=\"name\">path</th><th>share</th><th>instructions</th><th>times</th><th "
                                "class=\"name\">devices</th>"
                              : heads);
    if (!rows.count)
        fleet_page_no_rows(w, whole ? 5 : 4);
    for (size_t i = 0; known && i < rows.count && i < TOP_ROWS; i++)
        put_row(w, &rows, &rows.row[i], whole);
    fleet_page_table_end(w);
    fleet_page_put_more(w, TOP_ROWS, rows.count, "weft fleet top --top N");
    fleet_page_part_end(w);
    w->figures.top = rows.count;
    fleet_rows_free(&rows);
    return known;
}

bool fleet_page_rare(fleet_writing *w)
{
    char about[160];
    fleet_rows rows = {0};
    bool known = fleet_paths(w->asked->all, w->page->label, w->page->k, w->page->fewer, &rows);
    fleet_rows_by_cost(&rows);
    snprintf(about, sizeof about,
             "Paths that fewer than %" PRIu32 " devices took, and which. No longer sequence around one is listed.",
             w->page->fewer);
    fleet_page_part(w, "rare", "What few devices do", about);
    fleet_page_table(w, heads);
    if (!rows.count)
        fleet_page_no_rows(w, 4);
    for (size_t i = 0; known && i < rows.count && i < RARE_ROWS; i++)
        put_row(w, &rows, &rows.row[i], 0);
    fleet_page_table_end(w);
    fleet_page_put_more(w, RARE_ROWS, rows.count, "weft fleet rare");
    fleet_page_part_end(w);
    w->figures.rare = rows.count;
    fleet_rows_free(&rows);
    return known;
}
