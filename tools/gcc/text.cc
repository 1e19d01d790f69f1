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

static std::string name_of(tree decl)
{
    return plain_name(DECL_NAME(decl));
}

static std::string number_text(tree t)
{
    if (tree_fits_shwi_p(t))
        return std::to_string(tree_to_shwi(t));
    return tree_fits_uhwi_p(t) ? std::to_string(tree_to_uhwi(t)) : "?";
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

/* A byte offset as an index of elements of `size` bytes: i * 4 -> i, i << 2 -> i. */
static std::string index_text(tree offset, HOST_WIDE_INT size, int depth)
{
    offset = unconverted(offset);
    gassign *def = definition(offset);
    if (TREE_CODE(offset) == INTEGER_CST && tree_fits_shwi_p(offset))
        return size && tree_to_shwi(offset) % size == 0 ? std::to_string(tree_to_shwi(offset) / size) : "";
    if (size == 1)
        return text_of(offset, depth);
    if (!def || !tree_fits_shwi_p(gimple_num_ops(def) > 2 ? gimple_assign_rhs2(def) : integer_zero_node))
        return "";
    enum tree_code code = gimple_assign_rhs_code(def);
    if (code == MULT_EXPR && tree_to_shwi(gimple_assign_rhs2(def)) == size)
        return text_of(unconverted(gimple_assign_rhs1(def)), depth);
    if (code == LSHIFT_EXPR && tree_to_shwi(gimple_assign_rhs2(def)) < 31 &&
        (HOST_WIDE_INT)1 << tree_to_shwi(gimple_assign_rhs2(def)) == size)
        return text_of(unconverted(gimple_assign_rhs1(def)), depth);
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
            return array_text(gimple_assign_rhs1(def), depth) + "[" + index + "]";
    }
    if (TREE_CODE(pointer) == ADDR_EXPR && offset == 0)
        return text_of(TREE_OPERAND(pointer, 0), depth);
    std::string base = array_text(pointer, depth);
    if (offset == 0)
        return "*" + base;
    if (size > 0 && offset % size == 0)
        return base + "[" + std::to_string(offset / size) + "]";
    return "*(" + base + (offset < 0 ? "" : "+") + std::to_string(offset) + ")";
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
    return index.empty() ? "*" + base : base + "[" + index + "]";
}

static std::string field_text(tree t, int depth)
{
    tree object = TREE_OPERAND(t, 0), field = TREE_OPERAND(t, 1);
    std::string name = DECL_NAME(field) ? name_of(field) : "";
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
    return "(" + text_of(gimple_assign_rhs1(def), depth) + sign + text_of(gimple_assign_rhs2(def), depth) + ")";
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
        return text_of(TREE_OPERAND(t, 0), depth) + "[" + text_of(unconverted(TREE_OPERAND(t, 1)), depth) + "]";
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
        return DECL_P(t) ? name_of(t) : "?";
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
