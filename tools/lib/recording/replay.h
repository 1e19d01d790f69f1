/* SPDX-License-Identifier: MIT */
/* The global order of what happened: routine entries and exits, blocks, paths, accesses, values, switches of context, gaps.
 * A container holds path numbers, and addresses without their sites; what a path number stands for, a model tells (usually a
 * program, tools/lib/image/program.h). Streams: memory is that of two frames, of the distinct paths, and of the contexts.
 *
 * Order. Accesses, values and path records are in exact global order, interrupts included. Entries, exits and blocks stand
 * as close before the first access or record that follows them as their path allows: where an interrupt came between two
 * accesses of a path, the blocks between them are told after it.
 *
 *     replay *events = replay_open(file, (replay_model){paths, scripts_model});
 *     for (replay_event event; replay_next(events, &event);) ...
 *     if (replay_error(events)) ...                       the container does not fit the model; exit status 1
 *     replay_close(events); */
#ifndef WEFT_TOOLS_LIB_RECORDING_REPLAY_H
#define WEFT_TOOLS_LIB_RECORDING_REPLAY_H

#include "tools/lib/recording/container.h"

typedef enum replay_kind {
    REPLAY_ENTRY,   /* a routine is entered; id is its number among the model's functions */
    REPLAY_EXIT,    /* and left; `unwound`: by a longjmp from below */
    REPLAY_BLOCK,   /* a block is entered; id is its global number */
    REPLAY_ACCESS,  /* id is the site */
    REPLAY_VALUE,   /* the value of the access of site id */
    REPLAY_PATH,    /* a path ended; id is its global number */
    REPLAY_CONTEXT, /* what follows belongs to `context` */
    REPLAY_GAP,     /* events are missing here: `paths`, `accesses`, `values` of them, if `counted` */
    REPLAY_UNRESOLVED, /* accesses and values, so many, of an unfinished path whose record is not there: they were recorded,
                          but which sites they belong to is not known */
} replay_kind;

/* What one path record tells, in order: items[0 .. before_count) happened before the record, the rest with it. */
typedef struct replay_item {
    uint8_t kind; /* REPLAY_ENTRY, EXIT, BLOCK, ACCESS or VALUE */
    bool store;
    uint32_t id;
    uint32_t size;     /* bytes of an access; 0: not constant */
    uint8_t how;       /* REPLAY_RECORDED ...: where the address of an access comes from */
    uint32_t group;    /* recorded, derived: address - constant is the base of this group; REPLAY_NO_GROUP */
    uint32_t constant; /* static: the address */
} replay_item;

/* As descriptor_how (tools/lib/image/descriptor.h). */
enum { REPLAY_RECORDED, REPLAY_DERIVED, REPLAY_STATIC };
#define REPLAY_NO_GROUP UINT32_MAX

typedef struct replay_script {
    uint32_t path;
    uint32_t function; /* number among the model's functions */
    bool entry;        /* starts at the routine's entry */
    bool exit;         /* ends by leaving the routine */
    bool told; /* items[0] is a block that an earlier record of this activation told already (unless that was lost) */
    bool span; /* calls do not end this function's paths: no order between activations */
    uint32_t before_count, count;
    uint32_t groups;           /* all groups of the items are below */
    uint32_t accesses, values; /* recorded accesses, and values */
    replay_item *items;
} replay_script;

typedef struct replay_model {
    void *context;
    /* NULL: there is no such path. The script stays valid. */
    const replay_script *(*script)(void *context, uint32_t path);
} replay_model;

typedef struct replay_event {
    replay_kind kind;
    bool store, unwound, counted;
    bool derived; /* ACCESS: its address was not recorded, but follows */
    bool unknown; /* ACCESS: its address follows from one that is missing: `address` is 0 */
    uint32_t context;
    uint32_t id;
    uint32_t function; /* of ENTRY, EXIT, PATH */
    uint32_t address, size;
    uint64_t value;
    uint64_t paths, accesses, values; /* GAP, UNRESOLVED */
    uint64_t offset;                  /* of the frame in the file */
    uint64_t time;                    /* when that frame was closed */
} replay_event;

typedef struct replay replay;
replay *replay_open(const container *file, replay_model model);
void replay_close(replay *events);
/* False: the end, or an error. */
bool replay_next(replay *events, replay_event *event);
/* NULL, or a sentence: what does not fit, and where. */
const char *replay_error(const replay *events);
/* Accesses and values that came as REPLAY_UNRESOLVED so far. */
uint64_t replay_unresolved(const replay *events);
/* Accesses so far whose address is not known, since it follows from one that is missing. */
uint64_t replay_unknown(const replay *events);

#endif
