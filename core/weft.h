/* SPDX-License-Identifier: MIT */
/* The umbrella: everything that firmware needs to record with Weft. Ports add their own headers (port/). */
#ifndef WEFT_CORE_WEFT_H
#define WEFT_CORE_WEFT_H

#include "core/base.h"
#include "core/bytes.h"
#include "core/format.h"
#include "core/frame.h"
#include "core/recorder.h"
#include "core/recorder_grammar.h"
#include "core/recorder_ksf.h"
#include "core/recorder_loops.h"
#include "core/recorder_tre.h"

#endif
