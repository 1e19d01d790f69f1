/* SPDX-License-Identifier: MIT */
#include "tests/lib/tilings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"

enum { LETTERS = 26, PARTS = 16 };

static const tiling tilings[] = {
    /* rectangular */
    {"vector", "Ii", "i; n-1-i", "i; 2*i+1; 0-3*i", false},
    {"mvt", "IJij", "i; n-1-i; j; m-1-j", "i*m+j; j; i; j*n+i", false},
    {"mvt rows", "Iij", "i; n-1-i; j; m-1-j", "i*m+j; j; i", false},
    {"mvt columns", "Jij", "i; n-1-i; j; m-1-j", "i*m+j; j; i", false},
    {"transpose back", "IJij", "i; n-1-i; j; m-1-j", "(n-1-i)*m+j; j*n+n-1-i; (m-1-j)*n+n-1-i", false},
    {"gemm", "IJKikj", "i; n-1-i; j; m-1-j; k; s-1-k", "i*s+k; k*m+j; i*m+j", false},
    {"gemm ijk", "IJKijk", "i; n-1-i; j; m-1-j; k; s-1-k", "i*s+k; k*m+j; i*m+j", false},
    {"gemm kij", "KIJkij", "i; n-1-i; j; m-1-j; k; s-1-k", "i*s+k; k*m+j; i*m+j", false},
    {"gemm two tiled", "JKikj", "i; n-1-i; j; m-1-j; k; s-1-k", "i*s+k; k*m+j; i*m+j", false},
    {"tensor", "IJKijkl", "i; n-1-i; j; m-1-j; k; s-1-k; l; 3-l", "i*m*s+j*s+k; l*s+k; (i*m+j)*4+l", false},
    {"stencil tiled in space", "tIJij", "t; s-1-t; i-1; n-2-i; j-1; m-2-j", "i*m+j; (i-1)*m+j+1", false},
    {"strided", "IJij", "i; n-1-i; j; m-1-j", "2*i*m*3+3*j; 0-5*j; i*7-j*2", false},
    /* triangular */
    {"triangle lower", "ij", "i; n-1-i; j; i-j", "i*n+j; j; i; j*n+i", false},
    {"triangle upper", "ij", "i; n-1-i; j-i; n-1-j", "i*n+j; j; i; j*n+i", false},
    {"trisolv", "IJij", "i; n-1-i; j; i-1-j", "i*n+j; j; i", false},
    {"trisolv upper", "IJij", "i; n-1-i; j-i-1; n-1-j", "i*n+j; j; i", false},
    {"syrk", "IJKikj", "i; n-1-i; j; i-j; k; m-1-k", "i*m+k; j*m+k; i*n+j", false},
    {"syrk ijk", "IJKijk", "i; n-1-i; j; i-j; k; m-1-k", "i*m+k; j*m+k; i*n+j", false},
    {"trmm", "JIKijk", "i; n-1-i; j; m-1-j; k-i-1; n-1-k", "k*n+i; k*m+j; i*m+j", false},
    {"trmm ijk", "IJKijk", "i; n-1-i; j; m-1-j; k-i-1; n-1-k", "k*n+i; k*m+j; i*m+j", false},
    {"symm", "IJKijk", "i; n-1-i; j; m-1-j; k; i-1-k", "k*m+j; i*n+k; i*m+j", false},
    {"cholesky", "IJKijk", "i; n-1-i; j; i-1-j; k; j-1-k", "i*n+k; j*n+k; i*n+j", true},
    {"cholesky kij", "KIJkij", "k; n-1-k; i-k-1; n-1-i; j-k-1; i-j", "i*n+k; j*n+k; i*n+j", true},
    {"lu below", "IJKijk", "i; n-1-i; j; i-1-j; k; j-1-k", "i*n+k; k*n+j; i*n+j", true},
    {"lu above", "IJKijk", "i; n-1-i; j-i; n-1-j; k; i-1-k", "i*n+k; k*n+j; i*n+j", true},
    {"lu kij", "KIJkij", "k; n-1-k; i-k-1; n-1-i; j-k-1; n-1-j", "i*n+k; k*n+j; i*n+j", true},
    {"floyd-warshall", "kIJij", "k; n-1-k; i; n-1-i; j; n-1-j", "i*n+k; k*n+j; i*n+j", false},
    {"nussinov", "IJij", "i; n-1-i; j-i-1; n-1-j", "(n-1-i)*n+j; (n-1-i)*n+j-1; (n-2-i)*n+j", false},
    {"covariance", "IJKijk", "i; n-1-i; j-i; n-1-j; k; m-1-k", "k*n+i; k*n+j; i*n+j", false},
    /* guards */
    {"anti-diagonal guard", "ij", "i; n-1-i; j; n-1-j; n-1-i-j", "i*n+j; j*n+i; i+j", false},
    {"guard tiled", "IJij", "i; n-1-i; j; m-1-j; n-1-i-j", "i*m+j; j; i", false},
    {"band", "ij", "i; n-1-i; j; n-1-j; i-j+4; j-i+3", "i*n+j; j; i", false},
    {"band tiled", "IJij", "i; n-1-i; j; n-1-j; i-j+4; j-i+3", "i*n+j; j; i", true},
    {"trapezium", "IJij", "i; n-1-i; j; m-1-j; 2*i+5-j; j-i+n", "i*m+j; j; i", false},
    /* rational */
    {"rational", "ij", "i; n-1-i; j; i-2*j", "i*n+j; j; i; j*n+i", false},
    {"rational down", "ij", "i; n-1-i; j; 2*n-i-2*j", "i*n+j; j; i; j*n+i", false},
    {"rational thirds", "ij", "i; n-1-i; j; 2*i+3-3*j", "i*n+j; j; i; j*n+i", false},
    {"rational lower", "ij", "i; n-1-i; 3*j-i; i-j", "i*n+j; j; i; j*n+i", false},
    {"rational upper half", "ij", "i; n-1-i; 2*j-i; n-1-j", "i*n+j; j; i; j*n+i", false},
    {"rational wedge", "ij", "i; n-1-i; 2*j-i; 2*i+n-3*j", "i*n+j; j; j*n+i", false},
    {"rational or constant", "ij", "i; n-1-i; j; i-2*j; s-j", "i*n+j; j; i; j*n+i", false},
    {"rational from a constant", "ij", "i; n-1-i; 2*j-i; j-3; i-j", "i*n+j; j; i; j*n+i", false},
    {"rational mean", "ijk", "i; n-1-i; j; i-j; k; i+j-2*k", "i*n+k; k*n+j; i*n+j; (i*n+j)*n+k", false},
    {"rational inside", "ijk", "i; n-1-i; j; m-1-j; k; j-2*k", "i*n+k; k*n+j; i*m+j; (i*m+j)*n+k", false},
    {"rational outside", "ijk", "i; n-1-i; j; i-2*j; k; s-1-k", "i*n+k; k*n+j; i*n+j; (i*n+j)*s+k", false},
    {"rational twice", "ijk", "i; n-1-i; j; i-2*j; k; j-k", "i*n+k; k*n+j; i*n+j; (i*n+j)*n+k", false},
    {"rational tiled outside", "Iij", "i; n-1-i; j; i-2*j", "i*n+j; j; i; j*n+i", false},
    {"rational tiled inside", "Jij", "i; n-1-i; j; i-2*j", "i*n+j; j; i; j*n+i", false},
    {"rational tiled", "IJij", "i; n-1-i; j; i-2*j", "i*n+j; j; i", false},
    /* stencils, skewed in time */
    {"jacobi-1d", "TXtx", "t; s-1-t; x-t-1; t+n-2-x", "x-t; x-t-1; (t*n)+x-t", false},
    {"jacobi-1d by 2", "TXtx", "t; s-1-t; x-2*t-1; 2*t+n-2-x", "x-2*t; x-2*t+1", false},
    {"seidel-2d", "TXtxj", "t; s-1-t; x-t-1; t+n-2-x; j-1; m-2-j", "(x-t)*m+j; (x-t-1)*m+j", false},
    {"seidel-2d full", "TXYtxy", "t; s-1-t; x-t-1; t+n-2-x; y-t-x-1; y-t-x-1; t+x+m-2-y",
     "(x-t)*m+y-t-x; (x-t-1)*m+y-t-x+1", true},
    {"jacobi-2d", "TXYtxy", "t; s-1-t; x-t-1; t+n-2-x; y-t-1; t+m-2-y", "(x-t)*m+y-t; (x-t)*m+y-t-1", true},
    {"fdtd-2d", "TXYtxy", "t; s-1-t; x-t; t+n-1-x; y-t-1; t+m-1-y", "(x-t)*m+y-t; (x-t)*m+y-t-1; t", true},
    {"heat-3d", "TXYtxyz", "t; s-1-t; x-t-1; t+n-2-x; y-t-1; t+m-2-y; z-1; 8-z",
     "(x-t)*m*10+(y-t)*10+z; ((x-t)*m+y-t)*10+z+1", true},
    {"heat-3d full", "TXYZtxyz", "t; s-1-t; x-t-1; t+n-2-x; y-t-1; t+m-2-y; z-t-1; t+8-z", "((x-t)*m+y-t)*10+z-t",
     true},
};

unsigned tilings_count(void)
{
    return sizeof tilings / sizeof *tilings;
}

const tiling *tilings_get(unsigned kernel)
{
    return &tilings[kernel];
}

/* ---- expressions: sums of products of letters, numbers and parentheses ---- */

static int64_t sum_of(const char **text, const int64_t *value);

static void skip_spaces(const char **text)
{
    *text += strspn(*text, " ");
}

static int64_t factor_of(const char **text, const int64_t *value)
{
    skip_spaces(text);
    if (islower((unsigned char)**text))
        return value[*(*text)++ - 'a'];
    if (**text != '(')
        return strtoll(*text, (char **)(uintptr_t)text, 10);
    ++*text;
    int64_t sum = sum_of(text, value);
    ++*text;
    return sum;
}

static int64_t product_of(const char **text, const int64_t *value)
{
    int64_t product = factor_of(text, value);
    for (; **text == '*'; product *= factor_of(text, value))
        ++*text;
    return product;
}

static int64_t sum_of(const char **text, const int64_t *value)
{
    int64_t sum = product_of(text, value);
    while (**text == '+' || **text == '-') {
        bool minus = *(*text)++ == '-';
        int64_t term = product_of(text, value);
        sum += minus ? -term : term;
    }
    return sum;
}

/* An expression that is affine in the loops. */
typedef struct affine_form {
    int64_t constant, slope[LETTERS];
} affine_form;

/* Reads the expressions of a list. */
static unsigned forms_of(const char *text, affine_form *form, int64_t *value)
{
    unsigned count = 0;
    for (;; text++, count++) {
        const char *from = text;
        form[count].constant = sum_of(&text, value);
        for (unsigned v = 0; v < LETTERS; v++) {
            const char *again = from;
            value[v]++;
            form[count].slope[v] = sum_of(&again, value) - form[count].constant;
            value[v]--;
        }
        if (!*text)
            return count + 1;
    }
}

/* ---- points in order ---- */

typedef struct walk {
    const char *order;
    unsigned forms;
    affine_form domain[PARTS], ref[PARTS];
    const affine_form *wanted;
    int64_t tile[LETTERS], tile_number[LETTERS], x[LETTERS], low[LETTERS], high[LETTERS];
    int64_t base, element;
    int64_t *out;
    size_t count, room;
} walk;

static int64_t value_of(const affine_form *form, const int64_t *x)
{
    int64_t sum = form->constant;
    for (unsigned v = 0; v < LETTERS; v++)
        sum += form->slope[v] * x[v];
    return sum;
}

static void emit(walk *w)
{
    for (unsigned f = 0; f < w->forms; f++)
        if (value_of(&w->domain[f], w->x) < 0)
            return;
    w->out = memory_room(w->out, w->count, &w->room, sizeof *w->out);
    w->out[w->count++] = w->base + w->element * value_of(w->wanted, w->x);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static void go(walk *w, const char *loop)
{
    if (!*loop) {
        emit(w);
        return;
    }
    unsigned v = (unsigned)(tolower((unsigned char)*loop) - 'a');
    if (isupper((unsigned char)*loop)) {
        for (int64_t t = floor_of(w->low[v], w->tile[v]); t * w->tile[v] <= w->high[v]; t++) {
            w->tile_number[v] = t;
            go(w, loop + 1);
        }
        return;
    }
    int64_t from = w->low[v], to = w->high[v];
    if (strchr(w->order, toupper((unsigned char)*loop))) {
        int64_t start = w->tile_number[v] * w->tile[v];
        from = start > from ? start : from;
        to = start + w->tile[v] - 1 < to ? start + w->tile[v] - 1 : to;
    }
    for (w->x[v] = from; w->x[v] <= to; w->x[v]++)
        go(w, loop + 1);
    w->x[v] = 0;
}

/* What a form can reach at most, without its own summand of `v`. */
static int64_t most_without(const walk *w, unsigned form, unsigned v)
{
    int64_t most = w->domain[form].constant;
    for (const char *other = w->order; *other; other++) {
        unsigned u = (unsigned)(*other - 'a');
        if (islower((unsigned char)*other) && u != v)
            most += w->domain[form].slope[u] * (w->domain[form].slope[u] > 0 ? w->high[u] : w->low[u]);
    }
    return most;
}

/* Brings the bounds of `v` nearer, by one form. False: they are as near already. */
static bool narrow(walk *w, unsigned form, unsigned v)
{
    int64_t rest = most_without(w, form, v), slope = w->domain[form].slope[v];
    int64_t low = slope > 0 ? -floor_of(rest, slope) : w->low[v];
    int64_t high = slope < 0 ? floor_of(rest, -slope) : w->high[v];
    bool changed = low > w->low[v] || high < w->high[v];
    w->low[v] = low > w->low[v] ? low : w->low[v];
    w->high[v] = high < w->high[v] ? high : w->high[v];
    return changed;
}

/* A box that contains the domain. The bounds of each loop follow from those of the others; repeats until nothing
 * changes. */
static void find_box(walk *w)
{
    bool changed = true;
    for (unsigned v = 0; v < LETTERS; v++)
        w->low[v] = -4096, w->high[v] = strchr(w->order, (int)('a' + v)) ? 4096 : -4096;
    while (changed) {
        changed = false;
        for (unsigned f = 0; f < w->forms; f++)
            for (const char *loop = w->order; *loop; loop++)
                changed |= narrow(w, f, (unsigned)(tolower((unsigned char)*loop) - 'a'));
    }
}

unsigned tiling_refs(const tiling *t)
{
    unsigned count = 1;
    for (const char *c = t->refs; *c; c++)
        count += *c == ';';
    return count;
}

int64_t *tiling_stream(const tiling *t, unsigned ref, const tiling_sizes *sizes, size_t *count)
{
    walk w = {.order = t->order, .base = sizes->base, .element = sizes->element};
    int64_t value[LETTERS] = {['n' - 'a'] = sizes->n, ['m' - 'a'] = sizes->m, ['s' - 'a'] = sizes->s};
    unsigned tiled = 0;
    w.forms = forms_of(t->domain, w.domain, value);
    forms_of(t->refs, w.ref, value);
    w.wanted = &w.ref[ref];
    for (const char *loop = t->order; *loop; loop++)
        if (isupper((unsigned char)*loop)) {
            w.tile[*loop - 'A'] = sizes->tile[tiled];
            tiled += tiled < 2;
        }
    find_box(&w);
    go(&w, t->order);
    *count = w.count;
    return w.out;
}
