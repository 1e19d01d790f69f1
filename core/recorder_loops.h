/* SPDX-License-Identifier: MIT */
/* The loop detector as the recorder's control coder:
 *
 *     WEFT_LOOPNEST_DEF(nest, 32, 6);
 *     weft_loopnest_init(&nest, &nest_config);
 *     config.control_coder = &weft_control_coder_loops; config.control_coder_state = &nest; */
#ifndef WEFT_CORE_RECORDER_LOOPS_H
#define WEFT_CORE_RECORDER_LOOPS_H

#include "core/loopnest.h"
#include "core/recorder.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const weft_control_coder weft_control_coder_loops; /* its state is a weft_loopnest */

#ifdef __cplusplus
}
#endif

#endif
