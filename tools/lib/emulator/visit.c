/* SPDX-License-Identifier: MIT */
#include "tools/lib/emulator/visit.h"

#include "tools/lib/base/clock.h"
#include "tools/lib/emulator/child.h"

#define CATCHES 50 /* tries to end the recording of an endless program */
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

/* The stopped program continues in `catch`, outside of any IT block. */
static bool enter_catch(const emulator_run *run, gdb *g, uint32_t saved[SAVED])
{
    const uint32_t it_bits = 0x0600fc00u;
    for (unsigned i = 0; i < SAVED; i++)
        if (!gdb_get(g, saved_number(i), &saved[i]))
            return false;
    return gdb_set(g, XPSR, saved[SAVED - 1] & ~it_bits) && gdb_set(g, SP, saved[SP] & ~7u) &&
           gdb_set(g, LR, run->stop | 1) && gdb_set(g, PC, run->catch) && gdb_continue(g);
}

/* Waits until the program stops. False: it ended, or it had to be stopped, so that its memory can be read. */
static bool stops_by_itself(gdb *g)
{
    gdb_event event = gdb_wait(g, CHILD_PATIENCE);
    if (event == GDB_TIMEOUT) {
        gdb_interrupt(g);
        (void)gdb_wait(g, CHILD_PATIENCE);
    }
    return event == GDB_STOPPED;
}

/* Ends the recording of an endless program that is stopped anywhere. False: it could not. */
static bool catch_program(const emulator_run *run, gdb *g)
{
    uint32_t saved[SAVED], pc = 0;
    if (!gdb_ask_registers(g) || !gdb_break(g, run->busy, true))
        return false;
    for (int tries = 0; tries < CATCHES; tries++) {
        if (!enter_catch(run, g, saved) || !stops_by_itself(g) || !gdb_get(g, PC, &pc))
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
        end->finished = event == GDB_STOPPED && run->catch && catch_program(run, g);
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
