/* SPDX-License-Identifier: MIT */
/* Accesses of the registers of registers.svd: narrower and wider than these, of arrays, and of two at one address. */
#include <stdint.h>

enum { BASE = 0x40024000 }; /* the emulated board has nothing there: loads give 0 */

#define BYTE(offset) (*(volatile uint8_t *)(BASE + (offset)))
#define HALF(offset) (*(volatile uint16_t *)(BASE + (offset)))
#define WORD(offset) (*(volatile uint32_t *)(BASE + (offset)))

int main(void)
{
    BYTE(0) = 0x5a;
    BYTE(1) = 0x33;
    HALF(2) = 0x1234;
    WORD(0) = 0xdeadbeef;
    WORD(0x18) = 7;
    WORD(0x44) = 9;
    WORD(0x38) = 0x85;
    WORD(0x80) = 6;
    WORD(0x80) = 3;
    WORD(0x80) = 1;
    WORD(0x84) = WORD(0x84) + 5;
    HALF(0x92) = 0xabcd;
    WORD(0x200) = 2;
    WORD(0x304) = 0x54;
    BYTE(0x93) = 0x11;
    return 0;
}
