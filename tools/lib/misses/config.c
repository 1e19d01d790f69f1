/* SPDX-License-Identifier: MIT */
/* The text of a model. */
#include "tools/lib/misses/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_BYTES (1u << 24) /* of a cache */
#define WAYS_MAX 1024u
#define LINE_MAX_BYTES 1024u
#define WAIT_MAX 255u
#define FIELDS_MAX 8u

static const char *const predictor_names[PREDICTOR_KINDS] = {"none",    "not-taken", "backward",
                                                             "bimodal", "gshare",    "two-level"};
static const char *const policy_names[CACHE_POLICIES] = {"lru", "fifo", "random"};

/* Flash lines, caches and wait states are those of the reference manuals, wait states at the highest clock. ARM does
 * not say how the predictor of the Cortex-M7 works: 64 counters stand in. Cores without one refill their pipeline when
 * a branch is taken. */
static const struct preset {
    const char *name, *text;
} presets[] = {
    {"cortex-m7", "branch=bimodal:6,icache=16K:2:32:random,dcache=16K:4:32:random"},
    {"stm32f1", "branch=not-taken,flash=2:8:prefetch"},
    {"stm32f4", "branch=not-taken,icache=1K:64:16,dcache=128:8:16:lru:around:flash,flash=5:16:prefetch"},
    {"stm32f7", "branch=bimodal:6,icache=4K:2:32:random,dcache=4K:4:32:random,flash=7:32"},
    {"stm32h7", "branch=bimodal:6,icache=16K:2:32:random,dcache=16K:4:32:random,flash=4:32"},
};

/* A parameter, cut at its colons; the first field is what follows the equals sign. */
typedef struct fields {
    char text[MISSES_TEXT_MAX], *all[FIELDS_MAX];
    unsigned count, at; /* at: the next one to be read */
} fields;

static bool fields_cut(fields *f, const char *text, size_t size)
{
    *f = (fields){.count = 1};
    if (size >= sizeof f->text)
        return false;
    memcpy(f->text, text, size);
    f->all[0] = f->text;
    for (char *c = f->text; *c; c++)
        if (*c == ':') {
            if (f->count == FIELDS_MAX)
                return false;
            *c = 0;
            f->all[f->count++] = c + 1;
        }
    return true;
}

/* Reads the next field if it is this word. */
static bool fields_word(fields *f, const char *word)
{
    if (f->at >= f->count || strcmp(f->all[f->at], word))
        return false;
    f->at++;
    return true;
}

static bool fields_number(fields *f, uint32_t min, uint32_t max, uint32_t *number)
{
    if (f->at >= f->count || f->all[f->at][0] < '0' || f->all[f->at][0] > '9')
        return false;
    char *end;
    unsigned long long value = strtoull(f->all[f->at], &end, 10);
    if (*end == 'K' && value <= UINT32_MAX) {
        value *= 1024;
        end++;
    }
    if (*end || value < min || value > max)
        return false;
    *number = (uint32_t)value;
    f->at++;
    return true;
}

static bool is_power(uint32_t number)
{
    return number && !(number & (number - 1));
}

static bool branch_read(fields *f, predictor_config *p)
{
    *p = (predictor_config){PREDICTOR_NONE, 0, 0};
    unsigned kind = 0;
    while (kind < PREDICTOR_KINDS && !fields_word(f, predictor_names[kind]))
        kind++;
    p->kind = (predictor_kind)kind;
    if (kind < PREDICTOR_BIMODAL || kind == PREDICTOR_KINDS)
        return kind < PREDICTOR_KINDS;
    if (!fields_number(f, 0, PREDICTOR_BITS_MAX, &p->bits))
        return false;
    if (kind == PREDICTOR_BIMODAL)
        return true;
    return fields_number(f, 0, kind == PREDICTOR_GSHARE ? p->bits : PREDICTOR_BITS_MAX, &p->history);
}

static bool cache_read(fields *f, cache_config *c, bool data)
{
    *c = (cache_config){0};
    if (fields_word(f, "none"))
        return true;
    if (!fields_number(f, 1, SIZE_MAX_BYTES, &c->size) || !fields_number(f, 1, WAYS_MAX, &c->ways) ||
        !fields_number(f, 2, LINE_MAX_BYTES, &c->line))
        return false;
    for (unsigned policy = 0; policy < CACHE_POLICIES; policy++)
        if (fields_word(f, policy_names[policy])) {
            c->policy = (cache_policy)policy;
            break;
        }
    c->around = data && fields_word(f, "around");
    c->flash = data && fields_word(f, "flash");
    uint32_t way = c->line * c->ways;
    return is_power(c->line) && c->size % way == 0 && is_power(c->size / way);
}

static bool flash_read(fields *f, flash_config *c)
{
    *c = (flash_config){.line = 16};
    if (fields_word(f, "none"))
        return true;
    c->there = fields_number(f, 0, WAIT_MAX, &c->wait);
    if (f->at < f->count && strcmp(f->all[f->at], "prefetch") && !fields_number(f, 2, LINE_MAX_BYTES, &c->line))
        return false;
    c->prefetch = fields_word(f, "prefetch");
    return c->there && is_power(c->line);
}

static bool parameter_read(misses_config *config, const char *text, size_t size)
{
    static const char *const names[] = {"branch=", "icache=", "dcache=", "flash="};
    fields f;
    unsigned which = 0;
    while (which < 4 && (size < strlen(names[which]) || strncmp(text, names[which], strlen(names[which])) != 0))
        which++;
    if (which == 4 || !fields_cut(&f, text + strlen(names[which]), size - strlen(names[which])))
        return false;
    bool good = which == 0   ? branch_read(&f, &config->branch)
                : which == 1 ? cache_read(&f, &config->icache, false)
                : which == 2 ? cache_read(&f, &config->dcache, true)
                             : flash_read(&f, &config->flash);
    return good && f.at == f.count;
}

static const char *preset_of(const char *text, size_t size)
{
    for (unsigned i = 0; i < sizeof presets / sizeof *presets; i++)
        if (strlen(presets[i].name) == size && !strncmp(text, presets[i].name, size))
            return presets[i].text;
    return NULL;
}

bool misses_config_read(misses_config *config, const char *text, char *message, size_t message_size)
{
    *config = (misses_config){.flash = {.line = 16}};
    for (const char *at = text;;) {
        size_t size = strcspn(at, ",");
        const char *preset = at == text ? preset_of(at, size) : NULL;
        if (preset) {
            misses_config_read(config, preset, message, message_size);
        } else if (!parameter_read(config, at, size)) {
            snprintf(message, message_size, "'%.*s' is not a preset or parameter of a model", (int)size, at);
            return false;
        }
        if (!at[size])
            return true;
        at += size + 1;
    }
}

static size_t cache_write(const cache_config *c, const char *name, char *text, size_t size)
{
    if (!c->ways)
        return (size_t)snprintf(text, size, ",%s=none", name);
    return (size_t)snprintf(text, size, ",%s=%u:%u:%u:%s%s%s", name, c->size, c->ways, c->line, policy_names[c->policy],
                            c->around ? ":around" : "", c->flash ? ":flash" : "");
}

void misses_config_write(const misses_config *config, char *text, size_t size)
{
    const predictor_config *p = &config->branch;
    size_t at = (size_t)snprintf(text, size, "branch=%s", predictor_names[p->kind]);
    if (p->kind >= PREDICTOR_BIMODAL)
        at += (size_t)snprintf(text + at, size - at, ":%u", p->bits);
    if (p->kind > PREDICTOR_BIMODAL)
        at += (size_t)snprintf(text + at, size - at, ":%u", p->history);
    at += cache_write(&config->icache, "icache", text + at, size - at);
    at += cache_write(&config->dcache, "dcache", text + at, size - at);
    if (config->flash.there)
        snprintf(text + at, size - at, ",flash=%u:%u%s", config->flash.wait, config->flash.line,
                 config->flash.prefetch ? ":prefetch" : "");
    else
        snprintf(text + at, size - at, ",flash=none");
}
