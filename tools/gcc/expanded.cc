/* SPDX-License-Identifier: MIT */
/* What expansion made of accesses that are announced. Later passes must keep them: make_accesses_volatile. And loads of
 * constants may not be made at all: of a copy of a short literal it may make stores alone, whose bytes are part of the
 * code. Whether it does depends on the processor, alignment, and level of optimisation. So that is looked at:
 *
 *     @weft statement 3        before the statement and after it, marks of asm
 *     strcpy(to, "x=");
 *     @weft end 3
 *
 * After expansion, code between the two that calls a function or reads a constant makes the load. Else the site loses
 * its probe (`@weft probe 3` stands after it), and is described as one that is no access. The marks go. */
#include "tools/gcc/expanded.h"

#include "rtl.h"
#include "rtl-iter.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "rtlanal.h"
#include "varasm.h"

#define SITE_MARK "@weft "

/* The function whose sites are described once it is expanded; NULL: none. */
static routine *waiting;

bool is_constant_object(tree object)
{
    return object && (TREE_CODE(object) == STRING_CST || TREE_CODE(object) == CONST_DECL ||
                      (VAR_P(object) && TREE_READONLY(object) && !TREE_THIS_VOLATILE(object)));
}

bool is_constant_address(tree pointer)
{
    return TREE_CODE(pointer) == ADDR_EXPR && is_constant_object(get_base_address(TREE_OPERAND(pointer, 0)));
}

/* ---- before expansion ---- */

static gasm *mark(const char *kind, size_t site)
{
    std::string text = SITE_MARK + std::string(kind) + " " + std::to_string(site);
    gasm *stmt = gimple_build_asm_vec(ggc_strdup(text.c_str()), NULL, NULL, NULL, NULL);
    gimple_asm_set_volatile(stmt, true);
    return stmt;
}

/* Whether the probe is still called. */
static bool has_probe(const site &s)
{
    return s.how == SITE_RECORDED || weft_options.oracle;
}

static void mark_site(const site &s, size_t number)
{
    gimple_stmt_iterator at = gsi_for_stmt(s.made_by);
    gsi_insert_before(&at, mark("statement", number), GSI_SAME_STMT);
    gcall *call = dyn_cast<gcall *>(s.made_by);
    if (!stmt_ends_bb_p(s.made_by) && !(call && gimple_call_tail_p(call)))
        gsi_insert_after(&at, mark("end", number), GSI_SAME_STMT);
    if (!has_probe(s))
        return;
    at = gsi_for_stmt(s.access);
    gsi_insert_after(&at, mark("probe", number), GSI_SAME_STMT);
}

bool wait_for_expansion(const routine &r)
{
    bool any = false;
    for (size_t i = 0; i < r.sites.size(); i++) {
        if (!r.sites[i].made_by)
            continue;
        mark_site(r.sites[i], i);
        any = true;
    }
    if (any)
        waiting = new routine(r);
    return any;
}

/* ---- after it ---- */

/* The text of an asm; NULL: it is none, or it has operands. */
static const char *asm_text(const rtx_insn *insn)
{
    const_rtx body = PATTERN(insn);
    if (GET_CODE(body) == PARALLEL)
        body = XVECEXP(body, 0, 0);
    return GET_CODE(body) == ASM_INPUT      ? XSTR(body, 0)
           : GET_CODE(body) == ASM_OPERANDS ? ASM_OPERANDS_TEMPLATE(body)
                                            : NULL;
}

static bool is_mark(const char *text, const char *kind, size_t &site)
{
    std::string head = SITE_MARK + std::string(kind) + " ";
    if (!text || !starts_with(text, head.c_str()))
        return false;
    site = strtoul(text + head.size(), NULL, 10);
    return true;
}

static bool calls_probe(const rtx_insn *insn)
{
    rtx call = get_call_rtx_from(insn), to = call ? XEXP(XEXP(call, 0), 0) : NULL_RTX;
    return to && GET_CODE(to) == SYMBOL_REF && starts_with(XSTR(to, 0) + (*XSTR(to, 0) == '*'), "__weft_");
}

static bool reads_frame(const_rtx address)
{
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(i, array, address, NONCONST)
    if (*i == virtual_stack_vars_rtx || *i == virtual_incoming_args_rtx || *i == frame_pointer_rtx ||
        *i == stack_pointer_rtx)
        return true;
    return false;
}

/* Not all memory has an expression: what block moves read has none on a Cortex-M0. */
static bool is_constant_memory(const_rtx memory)
{
    if (MEM_EXPR(memory))
        return is_constant_object(get_base_address(MEM_EXPR(memory)));
    const_rtx address = XEXP(memory, 0);
    return !(GET_CODE(address) == SYMBOL_REF && CONSTANT_POOL_ADDRESS_P(address)) && !reads_frame(address);
}

static void look_for_constants(rtx *used, void *found)
{
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(i, array, *used, ALL)
    if (MEM_P(*i) && is_constant_memory(*i))
        *static_cast<bool *>(found) = true;
}

static bool makes_load(rtx_insn *insn)
{
    bool found = false;
    if (CALL_P(insn))
        return !calls_probe(insn);
    note_uses(&PATTERN(insn), look_for_constants, &found);
    return found;
}

/* Only marks of this file stood in the function: it has no asm of its own. */
static bool has_asm()
{
    for (const rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        if (NONDEBUG_INSN_P(insn) && (GET_CODE(PATTERN(insn)) == ASM_INPUT || asm_noperands(PATTERN(insn)) >= 0))
            return true;
    return false;
}

static void drop_site(site &s, rtx_insn *probe)
{
    s.flags |= DESCRIPTOR_SITE_BASE;
    s.target = -1;
    if (s.how == SITE_RECORDED && s.group >= 0)
        return; /* other addresses follow from this one */
    if (probe)
        delete_insn(probe);
    s.how = SITE_STATIC;
    s.sum = address_sum();
}

/* By site: its probe, whether the load is made, and whether the statement's end is marked. */
struct made_load {
    rtx_insn *probe = NULL;
    bool made = false, ends = false;
};

static std::map<size_t, made_load> find_ends()
{
    std::map<size_t, made_load> sites;
    size_t site;
    for (const rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        if (NONDEBUG_INSN_P(insn) && is_mark(asm_text(insn), "end", site))
            sites[site].ends = true;
    return sites;
}

/* Takes the marks away. */
static std::map<size_t, made_load> read_marks()
{
    std::map<size_t, made_load> sites = find_ends();
    rtx_insn *next, *last_call = NULL;
    size_t site;
    made_load *open = NULL;
    for (rtx_insn *insn = get_insns(); insn; insn = next) {
        next = NEXT_INSN(insn);
        if (open && !open->ends && (LABEL_P(insn) || BARRIER_P(insn)))
            open = NULL; /* the statement ended its block */
        if (!NONDEBUG_INSN_P(insn))
            continue;
        const char *text = asm_text(insn);
        bool begins = is_mark(text, "statement", site), probe = is_mark(text, "probe", site);
        if (begins || probe || is_mark(text, "end", site)) {
            if (probe)
                sites[site].probe = last_call;
            else
                open = begins ? &sites[site] : NULL;
            delete_insn(insn);
            continue;
        }
        last_call = CALL_P(insn) ? insn : last_call;
        if (open)
            open->made |= makes_load(insn);
    }
    return sites;
}

bool is_waiting(const function *fun)
{
    return waiting && waiting->fun == fun;
}

void describe_expanded()
{
    for (auto &found : read_marks())
        if (!found.second.made)
            drop_site(waiting->sites[found.first], found.second.probe);
    crtl->has_asm_statement = has_asm();
    describe(*waiting);
    ballarus_free(waiting->graph);
    delete waiting;
    waiting = NULL;
}

/* ---- accesses that are made ---- */

/* Only memory that stands for an expression of the program: no jump tables, no saved registers. */
static void make_volatile(rtx part)
{
    subrtx_var_iterator::array_type array;
    FOR_EACH_SUBRTX_VAR(i, array, part, NONCONST)
    if (*i && MEM_P(*i) && MEM_EXPR(*i))
        MEM_VOLATILE_P(*i) = 1;
}

void make_accesses_volatile()
{
    for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
        if (!NONDEBUG_INSN_P(insn))
            continue;
        make_volatile(PATTERN(insn));
        if (REG_NOTES(insn))
            make_volatile(REG_NOTES(insn));
    }
}
