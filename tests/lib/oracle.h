/* SPDX-License-Identifier: MIT */
/* What the parts of tests/target/oracle_check.c share: the two sides that it compares, as lists of entries. */
#ifndef WEFT_TESTS_LIB_ORACLE_H
#define WEFT_TESTS_LIB_ORACLE_H

#include <stddef.h>

#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/qemu/probes.h"

/* In the order of `weft capture` (tools/weft/capture.c). */
enum {
    CALL_PATH,
    CALL_KPATH,
    CALL_KPATH_EXIT,
    CALL_ACCESS,
    CALL_VALUE,
    CALL_VALUE64,
    CALL_MARK,
    CALL_DERIVED,
    CALL_STAMP,
    CALL_LAST,
    CALL_LOOP,
    CALL_LOOP_PATH,
    CALL_PACKED,
    CALL_PACKED_FULL
};

enum { ENTRY_PATH, ENTRY_ACCESS, ENTRY_BLOCK, ENTRY_VALUE, ENTRY_DERIVED };

typedef struct entry {
    uint8_t kind;
    bool store;
    uint16_t context;
    uint32_t id, address, size;
    uint64_t value;
    bool unknown;      /* trace: the address depends on a record that may be another activation's */
    size_t begin, end; /* emulator: indices of the records of the probe's call and return; a path that is recorded later
                          begins with the last thing that it did */
    size_t call;       /* emulator: of the probe's call */
} entry;

typedef struct list {
    entry *entries;
    size_t count, max;
} list;

/* The image, which the program opens first, and its descriptors. */
extern program *oracle_app;
extern const descriptors *oracle_all;

void oracle_append(list *l, entry e);
/* Makes the entry of an access, with its site's size and direction; size UINT32_MAX: there is no such site. */
entry oracle_access(uint32_t context, uint32_t site, uint32_t address);
/* A probe of a value, and the value: the second argument, or a pair of registers. */
bool oracle_is_value(const probe_record *r);
uint64_t oracle_value(const probe_record *r);
/* Flags DESCRIPTOR_SITE_... of the probe's site; 0: the probe has none. */
unsigned oracle_flags(const probe_record *r);
/* A probe that records a base or a length, and announces no access. */
bool oracle_is_base(const probe_record *r);

/* ---- oracle_seen.c: what the emulator saw ---- */

/* Sorts the records of the recorded part into entries, in the order that a trace has. */
void oracle_read_seen(const probe_record *records, size_t count, list *seen);

/* ---- oracle_honesty.c: whether the machine makes what probes announce ---- */

/* Prints the line `honesty`, with values also `values`; with `verbose` each site that is not exact. Returns how many
 * values were other than recorded. */
uint64_t oracle_honesty(const probe_record *records, size_t count, bool verbose);

#endif
