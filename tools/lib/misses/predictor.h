/* SPDX-License-Identifier: MIT */
/* Branch predictors (model.h says what each does). Smith, "A study of branch prediction strategies" (ISCA 1981); Yeh &
 * Patt, "Two-level adaptive training branch prediction" (MICRO 1991); McFarling, "Combining branch predictors"
 * (1993). */
#ifndef WEFT_TOOLS_LIB_MISSES_PREDICTOR_H
#define WEFT_TOOLS_LIB_MISSES_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

#define PREDICTOR_BITS_MAX 20u /* of a table's index */

typedef enum predictor_kind {
    PREDICTOR_NONE, /* never misses */
    PREDICTOR_NOT_TAKEN,
    PREDICTOR_BACKWARD,
    PREDICTOR_BIMODAL,
    PREDICTOR_GSHARE,
    PREDICTOR_TWO_LEVEL,
    PREDICTOR_KINDS
} predictor_kind;

typedef struct predictor_config {
    predictor_kind kind;
    unsigned bits, history; /* B and H; 0 where the kind has none */
} predictor_config;

typedef struct predictor {
    predictor_config config;
    uint8_t *counters;   /* 0..3 */
    uint32_t *histories; /* one, or one per entry of the first level */
} predictor;

void predictor_init(predictor *p, const predictor_config *config);
void predictor_free(predictor *p);
/* Predicts, learns the outcome; true: the prediction was wrong. */
bool predictor_misses(predictor *p, uint32_t pc, bool backward, bool taken);

#endif
