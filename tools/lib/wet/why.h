/* SPDX-License-Identifier: MIT */
/* How a value came about. From some operations of an instance on, each operation is reported with its value. One step
 * further in stands what made its inputs: a load's stores (byte by byte, where they differ) and where these were called
 * from; the registers that go into a sum. Addresses and control are left out: a slice has them. What came from outside
 * is marked: what was read from a device, what the host returned or wrote by semihosting. */
#ifndef WEFT_TOOLS_LIB_WET_WHY_H
#define WEFT_TOOLS_LIB_WET_WHY_H

#include "tools/lib/wet/file.h"
#include "tools/lib/wet/place.h"

enum { WET_WHY_DEPTH_MAX = 1000 };

typedef enum wet_why_kind {
    WET_WHY_EVENT,  /* an operation */
    WET_WHY_CALLER, /* the call that led to the operation before, at the same depth */
    WET_WHY_LOOP    /* and so on, round the same loop */
} wet_why_kind;

typedef struct wet_why_line {
    wet_why_kind kind;
    unsigned depth;
    uint32_t time, instruction; /* timestamp; static instruction */
    const char *prefix;         /* "byte 1: " or "" */
    const char *value;          /* of an event: "set_point = 3", "r1 = 5, from table+8"; names are fit for a terminal */
} wet_why_line;

/* False: enough. The line is valid during the call. */
typedef bool wet_why_take(void *own, const wet_why_line *line);

/* The name of a device register, fit for a terminal; NULL: not known. */
typedef struct wet_why_devices {
    const char *(*name)(void *own, uint32_t address);
    void *own;
} wet_why_devices;

/* Whether the architecture has devices at an address, not memory. */
static inline bool wet_is_device(uint32_t address)
{
    return (address >= 0x40000000u && address < 0x60000000u) || address >= 0xa0000000u;
}

/* Reports the tree, each operation before those that it came from, less deep than `depth`. `devices` may be NULL. */
void wet_why_walk(wet_file *f, wet_start from, unsigned depth, const wet_why_devices *devices, wet_why_take *take,
                  void *own);

#endif
