/* SPDX-License-Identifier: MIT */
/* Probes that do nothing: the emulator sees their calls. They destroy the registers that any call may destroy. */
#include <stdint.h>

#define STUB(name)                                                                                                     \
    __attribute__((naked)) void name(void);                                                                            \
    __attribute__((naked)) void name(void)                                                                             \
    {                                                                                                                  \
        __asm volatile("movs r0, #0\n\tmovs r1, #1\n\tmovs r2, #2\n\tmovs r3, #3\n\tmov r12, r3\n\tbx lr");            \
    }

STUB(__weft_path)
STUB(__weft_kpath)
STUB(__weft_kpath_exit)
STUB(__weft_access)
STUB(__weft_value)
STUB(__weft_value64)
STUB(__weft_handler)
STUB(__weft_mark)
STUB(__weft_derived)
STUB(__weft_stamp)

STUB(__weft_loop_path)
STUB(__weft_packed)
STUB(__weft_packed_full)

/* What the path register holds after a loop: r2 if there was a pass, else r0 + r2 - r1. */
__attribute__((naked)) void __weft_loop(void);
__attribute__((naked)) void __weft_loop(void)
{
    __asm volatile("cmp r3, #0\n\tbeq 1f\n\tmov r0, r1\n1:\tsubs r0, r0, r1\n\tadd r0, r2\n\tmovs r1, #1\n\tmovs r2, "
                   "#2\n\tmovs r3, #3\n\t"
                   "mov r12, r3\n\tbx lr");
}
