/* SPDX-License-Identifier: MIT */
/* What expansion made of accesses that are announced. Later passes must keep them: make_accesses_volatile. And loads of
 * constants may not be made at all: of a copy of a short literal it may make stores alone, whose bytes are part of the
 * code, and a comparison may have them there. Whether it does depends on the processor, alignment, and level of
 * optimisation. So that is looked at:
 *
 *     @weft statement 3        before the statement and after it, marks of asm
 *     strcpy(to, "x=");
 *     @weft end 3
 *
 * After expansion, code between the two that calls a function or reads the constant makes the load. Else the site loses
 * its probe (`@weft probe 3` stands after it), and is described as one that is no access. The marks go.
 *
 * The same marks show what a statement calls: maybe another function (memcpy for strcpy), or none. A base site names it
 * (site::called_from), so that readers see whether it has probes, and announces the accesses itself. */
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

void note_constant(site &s, tree from, gimple *stmt)
{
    tree object = get_base_address(from);
    if (!is_constant_object(object))
        return;
    s.made_by = stmt;
    s.constant = object;
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

static void mark_statement(gimple *made_by, size_t number)
{
    gimple_stmt_iterator at = gsi_for_stmt(made_by);
    gsi_insert_before(&at, mark("statement", number), GSI_SAME_STMT);
    gcall *call = dyn_cast<gcall *>(made_by);
    if (!stmt_ends_bb_p(made_by) && !(call && gimple_call_tail_p(call)))
        gsi_insert_after(&at, mark("end", number), GSI_SAME_STMT);
}

static void mark_probe(const site &s, size_t number)
{
    gimple_stmt_iterator at = gsi_for_stmt(s.access);
    gsi_insert_after(&at, mark("probe", number), GSI_SAME_STMT);
}

/* The first site of the same statement: by its number it is marked. */
static size_t first_of_statement(const routine &r, size_t number)
{
    size_t first = 0;
    while (r.sites[first].made_by != r.sites[number].made_by)
        first++;
    return first;
}

bool wait_for_expansion(const routine &r)
{
    bool any = false;
    for (size_t i = 0; i < r.sites.size(); i++) {
        const site &s = r.sites[i];
        if (!s.made_by)
            continue;
        if (first_of_statement(r, i) == i)
            mark_statement(s.made_by, i);
        if (!s.called_from && has_probe(s))
            mark_probe(s, i);
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

/* The function that is called; NULL: only a register says it. With -mlong-calls that is loaded first. */
static tree called_function(const rtx_insn *insn)
{
    rtx call = get_call_rtx_from(insn), to = call ? XEXP(call, 0) : NULL_RTX;
    if (!to || !MEM_P(to))
        return NULL_TREE;
    tree decl = GET_CODE(XEXP(to, 0)) == SYMBOL_REF ? SYMBOL_REF_DECL(XEXP(to, 0)) : MEM_EXPR(to);
    return decl && TREE_CODE(decl) == FUNCTION_DECL ? decl : NULL_TREE;
}

static bool is_named(tree function, const char *head)
{
    const char *name = function ? IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function)) : "";
    return starts_with(name + (*name == '*'), head);
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

/* What a statement was expanded to. */
struct expansion {
    rtx_insn *probe = NULL;      /* of a site */
    bool ends = false;           /* its end is marked */
    bool any = false;            /* it calls a function, or reads what may be any constant */
    std::vector<tree> constants; /* that it reads */
    tree callee = NULL_TREE;     /* of the last call. Where the end is not marked, of the first */
};

/* Not all memory has an expression: what block moves read has none on a Cortex-M0. */
static void look_at_memory(const_rtx memory, expansion &of_statement)
{
    tree object = MEM_EXPR(memory) ? get_base_address(MEM_EXPR(memory)) : NULL_TREE;
    const_rtx address = XEXP(memory, 0);
    if (object && is_constant_object(object))
        of_statement.constants.push_back(object);
    else if (!MEM_EXPR(memory))
        of_statement.any |=
            !(GET_CODE(address) == SYMBOL_REF && CONSTANT_POOL_ADDRESS_P(address)) && !reads_frame(address);
}

static void look_for_constants(rtx *used, void *of_statement)
{
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(i, array, *used, ALL)
    if (MEM_P(*i))
        look_at_memory(*i, *static_cast<expansion *>(of_statement));
}

/* Not those that a statement makes besides: of zeros after the bytes of a literal, of a division in an argument. */
static bool may_load_constant(const rtx_insn *call)
{
    tree callee = called_function(call);
    return !is_named(callee, "__weft_") && !is_named(callee, "__aeabi_") && !is_named(callee, "memset");
}

static void look_at_insn(rtx_insn *insn, expansion &of_statement)
{
    if (CALL_P(insn))
        of_statement.any |= may_load_constant(insn);
    else
        note_uses(&PATTERN(insn), look_for_constants, &of_statement);
}

/* Of two constants, a comparison may load one, and have the other in its code. Literals are not told apart. */
static bool loads(const expansion &of_statement, tree constant)
{
    bool found = of_statement.any;
    for (tree object : of_statement.constants)
        found |= object == constant || (!VAR_P(object) && !VAR_P(constant));
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
    s.flags = (s.flags | DESCRIPTOR_SITE_BASE) & ~(unsigned)DESCRIPTOR_SITE_LENGTH;
    s.target = -1;
    if (s.how == SITE_RECORDED && s.group >= 0)
        return; /* other addresses follow from this one */
    if (probe)
        delete_insn(probe);
    s.how = SITE_STATIC;
    s.sum = address_sum();
}

/* The function that the call is of, if that is what the statement asks for, and not a division in an argument. */
static tree callee_of(const rtx_insn *insn)
{
    tree callee = CALL_P(insn) ? called_function(insn) : NULL_TREE;
    return is_named(callee, "__weft_") || is_named(callee, "__aeabi_") ? NULL_TREE : callee;
}

/* By site, or by the first site of a statement. */
static std::map<size_t, expansion> find_ends()
{
    std::map<size_t, expansion> sites;
    size_t site;
    for (const rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn))
        if (NONDEBUG_INSN_P(insn) && is_mark(asm_text(insn), "end", site))
            sites[site].ends = true;
    return sites;
}

/* Takes the marks away. */
static std::map<size_t, expansion> read_marks()
{
    std::map<size_t, expansion> sites = find_ends();
    rtx_insn *next, *last_call = NULL;
    size_t site;
    expansion *open = NULL;
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
        if (!open)
            continue;
        look_at_insn(insn, *open);
        tree callee = callee_of(insn);
        if (callee && (open->ends || !open->callee))
            open->callee = callee;
    }
    return sites;
}

/* Base site `number`: what was called, and how many sites before it announce that. */
static void name_callee(routine &r, size_t number, tree callee)
{
    site &s = r.sites[number];
    size_t first = number;
    while (r.sites[first].access != s.called_from)
        first--;
    gcc_assert(number - first <= DESCRIPTOR_CALL_SITES);
    s.size = number - first;
    s.sum.known = true;
    s.sum.symbol = callee;
}

bool is_waiting(const function *fun)
{
    return waiting && waiting->fun == fun;
}

void describe_expanded()
{
    std::map<size_t, expansion> found = read_marks();
    for (size_t i = 0; i < waiting->sites.size(); i++) {
        site &s = waiting->sites[i];
        if (!s.made_by)
            continue;
        const expansion &of_statement = found[first_of_statement(*waiting, i)];
        if (!s.called_from && !loads(of_statement, s.constant))
            drop_site(s, found[i].probe);
        else if (s.called_from && of_statement.callee)
            name_callee(*waiting, i, of_statement.callee);
    }
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
