/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/image.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/image/declared.h"
#include "tools/lib/image/moved.h"
#include "tools/lib/image/seal.h"

typedef struct image_own {
    int fd;
    Elf *elf;
    const uint8_t *file;
    size_t file_size;
    GElf_Phdr *part; /* those that are loaded */
    size_t parts;
    bool asked;                   /* for the debug information */
    Dwarf *dwarf;                 /* NULL: there is none, or it was not asked for */
    _Atomic(image_lines *) lines; /* NULL: not read yet */
    _Atomic(image_declared *) declared;
    pthread_mutex_t reading; /* of these two: several threads may ask first */
} image_own;

/* ---- opening ---- */

static bool is_inside(const image_own *own, uint64_t offset, uint64_t size)
{
    return !size || (offset <= own->file_size && size <= own->file_size - offset);
}

/* Whether the file holds all that its head, its sections and its loaded parts promise. libelf itself passes over what
 * is missing. (objcopy leaves a wrong PT_NOTE where sections of notes are not loaded.) */
static bool is_whole(const image_own *own, const GElf_Ehdr *head)
{
    size_t sections = 0, parts = 0;
    GElf_Shdr section;
    GElf_Phdr part;
    if (elf_getshdrnum(own->elf, &sections) || elf_getphdrnum(own->elf, &parts) ||
        !is_inside(own, head->e_shoff, (uint64_t)sections * head->e_shentsize) ||
        !is_inside(own, head->e_phoff, (uint64_t)parts * head->e_phentsize) || (head->e_shoff && !sections))
        return false;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(own->elf, s));)
        if (!gelf_getshdr(s, &section) ||
            (section.sh_type != SHT_NOBITS && !is_inside(own, section.sh_offset, section.sh_size)))
            return false;
    for (size_t i = 0; i < parts; i++)
        if (!gelf_getphdr(own->elf, (int)i, &part) ||
            (part.p_type == PT_LOAD && !is_inside(own, part.p_offset, part.p_filesz)))
            return false;
    return true;
}

/* NULL: it can be used. */
static const char *complaint(image_own *own, GElf_Ehdr *head)
{
    if (!own->elf || elf_kind(own->elf) != ELF_K_ELF || !gelf_getehdr(own->elf, head))
        return "it is not an ELF file, or its head is damaged";
    if (head->e_machine != EM_ARM || gelf_getclass(own->elf) != ELFCLASS32)
        return "it is an ELF file, but not for a 32-bit ARM";
    own->file = (const uint8_t *)elf_rawfile(own->elf, &own->file_size);
    if (!own->file || !is_whole(own, head))
        return "it is damaged: it ends before its sections do";
    if (seal_of(own->file, own->file_size) == SEAL_WRONG)
        return "it is damaged, or was edited after it was sealed: link it again (weft seal --help)";
    return NULL;
}

/* After complaint, which read each head. */
static void keep_parts(image_own *own)
{
    size_t count = 0, max = 0;
    GElf_Phdr part;
    if (elf_getphdrnum(own->elf, &count))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(own->elf, (int)i, &part) || part.p_type != PT_LOAD)
            continue;
        own->part = memory_room(own->part, own->parts, &max, sizeof *own->part);
        own->part[own->parts++] = part;
    }
}

static void close_own(image_own *own)
{
    free(own->part);
    if (own->lines)
        image_lines_free(own->lines);
    if (own->declared)
        image_declared_free(own->declared);
    if (own->dwarf)
        dwarf_end(own->dwarf);
    elf_end(own->elf);
    if (own->fd >= 0)
        close(own->fd);
    pthread_mutex_destroy(&own->reading);
    free(own);
}

static void say_moved(const char *path, const char *section, const char *other, char *message, size_t message_size)
{
    snprintf(message, message_size,
             "%s: its section '%.40s' was moved after the link: the symbols in it are at other addresses than the %s",
             path, section, other);
}

image *image_read(const char *path, char *message, size_t message_size)
{
    GElf_Ehdr head = {.e_type = ET_NONE};
    image_own *own = memory_zero(1, sizeof *own);
    elf_version(EV_CURRENT);
    pthread_mutex_init(&own->reading, NULL);
    own->fd = open(path, O_RDONLY | O_CLOEXEC);
    const char *wrong = own->fd < 0 ? strerror(errno) : NULL;
    if (!wrong) {
        own->elf = elf_begin(own->fd, ELF_C_READ_MMAP, NULL);
        wrong = complaint(own, &head);
    }
    if (wrong) {
        snprintf(message, message_size, "%s: %s", path, wrong);
        close_own(own);
        return NULL;
    }
    keep_parts(own);
    image *im = memory_zero(1, sizeof *im);
    *im = (image){
        .path = memory_text(path), .linked = head.e_type == ET_EXEC, .entry = (uint32_t)head.e_entry, .own = own};
    im->contexts = memory_zero(1, sizeof *im->contexts);
    image_symbols_read(&im->symbols, own->elf);
    im->sealed = seal_of(own->file, own->file_size) == SEAL_RIGHT;
    const char *moved = im->linked ? image_moved(&im->symbols, own->elf, image_dwarf(im)) : NULL;
    if (moved) {
        say_moved(path, moved, "debug information says", message, message_size);
        image_close(im);
        return NULL;
    }
    if (!im->sealed)
        seal_note_missing(path);
    return im;
}

void image_close(image *im)
{
    if (!im)
        return;
    close_own(im->own);
    image_symbols_free(&im->symbols);
    free(im->contexts->all);
    free(im->contexts);
    free((char *)im->path);
    free(im);
}

bool image_agrees(const image *im, const image_name *names, size_t count, char *message, size_t message_size)
{
    const char *moved = image_moved_from(&im->symbols, im->own->elf, names, count);
    if (moved)
        say_moved(im->path, moved, "descriptors say", message, message_size);
    return !moved;
}

/* ---- sections ---- */

static Elf_Scn *section_named(const image *im, const char *name, GElf_Shdr *head)
{
    Elf *elf = im->own->elf;
    size_t names;
    if (elf_getshdrstrndx(elf, &names))
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const char *found = gelf_getshdr(section, head) ? elf_strptr(elf, names, head->sh_name) : NULL;
        if (found && !strcmp(found, name))
            return section;
    }
    return NULL;
}

const uint8_t *image_section(const image *im, const char *name, size_t *size)
{
    GElf_Shdr head;
    Elf_Scn *section = section_named(im, name, &head);
    Elf_Data *data = section && head.sh_type != SHT_NOBITS ? elf_rawdata(section, NULL) : NULL;
    *size = data ? data->d_size : 0;
    return data ? data->d_buf : NULL;
}

uint32_t image_section_size(const image *im, const char *name)
{
    GElf_Shdr head;
    return section_named(im, name, &head) ? (uint32_t)head.sh_size : 0;
}

static const uint8_t *build_id_in(Elf_Data *data, size_t *size)
{
    size_t at = 0, name, desc;
    GElf_Nhdr note;
    while (data && at < data->d_size && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0)
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            !memcmp((const char *)data->d_buf + name, "GNU", 4)) {
            *size = note.n_descsz;
            return (const uint8_t *)data->d_buf + desc;
        }
    return NULL;
}

const uint8_t *image_build_id(const image *im, size_t *size)
{
    GElf_Shdr head;
    const uint8_t *id = NULL;
    *size = 0;
    for (Elf_Scn *section = NULL; !id && (section = elf_nextscn(im->own->elf, section));)
        if (gelf_getshdr(section, &head) && head.sh_type == SHT_NOTE)
            id = build_id_in(elf_getdata(section, NULL), size);
    return id;
}

bool image_symbol_named(const image *im, const char *name, uint32_t *address, uint32_t *size)
{
    return image_find(im->own->elf, name, address, size);
}

uint32_t image_counter(const image *im)
{
    uint32_t address, size;
    return image_symbol_named(im, "__weft_laps", &address, &size) ? address : 0;
}

const uint8_t *image_kept(const image *im, size_t i, uint32_t *address, size_t *size, size_t *offset)
{
    GElf_Shdr head;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(im->own->elf, section));)
        if (gelf_getshdr(section, &head) && head.sh_flags & SHF_ALLOC && head.sh_type != SHT_NOBITS &&
            is_inside(im->own, head.sh_offset, head.sh_size) && i-- == 0) {
            *address = (uint32_t)head.sh_addr;
            *size = head.sh_size;
            *offset = head.sh_offset;
            return im->own->file + head.sh_offset;
        }
    return NULL;
}

/* ---- memory ---- */

const uint8_t *image_part(const image *im, size_t i, uint32_t *address, size_t *size)
{
    if (i >= im->own->parts)
        return NULL;
    const GElf_Phdr *p = &im->own->part[i];
    *address = (uint32_t)p->p_vaddr;
    *size = p->p_filesz;
    return im->own->file + p->p_offset;
}

/* The bytes of a part from `from`, an offset in it. NULL: it does not hold `size` there. */
static const uint8_t *part_bytes(const image *im, const GElf_Phdr *p, uint64_t from, size_t size)
{
    return size <= p->p_filesz && from <= p->p_filesz - size ? im->own->file + p->p_offset + from : NULL;
}

/* The loaded bytes at an address, and the flags of the part that they are in. */
static const uint8_t *bytes_at(const image *im, uint32_t address, size_t size, uint32_t *flags)
{
    for (size_t i = 0; i < im->own->parts; i++) {
        const GElf_Phdr *p = &im->own->part[i];
        const uint8_t *bytes = address >= p->p_vaddr ? part_bytes(im, p, address - p->p_vaddr, size) : NULL;
        *flags = p->p_flags;
        if (bytes)
            return bytes;
    }
    return NULL;
}

const uint8_t *image_bytes(const image *im, uint32_t address, size_t size)
{
    uint32_t flags;
    return bytes_at(im, address, size, &flags);
}

uint32_t image_bytes_from(const image *im, uint32_t address, uint32_t most)
{
    uint32_t there = 0;
    if (image_bytes(im, address, most))
        return most;
    for (uint32_t step = UINT32_C(1) << 31; step; step /= 2)
        if (step < most - there && image_bytes(im, address, there + step))
            there += step;
    return there;
}

const uint8_t *image_loaded(const image *im, uint32_t address, size_t size)
{
    for (size_t i = 0; i < im->own->parts; i++) {
        const GElf_Phdr *p = &im->own->part[i];
        const uint8_t *bytes = address >= p->p_paddr ? part_bytes(im, p, address - p->p_paddr, size) : NULL;
        if (bytes)
            return bytes;
    }
    return NULL;
}

/* Some linker scripts put all into one part that can be written. */
static bool writes_all(const image *im)
{
    for (size_t i = 0; i < im->own->parts; i++)
        if (!(im->own->part[i].p_flags & PF_W) && im->own->part[i].p_filesz)
            return false;
    return true;
}

bool image_differs(const image *im, uint32_t address, const uint8_t *bytes, size_t size)
{
    uint32_t flags;
    const uint8_t *here = bytes_at(im, address, size, &flags);
    return here && memcmp(here, bytes, size) && (!(flags & PF_W) || writes_all(im));
}

bool image_constant_differs(const image *im, uint32_t address, const uint8_t *bytes, size_t size)
{
    uint32_t flags;
    const uint8_t *here = bytes_at(im, address, size, &flags);
    return here && memcmp(here, bytes, size) && !(flags & PF_W);
}

/* ---- debug information ---- */

static __attribute__((noreturn)) void no_memory(void)
{
    memory_got(NULL); /* ends the process */
    abort();
}

Dwarf *image_dwarf(const image *im)
{
    image_own *own = im->own;
    if (!own->asked)
        own->dwarf = dwarf_begin_elf(own->elf, DWARF_C_READ, NULL);
    if (own->dwarf)
        dwarf_new_oom_handler(own->dwarf, no_memory);
    own->asked = true;
    return own->dwarf;
}

const image_line *image_line_at(const image *im, uint32_t address)
{
    image_own *own = im->own;
    image_lines *lines = atomic_load(&own->lines);
    if (!lines) {
        pthread_mutex_lock(&own->reading);
        lines = atomic_load(&own->lines);
        if (!lines)
            atomic_store(&own->lines, lines = image_lines_read(own->elf, image_dwarf(im), &im->symbols));
        pthread_mutex_unlock(&own->reading);
    }
    return image_lines_at(lines, address);
}

/* Whether a line of the function's code stands at its declaration or below. Looked for in its first 64 KB, as a
 * damaged image may say that it has gigabytes. */
static bool confirmed(const image *im, const image_line *declared)
{
    const image_symbol *function = image_function(&im->symbols, declared->address);
    for (uint32_t at = 0; function && at < function->size && at < 0x10000; at += 2) {
        const image_line *line = image_line_at(im, declared->address + at);
        if (line && line->file && line->line >= declared->line && !strcmp(line->file, declared->file))
            return true;
    }
    return false;
}

const image_line *image_function_line(const image *im, uint32_t start)
{
    image_own *own = im->own;
    image_declared *declared = atomic_load(&own->declared);
    if (!declared) {
        pthread_mutex_lock(&own->reading);
        declared = atomic_load(&own->declared);
        if (!declared)
            atomic_store(&own->declared, declared = image_declared_read(image_dwarf(im), &im->symbols));
        pthread_mutex_unlock(&own->reading);
    }
    const image_line *line = image_declared_find(declared, start);
    return line && confirmed(im, line) ? line : image_line_at(im, start);
}
