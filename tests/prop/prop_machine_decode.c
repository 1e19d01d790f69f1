/* SPDX-License-Identifier: MIT */
/* What instructions of ARMv8-M and v8.1-M read and write, as the ARMv8-M architecture reference manual has it, and
 * where they lead. The encodings are the assembler's for the texts beside them. Those that are not decoded are found
 * out too: nothing is taken for another instruction. */
#include <stdio.h>
#include <string.h>

#include "tests/lib/check.h"
#include "tools/lib/machine/decode.h"
#include "tools/lib/machine/writes.h"

#define R(n) (UINT64_C(1) << (n))
#define S(n) (UINT64_C(1) << (32 + (n)))
#define FLAGS R(15)

enum { PC = 0x1000 };

static const struct {
    uint16_t first, second; /* second 0: an instruction of 16 bits */
    const char *text;
    uint64_t reads, writes;
    thumb_memory memory;
    thumb_flow flow;
    uint32_t target;
} known[] = {
    {0xe8d1, 0x0faf, "lda r0, [r1]", R(1), R(0), THUMB_LOAD, THUMB_NEXT, 0},
    {0xe8c1, 0x0faf, "stl r0, [r1]", R(0) | R(1), 0, THUMB_STORE, THUMB_NEXT, 0},
    {0xe8d1, 0x0fef, "ldaex r0, [r1]", R(1), R(0), THUMB_LOAD, THUMB_NEXT, 0},
    {0xe8c1, 0x0fe2, "stlex r2, r0, [r1]", R(0) | R(1), R(2), THUMB_STORE, THUMB_NEXT, 0},
    {0xe8d1, 0x0f8f, "ldab r0, [r1]", R(1), R(0), THUMB_LOAD, THUMB_NEXT, 0},
    {0xe8c1, 0x0f9f, "stlh r0, [r1]", R(0) | R(1), 0, THUMB_STORE, THUMB_NEXT, 0},
    {0xe841, 0xf000, "tt r0, r1", R(1), R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xe840, 0xf340, "ttt r3, r0", R(0), R(3), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xe840, 0xf380, "tta r3, r0", R(0), R(3), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xe842, 0xf0c0, "ttat r0, r2", R(2), R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xe97f, 0xe97f, "sg", 0, 0, THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0x4774, 0, "bxns lr", R(14), 0, THUMB_NO_MEMORY, THUMB_RETURN, 0},
    {0x479c, 0, "blxns r3", R(3), R(14), THUMB_NO_MEMORY, THUMB_CALL_INDIRECT, 0},
    {0xfe20, 0x0a81, "vselge.f32 s0, s1, s2", S(1) | S(2) | FLAGS, S(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xfe80, 0x0a81, "vmaxnm.f32 s0, s1, s2", S(1) | S(2), S(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xfebc, 0x0ae0, "vcvta.s32.f32 s0, s1", S(1), S(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xeeb3, 0x0a60, "vcvtb.f16.f32 s0, s1", S(0) | S(1), S(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xeeb2, 0x0a60, "vcvtb.f32.f16 s0, s1", S(1), S(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xec51, 0x0a11, "vmov r0, r1, s2, s3", S(2) | S(3), R(0) | R(1), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xec41, 0x0a11, "vmov s2, s3, r0, r1", R(0) | R(1), S(2) | S(3), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xea51, 0x8002, "csel r0, r1, r2, eq", R(1) | R(2) | FLAGS, R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xea51, 0xb0c2, "csneg r0, r1, r2, gt", R(1) | R(2) | FLAGS, R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xea5f, 0x900f, "csinc r0, zr, zr, eq", FLAGS, R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xea51, 0x0002, "orrs.w r0, r1, r2", R(1) | R(2), R(0) | FLAGS, THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xea50, 0x01cf, "lsll r0, r1, #3", R(0) | R(1), R(0) | R(1), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xea50, 0x312d, "asrl r0, r1, r3", R(0) | R(1) | R(3), R(0) | R(1), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xf041, 0xe001, "dls lr, r1", R(1), R(14), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xf041, 0xc00d, "wls lr, r1, #0x101c", R(1), R(14), THUMB_NO_MEMORY, THUMB_BRANCH, PC + 4 + 0x18},
    {0xf00f, 0xc00d, "le lr, #0xfec", R(14), R(14), THUMB_NO_MEMORY, THUMB_BRANCH, PC + 4 - 0x18},
    {0xf00f, 0xc80d, "le lr, #0xfea", R(14), R(14), THUMB_NO_MEMORY, THUMB_BRANCH, PC + 4 - 0x1a},
    {0xf02f, 0xc00d, "le #0xfec", 0, 0, THUMB_NO_MEMORY, THUMB_BRANCH, PC + 4 - 0x18},
    {0xf3ef, 0x800b, "mrs r0, psplim", 0, R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xf301, 0x0007, "ssat r0, #8, r1", R(1), R(0) | FLAGS, THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xfa82, 0xf081, "qadd r0, r1, r2", R(1) | R(2), R(0) | FLAGS, THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xfa81, 0xf012, "qadd8 r0, r1, r2", R(1) | R(2), R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xfb11, 0x3002, "smlabb r0, r1, r2, r3", R(1) | R(2) | R(3), R(0) | FLAGS, THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xfb11, 0xf002, "smulbb r0, r1, r2", R(1) | R(2), R(0), THUMB_NO_MEMORY, THUMB_NEXT, 0},
    {0xf380, 0x880a, "msr msplim, r0", R(0), 0, THUMB_NO_MEMORY, THUMB_NEXT, 0},
};

static const struct {
    uint16_t first, second;
    const char *name;
} not_known[] = {
    {0xed90, 0x1f00, "vldrw.u32 q0, [r0]"},
    {0xeca0, 0x1f04, "vstrw.32 q0, [r0], #16"},
    {0xef22, 0x0844, "vadd.i32 q0, q1, q2"},
    {0xee23, 0x0e43, "vmla.s32 q0, q1, r3"},
    {0xeef9, 0x0f02, "vaddv.s32 r0, q1"},
    {0xf023, 0xe801, "vctp.32 r3"},
    {0xfe71, 0x0f4d, "vpst"},
    {0xf021, 0xe001, "dlstp.32 lr, r1"},
    {0xf01f, 0xc063, "letp lr, ..."},
    {0xf00f, 0xe001, "lctp"},
    {0xec01, 0x0f00, "vmov r0, r1, q0[2], q0[0]"},
    {0xfc91, 0x0f44, "vldrw.u32 q0, [r1, q2]"},
    {0xef02, 0x0c54, "vfma.f32 q0, q1, q2"},
    {0xee30, 0x0981, "vadd.f16 s0, s1, s2"},
    {0xea50, 0x0fcf, "uqshl r0, #3"},
    {0xec20, 0x0a00, "vlstm r0"},
    {0xec9f, 0x0a04, "vscclrm {s0-s3, vpr}"},
    {0xe89f, 0x8003, "clrm {r0, r1, apsr}"},
};

/* Returns what thumb_decode says. */
static bool decode(thumb_insn *insn, uint16_t first, uint16_t second, char text[80])
{
    const uint8_t bytes[4] = {(uint8_t)first, (uint8_t)(first >> 8), (uint8_t)second, (uint8_t)(second >> 8)};
    bool good = thumb_decode(insn, PC, bytes, thumb_size(first), THUMB_ALWAYS);
    thumb_text(insn, text, 80);
    return good;
}

static void what_v8_adds_is_decoded(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        thumb_insn insn;
        char text[80];
        bool good = decode(&insn, known[i].first, known[i].second, text) && !insn.unknown;
        uint64_t writes = thumb_writes(known[i].first, known[i].second, false);
        bool leads = insn.flow == known[i].flow && (insn.flow != THUMB_BRANCH || insn.target == known[i].target);
        bool same = good && leads && insn.reads == known[i].reads && insn.memory == known[i].memory &&
                    writes == known[i].writes && !strcmp(text, known[i].text);
        if (!same)
            printf("# %s: %s, reads %llx, writes %llx\n", known[i].text, text, (unsigned long long)insn.reads,
                   (unsigned long long)writes);
        CHECK(same);
    }
}

static void the_rest_is_not_taken_for_something_else(void)
{
    for (size_t i = 0; i < sizeof not_known / sizeof *not_known; i++) {
        thumb_insn insn;
        char text[80], expected[80];
        bool good = decode(&insn, not_known[i].first, not_known[i].second, text);
        snprintf(expected, sizeof expected, ".inst.w 0x%04x%04x", not_known[i].first, not_known[i].second);
        bool same = !good && insn.unknown && !insn.access_size && !strcmp(text, expected);
        if (!same)
            printf("# %s: %s\n", not_known[i].name, text);
        CHECK(same);
    }
}

/* What a store stores, apart from what makes its address. */
static const struct {
    uint16_t first, second;
    const char *text;
    uint64_t stored;
    uint8_t base;
    int32_t offset;
} stores[] = {
    {0xedc7, 0x7a05, "vstr s15, [r7, #0x14]", S(15), 7, 20},
    {0xed0d, 0x8b02, "vstr d8, [sp, #-8]", S(16) | S(17), 13, -8},
    {0xed2d, 0x8a02, "vpush {s16, s17}", S(16) | S(17), THUMB_NONE, 0},
    {0xeca1, 0x0a02, "vstmia r1!, {s0, s1}", S(0) | S(1), THUMB_NONE, 0},
    {0xe8c1, 0x0faf, "stl r0, [r1]", R(0), THUMB_NONE, 0},
    {0xe8c1, 0x1faf, "stl r1, [r1]", R(1), THUMB_NONE, 0},
    {0xe8c1, 0x0fe2, "stlex r2, r0, [r1]", R(0), THUMB_NONE, 0},
    {0xe841, 0x3201, "strex r2, r3, [r1, #4]", R(3), THUMB_NONE, 0},
    {0xf841, 0x0e04, "strt r0, [r1, #4]", R(0), THUMB_NONE, 0},
};

static void a_store_says_what_it_stores(void)
{
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        thumb_insn insn;
        char text[80];
        bool same = decode(&insn, stores[i].first, stores[i].second, text) && insn.memory == THUMB_STORE &&
                    insn.list == stores[i].stored && insn.base == stores[i].base && insn.offset == stores[i].offset;
        if (!same)
            printf("# %s: %s, %llx, %d, %d\n", stores[i].text, text, (unsigned long long)insn.list, insn.base,
                   (int)insn.offset);
        CHECK(same);
    }
}

/* Files up to version 10 count on it. */
static void an_older_decoder_says_what_it_said(void)
{
    static const uint8_t lda[4] = {0xd1, 0xe8, 0xaf, 0x0f}, csel[4] = {0x51, 0xea, 0x02, 0x80},
                         tt[4] = {0x41, 0xe8, 0x00, 0xf0};
    static const uint8_t vsel[4] = {0x20, 0xfe, 0x81, 0x0a}, vcvta[4] = {0xbc, 0xfe, 0xe0, 0x0a};
    thumb_insn insn;
    thumb_decode_as(&insn, THUMB_V7, PC, lda, 4, THUMB_ALWAYS);
    CHECK(insn.unknown && insn.reads == 0 && insn.memory == THUMB_NO_MEMORY);
    thumb_decode_as(&insn, THUMB_V7, PC, csel, 4, THUMB_ALWAYS);
    CHECK(insn.unknown && insn.reads == (R(1) | R(2)));
    thumb_decode_as(&insn, THUMB_V7, PC, tt, 4, THUMB_ALWAYS);
    CHECK(insn.unknown && insn.reads == R(1) && insn.memory == THUMB_STORE);
    thumb_decode_as(&insn, THUMB_V7, PC, vsel, 4, THUMB_ALWAYS);
    CHECK(insn.unknown && insn.reads == (S(1) | S(2)));
    thumb_decode_as(&insn, THUMB_V7, PC, vcvta, 4, THUMB_ALWAYS);
    CHECK(!insn.unknown && insn.reads == (S(0) | S(1)));
}

/* Fields of bits: every encoding. One that leaves the word is UNPREDICTABLE and computes nothing; where the last bit
 * is below the first capstone shows another field, and the emulator takes neither. */
static void fields_of_bits_stay_within_the_word(void)
{
    static const struct {
        uint16_t first;
        bool ends; /* the low bits hold the last bit of the field, not its width less one */
    } fields[] = {{0xf340, false}, {0xf3c0, false}, {0xf360, true}, {0xf36f, true}};
    const thumb_state state = {{0xdeadbeef, 0x12345678, 0xffffffff}};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        for (unsigned lsb = 0; lsb < 32; lsb++)
            for (unsigned low = 0; low < 32; low++) {
                thumb_insn insn;
                char text[80];
                uint32_t value;
                uint16_t second = (uint16_t)(lsb >> 2 << 12 | 2 << 8 | (lsb & 3) << 6 | low);
                bool within = fields[f].ends ? low >= lsb : lsb + low < 32;
                bool computed = decode(&insn, fields[f].first, second, text) && thumb_compute(&insn, &state, 2, &value);
                if (fields[f].ends && !within)
                    continue;
                if (computed != within)
                    printf("# %04x %04x: %s\n", fields[f].first, second, text);
                CHECK(computed == within);
            }
}

int main(void)
{
    RUN(fields_of_bits_stay_within_the_word);
    RUN(what_v8_adds_is_decoded);
    RUN(a_store_says_what_it_stores);
    RUN(the_rest_is_not_taken_for_something_else);
    RUN(an_older_decoder_says_what_it_said);
    thumb_decode_end();
    return check_failed();
}
