/* SPDX-License-Identifier: MIT */
#include "tools/weft/beside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/base/whole_file.h"
#include "tools/lib/image/seal.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/script.h"

/* A whole reset handler, and more. */
enum { INSTRUCTIONS = 1000 };

static bool is_of_full(const char *elf, const char *recording)
{
    static full_event event;
    char message[400];
    errno = 0;
    image *im = image_open(elf, message, sizeof message);
    if (!im)
        whole_file_host_failed(elf); /* it is not another image then */
    full_reader *reader = full_open(recording, message, sizeof message);
    if (!reader)
        whole_file_host_failed(recording);
    bool same = im && reader;
    for (unsigned i = 0; same && i < INSTRUCTIONS && full_next(reader, &event) > 0; i++)
        same = event.kind != FULL_EXECUTED ||
               !image_differs(im, event.instruction->pc, event.instruction->bytes, event.instruction->size);
    full_close(reader);
    if (im)
        image_close(im);
    return same;
}

static bool is_of_container(const char *elf, const char *recording)
{
    char message[400];
    errno = 0;
    container *file = container_open(recording, message, sizeof message);
    if (!file)
        whole_file_host_failed(recording);
    program *app = file ? program_open(elf, message, sizeof message) : NULL;
    if (file && !app)
        whole_file_host_failed(elf);
    bool same = app && program_identity_checked(app, file);
    program_close(app);
    container_close(file);
    return same;
}

const char *elf_beside(const char *elf, const char *recording)
{
    static char path[4096];
    struct stat status;
    size_t size = elf ? 0 : strlen(recording);
    if (elf || size < 6 || size >= sizeof path || strcmp(recording + size - 5, ".weft") != 0)
        return elf;
    snprintf(path, sizeof path, "%.*s.elf", (int)size - 5, recording);
    if (stat(path, &status) || !S_ISREG(status.st_mode) || stat(recording, &status) || !S_ISREG(status.st_mode))
        return NULL;
    errno = 0;
    bool full = full_is(recording);
    if (!full)
        whole_file_host_failed(recording);
    bool same = full ? is_of_full(path, recording) : is_of_container(path, recording);
    if (!same)
        seal_forget(path);
    return same ? path : NULL;
}

const char *elf_to_read(const char *recording, event_choice choice)
{
    char message[400];
    uint32_t context;
    container *file = container_open(recording, message, sizeof message);
    bool wanted = file && (choice.function || container_packed(file) ||
                           (choice.context && !given_names_find(file, choice.context, NULL, &context)));
    container_close(file);
    return wanted ? elf_beside(NULL, recording) : NULL;
}
