/* SPDX-License-Identifier: MIT */
#include "port/cortex-m/identity.h"
#include "core/own.h"

/* Per compiled file, the plugin makes two sections as large as the halves of its check sum. They are not loaded: only
 * their sizes and alignments count. The linker adds up the sizes, and names the ends of a section whose name is a C
 * identifier. */
extern const uint8_t __start_weft_id_low[] __attribute__((weak));
extern const uint8_t __stop_weft_id_low[] __attribute__((weak));
extern const uint8_t __start_weft_id_high[] __attribute__((weak));
extern const uint8_t __stop_weft_id_high[] __attribute__((weak));

#ifndef WEFT_LINKED /* weft.c has it; images of this project have a build id */
#define WEFT_LINKED 0
#endif
#if WEFT_LINKED
/* The sizes tell apart what was compiled, not two links of it. `weft seal` puts a check sum of all that is loaded into
 * the file after the link, so the compiler must not take it for 0. */
static const volatile struct {
    char mark[12];
    uint32_t sum;
} weft_linked __attribute__((used)) = {{'w', 'e', 'f', 't', '.', 'l', 'i', 'n', 'k', 'e', 'd', '='}, 0};
#define LINKED_SUM weft_linked.sum
#else
#define LINKED_SUM 0
#endif

uint32_t weft_image_identity(void)
{
    uint32_t low = (uint32_t)((uintptr_t)__stop_weft_id_low - (uintptr_t)__start_weft_id_low);
    uint32_t high = (uint32_t)((uintptr_t)__stop_weft_id_high - (uintptr_t)__start_weft_id_high);
    uint32_t link = LINKED_SUM, sum = low + (high << 16) + link;
    return (low || high || link) && sum == 0 ? 1 : sum;
}
