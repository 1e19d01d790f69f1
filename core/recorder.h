/* SPDX-License-Identifier: MIT */
/* The recorder takes events (the end of a Ball-Larus path, an access, a value), codes them into frames and gives the
 * frames to a sink. It holds no lock: the port sees to it that calls never overlap. Only what core/recorder_fast.h does
 * is so short that it may be done with interrupts masked.
 *
 * One buffer of the caller holds the frame that is being built: its head, then one region per section. The regions'
 * sizes follow the previous frame's use, so that all fill up together. When one is full the frame is cut: the sections
 * are moved together and sealed in place, and the frame is offered to the sink.
 *
 *     | shift | head | control -> | marks -> | bus -> | values -> | models -> |
 *
 * Frames are self-contained: a lost frame loses its interval and nothing else. When the sink refuses, the frame waits
 * in the buffer and is offered again at each event. Events that come while it waits are counted as lost, and the next
 * frame says how many of each kind. Nothing is lost in silence.
 *
 * Two buffers. With a second buffer an interval's end is short: the frame goes to a queue of two, and events go on in
 * the other buffer. weft_recorder_send seals and sends it, at any time, also while it is interrupted by events.
 * Without, each cut does so at once.
 *
 * Contexts. An event's context is 0 in thread mode, the exception number (1 to 511) in a handler, or a thread number
 * from 512 up that an RTOS hook gives. Any number of contexts works, without a table: see "Stretches" in
 * core/FORMAT.md.
 *
 * Cost: constant time per event, except for a cut, whose time is linear in the buffer's size. Stack: below 1250 bytes
 * with any coder, without the sink and the clock (tests/freestanding/stack.sh). */
#ifndef WEFT_CORE_RECORDER_H
#define WEFT_CORE_RECORDER_H

#include "core/frame.h"
#include "core/recorder_coders.h"
#include "core/recorder_config.h"
#include "core/recorder_history.h"

#ifdef __cplusplus
extern "C" {
#endif

/* predicted addresses: a longer run is written as several, so that 2^24 bytes hold fewer than 2^32 events */
#define WEFT_RECORDER_RUN_MAX 511u
/* paths: after this many the raw coder also ends a frame, so that an endless loop leaves frames in the recording */
#define WEFT_RECORDER_PATHS_MAX ((uint32_t)1 << 16)
/* paths: the same for another coder, whose frame may grow by less than a bit per path. At up to 4096 accesses per path,
 * it also keeps the accesses of a frame below 2^32, whatever an address engine takes. */
#define WEFT_RECORDER_CODED_PATHS_MAX ((uint32_t)1 << 20)
/* Most bytes of a run of addresses; and of paths, of which a frame has WEFT_RECORDER_PATHS_MAX and a history's. */
#define WEFT_RECORDER_RUN_BYTES 3u
#define WEFT_RECORDER_PATH_RUN_BYTES 4u
/* Most bytes that one event may write, which is the least size of a region: a run; a path or address that was not
 * predicted, or an escape; and another run. */
#define WEFT_RECORDER_ITEM_MAX (2u * WEFT_RECORDER_PATH_RUN_BYTES + WEFT_VARINT32_MAX)
/* The same for the words of packed paths, no more than paths: a run, a word with its head, and another run. */
#define WEFT_RECORDER_PACK_MAX (2u * WEFT_RECORDER_PATH_RUN_BYTES + 1u + 4u)

/* A PROFILE frame: head, two 64-bit and one 32-bit varints, a part, the check. */
#define WEFT_RECORDER_PROFILE_MIN(part_min)                                                                            \
    (WEFT_FRAME_WIRE_MAX(WEFT_FRAME_HEAD_MAX + 1u + 2u * WEFT_VARINT64_MAX + WEFT_VARINT32_MAX + (part_min) +          \
                         WEFT_FRAME_CHECK_SIZE) +                                                                      \
     1u)

#define WEFT_RECORDER_BUILD_ID_MAX 32u
#define WEFT_RECORDER_NOTE_MAX 32u
#define WEFT_RECORDER_NAME_MAX 32u
/* TRACE frames: after this many, META is repeated, for readers that come late and for rings that forget */
#define WEFT_RECORDER_META_EVERY 32u

/* Three bytes for a number of packs, which is at most WEFT_RECORDER_PATHS_MAX and those of a history; and one for their
 * table. */
#define WEFT_RECORDER_PACKS_HEAD 4u
/* The head of a TRACE frame's body: six coder bytes, five 64-bit varints, eleven of 32 bits, and packs. */
#define WEFT_RECORDER_BODY_MAX (6u + 5u * WEFT_VARINT64_MAX + 11u * WEFT_VARINT32_MAX + WEFT_RECORDER_PACKS_HEAD)
/* values: most of an event mark, so that an entry of the marks section stays short */
#define WEFT_RECORDER_EVENT_VALUES_MAX 4u
/* An entry of the marks section: an event has a head of 37 bits, a count and values; a switch a head of 34 bits and
 * four numbers; a stamp 10 bytes. */
#define WEFT_RECORDER_ENTRY_MAX (6u + 1u + WEFT_RECORDER_EVENT_VALUES_MAX * WEFT_VARINT32_MAX)
/* A predicted number: eight flags, HIGH, an upper half, a difference (core/bfcm_sites.h). An address has no upper
 * half. */
#define WEFT_RECORDER_VALUE_MAX (2u + 2u * WEFT_VARINT32_MAX)
#define WEFT_RECORDER_ADDRESS_MAX (2u * WEFT_RECORDER_RUN_BYTES + WEFT_VARINT32_MAX)
/* Head, body head and check, and the smallest regions: a control symbol, an entry, an address, a value, a packed
 * word. */
#define WEFT_RECORDER_FIXED (WEFT_FRAME_HEAD_MAX + WEFT_RECORDER_BODY_MAX + WEFT_FRAME_CHECK_SIZE)
#define WEFT_RECORDER_BYTES_MIN                                                                                        \
    (WEFT_FRAME_WIRE_MAX(WEFT_RECORDER_FIXED + WEFT_RECORDER_ITEM_MAX + WEFT_RECORDER_ENTRY_MAX +                      \
                         WEFT_RECORDER_ADDRESS_MAX + WEFT_RECORDER_VALUE_MAX + WEFT_RECORDER_PACK_MAX) +               \
     1u)

/* A region of the frame buffer. */
typedef struct weft_region {
    uint8_t *start;
    uint8_t *at; /* where the next byte goes */
    /* An item may be written without a check while at <= limit. Set to the buffer's start to disable that, and while a
     * frame waits. */
    uint8_t *limit;
    uint8_t *end; /* the buffer's start while a frame waits */
} weft_region;

/* Bytes in the head of a TRACE frame's body, in their order there: each section's coder, and log2 of the size of the
 * table that it predicts from. */
enum weft_head_coder {
    WEFT_HEAD_CONTROL,
    WEFT_HEAD_HISTORY,
    WEFT_HEAD_BUS,
    WEFT_HEAD_SLOTS,
    WEFT_HEAD_VALUE,
    WEFT_HEAD_VALUE_SLOTS,
    WEFT_HEAD_CODERS
};

/* Numbers in that head, in their order there. */
enum weft_head_number {
    WEFT_HEAD_PATHS,
    WEFT_HEAD_ACCESSES,
    WEFT_HEAD_VALUES,
    WEFT_HEAD_CONTEXT,
    WEFT_HEAD_ACCESSES_TAIL,
    WEFT_HEAD_VALUES_TAIL,
    WEFT_HEAD_NUMBERS
};

/* What the head of every frame says of the moment at which it was closed. */
typedef struct weft_moment {
    uint64_t time; /* ticks */
    uint64_t lost; /* events, before it */
} weft_moment;

/* An interval that has ended: what its frame will say. */
typedef struct weft_recorder_frame {
    uint8_t *buffer;
    size_t wire_size;   /* 0: not sealed yet */
    weft_counts before; /* and `begun`, in the order in which the head has them */
    uint64_t begun;     /* ticks */
    weft_moment end;
    uint32_t number[WEFT_HEAD_NUMBERS];
    uint32_t packs;                           /* words in the models section */
    weft_frame_piece piece[1 + WEFT_REGIONS]; /* the head, once it is written, and the sections */
} weft_recorder_frame;

/* weft_recorder.turn. From bit WEFT_TURN_EXCEPTION on: the exception whose probes may take predicted addresses. With
 * WEFT_TURN_CLOSED, none may. In WEFT_TURN_RUN: the length of the present run of predicted addresses. No probe makes it
 * longer than WEFT_TURN_RUN_MAX. */
#define WEFT_TURN_EXCEPTION 23u
#define WEFT_TURN_CLOSED ((uint32_t)1 << 22)
#define WEFT_TURN_RUN 0x3ffu
#define WEFT_TURN_RUN_BITS 9u
#define WEFT_TURN_RUN_MAX ((uint32_t)1 << WEFT_TURN_RUN_BITS)

/* Words of packed paths (core/recorder_packs.h). From the first pack on, they go to the models section. Before that,
 * and with coders that need that section or record symbols, `limit` and `table` make the fast path refuse every word.
 * The port's assembler depends on the order of the fields up to `limit`. */
typedef struct weft_packs {
    uint32_t word_factor, number_factor; /* WEFT_PACK_..._FACTOR, to load them with the rest */
    uint32_t shift;                      /* 32 less log2 of the words of the table */
    uint32_t *table;
    uint32_t word;    /* the last one; 0 at the frame's start */
    uint32_t count;   /* of this frame */
    uint32_t written; /* of these, those in the region: the others are the present run of predicted words */
    uint8_t *limit;   /* as weft_region.limit, of the models region */
    uint32_t none;    /* 0: a table that predicts no word */
    uint32_t own;     /* the table, if the caller gave none */
} weft_packs;

/* The fields are private; tests read them. Those of the fast paths come first, within reach of short loads. The port's
 * assembler depends on their order up to `region`. */
typedef struct weft_recorder {
    uint32_t address; /* of the last access of the epoch, 0 at its start */
    /* Events of this interval: taken while a frame is open, lost while a frame waits. Without the addresses of the
     * present run: see weft_recorder_accesses. */
    uint32_t accesses;
    uint32_t turn; /* see above */
    weft_slot *slots;
    uint32_t slots_mask;
    uint32_t epoch; /* of the slots: 1 to 2^16 - 1 */
    /* history.at when an access last came while the history was lent. If it has moved, a path has ended since. */
    const uint32_t *seen_at;
    weft_history history;
    /* The port's: the context that may use the fast paths (weft_recorder_set_open). weft_recorder_init sets
     * WEFT_RECORDER_CLOSED. */
    volatile uint32_t open;
    const uint32_t *values_seen_at; /* as seen_at, of values */
    /* accesses and turn before the end of the stretch's last path, or before its start. */
    uint32_t accesses_done, turn_done;
    /* As accesses. Without the paths of the present run: see weft_recorder_paths. */
    uint32_t paths, values;
    uint32_t values_done; /* as accesses_done */
    weft_region region[WEFT_REGIONS];
    weft_packs packs;
    uint32_t paths_max; /* with more paths in this interval, the fast path refuses */
    uint32_t context;   /* of the last event */
    weft_value_slot *value_slots;
    uint32_t value_slots_mask;
    uint64_t value;
    /* What weft_recorder_access does after its fast path. */
    void (*access)(struct weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address);
    /* The rest is used only at switches and cuts. */
    uint32_t accesses_start, values_start; /* accesses, values when the stretch began */
    uint32_t marks;                        /* event marks of this interval, as paths */
    uint32_t first_context;                /* of the frame */
    /* Set between the steps of a path that ends a run: where in this interval's control region the run was ended.
     * Room for the path is kept. Else NULL. What is written here next is that path, or another item that came in
     * between. */
    const uint8_t *run_ended;
    bool plain;         /* there is no coder and no profiler */
    uint8_t entering;   /* steps of weft_recorder_enter_go_on that are due */
    bool waiting;       /* no buffer is free: events are lost */
    bool control_fresh; /* nothing was pushed since the coder's last flush */
    bool head_sent;     /* the container's head is out */
    bool profiling;     /* the profile is being written, and parts are left */
    uint8_t meta_due;   /* TRACE frames until META is repeated */
    uint8_t coders[WEFT_HEAD_CODERS];
    uint32_t profile_part;
    const weft_coded_way *coded; /* NULL: no coder */
    uint64_t held_out;           /* paths that a full profile did not take, not counted as lost yet */
    uint64_t profile_start;      /* paths before the profile's segment */
    uint32_t used[WEFT_REGIONS]; /* by the last frame */
    /* Frames have room for words of packed paths: what to do when an interval begins, and when its frame ends. NULL
     * until the first pack. */
    void (*packing)(struct weft_recorder *recorder, bool begins);
    /* The queue of frames: ended - sent of them, from queue[sent % 2] on. weft_recorder_send moves `sent`; the rest of
     * the recorder `ended`. */
    weft_recorder_frame queue[2];
    volatile uint32_t ended, sent;
    /* weft_recorder_send, or a function of the port that calls it: see there. */
    weft_status (*send)(struct weft_recorder *recorder);
    /* Writes a NAMES frame with the next names that are due. WEFT_AGAIN: more are due, or the sink refused. NULL: there
     * is no name yet. */
    weft_status (*names)(struct weft_recorder *recorder, const weft_moment *moment);
    uint16_t names_count; /* names that were given, */
    uint16_t names_sent;  /* and that were sent since META was */
    uint32_t pauses;      /* marks of a pause */
    uint64_t stamp;       /* ticks of the interval's last stamp */
    size_t used_high;
    uint32_t sequence, refused, switches;
    weft_counts before; /* events before this interval; `begun` follows, as in weft_recorder_frame */
    uint64_t begun;     /* ticks when the interval began */
    weft_counts lost;
    weft_counts aside;                  /* lost in this interval, beyond its 32-bit counts */
    uint64_t early;                     /* of all lost events: those that weft_recorder_lost counted */
    uint32_t unmasked;                  /* WEFT_STATS_UNMASKED: the port counts them */
    void (*left_out)(weft_writer *out); /* adds WEFT_STATS_OUT_... fields; the port's, or NULL */
    weft_writer control;                /* the control coder's view of its region */
    weft_writer models;                 /* the model coder's view of its region */
    weft_slot own_slot;                 /* if the caller gave none */
    weft_value_slot own_value_slot;
    uint32_t own_history[WEFT_HISTORY_WORDS(WEFT_HISTORY_PLACES_MIN)];
    weft_recorder_config config;
    /* After the bytes of the path that run_ended is for, if they stand there already; with WEFT_SHORT_STEPS. */
    uint8_t *item_end;
    uint32_t item_word; /* that path's word */
} weft_recorder;

/* weft_recorder.open where no context may use the fast paths: one is at work, or a frame waits; or none is at work. */
#define WEFT_RECORDER_CLOSED 0xffffffffu
#define WEFT_RECORDER_FREE (0xffffffffu - 1)

/* Paths that the raw coder's predictions reach back, where WEFT_RECORDER_DEF is used: 1,284 bytes. With 64 (324 bytes)
 * recordings take a tenth to a half more. A power of two. */
#ifndef WEFT_RECORDER_HISTORY
#define WEFT_RECORDER_HISTORY 256
#endif

/* Words that predict those of packed paths, where WEFT_RECORDER_DEF is used. A power of two. */
#ifndef WEFT_RECORDER_PACKS
#define WEFT_RECORDER_PACKS 64
#endif
#define WEFT_RECORDER_PACKS_MAX ((size_t)1 << WEFT_PACK_SLOTS_LOG2_MAX)

/* Declares static storage and configuration for a recorder:
 *     WEFT_RECORDER_DEF(trace, 1024, 256, 0);
 *     trace_config.sink = &sink; weft_recorder_init(&trace, &trace_config);
 * Counts of slots are powers of two or 0. */
#define WEFT_RECORDER_DEF(name, frame_bytes, slots_count, value_slots_count)                                           \
    static uint8_t name##_bytes[frame_bytes];                                                                          \
    static weft_slot name##_slots[(slots_count) ? (slots_count) : 1];                                                  \
    static weft_value_slot name##_value_slots[(value_slots_count) ? (value_slots_count) : 1];                          \
    static uint32_t name##_history[WEFT_HISTORY_WORDS(WEFT_RECORDER_HISTORY)];                                         \
    static uint32_t name##_packs[WEFT_RECORDER_PACKS];                                                                 \
    static weft_recorder name;                                                                                         \
    static weft_recorder_config name##_config = {.bytes = name##_bytes,                                                \
                                                 .bytes_size = sizeof name##_bytes,                                    \
                                                 .slots = name##_slots,                                                \
                                                 .slots_max = WEFT_COUNT(name##_slots),                                \
                                                 .value_slots = name##_value_slots,                                    \
                                                 .value_slots_max = WEFT_COUNT(name##_value_slots),                    \
                                                 .history = name##_history,                                            \
                                                 .history_max = WEFT_RECORDER_HISTORY,                                 \
                                                 .packs = name##_packs,                                                \
                                                 .packs_max = WEFT_COUNT(name##_packs),                                \
                                                 .probes = WEFT_PROBE_PATHS |                                          \
                                                           ((slots_count) ? WEFT_PROBE_ACCESSES : 0) |                 \
                                                           ((value_slots_count) ? WEFT_PROBE_VALUES : 0)}

/* WEFT_CONFIG: no sink, a buffer that is too small or too large, or counts of slots, places or packs that are not
 * powers of two. Writes nothing to the sink: the first frame does. */
weft_status weft_recorder_init(weft_recorder *recorder, const weft_recorder_config *config);

/* A path ended: its global number. */
void weft_recorder_path(weft_recorder *recorder, uint32_t context, uint32_t path);
/* The same, `count` times: the stream is as if weft_recorder_path had been called for each. While a frame waits, the
 * sink is asked again once per WEFT_RECORDER_RUN_MAX of them only. Time: raw, constant per WEFT_RECORDER_RUN_MAX;
 * with a coder, per path. */
void weft_recorder_passes(weft_recorder *recorder, uint32_t context, uint32_t path, uint32_t count);
/* Several paths of one activation ended, in a pack: the function's pack number, and a word that says which. A pack
 * counts as one path: number and word are recorded, or lost, together. The word goes to the bus section while the frame
 * has no accesses, else to a mark. Not with a profile, which knows single paths only. */
void weft_recorder_packed(weft_recorder *recorder, uint32_t context, uint32_t number, uint32_t word);
/* The most paths that one call should take, since other events may wait for its end. */
uint32_t weft_recorder_passes_max(const weft_recorder *recorder);
/* A load or store of `site` at `address`. */
void weft_recorder_access(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address);
/* The value that an access of `site` loaded or will store. */
void weft_recorder_value(weft_recorder *recorder, uint32_t context, uint32_t site, uint64_t value);
/* An event of the firmware's own, with `count` values. It stands between records of paths: the reader learns which
 * paths ended before it, but not which accesses of the unfinished one came before. WEFT_AGAIN: the sink refused, and
 * the event is counted as lost. WEFT_CONFIG: more than WEFT_RECORDER_EVENT_VALUES_MAX values, or the profile replaces
 * the control stream. */
weft_status weft_recorder_event(weft_recorder *recorder, uint32_t context, uint32_t id, const uint32_t *values,
                                size_t count);
/* The time of what follows, in ticks of the clock. A time before the last stamp, or before the interval began, counts
 * as equal to it. WEFT_AGAIN: the sink refused; nothing is counted. WEFT_CONFIG: as weft_recorder_event. */
weft_status weft_recorder_stamp(weft_recorder *recorder, uint64_t time);
/* The same in a context, which begins a stretch if it is another one. */
weft_status weft_recorder_stamp_in(weft_recorder *recorder, uint32_t context, uint64_t time);
/* For stamps by number of paths: the fast path refuses the path that comes after `paths` more, so that
 * weft_recorder_path is called. Good for the open frame, until the next call. */
void weft_recorder_pace(weft_recorder *recorder, uint32_t paths);
/* Where the code stood that an exception interrupted. */
typedef struct weft_place {
    uint32_t pc;        /* the return address, even */
    uint32_t frame;     /* address of what the processor stacked: r0-r3, r12, lr, pc, xPSR */
    uint32_t exception; /* number of the one that was interrupted; 0: a thread */
    bool floats;        /* the processor stacked registers of the FPU, too, or left room for them */
    bool under_way;     /* that stood in a probe, whose event comes after the place */
    uint32_t hashes[2]; /* weft_stacked_hash of r0 to r3, the first lowest; of r12, lr and xPSR */
    bool counted;       /* the program counts; */
    uint32_t laps;      /* so far */
} weft_place;
/* A handler starts: begins a stretch in its context if that is another one, and says the place. WEFT_AGAIN: the sink
 * refused; if the program counts, a mark is lost. WEFT_CONFIG: as weft_recorder_event. */
weft_status weft_recorder_place(weft_recorder *recorder, uint32_t context, const weft_place *place);
/* Of a program that counts: its count; `value`, `more` + 1 times in a row (WEFT_INPUT_HASH). As weft_recorder_event. */
weft_status weft_recorder_laps(weft_recorder *recorder, uint32_t context, uint32_t laps);
weft_status weft_recorder_input(weft_recorder *recorder, uint32_t context, uint32_t value, uint8_t hash, uint32_t more);
/* What is recorded changes here: weft_control_change and its parameter. WEFT_AGAIN: the sink refused, and the change is
 * not recorded: try again, or do not make it. WEFT_CONFIG: as weft_recorder_event. */
weft_status weft_recorder_change(weft_recorder *recorder, uint32_t change, uint32_t parameter);
/* Names a context (number 2 * context) or an event (2 * id + 1); the text must live as long as the recorder. It goes
 * out with the next frame, and with each META. Another name of the same number replaces it. An empty one says that what
 * it named has ended: then the text before it is not read any more, readers keep that name, and its room serves another
 * where there is none left. A name that is replaced before a frame took it is not in the recording: call
 * weft_recorder_flush between the two where both matter. If its thread has ended, "ended thread" stands in its place,
 * so that the thread's events do not get the name of the next one of that number. WEFT_FULL: no room is left. */
weft_status weft_recorder_name(weft_recorder *recorder, uint32_t number, const char *text);
/* Events that were lost before they reached the recorder, all at this place of the sequence. */
void weft_recorder_lost(weft_recorder *recorder, const weft_counts *lost);

/* Cuts the frame and gives it to the sink. WEFT_AGAIN: the sink refused; nothing is lost, call again (or go on). */
weft_status weft_recorder_flush(weft_recorder *recorder);
/* With two buffers: seals the frames that have ended and gives them to the sink. WEFT_AGAIN: it refused one. Other
 * calls of the recorder may interrupt it, or be interrupted by it, but not another weft_recorder_send. The recorder
 * itself calls it through its field `send`, when it needs a buffer; so a port that calls it too has that field lead to
 * a function that returns WEFT_AGAIN where the two would overlap. */
weft_status weft_recorder_send(weft_recorder *recorder);
/* Flushes, then writes the profile out and empties it. WEFT_AGAIN: the sink refused; the rest goes with the next event
 * or call. WEFT_CONFIG: there is none. */
static inline weft_status weft_recorder_profile(weft_recorder *recorder)
{
    const weft_profiler *profiler = recorder->config.profiler;
    return profiler ? profiler->frames->write(recorder) : WEFT_CONFIG;
}

/* Ends the recording: flushes, writes the profile, then the STATS frame. WEFT_AGAIN: not all is out yet; call again. */
weft_status weft_recorder_finish(weft_recorder *recorder);

/* ---- for coders ---- */

/* Opens a frame for an event of `context`, and makes that the current context. False: a frame waits; the event is
 * lost. */
bool weft_recorder_ready(weft_recorder *recorder, uint32_t context);
/* Cuts the frame, which is open. WEFT_AGAIN: it waits. */
weft_status weft_recorder_cut(weft_recorder *recorder);
/* weft_recorder_ready, and an item fits the region, after a cut if need be. */
bool weft_recorder_make_room(weft_recorder *recorder, uint32_t context, unsigned region);
/* Whether an item fits the region of an open frame. */
bool weft_recorder_fits(const weft_recorder *recorder, unsigned region);
/* An access that goes to the bus section. */
void weft_recorder_access_bus(weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address);

/* ---- for profilers ---- */

/* True when an event could be taken now; false: a frame waits, and the sink refused it again. */
bool weft_recorder_open(weft_recorder *recorder);

#ifdef __cplusplus
}
#endif

#endif
