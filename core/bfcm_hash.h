/* SPDX-License-Identifier: MIT */
/* Factors of the hashes of core/bfcm's tables: odd numbers without a pattern, from the golden ratio and roots of
 * primes. */
#ifndef WEFT_CORE_BFCM_HASH_H
#define WEFT_CORE_BFCM_HASH_H

#define HASH_0 0x9e3779b1u
#define HASH_1 0x85ebca6bu
#define HASH_2 0xc2b2ae35u
#define HASH_3 0x27d4eb2fu
#define HASH_4 0x165667b1u

#endif
