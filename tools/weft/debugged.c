/* SPDX-License-Identifier: MIT */
#include "tools/weft/debugged.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/whole_file.h"
#include "tools/lib/inspect/svd.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/wet/open.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/device_name.h"

static debug_subject *open_found(const char *path, bool wet, const char *elf, char *message, size_t size, int *status)
{
    *status = path ? EXIT_INPUT : EXIT_USAGE;
    if (!path) {
        snprintf(message, size, "needs X.wet, or FILE.weft of probes, and --elf APP.elf");
        return NULL;
    }
    if (access(path, R_OK)) {
        snprintf(message, size, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    if (!elf) {
        *status = EXIT_USAGE;
        elf_missing_text(path, message, size);
        return NULL;
    }
    *status = EXIT_INPUT;
    if (!wet && full_is(path)) {
        snprintf(message, size, "'%s' is a full recording: first `weft wet build %s --elf APP.elf -o X.wet`", path,
                 path);
        return NULL;
    }
    errno = 0;
    debug_subject *s =
        wet ? debug_subject_wet(path, elf, message, size) : debug_subject_probes(path, elf, message, size);
    if (!s && whole_file_is_of_host(errno))
        *status = EXIT_HOST;
    return s;
}

debug_subject *debugged_open_quietly(const char *path, const char *elf, char *message, size_t message_size, int *status)
{
    bool wet = path && wet_is(path);
    return open_found(path, wet, path ? elf_beside(elf, path) : NULL, message, message_size, status);
}

debug_subject *debugged_open(const char *command, const char *path, const char **elf, int *status)
{
    char message[1024];
    bool wet = path && wet_is(path);
    *elf = path ? elf_beside(*elf, path) : NULL;
    debug_subject *s = open_found(path, wet, *elf, message, sizeof message, status);
    if (!s)
        command_fail(command, *status, "%s", message);
    return s;
}

static void close_devices(void *own)
{
    svd_close(own);
}

bool debugged_devices(debug_subject *s, const char *svd_path, char *message, size_t message_size)
{
    svd *names = svd_open(svd_path, message, message_size);
    if (names && s->name_devices)
        s->name_devices(s->own, (debug_devices){device_name, close_devices, names});
    else if (names)
        svd_close(names);
    return names != NULL;
}

int debugged_close(const char *command, debug_subject *s, const char *path, int status)
{
    const char *wrong = s->damage(s->own);
    if (wrong)
        status = command_fail(command, EXIT_INPUT, "%s: %s", path, wrong);
    else if (s->lost && status == EXIT_DONE)
        status = EXIT_GAPS;
    debug_subject_close(s);
    return status;
}
