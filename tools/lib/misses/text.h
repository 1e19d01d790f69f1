/* SPDX-License-Identifier: MIT */
/* Memory that the text of a model takes. */
#ifndef WEFT_TOOLS_LIB_MISSES_TEXT_H
#define WEFT_TOOLS_LIB_MISSES_TEXT_H

#define MISSES_TEXT_MAX 256u /* bytes, the zero included */

#endif
