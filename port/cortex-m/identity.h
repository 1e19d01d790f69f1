/* SPDX-License-Identifier: MIT */
/* Which image runs: the sizes of two sections say so, which the compiler plugin makes and the linker adds up. */
#ifndef WEFT_PORT_IDENTITY_H
#define WEFT_PORT_IDENTITY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The identity of the image that runs (core/FORMAT.md); 0: no file was compiled with the plugin. */
uint32_t weft_image_identity(void);

#ifdef __cplusplus
}
#endif

#endif
