/* SPDX-License-Identifier: MIT */
/* lines_check APP.elf: prints what the reader of images reports about each halfword of code, one line each: ADDRESS
 * FUNCTION FILE:LINE. */
#include <elf.h>
#include <stdio.h>

#include "tools/lib/image/opened.h"

int main(int argc, char **argv)
{
    char message[300];
    image *im = argc > 1 ? image_open(argv[1], message, sizeof message) : NULL;
    if (!im)
        return fprintf(stderr, "%s\n", argc > 1 ? message : "lines_check APP.elf"), 2;
    uint32_t start;
    size_t size;
    for (size_t i = 0; image_part(im, i, &start, &size); i++)
        for (uint32_t pc = start; pc < start + size; pc += 2) {
            const image_symbol *f = image_function(&im->symbols, pc);
            const image_line *line = image_line_at(im, pc);
            if (f && !image_data_end(&im->symbols, pc))
                printf("%08x %s %s:%u\n", pc, f->name, line ? line->file : "??", line ? line->line : 0);
        }
    image_close(im);
    return 0;
}
