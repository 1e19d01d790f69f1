/* SPDX-License-Identifier: MIT */
#include "tools/weft/info_fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/blackbox.h"
#include "tools/lib/recording/fault.h"

static const char *form_of(const container *file)
{
    uint64_t form;
    if (!container_meta(file, WEFT_META_BLACKBOX, &form))
        return NULL;
    return form == WEFT_BLACKBOX_PLAIN16   ? "16 bits per path"
           : form == WEFT_BLACKBOX_PLAIN32 ? "32 bits per path"
           : form == WEFT_BLACKBOX_PACKED  ? "compressed"
                                           : "a form that this build does not know";
}

/* By WEFT_META_BLACKBOX_SUM. */
static const struct {
    const char *word, *text;
} sum_texts[] = {{"none", ", without a check sum"}, {"right", ""}, {"wrong", ", whose memory has changed"}};

static unsigned sum_of(const container *file)
{
    uint64_t sum;
    if (!container_meta(file, WEFT_META_BLACKBOX_SUM, &sum))
        return 0;
    return sum == 1 ? 1 : 2;
}

/* The name and pc of the fault; pc is 0 where it is not known. False: there was none. */
static bool fault_text(const container *file, char *text, size_t size, uint32_t *pc)
{
    uint8_t *buffer = NULL;
    fault f;
    bool broke = fault_of(file, &f, NULL, &buffer);
    if (broke)
        fault_name(&f, text, size);
    *pc = broke && f.head.flags & WEFT_FAULT_FRAME ? f.head.pc : 0;
    free(buffer);
    return broke;
}

void info_print_fault(const container *file)
{
    const char *form = form_of(file);
    char text[300];
    uint32_t pc;
    if (form)
        printf("  black box    the newest paths, %s%s\n", form, sum_texts[sum_of(file)].text);
    if (!fault_text(file, text, sizeof text, &pc))
        return;
    printf("  fault        %s", text);
    if (pc)
        printf(", pc 0x%08" PRIx32, pc);
    putchar('\n');
}

void info_json_fault(const container *file, json *j)
{
    const char *form = form_of(file);
    char text[300];
    uint32_t pc;
    if (form)
        json_string(j, "blackbox", form);
    if (form)
        json_string(j, "blackbox_sum", sum_texts[sum_of(file)].word);
    if (!fault_text(file, text, sizeof text, &pc))
        return;
    json_object(j, "fault");
    json_string(j, "name", text);
    if (pc)
        json_unsigned(j, "pc", pc);
    json_end_object(j);
}
