/* SPDX-License-Identifier: MIT */
#include "tools/lib/misses/model.h"

#include <stdlib.h>

#include "tools/lib/base/memory.h"
#include "tools/lib/misses/config.h"

struct misses_model {
    predictor branch;
    cache icache, dcache;
    flash flash;
    uint64_t now, waited[MISSES_KINDS];
    char text[MISSES_TEXT_MAX];
};

misses_model *misses_new(const char *text, char *message, size_t message_size)
{
    misses_config config;
    if (!misses_config_read(&config, text, message, message_size))
        return NULL;
    misses_model *m = memory_zero(1, sizeof *m);
    misses_config_write(&config, m->text, sizeof m->text);
    predictor_init(&m->branch, &config.branch);
    cache_init(&m->icache, &config.icache);
    cache_init(&m->dcache, &config.dcache);
    m->flash.config = config.flash;
    return m;
}

void misses_free(misses_model *m)
{
    predictor_free(&m->branch);
    cache_free(&m->icache);
    cache_free(&m->dcache);
    free(m);
}

const char *misses_text(const misses_model *m)
{
    return m->text;
}

static void stall(misses_model *m, misses_kind kind, uint32_t cycles)
{
    m->now += cycles;
    m->waited[kind] += cycles;
}

static bool in_flash(const misses_model *m, uint32_t address)
{
    return m->flash.config.there && address < FLASH_END;
}

/* One line of a fetch, from `address` on. */
static bool fetch_line(misses_model *m, uint32_t address)
{
    if (m->icache.config.ways && !cache_misses(&m->icache, address >> m->icache.shift, true))
        return false;
    if (!in_flash(m, address))
        return m->icache.config.ways != 0;
    uint32_t cycles = flash_wait(&m->flash, address, m->now);
    stall(m, MISSES_FETCH, cycles);
    return cycles != 0;
}

bool misses_fetch(misses_model *m, uint32_t pc, unsigned size)
{
    uint32_t line = m->icache.config.ways ? m->icache.config.line : m->flash.config.line, last = pc + size - 1;
    bool missed = fetch_line(m, pc);
    if ((pc ^ last) & ~(line - 1))
        missed |= fetch_line(m, last & ~(line - 1));
    m->now++;
    return missed;
}

bool misses_branch(misses_model *m, uint32_t pc, bool backward, bool taken)
{
    return predictor_misses(&m->branch, pc, backward, taken);
}

/* Memory that data caches may hold: not devices, and not the system. */
static bool is_cached(const misses_model *m, uint32_t address)
{
    const cache_config *c = &m->dcache.config;
    if (!c->ways || c->flash)
        return c->ways && address < FLASH_END;
    return address < 0x40000000u || (address >= 0x60000000u && address < 0xa0000000u);
}

static bool access_line(misses_model *m, uint32_t address, bool store)
{
    bool cached = is_cached(m, address);
    if (cached && !cache_misses(&m->dcache, address >> m->dcache.shift, !store || !m->dcache.config.around))
        return false;
    if (store || !in_flash(m, address))
        return cached;
    stall(m, MISSES_LOAD, m->flash.config.wait);
    return cached || m->flash.config.wait;
}

bool misses_access(misses_model *m, uint32_t address, unsigned size, bool store)
{
    uint32_t line = m->dcache.config.ways ? m->dcache.config.line : m->flash.config.line, last = address + size - 1;
    bool missed = access_line(m, address, store);
    if ((address ^ last) & ~(line - 1))
        missed |= access_line(m, last & ~(line - 1), store);
    return missed;
}

uint64_t misses_waited(const misses_model *m, misses_kind kind)
{
    return m->waited[kind];
}
