/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_packs.h"

#include <inttypes.h>
#include <stdio.h>

/* A record counts as one path where nothing says what it holds, and always if it is lost. */
static bool counts_records(const info_summary *sum)
{
    return sum->packs && !sum->packs_known;
}

void info_print_packs(const info_summary *sum)
{
    if (counts_records(sum))
        printf("\n  packs      %" PRIu64
               " records hold several paths each, and count as one here: there are at least as "
               "many paths as is said. Only the ELF tells: --elf APP.elf\n",
               sum->packs);
    else if (sum->packs)
        printf("\n  packs      %" PRIu64 " of the records hold %" PRIu64 " of the paths\n", sum->packs, sum->packed);
    if ((sum->packed_program || (sum->packs && sum->packs_known)) && !sum->recorded.accesses)
        puts("             what an interrupt of these paths recorded stands before them");
}

void info_put_packs(json *j, const info_summary *sum, bool lost_more)
{
    if (!sum->packs && !sum->packed_program)
        return;
    json_object(j, "packed");
    json_unsigned(j, "records", sum->packs);
    if (!counts_records(sum))
        json_unsigned(j, "paths", sum->packed);
    json_bool(j, "at_least", lost_more || counts_records(sum));
    json_end_object(j);
}
