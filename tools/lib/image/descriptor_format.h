/* SPDX-License-Identifier: MIT */
/* What the compiler plugin says about a program: functions, blocks, paths, memory sites. Read from an ELF file alone.
 *
 * ## Numbers
 *
 * Paths, sites and blocks have global 32-bit numbers: base of the function + local number. The bases are addresses in
 * sections that are never loaded (.weft.paths, .weft.sites, .weft.blocks: NOBITS, not allocated, at address 0), where
 * each function reserves as many bytes as it has paths, sites and blocks: so the linker does the numbering. With
 * DESCRIPTOR_PACKED it reserves one path more, after the others: its *pack number*, path base + paths.
 *
 * ## The section .weft.desc (PROGBITS, not allocated)
 *
 * Records, one per function, end to end without padding; all integers little-endian. "u" is an unsigned LEB128 of at
 * most 32 bits.
 *
 *     offset  size
 *     0       4     size of the record, these four bytes included
 *     4       2     'W' 'D'
 *     6       1     version, 6. 5 is read too: it has no landings. So is 4: it has no steps, and an edge has
 *                   u kind * 2 + cut and no goto. So is 3: its moves have no `from`. So is 2: it ends before the check.
 *                   So is 1: all its sites are recorded, and `how` to the terms are not there
 *     7       1     DESCRIPTOR_SPAN ... flags of the function
 *     8       4     address of the function (Thumb bit set)
 *     12      4     base of its paths
 *     16      4     base of its sites
 *     20      4     base of its blocks
 *     24            u count of strings, then each as u length and bytes (no zero)
 *                   u name, u assembler name, u file: indices of strings; u first line; u last line
 *                   u paths; u blocks; u sites; u edges
 *                   blocks in order: u flags; u count of lines, each as u file, u line; u count of steps, each as u;
 *                       u count of sites; with DESCRIPTOR_BLOCK_CAUGHT: u landing
 *                   sites in order, those of block 0 first: u size in bytes (0: not constant), u flags, u file, u line,
 *                   u text,
 *                       u how * 2 + linked (how: 0 recorded, 1 derived, 2 static, 3 computed), u group + 1 (0: none),
 *                       of a base site: u group that it gives + 1 (0: none), unless linked: u constant;
 *                       of a computed site: u terms, each as u group, u coefficient, u plus, u operation, u operand
 *                   edges in order: u from + 1 (0: ENTRY), u to + 1 (0: EXIT), u kind * 8 + goto * 2 + cut, u value;
 *                       if goto is not 0: u file, u line
 *                   u moves; each as u edge, u group, u step, u from + 1 (0: nothing)
 *                   for each linked site, in order: 4 bytes, its constant
 *                   the check: these constants again, then bytes 8 to 23 again, then the CRC-32 of all bytes
 *                   from 24 up to the constants and of bytes 6 and 7
 *
 * ## Where addresses come from
 *
 * The sites of a group differ by constants only: at any time, address - constant is the same for all of them, the
 * group's *base*. A *recorded* site has its address in the recording, which gives its group's base. The address of a
 * *derived* site is the base + its constant. A *static* site's address is its constant. That of a *computed* site is
 * its constant and the sum of its terms, which gives its group's base, too. A term is the coefficient times what the
 * operation makes of another group's base + plus. Where control passes an edge with moves, the base of each one's group
 * becomes that of the group `from`, before all moves of the edge, and the step; or the step alone. A *base site*
 * (DESCRIPTOR_SITE_BASE) is not an access: its address, found like another's, is the base of the group that it gives,
 * if it gives one. (One that gives none may be a load that the compiler left out.) All of this is modulo 2^32.
 *
 * A linked base site that is static, gives no base and has a size is a *callee site*. Its constant is the address of a
 * function that is called after it, for which as many sites as its size, right before it, announce what that function
 * reads and writes (strcpy). If the image describes that function with DESCRIPTOR_MEMORY, it announces this itself, so
 * these sites are no accesses: base sites that give none.
 *
 * Bases belong to one activation of the routine, and to one path of it unless the routine has DESCRIPTOR_ACTIVATION. A
 * derived site's base is known on every way that leads to it; it is unknown only after a gap, or in an activation that
 * began before the recording.
 *
 * Path numbering is that of tools/lib/image/ballarus.h, with these edges in this order (kinds RETURN, AWAY and STOP
 * lead to EXIT), and with the blocks that have DESCRIPTOR_BLOCK_LANDING as further start blocks.
 *
 * A *block transfer* (memcpy, memset and the like, also where the compiler made them of a loop) is one access of its
 * whole range. If its size is not constant, a *length site* (DESCRIPTOR_SITE_LENGTH) stands before it, whose recorded
 * number is the size.
 *
 * ## What gcov counts by
 *
 * The *steps* of a block are the lines of its statements in order, each as the number of the line in the block's list,
 * from 1 on. A 0 is a cut: gcov ends a block there, after a call or asm that may not come back. No steps: each line
 * once, in order. A block with DESCRIPTOR_BLOCK_CONTINUES and the one before it were one block in GCC. One with
 * DESCRIPTOR_BLOCK_LAST is taken for the exit by gcov. The *goto* of an edge is a `goto`, `break` or `continue` that
 * became the edge (descriptor_goto); line 0: gcov does not list it.
 *
 * ## What a path record says
 *
 * A record is made when a path ends: on its last edge, before the next block starts. Its blocks ran in the order of
 * descriptor_expand, and so did their sites, with one exception of blocks:
 *
 *     A block with DESCRIPTOR_BLOCK_CALL begins with a call. All edges into it are cut; the record that ends on such an
 *     edge says that the block *has been entered*, before anything that the callee records. When, later, a path starts
 *     with that block, the block must not be reported again (the call has returned; after setjmp it may return many
 *     times).
 *
 * A start block without that flag is entered after the record before it, and is reported by the path that it starts.
 * So the sequence of blocks of one context is, record by record: the path's blocks, without the first if that one has
 * BLOCK_CALL and the path does not start at ENTRY; then the target of the edge it ended on, if that has BLOCK_CALL.
 * Sites of a BLOCK_CALL block happen after its call returned, thus with the record of the path that the block starts.
 *
 * A routine is entered when a path starts at ENTRY, and left when a path ends on an edge of kind RETURN, or enters a
 * block with BLOCK_TAIL (a call in tail position; nothing more is recorded) or BLOCK_NORETURN and not BLOCK_CAUGHT
 * (exit, longjmp, abort: the frames above may be gone too; after longjmp the next record of the context starts with a
 * block that has BLOCK_TWICE).
 *
 * A path that starts where exceptions arrive (at the *landing* of a block) belongs to the innermost activation of the
 * routine that waits in a call with this landing: an exception passes by all others. If a path of the activation led to
 * that block in another way, it is the one that goes on.
 *
 * With DESCRIPTOR_COUNTED, the records of a loop's passes are made where the loop is left, or where the path after it
 * ends: after what interrupts of both recorded, in the same order otherwise.
 *
 * With DESCRIPTOR_PACKED, one record may stand for several paths: one with the pack number, and a word, which is a pack
 * as in tools/lib/image/ballarus.h. No path of a pack but the first starts at a block with BLOCK_CALL or
 * BLOCK_LANDING. The record is made where its last path ends, or where the path after that one does, before anything
 * else of the activation: so it means what the records of its paths, one by one, would mean there. Records of single
 * paths may come in between.
 *
 * In cut mode every call begins a block, so records and sites are in global order. In span mode only calls with
 * BLOCK_TAIL, BLOCK_NORETURN or BLOCK_TWICE do: a path's callees record theirs before it. */
#ifndef WEFT_TOOLS_LIB_IMAGE_DESCRIPTOR_FORMAT_H
#define WEFT_TOOLS_LIB_IMAGE_DESCRIPTOR_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/lib/image/ballarus.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DESCRIPTOR_VERSION 6
#define DESCRIPTOR_HEAD_SIZE 24
#define DESCRIPTOR_LINKED_AT 8    /* address and bases, in the head */
#define DESCRIPTOR_LINKED_SIZE 16 /* bytes */
#define DESCRIPTOR_SUM_SIZE 4
#define DESCRIPTOR_CALL_SITES 64 /* most sites of a callee site: 6 of strncat, and base sites among them */

/* Flags of a function. */
enum {
    DESCRIPTOR_SPAN = 1,    /* calls do not end paths; otherwise they do */
    DESCRIPTOR_MEMORY = 2,  /* it announces its loads and stores */
    DESCRIPTOR_VALUES = 4,  /* and the values of sites with SITE_VALUE. Without MEMORY: it announces only its volatile
                             * loads, with these values */
    DESCRIPTOR_KSF = 8,     /* it keeps the state of a k-slab forest per activation */
    DESCRIPTOR_ORACLE = 16, /* it calls the marker in each block */
    DESCRIPTOR_ACTIVATION = 32, /* bases stay known from path to path */
    DESCRIPTOR_COUNTED = 64,    /* its loops of one path record their passes where they end: what an interrupt of such a
                             * loop records comes before them */
    DESCRIPTOR_PACKED = 128     /* a record may hold several paths; then DESCRIPTOR_COUNTED too */
};

/* Flags of a block. */
enum {
    DESCRIPTOR_BLOCK_CALL = 1,       /* begins with a call: see above */
    DESCRIPTOR_BLOCK_LANDING = 2,    /* a computed goto, a nonlocal goto or an exception may arrive here */
    DESCRIPTOR_BLOCK_TAIL = 4,       /* the call is in tail position: the routine is left; with BLOCK_NORETURN: by an
                                      * exception that goes on to its callers */
    DESCRIPTOR_BLOCK_NORETURN = 8,   /* the call does not return */
    DESCRIPTOR_BLOCK_TWICE = 16,     /* the call is setjmp or the like: it may return many times */
    DESCRIPTOR_BLOCK_CONTINUES = 32, /* the compiler had it and the block before it as one */
    DESCRIPTOR_BLOCK_LAST = 64,      /* the last in the compiler's order */
    DESCRIPTOR_BLOCK_CASES = 128,    /* it decides on the `switch` that the block before it decides on, too */
    DESCRIPTOR_BLOCK_CAUGHT = 256    /* an exception that comes out of its call may arrive in the routine */
};

/* Kinds of an edge. */
typedef enum descriptor_edge_kind {
    DESCRIPTOR_EDGE_FLOW,   /* from ENTRY or a block to a block */
    DESCRIPTOR_EDGE_RETURN, /* to EXIT: the routine returns */
    DESCRIPTOR_EDGE_AWAY,   /* to EXIT: a computed goto; the next path of this activation starts at a LANDING */
    DESCRIPTOR_EDGE_STOP    /* to EXIT: never recorded (after a call that does not come back) */
} descriptor_edge_kind;

/* A goto, break or continue that became an edge. */
typedef enum descriptor_goto {
    DESCRIPTOR_GOTO_NONE,
    DESCRIPTOR_GOTO_WITHIN, /* its line belongs to the block that the edge leaves */
    DESCRIPTOR_GOTO_ALONE   /* to a block of its own on the edge; that may have no line */
} descriptor_goto;

/* Flags of a site. */
enum {
    DESCRIPTOR_SITE_STORE = 1, /* a store; otherwise a load */
    DESCRIPTOR_SITE_VOLATILE = 2,
    DESCRIPTOR_SITE_BITFIELD =
        4, /* bits; the address and size are those of the bytes that hold them. The machine may access
                                     * a wider unit around them, and a store may load it first */
    DESCRIPTOR_SITE_AGGREGATE = 8,   /* struct, union, array: copied in pieces, or by a library routine */
    DESCRIPTOR_SITE_ATOMIC = 16,     /* an atomic operation: by ldrex/strex, or by a library routine */
    DESCRIPTOR_SITE_ASM = 32,        /* memory operand of inline assembly */
    DESCRIPTOR_SITE_CALL = 64,       /* an aggregate that a call is given, or the result that a call gave */
    DESCRIPTOR_SITE_VALUE = 256,     /* its value is recorded, as 32 bits; zero-extended */
    DESCRIPTOR_SITE_VALUE64 = 512,   /* its value is recorded, as 64 bits */
    DESCRIPTOR_SITE_FLOAT = 2048,    /* floating point */
    DESCRIPTOR_SITE_SIGNED = 4096,   /* a signed integer */
    DESCRIPTOR_SITE_CONSTANT = 8192, /* read-only data: the compiler may read it earlier, or once for many */
    DESCRIPTOR_SITE_BASE = 16384,    /* not an access: it gives a base */
    DESCRIPTOR_SITE_LENGTH = 65536,  /* no access: its number is the size of the next site's access */
    DESCRIPTOR_SITE_FRAME = 32768    /* and where the activation's frame is, at its entry and after setjmp */
};

/* How the address of a site is found. */
typedef enum descriptor_how {
    DESCRIPTOR_RECORDED,
    DESCRIPTOR_DERIVED,
    DESCRIPTOR_STATIC,
    DESCRIPTOR_COMPUTED
} descriptor_how;

/* What is made of a base + plus in a term. */
typedef enum descriptor_operation {
    DESCRIPTOR_KEEP,
    DESCRIPTOR_AND,         /* its bits that the operand has, too */
    DESCRIPTOR_AND_BASE,    /* the same of the base of the group that the operand names */
    DESCRIPTOR_SHIFT,       /* shifted right by the operand, below 32 */
    DESCRIPTOR_SHIFT_SIGNED /* the same of a signed number */
} descriptor_operation;

/* A term of a computed address. */
typedef struct descriptor_term {
    uint32_t group, coefficient, plus;
    descriptor_operation operation;
    uint32_t operand;
} descriptor_term;

#define DESCRIPTOR_NO_GROUP UINT32_MAX

typedef struct descriptor_line {
    const char *file;
    uint32_t line; /* 0: not known */
} descriptor_line;

typedef struct descriptor_site {
    uint32_t size;  /* bytes; 0: not constant */
    uint32_t flags; /* DESCRIPTOR_SITE_... */
    uint32_t block; /* local number of its block */
    descriptor_line place;
    const char *text; /* the expression, e.g. A[i][k]; may be "" */
    descriptor_how how;
    uint32_t group;              /* of sites that differ by constants; DESCRIPTOR_NO_GROUP */
    uint32_t constant;           /* what the address adds to the group's base; of a static site: the address */
    bool linked;                 /* the linker filled the constant in */
    uint32_t target;             /* of a base site: the group whose base its address is; DESCRIPTOR_NO_GROUP */
    const descriptor_term *term; /* of a computed site */
    uint32_t term_count;
} descriptor_site;

typedef struct descriptor_edge_goto {
    descriptor_goto how;
    descriptor_line place;
} descriptor_edge_goto;

/* On an edge, a group's base becomes that of `from`, which may be the group itself, and the step. */
typedef struct descriptor_move {
    uint32_t edge, group, step;
    uint32_t from; /* DESCRIPTOR_NO_GROUP: the step alone */
} descriptor_move;

typedef struct descriptor_block {
    uint32_t flags;              /* DESCRIPTOR_BLOCK_... */
    const descriptor_line *line; /* distinct lines, in order of appearance */
    uint32_t line_count;
    const uint32_t *step;            /* numbers of lines + 1, or 0 for a cut */
    uint32_t step_count;             /* 0: each line once, in order */
    uint32_t first_site, site_count; /* local numbers; in the order in which they are executed */
    uint32_t landing;                /* BLOCK_CAUGHT: the block where the exception arrives; else BALLARUS_NONE */
} descriptor_block;

typedef struct descriptor_function {
    const char *name;           /* in the source */
    const char *assembler_name; /* the ELF symbol */
    const char *file;
    uint32_t first_line, last_line;
    uint32_t address; /* Thumb bit set */
    uint32_t flags;
    uint32_t version; /* of the record */
    uint32_t path_base, path_count;
    uint32_t site_base, site_count;
    uint32_t group_count;        /* groups of sites are numbered 0 .. group_count-1 */
    const descriptor_move *move; /* by edge */
    uint32_t move_count;
    uint32_t block_base, block_count;
    uint32_t edge_count;
    const descriptor_block *block;
    const descriptor_site *site;
    const uint8_t *edge_kind;              /* descriptor_edge_kind of graph->edge[i] */
    const descriptor_edge_goto *edge_goto; /* of graph->edge[i] */
    const ballarus *graph;                 /* blocks, edges, values: see there */
    const bool *apart; /* by block, if it is packed: no path starts there but the first of a pack. Else NULL */
} descriptor_function;

#ifdef __cplusplus
}
#endif

#endif
