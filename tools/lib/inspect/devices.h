/* SPDX-License-Identifier: MIT */
/* Accesses of device registers: addresses from 0x40000000 to 0x5fffffff, and the core's own from 0xe0000000 to
 * 0xe00fffff; by the names of an SVD file, of the core's registers that are known here, or by address. */
#ifndef WEFT_TOOLS_LIB_INSPECT_DEVICES_H
#define WEFT_TOOLS_LIB_INSPECT_DEVICES_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/image/program.h"
#include "tools/lib/inspect/svd.h"
#include "tools/lib/profile/functions_probes.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/full.h"

typedef struct device_access {
    uint64_t time;    /* instructions of the run before it; with probes: paths */
    uint32_t context; /* its number */
    uint32_t address, size;
    bool store, known; /* known: its value was recorded */
    uint64_t value;
    const char *function, *file; /* NULL: not known */
    uint32_t line;
} device_access;

/* A field of a register, over the whole run; values that were written, or else read. */
typedef struct device_field {
    const svd_field *field;
    uint64_t changes, last, min, max;
    bool any;
} device_field;

/* A register that was accessed. */
typedef struct device_register {
    char name[200];
    const svd_register *is; /* NULL: not of the SVD file */
    uint32_t address;
    uint64_t loads, stores;
    uint64_t first, last;    /* times */
    uint64_t loaded, stored; /* the last values, if `loaded_any`, `stored_any` */
    bool loaded_any, stored_any;
    device_field *field; /* as many as the SVD register has */
} device_register;

/* What is to happen with each access, in order; NULL: nothing. */
typedef struct device_log {
    void *own;
    void (*access)(void *own, const device_access *access, const device_register *of);
} device_log;

typedef struct devices {
    const svd *names; /* NULL: none */
    bool one_context;
    uint32_t context;     /* the one that is wanted */
    const char *function; /* likewise; NULL: all */
    device_log log;
    device_register *all; /* by address, after the run */
    size_t count, max;
    uint64_t accesses;
    numbering numbers; /* of the addresses: their indices, until all is read */
} devices;

/* Set `names`, the wanted context and `log` before. Both give NULL, or what is wrong. */
const char *devices_full(devices *d, full_reader *reader, const image *im);
const char *devices_probes(devices *d, const container *file, program *app, functions_seen *seen);
void devices_free(devices *d);

bool devices_is(uint32_t address);

#endif
