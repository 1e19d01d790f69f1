/* SPDX-License-Identifier: MIT */
/* An SQLite database of a run: tables about, contexts, functions, calls, paths, loops, accesses. docs/VIEWS.md has
 * their columns. */
#ifndef WEFT_TOOLS_LIB_EXPORT_SQLITE_H
#define WEFT_TOOLS_LIB_EXPORT_SQLITE_H

#include "tools/lib/export/accesses.h"
#include "tools/lib/export/loss.h"
#include "tools/lib/profile/coverage_tables.h"

typedef struct export_run {
    const image *im;
    const functions *all;
    const coverage *covered; /* its loops */
    const access_table *accesses;
    export_loss loss;
} export_run;

/* Writes a new database into the empty file at `path`. Returns the rows. UINT64_MAX and a message: SQLite failed. */
uint64_t export_sqlite(const export_run *run, const char *path, char *message, size_t message_size);

#endif
