/* SPDX-License-Identifier: MIT */
/* Lines of weft dump about marks: events of the firmware's own, stamps of time, changes of what is recorded, places. */
#ifndef WEFT_TOOLS_WEFT_DUMP_MARKS_H
#define WEFT_TOOLS_WEFT_DUMP_MARKS_H

#include "tools/lib/image/program.h"
#include "tools/lib/recording/given_names.h"
#include "tools/weft/lines.h"

/* `time`: of the last stamp. `name`: of the mark's event, or NULL. `app`: or NULL. */
void dump_mark(out *o, uint32_t context, const trace_mark *mark, uint64_t time, const char *name, const program *app);
/* An address of code, with its function and line. */
void dump_code(out *o, const program *app, const char *key, uint32_t address);
/* The name of a mark's event, or NULL. */
const char *dump_mark_name(const given_names *names, uint32_t recording, const trace_mark *mark);

#endif
