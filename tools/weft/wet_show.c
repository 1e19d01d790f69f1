/* SPDX-License-Identifier: MIT */
/* `weft wet control`, `values` and `addresses`: JSON objects, one per line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/wet/control.h"
#include "tools/weft/command.h"
#include "tools/weft/wet_query.h"
#include "tools/weft/wet_series.h"

static void control_execution(json *j, const wet_file *f, uint32_t node, uint32_t time, bool backward)
{
    const wet_node *n = &f->nodes[node].n;
    for (uint32_t i = 0; i < n->statement_count; i++) {
        const wet_statement *s = &f->statements[n->statements[backward ? n->statement_count - 1 - i : i]];
        json_object(j, NULL);
        json_integer(j, "t", time);
        wet_json_instruction(j, f, s->instruction);
        if (!s->passed)
            json_bool(j, "passed", false);
        json_end_object(j);
        json_next(j);
    }
}

static void control_lines(wet_file *f, const wet_options *o)
{
    json *j = json_begin(stdout);
    wet_control *c = wet_control_new(f, (uint32_t)o->from, (uint32_t)o->to, o->backward);
    uint32_t low, count;
    const uint32_t *nodes, *instances;
    while (!ferror(stdout) && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = o->backward ? count - 1 - i : i;
            if (nodes[at] == WET_NONE)
                f->damaged = true;
            else
                control_execution(j, f, nodes[at], low + at, o->backward);
        }
    wet_control_free(c);
    json_finish(j);
}

int wet_show_control(const wet_options *o)
{
    wet_file *f = wet_open(o);
    if (!f)
        return EXIT_INPUT;
    if (o->binary)
        wet_control_addresses(f, (uint32_t)o->from, (uint32_t)o->to, o->backward, stdout);
    else
        control_lines(f, o);
    return wet_close(o, f, EXIT_DONE);
}

static void json_value(json *j, const char *key, uint64_t value, unsigned size)
{
    if (size > 4 && value >> 63) { /* beyond what a JSON integer of this writer holds */
        char text[24];
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)value);
        json_string(j, key, text);
    } else {
        json_integer(j, key, (int64_t)value);
    }
}

static void accesses_json(json *j, wet_file *f, wet_instance at)
{
    wet_access_seen seen[FULL_ACCESSES_MAX];
    uint32_t count = wet_accesses_of(f, at, seen);
    json_array(j, "accesses");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset;
        const image_symbol *object = wet_object_at(f, seen[i].address, &offset);
        json_object(j, NULL);
        json_integer(j, "address", seen[i].address);
        json_integer(j, "size", seen[i].size);
        json_string(j, "kind", seen[i].store ? "store" : "load");
        if (seen[i].known)
            json_value(j, "value", seen[i].value, seen[i].size);
        if (object) {
            json_string(j, "object", object->name);
            json_integer(j, "offset", offset);
        }
        json_end_object(j);
    }
    json_end_array(j);
}

static void values_json(json *j, wet_file *f, wet_instance at)
{
    uint32_t values[64], count;
    uint8_t locations[64];
    char name[8];
    count = wet_values_of(f, at, values, locations);
    json_object(j, "values");
    for (uint32_t i = 0; i < count; i++)
        json_integer(j, wet_location_name(locations[i], name), values[i]);
    json_end_object(j);
}

static int show(const wet_options *o, bool addresses)
{
    char message[512];
    wet_place place;
    wet_file *f = wet_open(o);
    if (!f)
        return EXIT_INPUT;
    if (!wet_place_of(o, f, &place, message, sizeof message))
        return wet_close(o, f, command_fail("wet", EXIT_INPUT, "%s", message));
    size_t count;
    wet_hit *hits = wet_place_hits(f, &place, &count);
    if (!count || place.nth > count) {
        free(hits);
        wet_place_free(&place);
        wet_place_few(count, place.nth, message, sizeof message);
        return wet_close(o, f, command_fail("wet", EXIT_INPUT, "%s", message));
    }
    json *j = json_begin(stdout);
    for (size_t i = place.nth ? place.nth - 1 : 0; i < (place.nth ? place.nth : count); i++) {
        wet_instance at = {hits[i].node, hits[i].statement, hits[i].instance};
        const wet_statement *s = &f->statements[f->nodes[at.node].n.statements[at.statement]];
        json_object(j, NULL);
        json_unsigned(j, "n", i + 1);
        json_integer(j, "t", hits[i].time);
        if (addresses)
            accesses_json(j, f, at);
        else
            values_json(j, f, at);
        json_object(j, "at");
        wet_json_instruction(j, f, s->instruction);
        json_end_object(j);
        json_end_object(j);
        json_next(j);
    }
    json_finish(j);
    free(hits);
    wet_place_free(&place);
    return wet_close(o, f, EXIT_DONE);
}

int wet_show_values(const wet_options *o)
{
    return o->table || o->plot ? wet_series(o, false) : show(o, false);
}

int wet_show_addresses(const wet_options *o)
{
    return o->table || o->plot ? wet_series(o, true) : show(o, true);
}
