/* SPDX-License-Identifier: MIT */
/* What the parts of follow_run.c share: it reads and writes; follow_say.c says what happens meanwhile. */
#ifndef WEFT_TOOLS_WEFT_FOLLOWING_H
#define WEFT_TOOLS_WEFT_FOLLOWING_H

#include "tools/lib/base/output.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/follow.h"
#include "tools/lib/recording/swo.h"
#include "tools/weft/follow.h"
#include "tools/weft/follow_source.h"

typedef struct following {
    const follow_request *ask;
    follow_source source;
    follow f;
    swo swo;
    uint64_t good_at; /* byte of the pin's stream that ended the last whole frame */
    program *app;
    output *out;
    int error;                            /* errno of a source that cannot be read; 0: none */
    bool over;                            /* the source ended by itself */
    bool terminal, status_shown, foreign; /* foreign: the recording is of another image than `app` */
    double began, shown, lost_at;         /* seconds; lost_at: when the connection was cut, 0: it is there */
    uint64_t arrived, shown_bytes;
    uint64_t damaged, damaged_bytes; /* of a whole file: places, and bytes of those that were not printed */
    double rate;                     /* bytes per second */
    unsigned cuts;
} following;

/* The line that says how it stands: where the last path of the last frame ended. On a terminal only. */
void follow_show_status(following *w);
void follow_clear_status(following *w);
/* Each change and each loss; `own` is the `following`. */
void follow_say(void *own, const follow_notice *what);
/* What the pin's stream says of itself. Whether the recording lacks something, its frames say. */
void follow_say_overflow(following *w, uint64_t overflows);
void follow_say_swo(const following *w);
/* Of a whole file, only the first places with damage are named; how many more there are. */
void follow_say_more(const following *w);

#endif
