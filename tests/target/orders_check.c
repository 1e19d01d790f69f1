/* SPDX-License-Identifier: MIT */
/* Reads what tests/target/programs/orders printed, and holds each recording against the naive model of
 * tests/lib/orders.h. Prints what is wrong, and last the number of cases. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/orders.h"

enum { LOG_MAX = 1000, BYTES_MAX = 1 << 16 };

static order_logged entries[LOG_MAX];
static uint8_t bytes[BYTES_MAX];
static size_t count, size;

static bool read_entry(const char *line)
{
    order_logged e = {0};
    unsigned what, at_path;
    if (count == LOG_MAX ||
        sscanf(line, "log %u %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %u %d %" SCNu32 " %" SCNu32, &what,
               &e.context, &e.number, &e.before, &e.after, &at_path, &e.status, &e.begin, &e.end) != 9 ||
        what >= ORDERS)
        return false;
    e.what = (order)what;
    e.at_path = at_path;
    entries[count++] = e;
    return true;
}

static bool read_bytes(const char *hex)
{
    unsigned byte;
    for (; size < BYTES_MAX && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        bytes[size++] = (uint8_t)byte;
    return *hex == '\n';
}

int main(void)
{
    char line[400];
    unsigned cases = 0, wrong = 0, number = 0;
    while (fgets(line, sizeof line, stdin)) {
        bool good = true;
        if (sscanf(line, "case %u", &number) == 1)
            count = size = 0;
        else if (!strncmp(line, "log ", 4))
            good = read_entry(line);
        else if (!strncmp(line, "bytes ", 6))
            good = read_bytes(line + 6);
        else if (!strncmp(line, "end", 3)) {
            const order_log log = {entries, count, false, false, false};
            const char *why = orders_check(&log, bytes, size);
            cases++;
            wrong += why != NULL;
            if (why)
                printf("# case %u: %s\n", number, why);
        }
        if (!good)
            return printf("# not a line of a log: %s", line), 1;
    }
    printf("%u cases, %u wrong\n", cases, wrong);
    return wrong || !cases;
}
