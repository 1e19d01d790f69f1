/* SPDX-License-Identifier: MIT */
#include "tools/weft/command.h"
#include "tools/weft/wet.h"

int wet_why(const wet_options *o)
{
    (void)o;
    return command_fail("wet", EXIT_USAGE, "why: not built yet");
}
