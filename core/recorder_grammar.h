/* SPDX-License-Identifier: MIT */
/* SEQUITUR as the recorder's control coder: each frame's control section is a grammar segment (core/sequitur.h).
 *
 *     WEFT_SEQ_DEF(grammar, 512, 512, 200, 256, false);
 *     weft_seq_init(&grammar, &grammar_config);
 *     config.control_coder = &weft_control_coder_grammar; config.control_coder_state = &grammar; */
#ifndef WEFT_CORE_RECORDER_GRAMMAR_H
#define WEFT_CORE_RECORDER_GRAMMAR_H

#include "core/recorder.h"
#include "core/sequitur.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const weft_control_coder weft_control_coder_grammar; /* its state is a weft_seq */

#ifdef __cplusplus
}
#endif

#endif
