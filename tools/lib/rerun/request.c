/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/request.h"

#include <string.h>

enum {
    SYS_OPEN = 1,
    SYS_CLOSE = 2,
    SYS_WRITEC = 3,
    SYS_WRITE0 = 4,
    SYS_WRITE = 5,
    SYS_READ = 6,
    SYS_READC = 7,
    SYS_ISERROR = 8,
    SYS_ISTTY = 9,
    SYS_SEEK = 10,
    SYS_FLEN = 12,
    SYS_CLOCK = 16,
    SYS_TIME = 17,
    SYS_ERRNO = 19,
    SYS_GET_CMDLINE = 21,
    SYS_EXIT = 24,
    SYS_EXIT_EXTENDED = 32,
    SYS_ELAPSED = 48,
    SYS_TICKFREQ = 49,
};

bool rerun_is_request(const rerun_code *code)
{
    return code->insn.size == 2 && code->insn.bytes[0] == 0xab && code->insn.bytes[1] == 0xbe;
}

/* What the host may have written there. */
static bool forget(rerun_machine *m, uint32_t address, uint64_t size)
{
    if (size > 1u << 20)
        return false;
    for (uint32_t i = 0; i < size; i++)
        rerun_store(m->space, address + i, 1, 0, false);
    return true;
}

static rerun_status read_into(rerun_machine *m, uint32_t parameters)
{
    uint64_t address, size;
    if (!rerun_load(m->space, parameters + 4, 4, &address) || !rerun_load(m->space, parameters + 8, 4, &size))
        return RERUN_PLACE_UNKNOWN;
    return forget(m, (uint32_t)address, size) ? RERUN_DONE : RERUN_NO_REQUEST;
}

/* The command line, and what `weft capture` puts after it: the name of a file, which is not known. */
static rerun_status give_command_line(rerun_machine *m, uint32_t parameters)
{
    uint64_t address, size;
    if (!rerun_load(m->space, parameters, 4, &address) || !rerun_load(m->space, parameters + 4, 4, &size))
        return RERUN_PLACE_UNKNOWN;
    if (!forget(m, (uint32_t)address, size))
        return RERUN_NO_REQUEST;
    rerun_store(m->space, parameters + 4, 4, 0, false);
    size_t length = m->command_line ? strlen(m->command_line) : 0;
    const char *after = length ? " weft-trace=" : "weft-trace=";
    for (size_t i = 0; m->command_line && i < length + strlen(after) && i < size; i++) {
        uint64_t byte = (uint8_t)(i < length ? m->command_line[i] : after[i - length]);
        rerun_store(m->space, (uint32_t)(address + i), 1, byte, true);
    }
    return RERUN_DONE;
}

/* Files are numbered from 1, as the emulator does it: each gets the least number that is free. */
static uint32_t take_handle(rerun_machine *m)
{
    uint32_t handle = 1;
    while (handle < 63 && m->handles >> handle & 1)
        handle++;
    m->handles |= UINT64_C(1) << handle;
    return handle;
}

static void give_handle(rerun_machine *m, uint32_t parameters)
{
    uint64_t handle;
    if (rerun_load(m->space, parameters, 4, &handle) && handle < 64)
        m->handles &= ~(UINT64_C(1) << handle);
}

rerun_status rerun_request(rerun_machine *m, bool *ends)
{
    const uint32_t *r = m->core.word;
    *ends = false;
    if (!rerun_knows(&m->core, 3))
        return RERUN_WAY_UNKNOWN;
    bool known = false;
    uint32_t value = 0;
    rerun_status status = RERUN_DONE;
    switch (r[0]) {
    case SYS_EXIT:
    case SYS_EXIT_EXTENDED:
        *ends = true;
        return RERUN_DONE;
    case SYS_OPEN:
        value = take_handle(m);
        known = true;
        break;
    case SYS_CLOSE:
        give_handle(m, r[1]);
        known = true;
        break;
    case SYS_WRITE:
        known = true;
        break;
    case SYS_GET_CMDLINE:
        known = m->command_line;
        status = give_command_line(m, r[1]);
        break;
    case SYS_READ:
        status = read_into(m, r[1]);
        break;
    case SYS_ELAPSED:
        forget(m, r[1], 8);
        break;
    case SYS_WRITEC:
    case SYS_WRITE0:
    case SYS_READC:
    case SYS_ISERROR:
    case SYS_ISTTY:
    case SYS_SEEK:
    case SYS_FLEN:
    case SYS_CLOCK:
    case SYS_TIME:
    case SYS_ERRNO:
    case SYS_TICKFREQ:
        break;
    default:
        return RERUN_NO_REQUEST;
    }
    if (status != RERUN_DONE)
        return status;
    bool told = m->from.result && m->from.result(m->from.own, r[0], &value);
    m->granted += known && !told;
    m->unanswered += !known && !told;
    rerun_set(&m->core, 0, value, known || told);
    return RERUN_DONE;
}
