/* SPDX-License-Identifier: MIT */
/* weft dump: the event sequence of a container, one per line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/machine/costs.h"
#include "tools/lib/profile/timeline.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/control.h"
#include "tools/lib/recording/filter.h"
#include "tools/lib/recording/full.h"
#include "tools/lib/recording/replay.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/times.h"
#include "tools/lib/wet/run.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/dump_back.h"
#include "tools/weft/dump_events.h"
#include "tools/weft/dump_full.h"
#include "tools/weft/dump_marks.h"
#include "tools/weft/lines.h"
#include "tools/weft/lines_made.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft dump [--elf APP.elf] [--events LIST] [--json] FILE\n\n"
    "The event sequence, in order, one per line.\n\n"
    "  --elf APP.elf   the image that was traced: gives routine entries and exits, blocks, accesses with their sites,\n"
    "                  symbols and source lines. Without it: path numbers, switches of context, and gaps.\n"
    "  --events LIST   of control (entry, exit, block, path, context, event, stamp, control, place), bus (load, "
    "store),\n"
    "                  values; default: all\n"
    "  --context C     only this context (a handler's name, thread, or a number)\n"
    "  --function F    only what happened in activations of this function; needs --elf\n"
    "  --backward      the newest path first: a fault, if the recording has one, the path that was not finished then,\n"
    "                  and the paths before it, with their lines. The default where a fault is recorded, or a black "
    "box\n"
    "  --forward       in the order of time\n"
    "  --last N        with --backward: the newest N paths (default 64; 0: all)\n"
    "  --times         with each path when it ended, in nanoseconds since the recording began: between stamps, which\n"
    "                  are exact, by the instructions of the paths. Needs --elf, and a recording with a clock\n"
    "  --json          one JSON object per line\n\n"
    "A full recording (weft capture --full) or a .wet gives instructions and exceptions for control, and needs no "
    "ELF.\n"
    "Lines: CONTEXT EVENT ... . A context is 0 for thread mode, an exception number, or a thread's number from 512 "
    "on.\n";

static unsigned class_of(replay_kind kind)
{
    return kind == REPLAY_ACCESS                             ? EVENTS_BUS
           : kind == REPLAY_VALUE                            ? EVENTS_VALUES
           : kind == REPLAY_GAP || kind == REPLAY_UNRESOLVED ? EVENTS_CONTROL | EVENTS_BUS | EVENTS_VALUES
                                                             : EVENTS_CONTROL;
}

/* Whether an event is printed under --function: if its activation is of that function. Gaps and switches of context
 * always are. */
static bool is_wanted(const event_filter *f, const replay_event *event)
{
    switch (event->kind) {
    case REPLAY_GAP:
    case REPLAY_UNRESOLVED:
        return true;
    case REPLAY_ACCESS:
    case REPLAY_VALUE:
        return event_filter_site(f, event->context, event->id);
    case REPLAY_BLOCK:
        return event_filter_block(f, event->context, event->id);
    case REPLAY_ENTRY:
    case REPLAY_EXIT:
    case REPLAY_PATH:
        return event_filter_context(f, event->context) && event_filter_function(f, event->function);
    default:
        return event_filter_context(f, event->context) && !f->function;
    }
}

/* What a recording's events are printed with. */
typedef struct dumping {
    const container *file;
    program *app;
    event_filter wanted;
    given_names names;
    unsigned events;
    bool times;
} dumping;

/* The clock goes on with each path and stamp. */
static void go_on(timeline *t, const replay_event *event)
{
    if (event->kind == REPLAY_PATH)
        (void)timeline_path(t, event->id, event->context);
    else if (event->kind == REPLAY_MARK && event->mark->kind == WEFT_MARK_STAMP)
        timeline_stamp(t, event->recording, event->time);
}

/* The events as they are fetched. */
typedef struct fetching {
    const dumping *d;
    replay *r;
    timeline *t;        /* NULL: when it was is not asked for */
    uint64_t estimated; /* paths: when they ended is estimated */
} fetching;

/* An event whose line is to be made. */
typedef struct dumped {
    replay_event event;
    trace_mark mark; /* the event's own is gone with the next event */
    dump_moment moment;
} dumped;

static size_t fetch_events(void *own, void *items, size_t max)
{
    fetching *f = own;
    dumped *to = items;
    size_t count = 0;
    for (replay_event *event = &to->event; count < max && replay_next(f->r, event); event = &to[count].event) {
        if (f->t)
            go_on(f->t, event);
        if (f->t)
            to[count].moment = (dump_moment){timeline_now(f->t), timeline_estimated(f->t)};
        if (event->kind == REPLAY_MARK) {
            to[count].mark = *event->mark;
            event->mark = &to[count].mark;
        }
        bool wanted = class_of(event->kind) & f->d->events && is_wanted(&f->d->wanted, event);
        f->estimated += wanted && f->t && event->kind == REPLAY_PATH && to[count].moment.estimated;
        count += wanted;
    }
    return count;
}

static void put_fetched(const void *own, out *o, const void *item)
{
    const fetching *f = own;
    const dumped *it = item;
    dump_event(o, f->d->app, &f->d->names, &it->event, f->t ? &it->moment : NULL);
}

static void dump_all(const dumping *d, replay *r, bool json)
{
    path_costs *costs = d->times ? costs_open(d->app) : NULL;
    fetching f = {d, r, d->times ? timeline_open(d->file, costs) : NULL, 0};
    const lines_source source = {&f, sizeof(dumped), fetch_events, put_fetched};
    lines_made(&source, json);
    if (f.estimated)
        fprintf(stderr,
                "weft dump: note: the times of %" PRIu64 " paths are estimated: the time between two stamps is shared "
                "by instructions, and how many some of these paths have is not known\n",
                f.estimated);
    timeline_close(f.t);
    costs_close(costs);
}

/* Events that --events does not name; those of --times and of --function are all looked at. */
static unsigned kinds_of_no_use(const dumping *d)
{
    unsigned kinds = d->events & EVENTS_BUS ? 0 : REPLAY_KIND(REPLAY_ACCESS);
    kinds |= d->events & EVENTS_VALUES ? 0 : REPLAY_KIND(REPLAY_VALUE);
    return d->events & EVENTS_CONTROL ? kinds : kinds | REPLAY_KIND(REPLAY_BLOCK);
}

/* Whether some functions do not announce what --events names. */
static bool is_mixed(const dumping *d, out *o)
{
    unsigned kinds = d->events & EVENTS_BUS ? ANNOUNCED_ACCESSES : 0;
    kinds |= d->events & EVENTS_VALUES ? ANNOUNCED_VALUES : 0;
    bool mixed = announced_say("dump", d->app, kinds);
    if (mixed && o->json) {
        begin_line(o, 0, "mixed");
        put_string(o, "mixed", "probes");
        end_line(o);
    }
    put_flush(o);
    return mixed;
}

static int dump_with(const dumping *d, out *o)
{
    scripts *paths = scripts_open(d->app);
    replay *r = replay_open(d->file, (replay_model){paths, scripts_model});
    int status = is_mixed(d, o) ? EXIT_GAPS : EXIT_DONE;
    replay_leave_out(r, kinds_of_no_use(d));
    dump_all(d, r, o->json);
    fflush(stdout);
    if (announced_say_unknown("dump", replay_unresolved(r), replay_unknown(r)))
        status = EXIT_GAPS;
    if (replay_error(r))
        status = command_fail("dump", EXIT_INPUT, "%s: %s", container_path(d->file), replay_error(r));
    replay_close(r);
    scripts_close(paths);
    return status;
}

/* Dumps without --elf. Returns the number of frames whose paths cannot be read. */
static uint64_t dump_without(out *o, const dumping *d)
{
    const given_names *names = &d->names;
    control *c = control_open(d->file);
    for (control_event event; control_next(c, &event);) {
        if (event.kind != CONTROL_GAP &&
            (!(d->events & EVENTS_CONTROL) || !event_filter_context(&d->wanted, event.context)))
            continue;
        if (event.kind == CONTROL_MARK) {
            dump_mark(o, event.context, event.mark, event.time, dump_mark_name(names, event.recording, event.mark),
                      NULL);
        } else if (event.kind == CONTROL_CONTEXT) {
            dump_context(o, event.context, given_names_text(names, event.recording, NAMES_CONTEXT(event.context)),
                         NULL);
            end_line(o);
        } else {
            begin_line(o, event.context, event.kind == CONTROL_PATH ? "path" : "gap");
            if (event.kind == CONTROL_PATH) {
                put_key(o, "path");
                put_number(o, event.path);
            }
            end_line(o);
        }
    }
    put_flush(o);
    uint64_t unread = control_unread(c);
    control_close(c);
    return unread;
}

static bool parse_events(const char *list, unsigned *events)
{
    *events = 0;
    while (*list) {
        size_t size = strcspn(list, ",");
        if (size == 7 && !strncmp(list, "control", size))
            *events |= EVENTS_CONTROL;
        else if (size == 3 && !strncmp(list, "bus", size))
            *events |= EVENTS_BUS;
        else if (size == 6 && !strncmp(list, "values", size))
            *events |= EVENTS_VALUES;
        else
            return false;
        list += size + (list[size] == ',');
    }
    return *events != 0;
}

typedef struct options {
    const char *elf, *chosen;
    event_choice choice;
    unsigned events;
    long long last;
    bool json, backward, forward, times;
} options;

/* What led to a fault is read from there. */
static bool goes_back(const container *file, const options *opt)
{
    uint64_t form;
    bool broke = container_next(file, WEFT_FRAME_FAULT, 0) < container_frame_count(file);
    return opt->backward ||
           (!opt->forward && !opt->times && (broke || container_meta(file, WEFT_META_BLACKBOX, &form)));
}

/* The exit status; gaps of the container are not reported yet. */
static int dump(container *file, const options *opt, uint64_t *unread)
{
    out o = {.json = opt->json};
    char message[400];
    int status = EXIT_DONE;
    program *app = opt->elf ? program_open(opt->elf, message, sizeof message) : NULL;
    dumping d = {.file = file, .app = app, .events = opt->events, .times = opt->times};
    given_names_read(&d.names, file);
    if ((opt->elf && (!app || !program_fits(app, file, message, sizeof message))) ||
        !event_filter_open(&d.wanted, opt->choice, file, app, message, sizeof message)) {
        status = command_fail("dump", EXIT_INPUT, "%s", message);
    } else if (!app && container_packed(file)) {
        status = command_fail("dump", EXIT_INPUT, "%s: %s", container_path(file), container_packed(file));
    } else if (app) {
        if (opt->json && !program_identity_checked(app, file))
            put_unchecked(&o, "identity");
        if (opt->json && !program_image(app)->sealed)
            put_unchecked(&o, "image");
    }
    if (status == EXIT_DONE && goes_back(file, opt)) {
        *unread = dump_back(&o, file, app, &d.wanted, opt->last < 0 ? 64 : (size_t)opt->last);
    } else if (status == EXIT_DONE && opt->last >= 0) {
        status = command_fail("dump", EXIT_USAGE, "--last goes with --backward");
    } else if (status == EXIT_DONE && app) {
        status = dump_with(&d, &o);
    } else if (status == EXIT_DONE) {
        *unread = dump_without(&o, &d);
        if (opt->events & ~(unsigned)EVENTS_CONTROL)
            fputs("weft dump: only the ELF says which sites accesses and values belong to: --elf APP.elf\n", stderr);
    }
    put_flush(&o);
    put_close(&o);
    event_filter_close(&d.wanted);
    program_close(app);
    given_names_free(&d.names);
    fflush(stdout);
    return status;
}

int command_dump(int argc, char **argv)
{
    char message[300];
    options o = {.events = EVENTS_CONTROL | EVENTS_BUS | EVENTS_VALUES, .last = -1};
    const command_option list[] = {{"elf", .text = &o.elf},
                                   {"events", .text = &o.chosen},
                                   {"context", .text = &o.choice.context},
                                   {"function", .text = &o.choice.function},
                                   {"backward", .flag = &o.backward},
                                   {"forward", .flag = &o.forward},
                                   {"times", .flag = &o.times},
                                   {"last", .number = &o.last, .max = 1000000000},
                                   {"json", .flag = &o.json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status != OPTIONS_READ)
        return status;
    if (o.backward && o.forward)
        return command_fail("dump", EXIT_USAGE, "--backward and --forward exclude one another");
    if (o.times && o.backward)
        return command_fail("dump", EXIT_USAGE, "--times goes forward");
    if (o.chosen && !parse_events(o.chosen, &o.events))
        return command_fail("dump", EXIT_USAGE, "--events takes a list of control, bus, values, not '%s'", o.chosen);
    if (argc - optind != 1)
        return command_fail("dump", EXIT_USAGE, "takes one container (see weft dump --help)");
    o.elf = elf_beside(o.elf, argv[optind]);
    if (wet_run_is(argv[optind]) && (o.times || o.backward || o.last >= 0))
        return command_fail("dump", EXIT_USAGE, "--times, --backward and --last go with a recording with probes");
    if (wet_run_is(argv[optind]))
        return dump_full(argv[optind], o.elf, o.choice, o.events, o.json);
    container *file = container_open(argv[optind], message, sizeof message);
    if (!file)
        return command_fail("dump", EXIT_INPUT, "%s", message);
    const char *why = container_counts(file) ? container_mixed(file) : container_without_paths(file);
    bool traced = container_next(file, WEFT_FRAME_TRACE, 0) < container_frame_count(file);
    bool full = container_next(file, WEFT_FRAME_FULL, 0) < container_frame_count(file);
    if (why && (traced || full)) {
        container_close(file);
        return command_fail("dump", EXIT_INPUT, "%s: %s", argv[optind], why);
    }
    if (o.times && (!o.elf || !times_base_of(file).hz)) {
        status = o.elf ? command_fail("dump", EXIT_INPUT, "%s: it has no clock whose frequency is known", argv[optind])
                       : command_fail("dump", EXIT_USAGE, "--times needs --elf APP.elf");
        container_close(file);
        return status;
    }
    uint64_t unread = 0;
    status = dump(file, &o, &unread);
    if (status != EXIT_INPUT && status != EXIT_USAGE && control_print_gaps(file, unread, "dump"))
        status = EXIT_GAPS;
    container_close(file);
    return status;
}
