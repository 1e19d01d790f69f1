/* SPDX-License-Identifier: MIT */
/* The version of Weft, in one place: the command, the library, packages and the engine's files say it. */
#ifndef WEFT_TOOLS_LIB_BASE_VERSION_H
#define WEFT_TOOLS_LIB_BASE_VERSION_H

#define WEFT_VERSION_TEXT "0.1.0"

#endif
