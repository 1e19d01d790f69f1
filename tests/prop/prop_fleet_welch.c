/* SPDX-License-Identifier: MIT */
/* The test of two versions. Its t distribution is compared with known values. Over many fleets without a difference,
 * counts how often it finds one. Where there is a difference, it must find it. */
#include <math.h>
#include <stdio.h>

#include "tests/lib/check.h"
#include "tools/lib/fleet/welch.h"

/* Two-sided tails of Student's t, from tables. */
static void the_t_distribution_is_that_of_the_tables(void)
{
    static const struct {
        double t, freedom, p;
    } known[] = {
        {12.706205, 1, 0.05}, {4.302653, 2, 0.05}, {2.228139, 10, 0.05}, {3.169273, 10, 0.01}, {2.042272, 30, 0.05},
        {4.587, 10, 0.001},   {0, 7, 1},           {1.959964, 1e7, 0.05}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(fabs(welch_student(known[i].t, known[i].freedom) - known[i].p) < 2e-5);
}

static void add_sums(welch_sums *s, uint64_t calls, uint64_t sum)
{
    s->recordings++;
    s->calls += calls;
    s->cost += sum;
    s->calls_squares += (unsigned __int128)calls * calls;
    s->cost_squares += (unsigned __int128)sum * sum;
    s->cross += (unsigned __int128)calls * sum;
}

/* What the recordings of a fleet are like. */
typedef enum kind {
    ANY_SIZE, /* 1 to 200 calls */
    ONE_HUGE, /* one recording of a version has a thousand times the calls of the others */
    WIDE,     /* sizes over five decades */
    COIN      /* one call, of one of two costs */
} kind;

static uint64_t calls_of(kind k, check_random *random, bool first)
{
    if (k == WIDE)
        return (uint64_t)pow(10, 5.0 * check_random_below(random, 1000000) / 1000000);
    uint64_t any = 1 + check_random_below(random, 200);
    return k == COIN ? 1 : k == ONE_HUGE && first ? 1000 * any : any;
}

/* Adds a recording. A call costs `cost`, or sometimes ten times that, with a probability that each recording has for
 * itself. So costs within a recording are alike, and their tail is long. */
static void add_recording(welch_sums *s, check_random *random, uint64_t cost, kind k)
{
    uint64_t calls = calls_of(k, random, !s->recordings), sum = 0;
    uint32_t chance = 5 + check_random_below(random, 60);
    if (k == COIN)
        sum = check_random_below(random, 2) ? cost : cost + cost / 5;
    else if (calls <= 1000)
        for (uint64_t i = 0; i < calls; i++)
            sum += check_random_below(random, chance) ? cost : 10 * cost;
    else /* of a long recording, the mean */
        sum = calls * cost + calls / chance * 9 * cost;
    add_sums(s, calls, sum);
}

/* Of `fleets` fleets with 50 functions and no difference: those in which a difference is found. */
static unsigned fleets_with_findings(kind k, unsigned fleets, unsigned recordings, double level, unsigned *single)
{
    enum { FUNCTIONS = 50 };
    check_random random = {recordings * 7919u};
    unsigned found = 0;
    for (unsigned f = 0; f < fleets; f++) {
        double p[FUNCTIONS];
        bool any = false;
        for (unsigned i = 0; i < FUNCTIONS; i++) {
            welch_sums side[2] = {{0}};
            for (unsigned r = 0; r < 2 * recordings; r++)
                add_recording(&side[r & 1], &random, 100 + i, k);
            p[i] = welch_compare(&side[0], &side[1]).p;
            *single += p[i] < level;
        }
        welch_holm(p, FUNCTIONS);
        for (unsigned i = 0; i < FUNCTIONS; i++)
            any |= p[i] < level;
        found += any;
    }
    return found;
}

static void noise_is_found_no_more_often_than_the_level_says(void)
{
    static const unsigned recordings[] = {5, 20, 100};
    unsigned fleets = check_amount(40, 100, 200);
    for (size_t i = 0; i < 3; i++) {
        unsigned single = 0, found = fleets_with_findings(ANY_SIZE, fleets, recordings[i], 0.05, &single);
        char text[200];
        snprintf(text, sizeof text,
                 "# %u recordings a side, level 0.05: %u of %u functions below it, findings in %u of %u fleets\n",
                 recordings[i], single, 50 * fleets, found, fleets);
        check_print(text);
        /* At most 0.05 of the fleets, and four standard deviations more. */
        CHECK(found <= fleets * 0.05 + 4 * sqrt(fleets * 0.05 * 0.95));
        CHECK(single <= 50 * fleets * 0.09);
    }
}

/* Sizes that differ by far, and costs that by chance do not vary in a group. */
static void nor_where_recordings_are_unlike(void)
{
    static const char *const names[] = {"", "one far larger", "five decades", "two costs"};
    unsigned fleets = check_amount(40, 100, 200);
    for (kind k = ONE_HUGE; k <= COIN; k++)
        for (unsigned recordings = 2; recordings <= 20; recordings = recordings * 2 + 1) {
            unsigned single = 0, found = fleets_with_findings(k, fleets, recordings, 0.01, &single);
            char text[200];
            snprintf(text, sizeof text, "# %s, %u recordings a side, level 0.01: findings in %u of %u fleets\n",
                     names[k], recordings, found, fleets);
            check_print(text);
            CHECK(found <= fleets * 0.01 + 4 * sqrt(fleets * 0.01 * 0.99));
        }
}

static void a_difference_is_found(void)
{
    check_random random = {5};
    welch_sums a = {0}, b = {0};
    for (unsigned r = 0; r < 400; r++) {
        add_recording(&a, &random, 100, ANY_SIZE);
        add_recording(&b, &random, 125, ANY_SIZE);
    }
    welch_result result = welch_compare(&a, &b);
    CHECK(result.tested && result.p < 1e-4 && result.after > result.before);
}

static void costs_that_never_vary_are_compared_exactly(void)
{
    welch_sums a = {2, 20, 200, 200, 20000, 2000}, b = {2, 20, 220, 200, 24200, 2200},
               one = {1, 10, 100, 100, 10000, 1000};
    CHECK(fabs(welch_compare(&a, &b).p - 1. / 3) < 1e-9); /* 2 of the 6 ways to take 2 of 4 */
    welch_sums many = {0}, slower = {0};
    for (unsigned i = 0; i < 20; i++) {
        add_sums(&many, 10, 1000);
        add_sums(&slower, 10, 1001);
    }
    CHECK(welch_compare(&many, &slower).p < 1e-10);
    CHECK(welch_compare(&a, &a).p == 1);
    CHECK(!welch_compare(&a, &one).tested && isnan(welch_compare(&a, &one).p));
}

static void holm_corrects_for_all_tests(void)
{
    double p[] = {0.01, 0.04, NAN, 0.03};
    welch_holm(p, 4);
    CHECK(fabs(p[0] - 0.03) < 1e-12 && fabs(p[1] - 0.06) < 1e-12 && fabs(p[3] - 0.06) < 1e-12 && isnan(p[2]));
}

int main(void)
{
    RUN(the_t_distribution_is_that_of_the_tables);
    RUN(noise_is_found_no_more_often_than_the_level_says);
    RUN(nor_where_recordings_are_unlike);
    RUN(a_difference_is_found);
    RUN(costs_that_never_vary_are_compared_exactly);
    RUN(holm_corrects_for_all_tests);
    return check_failed();
}
