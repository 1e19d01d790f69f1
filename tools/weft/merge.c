/* SPDX-License-Identifier: MIT */
/* weft merge: recordings and profiles into one profile. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/output.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/fleet/workers.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"
#include "tools/weft/mpi.h"
#include "tools/weft/options.h"

static const char help[] =
    "usage: weft merge [-k K] [--elf APP.elf]... [--label K=V,...] [--context NAME] [--function NAME] [--share I/N]\n"
    "                  [--json] IN... -o OUT.weft-profile\n"
    "       weft merge ... --list LIST -o OUT.weft-profile\n"
    "       mpirun -n N weft merge ... --mpi LIST -o OUT.weft-profile\n\n"
    "Sums up recordings, and profiles that were merged before. The result depends on what is merged, not on the order\n"
    "or on the steps. The same recording twice, with the same labels, is refused.\n\n"
    "  -o, --output OUT   the profile to write\n"
    "  --elf APP.elf      an image that recordings come from; may come several times. With it the profile knows\n"
    "                     sequences, functions, costs, loops, and the source lines that fleet prints; else only "
    "paths,\n"
    "                     and the sequences that a target counted itself\n"
    "  -k K               longest sequence of paths, 2 to 64 (default 4)\n"
    "  --label K=V,...    of recordings. `device` names who recorded (else each recording counts as a device of its\n"
    "                     own); recordings whose other labels are the same are summed up together. What is\n"
    "                     merged already keeps its labels\n"
    "  --context NAME, --function NAME\n"
    "                     of recordings, only what happened in this context (a handler's name, thread, or a number), "
    "or\n"
    "                     in this function. They get it as labels, so that parts of runs are not summed up with whole\n"
    "                     ones\n"
    "  --list LIST        inputs from a file, one per line: FILE, or FILE, a tab and K=V,... A bad one is reported "
    "and\n"
    "                     left out\n"
    "  --mpi LIST         the same under mpirun: ranks take blocks of the list as they become free. Blocks that are "
    "done\n"
    "                     stay in OUT.parts until all are; the same command again does the rest\n"
    "  --share I/N        only the I-th of N shares of the inputs (I from 1 to N, or from 0 to N-1)\n"
    "  --jobs N           processes (default: one per core)\n"
    "  --json             one JSON object: recordings, skipped, paths, devices, lost, ...\n";

typedef struct merge {
    const char *name, *out, *label, *list, *mpi, *share;
    char **inputs;
    command_texts elf;
    event_choice choice;
    gather_list *listed;
    long long k, jobs;
    bool as_json;
    size_t first, step; /* of the share */
} merge;

static size_t all_inputs(const merge *m)
{
    size_t count = 0;
    if (m->listed)
        return gather_list_count(m->listed);
    while (m->inputs[count])
        count++;
    return count;
}

static gather_input input_at(void *own, size_t number)
{
    const merge *m = own;
    size_t at = m->first + number * m->step;
    if (!m->listed)
        return (gather_input){m->inputs[at], m->label, false};
    gather_input entry = gather_list_at(m->listed, at);
    entry.labels = entry.labels ? entry.labels : m->label;
    return entry;
}

static bool skip(void *own, gather_input left, const char *why)
{
    const merge *m = own;
    command_fail(m->name, EXIT_INPUT, "%s%s: %s", m->listed ? "left out: " : "", left.path, why);
    return m->listed != NULL;
}

/* ---- the result ---- */

static void print_result(const merge *m, const merged *all, uint64_t skipped, size_t size)
{
    merged_totals t = merged_totals_of(all);
    if (!m->as_json) {
        fprintf(command_says(m->out),
                "%" PRIu64 " recordings of %zu devices, %" PRIu64 " paths, %s%" PRIu64
                " lost; %zu images, %zu groups; %zu "
                "bytes; %" PRIu64 " inputs left out\n",
                t.recordings, all->devices.count, t.paths, t.gapped ? "at least " : "", t.lost, all->image_count,
                all->group_count, size, skipped);
        return;
    }
    fleet_remark(t);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "recordings", t.recordings);
    json_unsigned(j, "skipped", skipped);
    json_unsigned(j, "paths", t.paths);
    json_unsigned(j, "devices", all->devices.count);
    json_unsigned(j, "lost", t.lost);
    json_unsigned(j, "gaps", t.gaps);
    json_unsigned(j, "images", all->image_count);
    json_unsigned(j, "groups", all->group_count);
    json_unsigned(j, "bytes", size);
    json_end_object(j);
    json_finish(j);
}

static int merge_finish(const char *name, const char *path, const merged *all, size_t *size)
{
    char message[400];
    const char *why = NULL;
    uint8_t *bytes = profile_write(all, size, &why);
    if (!bytes)
        return command_fail(name, EXIT_INPUT, "%s", why);
    output *out = output_open(path, message, sizeof message);
    if (out)
        fwrite(bytes, 1, *size, output_stream(out));
    bool good = out && output_commit(out, message, sizeof message);
    free(bytes);
    return good ? EXIT_DONE : command_fail(name, EXIT_HOST, "%s", message);
}

static int finish(const merge *m, const merged *all, uint64_t skipped)
{
    size_t size = 0;
    merged_totals t = merged_totals_of(all);
    int status = merge_finish(m->name, m->out, all, &size);
    if (status != EXIT_DONE)
        return status;
    print_result(m, all, skipped, size);
    if (t.gapped)
        command_fail(m->name, EXIT_GAPS,
                     "gap: %" PRIu64 " recordings have %" PRIu64 " gaps, at least %" PRIu64 " paths are lost", t.gapped,
                     t.gaps, t.lost);
    return t.gapped || skipped ? EXIT_GAPS : EXIT_DONE;
}

/* ---- the command ---- */

/* Opens images and list, and finds the share. */
static int prepare(merge *m, intake *in)
{
    char message[400], rest;
    unsigned long long share = 0, shares = 1;
    labels l;
    bool good = labels_parse(&l, m->label, message, sizeof message);
    labels_free(&l);
    if (!good)
        return command_fail(m->name, EXIT_USAGE, "--label: %s", message);
    if (m->share && (strspn(m->share, "0123456789/") != strlen(m->share) ||
                     sscanf(m->share, "%llu/%llu%c", &share, &shares, &rest) != 2 || !shares || share > shares ||
                     shares > UINT32_MAX)) /* sscanf takes signs, and larger numbers for the largest */
        return command_fail(m->name, EXIT_USAGE, "--share takes I/N, such as 2/8, not '%s'", m->share);
    m->first = share % shares;
    m->step = shares;
    for (size_t i = 0; i < m->elf.count; i++)
        if (!intake_image(in, m->elf.all[i], message, sizeof message))
            return command_fail(m->name, EXIT_INPUT, "%s", message);
    if (m->list && !(m->listed = gather_list_open(m->list, message, sizeof message)))
        return command_fail(m->name, EXIT_INPUT, "%s", message);
    bool there = m->out && access(m->out, F_OK) == 0;
    for (size_t i = 0; there && m->listed && i < gather_list_count(m->listed); i++)
        if (command_keep_input(m->name, gather_list_at(m->listed, i).path, m->out) != EXIT_DONE)
            return EXIT_USAGE;
    return EXIT_DONE;
}

/* Labels are of recordings: with profiles alone they would change nothing. */
static bool labels_nothing(const merge *m)
{
    size_t profiles = 0, count = 0;
    for (; m->label && m->inputs[count]; count++)
        profiles += profile_is(m->inputs[count]);
    return count && profiles == count;
}

/* The files that the command line names. */
static int keep_inputs(const merge *m)
{
    int status = command_output(m->name, m->out, m->as_json, true);
    if (status == EXIT_DONE && m->mpi && output_is_standard(m->out))
        status = command_fail(m->name, EXIT_USAGE, "--mpi does not write to standard output");
    if (status == EXIT_DONE)
        status = command_keep_input(m->name, m->list ? m->list : m->mpi, m->out);
    for (size_t i = 0; i < m->elf.count && status == EXIT_DONE; i++)
        status = command_keep_input(m->name, m->elf.all[i], m->out);
    for (char **file = m->inputs; *file && status == EXIT_DONE; file++)
        status = command_keep_input(m->name, *file, m->out);
    return status == EXIT_DONE ? OPTIONS_READ : status;
}

static int run(merge *m, intake *in)
{
    char message[600] = "";
    uint64_t skipped = 0;
    int status = prepare(m, in);
    if (status != EXIT_DONE)
        return status;
    size_t count = all_inputs(m);
    workers_job job = {m, count > m->first ? (count - m->first - 1) / m->step + 1 : 0, input_at, skip};
    long long jobs = m->jobs ? m->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    unsigned processes = job.count < 8 || jobs < 2 ? 1 : (unsigned)jobs;
    merged *all = merged_new();
    switch (workers_gather(all, in, &job, processes, &skipped, message, sizeof message)) {
    case WORKERS_DONE:
        status = finish(m, all, skipped);
        break;
    case WORKERS_SKIP:
        status = EXIT_INPUT;
        break;
    case WORKERS_BAD:
        status = command_fail(m->name, EXIT_INPUT, "%s", message);
        break;
    default:
        status = command_fail(m->name, EXIT_HOST, "%s", message);
    }
    merged_free(all);
    return status;
}

int command_merge(int argc, char **argv)
{
    merge m = {.name = argv[0], .k = 4};
    const command_option list[] = {{"output", .text = &m.out},
                                   {"o", .text = &m.out},
                                   {"label", .text = &m.label},
                                   {"list", .text = &m.list},
                                   {"mpi", .text = &m.mpi},
                                   {"share", .text = &m.share},
                                   {"elf", .texts = &m.elf},
                                   {"context", .text = &m.choice.context},
                                   {"function", .text = &m.choice.function},
                                   {"k", .number = &m.k, .min = 2, .max = MERGED_K_MAX},
                                   {"jobs", .number = &m.jobs, .min = 1, .max = 1024},
                                   {"json", .flag = &m.as_json},
                                   {NULL}};
    int status = command_options(argc, argv, help, list);
    m.inputs = argv + optind;
    if (status == OPTIONS_READ && !m.out)
        status = command_fail(m.name, EXIT_USAGE, "-o OUT is missing; see --help");
    else if (status == OPTIONS_READ && (m.mpi || m.list) && (*m.inputs || (m.mpi && m.list)))
        status = command_fail(m.name, EXIT_USAGE, "inputs are named on the command line, by --list, or by --mpi");
    else if (status == OPTIONS_READ && !m.mpi && !m.list && !*m.inputs)
        status = command_fail(m.name, EXIT_USAGE, "no input is named; see --help");
    else if (status == OPTIONS_READ && labels_nothing(&m))
        status = command_fail(m.name, EXIT_USAGE,
                              "--label is of recordings, and all inputs are merged: theirs were given before");
    if (status == OPTIONS_READ)
        status = keep_inputs(&m);
    if (status == OPTIONS_READ && m.mpi)
        status = mpi_start(argc, argv);
    if (status == OPTIONS_READ) {
        intake *in = intake_new((unsigned)m.k);
        intake_choose(in, m.choice);
        status = run(&m, in);
        gather_list_close(m.listed);
        intake_free(in);
    }
    free(m.elf.all);
    return status;
}
