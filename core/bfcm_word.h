/* SPDX-License-Identifier: MIT */
/* The body of core/bfcm for one width. Only core/bfcm.c includes it, with WORD and NAME defined.
 *
 * The stream around the cursor (`at` = p, context of n values), as in figure 5 of the paper:
 *
 *        v[0] .. v[p-n-1]   v[p-n] .. v[p-1]   v[p] .. v[count-1]
 *        FR: right context       window        BL: left context
 *
 * Before the stream stand n zeros. So there are always `count` entries: entry j < p is the FR entry of v[j-n], entry j
 * >= p the BL entry of v[j]. An entry is one flag (0 hit, 1 miss) in place, and for a miss the old content of the table
 * row, on a stack: FR misses grow up from the start of `misses`, BL misses down from its end. A row of `tables` holds
 * the FR word, then the BL word.
 *
 * last-n has one table for both directions: the list of the last n distinct values, most recent first. A flag is the
 * place of the value in the list (n: not in it), the same left and right of the cursor. A miss entry left of the
 * cursor keeps the value that fell off the list, right of it the new value: a step swaps the two. */

#ifdef WORD

static inline bool NAME_(is_stride)(const NAME *b)
{
    return (b->config.method & 1u) != 0;
}

static inline bool NAME_(is_last)(const NAME *b)
{
    return b->config.method >= WEFT_BFCM_LAST;
}

/* The cursor's changing fields, as locals: the compiler may keep these in registers while arrays are written. */
typedef struct NAME_(state) {
    WORD *tables, *misses;
    uint8_t *flags;
    size_t at, left, right, misses_max;
    WORD w0, w1, w2, w3, value, stride_mask;
    uint32_t k1, k2, row, shift;
    unsigned context;
} NAME_(state);

static inline uint32_t NAME_(mix)(WORD value)
{
    return (uint32_t)value ^ (uint32_t)((uint64_t)value >> 32);
}

/* The row of the window. Unused places are multiplied by 0, so that every context size takes the same instructions. */
static inline uint32_t NAME_(row)(const NAME_(state) *s)
{
    uint32_t sum = NAME_(mix)(s->w0) * HASH_0 + NAME_(mix)(s->w1) * s->k1 + NAME_(mix)(s->w2) * s->k2 +
                   NAME_(mix)(s->w3) * (s->k2 * HASH_3);
    return (sum ^ (sum >> 15)) * HASH_4 >> s->shift;
}

static inline NAME_(state) NAME_(load)(const NAME *b)
{
    unsigned context = b->config.context;
    NAME_(state) s = {
        .tables = b->config.tables,
        .misses = b->config.misses,
        .flags = b->config.flags,
        .at = b->at,
        .left = b->left,
        .right = b->right,
        .misses_max = b->config.misses_max,
        .w0 = b->window[0],
        .w1 = b->window[1],
        .w2 = b->window[2],
        .w3 = b->window[3],
        .value = b->value,
        .stride_mask = NAME_(is_stride)(b) ? (WORD)-1 : 0,
        .k1 = context > 1 ? HASH_1 : 0,
        .k2 = context > 2 ? HASH_2 : 0,
        .row = b->row,
        .shift = 32u - b->config.table_bits,
        .context = context,
    };
    return s;
}

static inline void NAME_(store)(NAME *b, const NAME_(state) *s)
{
    b->at = s->at;
    b->left = s->left;
    b->right = s->right;
    b->window[0] = s->w0;
    b->window[1] = s->w1;
    b->window[2] = s->w2;
    b->window[3] = s->w3;
    b->value = s->value;
    b->row = s->row;
}

/* The value that leaves the window on the left. */
static inline WORD NAME_(oldest)(const NAME_(state) *s)
{
    return s->context == 1 ? s->w0 : s->context == 2 ? s->w1 : s->w3;
}

static inline void NAME_(shift_right)(NAME_(state) *s, WORD symbol)
{
    s->w3 = s->context == 4 ? s->w2 : 0;
    s->w2 = s->context == 4 ? s->w1 : 0;
    s->w1 = s->context >= 2 ? s->w0 : 0;
    s->w0 = symbol;
}

static inline void NAME_(shift_left)(NAME_(state) *s, WORD symbol)
{
    if (s->context == 1) {
        s->w0 = symbol;
    } else if (s->context == 2) {
        s->w0 = s->w1;
        s->w1 = symbol;
    } else {
        s->w0 = s->w1;
        s->w1 = s->w2;
        s->w2 = s->w3;
        s->w3 = symbol;
    }
}

/* Compresses `symbol` into entry `entry` with one side's word of the current row. The caller has made sure of the
 * room. */
static inline bool NAME_(hit)(NAME_(state) *s, size_t entry, unsigned side, WORD symbol, WORD *old)
{
    WORD *word = &s->tables[2u * s->row + side];
    uint8_t bit = (uint8_t)(1u << (entry & 7u)), *flags = &s->flags[entry >> 3];
    if (*word == symbol) {
        if (*flags & bit)
            *flags = (uint8_t)(*flags & ~bit);
        return true;
    }
    *flags |= bit;
    *old = *word;
    *word = symbol;
    return false;
}

static inline bool NAME_(flag)(const NAME_(state) *s, size_t entry)
{
    return (s->flags[entry >> 3] >> (entry & 7u) & 1u) != 0;
}

/* Figure 5, forward traversal. `known`: a push, where the value comes from outside and there is no BL entry. */
static inline void NAME_(fcm_forward)(NAME_(state) *s, bool known, WORD symbol)
{
    if (!known) {
        WORD *word = &s->tables[2u * s->row + 1u];
        symbol = *word;
        if (NAME_(flag)(s, s->at))
            *word = s->misses[s->misses_max - s->right--];
    }
    WORD leaving = NAME_(oldest)(s), old;
    NAME_(shift_right)(s, symbol);
    s->row = NAME_(row)(s);
    if (!NAME_(hit)(s, s->at, 0, leaving, &old))
        s->misses[s->left++] = old;
    s->at++;
    s->value = (s->value & s->stride_mask) + symbol;
}

/* Figure 5, backward traversal. */
static inline void NAME_(fcm_backward)(NAME_(state) *s)
{
    size_t entry = s->at - 1;
    WORD *word = &s->tables[2u * s->row];
    WORD entering = *word, leaving = s->w0, old;
    if (NAME_(flag)(s, entry))
        *word = s->misses[--s->left];
    NAME_(shift_left)(s, entering);
    s->row = NAME_(row)(s);
    if (!NAME_(hit)(s, entry, 1, leaving, &old))
        s->misses[s->misses_max - ++s->right] = old;
    s->at = entry;
    s->value = s->stride_mask ? s->value - leaving : s->w0;
}

/* A field of `bits` (1, 2 or 4) bits. */
static inline unsigned NAME_(field)(const uint8_t *flags, size_t entry, unsigned bits)
{
    size_t bit = entry * bits;
    return flags[bit >> 3] >> (bit & 7u) & ((1u << bits) - 1u);
}

static inline void NAME_(field_set)(uint8_t *flags, size_t entry, unsigned bits, unsigned value)
{
    size_t bit = entry * bits;
    unsigned mask = ((1u << bits) - 1u) << (bit & 7u);
    flags[bit >> 3] = (uint8_t)((flags[bit >> 3] & ~mask) | value << (bit & 7u));
}

/* Moves the list's element `from` to place `to`, shifting those between. */
static inline void NAME_(rotate)(WORD *list, unsigned from, unsigned to)
{
    WORD moved = list[from];
    for (; from > to; from--)
        list[from] = list[from - 1];
    for (; from < to; from++)
        list[from] = list[from + 1];
    list[to] = moved;
}

static inline void NAME_(last_forward)(NAME_(state) *s, unsigned bits)
{
    unsigned n = s->context, place = NAME_(field)(s->flags, s->at, bits);
    if (place == n) {
        WORD symbol = s->misses[s->misses_max - s->right--];
        s->misses[s->left++] = s->tables[n - 1];
        s->tables[n - 1] = symbol;
        place = n - 1;
    }
    if (place)
        NAME_(rotate)(s->tables, place, 0);
    s->at++;
    s->value = (s->value & s->stride_mask) + s->tables[0];
}

static inline void NAME_(last_backward)(NAME_(state) *s, unsigned bits)
{
    unsigned n = s->context, place = NAME_(field)(s->flags, s->at - 1, bits);
    WORD symbol = s->tables[0];
    if (place)
        NAME_(rotate)(s->tables, 0, place == n ? n - 1 : place);
    if (place == n) {
        s->tables[n - 1] = s->misses[--s->left];
        s->misses[s->misses_max - ++s->right] = symbol;
    }
    s->at--;
    s->value = s->stride_mask ? s->value - symbol : 0;
}

static weft_status NAME_(last_push)(NAME *b, WORD symbol)
{
    WORD *list = b->config.tables;
    unsigned n = b->config.context, place = 0, bits = weft_bfcm_flag_bits(b->config.method, n);
    while (place < n && list[place] != symbol)
        place++;
    if (place == n) {
        if (b->left + b->right >= b->config.misses_max)
            return WEFT_FULL;
        b->config.misses[b->left++] = list[n - 1];
        list[n - 1] = symbol;
    }
    NAME_(rotate)(list, place == n ? n - 1 : place, 0);
    NAME_(field_set)(b->config.flags, b->at, bits, place);
    b->at++;
    return WEFT_OK;
}

static void NAME_(clear)(const NAME_(config) *config)
{
    size_t words = weft_bfcm_table_words(config->method, config->context, config->table_bits);
    memset(config->tables, 0, words * sizeof(WORD));
}

weft_status NAME_(init)(NAME *b, const NAME_(config) *config)
{
    size_t words = weft_bfcm_table_words(config->method, config->context, config->table_bits);
    if (!words || !config->tables || (config->values_max && !config->flags) || (config->misses_max && !config->misses))
        return WEFT_CONFIG;
    memset(b, 0, sizeof *b);
    b->config = *config;
    NAME_(clear)(config);
    if (config->values_max)
        memset(config->flags, 0, weft_bfcm_flags_size(config->method, config->context, config->values_max));
    return WEFT_OK;
}

weft_status NAME_(push)(NAME *b, WORD value)
{
    if (b->at != b->count)
        return WEFT_CONFIG;
    if (b->count == b->config.values_max)
        return WEFT_FULL;
    WORD symbol = NAME_(is_stride)(b) ? value - b->value : value;
    if (NAME_(is_last)(b)) {
        weft_status status = NAME_(last_push)(b, symbol);
        if (status != WEFT_OK)
            return status;
        b->value = value;
    } else {
        if (b->left + b->right >= b->config.misses_max)
            return WEFT_FULL;
        NAME_(state) s = NAME_(load)(b);
        NAME_(fcm_forward)(&s, true, symbol);
        NAME_(store)(b, &s);
    }
    b->count++;
    return WEFT_OK;
}

/* Steps that cannot run out of room: each adds at most one miss. */
static size_t NAME_(safe_steps)(const NAME *b, size_t steps)
{
    size_t room = b->config.misses_max - b->left - b->right;
    if (NAME_(is_last)(b) || b->config.misses_max >= b->config.values_max)
        return steps;
    return steps < room ? steps : room;
}

size_t NAME_(forward)(NAME *b, WORD *out, size_t steps)
{
    size_t left = b->count - b->at, done = 0;
    steps = NAME_(safe_steps)(b, steps < left ? steps : left);
    NAME_(state) s = NAME_(load)(b);
    unsigned bits = weft_bfcm_flag_bits(b->config.method, b->config.context);
    if (NAME_(is_last)(b)) {
        for (; done < steps; done++) {
            NAME_(last_forward)(&s, bits);
            if (out)
                out[done] = s.value;
        }
    } else {
        for (; done < steps; done++) {
            NAME_(fcm_forward)(&s, false, 0);
            if (out)
                out[done] = s.value;
        }
    }
    NAME_(store)(b, &s);
    return done;
}

size_t NAME_(backward)(NAME *b, WORD *out, size_t steps)
{
    size_t done = 0;
    steps = NAME_(safe_steps)(b, steps < b->at ? steps : b->at);
    NAME_(state) s = NAME_(load)(b);
    unsigned bits = weft_bfcm_flag_bits(b->config.method, b->config.context);
    if (NAME_(is_last)(b)) {
        for (; done < steps; done++) {
            if (out)
                out[done] = s.stride_mask ? s.value : s.tables[0];
            NAME_(last_backward)(&s, bits);
        }
        if (!s.stride_mask)
            s.value = s.at ? s.tables[0] : 0;
    } else {
        for (; done < steps; done++) {
            if (out)
                out[done] = s.value;
            NAME_(fcm_backward)(&s);
        }
    }
    NAME_(store)(b, &s);
    return done;
}

bool NAME_(check)(const NAME *b)
{
    if (b->at > b->count || b->count > b->config.values_max || b->left + b->right > b->config.misses_max)
        return false;
    if (b->at == 0 && (b->left || b->value))
        return false;
    if (b->at == b->count && b->right)
        return false;
    NAME_(state) s = NAME_(load)(b);
    return NAME_(is_last)(b) || s.row == (b->at || s.w0 ? NAME_(row)(&s) : 0);
}

#endif
