/* tokenizer_model - the model of tokenizer.json: its kind, its pieces, its own rules.
 */
#include "text/read/tokenizer_reader.h"

#include <math.h>

/* The file's own name of the kind, or what the library takes for it. */
static span kind_of(const json_value *model) {
    static const told_kind kinds[] = {{"BPE", {"vocab", "merges"}},
        {"WordPiece", {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word"}},
        {"WordLevel", {"vocab", "unk_token"}}};
    const json_value *pieces = json_get(model, "vocab");
    if (json_get(model, "type")) return reader_type(model);
    if (pieces && pieces->type == JSON_ARRAY) return span_of("Unigram");
    return reader_told(model, kinds, sizeof kinds / sizeof *kinds);
}

/* Raises *size to the highest id + 1; adds the bytes of all pieces. */
static bool measure_vocab(const tokenizer_reader *r, const json_value *pieces, int *size,
    size_t *bytes) {
    for (const json_value *v = pieces->first; v; v = v->next) {
        int id;
        if (!reader_id(r, v, v->key, &id)) return false;
        if (id >= *size) *size = id + 1;
        *bytes += v->key.size;
    }
    return true;
}

bool tokenizer_read_pieces(tokenizer_reader *r, const json_value *pieces) {
    vocab *v = &r->t->vocab;
    int size = 0;
    size_t bytes = 0;
    if (!pieces || pieces->type != JSON_OBJECT)
        return error_set(r->err, "vocab",
            "model.vocab of %s is %s, expected an object of tokens and ids", r->file,
            reader_kind(pieces));
    if (!reader_measure_added(r, &size) || !measure_vocab(r, pieces, &size, &bytes) ||
        !vocab_init(v, size + r->more, r->a))
        return false;
    char *at = arena_take(r->a, bytes, "the vocabulary");
    if (!at) return false;
    for (const json_value *m = pieces->first; m; m = m->next) {
        span piece = {at, m->key.size};
        if (piece.size) memcpy(at, m->key.at, piece.size);
        at += piece.size;
        if (v->pieces[m->integer].at)
            return reader_same_id(r, (int)m->integer, v->pieces[m->integer], piece);
        vocab_set(v, (int)m->integer, piece);
    }
    return true;
}

static bool read_wordpiece(tokenizer_reader *r, const json_value *model) {
    tokenizer *t = r->t;
    span unk, prefix;
    if (!tokenizer_read_pieces(r, json_get(model, "vocab")) ||
        !reader_string(r, model, "unk_token", "[UNK]", &unk) ||
        !reader_string(r, model, "continuing_subword_prefix", "##", &prefix))
        return false;
    const json_value *letters = json_get(model, "max_input_chars_per_word");
    if (!letters || !letters->is_integer || letters->integer < 0 ||
        letters->integer > WORDPIECE_MAX_LETTERS) {
        quoted q = letters ? error_quote(letters->source.at, letters->source.size)
                           : error_quote("missing", 7);
        return error_set(r->err, "vocab",
            "max_input_chars_per_word of tokenizer.json is %s, expected a whole number from 0 to "
            "%d",
            q.text, WORDPIECE_MAX_LETTERS);
    }
    t->specials.unk = vocab_find(&t->vocab, unk);
    if (t->specials.unk < 0) return tokenizer_missing_piece(r->err, "tokenizer.json", unk);
    prefix = tokenizer_keep(r->a, prefix);
    t->model.wordpiece = (wordpiece){&t->vocab, prefix, t->specials.unk, (int)letters->integer};
    return prefix.at != NULL;
}

/* A merge is "a b" or ["a", "b"]. */
static bool read_merge(tokenizer_reader *r, const json_value *merge, int rank) {
    span left, right;
    bool pair = merge->type == JSON_ARRAY && merge->count == 2 &&
        merge->first->type == JSON_STRING && merge->first->next->type == JSON_STRING;
    if (pair) left = merge->first->string, right = merge->first->next->string;
    if (!pair && (merge->type != JSON_STRING || !bpe_cut(merge->string, &left, &right)))
        return error_set(r->err, "vocab",
            "merge %d of tokenizer.json is %s, expected two tokens separated by a space", rank,
            reader_kind(merge));
    return bpe_add(&r->t->model.bpe, left, right, rank) ||
        error_set(r->err, "vocab",
            "merge %d of tokenizer.json (%s, %s) joins tokens that are not in its vocabulary, or "
            "makes one that is not",
            rank, error_quote(left.at, left.size).text, error_quote(right.at, right.size).text);
}

static bool read_merges(tokenizer_reader *r, const json_value *merges) {
    if (!merges || merges->type != JSON_ARRAY)
        return error_set(r->err, "vocab", "merges of tokenizer.json is %s, expected a list",
            reader_kind(merges));
    if (!bpe_init(&r->t->model.bpe, &r->t->vocab, (size_t)merges->count, r->a)) return false;
    int rank = 0;
    for (const json_value *m = merges->first; m; m = m->next)
        if (!read_merge(r, m, rank++)) return false;
    return true;
}

/* A string that may be null or missing, which is as empty. */
static bool read_affix(tokenizer_reader *r, const json_value *model, const char *key, span *out) {
    const json_value *v = json_get(model, key);
    *out = span_of("");
    if (v && v->type != JSON_NULL && !reader_string(r, model, key, "", out)) return false;
    if (out->size > BPE_MAX_AFFIX)
        return error_set(r->err, "vocab", "%s of tokenizer.json has %zu bytes, expected at most %d",
            key, out->size, BPE_MAX_AFFIX);
    *out = tokenizer_keep(r->a, *out);
    return out->at != NULL;
}

static bool read_unknown(tokenizer_reader *r, const json_value *model) {
    bpe *b = &r->t->model.bpe;
    span unk;
    b->unk = -1;
    if (!read_affix(r, model, "unk_token", &unk)) return false;
    if (unk.size) b->unk = vocab_find(&r->t->vocab, unk);
    if (unk.size && b->unk < 0) return tokenizer_missing_piece(r->err, "tokenizer.json", unk);
    r->t->specials.unk = b->unk;
    return true;
}

static bool read_byte_fallback(tokenizer_reader *r, const json_value *model) {
    bpe *b = &r->t->model.bpe;
    bool fallback;
    if (!reader_bool_or(r, model, "byte_fallback", false, &fallback)) return false;
    if (!fallback) return true;
    if (b->prefix.size || b->suffix.size)
        return error_set(r->err, "vocab",
            "byte_fallback of tokenizer.json cannot be combined with continuing_subword_prefix "
            "or end_of_word_suffix");
    return (b->bytes = vocab_bytes(&r->t->vocab, r->a)) != NULL;
}

static bool read_bpe(tokenizer_reader *r, const json_value *model) {
    bpe *b = &r->t->model.bpe;
    const json_value *dropout = json_get(model, "dropout");
    if (dropout && dropout->type != JSON_NULL &&
        (dropout->type != JSON_NUMBER || dropout->number != 0))
        return error_set(r->err, "vocab",
            "dropout of tokenizer.json is %s%s; null or 0 was expected",
            error_quote(dropout->source.at, dropout->source.size).text,
            dropout->type == JSON_NUMBER ? ", which gives different tokens on every run" : "");
    return tokenizer_read_pieces(r, json_get(model, "vocab")) &&
        read_affix(r, model, "continuing_subword_prefix", &b->prefix) &&
        read_affix(r, model, "end_of_word_suffix", &b->suffix) && read_unknown(r, model) &&
        reader_bool_or(r, model, "fuse_unk", false, &b->fuse_unk) &&
        reader_bool_or(r, model, "ignore_merges", false, &b->whole_words) &&
        read_byte_fallback(r, model) && read_merges(r, json_get(model, "merges"));
}

/* [["piece", score], ...]: ids are places in the list; of equal pieces the last counts. */
static bool check_scored(const tokenizer_reader *r, const json_value *pieces) {
    if (!pieces || pieces->type != JSON_ARRAY || pieces->count == 0)
        return error_set(r->err, "vocab",
            "model.vocab of tokenizer.json is %s, expected a list of tokens with their scores",
            pieces && pieces->type == JSON_ARRAY ? "empty" : reader_kind(pieces));
    for (const json_value *p = pieces->first; p; p = p->next)
        if (p->type != JSON_ARRAY || p->count != 2 || p->first->type != JSON_STRING ||
            p->first->next->type != JSON_NUMBER) {
            quoted q = error_quote(p->source.at, p->source.size);
            return error_set(r->err, "vocab",
                "model.vocab of tokenizer.json has %s, expected [\"token\", score]", q.text);
        }
    return true;
}

static bool read_scored(tokenizer_reader *r, const json_value *pieces, unigram *u) {
    vocab *v = &r->t->vocab;
    int size = pieces->count;
    if (!reader_measure_added(r, &size) || !vocab_init(v, size, r->a)) return false;
    double *scores = arena_take_array(r->a, (size_t)size, sizeof *scores, "the vocabulary");
    if (!scores) return false;
    double lowest = INFINITY;
    int id = 0;
    for (const json_value *p = pieces->first; p; p = p->next, id++) {
        span piece = tokenizer_keep(r->a, p->first->string);
        if (!piece.at) return false;
        vocab_set(v, id, piece);
        scores[id] = unigram_score(p->first->next->source, p->first->next->number);
        if (scores[id] < lowest) lowest = scores[id];
    }
    v->count = pieces->count; /* as the library counts, equal ones too */
    u->vocab = v;
    u->scores = scores;
    u->unknown_score = lowest - UNIGRAM_PENALTY;
    return true;
}

static bool read_unigram(tokenizer_reader *r, const json_value *model) {
    tokenizer *t = r->t;
    unigram *u = &t->model.unigram;
    const json_value *pieces = json_get(model, "vocab"), *unk = json_get(model, "unk_id");
    bool fallback;
    if (!check_scored(r, pieces) || !reader_bool_or(r, model, "byte_fallback", false, &fallback))
        return false;
    if (!unk || !unk->is_integer || unk->integer < 0 || unk->integer >= pieces->count) {
        quoted q = unk ? error_quote(unk->source.at, unk->source.size) : error_quote("missing", 7);
        return error_set(r->err, "vocab",
            "unk_id of tokenizer.json is %s, expected the position of the unknown token in "
            "model.vocab",
            q.text);
    }
    if (!read_scored(r, pieces, u)) return false;
    t->specials.unk = u->unk = (int)unk->integer;
    u->bytes = fallback ? vocab_bytes(&t->vocab, r->a) : NULL;
    return !fallback || u->bytes;
}

static const struct model_row {
    const char *type;
    model_kind kind;
    bool (*read)(tokenizer_reader *r, const json_value *model);
} rows[] = {
    {"WordPiece", MODEL_WORDPIECE, read_wordpiece},
    {"BPE", MODEL_BPE, read_bpe},
    {"Unigram", MODEL_UNIGRAM, read_unigram},
};

bool tokenizer_read_model(tokenizer_reader *r, const json_value *model) {
    if (!model || model->type != JSON_OBJECT)
        return error_set(r->err, "vocab",
            "tokenizer.json has no model; use the tokenizer.json from the model's folder");
    const struct model_row *row =
        reader_row(r, (type_table)TYPE_TABLE(rows), "model", kind_of(model));
    if (!row) return false;
    r->t->model.kind = row->kind;
    return row->read(r, model);
}
