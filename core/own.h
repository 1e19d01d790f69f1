/* SPDX-License-Identifier: MIT */
/* Marks a source file of Weft itself. The compiler plugin puts no probes into such a file, whatever its name and
 * folder, since a recorder that records itself never ends. Included by each source file of core, port and boards; never
 * by a header. The mark takes no byte of the image. */
#ifndef WEFT_CORE_OWN_H
#define WEFT_CORE_OWN_H

#if defined(__GNUC__) && defined(__arm__)
__attribute__((used, section(".rodata.weft_own"))) static const char weft_own_source[0];
#endif

#endif
