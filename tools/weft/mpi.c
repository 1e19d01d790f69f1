/* SPDX-License-Identifier: MIT */
#include "tools/weft/mpi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/installed.h"
#include "tools/weft/command.h"

int mpi_start(int argc, char **argv)
{
    static const char *const places[] = {"weft-mpi", "../lib/weft/weft-mpi"};
    char own[4096], path[4200];
    (void)argc;
    if (!installed_self(own, sizeof own))
        return command_fail(argv[0], EXIT_HOST, "cannot tell where weft is: %s", strerror(errno));
    char *slash = strrchr(own, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%.*s%s", (int)(slash + 1 - own), own, places[i]);
        if (access(path, X_OK) == 0)
            execv(path, argv);
    }
    return command_fail(argv[0], EXIT_HOST,
                        "--mpi needs weft-mpi beside weft: it is built where OpenMPI is installed (libopenmpi-dev)");
}
