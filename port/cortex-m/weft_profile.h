/* SPDX-License-Identifier: MIT */
/* A profile of paths that a device keeps and sends once in a while, such as once a day: how often each sequence of up
 * to k consecutive paths was taken, in a few kilobytes of RAM, with exact numbers of what is lost. Compile the firmware
 * with the plugin's `probes=paths ksf`.
 *
 *     WEFT_PROFILE_DEF(day, 4, 300);             16 bytes of RAM per node, and about 1.7 KB
 *     weft_profile_begin(&day, &sink, NULL);     after the start
 *     ...
 *     weft_profile_send(&day);                   each day: gives what was counted to the sink, and counts again
 *
 * What is sent is a recording of its own: `weft merge` takes it, and a file of several one after the other. When the
 * nodes are used up, sequences that are known go on being counted; paths that would need a new node are lost, counted,
 * and `weft merge` says how many. So give it two or three times the paths that the program takes. What runs while
 * weft_profile_send is at work is in no profile, and no sequence goes on across it. Interrupts may call probes at any
 * time, with either delivery (port/cortex-m/weft_target.h); with that of the ring, one that comes while a path is being
 * counted loses its own, which is counted, too. */
#ifndef WEFT_PORT_WEFT_PROFILE_H
#define WEFT_PORT_WEFT_PROFILE_H

#include "core/recorder_ksf.h"
#include "port/cortex-m/weft_target.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_PROFILE_FRAME 512u /* bytes of the frame buffer */

/* The most bytes that one sending gives to the sink, and the most that a WEFT_PROFILE_DEF may lead to. A frame has room
 * for 32 nodes at least; the head, META, names and STATS take less than 3 frames. */
#define WEFT_PROFILE_BYTES(nodes) ((((nodes) + 31u) / 32u + 3u) * WEFT_PROFILE_FRAME)
#define WEFT_PROFILE_BYTES_MAX 16384u

typedef struct weft_profile {
    weft_ksf *forest;
    const weft_ksf_config *forest_config;
    weft_recorder *recorder;
    weft_recorder_config *config;
} weft_profile;

/* Declares a profile with its memory. k: 2 to 32; nodes: 3 to 928. */
#define WEFT_PROFILE_DEF(name, k_, nodes_)                                                                             \
    WEFT_KSF_DEF(name##_forest, k_, nodes_, 64);                                                                       \
    static uint8_t name##_bytes[WEFT_PROFILE_BYTES(nodes_) <= WEFT_PROFILE_BYTES_MAX ? (int)WEFT_PROFILE_FRAME : -1];  \
    static weft_recorder name##_recorder;                                                                              \
    static weft_recorder_config name##_config = {.bytes = name##_bytes,                                                \
                                                 .bytes_size = sizeof name##_bytes,                                    \
                                                 .probes = WEFT_PROBE_PATHS,                                           \
                                                 .profiler = &weft_profiler_ksf,                                       \
                                                 .profiler_state = &name##_forest,                                     \
                                                 .profile_only = true,                                                 \
                                                 .profile_holds = true};                                               \
    static const weft_profile name = {&name##_forest, &name##_forest_config, &name##_recorder, &name##_config}

/* From here on paths are counted. The sink and the clock (NULL: none) must live on. The status of weft_start. */
weft_status weft_profile_begin(const weft_profile *profile, const weft_sink *sink, const weft_clock *clock);
/* Gives what is being counted to the sink, of whichever profile, and begins again with this one, which has begun
 * before. WEFT_AGAIN: call it again later; see weft_stop. */
weft_status weft_profile_send(const weft_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
