/* SPDX-License-Identifier: MIT */
/* Compares a full recording with the emulator's own log of the same run (`-singlestep -d cpu,nochain`): the program
 * counter, registers and flags before each instruction, which the emulator prints itself.
 *
 *     full_check RECORDING LOG          compares; exit status 1 if they differ
 *     full_check RECORDING              prints every event (and `END` or the error)
 *     full_check -n RECORDING           reads it as fast as it can */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/full.h"

/* What the recording says the registers are; known: a bit each, bit 15 the flags. */
static uint32_t state[16], known;

typedef struct logged {
    uint32_t registers[16], xpsr;
} logged;

/* The next register dump of the log. */
static bool read_log(FILE *log, logged *l)
{
    char line[512];
    int have = 0;
    while (fgets(line, sizeof line, log)) {
        int n = 0;
        if (sscanf(line, "R%d=", &n) == 1 && n >= 0 && n <= 12 &&
            sscanf(line, "R%*d=%x R%*d=%x R%*d=%x R%*d=%x", &l->registers[n], &l->registers[n + 1],
                   &l->registers[n + 2], &l->registers[n + 3]) == 4)
            have++;
        if (sscanf(line, "XPSR=%x", &l->xpsr) == 1 && have >= 4)
            return true;
    }
    return false;
}

static void apply(const full_event *event)
{
    uint32_t next = 0;
    if (event->kind == FULL_EXCEPTION) {
        memcpy(state, event->registers, 15 * sizeof *state);
        state[15] = event->xpsr & 0xf80f0000u;
        known |= 0xffff;
        return;
    }
    for (uint32_t bit = 0; bit < 64; bit++) {
        if (!(event->written >> bit & 1))
            continue;
        uint32_t value = event->values[next++];
        if (bit < 16) {
            state[bit] = value;
            known |= 1u << bit;
        }
    }
}

static bool same_state(const logged *l, uint64_t time)
{
    for (int r = 0; r < 15; r++) {
        if (known >> r & 1 && l->registers[r] != state[r]) {
            printf("at instruction %llu, pc %08x: r%d is %08x, the recording says %08x\n", (unsigned long long)time,
                   l->registers[15], r, l->registers[r], state[r]);
            return false;
        }
        state[r] = l->registers[r]; /* what changes without being recorded is then found out */
        known |= 1u << r;
    }
    if (known >> 15 & 1 && (l->xpsr & 0xf80f0000u) != state[15]) {
        printf("at instruction %llu, pc %08x: xPSR is %08x, the recording says %08x\n", (unsigned long long)time,
               l->registers[15], l->xpsr, state[15]);
        return false;
    }
    state[15] = l->xpsr & 0xf80f0000u;
    known |= 1u << 15;
    return true;
}

/* The emulator also logs a block that it then leaves at once, before the first instruction, for an interrupt or another
 * request: skips such entries up to the one at `pc`. */
static bool find_entry(FILE *log, logged *l, uint32_t pc, bool after_exception)
{
    logged last = *l;
    if (!read_log(log, l))
        return false;
    for (int skips = 0; l->registers[15] != pc && skips < 3; skips++) {
        if (!after_exception && memcmp(&last, l, sizeof last))
            return false;
        last = *l;
        if (!read_log(log, l))
            return false;
    }
    return l->registers[15] == pc;
}

static int compare(full_reader *reader, FILE *log)
{
    full_event event;
    logged l = {{0}, 0};
    uint64_t count = 0, exceptions = 0;
    bool after_exception = false;
    while (full_next(reader, &event)) {
        if (event.kind == FULL_EXECUTED) {
            if (!find_entry(log, &l, event.instruction->pc, after_exception)) {
                printf("instruction %llu: the log is at %08x, the recording at %08x\n", (unsigned long long)event.time,
                       l.registers[15], event.instruction->pc);
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
