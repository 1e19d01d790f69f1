/* SPDX-License-Identifier: MIT */
/* Reads until it is interrupted, writes whole frames, and says on standard error what happens: each change of the
 * connection and each loss once, and on a terminal a line that says how it stands. */
#define _GNU_SOURCE
#include "tools/weft/follow.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/program.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/follow.h"
#include "tools/lib/recording/swo.h"
#include "tools/weft/command.h"
#include "tools/weft/follow_source.h"

#define STATUS_SECONDS 0.25
enum { READ_MS = 100, AGAIN_MS = 200, BLOCK = 1 << 16 };

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

typedef struct following {
    const follow_request *ask;
    follow_source source;
    follow f;
    swo swo;
    uint64_t good_at; /* byte of the pin's stream that ended the last whole frame */
    program *app;
    output *out;
    bool terminal, status_shown, foreign; /* foreign: the recording is of another image than `app` */
    double began, shown, lost_at;         /* seconds; lost_at: when the connection was cut, 0: it is there */
    uint64_t arrived, shown_bytes;
    double rate; /* bytes per second */
    unsigned cuts;
} following;

/* ---- what is said ---- */

static void clear_status(following *w)
{
    if (w->status_shown)
        fputs("\r\033[K", stderr);
    w->status_shown = false;
}

static void say_started(following *w, const weft_frame *frame)
{
    uint32_t own = w->app ? program_identity(w->app) : 0;
    w->foreign = own && frame->identity && own != frame->identity;
    command_fail(w->ask->name, EXIT_DONE, "recording %" PRIu32 " begins: identity %08" PRIx32 ", run %" PRIu32 "%s",
                 w->f.recordings, frame->identity, frame->run,
                 w->foreign ? "; that is not the image of --elf, so places are not shown" : "");
}

static void say(void *own, const follow_notice *what)
{
    following *w = own;
    const char *name = w->ask->name;
    clear_status(w);
    switch (what->event) {
    case FOLLOW_STARTED:
        say_started(w, what->frame);
        break;
    case FOLLOW_JOINED:
        command_fail(name, EXIT_DONE, "joined in the middle: %" PRIu64 " frames came before", what->count);
        break;
    case FOLLOW_MISSING:
        command_fail(name, EXIT_DONE, "gap: %" PRIu64 " frames are missing, %" PRIu64 " events in them", what->count,
                     what->lost);
        break;
    case FOLLOW_LOST:
        command_fail(name, EXIT_DONE, "gap: the recorder lost %" PRIu64 " events", what->lost);
        break;
    case FOLLOW_DAMAGED:
        command_fail(name, EXIT_DONE, "gap: %" PRIu64 " damaged bytes", what->count);
        break;
    case FOLLOW_LEFT:
        command_fail(name, EXIT_DONE, "cut in the middle of a frame: %" PRIu64 " bytes of it are left out",
                     what->count);
        break;
    case FOLLOW_ENDED:
        command_fail(name, EXIT_DONE, "recording %" PRIu32 " has ended", w->f.recordings);
        break;
    }
}

/* What the pin's stream says of itself. Whether the recording lacks something, its frames say. */
static void say_overflow(following *w, uint64_t overflows)
{
    if (w->ask->whole || w->swo.overflows == overflows)
        return;
    clear_status(w);
    command_fail(w->ask->name, EXIT_DONE,
                 "the ITM overflowed near byte %" PRIu64 ": it dropped packets, of this port or of others",
                 overflows ? w->swo.bytes : w->swo.overflowed_at);
}

static void say_swo(const following *w)
{
    const swo *s = &w->swo;
    const char *name = w->ask->name;
    if (s->overflows)
        command_fail(name, EXIT_DONE, "SWO: %" PRIu64 " overflow packets, the first at byte %" PRIu64, s->overflows,
                     s->overflowed_at);
    if (s->unreadable || s->left)
        command_fail(name, EXIT_DONE, "SWO: %" PRIu64 " places cannot be read: bytes were lost on the way to the host",
                     s->unreadable + (s->left != 0));
    if (s->unsynchronised)
        command_fail(name, EXIT_DONE,
                     "SWO: %" PRIu64 " bytes before the formatter's first synchronisation are left out",
                     s->unsynchronised);
    if (!s->taken)
        command_fail(name, EXIT_DONE,
                     "SWO: of %" PRIu64 " bytes none are stimulus port %u's (%" PRIu64
                     " packets of others); --itm-port names another, --tpiu a formatter's stream",
                     s->bytes, s->port, s->others);
}

/* ---- where it is: the last path of the last frame ---- */

static bool last_path(const follow *f, control_event *last)
{
    char message[200];
    bool found = false;
    container *file = f->last_size ? container_open_bytes(f->last, f->last_size, "", message, sizeof message) : NULL;
    control *events = file ? control_open(file) : NULL;
    for (control_event event; events && control_next(events, &event);)
        if (event.kind == CONTROL_PATH) {
            *last = event;
            found = true;
        }
    if (events)
        control_close(events);
    container_close(file);
    return found;
}

static void where(following *w, char *text, size_t size)
{
    control_event event;
    char name[VECTORS_NAME_MAX];
    descriptor_line lines[64];
    text[0] = 0;
    if (!last_path(&w->f, &event))
        return;
    const image *im = w->app && !w->foreign ? program_image(w->app) : NULL;
    const descriptor_function *f = im ? descriptors_of_path(program_descriptors(w->app), event.path) : NULL;
    vectors_name(im, event.context, name);
    size_t count = f ? program_path_lines(w->app, event.path, lines, 64) : 0;
    const descriptor_line *line = count ? &lines[(count < 64 ? count : 64) - 1] : NULL;
    const char *slash = line && line->file ? strrchr(line->file, '/') : NULL;
    if (!f)
        snprintf(text, size, ", path %" PRIu32, event.path);
    else if (!line || !line->file)
        snprintf(text, size, ", %s", f->name);
    else
        snprintf(text, size, ", %s %s:%" PRIu32, f->name, slash ? slash + 1 : line->file, line->line);
    size_t used = strlen(text);
    if (event.context)
        snprintf(text + used, size - used, " in %s", name);
}

static unsigned columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40 ? 80 : size.ws_col;
}

static void show_status(following *w)
{
    char place[256], line[512], safe[1024];
    double now = clock_seconds();
    if (!w->terminal || now - w->shown < STATUS_SECONDS)
        return;
    double seconds = now - w->shown;
    w->rate = 0.5 * w->rate + 0.5 * (double)(w->arrived - w->shown_bytes) / seconds;
    w->shown = now;
    w->shown_bytes = w->arrived;
    where(w, place, sizeof place);
    snprintf(line, sizeof line, "%s%" PRIu64 " events, %" PRIu64 " bytes, %.1f kB/s, %" PRIu64 " lost%s",
             w->lost_at != 0 ? "waiting: " : "", tally_events(&w->f.counts), w->f.bytes, w->rate / 1000, w->f.lost,
             place);
    text_safe(safe, sizeof safe, line);
    fprintf(stderr, "\r\033[K%.*s", (int)columns() - 1, safe);
    w->status_shown = true;
}

/* ---- the connection ---- */

static void lose(following *w)
{
    clear_status(w);
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
    clear_status(w);
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
        say_overflow(w, overflows);
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
        show_status(w);
        if (w->source.fd < 0) {
            find_again(w);
            continue;
        }
        ssize_t got = follow_source_read(&w->source, block, sizeof block, READ_MS);
        if (got == FOLLOW_OVER)
            break;
        if (got == FOLLOW_CUT)
            lose(w);
        if (got <= 0)
            continue;
        take(w, block, (size_t)got);
    }
    clear_status(w);
    follow_source_close(&w->source);
}

/* ---- the end ---- */

/* That it was stopped is not a loss. */
static bool has_losses(const container *file)
{
    size_t count = container_gap_count(file);
    for (size_t i = 0; i < count; i++) {
        const container_gap *gap = container_gap_at(file, i);
        if (gap->kind != GAP_END || gap->recording + 1 < container_recording_count(file))
            return true;
    }
    return false;
}

static void print_totals(const following *w, const container *file)
{
    weft_counts lost = container_lost(file);
    tally t = tally_of(file);
    uint64_t all = (uint64_t)lost.paths + lost.accesses + lost.values;
    if (!w->ask->json) {
        printf("%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64 " lost\n", tally_events(&t), container_size(file),
               all);
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
    if (ask->swo)
        say_swo(w);
    if (!w->f.recordings) {
        output_discard(w->out);
        return command_fail(ask->name, EXIT_INPUT, "no frame came from '%s': '%s' is not written", ask->source,
                            ask->out);
    }
    if (!output_commit(w->out, message, sizeof message))
        return command_fail(ask->name, EXIT_HOST, "%s", message);
    container *file = container_open(ask->out, message, sizeof message);
    if (!file)
        return command_fail(ask->name, EXIT_INPUT, "%s", message);
    if (!w->f.ended)
        command_fail(ask->name, EXIT_DONE, "note: the recording had not ended; '%s' has it up to here", ask->out);
    bool losses = has_losses(file);
    if (losses)
        container_print_gaps(file, ask->name);
    print_totals(w, file);
    container_close(file);
    return losses ? EXIT_GAPS : EXIT_DONE;
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
        follow_begin(&w.f, output_stream(w.out), say, &w);
        read_all(&w);
        status = finish(&w);
    }
    follow_source_close(&w.source);
    program_close(w.app);
    return status;
}
