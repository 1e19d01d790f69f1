/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/report/embed.h"

EMBED(report_page_html, FILE_OF("page.html"));
EMBED(report_page_css, FILE_OF("page.css"));
/* A script's names are known in those after it; its functions in all. */
EMBED(report_page_js, FILE_OF("basics.js") FILE_OF("data.js") FILE_OF("view.js") FILE_OF("flame.js") FILE_OF("heat.js")
                          FILE_OF("contexts.js") FILE_OF("pointer.js") FILE_OF("tables.js") FILE_OF("start.js"));

/* JSON inside a script element: `<` stands in strings only, and there it may be escaped, so that no text of the
 * program ends the element or begins a comment. */
static void write_data(const report_data *d, FILE *file)
{
    char *text;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    json *j = json_begin(out);
    report_data_put(d, j);
    json_finish(j);
    fclose(out);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("\\u003c", file);
        else
            putc(*c, file);
    free(text);
}

void report_page_write(const report_data *d, FILE *file)
{
    for (const char *c = report_page_html, *mark; *c; c = mark + 2) {
        mark = strstr(c, "@@");
        fwrite(c, 1, mark ? (size_t)(mark - c) : strlen(c), file);
        if (!mark)
            return;
        mark += 2;
        if (*mark == 'C')
            fputs(report_page_css, file);
        else if (*mark == 'D')
            write_data(d, file);
        else if (*mark == 'J')
            fputs(report_page_js, file);
        mark = strstr(mark, "@@");
    }
}
