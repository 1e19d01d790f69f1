/* SPDX-License-Identifier: MIT */
#include "tools/lib/image/seal.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/digest.h"
#include "tools/lib/base/json.h"
#include "tools/lib/base/memory.h"
#include "tools/lib/base/text.h"

static const uint8_t magic[8] = {'W', 'E', 'F', 'T', 'S', 'E', 'A', 'L'};

void seal_make(uint8_t seal[SEAL_SIZE], const uint8_t *file, size_t size)
{
    uint64_t digest = digest_of(0, file, size);
    memcpy(seal, magic, sizeof magic);
    for (unsigned i = 0; i < 8; i++)
        seal[sizeof magic + i] = (uint8_t)(digest >> 8 * i);
}

seal_state seal_of(const uint8_t *file, size_t size)
{
    uint8_t right[SEAL_SIZE];
    if (size < SEAL_SIZE || memcmp(file + size - SEAL_SIZE, magic, sizeof magic) != 0)
        return SEAL_NONE;
    seal_make(right, file, size - SEAL_SIZE);
    return memcmp(file + size - SEAL_SIZE, right, SEAL_SIZE) ? SEAL_WRONG : SEAL_RIGHT;
}

/* ---- images without ---- */

static char **missing;
static size_t missing_count, missing_max;

void seal_note_missing(const char *path)
{
    json_remark("image", "unchecked");
    for (size_t i = 0; i < missing_count; i++)
        if (!strcmp(missing[i], path))
            return;
    missing = memory_room(missing, missing_count, &missing_max, sizeof *missing);
    missing[missing_count++] = memory_text(path);
}

void seal_forget(const char *path)
{
    size_t kept = 0;
    for (size_t i = 0; i < missing_count; i++) {
        if (strcmp(missing[i], path))
            missing[kept++] = missing[i];
        else
            free(missing[i]);
    }
    missing_count = kept;
    if (!kept)
        json_remark("image", NULL);
}

void seal_print_missing(FILE *file)
{
    for (size_t i = 0; i < missing_count; i++) {
        fputs("weft: ", file);
        text_print(file, missing[i]);
        fputs(": image unchecked: it has no seal, so damage to its names and lines would go unnoticed "
              "(after linking: weft seal)\n",
              file);
        free(missing[i]);
    }
    free(missing);
    missing = NULL;
    missing_count = missing_max = 0;
}
