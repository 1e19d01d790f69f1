/* SPDX-License-Identifier: MIT */
/* Reader of a full recording: what the emulator plugin (tools/qemu, mode `full`) saw of an unmodified ELF - every
 * executed instruction with the values it produced, every access with address, size, direction and value, every
 * exception. Events come in execution order, as a stream; memory is that of one chunk plus the static instructions.
 *
 * The bytes are specified in tools/qemu/FULL.md. A cut file gives everything up to its last whole chunk.
 *
 *     full_reader *reader = full_open("run.weft", message, sizeof message);
 *     for (full_event event; full_next(reader, &event) > 0;) ...
 *     if (full_error(reader)) ...                        (NULL at a proper end)
 *     full_close(reader);
 */
#ifndef WEFT_TOOLS_LIB_RECORDING_FULL_H
#define WEFT_TOOLS_LIB_RECORDING_FULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an instruction can write, as bits of a mask. Values are listed in ascending order of the bits. */
#define FULL_REGISTER(n)                                                                                               \
    (UINT64_C(1) << (n))                          /* r0..r14: n 0..14 (13 is the stack pointer in use). The pc is not
                                                  listed: the next event has it */
#define FULL_FLAGS (UINT64_C(1) << 15)            /* APSR: the value is N Z C V Q in bits 31..27, GE in 19..16 */
#define FULL_FPSCR (UINT64_C(1) << 16)            /* the whole FPSCR, written by vcmp and vmsr */
#define FULL_FLOAT(n) (UINT64_C(1) << (32 + (n))) /* s0..s31; d(n) is s(2n), the low word, and s(2n+1) */

#define FULL_VALUES_MAX 49u   /* set bits of a mask */
#define FULL_ACCESSES_MAX 40u /* accesses of one instruction */
#define FULL_ALWAYS 14u       /* condition: always */

/* A static instruction: a program counter and the bytes found there. Code that is rewritten at the same address
 * gives a new one. Pointers stay valid until full_close. */
typedef struct full_instruction {
    uint32_t number;   /* 0, 1, 2... in the order of first execution */
    uint32_t pc;       /* address; the Thumb bit is clear */
    uint8_t size;      /* 2 or 4 bytes */
    uint8_t bytes[4];  /* as in memory: little-endian halfwords */
    uint8_t condition; /* ARM condition code 0..13 that an IT block gives it, else FULL_ALWAYS (also for a conditional
                          branch, which always executes: the next event shows whether it was taken) */
    uint64_t writes; /* mask: what it writes when it executes (decoded, and corrected by observation; may gain bits) */
} full_instruction;

typedef struct full_access {
    uint32_t address;
    uint8_t size; /* 1, 2, 4 or 8 bytes */
    bool store;
    uint64_t value; /* loaded or stored, zero-extended from `size` bytes */
} full_access;

typedef enum full_kind {
    FULL_EXECUTED,  /* an instruction */
    FULL_EXCEPTION, /* the core entered or left an exception handler, or chained from one to another */
} full_kind;

typedef struct full_event {
    full_kind kind;
    uint64_t time; /* instruction events seen before this one since reset: 0, 1, 2... */

    /* FULL_EXECUTED */
    const full_instruction *instruction;
    bool passed;      /* its IT condition held. If not, it wrote nothing and made no access */
    bool completed;   /* false: it faulted half way, an exception follows; values and accesses are what was done */
    uint64_t written; /* mask of what it wrote: instruction->writes, or 0 if not passed or not completed. Semihosting
                         calls (bkpt 0xab) write r0 */
    uint32_t values[FULL_VALUES_MAX]; /* the values after it, one a set bit of `written`, lowest bit first */
    uint32_t value_count;
    full_access accesses[FULL_ACCESSES_MAX]; /* in the order in which they were made */
    uint32_t access_count;
    uint64_t unknown;        /* mask of the accesses whose value is not known; 0 in a recording of the emulator's */
    uint64_t unknown_values; /* the same of `written`, by location */

    /* FULL_EXCEPTION: comes between the last instruction that executed, or the exception return, and the next one */
    uint32_t from;          /* exception number (IPSR) before: 0 thread mode */
    uint32_t to;            /* and after. The same value twice cannot be: a handler that is pended again while it runs
                               and chains to itself is reported with from == to and entry */
    bool entry;             /* a handler starts (new, or chained); false: back in the interrupted code */
    uint32_t pc;            /* of the next instruction */
    uint32_t registers[16]; /* r0..r15 when the next instruction starts (r15 == pc) */
    uint32_t xpsr;          /* and xPSR */
    /* A handler that interrupted floating point code gets a fresh FPSCR with its first floating point instruction. Its
       return restores s0..s15 and FPSCR. */
    uint32_t frame; /* address of the 8 words r0-r3 r12 lr pc xpsr that the core stored (entry from running
                               code, or chained: the frame that stays) or loaded (return) */
} full_event;

/* Whether a handler starts in place of one that has ended: if both go back to thread mode, perhaps to another thread by
 * now; or, over a third handler, if the frame is the same. `innermost`: the frame of the innermost handler before. */
static inline bool full_is_chained(const full_event *event, uint32_t innermost)
{
    bool to_thread = event->registers[14] & 8; /* EXC_RETURN */
    return event->entry && event->from && (to_thread || innermost == event->frame);
}

typedef struct full_reader full_reader;

struct image;
struct compared_image;

typedef struct full_summary {
    char machine[64];      /* QEMU's name of the board */
    bool complete;         /* the file has its end record; otherwise it is cut, and the three totals are 0 */
    uint64_t instructions; /* executed */
    uint64_t accesses;
    uint64_t exceptions;
    uint64_t bytes;   /* of the file */
    uint32_t statics; /* static instructions so far */
} full_summary;

/* True if the file is a container whose first frame says that it is a full recording. */
bool full_is(const char *path);

/* NULL, and a message: the file cannot be read, or is not a full recording. */
full_reader *full_open(const char *path, char *message, size_t message_size);
/* Events from elsewhere, read as those of a full recording. `error`: NULL while all is well. */
typedef struct full_origin {
    void *own;
    int (*next)(void *own, full_event *event);
    const char *(*error)(void *own);
    void (*close)(void *own);
} full_origin;
/* The origin is the reader's from now on. full_fits and full_summarise are not for such a reader. */
full_reader *full_over(full_origin origin);
/* From now on each instruction that is met for the first time must be that of the image; else reading ends with an
 * error that says so. The image stays open. */
void full_expect(full_reader *r, const struct image *im);
/* Whether each static instruction of the recording, up to its end or to damage, is that of the image, where it has
 * one, and it has at least one of them. What executed is not read, so this takes little time; nothing else can be read
 * afterwards. False: full_error says where. Not for a reader with an origin. */
bool full_fits(full_reader *r, const struct image *im);
/* The same of the first 100,000 events; if the image has none of their instructions, of those up to the first that it
 * has. For any reader, and before what calls full_expect: it can say so before anything is printed. */
bool full_begins_in(full_reader *r, const struct image *im);
/* Compares the constant that an instruction loaded, if it did (compared_load). */
void full_compare(struct compared_image *c, const full_event *event);
void full_close(full_reader *reader);

/* 1: the next event is in *event. 0: the end, or damage (see full_error). */
int full_next(full_reader *reader, full_event *event);

/* NULL while all is well and at a proper end; else what is wrong, and at which byte. */
const char *full_error(const full_reader *reader);

void full_summarise(const full_reader *reader, full_summary *summary);

#endif
