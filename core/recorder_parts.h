/* SPDX-License-Identifier: MIT */
/* What the files of core/recorder share; no other file includes it. Calls go one way:
 *
 *     recorder_init.c            checks the configuration, and sets all up
 *     recorder_marks.c           marks other than switches: events of the firmware, stamps
 *     recorder_packs.c           several paths in one record
 *     recorder_profile.c         PROFILE frames
 *        -> recorder_events.c    events, contexts, and when a frame is cut
 *     recorder_names.c           names, and NAMES frames
 *           -> recorder_frames.c    gives frames to the sink; META and STATS frames
 *              -> recorder_interval.c  begins an interval, deals the buffer out to regions, seals them
 *
 * The life of an interval: begin_interval; begin_frame if a buffer is free; events; end_frame; and, from the queue,
 * seal; offer until it is OK. */
#ifndef WEFT_CORE_RECORDER_PARTS_H
#define WEFT_CORE_RECORDER_PARTS_H

#include "core/recorder_fast.h"

/* A member of any type of its size. */
typedef uint32_t __attribute__((may_alias)) weft_word_member;
typedef uint64_t __attribute__((may_alias)) weft_long_member;

/* The buffer of the open frame. */
static inline uint8_t *weft_recorder_buffer(const weft_recorder *recorder)
{
    return recorder->config.spare && recorder->ended % 2 ? recorder->config.spare : recorder->config.bytes;
}

/* Whether all buffers hold frames that are not sent. */
static inline bool weft_recorder_full(const weft_recorder *recorder)
{
    return recorder->ended - recorder->sent == (recorder->config.spare ? 2u : 1u);
}

/* Bytes from the start of the buffer to a frame's head: room for the COBS coding to work in place. */
static inline size_t weft_recorder_shift(const weft_recorder *recorder)
{
    return WEFT_FRAME_SHIFT(recorder->config.bytes_size);
}

/* ---- core/recorder_interval.c ---- */

/* Starts an interval: counts from 0, the predictors empty, the buffer dealt out. The buffer may still hold a frame. */
void weft_recorder_begin_interval(weft_recorder *recorder);
/* Readies the buffer, which is free, for an interval that has begun. */
void weft_recorder_begin_frame(weft_recorder *recorder);
/* A stretch begins (FORMAT.md, "Stretches"). */
static inline void weft_recorder_begin_stretch_here(weft_recorder *recorder)
{
    weft_recorder_path_done(recorder);
    recorder->accesses_start = weft_recorder_accesses(recorder);
    recorder->values_start = recorder->values;
}
/* The same, not inlined. */
void weft_recorder_begin_stretch_apart(weft_recorder *recorder);
static inline void weft_recorder_begin_stretch(weft_recorder *recorder)
{
    if (WEFT_SMALL)
        weft_recorder_begin_stretch_apart(recorder);
    else
        weft_recorder_begin_stretch_here(recorder);
}
/* Restarts the predictors: every slot is stale. `frame`: a frame begins, too. */
void weft_recorder_next_epoch(weft_recorder *recorder, bool frame);
/* Counts the interval's events as lost, and begins another one. */
void weft_recorder_lose(weft_recorder *recorder);
/* Makes every region refuse items, since a frame waits. */
void weft_recorder_close_regions(weft_recorder *recorder);
/* Ends the coders' sections, which push has left room for. */
void weft_recorder_end_sections(weft_recorder *recorder);
/* Puts the frame at the end of the queue. */
void weft_recorder_end_frame(weft_recorder *recorder);
/* Seals head and sections of an ended frame at the start of its buffer. */
void weft_recorder_seal(weft_recorder *recorder, weft_recorder_frame *frame);

/* The clock's ticks; 0 without a clock. */
uint64_t weft_recorder_now(const weft_recorder *recorder);
/* Adds `counts` to *to. */
void weft_recorder_add(weft_counts *to, const weft_counts *counts);
/* Adds the interval's counts, which begin again at 0, as do the history and the run of addresses, which are part of
 * them. */
void weft_recorder_move_counts(weft_recorder *recorder, weft_counts *to);
/* Their sum. */
uint64_t weft_recorder_all(const weft_counts *counts);
/* Events lost so far. */
static inline uint64_t weft_recorder_all_lost(const weft_recorder *recorder)
{
    return weft_recorder_all(&recorder->lost);
}
/* This moment. */
void weft_recorder_moment(const weft_recorder *recorder, weft_moment *moment);
/* Writes the head of a frame. */
void weft_recorder_write_head(const weft_recorder *recorder, weft_writer *out, weft_frame_kind kind,
                              const weft_moment *moment);

/* Whether frames may have words of packed paths in the bus section. */
static inline bool weft_recorder_may_pack(const weft_recorder *recorder)
{
    return !recorder->config.control_coder && !recorder->config.model_coder;
}
/* From now on frames have room for words of packed paths. So does the open one, if it is empty. */
void weft_recorder_begin_packing(weft_recorder *recorder, void (*packing)(weft_recorder *recorder, bool begins));
/* Nothing was recorded in the open frame. */
bool weft_recorder_is_empty(const weft_recorder *recorder);

/* ---- core/recorder_events.c ---- */

/* Writes a control symbol, raw or coded. False: there is no room; nothing was written. */
bool weft_recorder_put_symbol(weft_recorder *recorder, uint32_t symbol);
/* An escape, for the raw coder, which has room. */
void weft_recorder_put_escape(weft_recorder *recorder, uint32_t symbol);

/* Puts the escape symbol of a mark into the control section of a frame that has room for its entry in the marks
 * section, after a cut if need be. False: a frame waits; nothing was written. */
bool weft_recorder_make_mark(weft_recorder *recorder, uint32_t context);

/* Ends the open frame, if it holds anything. WEFT_AGAIN: a frame waits. */
weft_status weft_recorder_end(weft_recorder *recorder);

/* ---- core/recorder_frames.c ---- */

/* Makes a buffer free if none is. WEFT_AGAIN: the sink refused. */
weft_status weft_recorder_free_buffer(weft_recorder *recorder);
/* Writes META when it is due. A refusal loses nothing: it is tried again with the next frame. Not while a sealed frame
 * waits, whose sequence number is sealed in. */
void weft_recorder_send_meta(weft_recorder *recorder, const weft_moment *moment);
/* Writes STATS. WEFT_AGAIN: the sink refused. */
weft_status weft_recorder_send_stats(weft_recorder *recorder);
/* The container's head goes out first, once. False: the sink refused it. */
bool weft_recorder_send_head(weft_recorder *recorder);

enum { WEFT_SMALL_FRAME = 240 }; /* content of META, NAMES and STATS frames at most */

typedef struct weft_small_frame {
    weft_writer writer;
    uint8_t bytes[WEFT_FRAME_WIRE_MAX(WEFT_SMALL_FRAME) + 1];
} weft_small_frame;

/* Begins a frame of this kind, whose head says the moment. */
void weft_recorder_small_begin(const weft_recorder *recorder, weft_small_frame *small, weft_frame_kind kind,
                               const weft_moment *moment);
/* Seals it, and gives it to the sink. WEFT_AGAIN: that refused it. */
weft_status weft_recorder_small_send(weft_recorder *recorder, weft_small_frame *small);
/* Fields of consecutive even keys, from `key` on. */
void weft_recorder_write_fields(weft_writer *out, uint32_t key, const uint32_t *values, size_t count);
/* A field of bytes. */
void weft_recorder_write_text(weft_writer *writer, uint32_t key, const uint8_t *bytes, size_t size);
/* The text's size in bytes, without its zero, but at most `most`. */
size_t weft_recorder_text_size(const char *text, size_t most);

/* ---- core/recorder_profile.c ---- */

/* Called once all parts are out: the profile's next segment starts with this interval. */
static inline void weft_recorder_profile_done(weft_recorder *recorder)
{
    recorder->profile_part = 0;
    recorder->profile_start = recorder->before.paths;
}

#endif
