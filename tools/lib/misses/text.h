/* SPDX-License-Identifier: MIT */
/* The text of a model: what it takes. */
#ifndef WEFT_TOOLS_LIB_MISSES_TEXT_H
#define WEFT_TOOLS_LIB_MISSES_TEXT_H

#define MISSES_TEXT_MAX 256u /* bytes, the zero included */

#endif
