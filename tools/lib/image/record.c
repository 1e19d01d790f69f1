/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/record.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "tools/lib/image/demangle.h"

uint32_t record_load32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A record being read. After a failure everything reads as 0. */
typedef struct reader {
    const uint8_t *at, *end;
    const char *wrong; /* the first thing wrong */
    size_t size;       /* of the record */
    unsigned version;
} reader;

static uint32_t read_u(reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; !r->wrong; shift += 7) {
        if (r->at == r->end || shift > 28) {
            r->wrong = "a number runs over its end";
            break;
        }
        uint8_t byte = *r->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    if (value > UINT32_MAX)
        r->wrong = "a number is too large";
    return r->wrong ? 0 : (uint32_t)value;
}

/* A count of things of which each takes at least `least` bytes. */
static uint32_t read_count(reader *r, size_t least)
{
    uint32_t count = read_u(r);
    if (count > (size_t)(r->end - r->at) / least) {
        r->wrong = r->wrong ? r->wrong : "a count is larger than the record";
        return 0;
    }
    return count;
}

typedef struct strings {
    const char **text;
    uint32_t count;
} strings;

static const char *read_string(reader *r, const strings *table)
{
    uint32_t index = read_u(r);
    if (index >= table->count) {
        r->wrong = r->wrong ? r->wrong : "a string is missing";
        return "";
    }
    return table->text[index];
}

/* Of C++ as the symbol says it, which a full recording shows, too. The compiler writes `f<9>` for `f<9u>`, and with
 * -flto it knows the last word only. */
static const char *whole_name(record_memory *s, const descriptor_function *f)
{
    char *made = demangle(f->assembler_name);
    size_t size = made ? strlen(made) + 1 : 0;
    char *name = size ? record_take(s, size, 1) : NULL;
    if (name)
        memcpy(name, made, size);
    free(made);
    return name ? name : f->name;
}

static strings read_strings(record_memory *s, reader *r)
{
    strings table = {NULL, read_count(r, 1)};
    table.text = record_take(s, table.count, sizeof *table.text);
    for (uint32_t i = 0; i < table.count; i++) {
        uint32_t length = read_count(r, 1);
        char *text = table.text ? record_take(s, length, 1) : NULL;
        if (!text) {
            r->wrong = "not enough memory";
            return (strings){NULL, 0};
        }
        memcpy(text, r->at, length); /* length is 0 after a failure */
        r->at += length;
        table.text[i] = text;
    }
    return table;
}

static void read_line(reader *r, const strings *table, descriptor_line *place)
{
    place->file = read_string(r, table);
    place->line = read_u(r);
}

/* What gcov counts by, from version 5 on. */
static void read_steps(record_memory *s, reader *r, descriptor_block *block)
{
    uint32_t count = r->version < 5 ? 0 : read_count(r, 1);
    uint32_t *step = record_take(s, count, sizeof *step);
    block->step = step;
    block->step_count = step ? count : 0;
    for (uint32_t i = 0; i < block->step_count && !r->wrong; i++) {
        step[i] = read_u(r);
        if (step[i] > block->line_count)
            r->wrong = "a step is on a line that is not there";
    }
}

static void read_blocks(record_memory *s, reader *r, const strings *table, descriptor_function *f)
{
    descriptor_block *block = record_take(s, f->block_count, sizeof *block);
    uint64_t sites = 0;
    f->block = block;
    for (uint32_t i = 0; block && i < f->block_count && !r->wrong; i++) {
        block[i].flags = read_u(r);
        block[i].line_count = read_count(r, 2);
        descriptor_line *line = record_take(s, block[i].line_count, sizeof *line);
        if (!line)
            break;
        block[i].line = line;
        for (uint32_t k = 0; k < block[i].line_count; k++)
            read_line(r, table, &line[k]);
        read_steps(s, r, &block[i]);
        block[i].first_site = (uint32_t)sites;
        block[i].site_count = read_u(r);
        sites += block[i].site_count;
        bool caught = r->version >= 6 && block[i].flags & DESCRIPTOR_BLOCK_CAUGHT;
        block[i].landing = caught ? read_u(r) : BALLARUS_NONE;
        if (caught && block[i].landing >= f->block_count && !r->wrong)
            r->wrong = "an exception arrives nowhere";
        if (sites > f->site_count)
            r->wrong = "sites do not add up";
    }
    if (!r->wrong && sites != f->site_count)
        r->wrong = "sites do not add up";
}

/* A group's number + 1, or 0. Each group takes a byte or more somewhere. */
static uint32_t take_group(reader *r, descriptor_function *f, uint32_t group)
{
    if (group > r->size)
        r->wrong = r->wrong ? r->wrong : "a site's group is not there";
    if (group == 0 || r->wrong)
        return DESCRIPTOR_NO_GROUP;
    f->group_count = group > f->group_count ? group : f->group_count;
    return group - 1;
}

static uint32_t read_group(reader *r, descriptor_function *f)
{
    return take_group(r, f, read_u(r));
}

/* Of a computed site. A group's number is one less than what read_group takes. */
static void read_terms(record_memory *s, reader *r, descriptor_function *f, descriptor_site *site)
{
    uint32_t count = read_count(r, 5);
    descriptor_term *term = record_take(s, count, sizeof *term);
    site->term = term;
    site->term_count = term ? count : 0;
    for (uint32_t i = 0; i < site->term_count && !r->wrong; i++) {
        term[i].group = read_group(r, f);
        term[i].coefficient = read_u(r);
        term[i].plus = read_u(r);
        uint32_t operation = read_u(r);
        term[i].operation = (descriptor_operation)operation;
        term[i].operand = operation == DESCRIPTOR_AND_BASE ? read_group(r, f) : read_u(r);
        bool bad = term[i].group == DESCRIPTOR_NO_GROUP || operation > DESCRIPTOR_SHIFT_SIGNED ||
                   (operation == DESCRIPTOR_AND_BASE && term[i].operand == DESCRIPTOR_NO_GROUP) ||
                   (operation >= DESCRIPTOR_SHIFT && term[i].operand > 31);
        if (bad && !r->wrong)
            r->wrong = "a term of a site's address is not known";
    }
}

/* How the address of a site is found. Version 1 knew recorded sites only. */
static void read_how(record_memory *s, reader *r, descriptor_function *f, descriptor_site *site)
{
    uint32_t how = r->version < 2 ? 0 : read_u(r);
    site->how = (descriptor_how)(how >> 1);
    site->linked = how & 1;
    site->group = site->target = DESCRIPTOR_NO_GROUP;
    if (how >> 1 > (r->version < 4 ? DESCRIPTOR_STATIC : DESCRIPTOR_COMPUTED) && !r->wrong)
        r->wrong = "a site's address is found in an unknown way";
    if (r->version < 2 || r->wrong)
        return;
    site->group = read_group(r, f);
    if (site->flags & DESCRIPTOR_SITE_BASE)
        site->target = read_group(r, f);
    if (!site->linked)
        site->constant = read_u(r);
    if (site->how == DESCRIPTOR_DERIVED && site->group == DESCRIPTOR_NO_GROUP && !r->wrong)
        r->wrong = "a site's group is not there";
    if (site->how == DESCRIPTOR_COMPUTED)
        read_terms(s, r, f, site);
}

static void read_moves(record_memory *s, reader *r, descriptor_function *f)
{
    uint32_t count = r->version < 2 ? 0 : read_count(r, 3);
    descriptor_move *move = record_take(s, count, sizeof *move);
    f->move = move;
    f->move_count = move ? count : 0;
    for (uint32_t i = 0; i < f->move_count && !r->wrong; i++) {
        move[i].edge = read_u(r);
        uint32_t group = read_u(r);
        move[i].group = r->version < 4 || group == UINT32_MAX ? group : take_group(r, f, group + 1);
        move[i].step = read_u(r);
        move[i].from = r->version < 4 ? move[i].group : read_group(r, f);
        if ((move[i].edge >= f->edge_count || move[i].group >= f->group_count ||
             (i && move[i].edge < move[i - 1].edge)) &&
            !r->wrong)
            r->wrong = "a move names an edge or a group that is not there";
    }
}

/* The constants that the linker filled in, at the end of the record. */
static void read_constants(reader *r, const descriptor_function *f)
{
    descriptor_site *site = (descriptor_site *)f->site;
    for (uint32_t i = 0; site && i < f->site_count && !r->wrong; i++) {
        if (!site[i].linked)
            continue;
        if (r->end - r->at < 4) {
            r->wrong = "a constant is missing";
            return;
        }
        site[i].constant = record_load32(r->at);
        r->at += 4;
    }
}

static void read_sites(record_memory *s, reader *r, const strings *table, descriptor_function *f)
{
    descriptor_site *site = record_take(s, f->site_count, sizeof *site);
    f->site = site;
    for (uint32_t b = 0; site && b < f->block_count && !r->wrong; b++) {
        for (uint32_t i = 0; i < f->block[b].site_count; i++) {
            descriptor_site *one = &site[f->block[b].first_site + i];
            one->size = read_u(r);
            one->flags = read_u(r);
            one->block = b;
            read_line(r, table, &one->place);
            one->text = read_string(r, table);
            read_how(s, r, f, one);
        }
    }
}

/* How an edge is taken: kind, goto and cut; before version 5 no goto. */
static bool read_kind(reader *r, ballarus_edge *edge, uint8_t *kind, descriptor_edge_goto *from_goto)
{
    uint32_t how = read_u(r), rest = how >> 1, gotos = 0;
    edge->cut = how & 1;
    if (r->version >= 5) {
        gotos = rest & 3;
        rest >>= 2;
    }
    *kind = (uint8_t)rest;
    from_goto->how = (descriptor_goto)gotos;
    return rest <= DESCRIPTOR_EDGE_STOP && gotos <= DESCRIPTOR_GOTO_ALONE;
}

static bool read_edge(reader *r, const strings *table, const descriptor_function *f, ballarus_edge *edge, uint8_t *kind,
                      descriptor_edge_goto *from_goto)
{
    uint32_t from = read_u(r), to = read_u(r);
    edge->from = from == 0 ? BALLARUS_ENTRY : from - 1;
    edge->to = to == 0 ? BALLARUS_EXIT : to - 1;
    bool known = read_kind(r, edge, kind, from_goto);
    edge->value = read_u(r);
    if (from_goto->how != DESCRIPTOR_GOTO_NONE)
        read_line(r, table, &from_goto->place);
    return known && from <= f->block_count && to <= f->block_count && (to == 0) == (*kind != DESCRIPTOR_EDGE_FLOW) &&
           !(to == 0 && edge->cut);
}

static bool same_values(const ballarus *graph, const ballarus_edge *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (graph->edge[i].cut != edges[i].cut || graph->edge[i].value != edges[i].value)
            return false;
    return true;
}

/* Reads the edges and numbers the paths again: the result must be what the compiler had. */
static void read_edges(record_memory *s, reader *r, const strings *table, descriptor_function *f)
{
    ballarus_edge *edges = record_take(s, f->edge_count, sizeof *edges);
    uint8_t *kind = record_take(s, f->edge_count, 1);
    bool *start = record_take(s, f->block_count, sizeof *start);
    descriptor_edge_goto *gotos = record_take(s, f->edge_count, sizeof *gotos);
    f->edge_kind = kind;
    f->edge_goto = gotos;
    for (uint32_t i = 0; edges && kind && gotos && i < f->edge_count && !r->wrong; i++)
        if (!read_edge(r, table, f, &edges[i], &kind[i], &gotos[i]) && !r->wrong)
            r->wrong = "an edge leads nowhere";
    if (!edges || !kind || !start || !gotos || r->wrong)
        return;
    for (uint32_t i = 0; i < f->block_count; i++)
        start[i] = f->block[i].flags & DESCRIPTOR_BLOCK_LANDING;
    ballarus *graph = ballarus_new(f->block_count, edges, f->edge_count, start, UINT32_MAX);
    f->graph = graph;
    if (!graph || graph->count != f->path_count || !same_values(graph, edges, f->edge_count))
        r->wrong = "path numbers do not fit the graph";
}

/* Where no path starts but the first of a pack. */
static void find_apart(record_memory *s, descriptor_function *f)
{
    const uint32_t apart = DESCRIPTOR_BLOCK_CALL | DESCRIPTOR_BLOCK_LANDING;
    if (!(f->flags & DESCRIPTOR_PACKED))
        return;
    bool *all = record_take(s, f->block_count, sizeof *all);
    for (uint32_t i = 0; all && i < f->block_count; i++)
        all[i] = f->block[i].flags & apart;
    f->apart = all;
}

static bool fits(uint32_t base, uint32_t count)
{
    return count <= UINT32_MAX - base;
}

/* What follows the constants from version 3 on: the words that the linker filled in, again, and the CRC-32 of the
 * rest. `constants` is where the constants begin. */
static void check_record(reader *r, const uint8_t *record, const uint8_t *constants)
{
    size_t linked = (size_t)(r->at - constants), copies = linked + DESCRIPTOR_LINKED_SIZE;
    const uint8_t kind[] = {record[6], record[7]};
    if ((size_t)(r->end - r->at) < copies + DESCRIPTOR_SUM_SIZE) {
        r->wrong = "its check sum is cut off";
        return;
    }
    const uint8_t *text = record + DESCRIPTOR_HEAD_SIZE;
    uint32_t sum = weft_crc32(weft_crc32(0, text, (size_t)(constants - text)), kind, sizeof kind);
    if (memcmp(r->at, constants, linked) != 0 ||
        memcmp(r->at + linked, record + DESCRIPTOR_LINKED_AT, DESCRIPTOR_LINKED_SIZE) != 0 ||
        record_load32(r->at + copies) != sum)
        r->wrong = "its check sum is wrong";
    r->at += copies + DESCRIPTOR_SUM_SIZE;
}

/* One record of `size` bytes. On failure `f` may hold a graph; the caller frees it. */
const char *record_read(record_memory *s, descriptor_function *f, const uint8_t *record, size_t size)
{
    reader r = {record + DESCRIPTOR_HEAD_SIZE, record + size, NULL, size, record[6]};
    f->version = record[6];
    f->flags = record[7];
    f->address = record_load32(record + 8);
    f->path_base = record_load32(record + 12);
    f->site_base = record_load32(record + 16);
    f->block_base = record_load32(record + 20);
    strings table = read_strings(s, &r);
    f->name = read_string(&r, &table);
    f->assembler_name = read_string(&r, &table);
    f->name = whole_name(s, f);
    f->file = read_string(&r, &table);
    f->first_line = read_u(&r);
    f->last_line = read_u(&r);
    f->path_count = read_u(&r);
    f->block_count = read_count(&r, 3);
    f->site_count = read_count(&r, 5);
    f->edge_count = read_count(&r, 4);
    bool packed = f->flags & DESCRIPTOR_PACKED;
    if (!r.wrong && !(f->path_count < UINT32_MAX && fits(f->path_base, f->path_count + packed) &&
                      fits(f->site_base, f->site_count) && fits(f->block_base, f->block_count)))
        r.wrong = "its numbers run over 32 bits";
    if (!r.wrong)
        read_blocks(s, &r, &table, f);
    if (!r.wrong)
        read_sites(s, &r, &table, f);
    if (!r.wrong)
        read_edges(s, &r, &table, f);
    if (!r.wrong)
        read_moves(s, &r, f);
    if (!r.wrong)
        find_apart(s, f);
    const uint8_t *constants = r.at;
    if (!r.wrong)
        read_constants(&r, f);
    if (!r.wrong && r.version >= 3)
        check_record(&r, record, constants);
    if (!r.wrong && r.at != r.end)
        r.wrong = "bytes are left over";
    if (!r.wrong && !(f->block && f->site && f->edge_kind && f->edge_goto && f->graph && (f->apart || !packed)))
        r.wrong = "not enough memory";
    return r.wrong;
}
