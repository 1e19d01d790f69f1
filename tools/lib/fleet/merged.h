/* SPDX-License-Identifier: MIT */
/* Sums over recordings, exact and in any order: what `weft merge` gathers and a `.weft-profile` holds (profile_file.h).
 * Everything in it is a sum, a least or a largest value, a histogram, a set, or a capped set (sets.h). So whatever is
 * merged in whatever order and grouping, the result is the same to the byte.
 *
 *     merged all
 *       recordings, devices      digests of what was merged, and by whom it was recorded
 *       image[]                  the programs, by identity, with their descriptors where they are known
 *       group[]                  what recordings of the same image, k and labels have in common:
 *         forest, set[]          k-slab forest; by node, the devices that came there
 *         path[], function[], loop[], chain     per path, function, loop, and chain of calls
 *
 * Edges, branches and lines follow from the paths (coverage.h), so they are not kept. */
#ifndef WEFT_TOOLS_LIB_FLEET_MERGED_H
#define WEFT_TOOLS_LIB_FLEET_MERGED_H

#include "tools/lib/base/numbering.h"
#include "tools/lib/fleet/keys.h"
#include "tools/lib/fleet/sets.h"
#include "tools/lib/profile/kipf.h"
#include "tools/lib/profile/rounds.h"

/* Sums of squares. They do not overflow: 2^32 recordings of 2^48 instructions each fit. */
typedef unsigned __int128 wide;

#define MERGED_K_MAX 64u

typedef struct merged_path {
    uint32_t path;
    uint32_t price;             /* its instructions + 1; 0: not known */
    uint64_t count, recordings; /* in how many recordings */
    uint64_t lead;              /* instructions after it, up to calls from which a longjmp unwound (costs_lead) */
    wide squares, cross;        /* sums of count^2, and of count * calls of its function, over recordings */
} merged_path;

/* `self` and `calls` are known of recordings that were merged with their image; the others from `inclusive` on also
 * need a control stream. */
typedef struct merged_function {
    uint32_t function;                       /* its place in the descriptors */
    uint64_t recordings, calls, self;        /* recordings: that called it or spent something in it */
    uint64_t more, estimated;                /* as in functions.h */
    wide calls_squares, self_squares, cross; /* sums of calls^2, self^2, calls * self, over recordings */
    uint64_t inclusive, whole, whole_sum;    /* as in functions.h */
    uint64_t min, max;                       /* of whole > 0 calls */
} merged_function;

typedef struct merged_totals {
    uint64_t recordings;
    uint64_t priced;       /* of these, with an image: functions are known */
    uint64_t streams;      /* of these, with an image and a control stream: calls, loops and chains are known */
    uint64_t paths;        /* events */
    uint64_t lost;         /* paths that are missing, as far as they are counted */
    uint64_t gaps;         /* places where something is missing */
    uint64_t gapped;       /* recordings with such places */
    uint64_t unread;       /* frames whose symbols cannot be read, and nodes whose beginning is missing */
    uint64_t deeper, flat; /* as in functions.h */
} merged_totals;
void merged_totals_add(merged_totals *sum, const merged_totals *t);

typedef struct merged_image {
    uint8_t *identity; /* how its recordings name it (identity_of in intake.c); may be empty */
    size_t identity_size;
    uint8_t *packed; /* its descriptors (.weft.desc), packed; NULL: not known */
    size_t packed_size;
    uint8_t method;        /* 1: as they are, 2: by zstd */
    uint64_t size, digest; /* of the descriptors */
} merged_image;

typedef struct merged_group {
    uint32_t image;
    uint32_t k;   /* 1: only single paths are known */
    char *labels; /* "KEY=VALUE,KEY=VALUE", by key; without device */
    merged_totals totals;
    kipf *forest;
    uint32_t *set; /* by node of the forest */
    size_t sets_max;
    numbering paths, functions, loops; /* numbers in the tables */
    merged_path *path;
    merged_function *function;
    rounds_loop *loop;
    size_t paths_max, functions_max, loops_max;
    trie chains;     /* root, contexts, functions; counts: instructions of the node itself */
    uint64_t *calls; /* by node of chains */
    size_t calls_max;
} merged_group;

typedef struct merged {
    digests recordings, devices;
    texts names; /* of devices, by their numbers in sets */
    sets sets;
    merged_image *image;
    size_t image_count, images_max;
    merged_group **group;
    size_t group_count, groups_max;
    bool overflow; /* a sum did not fit: the whole is worth nothing */
} merged;

merged *merged_new(void);
void merged_free(merged *all);

/* The element for a key, made if need be. Pointers to elements of tables are valid until another one is made. */
uint32_t merged_image_of(merged *all, const uint8_t *identity, size_t size);
merged_group *merged_group_of(merged *all, uint32_t of, uint32_t k, const char *text, size_t text_size);
/* Frees all groups but the first `count`. */
void merged_drop_groups(merged *all, size_t count);
/* Frees all groups that have not all of these labels, as labels_have. */
void merged_keep_labels(merged *all, const char *wanted);
merged_path *merged_path_of(merged_group *group, uint32_t path);
/* The instructions of all its executions; 0: not known. */
uint64_t merged_path_cost(const merged_path *path);
merged_function *merged_function_of(merged_group *group, uint32_t function);

/* Adds to a node of the forest, or of the chains, and gives the node; 0: too deep. */
uint32_t merged_add_node(merged *all, merged_group *group, uint32_t parent, uint32_t label, uint64_t count,
                         uint32_t set);
uint32_t merged_add_chain(merged *all, merged_group *group, uint32_t parent, uint32_t label, uint64_t calls,
                          uint64_t self);
void merged_add_loop(merged *all, merged_group *group, const rounds_loop *loop);

/* Sums, which set all->overflow where they do not fit. */
void merged_sum(merged *all, uint64_t *to, uint64_t add);
void merged_sum_wide(merged *all, wide *to, wide add);

/* Sums over all groups. */
merged_totals merged_totals_of(const merged *all);

#endif
