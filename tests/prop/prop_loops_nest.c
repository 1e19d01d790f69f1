/* SPDX-License-Identifier: MIT */
/* Loop nests on the host, against their definitions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/loopnest.h"
#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tests/lib/nest_oracle.h"
#include "tools/lib/loops/binary.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"
#include "tools/lib/loops/window.h"

typedef nest *method(const uint32_t *symbols, size_t size);

static const char *name_of(void *context, uint32_t symbol, char buffer[24])
{
    (void)context;
    buffer[0] = (char)symbol;
    buffer[1] = 0;
    return buffer;
}

static nest *nest_of(method *find, const char *text, size_t size)
{
    uint32_t *symbols = malloc((size + 1) * sizeof *symbols);
    for (size_t i = 0; i < size; i++)
        symbols[i] = (unsigned char)text[i];
    nest *n = find(symbols, size);
    free(symbols);
    return n;
}

static char *text_of(method *find, const char *text, size_t size)
{
    nest *n = nest_of(find, text, size);
    char *out = nest_to_text(n, true, name_of, NULL);
    nest_free(n);
    return out;
}

/* Whether the method writes the text as `want`. Prints what it wrote if not. */
static bool writes(method *find, const char *text, size_t size, const char *want)
{
    char *got = text_of(find, text, size);
    bool equal = !strcmp(got, want);
    if (!equal)
        fprintf(stderr, "# %.*s: got %.400s, want %.400s\n", size > 400 ? 400 : (int)size, text, got, want);
    free(got);
    EXPECT(equal);
    return true;
}

typedef struct comparison {
    const char *text;
    size_t size, at;
} comparison;

static bool compare_symbol(void *context, uint32_t symbol)
{
    comparison *c = context;
    return c->at < c->size && (unsigned char)c->text[c->at++] == symbol;
}

static bool expands_to(const nest *n, const char *text, size_t size)
{
    comparison c = {text, size, 0};
    EXPECT(n->length == size);
    EXPECT(nest_expand(n, compare_symbol, &c));
    EXPECT(c.at == size);
    return true;
}

static bool keeps(method *find, const char *text, size_t size)
{
    nest *n = nest_of(find, text, size);
    bool kept = expands_to(n, text, size);
    nest_free(n);
    return kept;
}

/* ---- worked examples ---- */

static void example(method *find, const char *text, const char *want)
{
    CHECK(writes(find, text, strlen(text), want));
}

static void the_first_example_of_the_paper(void)
{
    example(nest_optimal, "abaababaabaab", "(ab(a)^2b)^2(a)^2b");
    example(nest_greedy, "abaababaabaab", "ab(a)^2ba(b(a)^2)^2b");
}

static void the_second_example_of_the_paper(void)
{
    example(nest_optimal, "abaababaababaabaab", "(ab(a)^2b)^3(a)^2b");
    example(nest_greedy, "abaababaababaabaab", "(ab(a)^2b)^2a(b(a)^2)^2b");
}

static void the_loop_in_a_loop_of_the_paper(void)
{
    const char *text = "EababababFEababababFEababababF";
    example(nest_optimal, text, "(E(ab)^4F)^3");
    example(nest_greedy, text, "(E(ab)^4F)^3");
    example(nest_near_optimal, text, "(E(ab)^4F)^3");
}

static void the_short_examples_of_the_paper(void)
{
    example(nest_optimal, "abababab", "(ab)^4");
    example(nest_optimal, "abcdabcdabcdabcd", "(abcd)^4");
    example(nest_optimal, "", "");
    example(nest_greedy, "", "");
    example(nest_near_optimal, "", "");
    example(nest_optimal, "a", "a");
}

static bool is_its_own_nest(method *find, const char *shape, size_t size)
{
    char *text = malloc(size);
    bool good = nas_expand(shape, text, size) == size && writes(find, text, size, shape);
    free(text);
    EXPECT(good);
    return true;
}

static void lu_class_c(void)
{
    CHECK(is_its_own_nest(nest_optimal, NAS_LU_C, NAS_LU_C_SIZE));
    CHECK(is_its_own_nest(nest_greedy, NAS_LU_C, NAS_LU_C_SIZE));
    CHECK(is_its_own_nest(nest_near_optimal, NAS_LU_C, NAS_LU_C_SIZE));
}

static void lu_class_b(void)
{
    CHECK(is_its_own_nest(nest_optimal, NAS_LU_B, NAS_LU_B_SIZE));
    CHECK(is_its_own_nest(nest_greedy, NAS_LU_B, NAS_LU_B_SIZE));
    CHECK(is_its_own_nest(nest_near_optimal, NAS_LU_B, NAS_LU_B_SIZE));
}

/* ---- against the definitions ---- */

static bool agrees(const char *text, size_t size)
{
    static char want[4 * ORACLE_MAX + 64];
    oracle_optimal(text, size, want);
    EXPECT(writes(nest_optimal, text, size, want));
    oracle_greedy(text, size, want);
    EXPECT(writes(nest_greedy, text, size, want));
    return keeps(nest_near_optimal, text, size);
}

static bool agrees_on_all(unsigned letters, unsigned longest)
{
    char text[16];
    for (unsigned size = 0; size <= longest; size++) {
        memset(text, 'a', sizeof text);
        for (;;) {
            EXPECT(agrees(text, size));
            unsigned i = 0;
            while (i < size && ++text[i] == (char)('a' + letters))
                text[i++] = 'a';
            if (i == size)
                break;
        }
    }
    return true;
}

static void all_strings_over_2_symbols(void)
{
    CHECK(agrees_on_all(2, check_quick() ? 11 : 14));
}

static void all_strings_over_3_symbols(void)
{
    CHECK(agrees_on_all(3, check_quick() ? 7 : 10));
}

static void random_strings(void)
{
    check_random random = {11};
    char text[ORACLE_MAX];
    for (unsigned i = 0; i < (check_quick() ? 300 : 3000); i++) {
        size_t size = check_random_below(&random, 120);
        unsigned letters = 1 + check_random_below(&random, 5);
        for (size_t k = 0; k < size; k++)
            text[k] = (char)('a' + check_random_below(&random, letters));
        CHECK(agrees(text, size));
    }
}

/* Appends a random nest of about `max` symbols at most over the letters. */
static void random_nest(check_random *random, unsigned letters, unsigned depth, char *out, size_t *size, size_t max)
{
    unsigned items = 1 + check_random_below(random, 4);
    for (unsigned i = 0; i < items && *size < max; i++) {
        if (depth == 0 || check_random_below(random, 3) == 0) {
            out[(*size)++] = (char)('a' + check_random_below(random, letters));
            continue;
        }
        size_t first = *size;
        random_nest(random, letters, depth - 1, out, size, first + (max - first) / 3);
        size_t body = *size - first;
        unsigned iterations = 1 + check_random_below(random, 6);
        for (unsigned l = 1; l < iterations && *size + body <= max; l++) {
            memcpy(out + *size, out + first, body);
            *size += body;
        }
    }
}

static void random_nests(void)
{
    check_random random = {5};
    char text[ORACLE_MAX];
    for (unsigned i = 0; i < (check_quick() ? 300 : 4000); i++) {
        size_t size = 0;
        random_nest(&random, 1 + check_random_below(&random, 12), 1 + check_random_below(&random, 4), text, &size,
                    20 + check_random_below(&random, i % 20 ? 150 : 380));
        /* Some noise in every other nest. */
        for (unsigned k = 0; size && k < i % 2 * check_random_below(&random, 4); k++)
            text[check_random_below(&random, (uint32_t)size)] = 'z';
        CHECK(agrees(text, size));
    }
}

/* Strings made of two words in the order of a random shorter string: runs that overlap each other in chains. */
static void random_morphisms(void)
{
    check_random random = {17};
    char text[ORACLE_MAX], word[2][8];
    for (unsigned i = 0; i < (check_quick() ? 200 : 2000); i++) {
        size_t size = 0, length[2];
        for (unsigned w = 0; w < 2; w++) {
            length[w] = 1 + check_random_below(&random, 6);
            for (size_t k = 0; k < length[w]; k++)
                word[w][k] = (char)('a' + check_random_below(&random, 2));
        }
        unsigned words = 5 + check_random_below(&random, 30), bias = 1 + check_random_below(&random, 5);
        for (unsigned k = 0; k < words; k++) {
            unsigned w = check_random_below(&random, bias) == 0;
            memcpy(text + size, word[w], length[w]);
            size += length[w];
        }
        CHECK(agrees(text, size));
    }
}

/* ---- the promise: at most 2 iterations fewer ---- */

/* A loop by its body, expanded and turned to its least rotation. */
typedef struct plain_loop {
    uint32_t *body;
    size_t size;
    uint32_t iterations;
} plain_loop;

static uint32_t *expand_body(const nest *n, uint32_t loop, uint32_t *out)
{
    for (uint32_t i = 0; i < n->loops[loop].size; i++) {
        uint32_t item = n->items[n->loops[loop].first + i];
        if (!nest_is_loop(n, item)) {
            *out++ = n->symbols[item];
            continue;
        }
        for (uint32_t l = 0; l < nest_loop_of(n, item)->iterations; l++)
            out = expand_body(n, item - n->alphabet, out);
    }
    return out;
}

static size_t least_rotation(const uint32_t *s, size_t size)
{
    size_t best = 0;
    for (size_t i = 1; i < size; i++)
        for (size_t k = 0; k < size; k++) {
            uint32_t a = s[(i + k) % size], b = s[(best + k) % size];
            if (a < b)
                best = i;
            if (a != b)
                break;
        }
    return best;
}

static plain_loop *plain_loops(const nest *n)
{
    uint64_t *lengths = nest_body_lengths(n);
    plain_loop *loops = calloc(n->loop_count + 1, sizeof *loops);
    for (uint32_t i = 0; i < n->loop_count; i++) {
        size_t size = lengths[i];
        uint32_t *twice = malloc(2 * size * sizeof *twice);
        expand_body(n, i, twice);
        memcpy(twice + size, twice, size * sizeof *twice);
        size_t first = least_rotation(twice, size);
        loops[i] = (plain_loop){malloc(size * sizeof *twice), size, n->loops[i].iterations};
        memcpy(loops[i].body, twice + first, size * sizeof *twice);
        free(twice);
    }
    free(lengths);
    return loops;
}

static void free_plain(plain_loop *loops, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(loops[i].body);
    free(loops);
}

static bool keeps_promise(const nest *best, const plain_loop *wanted, method *find, const char *text, size_t size)
{
    nest *n = nest_of(find, text, size);
    plain_loop *got = plain_loops(n);
    bool kept = expands_to(n, text, size);
    for (uint32_t i = 0; i < best->loop_count && kept; i++) {
        bool found = wanted[i].iterations < 4; /* 2 fewer may not be a loop */
        for (uint32_t k = 0; k < n->loop_count && !found; k++)
            found = got[k].size == wanted[i].size && got[k].iterations + 2 >= wanted[i].iterations &&
                    !memcmp(got[k].body, wanted[i].body, got[k].size * sizeof *got[k].body);
        kept = found;
    }
    free_plain(got, n->loop_count);
    nest_free(n);
    return kept;
}

/* Appends a perfect nest: each body contains one loop, with symbols before and after it. */
static void perfect_nest(check_random *random, unsigned depth, unsigned letters, char *out, size_t *size)
{
    unsigned before = check_random_below(random, 3), after = check_random_below(random, 3);
    if (depth == 0)
        before += 1 + check_random_below(random, 2);
    else if (before + after == 0)
        before = 1;
    for (unsigned i = 0; i < before; i++)
        out[(*size)++] = (char)('a' + check_random_below(random, letters));
    if (depth) {
        size_t first = *size;
        perfect_nest(random, depth - 1, letters, out, size);
        size_t body = *size - first;
        for (unsigned l = 1 + check_random_below(random, 8); l; l--) {
            memcpy(out + *size, out + first, body);
            *size += body;
        }
    }
    for (unsigned i = 0; i < after; i++)
        out[(*size)++] = (char)('a' + check_random_below(random, letters));
}

static void perfect_nests_lose_at_most_2_iterations(void)
{
    enum { LEVELS = 4 };
    static char text[16384];
    check_random random = {23};
    for (unsigned i = 0; i < (check_quick() ? 200 : 2500); i++) {
        size_t size = 0;
        perfect_nest(&random, 1 + check_random_below(&random, LEVELS - 1), 2 + check_random_below(&random, 12), text,
                     &size);
        if (size > sizeof text / 4)
            continue;
        size_t body = size;
        for (unsigned l = check_random_below(&random, 4); l; l--, size += body)
            memcpy(text + size, text, body);
        nest *best = nest_of(nest_optimal, text, size);
        plain_loop *wanted = plain_loops(best);
        bool greedy = keeps_promise(best, wanted, nest_greedy, text, size);
        bool near = keeps_promise(best, wanted, nest_near_optimal, text, size);
        free_plain(wanted, best->loop_count);
        nest_free(best);
        CHECK(greedy);
        CHECK(near);
    }
}

/* Section VII: greedy loses the outer loop of this one, the additions keep it. */
static void the_pathological_example_of_section_vii(void)
{
    static const char unit[] = "abcabcabcdbcdbcdbcdacdacdacdabdabd";
    char text[5 * sizeof unit] = "";
    for (unsigned i = 0; i < 5; i++)
        strcat(text, unit);
    nest *n = nest_of(nest_near_optimal, text, strlen(text));
    uint64_t *lengths = nest_body_lengths(n);
    bool found = false;
    for (uint32_t i = 0; i < n->loop_count; i++)
        found |= lengths[i] == strlen(unit) && n->loops[i].iterations >= 4;
    free(lengths);
    nest_free(n);
    CHECK(found);
}

/* ---- the other shapes of table III ---- */

typedef struct trace {
    uint32_t symbols[50000];
    size_t size;
    uint32_t fresh; /* symbols that occur once */
    check_random random;
} trace;

static void irregular(trace *t, size_t size)
{
    while (size--)
        t->symbols[t->size++] = 1000 + t->fresh++;
}

/* Random symbols, no two equal ones side by side. */
static void mixed(trace *t, size_t size)
{
    while (size--) {
        uint32_t symbol = check_random_below(&t->random, 24);
        while (t->size && t->symbols[t->size - 1] == symbol)
            symbol = check_random_below(&t->random, 24);
        t->symbols[t->size++] = symbol;
    }
}

static void repeat(trace *t, size_t body, unsigned iterations)
{
    for (size_t i = 0; i < body * (iterations - 1); i++, t->size++)
        t->symbols[t->size] = t->symbols[t->size - body];
}

static void distinct(trace *t, size_t size, uint32_t base)
{
    for (size_t i = 0; i < size; i++)
        t->symbols[t->size++] = base + (uint32_t)i;
}

static bool has_loop(const nest *n, const uint64_t *lengths, size_t body, uint32_t least, uint32_t most)
{
    for (uint32_t i = 0; i < n->loop_count; i++)
        if (lengths[i] == body && n->loops[i].iterations >= least && n->loops[i].iterations <= most)
            return true;
    return false;
}

/* Whether the nest has the loop (body)^iterations and, unless inner is 0, (inner)^inner_iterations in it. Optimal
 * finds them exactly; the other methods may miss 2 iterations. */
static bool has_structure(const trace *t, size_t size, size_t body, uint32_t iterations, size_t inner,
                          uint32_t inner_iterations)
{
    static method *const methods[] = {nest_optimal, nest_greedy, nest_near_optimal};
    EXPECT(t->size == size);
    for (int m = 0; m < 3; m++) {
        nest *n = methods[m](t->symbols, t->size);
        uint64_t *lengths = nest_body_lengths(n);
        bool good = n->length == size && has_loop(n, lengths, body, iterations - (m ? 2 : 0), iterations);
        if (inner)
            good =
                good && has_loop(n, lengths, inner, inner_iterations - (m && inner_iterations > 3), inner_iterations);
        nest_stats stats = nest_measure(n);
        good = good && stats.symbols < size / 5;
        free(lengths);
        nest_free(n);
        EXPECT(good);
    }
    return true;
}

static trace nas;

static void nas_bt(void) /* (85)^200 = (13 + (4)^3 + ... + (4)^3)^200 */
{
    nas = (trace){.random = {1}};
    irregular(&nas, 50);
    for (uint32_t i = 0; i < 6; i++) {
        distinct(&nas, i == 5 ? 3 : 2, 100 + 10 * i);
        distinct(&nas, 4, 200 + 10 * i);
        repeat(&nas, 4, 3);
    }
    repeat(&nas, 85, 200);
    irregular(&nas, 56);
    CHECK(has_structure(&nas, 17106, 85, 200, 4, 3));
}

static void nas_sp(void) /* (67)^400 */
{
    nas = (trace){.random = {2}};
    irregular(&nas, 40);
    mixed(&nas, 67);
    repeat(&nas, 67, 400);
    irregular(&nas, 48);
    CHECK(has_structure(&nas, 26888, 67, 400, 0, 0));
}

static void nas_cg(void) /* (552)^75 = ((21)^26 + 6)^75 */
{
    nas = (trace){.random = {3}};
    irregular(&nas, 300);
    distinct(&nas, 21, 100);
    repeat(&nas, 21, 26);
    distinct(&nas, 6, 200);
    repeat(&nas, 552, 75);
    irregular(&nas, 254);
    CHECK(has_structure(&nas, 41954, 552, 75, 21, 26));
}

static void nas_mg_b(void) /* (416)^20 */
{
    nas = (trace){.random = {4}};
    irregular(&nas, 300);
    mixed(&nas, 416);
    repeat(&nas, 416, 20);
    irregular(&nas, 289);
    CHECK(has_structure(&nas, 8909, 416, 20, 0, 0));
}

static void nas_mg_c(void) /* (470)^20 */
{
    nas = (trace){.random = {5}};
    irregular(&nas, 300);
    mixed(&nas, 470);
    repeat(&nas, 470, 20);
    irregular(&nas, 347);
    CHECK(has_structure(&nas, 10047, 470, 20, 0, 0));
}

/* ---- the window, and the binary form ---- */

static uint32_t window, depth;

static nest *windowed(const uint32_t *symbols, size_t size)
{
    nest_window *w = nest_window_open(window, depth);
    nest_window_push(w, symbols, size);
    return nest_window_finish(w);
}

static void any_window_keeps_every_symbol(void)
{
    static const uint32_t windows[] = {8, 9, 13, 32, 100, 512, 4096};
    check_random random = {31};
    char text[ORACLE_MAX];
    for (unsigned i = 0; i < (check_quick() ? 200 : 2000); i++) {
        size_t size = 0;
        random_nest(&random, 1 + check_random_below(&random, 6), 1 + check_random_below(&random, 4), text, &size, 900);
        window = windows[check_random_below(&random, sizeof windows / sizeof *windows)];
        depth = 1 + check_random_below(&random, WEFT_LOOPNEST_DEPTH_MAX);
        CHECK(keeps(windowed, text, size));
    }
    window = 64;
    depth = 4;
    CHECK(is_its_own_nest(windowed, NAS_LU_C, NAS_LU_C_SIZE));
}

static bool survives_binary(method *find, const uint32_t *symbols, size_t size)
{
    char error[160];
    size_t bytes_size, again_size;
    nest *n = find(symbols, size);
    uint8_t *bytes = nest_encode(n, &bytes_size);
    nest *back = nest_decode(bytes, bytes_size, error);
    bool good = back != NULL;
    if (good) {
        uint8_t *again = nest_encode(back, &again_size);
        good = again_size == bytes_size && !memcmp(bytes, again, again_size) && back->length == size;
        char *a = nest_to_text(n, true, name_of, NULL), *b = nest_to_text(back, true, name_of, NULL);
        good = good && !strcmp(a, b);
        free(a);
        free(b);
        free(again);
        nest_free(back);
    }
    free(bytes);
    nest_free(n);
    EXPECT(good);
    return true;
}

static void the_binary_form_keeps_the_nest(void)
{
    check_random random = {41};
    uint32_t symbols[400] = {0};
    CHECK(survives_binary(nest_optimal, symbols, 0));
    for (unsigned i = 0; i < 2000; i++) {
        size_t size = 1 + check_random_below(&random, 400);
        unsigned letters = 1 + check_random_below(&random, 5);
        uint32_t step = check_random_next(&random) / letters;
        for (size_t k = 0; k < size; k++)
            symbols[k] = check_random_below(&random, letters) * step;
        symbols[check_random_below(&random, (uint32_t)size)] = UINT32_MAX;
        CHECK(survives_binary(i % 2 ? nest_optimal : nest_greedy, symbols, size));
    }
}

static void the_binary_form_of_lu_class_c_takes_85_bytes_at_most(void)
{
    char *text = malloc(NAS_LU_C_SIZE);
    size_t size;
    nas_expand(NAS_LU_C, text, NAS_LU_C_SIZE);
    nest *n = nest_of(nest_optimal, text, NAS_LU_C_SIZE);
    free(nest_encode(n, &size));
    nest_free(n);
    free(text);
    CHECK(size <= 85);
}

int main(void)
{
    RUN(the_first_example_of_the_paper);
    RUN(the_second_example_of_the_paper);
    RUN(the_loop_in_a_loop_of_the_paper);
    RUN(the_short_examples_of_the_paper);
    RUN(lu_class_c);
    RUN(lu_class_b);
    RUN(nas_bt);
    RUN(nas_sp);
    RUN(nas_cg);
    RUN(nas_mg_b);
    RUN(nas_mg_c);
    RUN(the_pathological_example_of_section_vii);
    RUN(all_strings_over_2_symbols);
    RUN(all_strings_over_3_symbols);
    RUN(random_strings);
    RUN(random_nests);
    RUN(random_morphisms);
    RUN(perfect_nests_lose_at_most_2_iterations);
    RUN(any_window_keeps_every_symbol);
    RUN(the_binary_form_keeps_the_nest);
    RUN(the_binary_form_of_lu_class_c_takes_85_bytes_at_most);
    return check_failed();
}
