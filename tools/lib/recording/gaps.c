/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/gaps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/format.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/image/vectors.h"

container_gap *gaps_add(gap_list *gaps, container_gap_kind kind, uint64_t offset, uint32_t recording)
{
    gaps->all = memory_room(gaps->all, gaps->count, &gaps->max, sizeof *gaps->all);
    container_gap *gap = &gaps->all[gaps->count++];
    *gap = (container_gap){.kind = kind, .offset = offset, .recording = recording};
    return gap;
}

void gaps_add_damage(gap_list *gaps, uint64_t offset, uint64_t size, uint32_t recording)
{
    container_gap *last = gaps->count ? &gaps->all[gaps->count - 1] : NULL;
    if (last && last->kind == GAP_DAMAGE && last->offset + last->bytes + 1 >= offset)
        last->bytes = offset + size - last->offset;
    else
        gaps_add(gaps, GAP_DAMAGE, offset, recording)->bytes = size;
}

static int by_offset(const void *left, const void *right)
{
    const container_gap *a = left, *b = right;
    return a->offset < b->offset ? -1 : a->offset > b->offset ? 1 : (int)a->kind - (int)b->kind;
}

void gaps_sort(gap_list *gaps)
{
    if (gaps->count)
        qsort(gaps->all, gaps->count, sizeof *gaps->all, by_offset);
}

void gaps_at_least(gap_list *gaps)
{
    for (size_t i = 0; i < gaps->count; i++)
        gaps->all[i].at_least = gaps->all[i].paths && gaps->all[i].kind != GAP_OUT;
}

void gaps_free(gap_list *gaps)
{
    free(gaps->all);
}

static void counts_text(const container_gap *gap, char *text, size_t size)
{
    const char *least = gap->at_least ? "at least " : "";
    if (gap->counted && gap->marks)
        snprintf(text, size,
                 "%s%" PRIu64 " paths, %" PRIu64 " accesses, %" PRIu64 " values and %" PRIu64
                 " events of the firmware's own are lost",
                 least, gap->paths, gap->accesses, gap->values, gap->marks);
    else if (gap->counted)
        snprintf(text, size, "%s%" PRIu64 " paths, %" PRIu64 " accesses and %" PRIu64 " values are lost", least,
                 gap->paths, gap->accesses, gap->values);
    else
        snprintf(text, size, "the number of lost events is unknown");
}

static const char *cause_text(const container_gap *gap)
{
    return gap->cause == GAP_CAUSE_SINK     ? "the sink refused"
           : gap->cause == GAP_CAUSE_RING   ? "the event ring was full"
           : gap->cause == GAP_CAUSE_FOREST ? "the forest or the event ring was full"
           : gap->cause == GAP_CAUSE_BOX    ? "older paths were overwritten"
           : gap->cause == GAP_CAUSE_EITHER ? "the sink refused or the event ring was full"
                                            : "the recorder lost events";
}

static const char *other_text(const container_gap *gap)
{
    return gap->number == GAP_OTHER_COUNTS   ? "fewer events came before it than the frames before it hold"
           : gap->number == GAP_OTHER_LOSSES ? "what it counts as lost is not what is missing before it"
           : gap->number == GAP_OTHER_TIME   ? "it began before the one before it ended"
           : gap->number == GAP_OTHER_CHAIN  ? "it names another frame as the one before it"
           : gap->number == GAP_OTHER_TOTALS ? "its totals are not those of the frames before it"
                                             : "it describes another recording";
}

/* Without an image or the names that were given: "thread mode", "SysTick_Handler", "interrupt 5", "thread 513". */
static void filter_text(const container_gap *gap, char *text, size_t size)
{
    char name[VECTORS_NAME_MAX];
    vectors_name(NULL, gap->number >> 2, name);
    if (gap->number & WEFT_FILTER_ONLY)
        snprintf(text, size,
                 "from byte %" PRIu64 " on: of %s all is recorded, of contexts that are not named so nothing is",
                 gap->offset, name);
    else
        snprintf(text, size, "from byte %" PRIu64 " on: %s is not recorded", gap->offset, name);
}

static void frames_text(const container_gap *gap, const char *counts, char *text, size_t size)
{
    if (gap->cause == GAP_CAUSE_TRIGGER) {
        snprintf(text, size,
                 "before byte %" PRIu64 ": %" PRIu64 " frame%s held back for a trigger had no room any more; %s%" PRIu64
                 " paths, %" PRIu64 " accesses and %" PRIu64 " values are not recorded",
                 gap->offset, gap->frames, gap->frames == 1 ? "" : "s", gap->at_least ? "at least " : "", gap->paths,
                 gap->accesses, gap->values);
        return;
    }
    snprintf(text, size, "before byte %" PRIu64 ": %" PRIu64 " frame%s missing; %s", gap->offset, gap->frames,
             gap->frames == 1 ? " is" : "s are", counts);
}

static void sampling_text(const container_gap *gap, char *text, size_t size)
{
    snprintf(text, size,
             "from byte %" PRIu64 " on: only one activation in %" PRIu32
             " is recorded of the function whose paths begin with number %" PRIu32,
             gap->offset, gap->number, gap->path);
}

static void out_text(const container_gap *gap, char *text, size_t size)
{
    snprintf(text, size,
             "byte %" PRIu64 ": left out by filters, triggers and sampling: %" PRIu64 " paths, %" PRIu64
             " accesses, %" PRIu64 " values, %" PRIu64 " events of the firmware's own, and %" PRIu64
             " activations of sampled functions",
             gap->offset, gap->paths, gap->accesses, gap->values, gap->marks, gap->events);
}

static void unmasked_text(const container_gap *gap, char *text, size_t size)
{
    snprintf(text, size,
             "byte %" PRIu64 ": %" PRIu64
             " events or more came from code without privilege, NMI or HardFault, which no mask holds back: what is "
             "recorded may be wrong anywhere. Keep probes out of it, or use ring delivery (Cortex-M0+, M23: with "
             "privilege)",
             gap->offset, gap->events);
}

void container_gap_text(const container_gap *gap, char *text, size_t size)
{
    char counts[160];
    counts_text(gap, counts, sizeof counts);
    switch (gap->kind) {
    case GAP_LOST:
        snprintf(text, size, "before byte %" PRIu64 ": %s; %s", gap->offset, cause_text(gap), counts);
        break;
    case GAP_FRAMES:
        frames_text(gap, counts, text, size);
        break;
    case GAP_DAMAGE:
        snprintf(text, size, "byte %" PRIu64 ": %" PRIu64 " damaged byte%s", gap->offset, gap->bytes,
                 gap->bytes == 1 ? "" : "s");
        break;
    case GAP_VERSION:
        snprintf(text, size, "byte %" PRIu64 ": a frame of format version %u, which this build does not know",
                 gap->offset, gap->version);
        break;
    case GAP_MARK:
        snprintf(text, size, "byte %" PRIu64 ": a frame with marks of kind %u, which this build does not know",
                 gap->offset, gap->version);
        break;
    case GAP_PAUSE:
        snprintf(text, size, "before byte %" PRIu64 ": recording was paused; what ran meanwhile is not recorded",
                 gap->offset);
        break;
    case GAP_PAUSED:
        snprintf(text, size, "byte %" PRIu64 ": recording was paused until its end; what ran meanwhile is not recorded",
                 gap->offset);
        break;
    case GAP_PAUSES:
        snprintf(text, size,
                 "byte %" PRIu64 ": recording was paused %" PRIu64
                 " time%s more, where frames are missing; what ran meanwhile is not recorded",
                 gap->offset, gap->events, gap->events == 1 ? "" : "s");
        break;
    case GAP_TRIGGER:
        snprintf(text, size, "before byte %" PRIu64 ": what ran before trigger %" PRIu32 " came is not recorded",
                 gap->offset, gap->number);
        break;
    case GAP_FILTER:
        filter_text(gap, text, size);
        break;
    case GAP_SAMPLING:
        sampling_text(gap, text, size);
        break;
    case GAP_OTHER:
        snprintf(text, size,
                 "byte %" PRIu64 ": this frame does not continue the one before it: %s; is it of another run?",
                 gap->offset, other_text(gap));
        break;
    case GAP_OUT:
        out_text(gap, text, size);
        break;
    case GAP_CHANGED:
        snprintf(
            text, size,
            "byte %" PRIu64
            ": the memory of the black box has changed since it was held, by its check sum: some of these paths may "
            "be wrong",
            gap->offset);
        break;
    case GAP_UNMASKED:
        unmasked_text(gap, text, size);
        break;
    case GAP_END:
        snprintf(text, size, "byte %" PRIu64 ": no end record; what came after is unknown", gap->offset);
        break;
    }
}

void gaps_print(const gap_list *gaps, const char *command)
{
    enum { SHOWN = 20 };
    char text[256];
    size_t shown = 0;
    for (size_t i = 0; i < gaps->count; i++) {
        if (i >= SHOWN && !container_gap_is_grave(gaps->all[i].kind))
            continue;
        container_gap_text(&gaps->all[i], text, sizeof text);
        fprintf(stderr, "weft %s: gap: %s\n", command, text);
        shown++;
    }
    if (gaps->count > shown)
        fprintf(stderr, "weft %s: and %zu more gaps\n", command, gaps->count - shown);
}
