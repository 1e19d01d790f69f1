/* SPDX-License-Identifier: MIT */
#include "tools/weft/clocked.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/recording/times.h"
#include "tools/weft/command.h"

int clocked_unit_of(const char *name, const char *text, clocked_unit *unit)
{
    *unit = !text ? CLOCKED_AUTO : strcmp(text, "us") == 0 ? CLOCKED_TIME : CLOCKED_INSTRUCTIONS;
    if (text && *unit == CLOCKED_INSTRUCTIONS && strcmp(text, "instructions") != 0)
        return command_fail(name, EXIT_USAGE, "there is no unit '%s'; there are: instructions, us", text);
    return EXIT_DONE;
}

int clocked_choose(const char *name, const char *path, const container *file, clocked_unit unit, bool *clocked)
{
    bool has_clock = file && times_base_of(file).hz;
    *clocked = unit == CLOCKED_TIME || (unit == CLOCKED_AUTO && has_clock && times_chosen(file));
    if (*clocked && !has_clock)
        return command_fail(name, EXIT_INPUT, "%s: it has no clock whose frequency is known", path);
    return EXIT_DONE;
}

static double mean_of(const times_points *points)
{
    return points->spans ? (double)points->sum / (double)points->spans / 1000 : 0;
}

void clocked_text(const container *file, char *text, size_t size)
{
    times_points points = times_scan(file);
    const char *kind = times_kind(file);
    snprintf(
        text, size, "%s at %" PRIu64 " Hz, %" PRIu64 " stamps; a moment is right to %.3f us, on average to %.3f us",
        kind ? kind : "clock", times_base_of(file).hz, points.stamps, (double)points.widest / 1000, mean_of(&points));
}

void clocked_put(json *j, const container *file)
{
    times_points points = times_scan(file);
    json_object(j, "clock");
    json_unsigned(j, "hz", times_base_of(file).hz);
    if (times_kind(file))
        json_string(j, "counts", times_kind(file));
    json_unsigned(j, "stamps", points.stamps);
    json_thousandths(j, "error_max_us", points.widest);
    json_thousandths(j, "error_mean_us", points.spans ? points.sum / points.spans : 0);
    json_end_object(j);
}
