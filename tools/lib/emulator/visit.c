/* SPDX-License-Identifier: MIT */
#include "tools/lib/emulator/visit.h"

#include "tools/lib/base/clock.h"
#include "tools/lib/emulator/child.h"

#define CATCHES 50        /* tries to end the recording of an endless program */
#define SLEEP_SECONDS 3.0 /* that a program which sleeps has to wake up */
enum { SP = 13, LR = 14, PC = 15, XPSR = 25, SAVED = 17 };

double visit_end_of(const emulator_run *run)
{
    return run->timeout > 0 ? clock_seconds() + run->timeout : 0;
}

/* Below 0: as long as it takes. */
static double seconds_left(double until)
{
    double left = until - clock_seconds();
    return until <= 0 ? -1 : left > 0 ? left : 0;
}

/* Whether it ends now: it closed the connection since it could not start, and printed why. */
static bool ends_by_itself(pid_t child)
{
    double until = clock_seconds() + CHILD_PATIENCE;
    while (!child_has_ended(child) && !child_interrupted() && clock_seconds() < until)
        child_rest();
    return child_has_ended(child);
}

static unsigned saved_number(unsigned i)
{
    return i <= PC ? i : XPSR;
}

/* Whether it stands after WFI or WFE. Schedulers sleep with interrupts masked; the recorder masks them, but never
 * sleeps. Where the halfword before begins a long instruction, and does not end one, this is that one's second half. */
static bool sleeps(gdb *g, uint32_t pc)
{
    enum { LONG = 0xe8, HINT = 0xbf, WFE = 0x20, WFI = 0x30 };
    uint8_t code[6];
    return gdb_read(g, pc - sizeof code, code, sizeof code) && (code[3] < LONG || code[1] >= LONG) && code[5] == HINT &&
           (code[4] == WFE || code[4] == WFI);
}

/* The stopped program continues in `catch`, outside of any IT block; in `leave`, where it sleeps. */
static bool enter_catch(const emulator_run *run, gdb *g, uint32_t saved[SAVED], uint32_t *slept)
{
    const uint32_t it_bits = 0x0600fc00u;
    for (unsigned i = 0; i < SAVED; i++)
        if (!gdb_get(g, saved_number(i), &saved[i]))
            return false;
    *slept = sleeps(g, saved[PC] & ~1u) ? run->leave : 0;
    return gdb_set(g, XPSR, saved[SAVED - 1] & ~it_bits) && gdb_set(g, SP, saved[SP] & ~7u) &&
           gdb_set(g, LR, run->stop | 1) && gdb_set(g, PC, *slept ? *slept : run->catch) && gdb_continue(g);
}

/* Waits until the program stops. False: it ended, or it had to be stopped, so that its memory can be read. One that
 * slept (`slept`: where it was told to go on) goes on when an interrupt comes. It is `asleep` if none came. */
static bool stops_by_itself(gdb *g, uint32_t slept, emulator_end *end)
{
    uint32_t pc = 0;
    gdb_event event = gdb_wait(g, slept ? SLEEP_SECONDS : CHILD_PATIENCE);
    if (event != GDB_TIMEOUT)
        return event == GDB_STOPPED;
    gdb_interrupt(g);
    bool stopped = gdb_wait(g, CHILD_PATIENCE) == GDB_STOPPED;
    if (!slept || !stopped)
        return false;
    end->asleep = gdb_get(g, PC, &pc) && (pc & ~1u) == slept;
    return !end->asleep && gdb_continue(g) && stops_by_itself(g, 0, end);
}

/* Ends the recording of an endless program that is stopped anywhere. False: it could not. */
static bool catch_program(const emulator_run *run, gdb *g, emulator_end *end)
{
    uint32_t saved[SAVED], slept, pc = 0;
    if (!gdb_ask_registers(g) || !gdb_break(g, run->busy, true))
        return false;
    for (int tries = 0; tries < CATCHES; tries++) {
        if (!enter_catch(run, g, saved, &slept) || !stops_by_itself(g, slept, end) || !gdb_get(g, PC, &pc))
            return false;
        if ((pc & ~1u) == run->stop)
            return true;
        if ((pc & ~1u) != run->busy)
            return false;
        for (unsigned i = 0; i < SAVED; i++)
            gdb_set(g, saved_number(i), saved[i]);
        gdb_continue(g);
        for (int i = 0; i <= tries; i++)
            child_rest(); /* longer each time: a busy machine hardly lets the program go on */
        gdb_interrupt(g);
        if (gdb_wait(g, CHILD_PATIENCE) != GDB_STOPPED)
            return false;
    }
    return false;
}

/* Runs to the stop, or to the timeout, calls back, and lets the program go on. False: the debugger interface fails. */
static bool visit(const emulator_run *run, gdb *g, pid_t child, double until, emulator_end *end)
{
    struct emulator_memory memory = {g};
    bool works = (!run->stop || gdb_break(g, run->stop, true)) && gdb_continue(g);
    if (!works)
        return false;
    gdb_event event = gdb_wait(g, seconds_left(until));
    if (event == GDB_TIMEOUT) {
        end->timed_out = true;
        gdb_interrupt(g);
        event = gdb_wait(g, CHILD_PATIENCE);
        end->finished = event == GDB_STOPPED && run->catch && catch_program(run, g, end);
    }
    if (event == GDB_ENDED && ends_by_itself(child))
        end->timed_out = false; /* its status says how */
    if (event != GDB_STOPPED)
        return true;
    works = !run->stopped || run->stopped(run->context, &memory);
    if (run->endless)
        return works;
    works = works && gdb_break(g, run->stop, false) && gdb_continue(g);
    if (works && !end->timed_out)
        gdb_wait(g, seconds_left(until));
    return works;
}

/* Waits until the emulator listens and answers. False: it ended (it could not start and printed why), it does not
 * answer, or a signal came. */
static bool connect_to(gdb *g, const char *socket, pid_t child)
{
    double until = clock_seconds() + CHILD_START;
    while (!gdb_connect(g, socket)) {
        if (child_has_ended(child) || child_interrupted() || clock_seconds() >= until)
            return false;
        child_rest();
    }
    return gdb_ready(g);
}

bool visit_from_start(const emulator_run *run, const char *socket, pid_t child, guard *guarded, double *until,
                      emulator_end *end)
{
    gdb *g = gdb_new();
    bool works = connect_to(g, socket, child);
    end->unready = !works;
    if (works) {
        if (guarded)
            guard_start(guarded);
        *until = visit_end_of(run); /* the program's own time begins */
        works = run->has_stop ? visit(run, g, child, *until, end) : gdb_detach(g);
    }
    works = works || child_interrupted() || ends_by_itself(child);
    gdb_close(g);
    return works;
}
