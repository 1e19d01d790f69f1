/* SPDX-License-Identifier: MIT */
/* The room `host`: recordings for programs that are not Weft's.
 *
 * In:   the path of a recording, and of the image that it came from.
 * Out:  its events, one by one, with function names and source lines; how much is missing.
 *
 * weft_host.h is the only header of tools/lib that is installed, and the only one whose names and structs stay as they
 * are: libweft exports what it declares and nothing else. It includes no other header of the project. */
#ifndef WEFT_TOOLS_LIB_HOST_ROOM_H
#define WEFT_TOOLS_LIB_HOST_ROOM_H

#include "tools/lib/host/weft_host.h"

#endif
