/* tokenizer_vocab - a tokenizer from vocab.txt. One token per line; the line's number is the id.
 * Line rules of the Rust library: a line ends at \n, white space at its end is trimmed, a blank
 * line takes an id, of equal tokens the last counts.
 */
#include "text/tokenizer_parts.h"

#include "text/unicode/unicode.h"

span tokenizer_keep(arena *a, span s) {
    char *copy = arena_take(a, s.size, "the vocabulary");
    if (!copy) return (span){0};
    if (s.size) memcpy(copy, s.at, s.size);
    return (span){copy, s.size};
}

bool tokenizer_missing_piece(error *err, const char *file, span piece) {
    quoted q = error_quote(piece.at, piece.size);
    return error_set(err, "vocab",
        "%s has no token %s, which the model needs; use the file that belongs to it", file, q.text);
}

/* Cuts the first line off. */
static span next_line(span *text) {
    const char *end = memchr(text->at, '\n', text->size);
    size_t size = end ? (size_t)(end - text->at) : text->size;
    span line = {text->at, size};
    text->at += size + (end != NULL);
    text->size -= size + (end != NULL);
    return line;
}

static span trimmed(span line) {
    while (line.size) {
        size_t last = line.size - 1;
        while (last && ((unsigned char)line.at[last] & 0xC0) == 0x80) last--;
        int32_t cp;
        unicode_decode(line.at + last, line.size - last, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        line.size = last;
    }
    return line;
}

static bool check_text(span text, error *err) {
    const char *kind = bytes_kind(text);
    if (kind) return error_set(err, "vocab", "vocab.txt is %s, expected one token per line", kind);
    size_t valid = unicode_valid_until(text.at, text.size);
    if (valid == text.size) return true;
    size_t line = 1;
    for (size_t i = 0; i < valid; i++) line += text.at[i] == '\n';
    return error_set(err, "vocab",
        "line %zu of vocab.txt is not valid UTF-8; save the file as UTF-8", line);
}

static size_t count_lines(span text) {
    size_t lines = 0;
    for (; text.size; lines++) next_line(&text);
    return lines;
}

static bool find_specials(tokenizer *t, error *err) {
    const struct {
        const char *name;
        int *id;
        bool needed;
    } rows[] = {
        {"[UNK]", &t->specials.unk, true},
        {"[CLS]", &t->specials.cls, true},
        {"[SEP]", &t->specials.sep, true},
        {"[MASK]", &t->specials.mask, false},
        {"[PAD]", &t->specials.pad, false},
    };
    t->specials.bos = t->specials.eos = -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i].id = vocab_find(&t->vocab, span_of(rows[i].name));
        if (*rows[i].id < 0 && rows[i].needed)
            return tokenizer_missing_piece(err, "vocab.txt", span_of(rows[i].name));
    }
    return true;
}

/* The five special tokens are looked for in the text as it is, as BertTokenizerFast does. */
static bool add_specials(tokenizer *t, arena *a) {
    const special_ids *s = &t->specials;
    const int ids[] = {s->unk, s->cls, s->sep, s->pad, s->mask};
    added_token *tokens = arena_take_array(a, 5, sizeof *tokens, "the vocabulary");
    if (!tokens) return false;
    int count = 0;
    for (int i = 0; i < 5; i++)
        if (ids[i] >= 0)
            tokens[count++] = (added_token){.content = t->vocab.pieces[ids[i]], .id = ids[i]};
    added_init(&t->raw, tokens, count);
    return true;
}

tokenizer *tokenizer_from_vocab(arena *a, span text, const tokenizer_options *o, error *err) {
    if (!check_text(text, err)) return NULL;
    size_t lines = count_lines(text);
    if (lines > VOCAB_MAX_IDS) {
        error_set(err, "vocab", "vocab.txt has %zu lines, at most %d are read", lines,
            VOCAB_MAX_IDS);
        return NULL;
    }
    tokenizer *t = arena_take(a, sizeof *t, "the vocabulary");
    span kept = tokenizer_keep(a, text);
    if (!t || !kept.at || !vocab_init(&t->vocab, (int)lines, a)) return NULL;
    for (int id = 0; kept.size; id++) vocab_set(&t->vocab, id, trimmed(next_line(&kept)));
    if (!find_specials(t, err) || !add_specials(t, a)) return NULL;
    bool lower = o->lowercase != 0;
    normal_step *normal = arena_take(a, sizeof *normal, "the vocabulary");
    pre_step *pre = arena_take(a, sizeof *pre, "the vocabulary");
    if (!normal || !pre) return NULL;
    normal->kind = NORMAL_BERT;
    normal->bert = (bert_normaliser){.clean = true,
        .chinese = o->chinese != 0,
        .lower = lower,
        .strip = o->strip_accents < 0 ? lower : o->strip_accents};
    if (!bert_normaliser_prepare(&normal->bert, a)) return NULL;
    pre->kind = PRE_BERT;
    t->normal_steps = (normal_steps){normal, 1};
    t->pre_steps = (pre_steps){pre, 1};
    template_usual(&t->form, t->specials.cls, t->specials.sep, false);
    t->model.kind = MODEL_WORDPIECE;
    t->model.wordpiece = (wordpiece){&t->vocab, {"##", 2}, t->specials.unk, 100};
    return tokenizer_complete(t, a) ? t : NULL;
}
