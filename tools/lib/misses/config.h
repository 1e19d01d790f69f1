/* SPDX-License-Identifier: MIT */
/* The parts of a model, and their text. */
#ifndef WEFT_TOOLS_LIB_MISSES_CONFIG_H
#define WEFT_TOOLS_LIB_MISSES_CONFIG_H

#include <stddef.h>

#include "tools/lib/misses/cache.h"
#include "tools/lib/misses/flash.h"
#include "tools/lib/misses/predictor.h"
#include "tools/lib/misses/text.h"

typedef struct misses_config {
    predictor_config branch;
    cache_config icache, dcache;
    flash_config flash;
} misses_config;

/* False and a message: the text (model.h) is not a model. */
bool misses_config_read(misses_config *config, const char *text, char *message, size_t message_size);
/* The text in parameters alone. `size`: at least MISSES_TEXT_MAX. */
void misses_config_write(const misses_config *config, char *text, size_t size);

#endif
