/* SPDX-License-Identifier: MIT */
/* without_probes APP.elf OUT.elf: the program, with a nop for each instruction that serves only probes
 * (tools/lib/machine/costs.h). */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/image.h"
#include "tools/lib/image/program.h"
#include "tools/lib/machine/build.h"

static program *app;
static const image *im;

/* Where the loaded bytes at an address stand in the file. */
static size_t offset_of(const uint8_t *file, uint32_t address)
{
    Elf32_Ehdr head;
    Elf32_Phdr part;
    memcpy(&head, file, sizeof head);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        memcpy(&part, file + head.e_phoff + i * head.e_phentsize, sizeof part);
        if (part.p_type == PT_LOAD && address - part.p_vaddr < part.p_filesz)
            return part.p_offset + (address - part.p_vaddr);
    }
    abort();
}

static uint64_t clear_function(const descriptor_function *f, uint8_t *file)
{
    static const uint8_t two[] = {0x00, 0xbf, 0x00, 0xbf},
                         wide[] = {0xaf, 0xf3, 0x00, 0x80}; /* ARMv6-M has no wide nop */
    uint32_t start = f->address & ~1u;
    const image_symbol *symbol = image_function(&im->symbols, start);
    routine *c = routine_build(im, start, start + (symbol ? symbol->size : 0), false);
    uint64_t cleared = 0;
    for (uint32_t i = 0; c->known && i < c->count; i++) {
        const routine_step *s = &c->steps[i];
        if (!s->own || s->leaves)
            continue;
        memcpy(file + offset_of(file, s->insn.pc),
               s->call && s->condition == THUMB_ALWAYS ? two
               : s->insn.size == 4                     ? wide
                                                       : two,
               s->insn.size);
        cleared++;
    }
    routine_free(c);
    return cleared;
}

static int without_probes(const char *elf, const char *out)
{
    FILE *in = fopen(elf, "rb"), *to = fopen(out, "wb");
    enum { FILE_MAX = 64 << 20 };
    uint8_t *file = memory_zero(FILE_MAX, 1);
    size_t size = in ? fread(file, 1, FILE_MAX, in) : 0;
    uint64_t cleared = 0;
    for (size_t i = 0; i < program_descriptors(app)->count; i++)
        cleared += clear_function(&program_descriptors(app)->function[i], file);
    bool well = to && fwrite(file, 1, size, to) == size && !fclose(to);
    printf("%" PRIu64 " instructions cleared\n", cleared);
    return well && cleared ? 0 : 1;
}

int main(int argc, char **argv)
{
    char message[300] = "without_probes APP.elf OUT.elf";
    app = argc > 2 ? program_open(argv[1], message, sizeof message) : NULL;
    im = app ? program_image(app) : NULL;
    return im ? without_probes(argv[1], argv[2]) : (fprintf(stderr, "%s\n", message), 2);
}
