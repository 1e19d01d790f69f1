/* SPDX-License-Identifier: MIT */
/* What the recorder asks of a coder of each section, and of a profile: tables of functions over a state that is the
 * caller's. Each is a const object in a file of its own (recorder_grammar.c, recorder_loops.c, recorder_tre.c,
 * recorder_bfcm_bus.c, recorder_bfcm_values.c, recorder_ksf.c): what a program does not name is not linked. */
#ifndef WEFT_CORE_RECORDER_CODERS_H
#define WEFT_CORE_RECORDER_CODERS_H

#include "core/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct weft_recorder;
struct weft_recorder_config;

/* What only a recorder with coders does. Each coder names it, so that a recorder without any does not link it. */
typedef struct weft_coded_way {
    /* Additional bytes that the frame buffer must have. */
    size_t (*buffer_more)(const struct weft_recorder_config *config);
    void (*init)(struct weft_recorder *recorder); /* at the end of weft_recorder_init */
    /* Bytes that a region must have at least; `least`: without coders. */
    size_t (*region_min)(const struct weft_recorder_config *config, unsigned region, size_t least);
    /* The share of the buffer's `rest` that a model coder asks for, in parts of 256: up to 64. What the coder holds is
     * in no section yet, but must fit. */
    uint32_t (*models_share)(const struct weft_recorder_config *config, uint32_t rest);
    /* Called once the regions are dealt out. Sets the limits of the coders' regions to `never`, so that the fast paths
     * leave them alone. */
    void (*deal)(struct weft_recorder *recorder, uint8_t *never);
    void (*begin)(struct weft_recorder *recorder);                          /* a frame begins */
    void (*restart)(const struct weft_recorder_config *config, bool frame); /* an epoch; `frame`: a frame, too */
    bool (*put)(struct weft_recorder *recorder, uint32_t symbol);           /* weft_recorder_put_symbol */
    void (*end)(struct weft_recorder *recorder);                            /* ends the sections: push has left room */
    void (*stats)(const struct weft_recorder_config *config, weft_writer *out);
} weft_coded_way;

extern const weft_coded_way weft_coded;

/* A coder of the control symbols. Raw needs none. */
typedef struct weft_control_coder {
    const weft_coded_way *way; /* &weft_coded */
    uint8_t id;                /* weft_control_coder_id */
    /* Bytes that the control region must have at least, for this state. */
    size_t (*size_min)(const void *state);
    /* Takes a symbol; may write. WEFT_FULL: nothing was taken or written, and flush is due. The first symbol after a
     * flush is never refused. */
    weft_status (*push)(void *state, uint32_t symbol, weft_writer *out);
    /* Writes what the coder holds and starts again. push has made sure that it fits. */
    void (*flush)(void *state, weft_writer *out);
    /* Adds weft_stats_key fields; may be NULL. */
    void (*stats)(const void *state, weft_writer *out);
} weft_control_coder;

/* A coder that takes the accesses of some sites and writes models of them to the models section; the others go to the
 * bus section. */
typedef struct weft_model_coder {
    const weft_coded_way *way;                    /* &weft_coded */
    size_t (*size_min)(const void *state);        /* bytes that the models region must have at least */
    size_t (*size_wanted)(const void *state);     /* and beyond that, for the next frame */
    void (*begin)(void *state, weft_writer *out); /* a frame begins */
    /* weft_recorder_access: takes the access, gives it to weft_recorder_access_bus, or only counts it, as lost. */
    void (*access)(struct weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address);
    /* The frame ends: writes what is held. access has made sure that it fits. */
    void (*flush)(void *state, weft_writer *out);
    void (*stats)(const void *state, weft_writer *out); /* weft_stats_key fields; may be NULL */
} weft_model_coder;

/* A coder of the bus section, or of the values, other than plain: weft_bus_coder_bfcm, weft_value_coder_bfcm in
 * core/recorder_bfcm.h. */
typedef struct weft_number_coder {
    const weft_coded_way *way;                /* &weft_coded */
    void (*restart)(void *state, bool frame); /* an epoch begins; `frame`: so does a frame */
    /* One of weft_recorder_access, weft_recorder_value; writes WEFT_RECORDER_ADDRESS_MAX, WEFT_RECORDER_VALUE_MAX bytes
     * at most. */
    void (*access)(struct weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t address);
    void (*value)(struct weft_recorder *recorder, uint32_t context, uint32_t site, uint32_t low, uint32_t high);
    uint8_t (*slots_log2)(const void *state);
} weft_number_coder;

/* How profiles are written. A profiler names it, so that a recorder without one does not link it. */
typedef struct weft_profile_way {
    /* Writes the parts that are left. WEFT_AGAIN: the sink refused. */
    weft_status (*send)(struct weft_recorder *recorder);
    /* weft_recorder_profile, if there is a profiler. */
    weft_status (*write)(struct weft_recorder *recorder);
    /* The same, and counts what the profile had no room for as lost. */
    weft_status (*end)(struct weft_recorder *recorder);
} weft_profile_way;

extern const weft_profile_way weft_profile_frames;

/* A profile of the paths that is kept on the target, and written when it is full: the k-slab forest,
 * weft_profiler_ksf in core/recorder_ksf.h. */
typedef struct weft_profiler {
    /* The profile will be written, and takes no paths until it is. Returns how many it holds; 0 if it said so
     * before. */
    uint64_t (*close)(void *state);
    /* Writes the next part. WEFT_OK: that was the last one, or there is none. WEFT_AGAIN: more follow. */
    weft_status (*flush)(void *state, weft_writer *out);
    void (*stats)(const void *state, weft_writer *out); /* weft_stats_key fields */
    void (*meta)(const void *state, weft_writer *out);  /* weft_meta_key fields */
    size_t bytes_min; /* of the recorder's buffer: WEFT_RECORDER_PROFILE_MIN(bytes that a part has room for) */
    const struct weft_profile_way *frames; /* &weft_profile_frames */
} weft_profiler;

#ifdef __cplusplus
}
#endif

#endif
