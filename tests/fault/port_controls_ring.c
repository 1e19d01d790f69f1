/* SPDX-License-Identifier: MIT */
/* The same as port_controls.c, with delivery by the ring, which is linked instead. */
#include "tests/fault/port_controls.c"
