/* SPDX-License-Identifier: MIT */
/* What is missing from a container: a list of gaps, and a sentence about each. */
#ifndef WEFT_TOOLS_LIB_RECORDING_GAPS_H
#define WEFT_TOOLS_LIB_RECORDING_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum container_gap_kind {
    GAP_LOST,     /* the recorder lost events: container_gap_cause says how */
    GAP_FRAMES,   /* frames are missing from the file */
    GAP_DAMAGE,   /* undecodable bytes. If later frames prove that frames are missing, a GAP_FRAMES is listed too */
    GAP_VERSION,  /* a sound frame of another format version */
    GAP_MARK,     /* a sound frame with a kind of mark that this build does not know */
    GAP_PAUSE,    /* recording was paused by the firmware, or a debugger */
    GAP_UNMASKED, /* probes ran where nothing masks interrupts: what is recorded may be spoiled anywhere */
    GAP_PAUSED,   /* the same until the recording's end */
    GAP_PAUSES,   /* further pauses, whose places are in missing frames */
    GAP_TRIGGER,  /* nothing was recorded until a trigger came */
    GAP_FILTER,   /* from here on, contexts are left out */
    GAP_SAMPLING, /* from here on, activations of a function are left out */
    GAP_OTHER,    /* a frame that cannot follow the one before it: of another run of the same image */
    GAP_CHANGED,  /* a black box whose memory changed after it was held: some of its paths may be others */
    GAP_OUT,      /* counts of what filters, triggers and sampling left out, from the end record */
    GAP_END,      /* no end record: what came after the last frame is unknown */
} container_gap_kind;

/* Who lost the events of a GAP_LOST, as far as the end record of the recording says. */
typedef enum container_gap_cause {
    GAP_CAUSE_UNKNOWN,
    GAP_CAUSE_SINK,
    GAP_CAUSE_RING,
    GAP_CAUSE_EITHER,
    GAP_CAUSE_FOREST, /* a profile stands for the paths: its forest or the event ring was full */
    GAP_CAUSE_BOX,    /* a black box: newer paths overwrote them */
    GAP_CAUSE_TRIGGER /* of a GAP_FRAMES: held back for a trigger, which came too late for them */
} container_gap_cause;

/* What says that a frame is of another run: GAP_OTHER. */
typedef enum container_gap_other {
    GAP_OTHER_COUNTS, /* fewer events came before it than the frames before it hold */
    GAP_OTHER_LOSSES, /* its losses are not what is missing between them */
    GAP_OTHER_TIME,   /* it began before the one before it ended */
    GAP_OTHER_META,   /* another description of what is recorded */
    GAP_OTHER_CHAIN,  /* full recordings: it names another one as the one before it */
    GAP_OTHER_TOTALS, /* an end record: its totals are not those of the frames before it, or not of each other */
} container_gap_other;

typedef struct container_gap {
    container_gap_kind kind;
    uint64_t offset; /* in the file: of the bytes, or of the frame after the gap */
    uint64_t bytes;  /* damaged bytes */
    uint64_t frames; /* missing frames */
    uint64_t events; /* GAP_UNMASKED: seen from such code. GAP_OUT: activations. GAP_PAUSES: how many */
    bool counted;    /* the counts below are exact */
    bool at_least;   /* but for paths: each lost record may have held several (packs) */
    uint64_t paths, accesses, values, marks;
    uint32_t number; /* GAP_TRIGGER: its number; GAP_FILTER: its parameter; GAP_SAMPLING: one in that many is kept;
                        GAP_OTHER: container_gap_other */
    uint32_t path;   /* GAP_SAMPLING: the first of the function */
    uint32_t recording;
    uint8_t version; /* GAP_VERSION; GAP_MARK: the kind */
    uint8_t cause;   /* container_gap_cause, of GAP_LOST */
} container_gap;

/* Says more than any other: it is shown wherever few are. */
static inline bool container_gap_is_grave(container_gap_kind kind)
{
    return kind == GAP_UNMASKED || kind == GAP_CHANGED;
}

/* A list that is all zero is empty. */
typedef struct gap_list {
    container_gap *all;
    size_t count, max;
} gap_list;

/* Appends a gap, whose other fields are the caller's to set: the pointer is valid until the next one is added. */
container_gap *gaps_add(gap_list *gaps, container_gap_kind kind, uint64_t offset, uint32_t recording);
/* Appends damaged bytes; to the last gap if that is damage that they follow without a byte between. */
void gaps_add_damage(gap_list *gaps, uint64_t offset, uint64_t size, uint32_t recording);
/* By their places in the file. */
void gaps_sort(gap_list *gaps);
/* More paths may be lost than are counted. */
void gaps_at_least(gap_list *gaps);
void gaps_free(gap_list *gaps);

/* A sentence about a gap, without a newline. */
void container_gap_text(const container_gap *gap, char *text, size_t size);

/* container_print_gaps */
void gaps_print(const gap_list *gaps, const char *command);

#endif
