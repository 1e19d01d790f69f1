/* SPDX-License-Identifier: MIT */
/* Usage: tre_check FILE.weft APP.elf SOURCE: for each site in that source file, the nests of the target's engine over
 * its addresses against the host's single-domain model. One line per site: same, longer (the host has one nest, the
 * engine more) or other (the host has none either); then totals: sites, same, longer, other, bytes of the engine's
 * records, accesses. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/site_streams.h"
#include "tests/lib/target_model.h"
#include "tools/lib/recording/script.h"

int main(int argc, char **argv)
{
    char message[300];
    target_tally tally = {0};
    if (argc != 4)
        return 2;
    container *file = container_open(argv[1], message, sizeof message);
    program *app = file ? program_open(argv[2], message, sizeof message) : NULL;
    scripts *paths = app ? scripts_open(app) : NULL;
    replay_model scripted = {paths, scripts_model};
    site_streams *all = app ? site_streams_load(file, scripted, message, sizeof message) : NULL;
    if (!all) {
        puts(message);
        return 1;
    }
    for (size_t i = 0; i < all->count; i++) {
        const site_stream *s = &all->stream[i];
        const descriptor_function *f = descriptors_of_site(program_descriptors(app), s->site);
        const descriptor_site *site = descriptors_site(program_descriptors(app), s->site);
        target_tally before = tally;
        if (!f || !strstr(f->file, argv[3]) || !s->count)
            continue;
        bool well = target_compare(&tally, s->address, s->count), one = tally.one > before.one;
        printf("%s: site %u, %s `%s`\n", !one ? "other" : well ? "same" : "longer", s->site, f->name, site->text);
        if (tally.lossy)
            return 1;
    }
    printf("sites %u same %u longer %u other %u bytes %llu accesses %llu\n", tally.streams, tally.same,
           tally.one - tally.same, tally.streams - tally.one, (unsigned long long)tally.bytes,
           (unsigned long long)tally.accesses);
    site_streams_free(all);
    scripts_close(paths);
    program_close(app);
    container_close(file);
    return 0;
}
