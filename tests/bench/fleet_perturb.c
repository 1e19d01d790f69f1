/* SPDX-License-Identifier: MIT */
/* Makes profiles of an invented fleet from real ones: fleet_perturb COUNT SEED OUT PROFILE...
 *
 * Profile i of COUNT is one of the given profiles with other counts, like another device's recording of the same
 * program. Each counter is changed by up to a quarter, and a few nodes are left out. One device in 1,000 has a path
 * of its own. All profiles are written to OUT, one after the other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/fleet/profile_file.h"
#include "tools/lib/fleet/restore.h"

static uint64_t change(check_random *random, uint64_t count)
{
    uint64_t quarter = count / 4 + 1;
    return count - quarter / 2 + check_random_below(random, quarter > 1 << 30 ? 1 << 30 : (uint32_t)quarter);
}

static void copy_tables(merged *to, merged_group *g, const merged_group *from, check_random *random)
{
    for (uint32_t i = 0; i < from->paths.count; i++) {
        merged_path *p = merged_path_of(g, from->path[i].path);
        *p = from->path[i];
        p->count = change(random, p->count);
        p->squares = (wide)p->count * p->count;
    }
    for (uint32_t i = 0; i < from->functions.count; i++) {
        merged_function *f = merged_function_of(g, from->function[i].function);
        *f = from->function[i];
        f->self = change(random, f->self);
        f->self_squares = (wide)f->self * f->self;
        f->cross = (wide)f->self * f->calls;
    }
    for (uint32_t i = 0; i < from->loops.count; i++)
        merged_add_loop(to, g, &from->loop[i]);
}

static void copy_forest(merged *to, merged_group *g, const merged_group *from, check_random *random, uint32_t set,
                        uint32_t number)
{
    uint32_t nodes = kipf_nodes(from->forest), *place = memory_zero(nodes, sizeof *place);
    place[TRIE_UNKNOWN] = TRIE_UNKNOWN;
    for (uint32_t n = TRIE_FIRST; n < nodes; n++) {
        const trie_node *node = kipf_node(from->forest, n);
        uint64_t count = check_random_below(random, 50) ? change(random, node->count) : 0;
        place[n] = merged_add_node(to, g, place[node->parent], node->label, count, count ? set : SETS_NONE);
    }
    if (number % 1000 == 0)
        merged_add_node(to, g, TRIE_ROOT, 1000000 + number / 1000, 1, set);
    free(place);
}

static merged *perturb(const merged *from, uint32_t number, check_random *random)
{
    const merged_group *old = from->group[0];
    merged *to = merged_new();
    char device[24];
    int size = snprintf(device, sizeof device, "d%07u", number);
    const merged_image *im = &from->image[old->image];
    uint32_t of = merged_image_of(to, im->identity, im->identity_size);
    uint32_t member = texts_of(&to->names, device, (size_t)size), set = sets_of(&to->sets, &member, 1);
    uint64_t digest = ((uint64_t)check_random_next(random) << 32 | check_random_next(random)) ^ number;
    digests_add(&to->recordings, digest);
    digests_add(&to->devices, digest * 3);
    merged_group *g = merged_group_of(to, of, old->k, old->labels, strlen(old->labels));
    g->totals = old->totals;
    copy_tables(to, g, old, random);
    copy_forest(to, g, old, random, set, number);
    return to;
}

int main(int argc, char **argv)
{
    char message[300];
    if (argc < 5)
        return 2;
    uint32_t count = (uint32_t)strtoul(argv[1], NULL, 10), seed = (uint32_t)strtoul(argv[2], NULL, 10);
    check_random random = {seed * 2654435761u + 1};
    int bases = argc - 4;
    merged **base = memory_zero((size_t)bases, sizeof *base);
    FILE *out = fopen(argv[3], "wb");
    for (int i = 0; i < bases; i++) {
        base[i] = merged_new();
        if (!restore_file(base[i], argv[4 + i], message, sizeof message)) {
            fprintf(stderr, "%s\n", message);
            return 1;
        }
    }
    for (uint32_t i = 0; i < count && out; i++) {
        const char *why = NULL;
        size_t size = 0;
        merged *one = perturb(base[i % (uint32_t)bases], seed * count + i, &random);
        uint8_t *bytes = profile_write(one, &size, &why);
        if (!bytes || fwrite(bytes, 1, size, out) != size)
            return 1;
        free(bytes);
        merged_free(one);
    }
    return !out || fclose(out);
}
