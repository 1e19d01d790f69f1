/* SPDX-License-Identifier: MIT */
/* Compares a full recording with the emulator's own log of the same run (`-d cpu,fpu,nochain`): the program
 * counter, registers and flags before each instruction, which the emulator prints itself.
 *
 *     full_check RECORDING LOG          compares; exit status 1 if they differ
 *     full_check RECORDING              prints every event (and `END` or the error)
 *     full_check -n RECORDING           reads it as fast as it can */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/recording/full.h"

/* Registers, flags and floating point as bits of FULL_... number them. */
enum { FLAGS = 15, FPSCR = 16, FLOATS = 32, THINGS = 64 };
#define APSR_BITS 0xf80f0000u
#define FPSCR_BITS 0xf0000000u /* the others accumulate in every instruction */

/* What the recording says they are; known: a bit each. */
static uint32_t state[THINGS];
static uint64_t known;

typedef struct logged {
    uint32_t things[THINGS], pc;
    uint64_t there; /* one bit each: the log has it */
} logged;

/* Reads one line of a dump: R00=... R01=..., XPSR=..., s00=... s01=..., and last FPSCR: ... */
static void read_line(const char *line, logged *l)
{
    unsigned n, values[4];
    if (sscanf(line, "R%u=%x R%*u=%x R%*u=%x R%*u=%x", &n, &values[0], &values[1], &values[2], &values[3]) == 5 &&
        n <= 12) {
        memcpy(l->things + n, values, sizeof values);
        l->there |= UINT64_C(0xf) << n;
        if (n == 12)
            l->pc = values[3];
    }
    if (sscanf(line, "s%u=%x s%*u=%x", &n, &values[0], &values[1]) == 3 && n <= 30) {
        memcpy(l->things + FLOATS + n, values, 2 * sizeof *values);
        l->there |= UINT64_C(3) << (FLOATS + n);
    }
    if (sscanf(line, "XPSR=%x", &values[0]) == 1)
        l->things[FLAGS] = values[0] & APSR_BITS;
    if (sscanf(line, "FPSCR: %x", &values[0]) == 1)
        l->things[FPSCR] = values[0] & FPSCR_BITS;
    l->there |= 1u << FLAGS | 1u << FPSCR;
}

/* The next register dump of the log. */
static bool read_log(FILE *log, logged *l)
{
    char line[512];
    while (fgets(line, sizeof line, log)) {
        read_line(line, l);
        if (!strncmp(line, "FPSCR:", 6))
            return true;
    }
    return false;
}

static void apply(const full_event *event)
{
    uint32_t next = 0;
    if (event->kind == FULL_EXCEPTION) {
        memcpy(state, event->registers, 15 * sizeof *state);
        state[FLAGS] = event->xpsr & APSR_BITS;
        known = 0xffff; /* a return may restore floating point registers */
        return;
    }
    for (uint32_t bit = 0; bit < THINGS; bit++) {
        if (!(event->written >> bit & 1))
            continue;
        state[bit] = event->values[next++];
        if (bit == FPSCR)
            state[bit] &= FPSCR_BITS;
        known |= UINT64_C(1) << bit;
    }
}

static bool same_state(const logged *l, uint64_t time)
{
    for (int i = 0; i < THINGS; i++) {
        if (known >> i & l->there >> i & 1 && l->things[i] != state[i]) {
            printf("at instruction %llu, pc %08x: register %d (full.h) is %08x, the recording says %08x\n",
                   (unsigned long long)time, l->pc, i, l->things[i], state[i]);
            return false;
        }
        state[i] = l->things[i]; /* so that a change that was not recorded is found at the next instruction */
    }
    /* A handler's first floating point instruction gives it a fresh FPSCR. The register counts as known once it is
     * written. */
    known = (l->there & ~FULL_FPSCR) | (known & FULL_FPSCR);
    return true;
}

/* Skips log entries up to the one at `pc`. The emulator also logs a block that it leaves at once, before the first
 * instruction, for an interrupt or another request. */
static bool find_entry(FILE *log, logged *l, uint32_t pc, bool after_exception)
{
    logged last = *l;
    if (!read_log(log, l))
        return false;
    for (int skips = 0; l->pc != pc && skips < 3; skips++) {
        if (!after_exception && memcmp(&last, l, sizeof last))
            return false;
        last = *l;
        if (!read_log(log, l))
            return false;
    }
    return l->pc == pc;
}

static int compare(full_reader *reader, FILE *log)
{
    full_event event;
    logged l = {{0}, 0, 0};
    uint64_t count = 0, exceptions = 0;
    bool after_exception = false;
    while (full_next(reader, &event)) {
        if (event.kind == FULL_EXECUTED) {
            if (!find_entry(log, &l, event.instruction->pc, after_exception)) {
                printf("instruction %llu: the log is at %08x, the recording at %08x\n", (unsigned long long)event.time,
                       l.pc, event.instruction->pc);
                return 1;
            }
            if (!same_state(&l, event.time))
                return 1;
            count++;
        }
        after_exception = event.kind == FULL_EXCEPTION;
        exceptions += after_exception;
        apply(&event);
    }
    if (full_error(reader) || read_log(log, &l)) {
        printf("%s\n", full_error(reader) ? full_error(reader) : "the log goes on");
        return 1;
    }
    printf("%llu instructions and %llu exceptions are as in the log\n", (unsigned long long)count,
           (unsigned long long)exceptions);
    return 0;
}

static void print(const full_event *event)
{
    if (event->kind == FULL_EXCEPTION) {
        printf("exception %u -> %u %s pc=%08x frame=%08x xpsr=%08x\n", event->from, event->to,
               event->entry ? "entry" : "return", event->pc, event->frame, event->xpsr);
        return;
    }
    const full_instruction *i = event->instruction;
    printf("%llu %08x %02x%02x%02x%02x c%u%s%s", (unsigned long long)event->time, i->pc, i->bytes[1], i->bytes[0],
           i->bytes[3], i->bytes[2], i->condition, event->passed ? "" : " skipped",
           event->completed ? "" : " incomplete");
    uint32_t next = 0;
    for (uint32_t bit = 0; bit < 64; bit++)
        if (event->written >> bit & 1)
            printf(" %s%u=%08x", bit >= 32 ? "s" : "r", bit >= 32 ? bit - 32 : bit, event->values[next++]);
    for (uint32_t k = 0; k < event->access_count; k++)
        printf(" %c%u[%08x]=%llx", event->accesses[k].store ? 'S' : 'L', event->accesses[k].size,
               event->accesses[k].address, (unsigned long long)event->accesses[k].value);
    puts("");
}

int main(int argc, char **argv)
{
    char message[200];
    bool quiet = argc > 2 && !strcmp(argv[1], "-n");
    full_reader *reader = argc > 1 ? full_open(argv[1 + quiet], message, sizeof message) : NULL;
    if (!reader) {
        printf("%s\n", argc > 1 ? message : "which file?");
        return 1;
    }
    int status = 0;
    full_event event;
    uint64_t sum = 0;
    if (quiet) {
        while (full_next(reader, &event))
            sum += event.access_count;
        printf("%llu accesses\n", (unsigned long long)sum);
    } else if (argc > 2) {
        FILE *log = fopen(argv[2], "r");
        status = log ? compare(reader, log) : 1;
        if (log)
            fclose(log);
    } else {
        while (full_next(reader, &event))
            print(&event);
        puts(full_error(reader) ? full_error(reader) : "END");
    }
    full_close(reader);
    return status;
}
