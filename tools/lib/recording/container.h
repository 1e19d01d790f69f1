/* SPDX-License-Identifier: MIT */
/* Reader of containers (core/FORMAT.md). Opening scans the whole file once, checks every frame, and keeps a small index
 * (32 bytes per frame). Damage, missing, repeated and misplaced frames are found then, and listed as gaps. Frames are
 * read in the order in which they were recorded. Memory: the index, and one frame at a time.
 *
 *     char message[200];
 *     container *file = container_open(path, message, sizeof message);     NULL: print message, exit status 1
 *     for (size_t i = 0; i < container_frame_count(file); i++)
 *         container_read(file, i, &frame, &buffer);
 *     container_close(file);
 *
 * The bodies of frames: frames.h. Gaps: gaps.h. The control events of all frames: control.h. Address and value streams,
 * and the global order: replay.h. */
#ifndef WEFT_TOOLS_LIB_RECORDING_CONTAINER_H
#define WEFT_TOOLS_LIB_RECORDING_CONTAINER_H

#include "tools/lib/recording/frames.h"
#include "tools/lib/recording/gaps.h"
#include "tools/lib/recording/packs.h"

struct descriptors; /* tools/lib/image/descriptor.h */
typedef struct container container;

/* All recordings of a file, or the one that recording_choose said (chosen.h). NULL, and a message: the file cannot be
 * read, or it holds no frame that this build understands. */
container *container_open(const char *path, char *message, size_t message_size);
/* The same for bytes in memory, which must outlive it. `name` stands for the path in messages. */
container *container_open_bytes(const uint8_t *bytes, size_t size, const char *name, char *message,
                                size_t message_size);
void container_close(container *file);

/* For reading the recordings of a file one by one: only its frames are found, not what they prove to be missing. It is
 * good for container_recording_count (1 with --recording N), container_part and container_close. */
container *container_open_frames(const uint8_t *bytes, size_t size, const char *name, char *message,
                                 size_t message_size);
/* Recording `number` of it, from 0, as if the file held no other. The bytes must outlive it. */
container *container_part(const container *frames, size_t number);

const char *container_path(const container *file);
uint64_t container_size(const container *file); /* bytes of the file */

/* The program that was recorded; NULL: not known. Where records stand for several paths each (packs), it says for
 * which, as PACKS frames do for those that the recording has, and readers of paths (control.h, replay.h) give those. It
 * must outlive all reading. program_fits (script.h) sets it. */
void container_know(container *file, const struct descriptors *program);
/* Records of several paths each, in all frames. */
uint64_t container_packs(const container *file);
/* Who says what they stand for: the program, else the file. Valid as long as both. */
pack_source container_packs_of(const container *file);
/* NULL, or why its paths cannot be read: there are such records, and neither is known. */
const char *container_packed(const container *file);

/* Intact frames, of all kinds, in recorded order. */
size_t container_frame_count(const container *file);
size_t container_recording_count(const container *file);

/* One of the recordings of a file. */
typedef struct container_recording {
    uint64_t offset;        /* of its first frame in the file */
    size_t first, count;    /* its frames */
    uint32_t identity, run; /* 0: none (version 1) */
    uint8_t version;
    const uint8_t *build_id; /* NULL: its META has none or is lost. Valid until the next call */
    size_t build_id_size;
} container_recording;

/* Recording `number`, from 0. The build id is in *buffer, as container_read. */
container_recording container_recording_at(const container *file, size_t number, uint8_t **buffer);
/* Reads frame `index` into *buffer (from malloc, grown as needed; start with NULL, free when done). Its body is valid
 * until the next container_read into the same buffer. */
void container_read(const container *file, size_t index, container_frame *frame, uint8_t **buffer);
/* What the file would be if the intact frames that its recorder made stood in it once each, in recorded order, and
 * nothing else: from malloc. The contents of packs, which a host adds, say nothing more about the run. */
uint8_t *container_in_order(const container *file, size_t *size);
/* The kind of frame `index`, without reading it. */
uint8_t container_kind(const container *file, size_t index);
/* The recording of frame `index`, from 0. */
uint32_t container_recording_of(const container *file, size_t index);
/* The first frame of a kind from frame `from` on; the frame count if there is none. */
size_t container_next(const container *file, uint8_t kind, size_t from);
/* Are all recordings of `other` of the image that the first recording of `one` is of, as far as they say? */
bool container_same_image(const container *one, const container *other);
/* NULL, or why its recordings are not to be read as one: they are of different kinds, or of different images. */
const char *container_mixed(const container *file);
/* Why a full recording has no control stream. */
#define CONTAINER_IS_FULL                                                                                              \
    "it is a full recording, of instructions and not of paths: weft overview, functions, paths, hot, model, report "   \
    "and wet read it; without --full, weft capture records paths"
#define CONTAINER_FULL_WITHOUT_BEGINNING                                                                               \
    "it is a full recording whose beginning is damaged or missing, so it cannot be read"
/* NULL, or why there is no control stream: the recording is of another kind, or recordings are mixed. */
const char *container_without_paths(const container *file);

size_t container_gap_count(const container *file);
const container_gap *container_gap_at(const container *file, size_t index);
/* Prints "weft COMMAND: gap: ..." per gap, to standard error: at most 20, then how many more there are. */
void container_print_gaps(const container *file, const char *command);

/* The file does not end with a whole frame, or damage that looks so. */
bool container_cut(const container *file);
/* A recording of the file has no end record (GAP_END): what came after its last frame is unknown. Where container_open
 * finds that, each --json of the command has "end":"missing" (json_remark). */
bool container_end_missing(const container *file);
/* Events of a recording, lost ones included, as its end record says. False: it has no end record. */
bool container_end_counts(const container *file, uint32_t recording, weft_counts *counts);
/* All events lost: those that the recorder lost and those in missing frames, as far as they are counted. */
weft_counts container_lost(const container *file);
/* "at least ", to stand before the number of what was lost, where that counts records that may have held several paths
 * (packs): each --json of the command then has "lost_is":"at least" (json_remark). Else "", also of NULL. */
const char *container_at_least(const container *file);
/* A number in the last META or STATS frame (its key is even). False: there is no such field. */
bool container_meta(const container *file, uint32_t key, uint64_t *value);
bool container_stats(const container *file, uint32_t key, uint64_t *value);
/* Its program counts (port/cortex-m/places.h): it holds what a second execution needs, and not the run itself. */
static inline bool container_counts(const container *file)
{
    uint64_t probes;
    return container_meta(file, WEFT_META_PROBES, &probes) && probes & WEFT_PROBE_COUNTS;
}
#define CONTAINER_COUNTS                                                                                               \
    "it holds what devices answered and where interrupts came: `weft rerun` executes the run, and writes all of it"
/* Bytes in the last META frame (their key is odd). NULL: there is no such field. */
const uint8_t *container_meta_bytes(const container *file, uint32_t key, size_t *size);

#endif
