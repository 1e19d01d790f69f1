/* SPDX-License-Identifier: MIT */
#include "port/host/replay_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"path", "access", "value"};

static bool number(char **text, uint64_t max, uint64_t *value)
{
    char *end;
    if (**text != ' ' || (*text)[1] == '-' || (*text)[1] == ' ')
        return false;
    errno = 0;
    *value = strtoull(*text, &end, 0);
    bool good = end != *text && errno == 0 && *value <= max;
    *text = end;
    return good;
}

static bool parse(char *line, weft_event *event)
{
    uint64_t context, id, data = 0;
    size_t size = strcspn(line, " ");
    for (unsigned kind = 0; kind < WEFT_COUNT(names); kind++) {
        if (strlen(names[kind]) != size || strncmp(line, names[kind], size) != 0)
            continue;
        char *at = line + size;
        if (!number(&at, UINT32_MAX, &context) || !number(&at, UINT32_MAX, &id) ||
            (kind != WEFT_EVENT_PATH && !number(&at, kind == WEFT_EVENT_ACCESS ? UINT32_MAX : UINT64_MAX, &data)) ||
            (*at && *at != '\n'))
            return false;
        *event = (weft_event){(weft_event_kind)kind, (uint32_t)context, (uint32_t)id, data};
        return true;
    }
    return false;
}

weft_status weft_replay_source_next(void *context, weft_event *event)
{
    weft_replay_source *source = context;
    char line[128];
    do {
        if (!fgets(line, sizeof line, source->file))
            return ferror(source->file) ? WEFT_CORRUPT : WEFT_FULL;
        source->line++;
    } while (*line == '#' || *line == '\n');
    return parse(line, event) ? WEFT_OK : WEFT_CORRUPT;
}

void weft_replay_source_print(FILE *file, const weft_event *event)
{
    fprintf(file, "%s %" PRIu32 " %" PRIu32, names[event->kind], event->context, event->id);
    if (event->kind == WEFT_EVENT_ACCESS)
        fprintf(file, " 0x%" PRIx64, event->data);
    if (event->kind == WEFT_EVENT_VALUE)
        fprintf(file, " %" PRIu64, event->data);
    fputc('\n', file);
}
