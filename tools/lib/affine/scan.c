/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/scan.h"

#include <string.h>

#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

/* Elimination may multiply constraints, so its work is bounded. */
enum { OPERATIONS = 5000000 }; /* of isl : 10^4 to 10^9 : scans more complicated domains; slower to give up */

static isl_basic_set *polyhedron(isl_ctx *ctx, unsigned depth, const scan_half *half, unsigned halves)
{
    isl_space *space = isl_space_set_alloc(ctx, 0, depth);
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_basic_set *set = isl_basic_set_universe(space);
    for (unsigned i = 0; i < halves; i++) {
        isl_constraint *c = isl_constraint_alloc_inequality(isl_local_space_copy(local));
        for (unsigned l = 0; l < depth; l++)
            c = isl_constraint_set_coefficient_val(c, isl_dim_set, (int)l, isl_val_int_from_si(ctx, half[i].slope[l]));
        c = isl_constraint_set_constant_val(c, isl_val_int_from_si(ctx, half[i].constant));
        set = isl_basic_set_add_constraint(set, c);
    }
    isl_local_space_free(local);
    return set;
}

typedef struct sides {
    affine_level *level;
    unsigned l;
    bool wrong;
} sides;

static int64_t number(sides *s, isl_val *v)
{
    long n = isl_val_get_num_si(v);
    s->wrong |= isl_val_is_int(v) != isl_bool_true || isl_val_cmp_si(v, n);
    isl_val_free(v);
    return n;
}

/* a . outer + b * index + k >= 0: a lower face (a . outer + k) / -b where b > 0, an upper one (a . outer + k) / -b
 * where b < 0. */
static void add_face(sides *s, isl_constraint *c, int64_t sign)
{
    affine_level *level = s->level;
    int64_t own = sign * number(s, isl_constraint_get_coefficient_val(c, isl_dim_set, (int)s->l));
    if (!own)
        return;
    unsigned *count = own > 0 ? &level->lowers : &level->uppers;
    if (*count == AFFINE_FACES) {
        s->wrong = true;
        return;
    }
    affine_face *face = own > 0 ? &level->lower[*count] : &level->upper[*count];
    ++*count;
    memset(face, 0, sizeof *face);
    face->divisor = own > 0 ? own : -own;
    for (unsigned l = 0; l < s->l; l++)
        face->slope[l] =
            sign * number(s, isl_constraint_get_coefficient_val(c, isl_dim_set, (int)l)) * (own > 0 ? -1 : 1);
    face->constant = sign * number(s, isl_constraint_get_constant_val(c)) * (own > 0 ? -1 : 1);
}

static isl_stat take_constraint(isl_constraint *c, void *user)
{
    sides *s = user;
    add_face(s, c, 1);
    if (isl_constraint_is_equality(c) == isl_bool_true)
        add_face(s, c, -1);
    isl_constraint_free(c);
    return isl_stat_ok;
}

bool scan_bounds(affine_level *level, unsigned depth, const scan_half *half, unsigned halves)
{
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE); /* what goes wrong comes out as NULL */
    isl_ctx_set_max_operations(ctx, OPERATIONS);
    isl_basic_set *set = isl_basic_set_remove_redundancies(polyhedron(ctx, depth, half, halves));
    bool right = true;
    for (unsigned l = depth; l-- > 0 && right;) {
        isl_basic_set *outer = isl_basic_set_eliminate(isl_basic_set_copy(set), isl_dim_set, l, depth - l);
        outer = isl_basic_set_remove_redundancies(
            isl_basic_set_remove_divs(outer)); /* rationally, where integers would need more */
        isl_basic_set *own = isl_basic_set_gist(set, isl_basic_set_copy(outer));
        sides s = {.level = &level[l], .l = l};
        level[l].lowers = level[l].uppers = 0;
        right = isl_basic_set_foreach_constraint(own, take_constraint, &s) == isl_stat_ok && !s.wrong &&
                level[l].lowers && level[l].uppers;
        isl_basic_set_free(own);
        set = outer;
    }
    isl_basic_set_free(set);
    isl_ctx_free(ctx);
    return right;
}
