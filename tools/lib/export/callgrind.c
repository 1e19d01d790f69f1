/* SPDX-License-Identifier: MIT */
#include "tools/lib/export/callgrind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"
#include "tools/lib/export/names.h"

static int compare_places(function_place a, function_place b)
{
    int files = a.file == b.file ? 0 : !a.file ? -1 : !b.file ? 1 : strcmp(a.file, b.file);
    return files ? files : a.line < b.line ? -1 : a.line > b.line;
}

static int compare_lines(const void *a, const void *b)
{
    const line_cost *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return compare_places(x->place, y->place);
}

static const functions *sorted; /* qsort has no context */

static int compare_edges(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const call_edge *x = &sorted->edge[i], *y = &sorted->edge[k];
    return x->caller != y->caller ? (x->caller < y->caller ? -1 : 1) : i < k ? -1 : i > k;
}

/* The edges by caller. */
static uint32_t *edge_order(const functions *all)
{
    uint32_t *order = memory_zero(all->edge_count + 1, sizeof *order);
    for (uint32_t i = 0; i < all->edge_count; i++)
        order[i] = i;
    sorted = all;
    qsort(order, all->edge_count, sizeof *order, compare_edges);
    return order;
}

/* "(7) name" would define an abbreviation, and "(7)" use it. */
static bool is_abbreviation(const char *name)
{
    return name && *name == '(' && name[1] >= '0' && name[1] <= '9';
}

static void put_name(FILE *file, const char *key, const char *name)
{
    fprintf(file, "%s=", key);
    if (is_abbreviation(name))
        fputc('_', file);
    export_name(file, name, "");
}

static void put_place(FILE *file, const char *key, const char *path)
{
    fprintf(file, "%s=", key);
    if (is_abbreviation(path))
        fputc('_', file);
    export_path(file, path);
    fputc('\n', file);
}

static int compare_functions(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const function_cost *x = &sorted->all[i], *y = &sorted->all[k];
    int names = strcmp(x->name ? x->name : "", y->name ? y->name : "");
    int files = names ? names : compare_places((function_place){x->place.file, 0}, (function_place){y->place.file, 0});
    return files ? files : i < k ? -1 : i > k;
}

/* Of functions that have one name and one file, as a static one of a header has in each object: which of them it is.
 * Others, and the first: 1. Readers take functions of one name and file for one. */
static uint32_t *copies_find(const functions *all)
{
    uint32_t *copy = memory_zero(all->count + 1, sizeof *copy), *order = memory_zero(all->count + 1, sizeof *order);
    for (uint32_t i = 0; i < all->count; i++)
        order[i] = i;
    sorted = all;
    qsort(order, all->count, sizeof *order, compare_functions);
    for (uint32_t i = 0; i < all->count; i++) {
        const function_cost *x = &all->all[order[i ? i - 1 : 0]], *y = &all->all[order[i]];
        bool same = i && x->name && y->name && !strcmp(x->name, y->name) &&
                    !compare_places((function_place){x->place.file, 0}, (function_place){y->place.file, 0});
        copy[order[i]] = 1;
        if (same) /* GCC 14.2 reads what stands before "+ 1" in "same ? copy[order[i - 1]] + 1 : 1" even if not same */
            copy[order[i]] += copy[order[i - 1]];
    }
    free(order);
    return copy;
}

/* A further copy is named as Callgrind names the second of its own: name'2. */
static void put_function(FILE *file, const char *key, const functions *all, const uint32_t *copy, uint32_t function)
{
    put_name(file, key, all->all[function].name);
    if (copy[function] > 1)
        fprintf(file, "'%" PRIu32, copy[function]);
    fputc('\n', file);
}

/* "fi=" when the file of the lines that follow changes. */
static void put_file(FILE *file, const char **now, const char *next)
{
    if (next && strcmp(*now, next)) {
        put_place(file, "fi", next);
        *now = next;
    }
}

static void put_lines(FILE *file, const line_cost *line, size_t count, const char **now)
{
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t self = 0;
        for (end = i; end < count && !compare_places(line[i].place, line[end].place); end++)
            self += line[end].self;
        put_file(file, now, line[i].place.file);
        if (self)
            fprintf(file, "%" PRIu32 " %" PRIu64 "\n", line[i].place.line, self);
    }
}

static void put_call(FILE *file, const functions *all, const uint32_t *copy, const call_edge *edge, const char **now)
{
    const function_cost *callee = &all->all[edge->callee], *caller = &all->all[edge->caller];
    bool known = edge->place.line;
    put_file(file, now, known ? edge->place.file : caller->place.file);
    put_place(file, "cfi", callee->place.file);
    put_function(file, "cfn", all, copy, edge->callee);
    fprintf(file, "calls=%" PRIu64 " %" PRIu32 "\n%" PRIu32 " %" PRIu64 "\n", edge->calls, callee->place.line,
            known ? edge->place.line : caller->place.line, edge->inclusive);
}

/* "jcnd=how often / of how many target" or "jump=how often target", then the line that it starts from. */
static void put_jump(FILE *file, const coverage_jump *jump, const char **now)
{
    put_file(file, now, jump->file);
    if (strcmp(jump->to_file, *now))
        put_place(file, "jfi", jump->to_file);
    if (jump->runs)
        fprintf(file, "jcnd=%" PRIu64 "/%" PRIu64, jump->count, jump->runs);
    else
        fprintf(file, "jump=%" PRIu64, jump->count);
    fprintf(file, " %" PRIu32 "\n%" PRIu32 "\n", jump->to_line, jump->line);
}

/* As in a merged profile. */
static bool lines_of_calls_lack(const functions *all)
{
    for (size_t i = 0; i < all->edge_count; i++)
        if (all->edge[i].caller < all->count && !all->edge[i].place.line)
            return true;
    return false;
}

uint64_t export_callgrind(functions *all, const coverage *jumps, const image *im, export_loss loss, FILE *file)
{
    char lost[EXPORT_LOSS_MAX];
    uint64_t written = 0;
    size_t line = 0, edge = 0, jump = 0;
    uint32_t *order = edge_order(all), *copy = copies_find(all);
    if (all->line_count)
        qsort(all->line, all->line_count, sizeof *all->line, compare_lines);
    fprintf(file, "# callgrind format\nversion: 1\ncreator: weft\n");
    fputs("cmd: ", file);
    export_name(file, text_base(im->path), "");
    fprintf(file, "\ndesc: Lost: %s\n", export_loss_text(lost, loss));
    if (all->lines_shared)
        fputs("desc: Lines: the cost of a path is shared evenly among its lines\n", file);
    if (lines_of_calls_lack(all))
        fputs("desc: Calls: those whose line is not known stand at the first line of their caller\n", file);
    fprintf(file, "positions: line\nevents: Instructions\nsummary: %" PRIu64 "\n", all->total);
    for (uint32_t f = 0; f < all->count; f++) {
        size_t line_end = line, edge_end = edge;
        while (line_end < all->line_count && all->line[line_end].function == f)
            line_end++;
        while (edge_end < all->edge_count && all->edge[order[edge_end]].caller == f)
            edge_end++;
        if (line_end > line || edge_end > edge) {
            const char *now = all->all[f].place.file ? all->all[f].place.file : "?";
            fputc('\n', file);
            put_place(file, "fl", now);
            put_function(file, "fn", all, copy, f);
            put_lines(file, all->line + line, line_end - line, &now);
            for (; edge < edge_end; edge++)
                put_call(file, all, copy, &all->edge[order[edge]], &now);
            while (jump < jumps->jump_count && jumps->jump[jump].function < f)
                jump++;
            for (; jump < jumps->jump_count && jumps->jump[jump].function == f; jump++)
                put_jump(file, &jumps->jump[jump], &now);
            written++;
        }
        line = line_end;
    }
    free(order);
    free(copy);
    return written;
}
