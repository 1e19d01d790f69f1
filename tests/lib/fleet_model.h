/* SPDX-License-Identifier: MIT */
/* Random recordings of an invented fleet, each as a merged profile of one recording. */
#ifndef WEFT_TESTS_LIB_FLEET_MODEL_H
#define WEFT_TESTS_LIB_FLEET_MODEL_H

#include "tests/lib/check.h"
#include "tools/lib/fleet/merged.h"

/* Makes recording `number`: always the same for the same number. Images, labels and devices are few, so that
 * recordings share them. */
merged *fleet_model_recording(uint32_t number);

#endif
