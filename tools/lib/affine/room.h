/* SPDX-License-Identifier: MIT */
/* The room for affine models: numbers into loop nests whose terms are affine functions of their indices, and back. It
 * is the host form of the Trace Reconstruction Engine; core/tre.h is the target's.
 *
 * In:  a stream of 64-bit integers, mostly the addresses that one memory site accessed, in order. Out: a model: a
 * sequence of nests that generates exactly these numbers (model.h). What no nest explains at a fair price
 *      is kept as it is, so that nothing is ever lost. Nests are generated and compared (nest.h), written as C-like
 *      loops and read back (text.h), and become bytes (binary.h) or JSON (json.h).
 *
 * The target's engine writes records of its own kind: tre.h reads them.
 *
 * Inside: model_*.h decide which searches are tried; search_*.h is the best-first search, tiles_*.h the one for tiled
 * loops; fit_*.h finds faces through examples, hull.h and scan.h those of a convex domain. */
#ifndef WEFT_TOOLS_LIB_AFFINE_ROOM_H
#define WEFT_TOOLS_LIB_AFFINE_ROOM_H

#include "tools/lib/affine/binary.h"
#include "tools/lib/affine/json.h"
#include "tools/lib/affine/many.h"
#include "tools/lib/affine/model.h"
#include "tools/lib/affine/nest.h"
#include "tools/lib/affine/pieces.h"
#include "tools/lib/affine/text.h"
#include "tools/lib/affine/tre.h"

#endif
