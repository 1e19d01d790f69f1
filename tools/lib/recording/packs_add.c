/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/packs_add.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/recording/container.h"
#include "tools/lib/recording/host_frame.h"
#include "tools/lib/recording/script.h"
#include "tools/lib/recording/symbols.h"

static void gather(packs_gathered *all, const container *file)
{
    uint32_t block[256];
    uint8_t *buffer = NULL;
    trace_symbols *symbols = trace_symbols_open(container_packs_of(file));
    trace_symbols_gather(symbols, all);
    for (size_t i = 0; i < container_frame_count(file); i++) {
        container_frame frame;
        trace_body body;
        if (container_kind(file, i) != WEFT_FRAME_TRACE)
            continue;
        container_read(file, i, &frame, &buffer);
        if (!trace_parse(&frame.frame, &body))
            continue;
        trace_symbols_start(symbols, &body);
        while (trace_symbols_read(symbols, block, WEFT_COUNT(block)))
            ;
    }
    trace_symbols_close(symbols);
    free(buffer);
}

static uint32_t build_id_crc(const container *file)
{
    uint8_t *buffer = NULL;
    container_recording first = container_recording_at(file, 0, &buffer);
    uint32_t crc = first.build_id_size ? weft_crc32(0, first.build_id, first.build_id_size) : 0;
    free(buffer);
    return crc;
}

/* After the file's last byte, which a frame that was cut may have left without its zero. */
static void append(packs_gathered *all, const container *file, FILE *out)
{
    uint8_t *buffer = NULL;
    container_frame last;
    weft_writer writer;
    size_t size = packs_gathered_size(all);
    uint8_t *body = memory_zero(size, 1);
    weft_writer_init(&writer, body, size);
    packs_gathered_write(all, build_id_crc(file), &writer);
    container_read(file, container_frame_count(file) - 1, &last, &buffer);
    last.frame.sequence++;
    fseek(out, 0, SEEK_END);
    if (container_cut(file))
        fputc(0, out);
    (void)host_frame_write(&last.frame, WEFT_FRAME_PACKS, body, writer.size, out);
    fflush(out);
    free(body);
    free(buffer);
}

void packs_add(output *out, const program *app)
{
    char path[64], message[300];
    bool may = program_descriptors(app)->packed && output_readable(out, path);
    container *file = may ? container_open(path, message, sizeof message) : NULL;
    if (file && container_packed(file) && program_identity_checked(app, file)) {
        packs_gathered *all = packs_gathered_new();
        container_know(file, program_descriptors(app));
        gather(all, file);
        append(all, file, output_stream(out));
        packs_gathered_free(all);
    }
    container_close(file);
}
