/* SPDX-License-Identifier: MIT */
/* A whole execution trace as a file, as it is read in place. tools/lib/wet/FORMAT.md specifies the bytes of all
 * versions; its section 6 says how they differ. The directory is read when the file is opened; the data are mapped. A
 * part of the data is checked when it is first read.
 *
 * Version 20 is written where there is an architecture history, else version 19; 22 and 21 where an exception's entry
 * clears registers. Version 2 has no snapshots: `weft gdb` refuses it. Version 1 is read, and the commands say that its
 * data cannot be checked. */
#ifndef WEFT_TOOLS_LIB_WET_FILE_H
#define WEFT_TOOLS_LIB_WET_FILE_H

#include "core/bytes.h"
#include "tools/lib/base/arena.h"
#include "tools/lib/misses/model.h"
#include "tools/lib/wet/memory.h"
#include "tools/lib/wet/trace.h"

#define WET_BLOCK_BITS 14u
#define WET_BLOCK (1u << WET_BLOCK_BITS) /* numbers. More: smaller files, longer pauses of queries */
#define WET_BLOCK_BITS_OLD 16u           /* before version 7 */
#define WET_CHUNK 16384u                 /* bytes of data with one check sum */
#define WET_HEAD_SIZE 20u
#define WET_NO_LOAD 0xffffu

enum {
    WET_CONSTANT,
    WET_SAME,
    WET_RAW,
    WET_PACKED,
    WET_SMALL,
    WET_PATTERN,
    WET_RAW8,
    WET_RAW16,
    WET_INFERRED,
    WET_MIXED,
    WET_CODED,
    WET_KINDS
};

enum { WET_UNCHECKED, WET_GOOD, WET_BAD };

#define WET_VERSION 19u         /* what is written */
#define WET_VERSION_HISTORY 20u /* the same with an architecture history */
#define WET_VERSION_CLEARED 2u  /* added to either where an exception's entry clears registers */
#define WET_VERSION_FLOATS 15u  /* from this one on: an operation for each access of several floats */
#define WET_VERSION_V8 11u      /* from this one on: instructions of ARMv8-M and vsel read what the manual says */
#define WET_VERSION_SCHEDULE 7u /* from this one on: a schedule, and coded streams */
#define WET_VERSION_READS 9u    /* from this one on: the snapshots list reads by batches */

extern const uint8_t wet_file_magic[8]; /* of the latest version */

/* The first numbers of a block (begun.h). */
typedef struct wet_begun {
    uint32_t *words, count;
    uint32_t job; /* number + 1 among those that are being decoded; 0: none */
} wet_begun;

/* What is known of a block of a stream. */
typedef struct wet_block {
    uint32_t *words; /* decoded or found lately, or NULL */
    wet_begun begun;
    struct wet_stored *_Atomic stored; /* as another thread made it (store.h), or NULL */
    uint32_t at;                       /* where its bytes begin in the stream's data */
    uint8_t lately;                    /* it was asked for since the hand passed (blocks.c) */
} wet_block;

/* Small: a file has hundreds of thousands, and most are never asked for. */
typedef struct wet_stream {
    uint8_t kind;
    bool busy;    /* words of it are being found */
    bool checked; /* its data are what was written; where there are blocks, this is asked block by block */
    uint32_t count;
    union {
        uint32_t value; /* CONSTANT: the number. PATTERN: how many unique values */
        uint32_t sizes; /* CODED, PACKED, MIXED: where the directory has the sizes of its blocks */
        uint32_t size;  /* SMALL: bytes of data */
        uint32_t asked; /* INFERRED: how often a word was found alone */
    };
    union {
        const uint8_t *data;
        struct {
            uint32_t first, second; /* SAME: the stream. PATTERN: unique values, pattern. INFERRED: node, slot */
        };
    };
    wet_block *_Atomic blocks; /* and one more, where the data end; NULL: none was asked for (blocks.h) */
} wet_stream;

enum {
    WET_INSTANCES, /* its number */
    WET_AGES,      /* how many executions of that node lie between */
    WET_LATEST,    /* the latest one, this one included */
    WET_BEFORE,    /* the latest one before (registers) */
    WET_IN_STEP,   /* its number minus the address, or (+ 1, + 2) the address divided by 2, 4 */
    WET_MODES = WET_IN_STEP + 3
};

/* Who produced something: a list of producers, which of them, and how long ago. */
typedef struct wet_edge {
    const uint32_t *producers;
    uint32_t producer_count;
    uint32_t which;  /* stream; WET_NONE: the one whose node executed last */
    uint8_t mode;    /* how it tells the execution of the producer's node: */
    uint32_t when;   /* stream; WET_NONE: WET_LATEST, WET_BEFORE */
    uint32_t newest; /* number among the edges that lead to the newest of several producers (WET_LATEST), or WET_NONE */
    uint32_t slot;   /* of the address: WET_IN_STEP */
    uint16_t *slots; /* of registers: the slot of each producer in its node */
} wet_edge;

typedef struct wet_part_edge {
    uint32_t byte;
    wet_edge edge;
} wet_part_edge;

typedef struct wet_load_edge {
    uint32_t part_count; /* byte 0 last; a byte without a part has that of byte 0. 0: see below */
    wet_part_edge *parts;
    /* Stores found by address: the last of these producers, which ascend, that wrote the byte before the load. */
    uint32_t *producers, producer_count;
} wet_load_edge;

/* Whether a word may be loaded along it. */
static inline bool wet_load_has_source(const wet_load_edge *edge)
{
    return edge->part_count || edge->producer_count;
}

/* A window of time (snapshots.h) in which a node executes: from its execution number `first` on. */
typedef struct wet_shift {
    uint32_t window, first;
} wet_shift;

typedef struct wet_file_node {
    wet_node n;      /* the static part; count = executions */
    uint32_t times;  /* stream */
    uint32_t *slots; /* streams */
    wet_edge *inputs, *controls;
    wet_load_edge *loads;
    uint16_t *load_of; /* of an operation: its first load, or WET_NO_LOAD */
    uint8_t *slot_operation;
    const wet_slot **slot;   /* what each slot is */
    uint16_t *use_first;     /* of each operation, and one more */
    uint16_t *use_slot;      /* of each use, when local: the slot with the value */
    uint64_t searched;       /* operations that are such producers */
    uint32_t finger;         /* where the last search for a time ended */
    uint32_t *block_times;   /* of its first execution in each block; NULL: not known */
    const wet_shift *shifts; /* windows in which it executes, in order; NULL: not known */
    uint32_t shift_count;
} wet_file_node;

/* How the bits of an event of an architecture history are kept. */
enum { WET_MISSES, WET_HITS, WET_BITS, WET_KEPT_MODES };

typedef struct wet_kept_event {
    uint32_t misses, stream; /* stream: where some missed, and some not */
    uint8_t mode;
} wet_kept_event;

typedef struct wet_kept {
    char text[MISSES_TEXT_MAX]; /* of the model */
    uint64_t waited[MISSES_KINDS];
    wet_kept_event *events; /* by kind, node, and event of the node */
    uint32_t event_count;
    size_t event_max;
} wet_kept;

#define WET_MEMO_BITS 15

/* A word that was found by other means than its stream. */
typedef struct wet_memo {
    uint32_t node, slot, instance, word; /* slot WET_NONE: empty */
} wet_memo;

typedef struct wet_file {
    const uint8_t *bytes;
    size_t size;
    unsigned version, block_bits; /* 2^block_bits numbers make a block */
    const uint8_t *snapshots;     /* packed; NULL: there are none */
    size_t snapshots_size;
    uint64_t snapshots_plain;
    uint32_t window;         /* timestamps of a window; 0: there are no snapshots */
    const uint8_t *schedule; /* packed; NULL: there is none, or it was read */
    size_t schedule_size;
    uint64_t schedule_plain;
    wet_shift *shifts;  /* of all nodes */
    wet_kept *kept;     /* the architecture history; NULL: there is none */
    arena arrays;       /* of nodes and edges */
    uint8_t *directory; /* unpacked */
    size_t directory_size;
    size_t data_at;     /* where the data begin */
    uint32_t *sums;     /* of the chunks of the data; NULL in version 1 */
    uint8_t *sum_state; /* of each chunk: whether it was checked (WET_UNCHECKED ...) */
    size_t damaged_at;  /* the first chunk that was found damaged begins here; 0: none */
    int tier;
    uint32_t time;
    uint64_t executed;
    char **strings;
    uint32_t string_count;
    image_symbol *symbols;
    uint32_t symbol_count;
    wet_static *statics;
    uint32_t *static_function, *static_file, *static_line; /* strings, line */
    uint32_t static_count;
    wet_statement *statements;
    uint32_t statement_count;
    wet_file_node *nodes;
    uint32_t node_count;
    uint32_t *producer_node, producer_count;
    uint32_t newest_count; /* edges that lead to the newest of several producers */
    wet_stream *streams;
    uint32_t stream_count;
    uint64_t decoded, decoded_max;          /* bytes of decoded blocks held; beyond the maximum some are dropped */
    uint64_t decoded_most;                  /* the maximum may become this (blocks.c); 0: it stays */
    uint64_t decoded_lately, decoded_again; /* bytes since it was looked at; those of blocks that had been dropped */
    uint32_t drops;                         /* how often some were dropped */
    struct wet_held *held;                  /* blocks that may be kept, in no order (blocks.c) */
    uint32_t held_count, hand;              /* hand: the one that may be dropped next */
    size_t held_max;
    struct wet_past *past;       /* that was opened over it (past.h); NULL: none */
    struct wet_ahead *ahead;     /* blocks that are decoded before they are asked for (ahead.h); NULL: none */
    struct wet_store *store;     /* blocks that another thread decodes, all of them (store.h); NULL: none */
    struct slice_log *log;       /* where edges lead, as far as slices asked (slice_log.h); NULL: none did */
    uint64_t log_max;            /* bytes of it that are held in memory */
    struct wet_memo *memo;       /* words found lately */
    struct squeeze_mixer *mixer; /* NULL: no block was read yet, of old versions */
    struct squeeze_coder *coder; /* the same of this one */
    bool alone;                  /* words are found one by one, however often a slot is asked for: no long pauses */
    uint32_t depth;              /* of words that are being found */
    bool damaged; /* a block could not be decoded, or differs from its check sum; its numbers are not to be trusted */
} wet_file;

#endif
