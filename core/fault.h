/* SPDX-License-Identifier: MIT */
/* What is known about the processor at a fault: the record that port/cortex-m/fault.h leaves in RAM, and, from
 * `version` on, the body of a FAULT frame (core/FORMAT.md, "Faults"). */
#ifndef WEFT_CORE_FAULT_H
#define WEFT_CORE_FAULT_H

#include "core/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_FAULT_MAGIC "WEFTFALT"
#define WEFT_FAULT_VERSION 1u

enum weft_fault_flags {
    WEFT_FAULT_FRAME = 1,  /* the exception's frame could be read: r0 to r3, r12, lr, pc and xpsr are known */
    WEFT_FAULT_STATUS = 2, /* the core has fault status registers: cfsr to shcsr are known */
    WEFT_FAULT_BOX = 4,    /* paths is known */
};

/* The bytes as they lie in RAM, little-endian, without gaps. The stack follows, and a CRC-32 of all before it. */
typedef struct weft_fault_head {
    uint8_t magic[8];
    uint32_t version;
    uint32_t size;     /* bytes of the whole record, with the stack and the check */
    uint32_t identity; /* of the image; 0: not known */
    uint32_t flags;    /* weft_fault_flags */
    uint32_t paths;    /* the black box's count of paths at the fault */
    uint32_t exception;
    uint32_t exc_return;
    uint32_t r[13]; /* r0 to r12 */
    uint32_t sp;    /* before the exception */
    uint32_t lr, pc, xpsr;
    uint32_t msp, psp, control, primask;
    uint32_t cfsr, hfsr, dfsr, mmfar, bfar, afsr, shcsr;
    uint32_t stack_words; /* of the stack, those that could be read: at sp, upwards */
} weft_fault_head;

#ifdef __cplusplus
}
#endif

#endif
