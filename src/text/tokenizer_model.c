/* tokenizer_model - the model of tokenizer.json: its kind, its pieces, its own rules.
 */
#include "text/tokenizer_reader.h"

/* The file's own name of the kind; old files have none. */
static span kind_of(const json_value *model) {
    span type = reader_type(model);
    if (type.size) return type;
    return span_of(json_get(model, "merges") ? "BPE" : "WordPiece");
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

/* {"piece": id, ...} */
static bool read_pieces(tokenizer_reader *r, const json_value *pieces) {
    vocab *v = &r->t->vocab;
    int size = 0;
    size_t bytes = 0;
    if (!pieces || pieces->type != JSON_OBJECT)
        return error_set(r->err, "vocab",
            "model.vocab of tokenizer.json is %s, expected an object of pieces and ids",
            reader_kind(pieces));
    if (!reader_measure_added(r, &size) || !measure_vocab(r, pieces, &size, &bytes) ||
        !vocab_init(v, size, r->a))
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
    if (!read_pieces(r, json_get(model, "vocab")) ||
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

static const struct model_row {
    const char *type;
    model_kind kind;
    bool (*read)(tokenizer_reader *r, const json_value *model);
} rows[] = {
    {"WordPiece", MODEL_WORDPIECE, read_wordpiece},
};

bool tokenizer_read_model(tokenizer_reader *r, const json_value *model) {
    if (!model || model->type != JSON_OBJECT)
        return error_set(r->err, "vocab",
            "tokenizer.json has no model; take the tokenizer.json of the model's folder");
    const struct model_row *row =
        reader_row(r, (type_table)TYPE_TABLE(rows), "model", kind_of(model));
    if (!row) return false;
    r->t->model.kind = row->kind;
    return row->read(r, model);
}
