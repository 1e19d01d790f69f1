/* SPDX-License-Identifier: MIT */
/* What autostart.c records where the build chooses nothing, and the sizes that a build may set. */
#ifndef WEFT_PORT_AUTO_CHOICES_H
#define WEFT_PORT_AUTO_CHOICES_H

/* The least that there is to choose; port/app.mk chooses all of them. */
#ifndef WEFT_AUTO_ACCESSES
#define WEFT_AUTO_ACCESSES 1
#endif
#ifndef WEFT_AUTO_VALUES
#define WEFT_AUTO_VALUES 0
#endif
#ifndef WEFT_AUTO_INPUTS
#define WEFT_AUTO_INPUTS 0
#endif
#ifndef WEFT_AUTO_KSF
#define WEFT_AUTO_KSF 0
#endif
#ifndef WEFT_AUTO_KSF_ONLY
#define WEFT_AUTO_KSF_ONLY 0
#endif
#ifndef WEFT_AUTO_KSF_HOLDS
#define WEFT_AUTO_KSF_HOLDS 0
#endif

/* Sizes in bytes and elements; a board with little RAM lowers them in board.mk. */
#ifdef WEFT_AUTO_BOARD
#define LARGE_OR(large, small) (large)
#else /* a program of the user's, which needs its RAM */
#define LARGE_OR(large, small) (small)
#endif
#ifndef WEFT_AUTO_FRAME
#define WEFT_AUTO_FRAME LARGE_OR(2048, 1024)
#endif
#ifndef WEFT_AUTO_SLOTS
#define WEFT_AUTO_SLOTS LARGE_OR(256, 128)
#endif
#ifndef WEFT_AUTO_VALUE_SLOTS
#define WEFT_AUTO_VALUE_SLOTS LARGE_OR(256, 128)
#endif
#ifndef WEFT_AUTO_FIFO
#define WEFT_AUTO_FIFO 8192
#endif
#ifndef WEFT_AUTO_BAUD
#define WEFT_AUTO_BAUD 115200
#endif
#ifndef BOARD_COMMAND_LINE_SIZE
#define BOARD_COMMAND_LINE_SIZE 256
#endif
#ifndef WEFT_AUTO_RING
#define WEFT_AUTO_RING LARGE_OR(65536, 16384)
#endif

#endif
