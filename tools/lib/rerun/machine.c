/* SPDX-License-Identifier: MIT */
#include "tools/lib/rerun/machine.h"

#include "tools/lib/image/vectors.h"
#include "tools/lib/machine/thumb.h"

const char *rerun_status_text(rerun_status status)
{
    static const char *const texts[RERUN_STATUSES] = {
        [RERUN_DONE] = "done",
        [RERUN_ENDED] = "the program left",
        [RERUN_NO_CODE] = "the image has no instruction there",
        [RERUN_NO_INSTRUCTION] = "an instruction that is not executed here",
        [RERUN_WAY_UNKNOWN] = "where it goes on depends on something that is not recorded",
        [RERUN_PLACE_UNKNOWN] = "which address it accesses depends on something that is not recorded",
        [RERUN_NO_REQUEST] = "a semihosting request that is not known here",
    };
    return texts[status];
}

bool rerun_machine_open(rerun_machine *m, const image *im, bool zero)
{
    uint32_t sp = vectors_word(im, 0), reset = vectors_word(im, 1);
    *m = (rerun_machine){.im = im, .space = rerun_space_open(im, zero), .codes = rerun_codes_open()};
    if (!sp || !reset)
        return false;
    m->vectors_known = vectors_at_zero(im);
    for (unsigned loc = 0; loc < RERUN_LOCATIONS; loc++)
        rerun_set(&m->core, loc, 0, zero && (loc < 13 || loc >= RERUN_FLOAT));
    rerun_set_flags(&m->core, 0, RERUN_APSR, zero ? ~0u : RERUN_Q | RERUN_GE);
    rerun_set(&m->core, RERUN_SP, sp & ~3u, true);
    rerun_set(&m->core, RERUN_LR, 0xffffffff, true);
    rerun_set(&m->core, RERUN_FPSCR, 0, true);
    m->core.pc = reset & ~1u;
    return true;
}

void rerun_machine_close(rerun_machine *m)
{
    rerun_codes_close(m->codes);
    rerun_space_close(m->space);
    *m = (rerun_machine){0};
}

const rerun_code *rerun_next(rerun_machine *m)
{
    const rerun_core *core = &m->core;
    uint8_t condition = core->conditional ? core->conditions[4 - core->conditional] : THUMB_ALWAYS;
    return rerun_codes_at(m->codes, m->space, core->pc, condition);
}
