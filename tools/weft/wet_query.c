/* SPDX-License-Identifier: MIT */
#include "tools/weft/wet_query.h"

#include "tools/lib/image/opened.h"
#include "tools/weft/command.h"

/* Whether the image is that of the trace. Where there is a place, wet_place_of finds out. */
static bool image_fits(const wet_options *o, const wet_file *f, char *message, size_t message_size)
{
    if (!o->elf || o->at)
        return true;
    image *im = image_open(o->elf, message, message_size);
    bool fits = im && wet_file_fits(f, im, message, message_size);
    image_close(im);
    return fits;
}

wet_file *wet_open(const wet_options *o)
{
    char message[512];
    wet_file *f = wet_file_open(o->file, message, sizeof message);
    if (!f || !image_fits(o, f, message, sizeof message)) {
        command_fail("wet", EXIT_INPUT, "%s", message);
        if (f)
            wet_file_close(f);
        return NULL;
    }
    if (f->version == 1)
        command_fail("wet", EXIT_DONE, "note: %s is of version 1, whose data have no check sum", o->file);
    return f;
}

bool wet_place_of(const wet_options *o, wet_file *f, wet_place *place, char *message, size_t message_size)
{
    image *im = o->elf ? image_open(o->elf, message, message_size) : NULL;
    if (o->elf && !im)
        return false;
    bool good = (!im || wet_file_fits(f, im, message, message_size)) &&
                wet_place_parse(f, im, o->at, place, message, message_size);
    if (good && place->elsewhere)
        command_fail("wet", EXIT_DONE,
                     "note: %u instructions of that function store to addresses from an index or a pointer: which of "
                     "these stores are to '%s' is not known, and they are left out",
                     place->elsewhere, o->at);
    if (im)
        image_close(im);
    return good;
}

wet_file *wet_open_at(const wet_options *o, wet_start *from)
{
    char message[512];
    wet_place place;
    wet_file *f = wet_open(o);
    if (!f)
        return NULL;
    bool found = wet_place_of(o, f, &place, message, sizeof message);
    if (found) {
        wet_instance at;
        found = wet_place_find(f, &place, &at, message, sizeof message);
        if (found)
            *from = wet_place_start(f, &place, at);
        wet_place_free(&place);
    }
    if (found)
        return f;
    wet_close(o, f, command_fail("wet", EXIT_INPUT, "%s", message));
    return NULL;
}

int wet_close(const wet_options *o, wet_file *f, int status)
{
    bool damaged = f->damaged;
    size_t at = f->damaged_at;
    wet_file_close(f);
    if (status == EXIT_DONE && at)
        return command_fail("wet", EXIT_INPUT, "%s is damaged: bytes %zu to %zu differ from their check sum", o->file,
                            at, at + WET_CHUNK - 1);
    if (status == EXIT_DONE && damaged)
        return command_fail("wet", EXIT_INPUT, "%s is damaged: a stream could not be read", o->file);
    return status;
}

int wet_close_unknown(const wet_options *o, wet_file *f, uint32_t unknown)
{
    int status = wet_close(o, f, EXIT_DONE);
    if (status == EXIT_DONE && unknown)
        return command_fail(
            "wet", EXIT_GAPS,
            "gap: %s: %u instruction%s (.inst) not decoded, as vectors are not: what they depend on is missing",
            o->file, unknown, unknown == 1 ? " is" : "s are");
    return status;
}

void wet_json_instruction(json *j, const wet_file *f, uint32_t instruction)
{
    const wet_static *s = &f->statics[instruction];
    char text[160];
    wet_text(f, instruction, text, sizeof text);
    if (!s->exception) {
        json_integer(j, "address", s->insn.pc);
        if (*wet_function_name(f, instruction))
            json_string(j, "function", wet_function_name(f, instruction));
        if (*wet_file_name(f, instruction)) {
            json_string(j, "file", wet_file_name(f, instruction));
            json_integer(j, "line", f->static_line[instruction]);
        }
    } else {
        json_integer(j, "from", s->from);
        json_integer(j, "to", s->to);
    }
    json_string(j, s->exception ? "exception" : "text", text);
}
