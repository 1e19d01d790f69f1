/* SPDX-License-Identifier: MIT */
/* Reads Weft's recordings: the interface of libweft (pkg-config: libweft).
 *
 *     char message[300];
 *     weft_host *trace = weft_host_open("app.weft", "app.elf", message, sizeof message);
 *     if (!trace) ...
 *     for (weft_host_event event; weft_host_next(trace, &event) > 0;)
 *         if (event.kind == WEFT_HOST_ENTRY)
 *             printf("%s (%s:%u)\n", event.function, event.file, event.line);
 *     if (weft_host_error(trace)) ...
 *     weft_host_lost lost;
 *     weft_host_missing(trace, &lost);
 *     weft_host_close(trace);
 *
 * Compatibility. WEFT_HOST_API grows when something is added, and what is here stays: a program that was compiled
 * against an older header of the same library (its soname, libweft.so.1) works with a newer one. Fields are only added
 * at the end of a struct, and the library fills no more of it than the program's header knows. What came with which
 * WEFT_HOST_API stands where it is declared; the rest is of 1. Recordings of every released version of the container
 * format can be read for ever; a newer one than this library knows is refused.
 *
 * One thread at a time uses a weft_host; several of them are independent. Strings are the library's: those of an event
 * live until weft_host_close, but for `text`. What the library prints goes to standard error: notes about the identity
 * of the image. If the host runs out of memory, the process ends with a message and status 4. */
#ifndef WEFT_HOST_H
#define WEFT_HOST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_HOST_API 2

typedef struct weft_host weft_host;

/* Kinds are only added; skip what you do not know. */
typedef enum weft_host_kind {
    WEFT_HOST_ENTRY = 1,   /* a function is entered */
    WEFT_HOST_EXIT = 2,    /* it is left; WEFT_HOST_UNWOUND: by a longjmp or an exception out of what it called */
    WEFT_HOST_BLOCK = 3,   /* a block of it is entered: id */
    WEFT_HOST_LOAD = 4,    /* id is the site; address, size */
    WEFT_HOST_STORE = 5,   /* the same */
    WEFT_HOST_VALUE = 6,   /* the value of the access of site id */
    WEFT_HOST_PATH = 7,    /* a path ended: id is its number */
    WEFT_HOST_CONTEXT = 8, /* the events that follow belong to `context` */
    WEFT_HOST_GAP = 9,     /* events are missing here: paths, accesses, values of them, if WEFT_HOST_COUNTED */
    WEFT_HOST_EVENT = 10,  /* an event of the firmware's own: id, numbers, text (2) */
    WEFT_HOST_STAMP = 11,  /* a stamp of time: `time` is exact here (2) */
} weft_host_kind;

/* Bits of flags. */
#define WEFT_HOST_UNWOUND 1u
#define WEFT_HOST_COUNTED 2u
#define WEFT_HOST_DERIVED 4u /* the address was not recorded: it follows from others */
#define WEFT_HOST_UNKNOWN 8u /* it follows from one that is missing: address is 0 */

typedef struct weft_host_event {
    uint32_t kind;    /* weft_host_kind */
    uint32_t flags;   /* WEFT_HOST_... */
    uint32_t context; /* 0: thread mode, 1 to 511: the exception's number, 512 and more: 512 + the thread's number */
    uint32_t id;
    const char *function; /* NULL: none, or no image was given */
    const char *file;     /* NULL: not known */
    uint32_t line;
    uint32_t address, size; /* size 0: not constant */
    uint64_t value;
    uint64_t paths, accesses, values; /* of WEFT_HOST_GAP */
    uint64_t time;                    /* when the event's frame was closed, in ticks of the recording's clock */
    /* From here on of 2. Of WEFT_HOST_EVENT; both are valid until the next event. */
    const char *text;        /* its name, with the numbers filled in where it is a format; NULL: it has none */
    const uint32_t *numbers; /* as the firmware gave them */
    uint32_t number_count;
} weft_host_event;

typedef struct weft_host_lost {
    uint64_t paths, accesses, values, gaps;
} weft_host_lost;

/* The library's version ("0.1.0"), in storage that is never freed. */
const char *weft_host_version(void);
/* The WEFT_HOST_API that it was built with. */
int weft_host_api(void);

/* `elf` is the image that was traced; NULL: paths, switches of context and gaps only, without names. NULL, and a
 * message: a file cannot be read, it holds no events one by one, it is damaged from its start, or of another image. */
weft_host *weft_host_open(const char *recording, const char *elf, char *message, size_t message_size);
/* Frees it; NULL is allowed. */
void weft_host_close(weft_host *trace);

/* 1: the next event. 0: the end, or an error: weft_host_error says which. */
int weft_host_next_sized(weft_host *trace, weft_host_event *event, size_t event_size);
#define weft_host_next(trace, event) weft_host_next_sized((trace), (event), sizeof(weft_host_event))
/* The events again, from the first. */
void weft_host_rewind(weft_host *trace);
/* NULL, or what does not fit, and where. */
const char *weft_host_error(const weft_host *trace);
/* What the recording lacks, as far as it is counted; gaps is 0 only if nothing is missing. */
void weft_host_missing_sized(const weft_host *trace, weft_host_lost *lost, size_t lost_size);
#define weft_host_missing(trace, lost) weft_host_missing_sized((trace), (lost), sizeof(weft_host_lost))

/* What the firmware calls a context ("Rx"); else what the image's vector table calls it ("SysTick_Handler"), or its
 * kind and number ("thread 513"). Never NULL; valid until the next call. Since 2. */
const char *weft_host_context(weft_host *trace, uint32_t context);
/* Ticks of `time` in a second; 0: not known. Since 2. */
uint64_t weft_host_hz(const weft_host *trace);

/* The source line of an instruction: 1, or 0 if it is not known. */
int weft_host_line(const weft_host *trace, uint32_t address, const char **file, uint32_t *line);
/* The object or function that holds an address, and the offset in it. NULL: none. */
const char *weft_host_symbol(const weft_host *trace, uint32_t address, uint32_t *offset);

#ifdef __cplusplus
}
#endif

#endif
