/* SPDX-License-Identifier: MIT */
/* Usage: raw_numbers FILE.weft APP.elf accesses|values. Writes the addresses of a recording, or its values, to standard
 * output, in order, 4 bytes each (8 for the values of 8-byte accesses). */
#include <stdio.h>
#include <string.h>

#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"

int main(int argc, char **argv)
{
    char message[300];
    if (argc != 4)
        return 2;
    container *file = container_open(argv[1], message, sizeof message);
    program *app = file ? program_open(argv[2], message, sizeof message) : NULL;
    if (!app) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    replay_kind wanted = strcmp(argv[3], "values") == 0 ? REPLAY_VALUE : REPLAY_ACCESS;
    scripts *paths = scripts_open(app);
    replay *events = replay_open(file, (replay_model){paths, scripts_model});
    for (replay_event e; replay_next(events, &e);) {
        uint64_t number = wanted == REPLAY_VALUE ? e.value : e.address;
        if (e.kind == wanted)
            fwrite(&number, wanted == REPLAY_VALUE && e.size == 8 ? 8 : 4, 1, stdout);
    }
    bool fine = !replay_error(events);
    replay_close(events);
    scripts_close(paths);
    program_close(app);
    container_close(file);
    return fine ? 0 : 1;
}
