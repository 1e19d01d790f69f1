/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/firmware.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ATTRIBUTES_FILE 1u  /* build attributes of the whole file */
#define ATTRIBUTE_NAME_1 4u /* CPU_raw_name, CPU_name: strings */
#define ATTRIBUTE_NAME_2 5u
#define ATTRIBUTE_PROFILE 7u /* CPU_arch_profile: 'A', 'R', 'M', 'S' */
#define KEYS_MAX 32u

struct image {
    int fd;
    Elf *elf;
    char *board; /* the section's text, each line and key ended by a zero */
    const char *keys[KEYS_MAX], *values[KEYS_MAX];
    unsigned key_count;
};

static Elf_Data *section_data(const image *im, const char *wanted, GElf_Shdr *header)
{
    size_t names;
    if (elf_getshdrstrndx(im->elf, &names))
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(im->elf, section));) {
        if (!gelf_getshdr(section, header))
            continue;
        const char *name = elf_strptr(im->elf, names, header->sh_name);
        if (name && !strcmp(name, wanted))
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

static bool read_uleb(const uint8_t **at, const uint8_t *end, uint32_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 35; shift += 7) {
        uint8_t byte = *(*at)++;
        *value |= (uint32_t)(byte & 0x7f) << (shift & 31);
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/* The profile in the file attributes of .ARM.attributes ("aeabi"); 0: it does not say. */
static uint32_t profile(const image *im)
{
    GElf_Shdr header;
    Elf_Data *data = section_data(im, ".ARM.attributes", &header);
    if (!data || !data->d_buf || data->d_size < 16)
        return 0;
    const uint8_t *bytes = data->d_buf, *end = bytes + data->d_size, *at = bytes + 5;
    at = memchr(at, 0, (size_t)(end - at)); /* 'A', size, vendor's name, then the file's tag and size */
    if (!at || end - at < 6 || at[1] != ATTRIBUTES_FILE)
        return 0;
    for (at += 6; at < end;) {
        uint32_t tag, value;
        if (!read_uleb(&at, end, &tag))
            return 0;
        if (tag == ATTRIBUTE_NAME_1 || tag == ATTRIBUTE_NAME_2 || tag == 32 || (tag > 32 && tag & 1)) {
            if (tag == 32 && !read_uleb(&at, end, &value))
                return 0;
            at = memchr(at, 0, (size_t)(end - at));
            if (!at++)
                return 0;
        } else if (!read_uleb(&at, end, &value)) {
            return 0;
        } else if (tag == ATTRIBUTE_PROFILE) {
            return value;
        }
    }
    return 0;
}

static bool read_board(image *im)
{
    GElf_Shdr header;
    Elf_Data *data = section_data(im, ".weft.board", &header);
    if (!data || !data->d_buf)
        return true;
    if (!(im->board = malloc(data->d_size + 1)))
        return false;
    memcpy(im->board, data->d_buf, data->d_size);
    im->board[data->d_size] = 0;
    for (char *save, *line = strtok_r(im->board, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *equals = strchr(line, '=');
        if (!equals || im->key_count == KEYS_MAX)
            continue;
        *equals = 0;
        im->keys[im->key_count] = line;
        im->values[im->key_count++] = equals + 1;
    }
    return true;
}

/* NULL: it is firmware for a Cortex-M. */
static const char *complaint(const image *im)
{
    GElf_Ehdr header;
    if (elf_kind(im->elf) != ELF_K_ELF || !gelf_getehdr(im->elf, &header))
        return "it is no ELF file";
    if (header.e_machine != EM_ARM || gelf_getclass(im->elf) != ELFCLASS32)
        return "it is an ELF file, but not for a 32-bit ARM";
    if (header.e_type != ET_EXEC)
        return "it is not a linked program (an object file, or a shared one)";
    uint32_t kind = profile(im);
    if (kind && kind != 'M')
        return "it is for an application or real-time ARM (Cortex-A or -R), not for a Cortex-M";
    if (!kind && !(header.e_entry & 1))
        return "its entry is ARM code, which no Cortex-M runs";
    return NULL;
}

image *image_open(const char *path, char *message, size_t message_size)
{
    image *im = calloc(1, sizeof *im);
    const char *wrong = "out of memory";
    elf_version(EV_CURRENT);
    if (im && (im->fd = open(path, O_RDONLY)) < 0) {
        wrong = strerror(errno);
        free(im);
        im = NULL;
    }
    if (im) {
        im->elf = elf_begin(im->fd, ELF_C_READ, NULL);
        wrong = im->elf ? complaint(im) : "it is no ELF file";
        if (!wrong && !read_board(im))
            wrong = "out of memory";
        if (!wrong)
            return im;
    }
    snprintf(message, message_size, "%s: %s", path, wrong);
    image_close(im);
    return NULL;
}

void image_close(image *im)
{
    if (!im)
        return;
    elf_end(im->elf);
    close(im->fd);
    free(im->board);
    free(im);
}

const char *image_board(const image *im, const char *key)
{
    for (unsigned i = 0; i < im->key_count; i++)
        if (!strcmp(im->keys[i], key))
            return im->values[i];
    return NULL;
}

bool image_symbol(const image *im, const char *name, uint32_t *address, uint32_t *size)
{
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(im->elf, section));) {
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        GElf_Sym symbol;
        for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
            const char *text = elf_strptr(im->elf, header.sh_link, symbol.st_name);
            if (!text || strcmp(text, name) || symbol.st_shndx == SHN_UNDEF)
                continue;
            bool function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
            *address = (uint32_t)symbol.st_value & ~(uint32_t)function;
            *size = (uint32_t)symbol.st_size;
            return true;
        }
    }
    return false;
}
