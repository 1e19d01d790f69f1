/* SPDX-License-Identifier: MIT */
#include "tools/lib/recording/frame_numbers.h"

#include "core/format.h"

void frame_numbers_open(frame_numbers *n)
{
    *n = (frame_numbers){.leases = leases_open()};
}

void frame_numbers_close(frame_numbers *n)
{
    leases_close(n->leases);
    numbers_free(&n->bus);
    numbers_free(&n->values);
}

static bool start_sections(frame_numbers *n, const trace_body *body)
{
    numbers_coding coding;
    return numbers_bus_coding(body->bus_coder, &coding) && body->value_coder <= WEFT_VALUE_BFCM &&
           numbers_start(&n->bus, true, coding, body->slots_log2, body->section[WEFT_REGION_BUS],
                         body->size[WEFT_REGION_BUS]) &&
           numbers_start(&n->values, false, body->value_coder == WEFT_VALUE_BFCM ? NUMBERS_BFCM : NUMBERS_VARINTS,
                         body->value_slots_log2, body->section[WEFT_REGION_VALUES], body->size[WEFT_REGION_VALUES]);
}

const char *frame_numbers_start(frame_numbers *n, const trace_body *body)
{
    n->address = 0;
    n->missing = false;
    n->engines = body->bus_coder & WEFT_BUS_TRE;
    if (!start_sections(n, body))
        return "a coder of addresses or values that this build does not know";
    if (!leases_start(n->leases, body->section[WEFT_REGION_MODELS], body->size[WEFT_REGION_MODELS]))
        return "its address models are damaged";
    return NULL;
}

void frame_numbers_restart(frame_numbers *n)
{
    numbers_restart(&n->bus);
    numbers_restart(&n->values);
    n->address = 0;
}

uint32_t frame_numbers_address(frame_numbers *n, uint32_t site)
{
    lease_answer answer = leases_next(n->leases, site, &n->address);
    if (answer == LEASE_PLAIN)
        n->address = (uint32_t)numbers_next(&n->bus, site, 0);
    n->missing |= answer == LEASE_MISSING;
    return n->address;
}

uint64_t frame_numbers_value(frame_numbers *n, uint32_t site)
{
    return numbers_next(&n->values, site, n->address);
}

bool frame_numbers_skip(frame_numbers *n, uint32_t accesses, uint32_t values)
{
    if (!n->engines)
        numbers_skip(&n->bus, accesses);
    numbers_skip(&n->values, values);
    return !n->engines;
}

const char *frame_numbers_end(const frame_numbers *n)
{
    if (leases_left(n->leases))
        return "addresses are left over";
    if (!numbers_done(&n->bus) || !numbers_done(&n->values))
        return "addresses or values are missing, or left over";
    return NULL;
}
