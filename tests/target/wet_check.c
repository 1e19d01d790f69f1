/* SPDX-License-Identifier: MIT */
/* wet_check FULL.weft APP.elf X.wet [SLICES [SEED]]: the oracle of whole execution traces. The recording is kept whole;
 *   1. every instruction, value and access of X.wet must be that of the recording, in its order; found alone and in
 *   blocks
 *   2. SLICES random backward slices and as many forward must be those of a naive implementation that keeps every
 *      dependence (tests/lib/naive_slices.h). It shares no code with tools/lib: it reads the disassembly of objdump and
 *      the symbols of readelf, and finds post-dominators by removing instructions one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tests/lib/made_windows.h"
#include "tests/lib/naive_slices.h"
#include "tools/lib/base/threads.h"
#include "tools/lib/wet/blocks.h"
#include "tools/lib/wet/control.h"
#include "tools/lib/wet/open.h"
#include "tools/lib/wet/place.h"
#include "tools/lib/wet/slice.h"
#include "tools/lib/wet/slice_log.h"
#include "tools/lib/wet/store.h"
#include "tools/lib/wet/word.h"

static const char *full_path, *elf_path, *wet_path;

static wet_file *wet;
static uint32_t *first_event;     /* of each time */
static wet_instance *instance_of; /* of each event */
static uint32_t event_max, event_total;

static bool same_instruction(const full_event *e, wet_instance at)
{
    const wet_statement *s = &wet->statements[wet->nodes[at.node].n.statements[at.statement]];
    uint32_t values[64];
    uint8_t locations[64];
    wet_access_seen seen[FULL_ACCESSES_MAX];
    EXPECT(wet->statics[s->instruction].insn.pc == e->instruction->pc);
    EXPECT(s->passed == e->passed && s->written == e->written);
    EXPECT(wet_values_of(wet, at, values, locations) == e->value_count);
    for (uint32_t i = 0; i < e->value_count; i++)
        EXPECT(values[i] == e->values[i]);
    EXPECT(wet_accesses_of(wet, at, seen) == e->access_count);
    for (uint32_t i = 0; i < e->access_count; i++) {
        EXPECT(seen[i].address == e->accesses[i].address && seen[i].size == e->accesses[i].size);
        EXPECT(seen[i].store == e->accesses[i].store && seen[i].known && seen[i].value == e->accesses[i].value);
    }
    return true;
}

static full_event *current; /* of the recording, read along */

/* Whether the recording's next event is this one of the trace. */
static bool same_event(full_reader *in, uint32_t event, wet_instance at)
{
    const wet_node *n = &wet->nodes[at.node].n;
    EXPECT(full_next(in, current) > 0);
    if (current->kind == FULL_EXCEPTION)
        EXPECT(wet->statics[wet->statements[n->statements[at.statement]].instruction].exception);
    else if (!same_instruction(current, at)) {
        printf("# event %u at pc %x\n", event, current->instruction->pc);
        return false;
    }
    return true;
}

/* The statements of one execution of a node against the events from *event on. */
static bool same_execution(full_reader *in, uint32_t node, uint32_t instance, uint32_t *event)
{
    for (uint32_t k = 0; k < wet->nodes[node].n.statement_count; k++, ++*event) {
        wet_instance at = {node, k, instance};
        if (*event >= event_max || !same_event(in, *event, at))
            return false;
        instance_of[*event] = at;
    }
    return true;
}

static void every_instruction_value_and_access_is_that_of_the_emulator(void)
{
    char message[256];
    wet_control *c = wet_control_new(wet, 1, UINT32_MAX, false);
    full_reader *in = full_open(full_path, message, sizeof message);
    uint32_t low, count, event = 0;
    const uint32_t *nodes, *instances;
    bool same = in != NULL;
    current = calloc(1, sizeof *current);
    while (same && (count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = 0; same && i < count; i++) {
            first_event[low + i] = event;
            same = same_execution(in, nodes[i], instances[i], &event);
        }
    wet_control_free(c);
    CHECK(same);
    CHECK(full_next(in, current) == 0 && !full_error(in));
    CHECK(!wet->damaged);
    event_total = event;
    full_close(in);
}

static void backward_control_is_the_mirror(void)
{
    wet_control *c = wet_control_new(wet, 1, UINT32_MAX, true);
    uint32_t low, count, event = event_total;
    const uint32_t *nodes, *instances;
    while ((count = wet_control_next(c, &low, &nodes, &instances)) > 0)
        for (uint32_t i = count; i-- > 0;) {
            const wet_node *n = &wet->nodes[nodes[i]].n;
            for (uint32_t k = n->statement_count; k-- > 0;) {
                event--;
                CHECK(instance_of[event].node == nodes[i] && instance_of[event].instance == instances[i] &&
                      instance_of[event].statement == k);
            }
        }
    CHECK_EQ(event, 0);
    wet_control_free(c);
}

/* On a file opened again, so that nothing has been found before, and with room for few blocks. */
static void words_found_in_blocks_are_those_found_alone(void)
{
    char message[256];
    static uint32_t words[WET_BLOCK];
    wet_file *fresh = wet_file_open(wet_path, message, sizeof message);
    CHECK(fresh != NULL);
    fresh->decoded_max = (wet->executed < 1000000 ? 24 : 256) * sizeof words; /* few make long runs slow */
    for (uint32_t i = 0; i < wet->node_count; i++)
        for (uint32_t slot = 0; slot < wet->nodes[i].n.slot_count; slot++) {
            uint32_t count = wet->nodes[i].n.count < WET_BLOCK ? wet->nodes[i].n.count : WET_BLOCK;
            wet_words(fresh, i, slot, wet->nodes[i].n.count - count, count, words);
            CHECK(fresh->decoded <= fresh->decoded_max);
            for (uint32_t k = 0; k < count; k++)
                CHECK_EQ(words[k], wet_word(wet, i, slot, wet->nodes[i].n.count - count + k));
        }
    CHECK(!fresh->damaged && !wet->damaged);
    wet_file_close(fresh);
}

static void blocks_made(const wet_file *f, uint32_t stream)
{
    const wet_stream *s = &f->streams[stream];
    for (uint32_t block = 0; s->kind == WET_CODED && block < wet_stream_block_count(f, s); block++)
        CHECK(wet_store_block(s, block) != NULL);
}

/* Asked for while threads make the blocks, and again when all are made. */
static void words_of_blocks_that_threads_make_are_the_same(void)
{
    char message[256];
    static uint32_t words[WET_BLOCK];
    wet_file *fresh = wet_file_open(wet_path, message, sizeof message);
    CHECK(fresh != NULL);
    fresh->alone = true;
    wet_store_begin(fresh, UINT64_C(1) << 28);
    for (int made = 0; made < 2; made++) {
        for (uint32_t i = 0; i < wet->node_count; i++)
            for (uint32_t slot = 0; slot < wet->nodes[i].n.slot_count; slot++) {
                uint32_t count = wet->nodes[i].n.count < 64 ? wet->nodes[i].n.count : 64;
                wet_words(fresh, i, slot, wet->nodes[i].n.count - count, count, words);
                for (uint32_t k = 0; k < count; k++)
                    CHECK_EQ(words[k], wet_word(wet, i, slot, wet->nodes[i].n.count - count + k));
                CHECK_EQ(wet_time(fresh, i, count - 1), wet_time(wet, i, count - 1));
            }
        wet_store_wait(fresh);
        wet_blocks_shrink(fresh, 0);
    }
    for (uint32_t i = 0; fresh->store && i < fresh->node_count; i++) {
        blocks_made(fresh, fresh->nodes[i].times);
        for (uint32_t slot = 0; slot < fresh->nodes[i].n.slot_count; slot++)
            blocks_made(fresh, fresh->nodes[i].slots[slot]);
    }
    CHECK(!fresh->damaged && !wet->damaged);
    wet_file_close(fresh);
}

static void a_window_made_in_parts_is_the_same(void)
{
    made_windows_compare(wet_path, elf_path);
}

static void a_step_over_a_border_finds_the_window_made(void)
{
    made_windows_step(wet_path, elf_path);
}

static void visit(void *context, uint32_t node, uint32_t instance, uint64_t operations)
{
    uint8_t *slice = context;
    const wet_node *n = &wet->nodes[node].n;
    for (uint32_t o = 0; o < n->operation_count; o++)
        if (operations >> o & 1)
            slice[first_event[wet_time(wet, node, instance)] + n->operation_statement[o]] = 1;
}

static int slice_count;
static check_random seed;

/* Both directions of the naive slice at event i, for a message. */
static void print_needs(const uint8_t *naive, uint32_t i)
{
    for (uint32_t q = naive_events[i].first_part; q < naive_events[i].first_part + naive_events[i].part_count; q++)
        for (uint32_t k = 0; k < naive_parts[q].need_count; k++)
            printf("#   needs event %u\n", naive_parts[naive_parts[q].needs[k]].event);
    for (size_t q = 0; q < naive_part_count; q++)
        for (uint32_t k = 0; k < naive_parts[q].need_count; k++)
            if (naive_parts[naive_parts[q].needs[k]].event == i && naive[naive_parts[q].event])
                printf("#   needed by event %u\n", naive_parts[q].event);
}

static bool same_slice(uint32_t event, bool forward)
{
    uint8_t *naive = naive_slice(event, forward), *mine = calloc(naive_event_count + 1, 1);
    wet_slice *slice = wet_slice_run(wet, (wet_start){instance_of[event], 0}, forward, visit, mine);
    uint64_t instances = 0;
    bool same = true;
    for (uint32_t i = 0; i < naive_event_count; i++) {
        instances += mine[i] && naive_events[i].e.kind == FULL_EXECUTED;
        if (naive[i] == mine[i] || !same)
            continue;
        same = false;
        printf("# %s slice of event %u (pc %x): event %u (pc %x, %s %s) %s\n", forward ? "forward" : "backward", event,
               naive_events[event].e.instruction->pc, i,
               naive_events[i].e.kind == FULL_EXECUTED ? naive_events[i].e.instruction->pc : 0,
               naive_events[i].t ? naive_events[i].t->name : "exception",
               naive_events[i].t ? naive_events[i].t->operands : "", naive[i] ? "is missing" : "is too much");
        print_needs(naive, i);
    }
    EXPECT(!same || slice->instances == instances);
    wet_slice_free(slice);
    free(naive);
    free(mine);
    return same;
}

/* Where edges lead is kept on disk in one tier, in memory in the other; backward it is found with helpers. */
static void slices(bool forward)
{
    if (wet->tier == 2)
        wet->log_max = 0;
    threads_choose(forward ? 1 : 3);
    for (int i = 0; i < slice_count; i++) {
        uint32_t event = check_random_below(&seed, (uint32_t)naive_event_count);
        while (naive_events[event].e.kind == FULL_EXCEPTION)
            event = check_random_below(&seed, (uint32_t)naive_event_count);
        if (i == 0)
            event = forward ? 0 : (uint32_t)naive_event_count - 1;
        CHECK(same_slice(event, forward));
    }
    CHECK(!wet->damaged);
}

/* All links of the log, and its groups, as one number. */
static uint64_t log_sum(wet_file *f)
{
    const slice_log *log = slice_log_reach(f, f->time);
    uint64_t sum = log->group_count;
    for (uint64_t i = 0; i < log->group_count; i++)
        sum = sum * 1099511628211u ^ log->groups[i];
    for (uint64_t span = 0; span << SLICE_SPAN_BITS < log->time; span++) {
        const slice_span *s = &log->spans[span];
        uint64_t left = log->time - (span << SLICE_SPAN_BITS);
        const uint32_t *link = s->links;
        for (uint32_t i = 0; i < left && !(i >> SLICE_SPAN_BITS); i++) {
            const wet_file_node *n = &f->nodes[s->nodes[i]];
            for (uint32_t k = 0; k < log->nodes[s->nodes[i]].first[n->n.operation_count]; k++)
                sum = sum * 1099511628211u ^ *link++;
            sum = sum * 1099511628211u ^ s->nodes[i];
        }
    }
    return sum;
}

static void edges_found_with_helpers_lead_where_they_do_without(void)
{
    char message[256];
    uint64_t sums[2];
    for (int i = 0; i < 2; i++) {
        wet_file *fresh = wet_file_open(wet_path, message, sizeof message);
        CHECK(fresh != NULL);
        threads_choose(i ? 4 : 1);
        sums[i] = log_sum(fresh);
        CHECK(!fresh->damaged && !fresh->ahead);
        wet_file_close(fresh);
    }
    CHECK(sums[0] == sums[1]);
}

static void backward_slices_equal_the_naive_ones(void)
{
    slices(false);
}

static void forward_slices_equal_the_naive_ones(void)
{
    slices(true);
}

int main(int argc, char **argv)
{
    char message[512];
    if (argc < 4)
        return 2;
    full_path = argv[1];
    elf_path = argv[2];
    wet_path = argv[3];
    slice_count = argc > 4 ? atoi(argv[4]) : 0;
    seed.state = argc > 5 ? (uint32_t)atoi(argv[5]) : 1;
    wet = wet_file_open(wet_path, message, sizeof message);
    if (!wet || (slice_count && !naive_run_read(full_path))) {
        printf("not ok wet_check cannot read: %s\n", message);
        return 1;
    }
    first_event = calloc((size_t)wet->time + 2, sizeof *first_event);
    event_max = (uint32_t)wet->executed + wet->time;
    instance_of = calloc((size_t)event_max + 1, sizeof *instance_of);
    RUN(every_instruction_value_and_access_is_that_of_the_emulator);
    if (!check_failed())
        RUN(words_found_in_blocks_are_those_found_alone);
    RUN(words_of_blocks_that_threads_make_are_the_same);
    RUN(a_window_made_in_parts_is_the_same);
    RUN(a_step_over_a_border_finds_the_window_made);
    if (!check_failed())
        RUN(backward_control_is_the_mirror);
    if (!check_failed())
        RUN(edges_found_with_helpers_lead_where_they_do_without);
    if (slice_count && !check_failed()) {
        naive_slices_prepare(elf_path);
        RUN(backward_slices_equal_the_naive_ones);
        RUN(forward_slices_equal_the_naive_ones);
    }
    wet_file_close(wet);
    return check_failed();
}
