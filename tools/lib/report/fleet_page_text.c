/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/fleet_page_parts.h"

#include <stdlib.h>

#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"

static void put(const fleet_writing *w, const char *text)
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

void fleet_page_put_safe(const fleet_writing *w, const char *text)
{
    char *safe;
    size_t size;
    FILE *file = memory_stream(&safe, &size);
    text_print(file, text);
    fclose(file);
    put(w, safe);
    free(safe);
}

void fleet_page_put_path(const fleet_writing *w, const descriptors *known, uint32_t path)
{
    char *text;
    size_t size;
    FILE *file = memory_stream(&text, &size);
    fleet_print_path(known, path, file);
    fclose(file);
    put(w, text);
    free(text);
}

void fleet_page_put_number(const fleet_writing *w, uint64_t number)
{
    char text[32];
    fputs(text_grouped(number, text), w->out);
}

void fleet_page_part(const fleet_writing *w, const char *id, const char *title, const char *about)
{
    fprintf(w->out, "<section class=\"part\" id=\"%s\"><h2>%s</h2><p>%s</p>\n", id, title, about);
}

void fleet_page_table(const fleet_writing *w, const char *heads)
{
    fprintf(w->out, "<div class=\"scroll\"><table class=\"wide\"><thead><tr>%s</tr></thead><tbody>\n", heads);
}

void fleet_page_no_rows(const fleet_writing *w, unsigned columns)
{
    fprintf(w->out, "<tr><td class=\"name dim\" colspan=\"%u\">none</td></tr>\n", columns);
}

void fleet_page_table_end(const fleet_writing *w)
{
    fputs("</tbody></table></div>\n", w->out);
}

void fleet_page_part_end(const fleet_writing *w)
{
    fputs("</section>\n", w->out);
}

void fleet_page_put_more(const fleet_writing *w, size_t shown, size_t all, const char *command)
{
    if (all > shown)
        fprintf(w->out, "<p>%zu of %zu. <code>%s</code> shows all.</p>\n", shown, all, command);
}
