/* SPDX-License-Identifier: MIT */
/* The same as kernel.h here. */
#include <zephyr/kernel.h>
