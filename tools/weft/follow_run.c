/* SPDX-License-Identifier: MIT */
/* Reads until it is interrupted, writes whole frames, and says on standard error what happens: each change of the
 * connection and each loss once, and on a terminal a line that says how it stands. */
#define _GNU_SOURCE
#include "tools/weft/follow.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/json.h"
#include "tools/lib/recording/packs_add.h"
#include "tools/weft/command.h"
#include "tools/weft/following.h"

enum { READ_MS = 100, AGAIN_MS = 200, BLOCK = 1 << 16 };

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

/* ---- the connection ---- */

static void lose(following *w)
{
    follow_clear_status(w);
    w->cuts++;
    w->lost_at = clock_seconds();
    command_fail(w->ask->name, EXIT_DONE, "cut: '%s' is gone; waiting for it", w->ask->source);
    follow_cut(&w->f);
}

/* A device that was unplugged comes back under its name. */
static void find_again(following *w)
{
    char message[300];
    if (!follow_source_open(&w->source, message, sizeof message)) {
        poll(NULL, 0, AGAIN_MS);
        return;
    }
    follow_clear_status(w);
    command_fail(w->ask->name, EXIT_DONE, "connected again after %.1f s", clock_seconds() - w->lost_at);
    w->lost_at = 0;
}

static bool goes_on(const following *w)
{
    const follow_request *ask = w->ask;
    return !interrupted && !(ask->until_end && w->f.ended) &&
           !(ask->timeout && clock_seconds() - w->began > (double)ask->timeout);
}

/* While no frame is whole the pin's packets are doubted. In pieces, so that it is seen soon. */
static void take_swo(following *w, const uint8_t *bytes, size_t size)
{
    enum { PIECE = 256, DOUBT = 2048 };
    uint8_t carried[PIECE + SWO_HELD];
    swo *s = &w->swo;
    while (size) {
        size_t piece = size < PIECE ? size : PIECE;
        uint64_t frames = w->f.frames, damaged = w->f.damaged, overflows = s->overflows;
        follow_bytes(&w->f, carried, swo_bytes(s, carried, bytes, piece));
        if (w->f.frames != frames)
            w->good_at = s->bytes;
        s->doubt = w->f.damaged != damaged || (s->doubt && w->f.frames == frames) || s->bytes - w->good_at > DOUBT;
        follow_say_overflow(w, overflows);
        bytes += piece;
        size -= piece;
    }
}

static void take(following *w, const uint8_t *bytes, size_t size)
{
    w->arrived += size;
    if (w->ask->swo)
        take_swo(w, bytes, size);
    else
        follow_bytes(&w->f, bytes, size);
}

/* What waited for more of the pin's stream. */
static void take_rest(following *w)
{
    uint8_t carried[SWO_HELD];
    follow_bytes(&w->f, carried, swo_end(&w->swo, carried));
}

static void read_all(following *w)
{
    static uint8_t block[BLOCK];
    w->began = w->shown = clock_seconds();
    while (goes_on(w)) {
        follow_show_status(w);
        if (w->source.fd < 0) {
            find_again(w);
            continue;
        }
        ssize_t got = follow_source_read(&w->source, block, sizeof block, READ_MS);
        w->error = got == FOLLOW_FAILED ? errno : 0;
        w->over = got == FOLLOW_OVER;
        if (w->over || w->error)
            break;
        if (got == FOLLOW_CUT)
            lose(w);
        if (got <= 0)
            continue;
        take(w, block, (size_t)got);
    }
    follow_clear_status(w);
    follow_source_close(&w->source);
}

/* ---- the end ---- */

/* An interrupt by the user is not a loss. A source that ended first, or missing bytes of the pin, is one. */
static bool has_losses(const following *w, const container *file)
{
    bool stopped = !w->over && !w->swo.unreadable;
    size_t count = container_gap_count(file);
    for (size_t i = 0; i < count; i++) {
        const container_gap *gap = container_gap_at(file, i);
        if (!stopped || gap->kind != GAP_END || gap->recording + 1 < container_recording_count(file))
            return true;
    }
    return false;
}

static void print_totals(const following *w, const container *file)
{
    weft_counts lost = container_lost(file);
    tally t = tally_of(file);
    uint64_t all = (uint64_t)lost.paths + lost.accesses + lost.values + lost.marks;
    if (!w->ask->json) {
        printf("%" PRIu64 " events, %" PRIu64 " bytes, %s%" PRIu64 " lost\n", tally_events(&t), container_size(file),
               container_at_least(file), all);
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "events", tally_events(&t));
    json_unsigned(j, "bytes", container_size(file));
    json_unsigned(j, "lost", all);
    json_unsigned(j, "paths", t.paths);
    json_unsigned(j, "accesses", t.accesses);
    json_unsigned(j, "values", t.values);
    json_unsigned(j, "recordings", container_recording_count(file));
    json_unsigned(j, "cuts", w->cuts);
    json_unsigned(j, "left_out", w->f.left_out);
    json_bool(j, "ended", w->f.ended);
    if (w->ask->swo) {
        json_unsigned(j, "overflows", w->swo.overflows);
        json_unsigned(j, "unreadable", w->swo.unreadable + (w->swo.left != 0));
        json_unsigned(j, "packets_of_others", w->swo.others);
    }
    json_end_object(j);
    json_finish(j);
}

static int finish(following *w)
{
    char message[300];
    const follow_request *ask = w->ask;
    take_rest(w);
    follow_end(&w->f);
    follow_say_more(w);
    if (w->error)
        command_fail(ask->name, EXIT_INPUT, "cannot read '%s' after byte %" PRIu64 ": %s", ask->source, w->arrived,
                     strerror(w->error));
    if (ask->swo && !w->error)
        follow_say_swo(w);
    if (!w->f.recordings) {
        output_discard(w->out);
        return command_fail(ask->name, EXIT_INPUT, "no frame came from '%s': '%s' is not written", ask->source,
                            ask->out);
    }
    if (w->app && !w->foreign)
        packs_add(w->out, w->app);
    if (!output_commit(w->out, message, sizeof message))
        return command_fail(ask->name, EXIT_HOST, "%s", message);
    container *file = container_open(ask->out, message, sizeof message);
    if (!file)
        return command_fail(ask->name, EXIT_INPUT, "%s", message);
    if (!w->f.ended)
        command_fail(ask->name, EXIT_DONE, "note: the recording had not ended; '%s' has it up to here", ask->out);
    if (w->app && !w->foreign)
        container_know(file, program_descriptors(w->app));
    bool losses = has_losses(w, file);
    if (losses)
        container_print_gaps(file, ask->name);
    print_totals(w, file);
    container_close(file);
    return w->error ? EXIT_INPUT : losses ? EXIT_GAPS : EXIT_DONE;
}

static int prepare(following *w)
{
    char message[512];
    const follow_request *ask = w->ask;
    if (ask->elf && !(w->app = program_open(ask->elf, message, sizeof message)))
        return command_fail(ask->name, EXIT_INPUT, "%s", message);
    if (!follow_source_open(&w->source, message, sizeof message))
        return command_fail(ask->name, EXIT_INPUT, "%s", message);
    w->out = output_open(ask->out, message, sizeof message);
    if (!w->out)
        return command_fail(ask->name, EXIT_HOST, "%s", message);
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = (int)SA_RESETHAND}; /* a second one ends it at once */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    return EXIT_DONE;
}

int follow_run(const follow_request *request)
{
    following w = {.ask = request,
                   .source = {.path = request->source, .baud = request->baud, .whole = request->whole, .fd = -1},
                   .terminal = isatty(STDERR_FILENO)};
    int status = prepare(&w);
    if (status == EXIT_DONE) {
        if (!request->whole)
            command_fail(request->name, EXIT_DONE, "following '%s'; Ctrl-C ends it", request->source);
        swo_begin(&w.swo, request->port, request->stream);
        follow_begin(&w.f, output_stream(w.out), follow_say, &w);
        read_all(&w);
        status = finish(&w);
    }
    follow_source_close(&w.source);
    program_close(w.app);
    return status;
}
