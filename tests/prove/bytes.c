/* SPDX-License-Identifier: MIT */
#include "tests/prove/bytes.h"

#include "core/bytes.c"
#include "core/bytes_read.c"
#include "core/bytes_seal.c"
