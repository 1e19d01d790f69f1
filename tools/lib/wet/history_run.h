/* SPDX-License-Identifier: MIT */
/* The architecture history of a run, from its file: made by the model, in the order of time, or read as it was kept. */
#ifndef WEFT_TOOLS_LIB_WET_HISTORY_RUN_H
#define WEFT_TOOLS_LIB_WET_HISTORY_RUN_H

#include "tools/lib/wet/file.h"
#include "tools/lib/wet/history.h"

/* NULL and a message: `model` is none. Damage: f->damaged. */
wet_history *wet_history_run(wet_file *f, const char *model, char *message, size_t message_size);
/* What the file keeps; NULL: nothing. Damage: f->damaged. */
wet_history *wet_history_kept(wet_file *f);

static inline wet_code wet_file_code(const wet_file *f)
{
    return (wet_code){f->statements, f->statics};
}

#endif
