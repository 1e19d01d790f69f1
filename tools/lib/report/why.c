/* SPDX-License-Identifier: MIT */
#include "tools/lib/report/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/wet/control.h"

enum { LINES_MOST = 150, DEPTH_MOST = 40, SOURCE_ROOM = 160 };

/* ---- trees ---- */

static bool take(void *own, const wet_why_line *line)
{
    why_tree *tree = own;
    char *text = memory_grow(NULL, strlen(line->prefix) + strlen(line->value) + 1, 1);
    strcpy(text, line->prefix);
    strcat(text, line->value);
    tree->line = memory_room(tree->line, tree->count, &tree->max, sizeof *tree->line);
    tree->line[tree->count++] = (why_line){.kind = (uint8_t)line->kind,
                                           .depth = (uint16_t)line->depth,
                                           .time = line->time,
                                           .instruction = line->instruction,
                                           .text = text};
    tree->cut = tree->count == LINES_MOST;
    return !tree->cut;
}

static void add_tree(whys *w, const char *text, const wet_place *place, const wet_hit *hit, uint64_t nth, uint64_t of)
{
    w->all = memory_room(w->all, w->count, &w->max, sizeof *w->all);
    why_tree *tree = &w->all[w->count++];
    *tree = (why_tree){.place = memory_text(text), .nth = nth, .of = of};
    wet_start from = wet_place_start(w->f, place, (wet_instance){hit->node, hit->statement, hit->instance});
    wet_why_walk(w->f, from, DEPTH_MOST, NULL, take, tree);
}

static bool add_place(whys *w, const char *text, char *message, size_t message_size)
{
    wet_place place;
    size_t count;
    if (!wet_place_parse(w->f, w->im, text, &place, message, message_size))
        return false;
    wet_hit *hits = wet_place_hits(w->f, &place, &count);
    bool good = count && place.nth <= count;
    if (good && place.nth)
        add_tree(w, text, &place, &hits[place.nth - 1], place.nth, count);
    for (size_t i = 0; good && !place.nth && i < count && i < WHYS_HITS; i++)
        add_tree(w, text, &place, &hits[count - 1 - i], count - i, count);
    if (!good)
        snprintf(message, message_size, "'%s' has %zu instances", text, count);
    free(hits);
    wet_place_free(&place);
    return good;
}

bool whys_add(whys *w, const char *places, char *message, size_t message_size)
{
    char *all = memory_text(places), *rest = NULL;
    bool good = true;
    for (char *one = strtok_r(all, ",", &rest); good && one; one = strtok_r(NULL, ",", &rest))
        good = add_place(w, one, message, message_size);
    free(all);
    return good;
}

void whys_free(whys *w)
{
    for (size_t i = 0; i < w->count; i++) {
        for (size_t k = 0; k < w->all[i].count; k++)
            free(w->all[i].line[k].text);
        free(w->all[i].line);
        free(w->all[i].place);
    }
    free(w->all);
}

/* ---- times ---- */

static int by_time(const void *a, const void *b)
{
    const why_line *x = *(why_line *const *)a, *y = *(why_line *const *)b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Instructions of a path execution; exceptions are statements, but no instructions. */
static uint32_t instructions_of(const wet_file *f, uint32_t node)
{
    const wet_node *n = &f->nodes[node].n;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->statement_count; i++)
        count += !f->statics[f->statements[n->statements[i]].instruction].exception;
    return count;
}

void whys_times(whys *w)
{
    why_line **line = NULL;
    size_t count = 0, max = 0, next = 0;
    uint64_t at = 0;
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->all[i].count; k++) {
            line = memory_room(line, count, &max, sizeof(why_line *));
            line[count++] = &w->all[i].line[k];
        }
    if (!count)
        return;
    qsort(line, count, sizeof(why_line *), by_time);
    wet_control *c = wet_control_new(w->f, 1, w->f->time, false);
    uint32_t low, size;
    const uint32_t *nodes, *instances;
    while ((size = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; i < size; i++) {
            for (; next < count && line[next]->time <= low + i; next++)
                line[next]->at = at;
            at += nodes[i] == WET_NONE ? 0 : instructions_of(w->f, nodes[i]);
        }
    wet_control_free(c);
    free(line);
}

/* ---- as data ---- */

/* [depth, kind, at, text, function, file, line, instruction's text, source] */
static void put_line(const whys *w, const why_line *line, sources *from, json *j)
{
    char text[160], source[SOURCE_ROOM] = "";
    const char *file = wet_file_name(w->f, line->instruction);
    uint32_t number = w->f->static_line[line->instruction];
    wet_text(w->f, line->instruction, text, sizeof text);
    if (!from || !*file || !sources_line(from, file, number, source, sizeof source))
        source[0] = 0;
    json_array(j, NULL);
    json_integer(j, NULL, line->depth);
    json_integer(j, NULL, line->kind);
    json_integer(j, NULL, (int64_t)line->at);
    json_string(j, NULL, line->text);
    json_string(j, NULL, wet_function_name(w->f, line->instruction));
    json_string(j, NULL, file);
    json_integer(j, NULL, number);
    json_string(j, NULL, text);
    json_string(j, NULL, source);
    json_end_array(j);
}

void whys_put(const whys *w, sources *lines, json *j)
{
    json_array(j, "why");
    for (size_t i = 0; i < w->count; i++) {
        const why_tree *tree = &w->all[i];
        json_object(j, NULL);
        json_string(j, "place", tree->place);
        json_integer(j, "nth", (int64_t)tree->nth);
        json_integer(j, "of", (int64_t)tree->of);
        json_bool(j, "cut", tree->cut);
        json_array(j, "lines");
        for (size_t k = 0; k < tree->count; k++)
            put_line(w, &tree->line[k], lines, j);
        json_end_array(j);
        json_end_object(j);
    }
    json_end_array(j);
}
