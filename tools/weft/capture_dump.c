/* SPDX-License-Identifier: MIT */
#include "tools/weft/capture_dump.h"
#include "tools/lib/base/memory_stream.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/blackbox_packed.h"
#include "tools/lib/image/program.h"
#include "tools/lib/recording/blackbox.h"
#include "tools/lib/recording/fault.h"
#include "tools/lib/recording/ring.h"
#include "tools/weft/command.h"

static const char command[] = "capture";

/* The head of the frame that follows the last one of a container. */
static weft_frame frame_after(const uint8_t *bytes, size_t size)
{
    char message[200];
    uint8_t *buffer = NULL;
    container_frame last = {.frame = {.version = WEFT_FORMAT_VERSION}};
    container *file = container_open_bytes(bytes, size, "ring", message, sizeof message);
    for (size_t i = 0; file && i < container_frame_count(file); i++)
        container_read(file, i, &last, &buffer);
    weft_frame after = last.frame;
    if (file)
        after.sequence++;
    if (file)
        container_close(file);
    free(buffer);
    return after;
}

/* After the frames of the image that it is about; of another image it is an old one. */
static void add_fault(const fault *f, const uint8_t *frames, size_t size, FILE *out)
{
    weft_frame like = frame_after(frames, size);
    if (!f->head.identity || !like.identity || f->head.identity == like.identity)
        (void)fault_write(f, &like, out);
}

static uint32_t most_paths(const blackbox *box)
{
    return box->head.form == WEFT_BLACKBOX_PLAIN16  ? WEFT_BLACKBOX_PATHS16
           : box->head.form == WEFT_BLACKBOX_PACKED ? WEFT_BLACKBOX_PATHS_PACKED
                                                    : UINT32_MAX;
}

/* EXIT_INPUT: what has this identity (0: none) is of another image, or a box (else NULL) has too few bits for its
 * paths. */
static int check_image(uint32_t own, const blackbox *box, const char *name, const char *elf)
{
    char message[300];
    program *app = program_open(elf, message, sizeof message);
    if (!app)
        return command_fail(command, EXIT_INPUT, "%s", message);
    int status = EXIT_DONE;
    uint32_t identity = program_identity(app), paths = program_descriptors(app)->path_end;
    if (own && !program_may_be(app, own))
        status = command_fail(command, EXIT_INPUT,
                              "%s: the %s is of another image (identity %08" PRIx32 ", not %08" PRIx32 " as %s)", name,
                              box ? "black box" : "RAM ring", own, identity, elf);
    else if (box && paths > most_paths(box))
        status = command_fail(command, EXIT_INPUT,
                              "%s has %" PRIu32 " paths, too many for the 16 bits of the black box: one of 32 bits is "
                              "needed (docs/BLACKBOX.md)",
                              elf, paths);
    program_close(app);
    return status;
}

/* `bytes` are those after the ring's head. */
static int extract_ring(const ram_ring *ring, const char *name, const uint8_t *bytes, size_t size, const fault *f,
                        const char *elf, FILE *out)
{
    char *frames = NULL;
    size_t frames_size = 0;
    FILE *text = memory_stream(&frames, &frames_size);
    (void)ram_ring_write(ring, bytes, size, text);
    fclose(text);
    int status =
        elf ? check_image(frame_after((const uint8_t *)frames, frames_size).identity, NULL, name, elf) : EXIT_DONE;
    if (status != EXIT_DONE) {
        free(frames);
        return status;
    }
    fwrite(frames, 1, frames_size, out);
    if (f)
        add_fault(f, (const uint8_t *)frames, frames_size, out);
    free(frames);
    if (size < ring->size)
        return command_fail(command, EXIT_GAPS, "%s ends %zu bytes before the ring does", name, ring->size - size);
    return EXIT_DONE;
}

static int extract_box(blackbox *box, const char *name, const uint8_t *bytes, size_t size, const fault *f,
                       const char *elf, FILE *out)
{
    char message[200];
    if (!blackbox_read(box, bytes, size, message, sizeof message))
        return command_fail(command, EXIT_INPUT, "%s: %s", name, message);
    int status = elf ? check_image(box->head.identity, box, name, elf) : EXIT_DONE;
    if (f && f->head.identity && box->head.identity && f->head.identity != box->head.identity)
        f = NULL;
    if (status == EXIT_DONE && box->torn)
        command_fail(command, EXIT_DONE, "note: the newest path was just being recorded: it is not in the black box");
    if (status == EXIT_DONE && box->sum == BLACKBOX_UNSUMMED)
        command_fail(command, EXIT_DONE,
                     "note: the black box has no check sum, since %s: changes in memory would go unnoticed",
                     box->head.version > 1 ? "nothing has held it" : "its firmware made none");
    if (status == EXIT_DONE)
        (void)blackbox_write(box, f, out); /* the output finds what cannot be written */
    blackbox_free(box);
    return status;
}

/* No path is known; but the fault is. */
static int extract_fault(const fault *f, FILE *out)
{
    weft_frame like = {.identity = f->head.identity, .run = 1};
    fwrite(WEFT_CONTAINER_HEAD, 1, WEFT_CONTAINER_HEAD_SIZE, out);
    (void)fault_write(f, &like, out);
    return EXIT_DONE;
}

/* The next ring that holds a trace; `size` if there is none. */
static size_t next_ring(const uint8_t *bytes, size_t size, size_t from)
{
    ram_ring ring;
    size_t at = ram_ring_find(&ring, bytes, size, from);
    while (at < size && ring.start == ring.end)
        at = ram_ring_find(&ring, bytes, size, at + 1);
    return at;
}

/* Names the other rings and boxes of a dump, from these places on, since one is read only. */
static void name_others(const char *name, const uint8_t *bytes, size_t size, size_t ring_from, size_t box_from)
{
    blackbox box;
    for (size_t at = ring_from; (at = next_ring(bytes, size, at)) < size; at += RAM_RING_HEAD)
        command_fail(command, EXIT_DONE, "note: %s also holds a RAM ring, at byte %zu, which is not read", name, at);
    for (size_t at = box_from; (at = blackbox_find(&box, bytes, size, at)) < size; at++)
        command_fail(command, EXIT_DONE, "note: %s also holds a black box, at byte %zu, which is not read", name, at);
}

int dump_extract(const char *name, const uint8_t *bytes, size_t size, const char *elf, FILE *out)
{
    ram_ring ring;
    blackbox box;
    fault f;
    bool broke = fault_find(&f, bytes, size, 0) < size;
    size_t at = next_ring(bytes, size, 0), box_at = blackbox_find(&box, bytes, size, 0);
    if (at < size) {
        (void)ram_ring_read(&ring, bytes + at);
        name_others(name, bytes, size, at + RAM_RING_HEAD, box_at);
        return extract_ring(&ring, name, bytes + at + RAM_RING_HEAD, size - at - RAM_RING_HEAD, broke ? &f : NULL, elf,
                            out);
    }
    if (box_at < size) {
        name_others(name, bytes, size, size, box_at + 1);
        return extract_box(&box, name, bytes + box_at, size - box_at, broke ? &f : NULL, elf, out);
    }
    if (broke)
        return extract_fault(&f, out);
    return command_fail(command, EXIT_INPUT,
                        "%s: no RAM ring that holds a trace, no black box and no fault record in its %zu bytes", name,
                        size);
}
