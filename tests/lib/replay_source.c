/* SPDX-License-Identifier: MIT */
#include "tests/lib/replay_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"path", "access", "value", "event", "stamp", "place", "frame", "stacked"};

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

static bool parse(char *line, source_event *event)
{
    uint64_t context, id, data = 0;
    size_t size = strcspn(line, " ");
    for (unsigned kind = 0; kind < WEFT_COUNT(names); kind++) {
        if (strlen(names[kind]) != size || strncmp(line, names[kind], size) != 0)
            continue;
        char *at = line + size;
        if (!number(&at, UINT32_MAX, &context) || !number(&at, UINT32_MAX, &id) ||
            (kind != SOURCE_PATH &&
             !number(&at, kind == SOURCE_ACCESS || kind == SOURCE_EVENT ? UINT32_MAX : UINT64_MAX, &data)) ||
            (*at && *at != '\n'))
            return false;
        *event = (source_event){(source_kind)kind, (uint32_t)context, (uint32_t)id, data};
        return true;
    }
    return false;
}

weft_status replay_source_next(replay_source *source, source_event *event)
{
    char line[128];
    do {
        if (!fgets(line, sizeof line, source->file))
            return ferror(source->file) ? WEFT_CORRUPT : WEFT_FULL;
        source->line++;
    } while (*line == '#' || *line == '\n');
    return parse(line, event) ? WEFT_OK : WEFT_CORRUPT;
}
