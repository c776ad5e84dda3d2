/* build - see build.h. Rows of hidden and context are turned into int8 codes whose scale makes them
 * of length 1, so that a sum of products is a cosine.
 */
#include "search/build.h"

#include "math/quant.h"
#include "model/pass.h"

#include <limits.h>
#include <math.h>

uint64_t build_keeps(void) {
    return trace_bit(TRACE_ATTENTION) | trace_bit(TRACE_V) | trace_bit(TRACE_HIDDEN) |
        trace_bit(TRACE_CONTEXT);
}

/* The place of a tensor's row, to be written. */
static unsigned char *row_of(const text_index *x, index_row_id row, int layer, int64_t index) {
    const index_tensor *t = index_find(x, row, layer);
    return (unsigned char *)(uintptr_t)t->at + index * t->row_bytes;
}

static void put_i32(unsigned char *at, int64_t value) {
    int32_t v = (int32_t)value;
    memcpy(at, &v, sizeof v);
}

static void put_i16(unsigned char *at, int value) {
    int16_t v = (int16_t)value;
    memcpy(at, &v, sizeof v);
}

static void put_sizes(text_index *x, const build_size *sizes, int count) {
    for (int i = 0; i < count; i++) {
        unsigned char *row = row_of(x, INDEX_SENTENCE, 0, i);
        int b = sizes[i].bytes[1];
        put_i32(row, sizes[i].tokens);
        put_i32(row + 8, sizes[i].bytes[0]);
        put_i32(row + 12, b);
        x->tokens_before[i + 1] = x->tokens_before[i] + sizes[i].tokens;
        x->bytes_before[i + 1] = x->bytes_before[i] + sizes[i].bytes[0] + (b > 0 ? b : 0);
    }
}

bool build_begin(text_index *x, const build_size *sizes, int count) {
    int64_t *n = x->numbers, tokens = 0, bytes = 0;
    for (int i = 0; i < count; i++) {
        tokens += sizes[i].tokens;
        bytes += sizes[i].bytes[0] + (sizes[i].bytes[1] > 0 ? sizes[i].bytes[1] : 0);
    }
    if (tokens > INT_MAX - 1)
        return error_set(x->err, "memory",
            "the corpus has %s tokens; an index takes up to 2,147,483,646, build it in parts",
            error_grouped((uint64_t)tokens).text);
    n[INDEX_TOKENS] = tokens, n[INDEX_SENTENCES] = count, n[INDEX_BYTES] = bytes;
    x->tokens_before = arena_take_array(x->memory, (size_t)count + 1, sizeof *x->tokens_before,
        "the sentences of an index");
    x->bytes_before = arena_take_array(x->memory, (size_t)count + 1, sizeof *x->bytes_before,
        "the sentences of an index");
    if (!x->tokens_before || !x->bytes_before || !index_plan(x) || !index_take(x)) return false;
    put_sizes(x, sizes, count);
    return true;
}

/* ---- tokens and words ---- */

/* [tokens] := the number of each token's word, -1 for none. */
static void number_words(const build_pass *p, bool parsed, int *out) {
    const encoding *e = p->text;
    int word = -1;
    for (int i = 0; i < e->count; i++) {
        const token *t = &e->tokens[i], *before = t - 1;
        out[i] = -1;
        if (parsed || t->sentence < 0 || t->word < 0) continue;
        if (!i || before->sentence != t->sentence || before->word != t->word) word++;
        out[i] = word;
    }
    for (int w = p->item->word_count - 1; parsed && w >= 0; w--)
        for (int i = 0; i < p->count[w]; i++) out[p->first[w] + i] = w;
}

static int governor_of(const build_pass *p, const corpus_word *word) {
    if (word->governor < 0) return word->governor == CORPUS_ROOT ? -1 : -2;
    return p->count[word->governor] ? p->first[word->governor] : -2;
}

/* The label of a word and of those at the same place, -1: none; they are added where names still grow. */
static int label_of(names *all, const corpus_item *item, int word, bool relations, arena *memory) {
    const corpus_word *w = &item->words[word];
    int count = 1, own = relations ? w->relation : w->tag;
    bool any = own >= 0;
    for (; word + count < item->word_count && w[count].from == w->from && w[count].to == w->to &&
        w[count].sentence == w->sentence;
        count++)
        any = any || (relations ? w[count].relation : w[count].tag) >= 0;
    if (count == 1 || !any) return own;
    writer joined;
    writer_init(&joined, memory);
    for (int i = 0; i < count; i++) {
        int number = relations ? w[i].relation : w[i].tag;
        if (i) writer_format(&joined, "+");
        writer_add(&joined, number < 0 ? span_of("_") : all->at[number]);
    }
    const char *text = writer_text(&joined);
    return text ? names_number(all, span_of(text)) : -1;
}

bool build_join_labels(const corpus *c, arena *memory, arena *scratch, error *err) {
    c->tags->memory = c->relations->memory = memory;
    for (int i = 0; c->format == CORPUS_CONLLU && i < c->count && !error_is_set(err); i++) {
        arena_mark mark = arena_here(scratch);
        corpus_item item;
        if (!corpus_read(c, i, &item, scratch, err)) break;
        for (int w = 0; w + 1 < item.word_count; w++)
            if (item.words[w].from == item.words[w + 1].from &&
                (!w || item.words[w - 1].from != item.words[w].from)) {
                label_of(c->tags, &item, w, false, memory);
                label_of(c->relations, &item, w, true, memory);
            }
        arena_release(scratch, mark);
    }
    c->tags->memory = c->relations->memory = NULL;
    return !error_is_set(err);
}

static bool put_tokens(text_index *x, const build_pass *p, arena *scratch) {
    const encoding *e = p->text;
    int64_t at = x->tokens_before[p->index];
    bool parsed = p->item->words != NULL;
    int *words = arena_take_array(scratch, (size_t)e->count, sizeof *words, "an index");
    if (!words) return false;
    number_words(p, parsed, words);
    for (int i = 0; i < e->count; i++, at++) {
        const token *t = &e->tokens[i];
        const corpus_word *word = parsed && words[i] >= 0 ? &p->item->words[words[i]] : NULL;
        unsigned char *place = row_of(x, INDEX_PLACES, 0, at);
        put_i32(row_of(x, INDEX_IDS, 0, at), t->id);
        put_i32(place, t->sentence);
        put_i32(place + 4, t->sentence < 0 ? 0 : t->from);
        put_i32(place + 8, t->sentence < 0 ? 0 : t->to);
        put_i32(row_of(x, INDEX_WORDS, 0, at), words[i]);
        put_i32(row_of(x, INDEX_GOVERNORS, 0, at), word ? governor_of(p, word) : -2);
        for (int r = 0; r < 2; r++)
            put_i16(row_of(x, r ? INDEX_RELATIONS : INDEX_TAGS, 0, at),
                word ? label_of(r ? p->corpus->relations : p->corpus->tags, p->item, words[i], r,
                           scratch)
                     : -1);
    }
    put_i32(row_of(x, INDEX_SENTENCE, 0, p->index) + 4, p->item->line);
    unsigned char *text = row_of(x, INDEX_TEXT, 0, x->bytes_before[p->index]);
    memcpy(text, p->item->text[0].at, p->item->text[0].size);
    if (p->item->has_b)
        memcpy(text + p->item->text[0].size, p->item->text[1].at, p->item->text[1].size);
    return true;
}

/* ---- what heads do ---- */

/* The nearest float of 16 bits (ties to even) of a number from 0 on; the largest where it is larger. */
static uint16_t half_of(double x) {
    int power;
    if (!(x < 65520)) return 0x7BFF;
    double fraction = frexp(x, &power);
    int unit = power < -13 ? -24 : power - 11;
    double units = x > 0 ? rint(ldexp(fraction, power - unit)) : 0; /* up to 2048 */
    int bits = (int)units + (power < -13 ? 0 : (power + 13) * 1024);
    return (uint16_t)(x > 0 ? bits : 0);
}

static bool put_layer(text_index *x, const build_pass *p, int layer, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    measure_input in = *p->in;
    int T = in.tokens, H = in.heads;
    float *moved = arena_take_raw_array(scratch, (size_t)H * (size_t)T, (size_t)T * sizeof *moved,
        "what the heads move");
    in.layer = layer;
    bool done = moved && measure_moved(&in, moved, scratch);
    for (int i = 0; done && i < T; i++) {
        int64_t at = x->tokens_before[p->index] + i;
        unsigned char *keys = row_of(x, INDEX_KEYS, layer, at),
                      *weights = row_of(x, INDEX_WEIGHTS, layer, at),
                      *moves = row_of(x, INDEX_MOVED, layer, at);
        for (int h = 0; h < H; h++) {
            const float *row = measure_head(&in, layer, h) + (int64_t)i * T;
            int best = 0;
            for (int j = 1; j < T; j++)
                if (row[j] > row[best]) best = j;
            uint16_t weight = (uint16_t)(row[best] * 65535.0 + 0.5),
                     half = half_of(moved[((int64_t)h * T + i) * T + best]);
            put_i16(keys + 2 * h, best - i);
            memcpy(weights + 2 * h, &weight, sizeof weight);
            memcpy(moves + 2 * h, &half, sizeof half);
        }
    }
    arena_release(scratch, mark);
    return done;
}

/* codes [n], and the scale that makes them a vector of length 1; a row of zeros stays, with scale 0. */
static float unit_codes(int8_t *codes, const float *row, int n) {
    int64_t squares = 0;
    quantise_weights(codes, row, n);
    for (int i = 0; i < n; i++) squares += codes[i] * codes[i];
    return squares ? (float)(1 / sqrt((double)squares)) : 0;
}

static void put_vectors(text_index *x, const build_pass *p, int layer) {
    int D = (int)x->numbers[INDEX_HIDDEN_WIDTH], d = (int)x->numbers[INDEX_WIDTH],
        H = index_heads(x);
    const float *hidden = pass_at(p->in->run, TRACE_HIDDEN, layer),
                *context = pass_at(p->in->run, TRACE_CONTEXT, layer);
    for (int64_t i = 0; i < p->in->tokens; i++) {
        int64_t at = x->tokens_before[p->index] + i;
        float scale = unit_codes((int8_t *)row_of(x, INDEX_HIDDEN, layer, at), hidden + i * D, D);
        int8_t *codes = (int8_t *)row_of(x, INDEX_CONTEXT, layer, at);
        unsigned char *scales = row_of(x, INDEX_CONTEXT_SCALE, layer, at);
        memcpy(row_of(x, INDEX_HIDDEN_SCALE, layer, at), &scale, sizeof scale);
        for (int h = 0; h < H; h++) {
            scale = unit_codes(codes + h * d, context + (i * H + h) * d, d);
            memcpy(scales + 4 * h, &scale, sizeof scale);
        }
    }
}

bool build_add(text_index *x, const build_pass *p, arena *scratch) {
    bool done = put_tokens(x, p, scratch);
    for (int layer = 0; done && layer < index_layers(x); layer++)
        done = put_layer(x, p, layer, scratch);
    for (int i = 0; done && i < x->vector_count; i++) put_vectors(x, p, x->vectors[i]);
    return done;
}
