/* SPDX-License-Identifier: MIT */
/* What a stream says about the domain of its loops: points that are in it, and boxes without any. The domain is taken
 * to be convex, and its faces to have normals with small integer components. So a point that no such face can cut off
 * from the points seen is in the domain, too.
 *
 * Example, in two dimensions: the points 0 0, 2 0, 2 2 were seen, and the box 0 1..2 is empty. The normal -1 1 is 0
 * at most for the points and 1 at least in the box: the face j <= i cuts it off. */
#ifndef WEFT_TOOLS_LIB_AFFINE_HULL_H
#define WEFT_TOOLS_LIB_AFFINE_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HULL_POINTS = 4,    /* most dimensions */
    HULL_NORMALS = 320, /* enough for components up to 3, 3, 2, 1 in 1, 2, 3, 4 dimensions */
};

typedef struct hull_box {
    int64_t low[HULL_POINTS], high[HULL_POINTS];
} hull_box;

typedef struct hull {
    unsigned dims, normals;
    int8_t normal[HULL_NORMALS]
                 [HULL_POINTS];    /* simple ones first; 0 beyond the dimensions, where boxes may hold anything */
    int64_t support[HULL_NORMALS]; /* the most that normal . point is for a point seen; INT64_MIN: none yet */
    uint16_t order[HULL_NORMALS];  /* in which normals are tried: those that served before, first */
    struct hull_out {              /* boxes without points */
        hull_box box;
        int64_t least;   /* of normal . point in the box */
        uint16_t normal; /* that cuts it off */
        uint32_t at;     /* where it stands in that normal's list */
    } * out;
    size_t outs, outs_max;
    struct hull_list {
        uint32_t *out;
        size_t count, max;
    } list[HULL_NORMALS];
    struct hull_change *change; /* newest last, to take them back */
    size_t changes, changes_max;
} hull;

void hull_init(hull *h, unsigned dims);
void hull_free(hull *h);

/* Adds a point of the domain; adds a box without one. False: contradiction, and the hull must go back to a mark. */
bool hull_include(hull *h, const int64_t *point);
bool hull_exclude(hull *h, const hull_box *box);

/* The range of the points seen along one axis. */
int64_t hull_low(const hull *h, unsigned axis);
int64_t hull_high(const hull *h, unsigned axis);

/* Narrows the box along one axis by the faces that cut off any box now. False: nothing is left. */
bool hull_clip(const hull *h, hull_box *box, unsigned axis);

/* The state now, and back to it. */
size_t hull_mark(const hull *h);
void hull_back(hull *h, size_t mark);

/* Chooses few normals that, as faces at their supports, cut off every box. Returns how many. */
unsigned hull_faces(const hull *h, uint16_t face[HULL_NORMALS]);

#endif
