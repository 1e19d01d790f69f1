/* SPDX-License-Identifier: MIT */
/* Rows that are kept compressed, in memory and on disk, are what was added: as columns, and word by word. */
#include <stdlib.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/wet/rows.h"

#define NODES 12u
#define WIDTH 7u

/* What was added, by node. */
static uint32_t *plain[NODES], counts[NODES], room;

/* Words of all kinds: constant, steady, small and large differences, noise. */
static uint32_t word(check_random *random, uint32_t column, uint32_t row, uint32_t before)
{
    switch (column) {
    case 0:
        return 77;
    case 1:
        return 4 * row;
    case 2:
        return before + check_random_below(random, 9) - 4;
    case 3:
        return before + check_random_below(random, 9000);
    case 4:
        return row % 5000 ? before : check_random_next(random);
    case 5:
        return check_random_below(random, 2) ? UINT32_MAX : 0;
    default:
        return check_random_next(random);
    }
}

static void rows_fill(wet_rows **rows, uint32_t total)
{
    check_random random = {total + 1};
    for (uint32_t i = 0; i < total; i++) {
        uint32_t node = check_random_below(&random, NODES);
        node = check_random_below(&random, node + 1);
        uint32_t *row = wet_rows_add(rows[node]), *copy = plain[node] + (size_t)counts[node] * WIDTH;
        for (uint32_t k = 0; k < WIDTH; k++)
            row[k] = copy[k] = word(&random, k, counts[node], counts[node] ? (copy - WIDTH)[k] : 0);
        counts[node]++;
    }
}

static bool columns_agree(wet_rows_reader *reader, const wet_rows *rows, uint32_t node, check_random *random)
{
    uint32_t *column = memory_zero(counts[node] + 1, sizeof *column);
    bool same = rows->count == counts[node];
    for (uint32_t k = 0; k < WIDTH && same; k++) {
        wet_cells cells = wet_cells_open(rows, k);
        wet_rows_column(reader, rows, k, column);
        for (uint32_t i = 0; i < counts[node]; i++)
            same &= column[i] == plain[node][(size_t)i * WIDTH + k];
        for (uint32_t i = 0; i < 1000 && counts[node]; i++) {
            uint32_t at = check_random_below(random, counts[node]);
            same &= wet_cells_get(reader, &cells, at) == column[at];
        }
        wet_cells_close(&cells);
    }
    free(column);
    return same;
}

static bool rows_agree(uint32_t total, uint64_t memory, uint64_t tails)
{
    char message[200];
    wet_rows *rows[NODES];
    check_random random = {1};
    wet_store *store = wet_store_new(memory, tails);
    for (uint32_t i = 0; i < NODES; i++)
        rows[i] = wet_rows_new(store, WIDTH);
    memset(counts, 0, sizeof counts);
    rows_fill(rows, total);
    bool same = wet_store_done(store, message, sizeof message);
    wet_rows_reader *reader = wet_rows_reader_new();
    for (uint32_t i = 0; i < NODES && same; i++)
        same = columns_agree(reader, rows[i], i, &random);
    wet_rows_reader_free(reader);
    wet_store_free(store);
    return same;
}

static void rows_are_what_was_added(void)
{
    static const uint32_t totals[] = {0, 1, 40, 5000, 100000};
    static const uint64_t limits[] = {0, 1000, 2 << 20, UINT64_C(1) << 40};
    for (unsigned i = 0; i < 5; i++)
        for (unsigned memory = 0; memory < 4; memory++)
            for (unsigned tails = 0; tails < 4; tails++)
                CHECK(rows_agree(totals[i], limits[memory], limits[tails]));
}

int main(void)
{
    room = 100000;
    for (uint32_t i = 0; i < NODES; i++)
        plain[i] = memory_zero((size_t)room * WIDTH, sizeof *plain[i]);
    RUN(rows_are_what_was_added);
    for (uint32_t i = 0; i < NODES; i++)
        free(plain[i]);
    return check_failed();
}
