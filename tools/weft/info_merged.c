/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_merged.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/lib/base/json.h"
#include "tools/lib/base/text.h"
#include "tools/lib/fleet/restore.h"
#include "tools/weft/command.h"
#include "tools/weft/fleet_input.h"

static void image_text(const merged_image *im, char text[161])
{
    *text = 0;
    for (size_t i = 0; i < im->identity_size && i < 80; i++)
        snprintf(text + 2 * i, 3, "%02x", im->identity[i]);
}

static void print_group(const merged *all, const merged_group *g)
{
    char identity[161];
    image_text(&all->image[g->image], identity);
    printf("\nimage %s%s, k %" PRIu32 ", labels: ", identity,
           all->image[g->image].packed ? "" : " (without descriptors)", g->k);
    text_print(stdout, *g->labels ? g->labels : "none");
    printf("\n  %" PRIu64 " recordings, %" PRIu64 " of them with their image, %" PRIu64 " with a control stream\n",
           g->totals.recordings, g->totals.priced, g->totals.streams);
    printf("  %" PRIu64 " paths, %" PRIu32 " distinct; %" PRIu32 " nodes of sequences; %" PRIu32 " functions, %" PRIu32
           " loops\n",
           g->totals.paths, g->paths.count, kipf_nodes(g->forest) - TRIE_FIRST, g->functions.count, g->loops.count);
    printf("  lost: %s%" PRIu64 " paths in %" PRIu64 " gaps of %" PRIu64 " recordings\n",
           g->totals.gapped ? "at least " : "", g->totals.lost, g->totals.gaps, g->totals.gapped);
}

static void put_group(json *j, const merged *all, const merged_group *g)
{
    char identity[161];
    image_text(&all->image[g->image], identity);
    json_object(j, NULL);
    json_string(j, "image", identity);
    json_integer(j, "k", g->k);
    json_string(j, "labels", g->labels);
    json_unsigned(j, "recordings", g->totals.recordings);
    json_unsigned(j, "paths", g->totals.paths);
    json_integer(j, "distinct", g->paths.count);
    json_unsigned(j, "lost", g->totals.lost);
    json_unsigned(j, "gaps", g->totals.gaps);
    json_end_object(j);
}

int info_merged(const char *name, const char *path, bool as_json)
{
    char message[400];
    merged *all = merged_new();
    bool good = restore_file(all, path, message, sizeof message);
    merged_totals t = merged_totals_of(all);
    if (good && as_json) {
        fleet_remark(t);
        json *j = json_begin(stdout);
        json_object(j, NULL);
        json_unsigned(j, "recordings", t.recordings);
        json_unsigned(j, "devices", all->devices.count);
        json_unsigned(j, "paths", t.paths);
        json_unsigned(j, "lost", t.lost);
        json_unsigned(j, "gaps", t.gaps);
        json_array(j, "groups");
        for (size_t i = 0; i < all->group_count; i++)
            put_group(j, all, all->group[i]);
        json_end_array(j);
        json_end_object(j);
        json_finish(j);
    } else if (good) {
        printf("merged profile: %" PRIu64 " recordings of %zu devices, %zu images\n", t.recordings, all->devices.count,
               all->image_count);
        for (size_t i = 0; i < all->group_count; i++)
            print_group(all, all->group[i]);
    }
    merged_free(all);
    if (!good)
        return command_fail(name, EXIT_INPUT, "%s", message);
    return t.gapped ? command_fail(name, EXIT_GAPS, "gap: %" PRIu64 " recordings have gaps", t.gapped) : EXIT_DONE;
}
