/* SPDX-License-Identifier: MIT */
/* Names of contexts and events, in a file of their own so that programs without names do not link it. The first name
 * leads the recorder here. */
#include "core/own.h"
#include "core/recorder_parts.h"

/* Stands for the name of a thread that ended before a frame took it. Else its events would have the name of the next
 * thread of that number. */
static const uint8_t ended_thread[] = {'e', 'n', 'd', 'e', 'd', ' ', 't', 'h', 'r', 'e', 'a', 'd'};

/* Writes a NAMES frame with the next names that are due, if there are any. WEFT_AGAIN: more are due, or the sink
 * refused. Not while a sealed frame waits, whose sequence number is sealed in. */
static weft_status send_names(weft_recorder *recorder, const weft_moment *moment)
{
    uint16_t next = recorder->names_sent;
    if (next == recorder->names_count)
        return WEFT_OK;
    if (!weft_recorder_send_head(recorder))
        return WEFT_AGAIN;
    weft_small_frame small;
    weft_writer *out = &small.writer;
    weft_recorder_small_begin(recorder, &small, WEFT_FRAME_NAMES, moment);
    for (; next < recorder->names_count; next++) {
        const weft_recorder_name_entry *name = &recorder->config.names[next];
        size_t before = out->size;
        if (name->unnamed)
            weft_recorder_write_text(out, name->number, ended_thread, sizeof ended_thread);
        weft_recorder_write_text(out, name->number, (const uint8_t *)name->text,
                                 weft_recorder_text_size(name->text, WEFT_RECORDER_NAME_MAX));
        if (out->status == WEFT_OK)
            continue;
        weft_writer_rollback(out, before);
        break;
    }
    if (weft_recorder_small_send(recorder, &small) == WEFT_OK)
        while (recorder->names_sent < next) {
            weft_recorder_name_entry *name = &recorder->config.names[recorder->names_sent++];
            name->fresh = false;
            name->unnamed = false;
        }
    return recorder->names_sent == recorder->names_count ? WEFT_OK : WEFT_AGAIN;
}

weft_status weft_recorder_name(weft_recorder *recorder, uint32_t number, const char *text)
{
    weft_recorder_name_entry *names = recorder->config.names;
    uint16_t at = 0, ended = 0;
    while (at < recorder->names_count && names[at].number != number)
        at++;
    while (ended < recorder->names_count && names[ended].text[0])
        ended++;
    if (at == recorder->config.names_max)
        at = ended;
    if (at == recorder->config.names_max)
        return WEFT_FULL;
    recorder->names = send_names;
    bool again = at < recorder->names_count && names[at].number == number && !(number & 1u);
    bool unnamed = again && (names[at].unnamed || (names[at].fresh && names[at].text[0] && !text[0]));
    names[at] = (weft_recorder_name_entry){number, text, true, unnamed};
    if (at == recorder->names_count)
        recorder->names_count++;
    if (recorder->names_sent > at)
        recorder->names_sent = at;
    return WEFT_OK;
}
