/* SPDX-License-Identifier: MIT */
/* Limits of modelling a stream, each as unit : range : what a larger value does. None makes a result wrong: every
 * nest is checked against the stream. A second is about 30 million rows of work. */
#ifndef WEFT_TOOLS_LIB_AFFINE_MODEL_LIMITS_H
#define WEFT_TOOLS_LIB_AFFINE_MODEL_LIMITS_H

enum {
    /* Work of a search. */
    MODEL_WORK_QUICK = 200000,  /* rows : 10^3 to 10^7 : longer nests within a stream; slower where there are none */
    MODEL_WORK_ROUND = 1500000, /* rows per set, first round : 10^4 to 10^8 : finds more of a nest; slower if none */
    MODEL_WORK_VALUE = 3000,    /* rows per value, the same for short streams : 10 to 10^6 : the same */
    MODEL_WORK_TILES = 4000000, /* rows of tiles.h : 10^4 to 10^8 : finds more tiled nests; slower for nothing */
    MODEL_WORK_TILE = 300,      /* rows per value, the same for short streams : 1 to 10^5 : the same */
    MODEL_WORK_READ = 30, /* rows of the other searches per row of tiles : 1 to 1000 : less work is left after tiles */
    MODEL_WORK_MORE = 5,  /* times per round : 2 to 100 : longer rounds, so fewer searches before the long ones */
    MODEL_WORK_REST = 20, /* sets of the last round : 1 to 1000 : searches longer for what follows the first nest */

    /* Expansions. */
    MODEL_PLAIN_NODES = 900,   /* nodes of a plain search : 1 to 10^6 : finds more plain nests; slower for nothing */
    MODEL_QUICK_NODES = 36,    /* nodes of a quick one : 1 to 10^5 : the same in the middle of a stream */
    MODEL_FLATTER_NODES = 180, /* nodes of a short search : 1 to 10^6 : more nests of fewer loops; slower for nothing */
    MODEL_ROUNDED_NODES = 100, /* nodes with rational slopes : 1 to 10^6 : the same for bounds with divisors */
    MODEL_QUICK_HELD = 100,    /* nodes held by a quick search : 2 to 10^5 : forgets fewer; more memory */

    /* Depths. */
    MODEL_PLAIN_DEPTH = 4, /* levels : 1 to AFFINE_DEPTH : the plain nests found first are deeper */
    MODEL_TILED_DEPTH = 4, /* levels : 2 to AFFINE_DEPTH : fewer nests taken for tiled ones if a flatter is sought */
    MODEL_TILES_DEPTH = 6, /* levels : 4 to AFFINE_DEPTH : fewer of these get the longer search for tiles */

    /* Whether there is anything to find. */
    MODEL_PROMISING = 250, /* values : 1 to 10^6 : a round has to explain more, if there is to be another */
    MODEL_MORE = 3,        /* of a short stream's values, 1 in this many : 1 to 100 : a round may explain less */
    MODEL_LIKELY = 150,    /* values : 1 to 10^6 : the looks have to explain more, if there is to be a round */
    MODEL_HALF = 2,        /* of a short stream's values, 1 in this many : 1 to 100 : the looks may explain less */
    MODEL_WHOLE = 8,      /* of a rest's values, 1 in this many : 1 to 10^6 : or it is not taken for one nest; slower */
    MODEL_HOPELESS = 100, /* values : 1 to 10^6 : the first looks have to explain more, or the rest is not searched */
    MODEL_SPECK = 64,     /* of a stream's values, 1 in this many : 1 to 10^6 : or this share; more searches in noise */
    MODEL_AHEAD = 8,      /* strides : 4 to 32 : a quick search looks farther before it begins; more wasted searches */
    MODEL_RARER = 16,     /* failures : 1 to 1000 : each search skips one value more later; more searches in noise */
    MODEL_PAYS = 4096,    /* values : 1 to 10^6 : the price of longer nests is checked, too */
    MODEL_GOOD = 64,      /* values : 1 to 10^6 : a nest in the middle has to be longer to be searched for again */
    MODEL_PLACES = 8,     /* places : 2 to 64 : sees rows that are rarer; slower on noise */
    MODEL_STRIDES = 512,  /* strides per place : 16 to 2^16 : sees longer rows; slower on noise */
    MODEL_STRIDE_SHARE = 4, /* strides : 1 to 16 : one in this many being the same makes rows; searches more streams */
    MODEL_ROW_SHARE = 5,    /* rows : 1 to 16 : the same for distances between rows; nests here have 2 in 5 at least */
    MODEL_FEW_ROWS = 8,     /* rows : 1 to 100 : below that, distances do not count; more streams are searched */

    /* Loops that a divisor may stand for. */
    MODEL_FOLD = 8,       /* iterations : 2 to 64 : tries rational slopes for longer loops; slower */
    MODEL_FOLD_RUNS = 32, /* runs : 1 to 1000 : looks at more of a loop's runs to know how long it is */
};

#endif
