/* SPDX-License-Identifier: MIT */
/* On the board's network controller (LAN9118): asks by ARP who 10.0.2.2 is, which the emulator answers itself, and
 * opens a TCP connection to its port 47011: that of this machine. */
#include <stdint.h>
#include <stdio.h>

#define REGISTER(offset) (*(volatile uint32_t *)(0x40200000u + (offset)))
enum { TX_DATA = 0x20, TX_CFG = 0x70, CSR_CMD = 0xa4, CSR_DATA = 0xa8, WORDS = 15, LENGTH = 60 };

static const uint32_t request[WORDS] = {
    0xffffffff, 0x5452ffff, 0x56341200, 0x01000608, 0x04060008, 0x54520100,
    0x56341200, 0x0f02000a, 0x00000000, 0x000a0000, 0x00000202,
};
static const uint32_t connect[WORDS] = {
    0x000a5552, 0x54520202, 0x56341200, 0x00450008, 0x01002800, 0x06400000, 0x000abf62,
    0x000a0f02, 0xd2040202, 0x0000a3b7, 0x00000100, 0x02500000, 0x5bd70004,
};

static void send(const uint32_t *frame)
{
    REGISTER(TX_DATA) = 3u << 12 | LENGTH;
    REGISTER(TX_DATA) = LENGTH;
    for (unsigned i = 0; i < WORDS; i++)
        REGISTER(TX_DATA) = frame[i];
    for (volatile uint32_t i = 0; i < 1000000; i++)
        ;
}

int main(void)
{
    REGISTER(CSR_DATA) = 1u << 18 | 1u << 3 | 1u << 2; /* MAC_CR: promiscuous, sends, receives */
    REGISTER(CSR_CMD) = 0x80000001;
    REGISTER(TX_CFG) = 2;
    send(request);
    send(connect);
    puts("sent");
    return 0;
}
