/* tokenizer - see tokenizer.h: a text becomes tokens. It is cut at added tokens, what is between them is normalised in
 * blocks, and the blocks' words go through WordPiece. All tokens are counted, but only as many as can stay are kept,
 * so memory does not grow with the text.
 */
#include "tokenizer_parts.h"

#include "unicode.h"

/* Blocks end before a space or line feed, which no rule looks across. */
enum { BLOCK = 1 << 14, MAX_TEXT = 1 << 29, MAX_TOKENS_PER_BYTE = 3 };

/* The tokens of one sentence. */
typedef struct sentence {
    token *tokens;
    int room;       /* tokens that can stay */
    int count;      /* tokens there are, kept or not */
    int max;        /* max_tokens */
    int weighed;    /* tokens up to the word that reaches max: the library stops there, and weighs this */
    int word;       /* words so far */
    int number;     /* 0 or 1 */
    int64_t index;  /* code points so far */
} sentence;

typedef struct encoder {
    const tokenizer *t;
    arena *scratch;
    basic_work work;
    word_piece pieces[WORDPIECE_MAX_LETTERS];
} encoder;

int tokenizer_size(const tokenizer *t) { return t->vocab.size; }
special_ids tokenizer_specials(const tokenizer *t) { return t->specials; }
bool tokenizer_lowercases(const tokenizer *t) { return t->rules.lower; }

span tokenizer_piece(const tokenizer *t, int id) {
    return id >= 0 && id < t->vocab.size ? t->vocab.pieces[id] : (span){0};
}

int tokenizer_find(const tokenizer *t, const char *piece) {
    for (int i = 0; i < t->late_count; i++)
        if (span_is(t->late[i].content, piece)) return t->late[i].id;
    return vocab_find(&t->vocab, span_of(piece));
}

static void add_token(sentence *s, int id, int64_t from, int64_t to) {
    if (s->count < s->room)
        s->tokens[s->count] = (token){id, s->number, (int32_t)from, (int32_t)to, s->number, s->word};
    s->count++;
}

static void end_word(sentence *s) {
    s->word++;
    if (s->weighed < s->max) s->weighed = s->count;
}

/* Words of a part of the normalised text. */
static void add_words(encoder *e, size_t from, size_t to, sentence *s) {
    const normal_text *text = &e->work.text;
    for (size_t start, end = from; basic_next_word(text->at, to, &start, &end); end_word(s)) {
        const int32_t *origin = text->origin + start;
        int count = wordpiece_split(&e->t->model, (span){text->at + start, end - start}, e->pieces);
        for (int i = 0; i < count; i++)
            add_token(s, e->pieces[i].id, origin[e->pieces[i].from], origin[e->pieces[i].to - 1] + 1);
    }
}

/* A block is cut once more where normalised added tokens are found in it. */
static bool add_block(encoder *e, span block, sentence *s) {
    int64_t letters = basic_normalize(&e->t->rules, block, s->index, &e->work, e->scratch);
    if (letters < 0) return false;
    const normal_text *text = &e->work.text;
    size_t at = 0;
    added_match m;
    while (added_next(&e->t->normal, (span){text->at, text->size}, at, &m)) {
        add_words(e, at, m.from, s);
        add_token(s, m.token->id, text->origin[m.from], text->origin[m.to - 1] + 1);
        end_word(s);
        at = m.to;
    }
    add_words(e, at, text->size, s);
    s->index += letters;
    return true;
}

static size_t block_size(const tokenizer *t, span text) {
    if (t->looks_across) return text.size;
    size_t size = BLOCK;
    while (size < text.size && text.at[size] != ' ' && text.at[size] != '\n') size++;
    return size < text.size ? size : text.size;
}

static bool add_plain(encoder *e, span text, sentence *s) {
    for (size_t at = 0, size; at < text.size; at += size) {
        span left = {text.at + at, text.size - at};
        size = block_size(e->t, left);
        if (!add_block(e, (span){left.at, size}, s)) return false;
    }
    return true;
}

static int64_t count_letters(span text) {
    int64_t letters = 0;
    int32_t cp;
    for (size_t i = 0; i < text.size; letters++) i += (size_t)unicode_decode(text.at + i, text.size - i, &cp);
    return letters;
}

static bool add_sentence(encoder *e, span text, sentence *s) {
    size_t at = 0;
    added_match m;
    while (added_next(&e->t->raw, text, at, &m)) {
        if (!add_plain(e, (span){text.at + at, m.from - at}, s)) return false;
        int64_t letters = count_letters((span){text.at + m.from, m.to - m.from});
        add_token(s, m.token->id, s->index, s->index + letters);
        end_word(s);
        s->index += letters;
        at = m.to;
    }
    return add_plain(e, (span){text.at + at, text.size - at}, s);
}

/* How many tokens of each sentence stay of `limit` in all: the longer gives first; when both have to, each gets a
 * half, and the odd one goes to the longer (to B when they are alike). */
static void longest_first(int limit, const sentence s[2], int keep[2]) {
    keep[0] = s[0].weighed;
    keep[1] = s[1].weighed;
    if (keep[0] <= limit - keep[1]) return;
    int longer = keep[0] <= keep[1];
    int shorter_keeps = keep[!longer] <= limit / 2 ? keep[!longer] : limit / 2;
    keep[!longer] = shorter_keeps;
    keep[longer] = limit - shorter_keeps;
}

static void add_special(encoding *out, int id, int type) {
    out->tokens[out->count++] = (token){id, type, 0, 0, -1, -1};
}

static bool assemble(const tokenizer *t, const sentence s[2], bool pair, int max_tokens, arena *a, encoding *out) {
    int keep[2];
    int specials = pair ? 3 : 2;
    longest_first(max_tokens - specials, s, keep);
    *out = (encoding){.dropped = {s[0].count - keep[0], s[1].count - keep[1]}};
    out->tokens = arena_take_array(a, (size_t)(keep[0] + keep[1] + specials), sizeof *out->tokens, "the tokens");
    if (!out->tokens) return false;
    add_special(out, t->specials.cls, 0);
    for (int i = 0; i <= pair; i++) {
        if (keep[i]) memcpy(out->tokens + out->count, s[i].tokens, (size_t)keep[i] * sizeof *out->tokens);
        out->count += keep[i];
        add_special(out, t->specials.sep, i);
    }
    return true;
}

static bool start_sentence(sentence *s, int number, span text, int max_tokens, arena *scratch) {
    size_t room = text.size * MAX_TOKENS_PER_BYTE;
    if (room > (size_t)max_tokens) room = (size_t)max_tokens;
    *s = (sentence){.room = (int)room, .max = max_tokens, .number = number};
    s->tokens = arena_take_array(scratch, room, sizeof *s->tokens, "the tokens of a text");
    return s->tokens != NULL;
}

bool tokenizer_encode(const tokenizer *t, span text_a, span text_b, int max_tokens, arena *a, arena *scratch,
                      encoding *out, error *err) {
    span texts[2] = {text_a.at ? text_a : span_of(""), text_b};
    bool pair = text_b.at != NULL;
    if (text_a.size > MAX_TEXT || text_b.size > MAX_TEXT)
        return error_set(err, "text", "the text has more than %d MB; take a part of it", MAX_TEXT >> 20);
    arena_mark mark = arena_here(scratch);
    sentence sentences[2] = {{0}};
    encoder *e = arena_take(scratch, sizeof *e, "the tokenizer");
    bool ok = e != NULL;
    if (ok) *e = (encoder){.t = t, .scratch = scratch};
    for (int i = 0; ok && i <= pair; i++)
        ok = start_sentence(&sentences[i], i, texts[i], max_tokens, scratch) &&
             add_sentence(e, texts[i], &sentences[i]);
    ok = ok && assemble(t, sentences, pair, max_tokens, a, out);
    arena_release(scratch, mark);
    return ok;
}
