/* SPDX-License-Identifier: MIT */
/* The numbers of the format, for writers and readers alike: frame kinds, keys, coders, codes and sections. No code, and
 * nothing that only one side needs. core/FORMAT.md says what the bytes around them are. */
#ifndef WEFT_CORE_FORMAT_H
#define WEFT_CORE_FORMAT_H

#include <stdint.h>

/* The version that this build writes, and the oldest that it reads. */
#define WEFT_FORMAT_VERSION 3u
#define WEFT_FORMAT_VERSION_MIN 1u

/* The six bytes at the start of a container file. */
#define WEFT_CONTAINER_HEAD "\0WEFT"
#define WEFT_CONTAINER_HEAD_SIZE 6u

/* ---- frames ---- */

typedef enum weft_frame_kind {
    WEFT_FRAME_META = 1,    /* what is recorded, and how: weft_meta_key fields */
    WEFT_FRAME_TRACE = 2,   /* an interval of paths, accesses and values */
    WEFT_FRAME_PROFILE = 3, /* a part of a k-slab forest */
    WEFT_FRAME_STATS = 4,   /* totals, at the end of a recording: weft_stats_key fields */
    WEFT_FRAME_FULL = 5,    /* an interval of a whole execution, as the emulator sees it */
    WEFT_FRAME_NAMES = 6,   /* names of contexts and of event marks */
    WEFT_FRAME_FAULT = 7,   /* what a processor was doing at a fault (core/fault.h) */
    WEFT_FRAME_PACKS = 8,   /* which paths each pack holds; made by the host, which has the image */
} weft_frame_kind;

/* Fields of META and STATS frames. A field is a varint key and a value. Of an even key the value is a varint, of an odd
 * one a varint size and that many bytes. Readers skip keys that they do not know. */
typedef enum weft_meta_key {
    WEFT_META_CLOCK_HZ = 2,      /* ticks per second of the frames' times; 0 or absent: unknown */
    WEFT_META_PROBES = 4,        /* weft_probes bits */
    WEFT_META_CONTROL_CODER = 6, /* weft_control_coder_id */
    WEFT_META_BUS_CODER = 8,     /* weft_bus_coder_id */
    WEFT_META_FRAME_SIZE = 10,   /* bytes of the frame buffer */
    WEFT_META_SLOTS = 12,        /* last-address slots */
    WEFT_META_VALUE_SLOTS = 14,  /* last-value slots */
    WEFT_META_KSF_K = 16,        /* iterations of the k-slab forest; absent: there is none */
    WEFT_META_DERIVE = 18,       /* what derived addresses may follow from: 0 nothing, 1 the path, 2 the activation */
    WEFT_META_TIME_BASE = 20,    /* weft_time_base; absent: not said */
    WEFT_META_SAMPLING = 22,     /* N: one of N activations is recorded; absent: all are */
    WEFT_META_BLACKBOX = 24,     /* made of a black box: weft_blackbox_form; absent: by a recorder */
    WEFT_META_BLACKBOX_SUM = 26, /* of that box: 1 its sum is right, 2 it is wrong; absent: it had none */
    WEFT_META_BUILD_ID = 1,      /* bytes of the ELF's build id */
    WEFT_META_NOTE = 3,          /* text of the firmware's author, UTF-8 */
} weft_meta_key;

/* What the clock of a recording counts. */
typedef enum weft_time_base {
    WEFT_TIME_CYCLES = 1, /* of the core */
    WEFT_TIME_TIMER = 2,  /* ticks of a timer that also runs while the core sleeps */
    WEFT_TIME_SYSTEM = 3, /* ticks of an operating system */
    WEFT_TIME_OWN = 4,    /* a clock of the program's own */
} weft_time_base;

typedef enum weft_stats_key {
    WEFT_STATS_PATHS = 2, /* events since the start, lost ones included */
    WEFT_STATS_ACCESSES = 4,
    WEFT_STATS_VALUES = 6,
    WEFT_STATS_LOST_PATHS = 8, /* of these, lost */
    WEFT_STATS_LOST_ACCESSES = 10,
    WEFT_STATS_LOST_VALUES = 12,
    WEFT_STATS_FRAMES = 14,           /* frames that the sink took before this one */
    WEFT_STATS_REFUSED = 16,          /* writes that the sink refused */
    WEFT_STATS_SWITCHES = 18,         /* changes of context */
    WEFT_STATS_FRAME_HIGH = 20,       /* most bytes of the frame buffer ever used */
    WEFT_STATS_FRAME_SIZE = 22,       /* bytes of the frame buffer */
    WEFT_STATS_CODER_HIGH = 24,       /* control coder: most pool elements in use at once */
    WEFT_STATS_CODER_MAX = 26,        /* ... and how many the pool has */
    WEFT_STATS_CODER_RULES_HIGH = 28, /* a second pool of the control coder, if it has one */
    WEFT_STATS_CODER_RULES_MAX = 30,
    WEFT_STATS_KSF_HIGH = 32, /* k-slab forest: nodes */
    WEFT_STATS_KSF_MAX = 34,
    WEFT_STATS_TRE_HIGH = 36, /* address engines lent */
    WEFT_STATS_TRE_MAX = 38,
    WEFT_STATS_TRE_TAKEN = 40,  /* accesses that went through an engine */
    WEFT_STATS_LOST_EARLY = 42, /* of all lost events: those that never reached the recorder (a full event ring) */
    WEFT_STATS_PAUSES = 44,     /* marks of a pause; absent: none */
    WEFT_STATS_MARKS = 46,      /* event marks since the start, lost ones included; absent: none */
    WEFT_STATS_LOST_MARKS = 48, /* of these, lost; absent: none */
    WEFT_STATS_UNMASKED = 50,   /* events from where no mask holds, so that others may be spoiled; absent: none */
    WEFT_STATS_OUT_PATHS = 52,  /* events that filters and triggers left out; absent: none. Not among those above */
    WEFT_STATS_OUT_ACCESSES = 54,
    WEFT_STATS_OUT_VALUES = 56,
    WEFT_STATS_OUT_MARKS = 58,
    WEFT_STATS_OUT_ACTIVATIONS = 60, /* activations of functions that are sampled, left out whole; absent: none */
} weft_stats_key;

/* ---- events ---- */

enum weft_probes {
    WEFT_PROBE_PATHS = 1,
    WEFT_PROBE_ACCESSES = 2,
    WEFT_PROBE_VALUES = 4,
    WEFT_PROBE_INPUTS = 8,  /* of accesses, only volatile loads */
    WEFT_PROBE_COUNTS = 16, /* the program counts: only what a second execution of it needs is recorded */
};

/* Counts of the three kinds of events, and of marks of the kinds event, laps and input. */
typedef struct weft_counts {
    uint64_t paths;
    uint64_t accesses;
    uint64_t values;
    uint64_t marks;
} weft_counts;

/* A control symbol is a path's number + WEFT_SYMBOL_PATH; those below are escapes. Path numbers are below
 * 2^32 - WEFT_SYMBOL_PATH. */
enum { WEFT_SYMBOL_CONTEXT = 0, WEFT_SYMBOL_MARK = 1, WEFT_SYMBOL_PATH = 16 };

/* What a mark is, other than a switch of context. A reader refuses a frame with a mark that it does not know. */
typedef enum weft_mark_kind {
    WEFT_MARK_STAMP = 0,   /* ticks since the last stamp of the frame, or since the interval began */
    WEFT_MARK_EVENT = 1,   /* an event of the firmware's own: its number, then values */
    WEFT_MARK_CONTROL = 2, /* what is recorded changes: weft_control_change, then its parameter */
    WEFT_MARK_TRIPS = 3,   /* the path before ended N more times in a row */
    WEFT_MARK_PLACE = 4,   /* a handler starts: the return address / 2 of what it interrupted */
    WEFT_MARK_PACK = 5,    /* the word of the pack whose number was recorded right before */
    WEFT_MARK_FRAME = 6,   /* after a place, no longer written: the check sum of what was stacked; then its address */
    WEFT_MARK_STACKED = 7, /* after a place: what was interrupted; then where the frame is, and hashes of its words */
    WEFT_MARK_LAPS = 8,    /* twice the counter of a program that counts; + 1: of the place that comes next */
    WEFT_MARK_INPUT = 9,   /* what a device answered * 256 + a hash of where; then how many times more, in a row */
    WEFT_MARK_KINDS = 10,
} weft_mark_kind;

/* Values of a mark WEFT_MARK_STACKED: the frame's address, hashes of r0 to r3, and of r12, lr and xPSR. */
enum { WEFT_STACKED_FRAME, WEFT_STACKED_LOW, WEFT_STACKED_HIGH, WEFT_STACKED_VALUES };
/* The hash of an input: of the address that was read, and of where its probe returns to. */
#define WEFT_INPUT_HASH(address, back) weft_stacked_hash((address) ^ (back))
/* The check sum of memory that stands as an input, byte by byte (FNV-1a). */
#define WEFT_MEMORY_SUM_START UINT32_C(0x811c9dc5)
#define WEFT_MEMORY_SUM_STEP(sum, byte) (((sum) ^ (byte)) * UINT32_C(0x01000193))
/* The bits of xPSR that are hashed: not GE, which no compare instruction sets, and not SFPA of ARMv8-M. */
#define WEFT_STACKED_STATE 0xff00ffffu
/* A byte that tells a stacked word from most others. */
static inline uint32_t weft_stacked_hash(uint32_t word)
{
    return word * 0x9e3779b1u >> 24;
}

/* Most values of an event mark. */
#define WEFT_MARK_VALUES_MAX 15u

typedef enum weft_control_change {
    WEFT_CHANGE_PAUSE = 0,    /* what follows until the resume is not recorded; parameter 0 */
    WEFT_CHANGE_RESUME = 1,   /* parameter 0 */
    WEFT_CHANGE_TRIGGER = 2,  /* a trigger came; parameter: its number */
    WEFT_CHANGE_FILTER = 3,   /* parameter: WEFT_FILTER_... and a context */
    WEFT_CHANGE_SAMPLING = 4, /* parameter N: one of N activations is recorded, of the function that was named last */
    WEFT_CHANGE_HELD = 5,     /* parameter: frames given up, which came before those held for the next trigger */
    WEFT_CHANGE_FUNCTION = 6, /* parameter: first path of the function whose sampling the next change sets */
    WEFT_CHANGES
} weft_control_change;

/* The parameter of a filter: context * 4, and one of these. A filter of several contexts has as many marks. It holds
 * until the next resume. */
enum { WEFT_FILTER_ONLY = 1, WEFT_FILTER_OUT = 2 };

/* ---- the body of a TRACE frame ---- */

/* Its sections, in their order on the wire. The recorder builds each in a region of its buffer. */
enum {
    WEFT_REGION_CONTROL,
    WEFT_REGION_MARKS, /* switches of context, and marks */
    WEFT_REGION_BUS,
    WEFT_REGION_VALUES,
    WEFT_REGION_MODELS, /* empty without TRE */
    WEFT_REGIONS
};

/* What the control section is. */
typedef enum weft_control_coder_id {
    WEFT_CONTROL_VARINTS = 0, /* per path, its distance from the predicted one. Read, but no longer written */
    WEFT_CONTROL_LOOPS = 1,   /* core/loopnest */
    WEFT_CONTROL_CODES = 2,   /* core/sequitur, each element of a rule one code. Read, but no longer written */
    WEFT_CONTROL_RAW = 3,     /* a path is predicted to be the one that last followed the path before it. Runs of paths
                                 that were, and the distance of each path that was not. Read, but no longer written */
    WEFT_CONTROL_GRAMMAR = 4, /* core/sequitur */
    WEFT_CONTROL_COPIES = 5,  /* the same, but that predictions are copied from the past: core/recorder_history.h */
    WEFT_CONTROL_PACKS = 6,   /* no longer written; the same, and the bus section holds the words of packs: such a frame
                                 has no access */
    WEFT_CONTROL_WORDS = 7,   /* the same as copies, and the models section holds the words of packs */
} weft_control_coder_id;

/* log2 of the words in the table that packs are predicted from. */
#define WEFT_PACK_SLOTS_LOG2_MAX 13u
/* Factors of the hash that finds a place in the table: of the word before, and of the pack's number. */
#define WEFT_PACK_WORD_FACTOR 0x9e3779b1u
#define WEFT_PACK_NUMBER_FACTOR 0x85ebca6bu
/* First bytes of the items of packs. 1 to 127 is a run of that many predicted words; WEFT_RUN_AGAIN stands before the
 * varint of a longer run. WEFT_PACK_OTHER is set in the first byte of a word that was not predicted. The bits below it
 * are 4 times the run before the word, plus the word's bytes less 1. */
enum { WEFT_PACK_RUN_MAX = 127, WEFT_PACK_OTHER = 128, WEFT_PACK_OTHER_RUN_MAX = 15 };

/* What the bus section is, and one more bit. */
typedef enum weft_bus_coder_id {
    WEFT_BUS_VARINTS = 0, /* distance from the last address of the site's slot. Read, but no longer written */
    WEFT_BUS_BFCM = 2,    /* core/bfcm_sites */
    WEFT_BUS_PLAIN = 4,   /* an address is predicted at the last stride of its site's slot. Runs of addresses that were,
                             and the distance of each address that was not */
    WEFT_BUS_TRE = 1,     /* the bit: the models section holds the accesses of sites that have an engine (core/tre) */
} weft_bus_coder_id;

/* What the values section is. */
typedef enum weft_value_coder_id {
    WEFT_VALUE_PLAIN = 0, /* differences from the last value of the site's slot */
    WEFT_VALUE_BFCM = 1,  /* core/bfcm_sites */
} weft_value_coder_id;

/* First bytes of items of the raw control coders and of the plain bus coder. 1 to 62 is a run of that many predicted
 * paths or addresses; WEFT_RUN_LONG stands before the varint of a longer run. WEFT_CODE_OTHER is set in the first byte
 * of a path or address that was not predicted; alone, in the control section, it stands before an escape symbol + 1.
 * WEFT_RUN_AGAIN, in the control section of copies, stands before the varint of how many times more the path before it
 * came. */
enum { WEFT_RUN_AGAIN = 0, WEFT_RUN_LONG = 63, WEFT_CODE_OTHER = 64 };

/* The models section: the most engines, and the first byte of a change of holder, which no number of levels reaches. */
enum { WEFT_MODELS_ENGINES_MAX = 128, WEFT_MODELS_CHANGE = 7 };

#endif
