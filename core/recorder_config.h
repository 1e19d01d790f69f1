/* SPDX-License-Identifier: MIT */
/* What a recorder is given: its memory, its sink and clock, its coders, and what META says of the recording. */
#ifndef WEFT_CORE_RECORDER_CONFIG_H
#define WEFT_CORE_RECORDER_CONFIG_H

#include "core/recorder_coders.h"
#include "hal/clock.h"
#include "hal/sink.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the addresses (the last value) of the sites that share a slot. The slot is stale if its epoch is not
 * the recorder's. */
typedef struct weft_slot {
    uint32_t last; /* the last address; the next one is predicted at it + stride */
    /* The epoch, in the lower half. In the upper, the stride: the distance of the last two addresses; 0 if that takes
     * more than 16 bits. */
    uint32_t state;
} weft_slot;

typedef struct weft_value_slot {
    uint64_t value;
    uint16_t epoch;
} weft_value_slot;

/* A name, for NAMES frames. */
typedef struct weft_recorder_name_entry {
    uint32_t number;  /* 2 * context, or 2 * event + 1 */
    const char *text; /* UTF-8; cut after WEFT_RECORDER_NAME_MAX bytes */
    bool fresh;       /* no frame has the text yet */
    bool unnamed;     /* a thread of this number ended before a frame had its name */
} weft_recorder_name_entry;

/* All memory is the caller's and must live as long as the recorder. */
typedef struct weft_recorder_config {
    const weft_sink *sink;
    const weft_clock *clock; /* NULL: every time is 0 */
    uint8_t *bytes;          /* the frame buffer */
    uint8_t *spare;          /* a second one of the same size, or NULL: see "Two buffers" in core/recorder.h */
    size_t bytes_size;       /* WEFT_RECORDER_BYTES_MIN (more with a coder) to 2^24; no frame is longer on the wire */
    weft_slot *slots;        /* may be NULL when slots_max is 0 */
    size_t slots_max;        /* a power of two; or 0: every access is predicted from the one before */
    weft_value_slot *value_slots;
    size_t value_slots_max; /* likewise */
    uint32_t *history;      /* WEFT_HISTORY_WORDS(history_max) words: what the raw coder predicts paths from */
    size_t history_max; /* paths; a power of two, WEFT_HISTORY_PLACES_MIN to WEFT_HISTORY_PLACES_MAX; or 0: the least */
    uint32_t *packs;    /* packs_max words, which predict the words of packed paths */
    size_t packs_max;   /* a power of two, up to WEFT_RECORDER_PACKS_MAX; or 0: one word */
    uint32_t probes; /* weft_probes bits of what will be recorded: for META, and a hint for the first frame's regions */
    /* Each coder's state is initialised by the caller. NULL: the plain way of its section. */
    const weft_control_coder *control_coder; /* NULL: raw */
    void *control_coder_state;
    uint32_t control_paths_max;         /* with a coder, most paths per frame; 0: WEFT_RECORDER_CODED_PATHS_MAX */
    const weft_number_coder *bus_coder; /* NULL: plain. With one, slots are not used */
    void *bus_coder_state;
    const weft_number_coder *value_coder; /* NULL: plain. With one, value_slots are not used */
    void *value_coder_state;
    /* NULL: all accesses go to the bus section. With one, a switch of context within a path's accesses cuts the
     * frame. */
    const weft_model_coder *model_coder;
    void *model_coder_state;
    const weft_profiler *profiler; /* NULL: none */
    void *profiler_state;          /* initialised by the caller */
    bool profile_only;             /* the profile replaces the control stream; else both are recorded */
    /* With profile_only: a full profile stays as it is until the end, and what it has no room for is counted as lost.
     * Else a full one is written and begun again. */
    bool profile_holds;
    const uint8_t *build_id;         /* of the running image, or NULL */
    size_t build_id_size;            /* at most WEFT_RECORDER_BUILD_ID_MAX */
    uint32_t identity;               /* of the running image, for every frame's head; 0: not known */
    uint32_t run;                    /* tells this recording from others of the device, likewise */
    const char *note;                /* text for META, or NULL; cut after WEFT_RECORDER_NOTE_MAX bytes */
    uint8_t derive;                  /* for META: what derived addresses may follow from; see weft_meta_key */
    uint8_t time_base;               /* for META, if it is not 0 */
    uint32_t sampling;               /* N, for META: one of N activations is recorded; 0: not given */
    weft_recorder_name_entry *names; /* room for names; may be NULL when names_max is 0 */
    uint16_t names_max;
    uint8_t meta_every; /* TRACE frames after which META and names are repeated; 0: WEFT_RECORDER_META_EVERY. Not 0, as
                           for a sink that keeps the last frames only: they are repeated at the end too */
} weft_recorder_config;

#ifdef __cplusplus
}
#endif

#endif
