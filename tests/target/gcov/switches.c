/* SPDX-License-Identifier: MIT */
/* Switches within switches: GCC gives the inner ones no place, and makes comparisons of each that look alike. */
#include <stdio.h>

static volatile int done;

static int within(int outer, int inner)
{
    switch (outer) {
    case 0:
        switch (inner) {
        case 0:
            return 1;
        case 1:
            done++;
            break;
        case 20 ... 40:
            return 3;
        default:
            return 2;
        }
        break;
    case 1:
        for (int i = 0; i < inner; i++)
            switch (i) {
            case 1:
                continue;
            case 3:
                goto out;
            default:
                done++;
            }
        break;
    default:
        do
            switch (inner--) {
            case 5:
                break;
            case 2:
                return 5;
            }
        while (inner > 0);
    }
out:
    return 0;
}

/* On a few lines: a line that the comparisons leave and come back to counts once. */
static int on_lines(int outer, int inner)
{
    // clang-format off
    switch (outer) {
    case 0: switch (inner) { case 0: return 1; case 1: done++; break; default: return 2; } break;
    case 1: do { if (inner-- == 2) return 5; } while (inner > 0); break;
    default: do switch (inner--) { case 5: break; case 2: return 5; } while (inner > 0);
    }
    // clang-format on
    return 0;
}

int main(void)
{
    for (int i = -1; i < 33; i++)
        done += within(i % 3, i) + on_lines(i % 3, i) + within(0, i) + on_lines(i % 5, i % 7);
    printf("switches %d\n", done);
    return 0;
}
