/* SPDX-License-Identifier: MIT */
#include "tests/lib/naive_flags.h"

#include <stdlib.h>
#include <string.h>

static bool begins_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (naive_begins(name, *list))
            return true;
    return false;
}

/* What the condition at the start of a text reads. */
static uint64_t of_condition(const char *text)
{
    static const struct {
        const char *names;
        uint64_t reads;
    } conditions[] = {{"eq ne", NAIVE_Z},
                      {"cs cc hs lo", NAIVE_C},
                      {"mi pl", NAIVE_N},
                      {"vs vc", NAIVE_V},
                      {"hi ls", NAIVE_C | NAIVE_Z},
                      {"ge lt", NAIVE_N | NAIVE_V},
                      {"gt le", NAIVE_N | NAIVE_Z | NAIVE_V}};
    const char word[3] = {text[0], text[0] ? text[1] : 0, 0};
    for (int i = 0; i < 7; i++)
        if (strlen(word) == 2 && strstr(conditions[i].names, word))
            return conditions[i].reads;
    return 0;
}

uint64_t naive_flags_read(uint64_t mask, const naive_line *t, int condition, bool passed)
{
    static const char *const names[] = {"eq", "cs", "mi", "vs", "hi", "ge", "gt"};
    static const char *const with_carry[] = {"adc", "sbc", "rrx", NULL};
    const uint64_t flags = UINT64_C(1) << NAIVE_FLAGS;
    uint64_t reads = condition < 14 ? of_condition(names[condition / 2]) : 0;
    if (!(mask & flags))
        return mask;
    if (!t)
        return (mask & ~flags) | NAIVE_ALL_FLAGS;
    const char *last = strrchr(t->operands, ',');
    if (passed && (begins_one_of(t->name, with_carry) || strstr(t->operands, "rrx")))
        reads |= NAIVE_C;
    else if (passed && naive_begins(t->name, "mrs"))
        reads |= NAIVE_ALL_FLAGS;
    else if (passed && naive_begins(t->name, "sel"))
        reads |= NAIVE_GE;
    else if (naive_begins(t->name, "vsel"))
        reads |= of_condition(t->name + 4);
    else if (t->name[0] == 'c' && last && condition >= 14)
        reads |= of_condition(last + 1 + strspn(last + 1, " \t"));
    else if (t->name[0] == 'b' && condition >= 14)
        reads |= of_condition(t->name + 1);
    return (mask & ~flags) | reads;
}

/* They set Q where they saturate or overflow, and leave it where not: so what it is then depends on what it was. Of
 * parallel additions those that saturate (qadd8) set no flag. */
static const char *const saturating[] = {"ssat",   "usat",   "qadd",  "qdadd", "qsub",  "qdsub", "smlabb", "smlabt",
                                         "smlatb", "smlatt", "smlaw", "smlad", "smlsd", "smuad", NULL};

uint64_t naive_flags_kept(uint64_t writes, const naive_line *t)
{
    return t && writes & UINT64_C(1) << NAIVE_FLAGS && begins_one_of(t->name, saturating) ? NAIVE_Q : 0;
}

/* Whether a constant of a wide instruction is a byte that was rotated, rather than one or several copies of a byte. */
static bool is_rotated(uint32_t k)
{
    uint32_t low = k & 0xff, next = k >> 8 & 0xff;
    return k > 255 && k != low * 0x10001 && k != next * 0x1000100 && k != low * 0x1010101;
}

uint64_t naive_flags_set(uint64_t mask, const naive_line *t)
{
    static const char *const sums[] = {"add", "sub", "adc", "sbc", "rsb", "neg", "cmp", "cmn", "vmrs", NULL};
    static const char *const shifts[] = {"lsls", "lsrs", "asrs", "rors", "rrxs", NULL};
    static const char *const logic[] = {"mov", "mvn", "and", "bic", "orr", "orn", "eor", "tst", "teq", NULL};
    static const char *const shifted[] = {"lsl", "lsr", "asr", "ror", "rrx", NULL};
    const uint64_t flags = UINT64_C(1) << NAIVE_FLAGS, nz = NAIVE_N | NAIVE_Z;
    uint64_t sets = NAIVE_ALL_FLAGS;
    if (!(mask & flags))
        return mask;
    if (!t)
        return (mask & ~flags) | sets;
    const char *constant = strrchr(t->operands, '#'), *last = strrchr(t->operands, ',');
    bool carries = last && begins_one_of(last + 1 + strspn(last + 1, " \t"), shifted);
    if (!carries && constant && t->size == 4)
        carries = is_rotated((uint32_t)strtoll(constant + 1, NULL, 0));
    if (begins_one_of(t->name, sums))
        sets = NAIVE_NZCV;
    else if (begins_one_of(t->name, shifts))
        sets = nz | NAIVE_C;
    else if (begins_one_of(t->name, logic))
        sets = nz | (carries ? NAIVE_C : 0);
    else if (naive_begins(t->name, "mul"))
        sets = nz;
    else if (naive_begins(t->name, "msr"))
        sets = NAIVE_NZCV | NAIVE_Q;
    else if (begins_one_of(t->name, saturating))
        sets = NAIVE_Q;
    else if (t->name[0] == 's' || t->name[0] == 'u')
        sets = strchr("asq", t->name[1]) && !naive_begins(t->name, "sq") && !naive_begins(t->name, "uq") ? NAIVE_GE
                                                                                                         : NAIVE_Q;
    return (mask & ~flags) | sets;
}
