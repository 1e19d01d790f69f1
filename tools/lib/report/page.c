/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

/* A file of this folder as bytes NAME ... NAME_end, with a zero byte after them. */
#define EMBED(name, file)                                                                                              \
    __asm__(".section .rodata\n" #name ":\n.incbin \"tools/lib/report/" file "\"\n.byte 0\n.previous\n");              \
    extern const char name[]
EMBED(report_page_html, "page.html");
EMBED(report_page_css, "page.css");
EMBED(report_page_js, "page.js");

/* JSON inside a script element: `<` stands in strings only, and there it may be escaped, so that no text of the
 * program ends the element or begins a comment. */
static void write_data(const report_data *d, FILE *file)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    memory_got(out);
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
