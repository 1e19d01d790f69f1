/* SPDX-License-Identifier: MIT */
/* Address engines as the recorder's model coder. A pool of engines is lent to busy sites whose addresses are affine.
 * All other accesses go to the bus section. Any number of sites works.
 *
 * A site may hold engine (site modulo engines). The sites without it vote for the next holder (majority vote of Boyer
 * and Moore), which gets the engine when the holder has been idle for some time. A site whose records take too many
 * bytes for its accesses is not affine. It loses the engine, and has no vote until another site has held it. For some
 * frames the next holder then needs more votes.
 *
 *     WEFT_TRE_POOL_DEF(engines, 8, 3);
 *     weft_tre_pool_init(&engines, &engines_config);
 *     config.model_coder = &weft_model_coder_tre; config.model_coder_state = &engines; */
#ifndef WEFT_CORE_RECORDER_TRE_H
#define WEFT_CORE_RECORDER_TRE_H

#include "core/recorder.h"
#include "core/tre.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An engine, and who has it. */
typedef struct weft_tre_lease {
    uint32_t site;   /* that holds the engine, or held it last */
    bool lent;       /* the site holds the engine; else the engine is empty */
    bool refused;    /* the site lost it: it has no vote */
    uint16_t held;   /* bytes that flushing the engine may take now */
    uint16_t needed; /* lead in votes that the next holder needs: doubled for each holder that was not affine */
    uint8_t credit;  /* accesses by other sites before an idle holder may be replaced */
    uint8_t number;  /* of the engine */
    uint32_t seen;   /* the engine's count at the last access by another site */
    uint32_t
        taken; /* accesses in the holder's records of this frame, and a part of those before; bytes of these records */
    uint32_t bytes;
    uint32_t rival; /* the site that leads the vote, and its lead */
    uint32_t votes;
    weft_tre engine;
} weft_tre_lease;

typedef struct weft_tre_pool_config {
    weft_tre_lease *leases; /* engines_max of them */
    weft_tre_level *levels; /* engines_max * levels_max */
    size_t engines_max;     /* a power of two, 1..128 */
    unsigned levels_max;    /* of each engine, 1..WEFT_TRE_LEVELS_MAX */
} weft_tre_pool_config;

typedef struct weft_tre_pool {
    weft_tre_pool_config config;
    uint32_t reserve; /* bytes that flushing all engines may take now */
    uint32_t room;    /* bytes that an access must find free beyond the reserve */
    uint32_t address; /* of the last access of the bus section in this frame */
    uint32_t lent;    /* engines that were lent when the frame began */
    uint32_t high;    /* most engines lent so far */
    uint32_t frames;  /* begun, modulo 2^32 */
    uint32_t taken;   /* accesses in records that were written, modulo 2^32 */
} weft_tre_pool;

#define WEFT_TRE_POOL_DEF(name, engines_, levels_)                                                                     \
    static weft_tre_lease name##_leases[engines_];                                                                     \
    static weft_tre_level name##_levels[(engines_) * (levels_)];                                                       \
    static weft_tre_pool name;                                                                                         \
    static const weft_tre_pool_config name##_config = {name##_leases, name##_levels, engines_, levels_}

/* WEFT_CONFIG: a size outside its range. */
weft_status weft_tre_pool_init(weft_tre_pool *pool, const weft_tre_pool_config *config);

extern const weft_model_coder weft_model_coder_tre; /* its state is a weft_tre_pool */

#ifdef __cplusplus
}
#endif

#endif
