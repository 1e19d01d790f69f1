/* SPDX-License-Identifier: MIT */
/* The few check macros that all tests share. A test program runs on the host and on every board. It prints one line
 * per test, `ok NAME` or `not ok NAME`, and main returns check_failed(). No libc I/O: the platform supplies
 * check_print (tests/lib/check_host.c, or the port on a board). */
#ifndef WEFT_TESTS_LIB_CHECK_H
#define WEFT_TESTS_LIB_CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Writes a zero-terminated string where the runner reads it. Supplied by the platform. */
void check_print(const char *text);

/* The value of an environment switch such as WEFT_QUICK; false on a board. Supplied by the platform. */
bool check_quick(void);
bool check_long(void); /* WEFT_LONG */
/* How many cases to try: in `make check`, in `make test`, in `make test-long`. */
unsigned check_amount(unsigned quick, unsigned usual, unsigned most);

/* Runs one test, prints its verdict. */
void check_run(const char *name, void (*test)(void));
/* Notes a failed check of the running test; prints file, line, text and up to two values. */
void check_fail(const char *file, int line, const char *text);
void check_fail_values(const char *file, int line, const char *text, int64_t left, int64_t right);
/* True while the running test has failed a check (to leave loops early). */
bool check_failing(void);
/* 0 when every test passed, 1 otherwise: what main returns. */
int check_failed(void);

/* Deterministic random numbers (xorshift32), the same on every machine. */
typedef struct check_random {
    uint32_t state; /* not 0 */
} check_random;
uint32_t check_random_next(check_random *random);
/* Uniform enough in 0..bound-1; bound >= 1. */
uint32_t check_random_below(check_random *random, uint32_t bound);

/* static void name_is_a_sentence(void) { CHECK(...); }  int main(void) { RUN(name_is_a_sentence); ... } */
#define RUN(test) check_run(#test, test)

/* A check that fails ends the test function that holds it. */
#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            check_fail(__FILE__, __LINE__, #x);                                                                        \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#define CHECK_EQ(a, b)                                                                                                 \
    do {                                                                                                               \
        int64_t left_ = (int64_t)(a), right_ = (int64_t)(b);                                                           \
        if (left_ != right_) {                                                                                         \
            check_fail_values(__FILE__, __LINE__, #a " == " #b, left_, right_);                                        \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

/* As CHECK, in a helper that returns bool. */
#define EXPECT(x)                                                                                                      \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            check_fail(__FILE__, __LINE__, #x);                                                                        \
            return false;                                                                                              \
        }                                                                                                              \
    } while (0)

/* `wrong` holds while `field` is `value`. */
#define CHECK_WITH(field, bad, wrong)                                                                                  \
    do {                                                                                                               \
        __typeof__(field) was_ = (field);                                                                              \
        (field) = (__typeof__(field))(bad);                                                                            \
        bool so_ = (wrong);                                                                                            \
        (field) = was_;                                                                                                \
        CHECK(so_);                                                                                                    \
    } while (0)

#endif
