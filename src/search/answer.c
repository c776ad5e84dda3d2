/* answer - asks a question and writes the answer: {"question", "index": what it is of, "candidates",
 * "matches", "rows": [{"rank", "sentence", "line", "text", the token or a head's query and key, and
 * cosine, or weight and moved}], "bars": [{"of", "by", "matches", "sentences", "others", "labels": [...]}]}.
 * Of an index beside: "beside", what it is of, and in each label what its own answer counts.
 * Numbers have 15 digits. As a table: its rows, or its bars.
 */
#include "search/bars.h"

#include "study/csv.h"

#include <math.h>

enum { LABELS_SHOWN = 30 };

static const char *const by_names[] = {[BY_POS] = "pos",
    [BY_RELATION] = "relation",
    [BY_WORD] = "word",
    [BY_OFFSET] = "offset",
    [BY_WORDS] = "words"};
static const char *const side_names[] = {[SIDE_MATCH] = "match",
    [SIDE_QUERY] = "query",
    [SIDE_KEY] = "key",
    [SIDE_BEFORE] = "before",
    [SIDE_AFTER] = "after",
    [SIDE_PAIR] = "pair"};

void search_write_number(writer *w, double value) {
    if (isfinite(value)) writer_format(w, "%.15g", value);
    else writer_format(w, "null");
}

static void write_number(writer *w, const char *name, double value) {
    writer_format(w, ",\"%s\":", name);
    search_write_number(w, value);
}

static void write_string(writer *w, const char *name, span text) {
    writer_format(w, ",\"%s\":", name);
    writer_string(w, text);
}

/* ---- rows ---- */

/* What an added token reads as. */
static span added_text(const text_index *x, int id) {
    span list = x->texts[INDEX_ADDED];
    for (int i = 0; i < index_item_count(list); i++) {
        span one = index_item(list, i);
        int number = 0;
        size_t at = 0;
        for (; at < one.size && at < 9 && one.at[at] >= '0' && one.at[at] <= '9'; at++)
            number = 10 * number + (one.at[at] - '0');
        if (number == id && at < one.size && one.at[at] == ' ')
            return (span){one.at + at + 1, one.size - at - 1};
    }
    return (span){"", 0};
}

/* "token" within the sentence, where in its text, and its word. */
static void write_token(writer *w, const search *s, const char *name, int token, int sentence) {
    const text_index *x = s->x;
    int which = index_i32(s->places, 3 * (int64_t)token),
        from = index_i32(s->places, 3 * (int64_t)token + 1),
        to = index_i32(s->places, 3 * (int64_t)token + 2), word = s->words->of_token[token],
        tag = index_i16(s->tags, token), relation = index_i16(s->relations, token);
    writer_format(w, ",\"%s\":{\"token\":%d,\"id\":%d", name,
        token - (int)x->tokens_before[sentence], index_i32(s->ids, token));
    if (which < 0) write_string(w, "added", added_text(x, index_i32(s->ids, token)));
    else writer_format(w, ",\"part\":%d,\"from\":%d,\"to\":%d", which, from, to);
    if (word >= 0) write_string(w, "word", s->words->forms.at[s->words->form[word]]);
    if (tag >= 0) write_string(w, "pos", index_item(x->texts[INDEX_TAG_NAMES], tag));
    if (relation >= 0)
        write_string(w, "relation", index_item(x->texts[INDEX_RELATION_NAMES], relation));
    writer_format(w, "}");
}

static void write_row(writer *w, const search *s, int rank) {
    const text_index *x = s->x;
    const match *m = &s->found.at[rank];
    int sentence = search_sentence(x, m->token);
    span b = index_text_of(x, sentence, 1);
    writer_format(w, "{\"rank\":%d,\"sentence\":%d,\"line\":%d", rank + 1, sentence,
        index_i32(index_find(x, INDEX_SENTENCE, 0), 4 * (int64_t)sentence + 1));
    write_string(w, "text", index_text_of(x, sentence, 0));
    if (b.at) write_string(w, "text_b", b);
    write_token(w, s, m->key < 0 ? "match" : "query", m->token, sentence);
    if (m->key >= 0) {
        write_token(w, s, "key", m->key, sentence);
        writer_format(w, ",\"offset\":%d", m->key - m->token);
        write_number(w, "weight",
            index_u16(s->weights, (int64_t)m->token * index_heads(x) + s->q.head) / 65535.0);
        write_number(w, "moved", m->value);
    } else if (s->q.kind != ASK_FIND) {
        write_number(w, "cosine", m->value);
    }
    writer_format(w, "}");
}

static bool write_rows(writer *w, const search *s, arena *scratch) {
    int *picked = arena_take_array(scratch, (size_t)s->q.rows + 10, sizeof *picked, "a search");
    int rows = picked ? search_rows(s, picked) : 0;
    writer_format(w, ",\"rows\":[");
    for (int i = 0; i < rows; i++) {
        if (i) writer_format(w, ",");
        write_row(w, s, picked[i]);
    }
    writer_format(w, "]");
    return picked != NULL;
}

/* ---- bars ---- */

static const char *claim_of(const bar *b) {
    if (!(b->adjusted < 0.05)) return "null";
    return (double)b->count > b->expected ? "\"more\"" : "\"less\"";
}

/* What is found, and how sure. */
static void write_finding(writer *w, const bars *set, const bar *b) {
    interval around = bars_interval(set, b);
    writer_format(w, "\"count\":%lld", (long long)b->count);
    write_number(w, "share", b->share);
    write_number(w, "base", b->base);
    write_number(w, "lift", b->share / b->base);
    write_number(w, "low", around.low / b->base);
    write_number(w, "high", around.high / b->base);
}

static void write_chance(writer *w, const bars *set, const bar *b) {
    write_number(w, "expected", b->expected / (double)set->matches);
    write_number(w, "p", b->p);
    write_number(w, "adjusted", b->adjusted);
    writer_format(w, ",\"claim\":%s", claim_of(b));
}

typedef struct bar_sets {
    bars at[BARS_MOST];
    int count;
} bar_sets;

/* The same label of the same set; null where its sentences have none. */
static void write_beside(writer *w, const bar_sets *other, const bars *set, const bar *b) {
    for (int i = 0; i < other->count; i++) {
        const bars *theirs = &other->at[i];
        for (int k = 0; theirs->side == set->side && theirs->by == set->by && k < theirs->count;
            k++)
            if (theirs->at[k].label == b->label && theirs->at[k].label_to == b->label_to) {
                writer_format(w, ",\"beside\":{");
                write_finding(w, theirs, &theirs->at[k]);
                write_chance(w, theirs, &theirs->at[k]);
                writer_format(w, "}");
                return;
            }
    }
    writer_format(w, ",\"beside\":null");
}

/* Two linked words: together, and each. */
static void write_link(writer *w, const search *s, const bar *b) {
    span query = s->words->forms.at[b->label], key = s->words->forms.at[b->label_to];
    static const char arrow[] = " \u2192 ";
    char both[2 * WORD_LONGEST + sizeof arrow];
    size_t between = query.size + sizeof arrow - 1;
    memcpy(both, query.at, query.size);
    memcpy(both + query.size, arrow, sizeof arrow - 1);
    memcpy(both + between, key.at, key.size);
    writer_format(w, "{\"label\":");
    writer_string(w, (span){both, between + key.size});
    write_string(w, "query", query);
    write_string(w, "key", key);
}

static void write_bar(writer *w, const search *s, const bars *set, const bar *b,
    const bar_sets *other) {
    const text_index *x = s->x;
    if (set->by == BY_OFFSET) writer_format(w, "{\"label\":%d", b->label);
    else if (set->by == BY_WORDS) write_link(w, s, b);
    else {
        writer_format(w, "{\"label\":");
        writer_string(w,
            set->by == BY_WORD      ? s->words->forms.at[b->label]
                : set->by == BY_POS ? index_item(x->texts[INDEX_TAG_NAMES], b->label)
                                    : index_item(x->texts[INDEX_RELATION_NAMES], b->label));
    }
    writer_format(w, ",");
    write_finding(w, set, b);
    write_chance(w, set, b);
    if (other) write_beside(w, other, set, b);
    writer_format(w, "}");
}

/* other: the search beside, or NULL */
static bool write_bars(writer *w, const search *s, const search *other, arena *scratch) {
    bar_sets all = {.count = 0}, theirs = {.count = 0};
    if (s->q.bars && !bars_count(s, all.at, &all.count, scratch)) return false;
    if (s->q.bars && other && !bars_count(other, theirs.at, &theirs.count, scratch)) return false;
    writer_format(w, ",\"bars\":[");
    for (int i = 0; i < all.count; i++) {
        const bars *set = &all.at[i];
        writer_format(w,
            "%s{\"of\":\"%s\",\"by\":\"%s\",\"matches\":%lld,\"sentences\":%lld,\"others\":%lld,"
            "\"tested\":%s,\"count\":%d,\"labels\":[",
            i ? "," : "", side_names[set->side], by_names[set->by], (long long)set->matches,
            (long long)set->sentences, (long long)set->others, set->tested ? "true" : "false",
            set->count);
        for (int k = 0; k < set->count && k < LABELS_SHOWN; k++) {
            if (k) writer_format(w, ",");
            write_bar(w, s, set, &set->at[k], other ? &theirs : NULL);
        }
        writer_format(w, "]}");
    }
    writer_format(w, "]");
    return true;
}

static void write_index(writer *w, const char *name, const text_index *x) {
    writer_format(w, ",\"%s\":{\"sentences\":%d,\"tokens\":%d,\"items\":%lld", name,
        index_sentences(x), index_tokens(x), (long long)x->numbers[INDEX_ITEMS]);
    write_string(w, "model", x->texts[INDEX_MODEL]);
    write_string(w, "model_sha256", x->texts[INDEX_MODEL_HASH]);
    write_string(w, "corpus", x->texts[INDEX_CORPUS]);
    write_string(w, "corpus_sha256", x->texts[INDEX_CORPUS_HASH]);
    write_string(w, "store", x->texts[INDEX_WEIGHTS_AS]);
    write_string(w, "release", x->texts[INDEX_RELEASE]);
    writer_format(w, "}");
}

/* Which token a nearest one is near to. */
static void write_asked(writer *w, const search *s) {
    if (s->q.kind != ASK_LIKE && s->q.kind != ASK_CONTEXT) return;
    writer_format(w, ",\"layer\":%d,\"sentence\":%d", s->q.layer, s->q.sentence);
    write_string(w, "text", index_text_of(s->x, s->q.sentence, 0));
    write_token(w, s, "of", (int)s->x->tokens_before[s->q.sentence] + s->q.token, s->q.sentence);
}

static bool write_answer(writer *w, search *s, search *other, arena *scratch) {
    writer_format(w, "{\"question\":");
    writer_add(w, s->q.source);
    write_index(w, "index", s->x);
    if (other) write_index(w, "beside", other->x);
    write_asked(w, s);
    writer_format(w, ",\"candidates\":%lld,\"matches\":%lld", (long long)s->found.candidates,
        (long long)s->found.count);
    if (s->q.kind == ASK_HEADS ? !search_write_heads(w, s, other, scratch)
                               : !write_rows(w, s, scratch) || !write_bars(w, s, other, scratch))
        return false;
    writer_format(w, "}");
    return !w->failed;
}

/* ---- tables ---- */

/* The columns of an object, those of objects in it joined by _: their names, or the values that
 * `row` has there. */
static void write_cells(writer *w, const json_value *template, const char *prefix,
    const json_value *row, bool names, bool *comma) {
    for (const json_value *m = template->first; m; m = m->next) {
        char key[40] = "";
        memcpy(key, m->key.at, m->key.size < 39 ? m->key.size : 39);
        const json_value *value = row ? json_get(row, key) : NULL;
        if (m->type == JSON_OBJECT) {
            write_cells(w, m, key, value, names, comma);
            continue;
        }
        if (m->type == JSON_ARRAY) continue;
        if (*comma) writer_format(w, ",");
        *comma = true;
        if (names) writer_format(w, "%s%s%s", prefix, *prefix ? "_" : "", key);
        else if (value && value->type == JSON_STRING) csv_write_text(w, value->string);
        else if (value && value->type != JSON_NULL) writer_add(w, value->source);
    }
}

/* Rows of which each has the same columns, whatever it lacks. */
static const char
    row_columns[] =
        "{\"rank\":0,\"sentence\":0,\"line\":0,\"text\":0,\"text_b\":0,\"match\":{\"token\":0,\"word\":0,"
        "\"added\":0,\"pos\":0,\"relation\":0},\"query\":{\"token\":0,\"word\":0,\"added\":0,\"pos\":0,"
        "\"relation\":0},\"key\":{\"token\":0,\"word\":0,\"added\":0,\"pos\":0,\"relation\":0},"
        "\"offset\":0,\"weight\":0,\"moved\":0,\"cosine\":0}",
    bar_columns[] =
        "{\"label\":0,\"count\":0,\"share\":0,\"base\":0,\"lift\":0,\"low\":0,"
        "\"high\":0,\"expected\":0,\"p\":0,\"adjusted\":0,\"claim\":0,"
        "\"beside\":{\"count\":0,\"share\":0,\"lift\":0,\"p\":0,\"adjusted\":0,\"claim\":0}}",
    head_columns[] =
        "{\"layer\":0,\"head\":0,\"weight\":0,\"moved\":0,\"distance\":0,\"previous\":0,"
        "\"next\":0,\"self\":0,\"first\":0,\"added\":0,\"same_word\":0,"
        "\"other_sentence\":0,\"governor\":0,\"dependent\":0,\"alike\":0}";

static const char *columns_of(const search *s) {
    return s->q.kind == ASK_HEADS ? head_columns : s->q.csv == 1 ? row_columns : bar_columns;
}

static bool write_table(writer *w, const search *s, const char *answer, arena *scratch) {
    bool rows = s->q.csv == 1, comma = false;
    const json_value *all = json_parse(scratch, span_of(answer), "state", "the answer", s->x->err),
                     *columns = json_parse(scratch, span_of(columns_of(s)), "state", "the columns",
                         s->x->err);
    if (!all || !columns) return false;
    if (!rows) writer_format(w, "of,by,");
    write_cells(w, columns, "", NULL, true, &comma);
    writer_format(w, "\n");
    for (const json_value *one = json_get(all, rows ? "rows" : "bars")->first; one;
        one = one->next) {
        const json_value *line = rows ? one : json_get(one, "labels")->first;
        for (; line; line = rows ? NULL : line->next) {
            comma = false;
            if (!rows) {
                csv_write_text(w, json_get(one, "of")->string);
                writer_format(w, ",");
                csv_write_text(w, json_get(one, "by")->string);
                writer_format(w, ",");
            }
            write_cells(w, columns, "", line, false, &comma);
            writer_format(w, "\n");
        }
    }
    return !w->failed;
}

/* ---- asking ---- */

bool search_alike(const text_index *x, const text_index *other) {
    static const index_number same[] = {INDEX_SENTENCES, INDEX_TOKENS, INDEX_FROM, INDEX_BYTES};
    bool alike = span_equal(x->texts[INDEX_CORPUS_HASH], other->texts[INDEX_CORPUS_HASH]);
    for (int i = 0; i < 4; i++) alike = alike && x->numbers[same[i]] == other->numbers[same[i]];
    for (int i = 0; alike && i < index_sentences(x); i++)
        alike = x->tokens_before[i] == other->tokens_before[i];
    return alike ||
        error_set(x->err, "state",
            "the index beside must be of the same items of the same corpus, in the same tokens");
}

static bool find(search *s, asked of, span text, arena *scratch) {
    const text_index *x = of.x;
    *s = (search){.x = x, .words = of.words};
    const json_value *given = json_parse(scratch, text, "state", "the question", x->err);
    if (!words_read(of.words, x) || !given || !question_read(&s->q, x, given)) return false;
    s->ids = index_find(x, INDEX_IDS, 0);
    s->places = index_find(x, INDEX_PLACES, 0);
    s->tags = index_find(x, INDEX_TAGS, 0);
    s->relations = index_find(x, INDEX_RELATIONS, 0);
    if (s->q.kind == ASK_HEADS) {
        s->found.candidates = s->found.count = index_tokens(x);
        return true;
    }
    if (s->q.kind == ASK_HEAD) return search_head(s, scratch);
    return s->q.kind == ASK_FIND ? search_find(s, scratch) : search_nearest(s, scratch);
}

const char *search_ask(asked of, asked beside, span text, arena *out, arena *scratch) {
    search s, other;
    writer answer, table;
    if (beside.x && !search_alike(of.x, beside.x)) return NULL;
    if (!find(&s, of, text, scratch)) return NULL;
    if (beside.x && !find(&other, beside, text, scratch)) {
        if (of.x->err != beside.x->err) *of.x->err = *beside.x->err;
        return NULL;
    }
    writer_init(&answer, s.q.csv ? scratch : out);
    if (!write_answer(&answer, &s, beside.x ? &other : NULL, scratch)) return NULL;
    if (!s.q.csv) return writer_text(&answer);
    writer_init(&table, out);
    const char *json = writer_text(&answer);
    return json && write_table(&table, &s, json, scratch) ? writer_text(&table) : NULL;
}
