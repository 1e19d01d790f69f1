/* SPDX-License-Identifier: MIT */
/* The window of a stream, and the binary form of its nest, keep every symbol. */
#include <stdlib.h>
#include <string.h>

#include "core/loopnest.h"
#include "tests/lib/check.h"
#include "tests/lib/nas.h"
#include "tests/lib/nest_methods.h"
#include "tests/lib/nest_oracle.h"
#include "tools/lib/loops/binary.h"
#include "tools/lib/loops/greedy.h"
#include "tools/lib/loops/optimal.h"
#include "tools/lib/loops/text.h"
#include "tools/lib/loops/window.h"

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
    RUN(any_window_keeps_every_symbol);
    RUN(the_binary_form_keeps_the_nest);
    RUN(the_binary_form_of_lu_class_c_takes_85_bytes_at_most);
    return check_failed();
}
