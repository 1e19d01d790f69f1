/* SPDX-License-Identifier: MIT */
#include "tools/weft/report_fleet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digits.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/output.h"
#include "tools/lib/base/text.h"
#include "tools/lib/report/fleet_page.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"

bool report_fleet_asked(const report_fleet_options *o)
{
    return o->label || o->before || o->after || o->level || o->k || o->fewer;
}

static int check(const report_fleet_options *o, const char *name, fleet_page *page)
{
    static const char *const options[] = {"--label", "--before", "--after"};
    const char *const given[] = {page->label, o->before, o->after}, *level = o->level ? o->level : "0.01";
    if (!o->before != !o->after)
        return command_fail(name, EXIT_USAGE, "--before and --after go together");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        int status = fleet_labels(name, options[i], given[i]);
        if (status != EXIT_DONE)
            return status;
    }
    if (!digits_fraction(level, &page->level) || page->level <= 0 || page->level >= 1)
        return command_fail(name, EXIT_USAGE, "--level takes a chance, such as 0.01, not '%s'", level);
    return EXIT_DONE;
}

static void say(const report_fleet_options *o, const merged *all, const fleet_page_figures *f, uint64_t bytes)
{
    merged_totals t = merged_totals_of(all);
    if (!o->json) {
        FILE *to = command_says(o->out);
        text_print(to, o->out);
        fprintf(to, ": %" PRIu64 " bytes, %" PRIu64 " recordings", bytes, t.recordings);
        if (!o->label)
            fprintf(to, " of %zu devices", all->devices.count);
        fprintf(to, ", %zu of %zu functions changed, %zu rare paths, %zu of %zu lines ran, %s%" PRIu64 " paths lost\n",
                f->changed, f->tested, f->rare, f->lines_hit, f->lines, t.gapped ? "at least " : "", t.lost);
        return;
    }
    fleet_remark(t);
    json *j = json_begin(stdout);
    json_object(j, NULL);
    json_unsigned(j, "bytes", bytes);
    json_unsigned(j, "functions", f->functions);
    json_null(j, "contexts"); /* a merged profile does not tell them apart */
    json_unsigned(j, "recordings", t.recordings);
    if (!o->label)
        json_unsigned(j, "devices", all->devices.count);
    json_unsigned(j, "tested", f->tested);
    json_unsigned(j, "changed", f->changed);
    json_unsigned(j, "rare", f->rare);
    json_unsigned(j, "lines_hit", f->lines_hit);
    json_unsigned(j, "lines_all", f->lines);
    json_unsigned(j, "lost", t.lost);
    json_end_object(j);
    json_finish(j);
}

static int write_page(const report_fleet_options *o, const char *name, const fleet_page *page)
{
    char message[400];
    fleet_page_figures figures;
    output *out = output_open(o->out, message, sizeof message);
    if (!out)
        return command_fail(name, EXIT_HOST, "%s", message);
    if (!fleet_page_write(page, output_stream(out), &figures, message, sizeof message)) {
        output_discard(out);
        return command_fail(name, EXIT_INPUT, "%s", message);
    }
    uint64_t bytes = output_size(out);
    if (!output_commit(out, message, sizeof message))
        return command_fail(name, EXIT_HOST, "%s", message);
    say(o, page->asked->all, &figures, bytes);
    return EXIT_DONE;
}

static int make_page(const report_fleet_options *o, const char *name, fleet_page *page)
{
    char *before = NULL, *after = NULL;
    if (!o->before && fleet_page_versions(page->asked->all, &before, &after)) {
        page->before = before;
        page->after = after;
    }
    int status = write_page(o, name, page);
    merged_totals t = merged_totals_of(page->asked->all);
    if (status == EXIT_DONE && t.gapped)
        status =
            command_fail(name, EXIT_GAPS,
                         "gap: %" PRIu64 " of %" PRIu64 " recordings have gaps, at least %" PRIu64 " paths are lost",
                         t.gapped, t.recordings, t.lost);
    free(before);
    free(after);
    return status;
}

int report_fleet(const report_fleet_options *o, const char *name, char *path)
{
    char message[400];
    asked a = {0};
    fleet_page page = {.asked = &a,
                       .name = text_base(path),
                       .label = o->label ? o->label : "",
                       .before = o->before,
                       .after = o->after,
                       .k = o->k ? (unsigned)o->k : 1,
                       .fewer = o->fewer ? (uint32_t)o->fewer : 2};
    int status = check(o, name, &page);
    if (status != EXIT_DONE)
        return status;
    char *const paths[] = {path, NULL};
    if (asked_open(&a, paths, o->elf.all, o->elf.count, message, sizeof message) &&
        asked_choose(&a, page.label, message, sizeof message) && asked_for(&a, page.before, message, sizeof message) &&
        asked_for(&a, page.after, message, sizeof message))
        status = make_page(o, name, &page);
    else
        status = command_fail(name, EXIT_INPUT, "%s", message);
    asked_close(&a);
    return status;
}
