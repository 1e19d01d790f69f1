/* SPDX-License-Identifier: MIT */
/* `weft fleet compare`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/text.h"
#include "tools/lib/fleet/labels.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_ask.h"

static void put_real(json *j, const char *key, double value)
{
    if (!isnan(value) && !isinf(value))
        json_real(j, key, value);
}

static const char *verdict_of(const fleet *f, const fleet_change *c)
{
    if (!c->line_before || !c->line_after)
        return c->line_before ? "gone" : "new";
    if (!c->result.tested)
        return "untested";
    return c->p >= f->chance ? "same" : c->result.after > c->result.before ? "slower" : "faster";
}

static bool is_changed(const fleet *f, const fleet_change *c)
{
    return c->result.tested && c->p < f->chance;
}

static void put_paths(fleet *f, const fleet_change *c)
{
    enum { PATHS = 10 };
    size_t count;
    fleet_path_change *paths = fleet_compare_paths(f->all, &f->images, f->before, f->after, c, &count);
    if (f->as_json)
        json_array(f->j, "paths");
    for (size_t i = 0; i < count && i < PATHS; i++) {
        const fleet_path_change *p = &paths[i];
        const descriptors *known = NULL;
        for (size_t g = 0; g < f->all->group_count && !known; g++) {
            const descriptors *of = f->images.known[f->all->group[g]->image];
            if (of && labels_have(f->all->group[g]->labels, p->of_before ? f->before : f->after))
                known = of;
        }
        double before = p->price_before ? p->before * (p->price_before - 1) : 0;
        double after = p->price_after ? p->after * (p->price_after - 1) : 0;
        if (fabs(before - after) < 1e-9)
            break;
        if (f->as_json) {
            json_object(f->j, NULL);
            put_real(f->j, "before", before);
            put_real(f->j, "after", after);
            fleet_put_lines(f, known, p->path);
            json_end_object(f->j);
            continue;
        }
        printf("%14.2f %14.2f %9s           ", before, after, "");
        fleet_print_path(known, p->path, stdout);
        putchar('\n');
    }
    if (f->as_json)
        json_end_array(f->j);
    free(paths);
}

static void put_change(fleet *f, const fleet_change *c)
{
    json_object(f->j, NULL);
    json_string(f->j, "name", c->name);
    json_string(f->j, "file", c->file);
    json_integer(f->j, "line", c->line_after ? c->line_after : c->line_before);
    json_string(f->j, "verdict", verdict_of(f, c));
    put_real(f->j, "before", c->result.before);
    put_real(f->j, "after", c->result.after);
    put_real(f->j, "p", c->p);
    json_unsigned(f->j, "recordings_before", c->before.recordings);
    json_unsigned(f->j, "recordings_after", c->after.recordings);
    if (is_changed(f, c))
        put_paths(f, c);
    json_end_object(f->j);
}

static void print_change(fleet *f, const fleet_change *c)
{
    double change = 100 * (c->result.after / c->result.before - 1);
    printf("%14.2f %14.2f %+8.1f%% %9.2g  %-8s ", c->result.before, c->result.after, change, c->p, verdict_of(f, c));
    text_print(stdout, c->name);
    putchar('\n');
    if (is_changed(f, c))
        put_paths(f, c);
}

int fleet_ask_compare(fleet *f)
{
    size_t count, changed = 0, tested = 0;
    fleet_change *all = fleet_compare(f->all, &f->images, f->before, f->after, &count);
    for (size_t i = 0; i < count; i++) {
        changed += is_changed(f, &all[i]);
        tested += all[i].result.tested;
    }
    if (f->as_json)
        json_array(f->j, "functions");
    else
        printf("%14s %14s %9s %9s  instructions per call\n", "before", "after", "change", "p");
    for (size_t i = 0; i < count; i++) {
        bool shown = f->everything || is_changed(f, &all[i]) || !all[i].line_before || !all[i].line_after;
        if (shown && f->as_json)
            put_change(f, &all[i]);
        else if (shown)
            print_change(f, &all[i]);
    }
    if (f->as_json) {
        json_end_array(f->j);
        json_unsigned(f->j, "tested", tested);
        json_unsigned(f->j, "changed", changed);
        json_real(f->j, "level", f->chance);
    } else {
        printf("\n%zu of %zu functions that could be tested changed, at a level of %g for all together\n", changed,
               tested, f->chance);
    }
    free(all);
    return tested || !count ? EXIT_DONE
                            : command_fail(f->name, EXIT_INPUT,
                                           "nothing can be tested: each version wants two recordings that call the "
                                           "same function, merged with --elf");
}
