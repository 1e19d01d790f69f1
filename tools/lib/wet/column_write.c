/* SPDX-License-Identifier: MIT */
/* Columns on their way into the file. */
#include "tools/lib/wet/column.h"

static void write_again(wet_column_writer *w, uint32_t number)
{
    squeeze_bytes_varint(w->directory, WET_SAME);
    squeeze_bytes_varint(w->directory, number);
    w->next++;
}

void wet_column_write(wet_column_writer *w, uint32_t index)
{
    const wet_column *all = w->columns->all, *column = &all[index];
    uint8_t kind = column->kind[w->tier - 1];
    if (w->numbers[index] != WET_NONE && kind != WET_CONSTANT && kind != WET_INFERRED) {
        write_again(w, w->numbers[index]);
        return;
    }
    if (kind == WET_SAME) {
        wet_column_write(w, column->same);
        return;
    }
    w->numbers[index] = w->next++;
    squeeze_bytes_varint(w->directory, kind);
    if (kind == WET_CONSTANT) {
        squeeze_bytes_varint(w->directory, column->value);
    } else if (kind == WET_PATTERN) {
        squeeze_bytes_varint(w->directory, all[column->unique].count);
        wet_column_write(w, column->unique);
        wet_column_write(w, column->pattern);
    } else if ((kind == WET_CODED || kind == WET_SMALL) && column->data.size > WET_COLUMN_BYTES_MAX) {
        w->too_long = true;
    } else if (kind == WET_CODED || kind == WET_SMALL) {
        squeeze_bytes_add(w->directory, column->sizes.data, column->sizes.size);
        squeeze_bytes_add(w->data, column->data.data, column->data.size);
    } else if (kind != WET_INFERRED) {
        squeeze_bytes_add(w->data, column->raw.data, column->raw.size);
    }
}

uint64_t wet_columns_without(const wet_columns *columns, uint32_t column, const uint32_t *without)
{
    uint32_t written[2], count = column == WET_NONE ? 0 : wet_columns_written(columns, column, written);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += without && without[written[i]] ? 0 : columns->all[written[i]].bytes[1];
    return bytes;
}

uint64_t wet_columns_whole(const wet_columns *columns, uint32_t column)
{
    return wet_columns_without(columns, column, NULL);
}
