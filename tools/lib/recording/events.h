/* SPDX-License-Identifier: MIT */
/* The events of a replay, and the scripts that it takes them from: what each path number stands for. */
#ifndef WEFT_TOOLS_LIB_RECORDING_EVENTS_H
#define WEFT_TOOLS_LIB_RECORDING_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum replay_kind {
    REPLAY_ENTRY,      /* a routine is entered; id is its number among the model's functions */
    REPLAY_EXIT,       /* a routine is left; `unwound`: by a longjmp out of a routine that it called */
    REPLAY_BLOCK,      /* a block is entered; id is its global number */
    REPLAY_ACCESS,     /* id is the site */
    REPLAY_VALUE,      /* the value of the access of site id */
    REPLAY_PATH,       /* a path ended; id is its global number */
    REPLAY_CONTEXT,    /* what follows belongs to `context` */
    REPLAY_GAP,        /* events are missing here: `paths`, `accesses`, `values` of them, if `counted` */
    REPLAY_BASE,       /* in scripts only: no access, but it gives the base of a group */
    REPLAY_LENGTH,     /* in scripts only: its recorded number is the size of the next access */
    REPLAY_MOVE,       /* in scripts only: what an edge does to the bases of groups */
    REPLAY_UNRESOLVED, /* `accesses` and `values` of an unfinished path whose record is missing: they were recorded, but
                          the sites that they belong to are not known */
    REPLAY_MARK, /* `mark`: an event of the firmware's own, a stamp of time, a change of what is recorded, a place. It
                          stands between paths; accesses of an unfinished path may be reported after it */
} replay_kind;
#define REPLAY_KIND(kind) (1u << (kind)) /* in sets of kinds */

/* Accesses by how their addresses are known. */
typedef struct replay_accesses {
    uint64_t recorded, derived;
    uint64_t unknown; /* they follow from one that is missing */
} replay_accesses;

/* What one path record stands for, in order: items[0 .. before_count) happened before the record, the rest with it. */
typedef struct replay_item {
    uint8_t kind; /* REPLAY_ENTRY, EXIT, BLOCK, ACCESS, VALUE, BASE, LENGTH or MOVE */
    bool store;
    bool frame; /* BASE: its address says where the activation's frame is */
    uint32_t id;
    uint32_t size;     /* bytes of an access; 0: not constant */
    uint8_t how;       /* REPLAY_RECORDED ...: where the address of an access comes from */
    uint32_t group;    /* recorded, derived: address - constant is the base of this group; REPLAY_NO_GROUP */
    uint32_t target;   /* BASE: the group whose base its address is */
    uint32_t constant; /* static: the address */
    const struct descriptor_term *terms; /* computed: `count` of them */
    const struct descriptor_move *moves; /* MOVE: `count` of them */
    uint32_t count;
} replay_item;

/* As descriptor_how (tools/lib/image/descriptor.h). */
enum { REPLAY_RECORDED, REPLAY_DERIVED, REPLAY_STATIC, REPLAY_COMPUTED };
#define REPLAY_NO_GROUP UINT32_MAX
/* Whether the recording holds an address or a value of the item. */
static inline bool replay_is_recorded(const replay_item *item)
{
    return item->kind == REPLAY_VALUE || item->kind == REPLAY_LENGTH ||
           ((item->kind == REPLAY_ACCESS || item->kind == REPLAY_BASE) && item->how == REPLAY_RECORDED);
}
#define REPLAY_NO_BLOCK UINT32_MAX

typedef struct replay_script {
    uint32_t path;
    uint32_t function;   /* number among the model's functions */
    bool entry;          /* starts at the routine's entry */
    bool exit;           /* ends by leaving the routine */
    bool plain;          /* its items are an entry, blocks and an exit only */
    bool first_reported; /* items[0] is a block that an earlier record of this activation reported, if not lost */
    bool span;           /* calls do not end this function's paths: no order between activations */
    uint32_t before_count, count;
    uint32_t groups;           /* of the function; those of the items are below */
    bool keeps_bases;          /* from path to path of an activation */
    bool frames;               /* an item says where its frame is, and so which activation goes on */
    bool away;                 /* it ends with a computed goto, to a block of the same activation */
    bool lands;                /* it may begin after a longjmp or an exception */
    bool jumps;                /* it begins where a call returned that may have come back to an older activation */
    uint32_t begins, enters;   /* global numbers of its first block, and of the block that it enters at its end */
    uint32_t arrives;          /* `begins` if exceptions arrive there, else REPLAY_NO_BLOCK */
    uint32_t caught;           /* the `arrives` of a path that an exception out of the call that it enters leads to, or
                                * that goes on after it */
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
    bool derived; /* ACCESS: its address was not recorded, since it follows from others */
    bool unknown; /* ACCESS: its address follows from one that is missing: `address` is 0 */
    uint32_t context;
    uint32_t id;
    uint32_t function; /* of ENTRY, EXIT, PATH */
    uint32_t address, size;
    uint64_t value;
    uint64_t paths, accesses, values; /* GAP, UNRESOLVED */
    uint64_t marks;                   /* GAP: events of the firmware's own */
    const struct trace_mark *mark;    /* MARK; valid until the next event */
    const replay_script *script;      /* of PATH and what scripts hold; valid as long as the model. Else NULL */
    uint32_t item;                    /* of the script; of PATH: how many happened before it */
    uint32_t recording;               /* of the file, from 0 */
    uint64_t offset;                  /* of the frame in the file */
    uint64_t time;                    /* when that frame was closed; MARK: of the last stamp, or when it began */
} replay_event;

#endif
