/* SPDX-License-Identifier: MIT */
#include "tools/weft/capturing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/given_names.h"
#include "tools/lib/recording/script.h"

/* EXIT_DONE: what the recording says of itself. */
static int summarise(capture *c, full_summary *summary)
{
    char message[300];
    if (c->stream) {
        capture_stream *stream = c->stream;
        c->stream = NULL;
        return capture_stream_close(stream, summary, message, sizeof message)
                   ? EXIT_DONE
                   : command_fail(c->name, EXIT_HOST, "%s", message);
    }
    full_reader *reader = full_open(c->out, message, sizeof message);
    if (!reader)
        return command_fail(c->name, EXIT_INPUT, "%s: %s", c->out, message);
    full_summarise(reader, summary);
    full_close(reader);
    return EXIT_DONE;
}

int capture_total_full(capture *c, capture_totals *t)
{
    full_summary summary = {0};
    int status = summarise(c, &summary);
    if (status != EXIT_DONE)
        return status;
    t->events = summary.instructions + summary.accesses;
    t->in.accesses = summary.accesses;
    t->bytes = summary.bytes;
    t->gaps = !summary.complete;
    if (t->gaps)
        command_fail(c->name, EXIT_GAPS, "the recording has no end record: it is cut");
    return EXIT_DONE;
}

/* The first path that the program's descriptors do not know; false: they know all. */
static bool uncovered(const container *file, const program *app, uint32_t *path)
{
    control *events = control_open(file);
    control_event event;
    bool found = false;
    while (!found && control_next(events, &event)) {
        found = event.kind == CONTROL_PATH && !descriptors_of_path(program_descriptors(app), event.path);
        *path = event.path;
    }
    control_close(events);
    return found;
}

/* A program that was built for recording, but records nothing or paths that its own descriptors do not have, was built
 * wrongly. Without this check that would pass for a short run. */
static int judge_recording(const capture *c, const container *file, const program *app, const char *message,
                           const capture_totals *t)
{
    uint32_t path;
    bool counts = app && image_counter(program_image(app)) && t->in.marks;
    bool nothing = t->events == t->in.marks && !t->lost && !t->in.profiled && !counts;
    if (nothing && c->memory)
        return command_fail(c->name, EXIT_INPUT, "nothing was recorded");
    if (c->memory)
        return EXIT_DONE;
    int status = EXIT_DONE;
    if (!app)
        status = command_fail(c->name, EXIT_INPUT, "%s: %s", nothing ? "nothing was recorded" : "cannot be decoded",
                              message);
    else if (nothing)
        status = command_fail(c->name, EXIT_INPUT,
                              "nothing was recorded: %zu functions of %s have probes, but none of them ran between "
                              "weft_start and weft_stop",
                              program_descriptors(app)->count, c->elf);
    else if (uncovered(file, app, &path))
        status = command_fail(c->name, EXIT_INPUT,
                              "the descriptors of %s do not cover the code that ran: they know no path %" PRIu32,
                              c->elf, path);
    return status;
}

enum { FIRST_THREAD = 512 }; /* contexts from here on are threads */

static bool has_thread_names(const given_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->all[i].number % 2 == 0 && names->all[i].number >= NAMES_CONTEXT(FIRST_THREAD))
            return true;
    return false;
}

/* Where threads have names, one without found no room for its own. */
static void note_unnamed(const capture *c, const container *file)
{
    given_names names = {0};
    given_names_read(&names, file);
    control *events = has_thread_names(&names) ? control_open(file) : NULL;
    control_event event = {0};
    bool found = false;
    while (events && !found && control_next(events, &event))
        found =
            event.context >= FIRST_THREAD && !given_names_text(&names, event.recording, NAMES_CONTEXT(event.context));
    if (found)
        command_fail(c->name, EXIT_DONE,
                     "note: thread %" PRIu32 " has no name, but others have: is there room for all names? %zu came out "
                     "(-DWEFT_AUTO_NAMES=N; CMake: DEFINES WEFT_AUTO_NAMES=N)",
                     event.context, names.count);
    control_close(events);
    given_names_free(&names);
}

int capture_total_container(const capture *c, capture_totals *t, int *judged)
{
    char message[512] = "";
    container *file = container_open(c->out, message, sizeof message);
    if (!file)
        return command_fail(c->name, EXIT_INPUT, "no trace came out: %s", message);
    program *app = c->elf ? program_open(c->elf, message, sizeof message) : NULL;
    if (app && (!c->memory || program_identity_checked(app, file)))
        container_know(file, program_descriptors(app));
    weft_counts lost = container_lost(file);
    t->in = tally_of(file);
    t->bytes = container_size(file);
    t->lost = (uint64_t)lost.paths + lost.accesses + lost.values + lost.marks;
    t->events = tally_events(&t->in);
    t->at_least = container_at_least(file);
    t->gaps = container_gap_count(file) > 0;
    container_print_gaps(file, c->name);
    note_unnamed(c, file);
    (void)announced_note(c->name, app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
    *judged = judge_recording(c, file, app, message, t);
    container_close(file);
    program_close(app);
    return EXIT_DONE;
}

/* `end` is NULL if nothing was run. */
void capture_totals_print(const capture *c, const capture_totals *t, const emulator_end *end)
{
    if (!c->json) {
        fprintf(command_says(c->out), "%llu events, %llu bytes, %s%llu lost\n", (unsigned long long)t->events,
                (unsigned long long)t->bytes, t->at_least ? t->at_least : "", (unsigned long long)t->lost);
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "events", t->events);
    json_unsigned(j, "bytes", t->bytes);
    json_unsigned(j, "lost", t->lost);
    json_unsigned(j, c->full ? "instructions" : "paths", c->full ? t->events - t->in.accesses : t->in.paths);
    json_unsigned(j, "accesses", t->in.accesses);
    if (!c->full)
        json_unsigned(j, "values", t->in.values);
    if (end) {
        json_integer(j, "exit", end->status);
        json_string(j, "machine", c->machine);
    }
    json_end_object(j);
    json_finish(j);
}
