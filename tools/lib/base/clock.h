/* SPDX-License-Identifier: MIT */
/* Time that only goes forward, for deadlines and for measuring. */
#ifndef WEFT_TOOLS_LIB_BASE_CLOCK_H
#define WEFT_TOOLS_LIB_BASE_CLOCK_H

/* Seconds since some moment before the process began. */
double clock_seconds(void);

#endif
