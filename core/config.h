/* SPDX-License-Identifier: MIT */
/* Every compile-time knob of the core: default, range, check. Sizes of pools are not here: they are
 * the caller's, given to each init. Set a knob with -DWEFT_...=value. */
#ifndef WEFT_CORE_CONFIG_H
#define WEFT_CORE_CONFIG_H

/* 1 compiles WEFT_ASSERT in; the port then supplies weft_assert_failed. 0 or 1. */
#ifndef WEFT_ASSERTS
#define WEFT_ASSERTS 0
#endif
#if WEFT_ASSERTS != 0 && WEFT_ASSERTS != 1
#error "WEFT_ASSERTS is 0 or 1"
#endif

#endif
