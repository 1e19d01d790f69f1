/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/lib/base/clock.h"
#include "tools/lib/base/text.h"
#include "tools/lib/image/vectors.h"
#include "tools/lib/recording/control.h"
#include "tools/weft/command.h"
#include "tools/weft/following.h"

#define STATUS_SECONDS 0.25

void follow_clear_status(following *w)
{
    if (w->status_shown)
        fputs("\r\033[K", stderr);
    w->status_shown = false;
}

static void say_started(following *w, const weft_frame *frame)
{
    w->foreign = w->app && frame->identity && !program_may_be(w->app, frame->identity);
    command_fail(w->ask->name, EXIT_DONE, "recording %" PRIu32 " begins: identity %08" PRIx32 ", run %" PRIu32 "%s",
                 w->f.recordings, frame->identity, frame->run,
                 w->foreign ? "; that is not the image of --elf, so places are not shown" : "");
}

enum { DAMAGED_MOST = 20 }; /* places that are named of a whole file */

static void say_damaged(following *w, uint64_t bytes)
{
    if (w->ask->whole && ++w->damaged > DAMAGED_MOST)
        w->damaged_bytes += bytes;
    else
        command_fail(w->ask->name, EXIT_DONE, "gap: %" PRIu64 " damaged bytes", bytes);
}

void follow_say_more(const following *w)
{
    if (w->damaged > DAMAGED_MOST)
        command_fail(w->ask->name, EXIT_DONE, "gap: %" PRIu64 " more places with %" PRIu64 " damaged bytes",
                     w->damaged - DAMAGED_MOST, w->damaged_bytes);
}

void follow_say(void *own, const follow_notice *what)
{
    following *w = own;
    const char *name = w->ask->name;
    follow_clear_status(w);
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
        say_damaged(w, what->count);
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

void follow_say_overflow(following *w, uint64_t overflows)
{
    if (w->ask->whole || w->swo.overflows == overflows)
        return;
    follow_clear_status(w);
    command_fail(w->ask->name, EXIT_DONE,
                 "the ITM overflowed near byte %" PRIu64 ": it dropped packets, of this port or of others",
                 overflows ? w->swo.bytes : w->swo.overflowed_at);
}

void follow_say_swo(const following *w)
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

static bool last_path(const following *w, control_event *last)
{
    char message[200];
    bool found = false;
    const follow *f = &w->f;
    container *file = f->last_size ? container_open_bytes(f->last, f->last_size, "", message, sizeof message) : NULL;
    if (file && w->app && !w->foreign)
        container_know(file, program_descriptors(w->app));
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
    if (!last_path(w, &event))
        return;
    const image *im = w->app && !w->foreign ? program_image(w->app) : NULL;
    const descriptor_function *f = im ? descriptors_of_path(program_descriptors(w->app), event.path) : NULL;
    vectors_name(im, event.context, name);
    size_t count = f ? program_path_lines(w->app, event.path, lines, 64) : 0;
    const descriptor_line *line = count ? &lines[(count < 64 ? count : 64) - 1] : NULL;
    if (!f)
        snprintf(text, size, ", path %" PRIu32, event.path);
    else if (!line || !line->file)
        snprintf(text, size, ", %s", f->name);
    else
        snprintf(text, size, ", %s %s:%" PRIu32, f->name, text_base(line->file), line->line);
    size_t used = strlen(text);
    if (event.context)
        snprintf(text + used, size - used, " in %s", name);
}

static unsigned columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40 ? 80 : size.ws_col;
}

void follow_show_status(following *w)
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
