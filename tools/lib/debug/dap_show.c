/* SPDX-License-Identifier: MIT */
#include "tools/lib/debug/dap_show.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/base/memory_stream.h"
#include "tools/lib/base/text.h"

#define TEXT_MAX 512u
#define LEVELS_MAX 32u
#define WHY_LINES 8u /* on hover */

void dap_forget(dap *d)
{
    d->frame_count = d->handle_count = 0;
}

/* ---- threads, frames ---- */

const char *dap_show_threads(dap *d, json *j)
{
    char name[200];
    debug_contexts c = d->subject->contexts(d->subject->own, d->at);
    json_array(j, "threads");
    for (uint32_t i = 0; i < c.count; i++) {
        d->subject->context_name(d->subject->own, c.all[i].id, name, sizeof name);
        json_object(j, NULL);
        json_integer(j, "id", c.all[i].id);
        json_string(j, "name", name);
        json_end_object(j);
    }
    json_end_array(j);
    debug_contexts_free(&c);
    return NULL;
}

/* The frames of a context join those that are shown; the first of them; *count. */
static size_t frames_gather(dap *d, const debug_context *c, size_t *count)
{
    debug_frame *frames = memory_zero(DAP_FRAMES_MAX, sizeof *frames);
    debug_level levels[LEVELS_MAX];
    size_t found = debug_frames_at(&d->names, d->subject, d->at, c, frames, DAP_FRAMES_MAX), first = d->frame_count;
    for (size_t i = 0; i < found; i++) {
        size_t depth = debug_levels_at(&d->names, &frames[i], levels, LEVELS_MAX);
        for (size_t k = 0; k < depth; k++) {
            d->frames = memory_room(d->frames, d->frame_count, &d->frame_max, sizeof *d->frames);
            d->frames[d->frame_count++] = (dap_frame){c->id, frames[i], levels[k]};
        }
    }
    free(frames);
    *count = d->frame_count - first;
    return first;
}

/* A source file that does not exist here gets no path: a client would fail to open it. */
static void json_source(const dap *d, json *j, const char *file)
{
    char path[PATH_MAX], real[PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", d->source_dir && *file != '/' ? d->source_dir : "",
             d->source_dir && *file != '/' ? "/" : "", file);
    json_object(j, "source");
    json_string(j, "name", text_base(file));
    if (realpath(path, real))
        json_string(j, "path", real);
    else
        json_string(j, "presentationHint", "deemphasize");
    json_end_object(j);
}

static void json_frame(const dap *d, json *j, size_t i)
{
    char name[TEXT_MAX], address[16];
    const dap_frame *f = &d->frames[i];
    text_safe(name, sizeof name, f->level.name);
    snprintf(address, sizeof address, "0x%08x", f->frame.pc);
    json_object(j, NULL);
    json_integer(j, "id", (int64_t)i + 1);
    json_string(j, "name", name);
    json_integer(j, "line", f->level.line);
    json_integer(j, "column", 1);
    json_string(j, "instructionPointerReference", address);
    if (f->level.file)
        json_source(d, j, f->level.file);
    json_end_object(j);
}

const char *dap_show_stack(dap *d, json *j, int64_t thread, int64_t start, int64_t levels)
{
    debug_contexts c = d->subject->contexts(d->subject->own, d->at);
    size_t count = 0, first = 0;
    for (uint32_t i = 0; i < c.count; i++)
        if (c.all[i].id == thread)
            first = frames_gather(d, &c.all[i], &count);
    debug_contexts_free(&c);
    json_array(j, "stackFrames");
    size_t from = start > 0 ? (size_t)start : 0, most = levels > 0 ? (size_t)levels : count;
    for (size_t i = from; i < count && i - from < most; i++)
        json_frame(d, j, first + i);
    json_end_array(j);
    json_integer(j, "totalFrames", (int64_t)count);
    return NULL;
}

static bool view_of(const dap *d, int64_t frame, debug_view *v)
{
    if (frame < 1 || (size_t)frame > d->frame_count)
        return false;
    const dap_frame *f = &d->frames[frame - 1];
    *v = (debug_view){&d->names, d->subject, d->at, f->frame, f->level};
    return true;
}

/* The view of a frame; of the innermost one if the client names none. */
static bool view_or_innermost(dap *d, int64_t frame, debug_view *v)
{
    size_t count = 0, first = 0;
    if (view_of(d, frame, v))
        return true;
    debug_contexts c = d->subject->contexts(d->subject->own, d->at);
    first = frames_gather(d, &c.all[0], &count);
    debug_contexts_free(&c);
    return count && view_of(d, (int64_t)first + 1, v);
}

/* ---- variables ---- */

static int64_t handle_add(dap *d, dap_handle handle)
{
    d->handles = memory_room(d->handles, d->handle_count, &d->handle_max, sizeof *d->handles);
    d->handles[d->handle_count++] = handle;
    return (int64_t)d->handle_count;
}

static void json_scope(dap *d, json *j, const char *name, int kind, int64_t frame)
{
    json_object(j, NULL);
    json_string(j, "name", name);
    json_integer(j, "variablesReference", handle_add(d, (dap_handle){.kind = kind, .frame = (size_t)frame}));
    json_bool(j, "expensive", kind != DAP_LOCALS);
    json_end_object(j);
}

const char *dap_show_scopes(dap *d, json *j, int64_t frame)
{
    debug_view v;
    if (!view_of(d, frame, &v))
        return "there is no such frame any more";
    json_array(j, "scopes");
    json_scope(d, j, "Locals", DAP_LOCALS, frame);
    json_scope(d, j, "Variables of the file", DAP_STATICS, frame);
    json_scope(d, j, "Registers", DAP_REGISTERS, frame);
    json_end_array(j);
    return NULL;
}

/* What goes through a visit. */
typedef struct showing {
    dap *d;
    json *j;
    const debug_view *v;
    size_t frame;
    uint64_t at, start, count;
} showing;

static void json_value_keys(showing *s, const debug_value *value, const char *key)
{
    char text[TEXT_MAX], address[16];
    debug_value_text(s->v, value, text, sizeof text);
    json_string(s->j, key, text);
    debug_type_text(value, text, sizeof text);
    if (*text)
        json_string(s->j, "type", text);
    json_integer(s->j, "variablesReference",
                 debug_has_children(value)
                     ? handle_add(s->d, (dap_handle){.kind = DAP_VALUE, .frame = s->frame, .value = *value})
                     : 0);
    if (value->where != DEBUG_MEMORY)
        return;
    snprintf(address, sizeof address, "0x%08x", value->address);
    json_string(s->j, "memoryReference", address);
}

static bool show_variable(void *own, const debug_value *value)
{
    showing *s = own;
    char name[TEXT_MAX];
    uint64_t at = s->at++;
    if (at < s->start)
        return true;
    if (at - s->start >= s->count)
        return false;
    if (value->name)
        text_safe(name, sizeof name, value->name);
    else
        snprintf(name, sizeof name, "[%llu]", (unsigned long long)value->index);
    json_object(s->j, NULL);
    json_string(s->j, "name", name);
    json_value_keys(s, value, "value");
    json_end_object(s->j);
    return true;
}

static void show_registers(json *j, const debug_frame *f)
{
    static const char *const names[] = {"r0", "r1", "r2",  "r3",  "r4",  "r5", "r6", "r7",
                                        "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"};
    for (unsigned i = 0; i < 16; i++) {
        char text[16] = "<unknown>";
        if (f->known >> i & 1)
            snprintf(text, sizeof text, "0x%08x", f->r[i]);
        json_object(j, NULL);
        json_string(j, "name", names[i]);
        json_string(j, "value", text);
        json_integer(j, "variablesReference", 0);
        json_end_object(j);
    }
}

const char *dap_show_variables(dap *d, json *j, int64_t reference, int64_t start, int64_t count)
{
    debug_view v;
    if (reference < 1 || (size_t)reference > d->handle_count)
        return "there are no such variables any more";
    dap_handle h = d->handles[reference - 1];
    if (!view_of(d, (int64_t)h.frame, &v))
        return "there is no such frame any more";
    showing s = {d, j, &v, h.frame, 0, start > 0 ? (uint64_t)start : 0, count > 0 ? (uint64_t)count : UINT64_MAX};
    json_array(j, "variables");
    if (h.kind == DAP_LOCALS)
        debug_locals(&v, show_variable, &s);
    else if (h.kind == DAP_STATICS)
        debug_statics(&v, show_variable, &s);
    else if (h.kind == DAP_REGISTERS)
        show_registers(j, &v.frame);
    else
        debug_children(&v, &h.value, show_variable, &s);
    json_end_array(j);
    return NULL;
}

/* ---- expressions ---- */

static char *monitored(dap *d, const char *command)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream(&text, &size);
    debug_contexts c = d->subject->contexts(d->subject->own, d->at);
    d->subject->monitor(d->subject->own, &d->at, &c.all[0], command, out);
    debug_contexts_free(&c);
    fclose(out);
    return memory_got(text);
}

/* The place of a value in memory, as the commands take it. An object has a name; a local is meant by its address where
 * that tells its size, else by its function, too. So is what a pointer leads to; "" where its address does not tell. */
static void place_text(const debug_view *v, const debug_value *value, const char *expression, char *text, size_t size)
{
    uint32_t offset, address = value->address, bytes = address & 1 ? 1 : address & 2 ? 2 : 4;
    bool points = strpbrk(expression, ">*&(") != NULL;
    *text = '\0';
    if (!points && image_object(&v->names->im->symbols, address, &offset))
        snprintf(text, size, "%s", expression);
    else if (debug_value_bytes(value) >= bytes)
        snprintf(text, size, "0x%x", address);
    else if (!points)
        snprintf(text, size, "%s:%s", v->level.name, expression);
}

/* What follows a value on hover: how it came about. */
static void add_why(dap *d, const char *place, char *text, size_t size)
{
    char command[TEXT_MAX];
    size_t used = strlen(text);
    snprintf(command, sizeof command, "weft %s %s", d->subject->calls ? "last-write" : "why", place);
    char *why = monitored(d, command), *line = why;
    for (unsigned i = 0; i < WHY_LINES && *line && used + 1 < size; i++) {
        size_t length = strcspn(line, "\n");
        used += (size_t)snprintf(text + used, size - used, "\n%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(why);
}

static bool register_text(const debug_frame *f, const char *name, char *text, size_t size)
{
    static const char *const names[] = {"sp", "lr", "pc"};
    name += *name == '$';
    char *end;
    unsigned long number = *name == 'r' ? strtoul(name + 1, &end, 10) : 16;
    if (*name == 'r' && (end == name + 1 || *end))
        number = 16;
    for (unsigned i = 0; i < 3; i++)
        number = strcmp(name, names[i]) ? number : 13 + i;
    if (number > 15)
        return false;
    snprintf(text, size, "<unknown>");
    if (f->known >> number & 1)
        snprintf(text, size, "0x%08x", f->r[number]);
    return true;
}

const char *dap_show_value(dap *d, json *j, const char *expression, int64_t frame, const char *context, bool *moved)
{
    char text[4096];
    debug_view v;
    debug_value value;
    debug_instant before = d->at;
    bool hover = context && !strcmp(context, "hover");
    if (!strncmp(expression, "weft", 4) && (expression[4] == ' ' || !expression[4])) {
        char *answer = monitored(d, expression);
        json_string(j, "result", answer);
        json_integer(j, "variablesReference", 0);
        free(answer);
        *moved = debug_instant_compare(before, d->at) != 0;
        return NULL;
    }
    if (!view_or_innermost(d, frame, &v))
        return "there is no frame";
    if (debug_value_named(&v, expression, &value)) {
        showing s = {d, j, &v, frame < 1 ? d->frame_count : (size_t)frame, 0, 0, 0};
        if (!hover) {
            json_value_keys(&s, &value, "result");
            return NULL;
        }
        debug_value_text(&v, &value, text, sizeof text / 2);
        if (value.where == DEBUG_MEMORY && !debug_has_children(&value)) {
            char place[TEXT_MAX - 32];
            place_text(&v, &value, expression, place, sizeof place);
            if (*place)
                add_why(d, place, text, sizeof text);
        }
    } else if (!register_text(&v.frame, expression, text, sizeof text)) {
        return "no variable or register of that name here; `weft help` lists commands";
    }
    json_string(j, "result", text);
    json_integer(j, "variablesReference", 0);
    return NULL;
}

static bool value_of_handle(void *own, const debug_value *value)
{
    debug_value *wanted = own;
    if (!value->name || strcmp(value->name, wanted->name))
        return true;
    *wanted = *value;
    return false;
}

bool dap_place_of(dap *d, const char *expression, int64_t reference, int64_t frame, debug_watch *place)
{
    debug_view v;
    debug_value value = {.name = expression};
    if (!view_or_innermost(d, frame, &v))
        return false;
    dap_handle *h = reference > 0 && (size_t)reference <= d->handle_count ? &d->handles[reference - 1] : NULL;
    if (h && h->kind == DAP_VALUE) {
        debug_value whole = h->value;
        debug_children(&v, &whole, value_of_handle, &value);
    } else if (!debug_value_named(&v, expression, &value)) {
        return false;
    }
    *place = (debug_watch){value.address, debug_value_bytes(&value), true, false};
    return value.where == DEBUG_MEMORY && place->size;
}
