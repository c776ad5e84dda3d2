/* sentencepiece - see sentencepiece.h. A message is a row of fields: a key (number · 8 + how it is
 * written) and a value; of a field that stands twice the last counts, and those that are missing have
 * the values of sentencepiece_model.proto.
 */
#include "text/read/sentencepiece.h"

#include "text/models/vocab.h"
#include "text/unicode/unicode.h"

#include <math.h>

enum { WHOLE = 0, EIGHT_BYTES = 1, BYTES = 2, FOUR_BYTES = 5 };

typedef struct field {
    int number, wire;
    uint64_t whole; /* of WHOLE; the bits of FOUR_BYTES */
    span bytes;     /* of BYTES */
} field;

static bool read_whole(span *rest, uint64_t *out) {
    *out = 0;
    for (int shift = 0; shift < 64 && rest->size; shift += 7) {
        unsigned char byte = (unsigned char)*rest->at;
        rest->at++, rest->size--;
        *out |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) return true;
    }
    return false;
}

static bool take(span *rest, uint64_t size, span *out) {
    if (size > rest->size) return false;
    *out = (span){rest->at, (size_t)size};
    rest->at += size;
    rest->size -= (size_t)size;
    return true;
}

/* Cuts the next field off; false: there is none, or it is cut off or written as none is. */
static bool next_field(span *rest, field *f) {
    uint64_t key, size = 0;
    span bytes = {0};
    *f = (field){0};
    if (!read_whole(rest, &key) || key >> 3 == 0 || key >> 3 > INT32_MAX) return false;
    f->number = (int)(key >> 3);
    f->wire = (int)(key & 7);
    if (f->wire == WHOLE) return read_whole(rest, &f->whole);
    if (f->wire == BYTES) return read_whole(rest, &size) && take(rest, size, &f->bytes);
    if (f->wire != FOUR_BYTES) return f->wire == EIGHT_BYTES && take(rest, 8, &bytes);
    if (!take(rest, 4, &bytes)) return false;
    for (int i = 0; i < 4; i++) f->whole |= (uint64_t)(unsigned char)bytes.at[i] << 8 * i;
    return true;
}

static bool is(const field *f, int number, int wire) {
    return f->number == number && f->wire == wire;
}

/* ---- the messages; false: damaged ---- */

static bool read_piece(span rest, sp_piece *p) {
    field f;
    *p = (sp_piece){.text = {"", 0}, .kind = SP_NORMAL};
    while (rest.size) {
        if (!next_field(&rest, &f)) return false;
        uint32_t bits = (uint32_t)f.whole;
        if (is(&f, 1, BYTES)) p->text = f.bytes;
        if (is(&f, 2, FOUR_BYTES)) memcpy(&p->score, &bits, sizeof bits);
        if (is(&f, 3, WHOLE)) p->kind = f.whole > SP_BYTE ? 0 : (sp_kind)f.whole;
    }
    return true;
}

static bool read_trainer(span rest, sp_model *m) {
    field f;
    while (rest.size) {
        if (!next_field(&rest, &f)) return false;
        if (is(&f, 3, WHOLE)) m->type = f.whole > SP_CHAR ? 0 : (sp_type)f.whole;
        if (is(&f, 24, WHOLE)) m->suffix = f.whole;
        if (is(&f, 35, WHOLE)) m->byte_fallback = f.whole;
    }
    return true;
}

static bool read_normalizer(span rest, sp_model *m) {
    field f;
    while (rest.size) {
        if (!next_field(&rest, &f)) return false;
        if (is(&f, 2, BYTES)) m->charsmap = f.bytes;
        if (is(&f, 3, WHOLE)) m->dummy_prefix = f.whole;
        if (is(&f, 4, WHOLE)) m->removes_spaces = f.whole;
        if (is(&f, 5, WHOLE)) m->escapes_spaces = f.whole;
    }
    return true;
}

/* The whole file, once to count its pieces and once to keep them. */
static bool read_model(span rest, sp_model *m, size_t *count) {
    field f;
    for (*count = 0; rest.size;) {
        if (!next_field(&rest, &f)) return false;
        if (is(&f, 2, BYTES) && !read_trainer(f.bytes, m)) return false;
        if (is(&f, 3, BYTES) && !read_normalizer(f.bytes, m)) return false;
        if (!is(&f, 1, BYTES)) continue;
        if (m->pieces && !read_piece(f.bytes, &m->pieces[*count])) return false;
        ++*count;
    }
    return true;
}

/* ---- what must hold ---- */

static bool bad_file(error *err) {
    return error_set(err, "vocab",
        "the SentencePiece file is damaged, cut off or of another kind (the tokenizer.model of Llama 3 is "
        "tiktoken's); use the file as it was published, or the tokenizer.json beside it");
}

static bool check_piece(const sp_model *m, int i, error *err) {
    const sp_piece *p = &m->pieces[i];
    quoted q = error_quote(p->text.at, p->text.size);
    if (!p->text.size || unicode_valid_until(p->text.at, p->text.size) < p->text.size)
        return error_set(err, "vocab",
            "piece %d of the SentencePiece file is %s, expected a text; use the file as it was published",
            i, p->text.size ? "not valid UTF-8" : "empty");
    if (p->kind < SP_NORMAL)
        return error_set(err, "vocab",
            "piece %d of the SentencePiece file (\"%s\") is of a type that is not known, expected 1 to 6",
            i, q.text);
    if (!isfinite(p->score))
        return error_set(err, "vocab",
            "the score of piece %d of the SentencePiece file (\"%s\") is not a finite number", i,
            q.text);
    if (p->kind == SP_UNKNOWN && m->unknown >= 0)
        return error_set(err, "vocab",
            "the SentencePiece file has two unknown pieces, %d and %d; expected is one", m->unknown,
            i);
    return true;
}

static bool check_model(sp_model *m, error *err) {
    static const char *const names[] = {"not known", "Unigram", "BPE", "Word", "Char"};
    if (m->type != SP_UNIGRAM && m->type != SP_BPE)
        return error_set(err, "vocab",
            "the model_type of the SentencePiece file is %s; only Unigram and BPE are supported",
            names[m->type]);
    if (m->suffix)
        return error_set(err, "vocab",
            "treat_whitespace_as_suffix of the SentencePiece file is true, which is not supported");
    for (int i = 0; i < m->count; i++) {
        if (!check_piece(m, i, err)) return false;
        if (m->pieces[i].kind == SP_UNKNOWN) m->unknown = i;
    }
    return m->unknown >= 0 ||
        error_set(err, "vocab",
            "the SentencePiece file has no unknown piece (<unk>); use the file as it was published");
}

bool sentencepiece_read(sp_model *m, span file, arena *a, error *err) {
    const char *kind = bytes_kind(file);
    size_t count;
    *m = (sp_model){.type = SP_UNIGRAM,
        .unknown = -1,
        .charsmap = {"", 0},
        .dummy_prefix = true,
        .removes_spaces = true,
        .escapes_spaces = true};
    if (kind)
        return error_set(err, "vocab",
            "the SentencePiece file is %s; use the file as it was published", kind);
    if (!read_model(file, m, &count) || !count) return bad_file(err);
    if (count > VOCAB_MAX_IDS)
        return error_set(err, "vocab", "the SentencePiece file has %zu pieces, at most %d are read",
            count, VOCAB_MAX_IDS);
    m->pieces = arena_take_array(a, count, sizeof *m->pieces, "the vocabulary");
    if (!m->pieces) return false;
    m->count = (int)count;
    if (!read_model(file, m, &count)) return bad_file(err);
    return check_model(m, err);
}
