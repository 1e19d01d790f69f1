/* SPDX-License-Identifier: MIT */
/* Names of device registers from a CMSIS-SVD file. */
#ifndef WEFT_TOOLS_WEFT_DEVICE_NAME_H
#define WEFT_TOOLS_WEFT_DEVICE_NAME_H

#include <stdint.h>

/* PERIPHERAL.REGISTER at an address, fit for a terminal, until the next call; NULL: there is none. `names`: an svd. */
const char *device_name(void *names, uint32_t address);

#endif
