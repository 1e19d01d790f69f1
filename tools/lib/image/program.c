/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/program.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/linked.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/vectors.h"

struct program {
    image *im;
    descriptors *all;
    uint32_t *blocks; /* scratch: as many as the largest function has */
};

program *program_open(const char *path, char *message, size_t message_size)
{
    image *im = image_read(path, message, message_size);
    descriptors *all = im ? descriptors_read(im, message, message_size) : NULL;
    if (!all || !image_in_place(im, all, message, message_size)) {
        descriptors_free(all);
        image_close(im);
        return NULL;
    }
    program *app = memory_zero(1, sizeof *app);
    uint32_t most = 1;
    for (size_t i = 0; i < all->count; i++)
        most = all->function[i].block_count > most ? all->function[i].block_count : most;
    *app = (program){im, all, memory_zero(most, sizeof *app->blocks)};
    return app;
}

void program_close(program *app)
{
    if (!app)
        return;
    free(app->blocks);
    descriptors_free(app->all);
    image_close(app->im);
    free(app);
}

const descriptors *program_descriptors(const program *app)
{
    return app->all;
}

const image *program_image(const program *app)
{
    return app->im;
}

void program_give_context(program *app, uint32_t context, const char *name)
{
    vectors_give(app->im, context, name);
}

const char *program_file(const program *app)
{
    return app->im->path;
}

const uint8_t *program_build_id(const program *app, size_t *size)
{
    return image_build_id(app->im, size);
}

static uint32_t identity(const program *app, uint32_t linked)
{
    uint32_t low = image_section_size(app->im, "weft_id_low"), high = image_section_size(app->im, "weft_id_high");
    uint32_t sum = low + (high << 16) + linked;
    return (low || high || linked) && sum == 0 ? 1 : sum;
}

uint32_t program_identity(const program *app)
{
    size_t offset;
    return identity(app, linked_sum(app->im, &offset));
}

bool program_may_be(const program *app, uint32_t other)
{
    uint32_t sealed = program_identity(app), bare = identity(app, 0);
    return !sealed || other == sealed || (bare && other == bare);
}

/* ---- lines ---- */

static size_t add_line(const descriptor_line *line, descriptor_line *lines, size_t count, size_t max)
{
    const descriptor_line *last = count ? &lines[count - 1] : NULL;
    if (count == max || (last && last->line == line->line && !strcmp(last->file, line->file)))
        return count;
    lines[count] = *line;
    return count + 1;
}

size_t program_path_lines(program *app, uint32_t path, descriptor_line *lines, size_t max)
{
    descriptor_path info;
    const descriptor_function *f = descriptors_of_path(app->all, path);
    size_t count = 0;
    if (!f || !descriptor_expand(app->all, path, app->blocks, f->block_count, &info))
        return 0;
    for (size_t i = 0; i < info.count; i++) {
        const descriptor_block *b = &f->block[app->blocks[i]];
        for (uint32_t k = 0; k < b->line_count; k++)
            count = add_line(&b->line[k], lines, count, max);
    }
    return count;
}

/* ---- addresses ---- */

const char *program_symbol(const program *app, uint32_t address, uint32_t *offset)
{
    const image_symbol *symbol = image_object(&app->im->symbols, address, offset);
    return symbol ? symbol->name : NULL;
}

bool program_find_symbol(const program *app, const char *name, uint32_t *address, uint32_t *size)
{
    return image_symbol_named(app->im, name, address, size);
}
