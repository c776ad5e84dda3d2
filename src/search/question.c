/* question - reads a question: {"ask": "head", "layer": 3, "head": 1, "key": {"pos": "NOUN"}, ...}.
 * What is not known is refused by name, and so is what another kind of question takes.
 */
#include "search/search.h"

#include "base/format.h"

#include <limits.h>

static const struct kind {
    const char *name, *keys;
} kinds[] = {
    [ASK_FIND] = {"find", "ask word pos relation rows csv bars"},
    [ASK_LIKE] = {"like", "ask layer at of word pos relation most rows csv bars"},
    [ASK_CONTEXT] = {"context", "ask layer heads at of word pos relation most rows csv bars"},
    [ASK_HEAD] = {"head",
        "ask layer head query key governor dependent sentence offset weight most show seed rows csv bars"},
    [ASK_HEADS] = {"heads", "ask layer head csv"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_word_of(span key, const char *list) {
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (span_equal(key, (span){at, size})) return true;
        at += size;
    }
    return false;
}

static bool check_keys(const text_index *x, const json_value *object, const char *what,
    const char *list) {
    for (const json_value *one = object->first; one; one = one->next)
        if (!is_word_of(one->key, list))
            return error_set(x->err, "state", "%s has no %s; it takes: %s", what,
                error_quote(one->key.at, one->key.size).text, list);
    return true;
}

static bool read_whole(const text_index *x, const json_value *object, const char *name,
    double least, double most, int fallback, int *out) {
    const json_value *given = json_get(object, name);
    *out = given && given->type == JSON_NUMBER && given->is_integer && given->number >= least &&
            given->number <= most
        ? (int)given->integer
        : fallback;
    return !given ||
        (given->type == JSON_NUMBER && given->is_integer && given->number >= least &&
            given->number <= most) ||
        error_set(x->err, "state", "%s must be a whole number from %.15g to %.15g", name, least,
            most);
}

static bool read_string(const text_index *x, const json_value *object, const char *name,
    span *out) {
    const json_value *given = json_get(object, name);
    *out = given && given->type == JSON_STRING ? given->string : (span){0};
    return !given || (given->type == JSON_STRING && given->string.size) ||
        error_set(x->err, "state", "%s must be a word", name);
}

static bool has_labels(const text_index *x, const char *name, span given, index_text list) {
    if (!given.size) return true;
    if (!x->texts[list].size)
        return error_set(x->err, "state",
            "this index has words only, no %s: its corpus is not in CoNLL-U",
            list == INDEX_TAG_NAMES ? "parts of speech" : "relations");
    for (int i = 0; i < index_item_count(x->texts[list]); i++)
        if (label_is(index_item(x->texts[list], i), given)) return true;
    return error_set(x->err, "state", "no word of this corpus has the %s %s; there are: %s", name,
        error_quote(given.at, given.size).text,
        error_quote(x->texts[list].at, x->texts[list].size).text);
}

static bool read_wanted(const text_index *x, const json_value *object, wanted *out) {
    return read_string(x, object, "word", &out->word) && read_string(x, object, "pos", &out->tag) &&
        read_string(x, object, "relation", &out->relation) &&
        has_labels(x, "part of speech", out->tag, INDEX_TAG_NAMES) &&
        has_labels(x, "relation", out->relation, INDEX_RELATION_NAMES);
}

/* {"word", "pos", "relation"} of one side of a head. */
static bool read_side(const text_index *x, const json_value *object, const char *name,
    wanted *out) {
    const json_value *given = json_get(object, name);
    if (!given) return true;
    if (given->type != JSON_OBJECT)
        return error_set(x->err, "state", "%s must be an object with word, pos or relation", name);
    return check_keys(x, given, name, "word pos relation") && read_wanted(x, given, out);
}

/* A list of two whole numbers. */
static bool read_two(const text_index *x, const json_value *object, const char *name, int *a,
    int *b) {
    const json_value *given = json_get(object, name), *first = given ? given->first : NULL;
    if (!given) return true;
    bool good = given->type == JSON_ARRAY && given->count == 2 && first->is_integer &&
        first->next->is_integer && first->integer >= INT_MIN && first->integer <= INT_MAX &&
        first->next->integer >= INT_MIN && first->next->integer <= INT_MAX;
    if (!good) return error_set(x->err, "state", "%s must be a list of two whole numbers", name);
    *a = (int)first->integer, *b = (int)first->next->integer;
    return true;
}

/* "of": a word, whose first place in the corpus is meant (found later); "at": sentence and token. */
static bool read_place(const text_index *x, const json_value *given, question *q) {
    q->sentence = q->token = -1;
    span of;
    if (!read_string(x, given, "of", &of) || !read_two(x, given, "at", &q->sentence, &q->token))
        return false;
    if (of.size && json_get(given, "at"))
        return error_set(x->err, "state", "at and of both say which token; give one of them");
    if (!json_get(given, "at")) {
        q->key.word = of;
        return of.size ||
            error_set(x->err, "state",
                "which token? Give at (a list of sentence and token) or of (a word)");
    }
    return (q->sentence >= 0 && q->sentence < index_sentences(x) && q->token >= 0 &&
               q->token < index_tokens_of(x, q->sentence)) ||
        error_set(x->err, "state",
            "at names sentence %d, token %d; the index has %d sentences, and tokens count from 0 in each",
            q->sentence, q->token, index_sentences(x));
}

static bool read_heads(const text_index *x, const json_value *given, question *q) {
    q->heads = json_get(given, "heads");
    if (!q->heads) return true;
    bool good = q->heads->type == JSON_ARRAY && q->heads->count;
    for (const json_value *v = good ? q->heads->first : NULL; v; v = v->next)
        good = good && v->is_integer && v->integer >= 0 && v->integer < index_heads(x);
    return good ||
        error_set(x->err, "state", "heads must be a list of heads from 0 to %d",
            index_heads(x) - 1);
}

static bool read_choice(const text_index *x, const json_value *given, const char *name,
    const char *choices, int *out) {
    const json_value *one = json_get(given, name);
    *out = 0;
    if (!one) return true;
    for (const char *at = choices; one->type == JSON_STRING && *at; at += strspn(at, " "), ++*out) {
        size_t size = strcspn(at, " ");
        if (span_equal(one->string, (span){at, size})) return true;
        at += size;
    }
    return error_set(x->err, "state", "%s must be one of: %s", name, choices);
}

static bool read_number(const text_index *x, const json_value *given, const char *name, double most,
    double fallback, double *out) {
    const json_value *one = json_get(given, name);
    *out = one ? one->number : fallback;
    return !one || (one->type == JSON_NUMBER && one->number >= 0 && one->number <= most) ||
        error_set(x->err, "state", "%s must be a number from 0 to %.15g", name, most);
}

/* The relation between query and key, and whether they are in the same text of a pair. */
static bool read_pair(const text_index *x, const json_value *given, question *q) {
    int texts;
    span *const links[] = {&q->governor, &q->dependent};
    static const char *const names[] = {"governor", "dependent"};
    for (int i = 0; i < 2; i++) {
        if (!read_string(x, given, names[i], links[i])) return false;
        if (links[i]->size && !span_is(*links[i], "any") &&
            !has_labels(x, "relation", *links[i], INDEX_RELATION_NAMES))
            return false;
        if (links[i]->size && !x->texts[INDEX_RELATION_NAMES].size)
            return error_set(x->err, "state",
                "this index has words only, no relations: its corpus is not in CoNLL-U");
    }
    if (!read_choice(x, given, "sentence", "any same other", &texts)) return false;
    q->texts = (ask_texts)texts;
    return true;
}

static bool read_head(const text_index *x, const json_value *given, question *q) {
    int show;
    if (!json_get(given, "layer") || !json_get(given, "head"))
        return error_set(x->err, "state", "which head? Give layer and head, counted from 0");
    q->offset_from = -INT_MAX, q->offset_to = INT_MAX;
    if (!read_whole(x, given, "head", 0, index_heads(x) - 1, 0, &q->head) ||
        !read_side(x, given, "query", &q->match) || !read_side(x, given, "key", &q->key) ||
        !read_two(x, given, "offset", &q->offset_from, &q->offset_to) || !read_pair(x, given, q) ||
        !read_number(x, given, "weight", 1, 0, &q->weight) ||
        !read_number(x, given, "seed", 9007199254740992.0, 1, &q->seed) ||
        !read_choice(x, given, "show", "top deciles random", &show))
        return false;
    q->show = (ask_show)show;
    return true;
}

/* The head that all are likened to, if one is given. */
static bool read_chosen(const text_index *x, const json_value *given, question *q) {
    if (!json_get(given, "layer") != !json_get(given, "head"))
        return error_set(x->err, "state", "layer and head say together which head; give both");
    if (q->csv == 2)
        return error_set(x->err, "state", "the question heads has no bars; its table is rows");
    return read_whole(x, given, "head", 0, index_heads(x) - 1, -1, &q->head);
}

static bool read_kind(question *q, const text_index *x, const json_value *given) {
    int layers = index_layers(x);
    if (q->kind != ASK_FIND && !read_whole(x, given, "layer", 0, layers - 1, layers - 1, &q->layer))
        return false;
    if (q->kind == ASK_HEAD) return read_head(x, given, q);
    if (q->kind == ASK_HEADS) return read_chosen(x, given, q);
    if (!read_wanted(x, given, &q->match)) return false;
    if (q->kind == ASK_FIND)
        return (q->match.word.size || q->match.tag.size || q->match.relation.size) ||
            error_set(x->err, "state", "what is to be found? Give word, pos or relation");
    if (!json_get(given, "layer")) {
        if (!x->vector_count)
            return error_set(x->err, "state",
                "this index has no vectors; headlight index --layers %d gives it those of a layer",
                layers - 1);
        q->layer = x->vectors[x->vector_count - 1];
    }
    return read_place(x, given, q) && read_heads(x, given, q);
}

bool question_read(question *q, const text_index *x, const json_value *given) {
    int kind, bars;
    *q = (question){.source = given->source};
    if (given->type != JSON_OBJECT)
        return error_set(x->err, "state",
            "a question must be an object such as {\"ask\": \"find\"}");
    if (!json_get(given, "ask"))
        return error_set(x->err, "state",
            "what is asked? ask must be one of: find like context head heads");
    if (!read_choice(x, given, "ask", "find like context head heads", &kind)) return false;
    q->kind = (ask_kind)kind;
    char what[40];
    format_text(what, sizeof what, "the question %s", kinds[kind].name);
    bool paired = q->kind == ASK_LIKE || q->kind == ASK_CONTEXT;
    if (!check_keys(x, given, what, kinds[kind].keys) ||
        !read_whole(x, given, "rows", 0, 100000, 20, &q->rows) ||
        !read_whole(x, given, "most", paired, paired ? 100000 : INT_MAX, paired ? 100 : 0,
            &q->most) ||
        !read_choice(x, given, "csv", "none rows bars", &q->csv) ||
        !read_choice(x, given, "bars", "all none", &bars))
        return false;
    q->bars = !bars;
    return read_kind(q, x, given);
}
