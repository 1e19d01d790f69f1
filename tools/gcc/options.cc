/* SPDX-License-Identifier: MIT */
/* The plugin's options (head of weft_gcc.cc), as the compiler hands them over. */
#include "tools/gcc/weft_gcc.h"

options weft_options;

static const char help[] =
    "mode=cut|span, probes=paths|mem|values|last|inputs, inputs, derive=path|activation|none, ksf, "
    "inline=size|speed, exact, pack[=auto], oracle, include=GLOBS, "
    "exclude=GLOBS, include-file=GLOBS, "
    "exclude-file=GLOBS, stamp=GLOBS, control=GLOBS, handlers[=GLOBS], limit=N; GLOBS may be @FILE (each as "
    "-fplugin-arg-weft_gcc-NAME[=VALUE])";

/* One glob a line; # begins a comment. */
static void add_listed(std::vector<std::string> &globs, const std::string &name)
{
    size_t before = globs.size();
    FILE *file = fopen(name.c_str(), "r");
    if (!file) {
        error("weft: the list %qs cannot be read: %m", name.c_str());
        return;
    }
    std::string line;
    for (int c = ' '; c != EOF;) {
        c = getc(file);
        if (c != '\n' && c != EOF) {
            line += (char)c;
            continue;
        }
        line.erase(std::min(line.find('#'), line.size()));
        size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
        if (first != std::string::npos)
            globs.push_back(line.substr(first, last - first + 1));
        line.clear();
    }
    fclose(file);
    if (globs.size() == before) /* to include nothing would be to include all */
        error("weft: the list %qs holds no name", name.c_str());
}

static void add_globs(std::vector<std::string> &globs, const char *list)
{
    for (std::string rest = list; !rest.empty();) {
        size_t comma = rest.find(',');
        std::string glob = rest.substr(0, comma);
        if (glob[0] == '@')
            add_listed(globs, glob.substr(1));
        else if (comma != 0)
            globs.push_back(glob);
        rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    }
}

static bool set_limit(const char *value)
{
    char *end;
    errno = 0;
    weft_options.limit = strtoull(value, &end, 0);
    return errno == 0 && end != value && !*end && weft_options.limit > 0 && weft_options.limit <= UINT32_MAX;
}

static bool set_derive(const std::string &value)
{
    weft_options.derive = value == "path" ? DERIVE_PATH : value == "activation" ? DERIVE_ACTIVATION : DERIVE_NONE;
    return weft_options.derive != DERIVE_NONE || value == "none";
}

static bool set_probes(const std::string &value)
{
    weft_options.memory = value == "mem" || value == "values";
    weft_options.values = value == "values";
    weft_options.last = value == "last";
    weft_options.laps = value == "inputs";
    return value == "paths" || weft_options.last || weft_options.laps || weft_options.memory;
}

/* False: there is no such option, or it does not take that value. */
static bool set_option(const std::string &name, const char *value)
{
    options &o = weft_options;
    if (!value) {
        if (name == "ksf")
            o.ksf = true;
        else if (name == "oracle")
            o.oracle = true;
        else if (name == "exact")
            o.exact = true;
        else if (name == "inputs")
            o.inputs = true;
        else if (name == "pack")
            o.pack = true;
        else if (name == "handlers")
            add_globs(o.handlers, "*Handler,*_handler,*_isr,isr_*");
        else
            return false;
        return true;
    }
    std::vector<std::string> *globs = name == "include"        ? &o.include
                                      : name == "exclude"      ? &o.exclude
                                      : name == "include-file" ? &o.include_file
                                      : name == "exclude-file" ? &o.exclude_file
                                      : name == "stamp"        ? &o.stamp
                                      : name == "control"      ? &o.control
                                      : name == "handlers"     ? &o.handlers
                                                               : nullptr;
    if (globs) {
        add_globs(*globs, value);
        return true;
    }
    if (name == "lists")
        return true;
    if (name == "mode") {
        o.span = strcmp(value, "span") == 0;
        return o.span || strcmp(value, "cut") == 0;
    }
    if (name == "derive")
        return set_derive(value);
    if (name == "inline") {
        o.size = strcmp(value, "size") == 0;
        o.pack_auto = !o.size;
        return o.size || strcmp(value, "speed") == 0;
    }
    if (name == "pack") {
        o.pack_auto = strcmp(value, "auto") == 0;
        return o.pack_auto;
    }
    return name == "probes" ? set_probes(value) : name == "limit" && set_limit(value);
}

/* The least text: one call for each path. False: the options exclude one another. */
static bool set_size(options &o)
{
    if (o.pack)
        error("weft: %<inline=size%> is a call for each path, and %<pack%> is not");
    o.exact = true;
    o.pack_auto = false;
    return !o.pack;
}

static bool may_pack(const options &o)
{
    return !o.exact && !o.last && !o.span && !o.ksf;
}

/* False: the options exclude one another. */
static bool set_inputs(options &o)
{
    if (o.memory || o.last) {
        error("weft: %<inputs%> is for %<probes=paths%>: the others record such loads too, or no accesses");
        return false;
    }
    if (o.laps && (o.ksf || o.span || o.oracle || !o.stamp.empty() || !o.control.empty())) {
        error("weft: %<probes=inputs%> records no paths: not with %<ksf%>, %<mode=span%>, %<oracle%>, %<stamp%> or "
              "%<control%>");
        return false;
    }
    o.inputs = o.memory = o.values = true;
    return true;
}

bool set_options(int count, const plugin_argument *arguments)
{
    bool good = true;
    for (int i = 0; i < count; i++) {
        const char *value = arguments[i].value;
        if (set_option(arguments[i].key, value))
            continue;
        error("weft: argument %<%s%s%s%> is not known; there are: %s", arguments[i].key, value ? "=" : "",
              value ? value : "", help);
        good = false;
    }
    good &= !weft_options.size || set_size(weft_options);
    good &= (!weft_options.inputs && !weft_options.laps) || set_inputs(weft_options);
    if (weft_options.pack && !may_pack(weft_options)) {
        error("weft: %<pack%> is for %<mode=cut%>, not with %<probes=last%>, not with %<exact%>, not with %<ksf%>");
        good = false;
    }
    weft_options.pack |= weft_options.pack_auto && may_pack(weft_options) && optimize;
    if (weft_options.last && weft_options.ksf) {
        error("weft: %<probes=last%> records no profile (%<ksf%>)");
        good = false;
    }
    if ((weft_options.last || weft_options.ksf) && !weft_options.control.empty()) {
        error("weft: %<control=%> needs paths in order: not with %<probes=last%>, not with %<ksf%>");
        good = false;
    }
    if (weft_options.span && weft_options.memory) {
        error("weft: %<mode=span%> cannot record accesses, for their order would be lost; use %<mode=cut%>");
        good = false;
    }
    return good;
}
