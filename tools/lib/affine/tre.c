/* SPDX-License-Identifier: MIT */
#include "tools/lib/affine/tre.h"

bool tre_read(weft_reader *reader, tre_record *record)
{
    *record = (tre_record){.levels = weft_read_varint(reader)};
    record->accesses = weft_read_varint(reader);
    record->base = weft_read_varint(reader);
    if (record->levels > WEFT_TRE_LEVELS_MAX || record->accesses == 0)
        return false;
    for (unsigned l = 0; l < record->levels; l++) {
        record->coefficient[l] = weft_unzigzag(weft_read_varint(reader));
        record->constant[l] = weft_unzigzag(weft_read_varint(reader));
        for (unsigned m = 0; m < l; m++)
            record->slope[l][m] = weft_unzigzag(weft_read_varint(reader));
    }
    record->list = *reader;
    for (uint32_t i = 1; record->levels == 0 && i < record->accesses && reader->status == WEFT_OK; i++)
        (void)weft_read_varint(reader);
    return reader->status == WEFT_OK;
}

static void set_upper(tre_cursor *c, unsigned l)
{
    uint32_t upper = (uint32_t)c->record.constant[l];
    for (unsigned m = 0; m < l; m++)
        upper += (uint32_t)c->record.slope[l][m] * (uint32_t)c->index[m];
    c->upper[l] = (int32_t)upper;
}

void tre_first(tre_cursor *c, const tre_record *record)
{
    *c = (tre_cursor){.record = *record, .address = record->base};
    for (unsigned l = 0; l < record->levels; l++)
        set_upper(c, l);
}

/* The innermost level that may move on does, and those inside it start again. */
void tre_next(tre_cursor *c)
{
    unsigned levels = c->record.levels;
    if (levels == 0) {
        c->address += (uint32_t)weft_unzigzag(weft_read_varint(&c->record.list));
        return;
    }
    unsigned l = levels - 1;
    while (l && c->index[l] >= c->upper[l]) {
        c->address -= (uint32_t)c->record.coefficient[l] * (uint32_t)c->index[l];
        c->index[l--] = 0;
    }
    c->index[l] = (int32_t)((uint32_t)c->index[l] + 1);
    c->address += (uint32_t)c->record.coefficient[l];
    for (l++; l < levels; l++)
        set_upper(c, l);
}
