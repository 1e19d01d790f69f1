/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_recordings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/base/text.h"
#include "tools/lib/recording/given_names.h"

void info_hex(const uint8_t *bytes, size_t size, char *text, size_t text_size)
{
    text[0] = 0;
    for (size_t i = 0; i < size && 2 * i + 3 <= text_size; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

unsigned info_version(const container *file)
{
    uint8_t *buffer = NULL;
    unsigned version = container_recording_at(file, 0, &buffer).version;
    free(buffer);
    return version;
}

void info_print_recordings(const container *file)
{
    uint8_t *buffer = NULL;
    char text[80];
    printf("  recordings   %zu\n", container_recording_count(file));
    for (size_t i = 0; i < container_recording_count(file); i++) {
        container_recording one = container_recording_at(file, i, &buffer);
        info_hex(one.build_id, one.build_id ? one.build_id_size : 0, text, sizeof text);
        printf("    %-10zu frames %zu from byte %" PRIu64 ", version %u, run %" PRIu32 ", identity %08" PRIx32 "%s%s\n",
               i + 1, one.count, one.offset, one.version, one.run, one.identity, text[0] ? ", build id " : "", text);
    }
    free(buffer);
}

void info_json_recordings(const container *file, json *j)
{
    uint8_t *buffer = NULL;
    char text[80];
    json_array(j, "recording_list");
    for (size_t i = 0; i < container_recording_count(file); i++) {
        container_recording one = container_recording_at(file, i, &buffer);
        json_object(j, NULL);
        json_unsigned(j, "offset", one.offset);
        json_unsigned(j, "frames", one.count);
        json_integer(j, "version", one.version);
        json_integer(j, "run", one.run);
        if (one.identity) {
            snprintf(text, sizeof text, "%08" PRIx32, one.identity);
            json_string(j, "identity", text);
        }
        if (one.build_id) {
            info_hex(one.build_id, one.build_id_size, text, sizeof text);
            json_string(j, "build_id", text);
        }
        json_end_object(j);
    }
    json_end_array(j);
    free(buffer);
}

void info_print_names(const container *file)
{
    given_names names = {0};
    given_names_read(&names, file);
    if (names.count)
        printf("\n  %-20s %s\n", "name of", "is");
    for (size_t i = 0; i < names.count; i++) {
        const given_name *name = &names.all[i];
        printf("  %s %-*" PRIu32 " ", name->number & 1 ? "event" : "context", name->number & 1 ? 14 : 12,
               name->number / 2);
        text_print(stdout, name->text);
        printf("\n");
    }
    given_names_free(&names);
}

void info_json_names(const container *file, json *j)
{
    given_names names = {0};
    given_names_read(&names, file);
    json_array(j, "names");
    for (size_t i = 0; i < names.count; i++) {
        const given_name *name = &names.all[i];
        json_object(j, NULL);
        json_integer(j, "recording", name->recording + 1);
        json_integer(j, name->number & 1 ? "event" : "context", name->number / 2);
        json_string(j, "name", name->text);
        json_end_object(j);
    }
    json_end_array(j);
    given_names_free(&names);
}
