/* alignment - the alignment error rate (Och and Ney 2003) of each head that looks from a target at its source, against gold
 * alignments of their words; of models of two stacks.
 *
 * An item is a source, a target and, as its label, the gold links in Pharaoh's form: 0-0 2-1 3?1, word of the source and word of
 * the target, - where a link is sure, ? (or p) where it is possible; a sure one is possible, too. Words are what white space
 * separates, as whoever made the gold has numbered them; "first": 1 where the numbers begin at 1. "prefix" goes before each
 * source and is no word of it: what T5 is told to do ("translate English to German: "), a language code (">>fra<< ").
 *
 * Of a head: the weight from a word of the target to one of the source is the sum over the pieces of the latter and the mean over
 * the pieces of the former, and each word of the target is linked to the word of the source with the largest weight (of equal
 * ones the first); </s> is no word, and one that was cut off has no link. Which row a piece of the target has is asked both ways:
 * "says", the row that predicts it, and "reads", the row that has it as input, one further on. With A the links of all texts,
 * S the sure and P the possible ones: 1 - (|A∩S| + |A∩P|) / (|A| + |S|). The rule is the diagonal: word j of T is linked to
 * the word of the source at (j + 1/2) / T of its S words.
 *
 * Intervals: 95 % by a bootstrap over the texts, REPLICATES times; a text counts as often as Poisson's distribution with mean 1
 * says, drawn by its number, so that parts merge to the same bits. The best of many heads is the best by chance, too: "held_out"
 * chooses it on one half of the texts, and measures it on the other.
 */
#include "study/columns.h"
#include "study/study.h"

#ifndef HEADLIGHT_ONE_STACK
#include "base/format.h"
#include "study/draw.h"
#include "text/unicode/unicode.h"

#include <math.h>
#include <stdlib.h>

enum { REPLICATES = 200, ALL = 0, HALVES = REPLICATES + 1, ROWS = HALVES + 2 };
enum { SAYS, READS, SHIFTS, DIAGONAL = SHIFTS, KINDS_OF_SHIFT };
enum { SURE, POSSIBLE, WORDS, COUNTS };
static const char *const shift_names[SHIFTS] = {"says", "reads"};

/* A row has what is right of each head and shift and of the diagonal, and then what there is, of each shift and the diagonal. */
static int width(const study *v) { return SHIFTS * study_heads(v) + 1 + KINDS_OF_SHIFT; }
static int column(const study *v, int shift, int head) { return shift * study_heads(v) + head; }
static int total(const study *v, int shift) { return SHIFTS * study_heads(v) + 1 + shift; }
static int64_t *row_of(const study *v, int row) { return v->sums + (int64_t)row * width(v); }
static int64_t *counts_of(const study *v) { return row_of(v, ROWS); }

static bool plan(study *v) {
    double first;
    const json_value *prefix = json_get(v->options, "prefix");
    v->sum_count = ROWS * width(v) + COUNTS;
    if (!study_has_model(v) || !study_number(v, v->options, "first", 0, 1, 0, &first)) return false;
    if (prefix && prefix->type != JSON_STRING)
        return error_set(v->err, "state", "the option prefix must be a text");
    return v->has_pairs || !v->corpus ||
        error_set(v->err, "state",
            "the corpus has no targets; give a table of sources, targets and alignments, and say its columns "
            "(--columns SOURCE,TARGET,ALIGNMENT)");
}

/* ---- the words of a text ---- */

typedef struct text_words {
    int count, tokens;
    int *of;     /* [tokens] the word that a token is of, -1: none */
    int *pieces; /* [count] how many tokens */
} text_words;

/* Code points of the next word from *at on. */
static bool next_word(span text, size_t *at, int *letter, int *from, int *to) {
    bool inside = false;
    int32_t cp;
    while (*at < text.size) {
        size_t size = (size_t)unicode_decode(text.at + *at, text.size - *at, &cp);
        bool space = unicode_is(cp, UNICODE_SPACE);
        if (inside && space) break;
        if (!inside && !space) *from = *letter, inside = true;
        *at += size, ++*letter;
    }
    *to = *letter;
    return inside;
}

/* `before`: code points that stand before the text and are no words. */
static bool read_words(text_words *w, span text, int before, const encoding *read, arena *scratch) {
    size_t at = 0;
    int letter = 0, from = 0, to = 0, next = 0;
    *w = (text_words){.tokens = read->count};
    w->of =
        arena_take_array(scratch, (size_t)read->count + 1, sizeof *w->of, "the words of a text");
    w->pieces =
        arena_take_array(scratch, text.size / 2 + 1, sizeof *w->pieces, "the words of a text");
    if (!w->of || !w->pieces) return false;
    for (int i = 0; i < read->count; i++) w->of[i] = -1;
    for (; next_word(text, &at, &letter, &from, &to); w->count++)
        for (int i = next; i < read->count; i++) {
            const token *t = &read->tokens[i];
            if (t->sentence < 0 || t->to - before <= from || w->of[i] >= 0) continue;
            if (t->from - before >= to) break;
            w->of[i] = w->count;
            w->pieces[w->count]++;
            next = i;
        }
    return true;
}

/* ---- the gold links ---- */

typedef struct gold {
    int sources, targets, sure, possible;
    unsigned char *links; /* [targets, sources]: 0 none, 1 possible, 2 sure */
} gold;

static bool bad_link(const study *v, const corpus_item *item, span link, const char *expected) {
    return error_set(v->err, "text", "line %d: the alignment has \"%s\", expected %s", item->line,
        error_quote(link.at, link.size).text, expected);
}

static bool take_number(span *rest, int *out) {
    size_t digits = 0;
    *out = 0;
    for (;
        digits < rest->size && rest->at[digits] >= '0' && rest->at[digits] <= '9' && *out < 1000000;
        digits++)
        *out = 10 * *out + rest->at[digits] - '0';
    rest->at += digits, rest->size -= digits;
    return digits;
}

static bool add_link(const study *v, const corpus_item *item, span link, int first, gold *g) {
    span rest = link;
    int from = 0, to = 0;
    char sign = 0;
    bool good = take_number(&rest, &from) && rest.size;
    if (good) sign = *rest.at++, rest.size--;
    if (!good || !strchr("-?p", sign) || !take_number(&rest, &to) || rest.size)
        return bad_link(v, item, link,
            "links like 0-0 or 1?2 (word of the source, word of the target)");
    from -= first, to -= first;
    if (!g->sources || !g->targets)
        return bad_link(v, item, link, "none, since the source or the target has no words");
    if (from < 0 || from >= g->sources || to < 0 || to >= g->targets) {
        char expected[120];
        format_text(expected, sizeof expected,
            "words %d to %d of the source and %d to %d of the target", first,
            first + g->sources - 1, first, first + g->targets - 1);
        return bad_link(v, item, link, expected);
    }
    unsigned char *one = &g->links[to * g->sources + from], kind = sign == '-' ? 2 : 1;
    g->possible += !*one, g->sure += kind == 2 && *one < 2;
    if (kind > *one) *one = kind;
    return true;
}

static bool read_gold(const study *v, const corpus_item *item, gold *g, arena *scratch) {
    double first;
    span rest = item->label;
    g->links = arena_take_array(scratch, (size_t)g->sources * (size_t)g->targets + 1, 1,
        "the links of a text");
    if (!g->links || !study_number(v, v->options, "first", 0, 1, 0, &first)) return false;
    while (rest.size) {
        span link = {rest.at, 0};
        while (link.size < rest.size && link.at[link.size] != ' ') link.size++;
        rest.at += link.size, rest.size -= link.size;
        if (link.size && !add_link(v, item, link, (int)first, g)) return false;
        while (rest.size && *rest.at == ' ') rest.at++, rest.size--;
    }
    return true;
}

/* ---- the links of a head ---- */

/* Adds a row of a map to the weights of a word of the target on those of the source. */
static void add_row(const text_words *source, const float *row, double *weights) {
    for (int j = 0; j < source->tokens; j++)
        if (source->of[j] >= 0) weights[source->of[j]] += (double)row[j];
}

static int largest(const double *weights, int count) {
    int best = 0;
    for (int j = 1; j < count; j++)
        if (weights[j] > weights[best]) best = j;
    return best;
}

/* Of what a link is: 0 none, 1 possible, 2 sure: it counts for P, and for S. */
static int worth(const gold *g, int to, int from) { return g->links[to * g->sources + from]; }

/* The rows of a word of the target that there are; the first in *row. */
static int rows_of(const text_words *target, int *token, int word, int shift, int *row) {
    int count = 0;
    while (*token < target->tokens && target->of[*token] != word) ++*token;
    *row = *token + (shift == READS);
    for (; *token < target->tokens && target->of[*token] == word; ++*token)
        count += *token + (shift == READS) < target->tokens;
    return count;
}

/* One head: what is right of its links, and in *linked how many there are. */
static int right_of(const gold *g, const text_words *source, const text_words *target, int shift,
    const float *map, double *weights, int *linked) {
    int right = 0, token = 0;
    *linked = 0;
    for (int to = 0; to < g->targets; to++) {
        int row, rows = target->pieces[to] ? rows_of(target, &token, to, shift, &row) : 0;
        if (!rows) continue;
        for (int j = 0; j < g->sources; j++) weights[j] = 0;
        for (int r = row; r < row + rows; r++)
            add_row(source, map + (int64_t)r * source->tokens, weights);
        right += worth(g, to, largest(weights, g->sources));
        ++*linked;
    }
    return right;
}

static int right_of_diagonal(const gold *g) {
    int right = 0;
    for (int to = 0; to < g->targets; to++)
        right +=
            worth(g, to, (int)((2 * (int64_t)to + 1) * g->sources / (2 * (int64_t)g->targets)));
    return right;
}

/* ---- the sums ---- */

/* How often a text counts in a replicate: Poisson's distribution with mean 1, by its cumulative shares. */
static int weight_of(int index, int replicate) {
    static const double upto[] = {0.36787944117144233, 0.7357588823428847, 0.9196986029286058,
        0.9810118431238462, 0.9963401531726563, 0.9994058151824183, 0.9999167588507119,
        0.9999897508033253, 0.9999988747974020};
    uint64_t state = (uint64_t)index * 0x632BE59BD9B4E019u + (uint64_t)replicate;
    draw_next(&state);
    double u = (double)(draw_next(&state) >> 11) * 0x1p-53;
    int k = 0;
    while (k < 9 && u >= upto[k]) k++;
    return k;
}

static int half_of(int index) {
    uint64_t state = (uint64_t)index;
    return (int)(draw_next(&state) & 1);
}

static void add_to_rows(study *v, int index, const int *values) {
    for (int row = 0; row < ROWS; row++) {
        int times = row == ALL ? 1
            : row < HALVES     ? weight_of(index, row)
                               : half_of(index) == row - HALVES;
        for (int i = 0; times && i < width(v); i++) row_of(v, row)[i] += (int64_t)times * values[i];
    }
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    const study_decoded *d = p->decoded;
    text_words source, target;
    int heads = study_heads(v), linked = 0;
    if (!read_words(&source, p->item->text[0], d->prefix, p->text, scratch) ||
        !read_words(&target, p->item->text[1], 0, d->target, scratch))
        return false;
    gold g = {.sources = source.count, .targets = target.count};
    double *weights =
        arena_take_array(scratch, (size_t)g.sources + 1, sizeof *weights, "the links of a text");
    int *values =
        arena_take_array(scratch, (size_t)width(v), sizeof *values, "the links of a text");
    if (!weights || !values || !read_gold(v, p->item, &g, scratch)) return false;
    if (!g.sources || !g.targets) return true;
    for (int shift = 0; shift < SHIFTS; shift++) {
        for (int h = 0; h < heads; h++)
            values[column(v, shift, h)] = right_of(&g, &source, &target, shift,
                d->maps[h / v->heads] + (int64_t)(h % v->heads) * target.tokens * source.tokens,
                weights, &linked);
        values[total(v, shift)] = linked + g.sure;
    }
    values[column(v, DIAGONAL, 0)] = right_of_diagonal(&g);
    values[total(v, DIAGONAL)] = g.targets + g.sure;
    add_to_rows(v, p->index, values);
    counts_of(v)[SURE] += g.sure;
    counts_of(v)[POSSIBLE] += g.possible;
    counts_of(v)[WORDS] += g.targets;
    return true;
}

/* ---- the answer ---- */

static double rate(const study *v, int row, int shift, int head) {
    const int64_t *sums = row_of(v, row);
    int64_t all = sums[total(v, shift)];
    return all ? 1 - (double)sums[column(v, shift, head)] / (double)all : NAN;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The value at a share of sorted ones, between two of them where it falls there. */
static double quantile(const double *sorted, int count, double share) {
    double at = share * (count - 1);
    int below = (int)at;
    if (count < 2 || below + 1 >= count) return count ? sorted[count - 1] : NAN;
    return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

/* Of a head, or (`less`) of what the diagonal's rate is below its own. */
static void bootstrap(const study *v, int shift, int head, bool less, double *low, double *high) {
    double values[REPLICATES];
    int count = 0;
    for (int i = 1; i <= REPLICATES; i++) {
        double value = rate(v, i, shift, head) - (less ? rate(v, i, DIAGONAL, 0) : 0);
        if (!isnan(value)) values[count++] = value;
    }
    if (v->done_count < 2) count = 0;
    qsort(values, (size_t)count, sizeof *values, compare);
    *low = quantile(values, count, 0.025);
    *high = quantile(values, count, 0.975);
}

static int best_of(const study *v, int row) {
    int best = 0;
    for (int i = 1; i < SHIFTS * study_heads(v); i++) {
        double mine = rate(v, row, i / study_heads(v), i % study_heads(v)),
               its = rate(v, row, best / study_heads(v), best % study_heads(v));
        if (mine < its || (isnan(its) && !isnan(mine))) best = i;
    }
    return best;
}

static void write_numbers(writer *w, const char *name, double value) {
    study_write_key(w, name);
    study_write_number(w, value);
}

static void write_rate(const study *v, int shift, int head, writer *w) {
    double low, high;
    bootstrap(v, shift, head, false, &low, &high);
    writer_format(w, "\"aer\":");
    study_write_number(w, rate(v, ALL, shift, head));
    write_numbers(w, "low", low);
    write_numbers(w, "high", high);
}

static void write_head(const study *v, int shift, int head, writer *w) {
    writer_format(w, "{\"shift\":\"%s\",\"layer\":%d,\"head\":%d,", shift_names[shift],
        head / v->heads, head % v->heads);
}

static void write_best(const study *v, writer *w) {
    int heads = study_heads(v), best = best_of(v, ALL), chosen = best_of(v, HALVES);
    double low, high;
    study_write_key(w, "diagonal");
    writer_format(w, "{");
    write_rate(v, DIAGONAL, 0, w);
    writer_format(w, "},\"best\":");
    write_head(v, best / heads, best % heads, w);
    write_rate(v, best / heads, best % heads, w);
    bootstrap(v, best / heads, best % heads, true, &low, &high);
    write_numbers(w, "less_diagonal",
        rate(v, ALL, best / heads, best % heads) - rate(v, ALL, DIAGONAL, 0));
    write_numbers(w, "less_low", low);
    write_numbers(w, "less_high", high);
    writer_format(w, "},\"held_out\":");
    write_head(v, chosen / heads, chosen % heads, w);
    writer_format(w, "\"aer\":");
    study_write_number(w, rate(v, HALVES + 1, chosen / heads, chosen % heads));
    write_numbers(w, "diagonal", rate(v, HALVES + 1, DIAGONAL, 0));
    writer_format(w, "}");
}

typedef struct table {
    const study *v;
    const double *low, *high;
} table;
static double rate_at(const void *from, int i) {
    const table *t = from;
    return rate(t->v, ALL, i / study_heads(t->v), i % study_heads(t->v));
}
static double low_at(const void *from, int i) { return ((const table *)from)->low[i]; }
static double high_at(const void *from, int i) { return ((const table *)from)->high[i]; }

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    int heads = study_heads(v), all = SHIFTS * heads;
    double *bounds =
        arena_take_array(scratch, 2 * (size_t)all, sizeof *bounds, "the answer of a study");
    const int64_t *counts = counts_of(v);
    (void)ask;
    if (!bounds) return false;
    for (int i = 0; i < all; i++)
        bootstrap(v, i / heads, i % heads, false, &bounds[i], &bounds[all + i]);
    table t = {v, bounds, bounds + all};
    writer_format(w, ",\"sure\":%lld,\"possible\":%lld,\"words\":%lld,\"measures\":[\"%s\",\"%s\"]",
        (long long)counts[SURE], (long long)counts[POSSIBLE], (long long)counts[WORDS],
        shift_names[SAYS], shift_names[READS]);
    columns_write(w, "aer", SHIFTS, heads, rate_at, &t);
    columns_write(w, "low", SHIFTS, heads, low_at, &t);
    columns_write(w, "high", SHIFTS, heads, high_at, &t);
    write_best(v, w);
    return true;
}

const study_kind study_alignment = {.name = "alignment",
    .options = "first prefix",
    .plan = plan,
    .add = add,
    .answer = answer,
    .alone = true,
    .decodes = true};
#endif
