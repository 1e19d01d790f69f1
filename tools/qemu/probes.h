/* SPDX-License-Identifier: MIT */
/* The file that mode probes writes: records in execution order, in the host's byte order, no head. */
#ifndef WEFT_TOOLS_QEMU_PROBES_H
#define WEFT_TOOLS_QEMU_PROBES_H

#include <stdint.h>

/* A call of a watched function, its return, or a load or store of the program: those that a watched function makes, or
 * one of Weft's own, with all that it calls, are left out. 24 bytes. */
typedef struct probe_record {
    uint8_t kind;     /* probe_kind */
    uint8_t what;     /* call, return: index of the function, in the order of the arguments; access: size in bytes */
    uint16_t context; /* IPSR; in thread mode the thread's number, where the program has threads */
    uint32_t pc;      /* call, return: return address (Thumb bit clear); access: the instruction */
    uint32_t values
        [4]; /* call, return: r0..r3; access: address, then the bytes loaded or stored (0 for a device's), then 0 */
} probe_record;

/* A return is written only if other records came since the call. */
enum probe_kind { PROBE_CALL, PROBE_LOAD, PROBE_STORE, PROBE_RETURN };

#endif
