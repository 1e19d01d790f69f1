/* SPDX-License-Identifier: MIT */
/* Random recordings of an invented fleet, each as a merged profile of one recording. */
#ifndef WEFT_TESTS_LIB_FLEET_MODEL_H
#define WEFT_TESTS_LIB_FLEET_MODEL_H

#include "tests/lib/check.h"
#include "tools/lib/fleet/merged.h"

/* Recording `number`: always the same for the same number. Few images, labels and devices, so that they meet. */
merged *fleet_model_recording(uint32_t number);

#endif
