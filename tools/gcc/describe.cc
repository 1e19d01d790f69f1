/* SPDX-License-Identifier: MIT */
/* Writes the descriptor of a routine, and reserves its numbers, as assembler text between two functions of the output.
 *
 * The four sections of a routine form a section group of their own, or join the function's COMDAT group. What refers to
 * a number from the code thereby keeps the descriptor, and a function that the linker drops takes its descriptor and
 * numbers along. */
#include "tools/gcc/weft_gcc.h"

#include "langhooks.h"
#include "output.h"

/* The body of the record, and the strings it refers to. */
struct body {
    std::vector<unsigned char> bytes;
    std::vector<std::string> strings;
    std::map<std::string, uint32_t> index;
};

static void add_u(std::vector<unsigned char> &bytes, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        bytes.push_back(value | 0x80);
    bytes.push_back(value);
}

static void put(body &b, uint32_t value)
{
    add_u(b.bytes, value);
}

static void put_string(body &b, const std::string &text)
{
    auto found = b.index.insert({text, (uint32_t)b.strings.size()});
    if (found.second)
        b.strings.push_back(text);
    put(b, found.first->second);
}

static void put_place(body &b, const expanded_location &place)
{
    put_string(b, place.file ? place.file : "");
    put(b, place.file ? place.line : 0);
}

/* The distinct lines of a block's statements, in order; of each step its number among them + 1, or 0 for a cut. */
static std::vector<expanded_location> lines_of(const std::vector<location_t> &steps, std::vector<uint32_t> &numbers)
{
    std::vector<expanded_location> lines;
    std::map<std::pair<std::string, int>, uint32_t> known;
    for (location_t where : steps) {
        expanded_location place = expand_location(where);
        if (where != UNKNOWN_LOCATION && !place.file)
            continue;
        uint32_t number = 0;
        if (place.file) {
            auto found = known.insert({{place.file, place.line}, (uint32_t)lines.size() + 1});
            number = found.first->second;
            if (found.second)
                lines.push_back(place);
        }
        if (numbers.empty() || numbers.back() != number)
            numbers.push_back(number);
    }
    return lines;
}

/* None: each line once, in order. */
static void put_steps(body &b, const std::vector<uint32_t> &numbers, size_t lines)
{
    bool plain = numbers.size() == lines;
    for (size_t i = 0; i < numbers.size(); i++)
        plain &= numbers[i] == i + 1;
    put(b, plain ? 0 : numbers.size());
    for (size_t i = 0; !plain && i < numbers.size(); i++)
        put(b, numbers[i]);
}

static void put_blocks(body &b, const routine &r)
{
    for (size_t i = 0; i < r.blocks.size(); i++) {
        std::vector<uint32_t> numbers;
        std::vector<expanded_location> lines = lines_of(r.block_steps[i], numbers);
        put(b, r.block_flags[i]);
        put(b, lines.size());
        for (const expanded_location &line : lines)
            put_place(b, line);
        put_steps(b, numbers, lines.size());
        put(b, r.block_sites[i]);
        if (r.block_flags[i] & DESCRIPTOR_BLOCK_CAUGHT)
            put(b, r.block_landing[i]);
    }
}

/* The linker fills in its constant, at the end of the record. */
static bool is_linked(const site &s)
{
    return s.sum.known && s.sum.symbol;
}

static void put_terms(body &b, const site &s)
{
    put(b, s.computed.size());
    for (const computed_term &term : s.computed) {
        put(b, term.group + 1);
        put(b, term.coefficient);
        put(b, term.plus);
        put(b, term.operation);
        put(b, term.operation == DESCRIPTOR_AND_BASE ? term.mask_group + 1 : term.operand);
    }
}

static void put_sites(body &b, const routine &r)
{
    for (const site &s : r.sites) {
        put(b, s.size > UINT32_MAX ? 0 : s.size);
        put(b, s.flags);
        put_place(b, expand_location(s.where));
        put_string(b, s.text);
        put(b, s.how * 2 + is_linked(s));
        put(b, s.group + 1);
        if (s.flags & DESCRIPTOR_SITE_BASE)
            put(b, s.target + 1);
        if (!is_linked(s))
            put(b, s.sum.constant);
        if (s.how == SITE_COMPUTED)
            put_terms(b, s);
    }
}

static void put_moves(body &b, const routine &r)
{
    put(b, r.moves.size());
    for (const base_move &move : r.moves) {
        put(b, move.edge);
        put(b, move.group);
        put(b, move.step);
        put(b, move.from + 1);
    }
}

static void put_edges(body &b, const routine &r)
{
    for (uint32_t i = 0; i < r.graph->edge_count; i++) {
        const ballarus_edge &e = r.graph->edge[i];
        put(b, e.from == BALLARUS_ENTRY ? 0 : e.from + 1);
        put(b, e.to == BALLARUS_EXIT ? 0 : e.to + 1);
        put(b, r.flows[i].kind * 8 + r.flows[i].from_goto.how * 2 + e.cut);
        put(b, e.value);
        if (r.flows[i].from_goto.how)
            put_place(b, expand_location(r.flows[i].from_goto.where));
    }
}

static std::string symbol_of(tree decl)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));
    return name + (*name == '*');
}

/* Without the numbers: `.constprop.isra` of `.constprop.0.isra.0`. */
static std::string without_numbers(const std::string &clones)
{
    std::string kinds;
    for (size_t at = 0, next; at < clones.size(); at = next) {
        next = std::min(clones.find('.', at + 1), clones.size());
        if (clones.find_first_not_of("0123456789", at + 1) < next)
            kinds += clones.substr(at, next - at);
    }
    return kinds;
}

/* As in the source. GCC calls all clones of one kind alike (`f.constprop`), so a clone gets its symbol's numbers, too:
 * `f.constprop.0`. */
static std::string name_of(tree decl)
{
    std::string symbol = symbol_of(decl);
    if (!DECL_NAME(decl))
        return symbol;
    std::string name = lang_hooks.decl_printable_name(decl, 1);
    size_t kind = name.find('.'), numbered = symbol.find('.');
    if (kind == name.npos || numbered == symbol.npos || without_numbers(symbol.substr(numbered)) != name.substr(kind))
        return name;
    return name.substr(0, kind) + symbol.substr(numbered);
}

static body make_body(const routine &r)
{
    body b;
    tree decl = r.fun->decl;
    put_string(b, name_of(decl));
    put_string(b, symbol_of(decl));
    put_place(b, expand_location(DECL_SOURCE_LOCATION(decl)));
    put(b, expand_location(r.fun->function_end_locus).line);
    put(b, r.graph->count);
    put(b, r.blocks.size());
    put(b, r.sites.size());
    put(b, r.graph->edge_count);
    put_blocks(b, r);
    put_sites(b, r);
    put_edges(b, r);
    put_moves(b, r);
    return b;
}

static std::vector<unsigned char> strings_of(const body &b)
{
    std::vector<unsigned char> bytes;
    add_u(bytes, b.strings.size());
    for (const std::string &text : b.strings) {
        add_u(bytes, text.size());
        bytes.insert(bytes.end(), text.begin(), text.end());
    }
    return bytes;
}

static void write_bytes(const std::vector<unsigned char> &bytes)
{
    for (size_t i = 0; i < bytes.size(); i++)
        fprintf(asm_out_file, "%s%u", i % 32 == 0 ? "\n\t.byte\t" : ",", bytes[i]);
    fputc('\n', asm_out_file);
}

static std::string group_of(const routine &r)
{
    symtab_node *node = symtab_node::get(r.fun->decl);
    tree comdat = node ? node->get_comdat_group_id() : NULL_TREE;
    if (comdat)
        return std::string(IDENTIFIER_POINTER(comdat)) + ",comdat";
    return ".Lweft_group" + std::to_string(r.id);
}

static void open_section(const char *name, const char *type, const routine &r)
{
    fprintf(asm_out_file, "\t.pushsection\t%s,\"G\",%%%s,%s\n", name, type, group_of(r).c_str());
}

/* Numbers for the three kinds. */
static void reserve(const char *section, const char *kind, uint64_t count, const routine &r)
{
    open_section(section, "nobits", r);
    fprintf(asm_out_file, ".Lweft_%s%u:\n", kind, r.id);
    if (count)
        fprintf(asm_out_file, "\t.skip\t%llu\n", (unsigned long long)count);
    fprintf(asm_out_file, "\t.popsection\n");
}

static unsigned flags_of(const routine &r)
{
    const options &o = weft_options;
    return (o.span ? DESCRIPTOR_SPAN : 0) | (o.memory && !o.inputs ? DESCRIPTOR_MEMORY : 0) |
           (o.values ? DESCRIPTOR_VALUES : 0) | (r.activation ? DESCRIPTOR_KSF : 0) |
           (o.oracle ? DESCRIPTOR_ORACLE : 0) | (o.derive == DERIVE_ACTIVATION ? DESCRIPTOR_ACTIVATION : 0) |
           (r.loops.empty() ? 0 : DESCRIPTOR_COUNTED) | (r.packed ? DESCRIPTOR_COUNTED | DESCRIPTOR_PACKED : 0);
}

/* A symbol for the function's address. That of a weak one may come to mean a function of another file. */
static std::string address_of(const routine &r)
{
    std::string symbol = symbol_of(r.fun->decl);
    if (!DECL_WEAK(r.fun->decl) || DECL_COMDAT_GROUP(r.fun->decl))
        return symbol;
    std::string own = ".Lweft_function" + std::to_string(r.id);
    fprintf(asm_out_file, "\t.thumb_set\t%s,%s\n", own.c_str(), symbol.c_str());
    return own;
}

static size_t linked_count(const routine &r)
{
    size_t count = 0;
    for (const site &s : r.sites)
        count += is_linked(s);
    return count;
}

static void write_constants(const routine &r)
{
    for (const site &s : r.sites) {
        if (is_linked(s))
            fprintf(asm_out_file, "\t.4byte\t%s+%d\n", symbol_of(s.sum.symbol).c_str(), (int32_t)s.sum.constant);
    }
}

/* Address and bases. */
static void write_linked(const routine &r, const std::string &address)
{
    fprintf(asm_out_file, "\t.4byte\t%s\n", address.c_str());
    fprintf(asm_out_file, "\t.4byte\t.Lweft_path%u,.Lweft_site%u,.Lweft_block%u\n", r.id, r.id, r.id);
}

static uint32_t sum_of(uint32_t crc, const std::vector<unsigned char> &bytes)
{
    crc = ~crc;
    for (unsigned char byte : bytes) {
        crc ^= byte;
        for (int i = 0; i < 8; i++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* The CRC-32 of all descriptions of this file: core/FORMAT.md, "Identity". Written at the file's end, as the sizes of
 * two sections that are never loaded. The linker adds up sizes, so no linker script has to know of them. */
static uint32_t identity;

/* What the linker puts between differently aligned parts depends on their order, and so does the sum. */
static void write_size(const char *section, unsigned size, unsigned alignment)
{
    fprintf(asm_out_file, "\t.pushsection\t%s,\"\",%%nobits\n\t.p2align\t%u\n\t.skip\t%u\n\t.popsection\n", section,
            alignment, size);
}

void describe_end()
{
    if (!identity)
        return;
    write_size("weft_id_low", identity & 0xffff, 4 + (identity >> 16) % 12);
    write_size("weft_id_high", identity >> 16, 4 + identity % 12);
}

void describe(const routine &r)
{
    body b = make_body(r);
    std::vector<unsigned char> strings = strings_of(b);
    identity = sum_of(sum_of(identity, strings), b.bytes);
    identity = sum_of(identity, {(unsigned char)DESCRIPTOR_VERSION, (unsigned char)flags_of(r)});
    reserve(".weft.paths", "path", r.graph->count + r.packed, r);
    reserve(".weft.sites", "site", r.sites.size(), r);
    reserve(".weft.blocks", "block", r.blocks.size(), r);
    open_section(".weft.desc", "progbits", r);
    const std::vector<unsigned char> kind = {(unsigned char)DESCRIPTOR_VERSION, (unsigned char)flags_of(r)};
    fprintf(asm_out_file, "\t.4byte\t%zu\n\t.byte\t87,68,%u,%u\n",
            DESCRIPTOR_HEAD_SIZE + strings.size() + b.bytes.size() + 2 * 4 * linked_count(r) + DESCRIPTOR_LINKED_SIZE +
                DESCRIPTOR_SUM_SIZE,
            kind[0], kind[1]);
    std::string address = address_of(r);
    write_linked(r, address);
    write_bytes(strings);
    write_bytes(b.bytes);
    write_constants(r);
    /* The check: what the linker fills in, again; and the sum of the rest. */
    write_constants(r);
    write_linked(r, address);
    fprintf(asm_out_file, "\t.4byte\t%u\n", sum_of(sum_of(sum_of(0, strings), b.bytes), kind));
    fprintf(asm_out_file, "\t.popsection\n");
}
