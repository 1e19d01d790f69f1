/* SPDX-License-Identifier: MIT */
/* The source text of an expression, followed back through the temporaries that the optimisers made of it. */
#include "tools/gcc/weft_gcc.h"

#include "tree-dfa.h"

#define TEXT_DEPTH_MAX 8
#define TEXT_SIZE_MAX 100

static std::string text_of(tree t, int depth);

/* A temporary that the compiler made of x is x.7: x. */
static std::string plain_name(tree identifier)
{
    std::string name = identifier ? IDENTIFIER_POINTER(identifier) : "?";
    return name.substr(0, name.find('.'));
}

static std::string name_in_source(tree decl)
{
    return plain_name(DECL_NAME(decl));
}

static std::string number_text(tree t)
{
    char address[24];
    if (POINTER_TYPE_P(TREE_TYPE(t)) && tree_fits_uhwi_p(t) && !integer_zerop(t)) {
        snprintf(address, sizeof address, "0x%lx", (unsigned long)tree_to_uhwi(t));
        return address;
    }
    if (tree_fits_shwi_p(t))
        return std::to_string(tree_to_shwi(t));
    return tree_fits_uhwi_p(t) ? std::to_string(tree_to_uhwi(t)) : "?";
}

/* A constant that is added, with its sign: sizes are unsigned, so -1 appears as 4294967295. */
static HOST_WIDE_INT step_of(tree constant)
{
    return sext_hwi(TREE_INT_CST_LOW(constant), MIN(TYPE_PRECISION(TREE_TYPE(constant)), HOST_BITS_PER_WIDE_INT));
}

/* x + 2, x - 2. */
static std::string plus_text(const std::string &left, const std::string &right)
{
    return left + (right[0] == '-' ? "" : "+") + right;
}

/* The text without the parentheses around all of it. */
static std::string bare(const std::string &text)
{
    int open = 0;
    for (size_t i = 0; i < text.size(); i++) {
        open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (!open && i + 1 < text.size())
            return text;
    }
    return !text.empty() && text[0] == '(' ? text.substr(1, text.size() - 2) : text;
}

static gassign *definition(tree t)
{
    return TREE_CODE(t) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(t)) : NULL;
}

/* The value that conversions were applied to. */
static tree unconverted(tree t)
{
    for (int i = 0; i < TEXT_DEPTH_MAX; i++) {
        gassign *def = definition(t);
        if (!def || SSA_NAME_IDENTIFIER(t) ||
            !(CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(def)) || gimple_assign_rhs_code(def) == SSA_NAME))
            break;
        t = gimple_assign_rhs1(def);
    }
    return t;
}

/* `value` bytes each, as an index of elements of `size` bytes. */
static std::string scaled_text(tree value, HOST_WIDE_INT bytes, HOST_WIDE_INT size, int depth)
{
    if (bytes <= 0 || size <= 0 || bytes % size)
        return "";
    std::string text = text_of(unconverted(value), depth);
    return bytes == size ? text : text + "*" + std::to_string(bytes / size);
}

/* A byte offset as an index of elements of `size` bytes: i * 4 -> i, i << 2 -> i, i * 12 - 4 -> i*3-1. "" if it is not
 * one. */
static std::string index_text(tree offset, HOST_WIDE_INT size, int depth)
{
    offset = unconverted(offset);
    gassign *def = definition(offset);
    if (TREE_CODE(offset) == INTEGER_CST)
        return size > 0 && step_of(offset) % size == 0 ? std::to_string(step_of(offset) / size) : "";
    if (size == 1)
        return bare(text_of(offset, depth));
    if (!def || gimple_num_ops(def) < 3 || depth <= 0)
        return "";
    tree left = gimple_assign_rhs1(def), right = gimple_assign_rhs2(def);
    enum tree_code code = gimple_assign_rhs_code(def);
    if (code == PLUS_EXPR) {
        std::string first = index_text(left, size, depth - 1), second = index_text(right, size, depth - 1);
        return first.empty() || second.empty() ? "" : plus_text(first, second);
    }
    if (!tree_fits_shwi_p(right))
        return "";
    if (code == MULT_EXPR)
        return scaled_text(left, tree_to_shwi(right), size, depth);
    if (code == LSHIFT_EXPR && tree_to_shwi(right) < 31)
        return scaled_text(left, (HOST_WIDE_INT)1 << tree_to_shwi(right), size, depth);
    return "";
}

/* What a pointer points into, as the name of an array. */
static std::string array_text(tree pointer, int depth)
{
    pointer = unconverted(pointer);
    return text_of(TREE_CODE(pointer) == ADDR_EXPR ? TREE_OPERAND(pointer, 0) : pointer, depth);
}

/* *(pointer + offset), an object of `size` bytes. */
static std::string pointed_text(tree pointer, HOST_WIDE_INT offset, HOST_WIDE_INT size, int depth)
{
    pointer = unconverted(pointer);
    if (TREE_CODE(pointer) == ADDR_EXPR && offset == 0)
        return text_of(TREE_OPERAND(pointer, 0), depth);
    gassign *def = definition(pointer);
    if (def && gimple_assign_rhs_code(def) == ADDR_EXPR && !SSA_NAME_IDENTIFIER(pointer))
        pointer = gimple_assign_rhs1(def);
    else if (def && gimple_assign_rhs_code(def) == POINTER_PLUS_EXPR && offset == 0 && !SSA_NAME_IDENTIFIER(pointer)) {
        std::string index = index_text(gimple_assign_rhs2(def), size, depth);
        if (!index.empty())
            return array_text(gimple_assign_rhs1(def), depth) + "[" + bare(index) + "]";
    }
    if (TREE_CODE(pointer) == ADDR_EXPR && offset == 0)
        return text_of(TREE_OPERAND(pointer, 0), depth);
    std::string base = array_text(pointer, depth);
    if (offset == 0)
        return "*" + base;
    if (size > 0 && offset % size == 0)
        return base + "[" + std::to_string(offset / size) + "]";
    return "*(" + plus_text(base, std::to_string(offset)) + ")";
}

static HOST_WIDE_INT size_of(tree t)
{
    tree bytes = TYPE_SIZE_UNIT(TREE_TYPE(t));
    return bytes && tree_fits_shwi_p(bytes) ? tree_to_shwi(bytes) : 0;
}

static std::string target_text(tree t, int depth)
{
    std::string base = array_text(TMR_BASE(t), depth);
    std::string index = TMR_INDEX(t) ? text_of(unconverted(TMR_INDEX(t)), depth) : "";
    if (TMR_INDEX2(t) && !integer_zerop(TMR_INDEX2(t)))
        index += (index.empty() ? "" : "+") + text_of(unconverted(TMR_INDEX2(t)), depth);
    return index.empty() ? "*" + base : base + "[" + bare(index) + "]";
}

static std::string field_text(tree t, int depth)
{
    tree object = TREE_OPERAND(t, 0), field = TREE_OPERAND(t, 1);
    std::string name = DECL_NAME(field) ? name_in_source(field) : "";
    if (TREE_CODE(object) == MEM_REF && integer_zerop(TREE_OPERAND(object, 1))) {
        std::string base = pointed_text(TREE_OPERAND(object, 0), 0, size_of(object), depth);
        return base[0] == '*' ? base.substr(1) + "->" + name : base + "." + name;
    }
    return text_of(object, depth) + (name.empty() ? "" : "." + name);
}

static const char *operator_text(enum tree_code code)
{
    switch (code) {
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
        return "+";
    case MINUS_EXPR:
        return "-";
    case MULT_EXPR:
        return "*";
    case TRUNC_DIV_EXPR:
        return "/";
    case TRUNC_MOD_EXPR:
        return "%";
    case LSHIFT_EXPR:
        return "<<";
    case RSHIFT_EXPR:
        return ">>";
    case BIT_AND_EXPR:
        return "&";
    case BIT_IOR_EXPR:
        return "|";
    case BIT_XOR_EXPR:
        return "^";
    default:
        return NULL;
    }
}

/* A temporary: what it was computed from. */
static std::string temporary_text(tree t, int depth)
{
    gassign *def = definition(t);
    if (!def)
        return "?";
    enum tree_code code = gimple_assign_rhs_code(def);
    if (gimple_assign_single_p(def) || CONVERT_EXPR_CODE_P(code))
        return text_of(gimple_assign_rhs1(def), depth);
    const char *sign = operator_text(code);
    if (!sign)
        return "?";
    tree right = gimple_assign_rhs2(def);
    std::string left = text_of(gimple_assign_rhs1(def), depth);
    if (*sign == '+' && TREE_CODE(right) == INTEGER_CST)
        return "(" + plus_text(left, std::to_string(step_of(right))) + ")";
    return "(" + left + sign + text_of(right, depth) + ")";
}

static std::string text_of(tree t, int depth)
{
    if (!t || depth <= 0)
        return "?";
    depth--;
    switch (TREE_CODE(t)) {
    case SSA_NAME:
        if (SSA_NAME_IDENTIFIER(t))
            return plain_name(SSA_NAME_IDENTIFIER(t));
        return temporary_text(t, depth);
    case INTEGER_CST:
        return number_text(t);
    case STRING_CST:
        return "\"...\"";
    case ADDR_EXPR:
        return "&" + text_of(TREE_OPERAND(t, 0), depth);
    case ARRAY_REF:
        return text_of(TREE_OPERAND(t, 0), depth) + "[" + bare(text_of(unconverted(TREE_OPERAND(t, 1)), depth)) + "]";
    case COMPONENT_REF:
        return field_text(t, depth);
    case MEM_REF:
        return pointed_text(TREE_OPERAND(t, 0), mem_ref_offset(t).force_shwi().to_constant(), size_of(t), depth);
    case TARGET_MEM_REF:
        return target_text(t, depth);
    case VIEW_CONVERT_EXPR:
    case BIT_FIELD_REF:
    case REALPART_EXPR:
    case IMAGPART_EXPR:
        return text_of(TREE_OPERAND(t, 0), depth);
    default:
        return DECL_P(t) ? name_in_source(t) : "?";
    }
}

static std::string shortened(const std::string &text)
{
    return text.size() <= TEXT_SIZE_MAX ? text : text.substr(0, TEXT_SIZE_MAX - 3) + "...";
}

/* Texts as they were before optimisation, by place in the source, direction and size of the access. "" where two
 * differ. */
typedef std::pair<location_t, HOST_WIDE_INT> text_key;
static std::map<text_key, std::string> early_texts;

static text_key key_of(location_t where, tree ref, bool store)
{
    return text_key(LOCATION_LOCUS(where), size_of(ref) * 2 + store);
}

static void note_text(location_t where, tree ref, bool store)
{
    if (is_gimple_reg(ref) || !(REFERENCE_CLASS_P(ref) || DECL_P(ref)) || LOCATION_LOCUS(where) <= BUILTINS_LOCATION)
        return;
    std::string text = text_of(ref, TEXT_DEPTH_MAX);
    auto known = early_texts.insert({key_of(where, ref, store), text});
    if (!known.second && known.first->second != text)
        known.first->second = "";
}

void note_texts(function *fun)
{
    basic_block block;
    FOR_EACH_BB_FN(block, fun)
    {
        for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
            gassign *stmt = dyn_cast<gassign *>(gsi_stmt(i));
            if (!stmt || !gimple_assign_single_p(stmt))
                continue;
            note_text(gimple_location(stmt), gimple_assign_rhs1(stmt), false);
            note_text(gimple_location(stmt), gimple_assign_lhs(stmt), true);
        }
    }
}

std::string expression_text(tree expression, location_t where, bool store)
{
    auto early = early_texts.find(key_of(where, expression, store));
    if (early != early_texts.end() && !early->second.empty())
        return shortened(early->second);
    return shortened(text_of(expression, TEXT_DEPTH_MAX));
}
