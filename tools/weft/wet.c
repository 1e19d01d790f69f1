/* SPDX-License-Identifier: MIT */
#include "tools/weft/command.h"

int command_wet(int argc, char **argv)
{
    (void)argc;
    return command_fail(argv[0], EXIT_USAGE, "not built yet");
}
