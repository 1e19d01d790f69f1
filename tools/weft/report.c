/* SPDX-License-Identifier: MIT */
/* weft report: a run as one page for a browser. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/sources.h"
#include "tools/lib/base/text.h"
#include "tools/lib/export/loss.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/recording/announced.h"
#include "tools/lib/wet/open.h"
#include "tools/weft/beside.h"
#include "tools/weft/command.h"
#include "tools/weft/inspected.h"
#include "tools/weft/options.h"
#include "tools/weft/profiled.h"
#include "tools/weft/report_fleet.h"
#include "tools/weft/report_reading.h"

static const char help[] =
    "usage: weft report -o OUT.html [--svd FILE] [--why PLACE,...] [--context NAME] [--function NAME] [--json]\n"
    "                   [--elf APP.elf] IN\n"
    "       weft report -o OUT.html [--label K=V,...] [--before K=V,... --after K=V,...] [--json] X.weft-profile\n\n"
    "Writes one HTML page that shows the run: what ran when, which addresses were accessed, which contexts were "
    "active,\n"
    "hot subpaths, loops, walks over arrays, interrupts, losses. It opens without a network, in any browser.\n\n"
    "  -o, --output OUT   the page; what stood there is replaced only when all is written\n"
    "  --elf APP.elf      the image that was traced (default: beside IN)\n"
    "  --svd FILE         names of devices and their registers (CMSIS-SVD)\n"
    "  --why PLACE,...    of a .wet: how the last values of these places came about (weft wet why), as trees\n"
    "  --context NAME     only one context: a handler's name, thread, or a number\n"
    "  --function NAME    only what this function does itself\n"
    "  --json             the result as one JSON object: bytes (of the page), functions, contexts, total, unit, lost\n"
    "                     (paths)\n\n"
    "IN is a recording with probes, a full recording (weft capture --full), or a whole execution trace (X.wet). Time "
    "is\n"
    "counted in instructions, as weft functions counts them. Memory grows with the run up to some 350 MB.\n\n"
    "Of a merged profile (weft merge) the page answers what weft fleet answers: where the time goes, which paths few\n"
    "devices took, what changed from one version to another, what nobody has run.\n\n"
    "  --elf APP.elf      an image, if it was not given to weft merge; may come several times\n"
    "  --label K=V        only recordings with these labels (of a comparison: its own)\n"
    "  --before, --after  labels of the two versions; without them those that the label `version` has, if it has two\n"
    "  --level P          the chance that one or more of the changes are noise (default 0.01)\n"
    "  -k K               sequences of up to K paths (default 1)\n"
    "  --fewer N          rare is what fewer than N devices took, N to 17 (default 2)\n";

typedef struct options {
    const char *elf, *out, *svd, *why;
    event_choice choice;
    bool json;
} options;

/* ---- what the room inspect finds ---- */

typedef struct machine {
    inspected in; /* holds the names */
    irqs irqs;
    stacks stacks;
    devices devices;
} machine;

/* Each reads the recording again. Where it is damaged, what stands before that counts; the damage was named before. */
static int inspect(const options *o, const char *name, const char *path, const svd *names, bool any_device,
                   bool clocked, machine *m)
{
    inspected *in = &m->in;
    *in = (inspected){.name = name, .path = path};
    int status = inspected_open(in, o->elf);
    m->devices.names = names;
    if (status == EXIT_DONE && in->reader) {
        irqs_full(&m->irqs, in->reader, in->im);
        if (inspected_again(in))
            stacks_full(&m->stacks, in->reader, in->im);
        if (any_device && inspected_again(in))
            devices_full(&m->devices, in->reader, in->im);
    } else if (status == EXIT_DONE) {
        irqs_probes(&m->irqs, in->file, in->app, clocked, &in->seen);
        stacks_probes(&m->stacks, in->file, in->app, &in->seen);
        if (any_device)
            devices_probes(&m->devices, in->file, in->app, &in->seen);
    }
    return status;
}

/* ---- the result ---- */

static size_t functions_that_ran(const functions *all, uint32_t *order)
{
    size_t shown = 0;
    for (size_t i = 0; i < all->count; i++)
        if (all->all[order[i]].calls || all->all[order[i]].self)
            order[shown++] = order[i];
    return shown;
}

static void say(const options *o, const report_data *d, uint64_t bytes)
{
    if (!o->json) {
        char lost[EXPORT_LOSS_MAX];
        export_loss_text(lost, (export_loss){d->lost, d->gaps, *d->at_least != 0, d->cut});
        FILE *to = command_says(o->out);
        text_print(to, o->out);
        fprintf(to, ": %" PRIu64 " bytes, %" PRIu64 " instructions, %zu function%s, %" PRIu32 " context%s, %s\n", bytes,
                d->all->total, d->shown, d->shown == 1 ? "" : "s", d->run->contexts.every.count,
                d->run->contexts.every.count == 1 ? "" : "s", lost);
        return;
    }
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "bytes", bytes);
    json_unsigned(j, "functions", d->shown);
    json_integer(j, "contexts", d->run->contexts.every.count);
    json_unsigned(j, "total", d->all->total);
    json_string(j, "unit", "instructions");
    if (d->all->estimated)
        json_unsigned(j, "estimated", d->all->estimated);
    if (d->clock)
        json_thousandths(j, "time_us", d->clock->total);
    json_unsigned(j, "lost", d->lost);
    json_end_object(j);
    json_finish(j);
}

/* Writes the page. The exit status. */
static int write_page(const options *o, const char *name, report_data *d)
{
    char message[400];
    output *out = output_open(o->out, message, sizeof message);
    if (!out)
        return command_fail(name, EXIT_HOST, "%s", message);
    report_page_write(d, output_stream(out));
    uint64_t bytes = output_size(out);
    if (!output_commit(out, message, sizeof message))
        return command_fail(name, EXIT_HOST, "%s", message);
    say(o, d, bytes);
    return EXIT_DONE;
}

/* All that a page is made of. */
typedef struct making {
    const options *o;
    const char *name, *path; /* of the command and of the recording */
    sources *lines;
    svd *names;
    profiled run;
    report_watcher watcher;
    machine machine;
    wet_file *wet; /* for --why */
    whys whys;
    places places;
    functions *timed; /* where there is a clock: all, by time */
} making;

/* The functions by the recording's clock. The exit status. */
static int read_timed(making *m)
{
    functions_seen seen = {0};
    m->timed = functions_new();
    functions_of_program(m->timed, m->run.app);
    if (m->o->choice.function)
        functions_only(m->timed, m->o->choice.function);
    functions_choice choice = m->run.choice;
    choice.clocked = true;
    const char *error = functions_feed(m->timed, m->run.file, m->run.app, choice, &seen);
    functions_finish(m->timed);
    return error ? command_fail(m->name, EXIT_INPUT, "%s: %s", m->path, error) : EXIT_DONE;
}

static int write_run(making *m)
{
    profiled *run = &m->run;
    uint32_t *order = profiled_order(run->all);
    char text[200] = "";
    if (m->timed)
        clocked_text(run->file, text, sizeof text);
    report_clock clock = {text, m->timed, m->timed ? timeline_now(m->watcher.time) : 0};
    report_data d = {.program = text_base(m->o->elf),
                     .recording = text_base(m->path),
                     .all = run->all,
                     .order = order,
                     .shown = functions_that_ran(run->all, order),
                     .run = m->watcher.run,
                     .im = profiled_image(run),
                     .app = run->app,
                     .file = run->file,
                     .clock = m->timed ? &clock : NULL,
                     .irqs = &m->machine.irqs,
                     .stacks = &m->machine.stacks,
                     .devices = m->watcher.devices ? &m->machine.devices : NULL,
                     .whys = m->wet ? &m->whys : NULL,
                     .only = {m->o->choice.context, m->o->choice.function},
                     .lost = run->loss.paths,
                     .at_least = container_at_least(run->file),
                     .gaps = run->loss.gaps,
                     .cut = run->loss.cut,
                     .unknown = run->seen.unknown + run->seen.unresolved,
                     .sources = m->lines};
    bool lacking = profiled_lacks_accesses(run);
    d.mixed = announced_mixed(run->app, ANNOUNCED_ACCESSES | ANNOUNCED_VALUES);
    int status = write_page(m->o, m->name, &d);
    free(order);
    if (status == EXIT_DONE)
        status = profiled_warn(run);
    return lacking && status == EXIT_DONE ? EXIT_GAPS : status;
}

/* The trees of --why. The exit status. */
static int find_whys(making *m)
{
    char message[400];
    if (m->run.kind != EXECUTED_WET)
        return command_fail(m->name, EXIT_USAGE, "--why goes with a whole execution trace (X.wet)");
    m->wet = wet_file_open(m->path, message, sizeof message);
    m->whys.f = m->wet;
    m->whys.im = profiled_image(&m->run);
    if (!m->wet || !whys_add(&m->whys, m->o->why, message, sizeof message))
        return command_fail(m->name, EXIT_INPUT, "%s", message);
    whys_times(&m->whys);
    if (m->wet->damaged || m->wet->damaged_at)
        return command_fail(m->name, EXIT_INPUT, "%s is damaged", m->path);
    return EXIT_DONE;
}

static int make_page(making *m)
{
    int status = profiled_open(&m->run, m->name, m->o->elf, m->path,
                               (profiled_choice){.context = m->o->choice.context, .function = m->o->choice.function});
    if (status != EXIT_DONE)
        return status;
    m->places = places_of(profiled_image(&m->run));
    if (m->names)
        places_add_devices(&m->places, m->names);
    m->watcher.run = report_run_new((heat_namer){&m->places, places_range});
    status = report_read(&m->run, &m->watcher);
    if (status != EXIT_DONE)
        return status;
    report_run_end(m->watcher.run);
    if (m->watcher.time && (status = read_timed(m)) != EXIT_DONE)
        return status;
    status = inspect(m->o, m->name, m->path, m->names, m->watcher.devices, m->timed, &m->machine);
    if (status == EXIT_DONE && m->o->why)
        status = find_whys(m);
    return status == EXIT_DONE ? write_run(m) : status;
}

static void making_free(making *m)
{
    report_run_free(m->watcher.run);
    timeline_close(m->watcher.time);
    costs_close(m->watcher.costs);
    functions_free(m->timed);
    profiled_close(&m->run);
    irqs_free(&m->machine.irqs);
    stacks_free(&m->machine.stacks);
    devices_free(&m->machine.devices);
    if (m->machine.in.path)
        inspected_close(&m->machine.in);
    whys_free(&m->whys);
    if (m->wet)
        wet_file_close(m->wet);
    places_free(&m->places);
    sources_close(m->lines);
    if (m->names)
        svd_close(m->names);
}

static int report(const options *o, const char *name, const char *path)
{
    char message[400];
    making m = {.o = o, .name = name, .path = path};
    m.lines = sources_open();
    m.names = o->svd ? svd_open(o->svd, message, sizeof message) : NULL;
    int status = o->svd && !m.names ? command_fail(name, EXIT_INPUT, "%s", message) : make_page(&m);
    making_free(&m);
    return status;
}

/* Of a merged profile. */
static int report_profile(const options *o, report_fleet_options *fleet, const char *name, char *path)
{
    if (o->svd || o->why || o->choice.context || o->choice.function)
        return command_fail(name, EXIT_USAGE, "--svd, --why, --context and --function do not go with a merged profile");
    fleet->out = o->out;
    fleet->json = o->json;
    return report_fleet(fleet, name, path);
}

static int report_one(options *o, report_fleet_options *fleet, int argc, char **argv)
{
    bool one = argc - optind == 1, profile = one && profile_is(argv[optind]);
    if (fleet->elf.count > 1 && !profile)
        return command_fail(*argv, EXIT_USAGE, "more than one --elf goes with a merged profile only");
    if (!one || !o->out)
        return command_fail(*argv, EXIT_USAGE, "takes one recording and -o OUT (see weft report --help)");
    int status = command_output(*argv, o->out, o->json, false);
    if (status != EXIT_DONE)
        return status;
    if (!profile)
        o->elf = elf_beside(fleet->elf.count ? fleet->elf.all[0] : NULL, argv[optind]);
    if (!o->elf && !profile)
        return elf_missing(*argv, argv[optind]);
    bool same = command_same_file(argv[optind], o->out) || (o->elf && command_same_file(o->elf, o->out)) ||
                (o->svd && command_same_file(o->svd, o->out));
    for (size_t i = 0; i < fleet->elf.count; i++)
        same |= command_same_file(fleet->elf.all[i], o->out);
    if (same)
        return command_fail(*argv, EXIT_USAGE, "'%s' is an input", o->out);
    if (profile)
        return report_profile(o, fleet, *argv, argv[optind]);
    if (report_fleet_asked(fleet))
        return command_fail(*argv, EXIT_USAGE,
                            "--label, --before, --after, --level, -k and --fewer go with a merged profile");
    return report(o, *argv, argv[optind]);
}

int command_report(int argc, char **argv)
{
    options o = {0};
    report_fleet_options fleet = {0};
    const command_option list[] = {{"o", .text = &o.out},
                                   {"output", .text = &o.out},
                                   {"elf", .texts = &fleet.elf},
                                   {"svd", .text = &o.svd},
                                   {"why", .text = &o.why},
                                   {"context", .text = &o.choice.context},
                                   {"function", .text = &o.choice.function},
                                   {"label", .text = &fleet.label},
                                   {"before", .text = &fleet.before},
                                   {"after", .text = &fleet.after},
                                   {"level", .text = &fleet.level},
                                   {"k", .number = &fleet.k, .min = 1, .max = MERGED_K_MAX},
                                   {"fewer", .number = &fleet.fewer, .min = 1, .max = SETS_MEMBERS_MAX + 1},
                                   {"json", .flag = &o.json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    if (status == OPTIONS_READ)
        status = report_one(&o, &fleet, argc, argv);
    free(fleet.elf.all);
    return status;
}
