/* SPDX-License-Identifier: MIT */
/* Files of the folder page/ as text of the program: EMBED(name, FILE_OF("a.js") FILE_OF("b.js")); they stand one after
 * the other, with a zero byte after the last. Private to the room. */
#ifndef WEFT_TOOLS_LIB_REPORT_EMBED_H
#define WEFT_TOOLS_LIB_REPORT_EMBED_H

#define FILE_OF(name) ".incbin \"tools/lib/report/page/" name "\"\n"
#define EMBED(name, files)                                                                                             \
    __asm__(".section .rodata\n" #name ":\n" files ".byte 0\n.previous\n");                                            \
    extern const char name[]

#endif
