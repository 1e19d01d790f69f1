/* SPDX-License-Identifier: MIT */
/* `weft dap`: recorded runs in editors, by the debug adapter protocol. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/debug/dap.h"
#include "tools/weft/command.h"
#include "tools/weft/debugged.h"
#include "tools/weft/options.h"

static const char help[] = "usage: weft dap [X.wet|FILE.weft] [--elf APP.elf] [--svd FILE]\n\n"
                           "A server of the debug adapter protocol on standard input and output: an editor steps "
                           "through a recorded run forwards\n"
                           "and backwards. The editor's `launch` names the run:\n\n"
                           "  program      X.wet, or a recording of probes; default: the one on the command line\n"
                           "  elf          the program; default: --elf, else NAME.elf beside the run\n"
                           "  svd          names of device registers (CMSIS-SVD), default: --svd\n"
                           "  sourceDir    the folder that file names in the program's debug information start from\n"
                           "  stopOnEntry  true: stop at the first instant, else at the first breakpoint\n\n"
                           "Hovering over a variable says how its value came about; `weft help` in the editor's "
                           "console lists what else can be\n"
                           "asked. docs/DEBUGGER.md has a configuration for VS Code.\n";

typedef struct dap_options {
    const char *run, *elf, *svd;
    int refused; /* the exit status if the last run that the editor named cannot be opened, and why; else EXIT_DONE */
    char why[1024];
} dap_options;

static debug_subject *open_run(void *own, const char *path, const char *elf, const char *svd, char *message,
                               size_t message_size)
{
    dap_options *o = own;
    int status = EXIT_INPUT;
    debug_subject *s = debugged_open_quietly(path ? path : o->run, elf ? elf : o->elf, message, message_size, &status);
    svd = svd ? svd : o->svd;
    if (s && svd && !debugged_devices(s, svd, message, message_size)) {
        debug_subject_close(s);
        s = NULL;
        status = EXIT_INPUT;
    }
    o->refused = s ? EXIT_DONE : status;
    snprintf(o->why, sizeof o->why, "%s", message);
    return s;
}

int command_dap(int argc, char **argv)
{
    dap_options o = {0};
    const command_option list[] = {{"elf", .text = &o.elf}, {"svd", .text = &o.svd}, {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (argc - optind > 1)
        return command_fail("dap", EXIT_USAGE, "takes one run at most");
    o.run = argc - optind == 1 ? argv[optind] : NULL;
    signal(SIGPIPE, SIG_IGN);
    int failed = 0;
    debug_subject *s = dap_serve(&(dap_opener){open_run, &o}, STDIN_FILENO, STDOUT_FILENO, &failed);
    if (failed == EBADMSG)
        status = command_fail("dap", EXIT_INPUT, "the editor sent something that is not a message of the protocol");
    else if (failed)
        status = command_fail("dap", EXIT_HOST, "cannot read from the editor, or write to it: %s", strerror(failed));
    else
        status = o.refused == EXIT_DONE ? EXIT_DONE : command_fail("dap", o.refused, "%s", o.why);
    return s ? debugged_close("dap", s, "the run", status) : status;
}
