/* SPDX-License-Identifier: MIT */
#include "tools/weft/beside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/base/whole_file.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/image/opened.h"
#include "tools/lib/image/seal.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/script.h"
#include "tools/weft/command.h"
#include "tools/weft/executed.h"

static bool is_of_full(const char *elf, const char *recording)
{
    char message[400];
    errno = 0;
    image *im = image_open(elf, message, sizeof message);
    if (!im)
        whole_file_host_failed(elf); /* it is not another image then */
    full_reader *reader = full_open(recording, message, sizeof message);
    if (!reader)
        whole_file_host_failed(recording);
    bool same = im && reader && full_begins_in(reader, im);
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

static bool is_of(const char *elf, const char *recording)
{
    errno = 0;
    bool full = full_is(recording);
    if (!full)
        whole_file_host_failed(recording);
    bool same = full ? is_of_full(elf, recording) : is_of_container(elf, recording);
    if (!same)
        seal_forget(elf);
    return same;
}

const char *elf_beside(const char *elf, const char *recording)
{
    static char path[4096];
    struct stat status;
    const char *dot = elf ? NULL : strrchr(recording, '.');
    bool trace = dot && !strcmp(dot, ".wet");
    if (!dot || dot == recording || (!trace && strcmp(dot, ".weft")) || dot - recording + sizeof ".elf" > sizeof path)
        return elf;
    snprintf(path, sizeof path, "%.*s.elf", (int)(dot - recording), recording);
    if (stat(path, &status) || !S_ISREG(status.st_mode) || stat(recording, &status) || !S_ISREG(status.st_mode))
        return NULL;
    return trace || is_of(path, recording) ? path : NULL;
}

static bool is_image(const char *path)
{
    static const char begin[4] = {0x7f, 'E', 'L', 'F'};
    char head[sizeof begin] = {0};
    FILE *file = fopen(path, "rb");
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head && !memcmp(head, begin, sizeof head);
    if (file)
        fclose(file);
    return is;
}

void elf_missing_text(const char *recording, char *message, size_t size)
{
    snprintf(message, size,
             is_image(recording)
                 ? "'%s' is an image, which goes with --elf; no recording is named"
                 : "'%s' needs its image: --elf APP.elf (one of its own name, with .elf, is not beside it)",
             recording);
}

int elf_missing(const char *command, const char *recording)
{
    char message[4400];
    if (access(recording, R_OK))
        return command_fail(command, EXIT_INPUT, "%s: %s", recording, strerror(errno));
    container *file = NULL;
    bool other = is_image(recording) || executed_kind_of(recording) != EXECUTED_PATHS || profile_is(recording);
    if (!other && !(file = container_open(recording, message, sizeof message)))
        return command_fail(command, EXIT_INPUT, "%s", message);
    container_close(file);
    elf_missing_text(recording, message, sizeof message);
    return command_fail(command, EXIT_USAGE, "%s", message);
}

const char *elf_to_read(const char *recording, event_choice choice)
{
    char message[400];
    uint32_t context;
    if (executed_kind_of(recording) != EXECUTED_PATHS)
        return elf_beside(NULL, recording);
    container *file = container_open(recording, message, sizeof message);
    bool wanted = file && (choice.function || container_packed(file) ||
                           (choice.context && !given_names_find(file, choice.context, NULL, &context)));
    container_close(file);
    return wanted ? elf_beside(NULL, recording) : NULL;
}
