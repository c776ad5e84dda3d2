/* text - the tokens of a session, and the changes that a reader makes to them and inside the model.
 */
#include "port/session.h"

#include "text/unicode/unicode.h"

#include <string.h>

/* `limit` as hl_tokenize has it. What the model takes: its positions, or fewer if the tokenizer's
 * configuration says so. */
static int max_tokens(const hl_session *s, int limit) {
    if (limit == -1) limit = s->config.arch.sentence_tokens;
    if (limit) return limit;
    int positions = s->stage == STAGE_EMPTY ? 512 : s->config.arch.tokens,
        most = s->options.max_length;
    return most >= 4 && most < positions ? most : positions;
}

/* Forgets the old tokens and what was computed on them. */
static bool new_text(hl_session *s) {
    error_clear(&s->err);
    arena_release(&s->memory, s->stage >= STAGE_WEIGHTS ? s->after_weights : s->after_texts);
    s->text = (encoding){0};
    s->change_count = 0;
    return true;
}

static bool take_columns(hl_session *s) {
    size_t count = (size_t)s->text.count;
    s->segment = arena_take_array(&s->memory, count, sizeof *s->segment, "tokens");
    s->special = arena_take_array(&s->memory, count, sizeof *s->special, "tokens");
    if (!s->segment || !s->special) s->text.count = 0;
    return s->segment && s->special;
}

/* A text as sentence-transformers embeds it: after its prompt, and without what str.strip of Python
 * takes off, White_Space and U+001C to U+001F. false: no memory. */
static bool prompted(hl_session *s, span *text) {
    size_t size = s->prompt.size + text->size;
    char *whole = arena_take_raw(&s->scratch, size + 1, "the text");
    size_t from = 0, to = 0;
    int32_t cp;
    if (!whole) return false;
    if (s->prompt.size) memcpy(whole, s->prompt.at, s->prompt.size);
    if (text->size) memcpy(whole + s->prompt.size, text->at, text->size);
    for (size_t at = 0; at < size;) {
        at += (size_t)unicode_decode(whole + at, size - at, &cp);
        bool space = unicode_is(cp, UNICODE_SPACE) || (cp >= 0x1C && cp <= 0x1F);
        if (!space) to = at;
        else if (to == 0) from = at;
    }
    *text = (span){whole + from, to > from ? to - from : 0};
    return true;
}

/* A vocabulary may be larger than the model. */
static bool has_rows(hl_session *s) {
    for (int i = 0; s->stage != STAGE_EMPTY && i < s->text.count; i++) {
        int id = s->text.tokens[i].id;
        span piece = tokenizer_piece(s->tokenizer, id);
        if (id >= s->config.arch.vocab)
            return error_set(&s->err, "text",
                "the text has the token \"%s\" with the id %d, but config.json says vocab_size %d: the "
                "model has no row for it; leave it out",
                error_quote(piece.at, piece.size).text, id, s->config.arch.vocab);
    }
    return true;
}

int hl_tokenize(hl_session *s, const char *a, int size_a, const char *b, int size_b, int limit) {
    if (!new_text(s)) return -1;
    if (!s->tokenizer)
        return error_set(&s->err, "state",
                   "this model has no vocab.txt or tokenizer.json; give ids instead of text"),
               -1;
    span text_a = {a, size_a > 0 ? (size_t)size_a : 0};
    span text_b = {size_b < 0 ? NULL : b ? b : "", size_b > 0 ? (size_t)size_b : 0};
    bool ok = (limit != -1 || prompted(s, &text_a)) &&
        tokenizer_encode(s->tokenizer, text_a, text_b, max_tokens(s, limit), &s->memory,
            &s->scratch, &s->text, &s->err);
    arena_free(&s->scratch);
    if (!ok || !has_rows(s) || !take_columns(s)) return s->text.count = 0, -1;
    tokenizer_segments(s->tokenizer, &s->text, s->segment, s->special);
    return s->text.count;
}

static bool check_ids(hl_session *s, const int32_t *ids, const int32_t *types, int count) {
    if (count < 1 || count > s->config.arch.tokens)
        return error_set(&s->err, "text", "%d ids were given; this model takes 1 to %d", count,
            s->config.arch.tokens);
    for (int i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= s->config.arch.vocab)
            return error_set(&s->err, "text",
                "id %d at position %d is outside the vocabulary (0 to %d)", ids[i], i,
                s->config.arch.vocab - 1);
        if (types && (types[i] < 0 || types[i] >= s->config.arch.types))
            return error_set(&s->err, "text", "token type %d at position %d is unknown (0 to %d)",
                types[i], i, s->config.arch.types - 1);
    }
    return true;
}

int hl_use_ids(hl_session *s, const int32_t *ids, const int32_t *types, int count) {
    if (!session_has_layers(s) || !new_text(s) || !check_ids(s, ids, types, count)) return -1;
    token *tokens = arena_take_array(&s->memory, (size_t)count, sizeof(token), "tokens");
    if (!tokens) return -1;
    for (int i = 0; i < count; i++) {
        int type = types ? types[i] : 0;
        bool added = s->tokenizer && tokenizer_special(s->tokenizer, ids[i]);
        tokens[i] = (token){ids[i], type, 0, 0, added ? -1 : type > 0, added ? -1 : i};
    }
    s->text = (encoding){.tokens = tokens, .count = count};
    if (!take_columns(s)) return -1;
    for (int i = 0; i < count; i++) { /* nothing else says where the second text begins */
        s->segment[i] = tokens[i].type;
        s->special[i] = s->tokenizer ? tokenizer_special(s->tokenizer, ids[i]) : 0;
    }
    return count;
}

int hl_append(hl_session *s, const int32_t *ids, int count) {
    error_clear(&s->err);
    encoding before = s->text;
    if (!before.count || count < 0)
        return error_set(&s->err, "state",
                   before.count ? "%d ids cannot be appended"
                                : "there is no text to append to; call hl_tokenize first",
                   count),
               -1;
    int all = before.count + count, word = -1, text = 0;
    if (all > s->config.arch.tokens)
        return error_set(&s->err, "text",
                   "%d tokens and %d more are too many; this model takes at most %d", before.count,
                   count, s->config.arch.tokens),
               -1;
    if (count && !check_ids(s, ids, NULL, count)) return -1;
    token *tokens = arena_take_array(&s->memory, (size_t)all, sizeof(token), "tokens");
    if (!tokens) return -1;
    for (int i = 0; i < before.count; i++) {
        tokens[i] = before.tokens[i];
        if (tokens[i].sentence > text) text = tokens[i].sentence, word = -1;
        if (tokens[i].sentence == text && tokens[i].word > word) word = tokens[i].word;
    }
    for (int i = 0; i < count; i++) {
        bool added = s->tokenizer && tokenizer_special(s->tokenizer, ids[i]);
        tokens[before.count + i] = (token){ids[i], tokens[before.count - 1].type, 0, 0,
            added ? -1 : text, added ? -1 : ++word};
    }
    s->text.tokens = tokens;
    s->text.count = all;
    s->change_count = 0;
    const int32_t *segment = s->segment, *special = s->special;
    if (!take_columns(s)) return -1;
    for (int i = 0; i < all; i++) {
        bool old = i < before.count;
        s->segment[i] = old ? segment[i] : text;
        s->special[i] = old ? special[i]
            : s->tokenizer  ? tokenizer_special(s->tokenizer, tokens[i].id)
                            : 0;
    }
    return all;
}

int hl_remove(hl_session *s, int at) {
    error_clear(&s->err);
    int count = s->text.count - 1;
    if (at < 0 || at > count || count == 0)
        return error_set(&s->err, "state", "token %d cannot be removed; the text has %d", at,
                   count + 1),
               -1;
    size_t after = (size_t)(count - at);
    memmove(s->text.tokens + at, s->text.tokens + at + 1, after * sizeof *s->text.tokens);
    memmove(s->segment + at, s->segment + at + 1, after * sizeof *s->segment);
    memmove(s->special + at, s->special + at + 1, after * sizeof *s->special);
    s->change_count = 0;
    return s->text.count = count;
}

bool session_put_text(hl_session *s, const encoding *read, const int32_t *segment,
    const int32_t *special, const change *changes, int change_count) {
    size_t count = (size_t)read->count;
    new_text(s);
    token *tokens = arena_take_array(&s->memory, count, sizeof *tokens, "tokens");
    s->text = *read;
    s->text.tokens = tokens;
    if (!tokens || !take_columns(s)) return s->text.count = 0, false;
    memcpy(tokens, read->tokens, count * sizeof *tokens);
    memcpy(s->segment, segment, count * sizeof *segment);
    memcpy(s->special, special, count * sizeof *special);
    memcpy(s->changes, changes, (size_t)change_count * sizeof *changes);
    s->change_count = change_count;
    return true;
}

_Static_assert(sizeof(hl_token) == sizeof(token), "the rows of hl_tokens are the tokenizer's");

const hl_token *hl_tokens(hl_session *s) {
    return s->text.count ? (const hl_token *)(const void *)s->text.tokens : NULL;
}
int hl_token_count(hl_session *s) { return s->text.count; }
int hl_dropped(hl_session *s, int sentence) {
    return sentence == 0 || sentence == 1 ? s->text.dropped[sentence] : 0;
}

/* ---- words ---- */

/* The entry that reads so; -1: there is none. */
static int entry_shown(const hl_session *s, span word) {
    char shown[SHOWN_ROOM];
    for (int id = 0; id < s->config.arch.vocab; id++)
        if (tokenizer_piece(s->tokenizer, id).at &&
            tokenizer_shown(s->tokenizer, id, shown, sizeof shown) == word.size &&
            memcmp(shown, word.at, word.size) == 0)
            return id;
    return -1;
}

int hl_find_word(hl_session *s, const char *word, int size, int32_t *ids, int room) {
    span text = {word, size > 0 ? (size_t)size : 0};
    int count = 0, entry = -1, unknown = session_specials(s).unk;
    arena memory;
    encoding made;
    error_clear(&s->err);
    if (!s->tokenizer)
        return error_set(&s->err, "state", "this model has no vocab.txt or tokenizer.json"), -1;
    arena_init(&memory, &s->err);
    bool ok = tokenizer_encode(s->tokenizer, text, (span){0}, max_tokens(s, 0), &memory,
        &s->scratch, &made, &s->err);
    for (int i = 0; ok && i < made.count; i++) {
        if (made.tokens[i].sentence < 0) continue;
        if (count < room) ids[count] = made.tokens[i].id;
        entry = made.tokens[i].id, count++;
    }
    arena_free(&memory);
    arena_free(&s->scratch);
    if (!ok) return -1;
    if (count == 1 && entry != unknown) return 1;
    entry = entry_shown(s, text);
    if (entry >= 0 && room > 0) return ids[0] = entry, 1;
    return count == 1 ? 0 : count;
}

/* ---- changes ---- */

/* The tensor that a patch takes from. */
static const char *patched_from(const change *x, const pass *source) {
    static const char *const names[] = {"q", "k", "v"};
    static const trace_id ids[] = {TRACE_Q, TRACE_K, TRACE_V};
    bool read = x->kind == CHANGE_PATCH_READ;
    if (x->kind == CHANGE_PATCH_MLP && !pass_at(source, TRACE_MLP_OUT, 0)) return "mlp_out";
    return read && !pass_at(source, ids[x->c], 0) ? names[x->c] : NULL;
}

static bool check_patch(hl_session *s, const change *x) {
    const arch *c = &s->config.arch;
    bool token = x->kind == CHANGE_PATCH_TOKEN, mlp = x->kind == CHANGE_PATCH_MLP;
    int tokens = s->text.count;
    if (!CAN_PATCH || !s->source.tokens)
        return error_set(&s->err, "state",
            "there is no pass to patch from; run a text and give it to hl_source");
    if (s->source_count != tokens)
        return error_set(&s->err, "state",
            "the text to patch from has %d tokens, this one %d; say which token is taken for which",
            s->source_count, tokens);
    const input in = {.from = s->source_from};
    bool there = x->a >= 0 && x->a < s->source.layers &&
        (mlp ||
            (x->b >= 0 && x->b < (token ? tokens : c->heads) &&
                (!token || input_from(&in, x->b) >= 0)));
    if (!there)
        return error_set(&s->err, "state", "layer %d has no %s %d to patch", x->a,
            mlp         ? "MLP"
                : token ? "token"
                        : "head",
            x->b);
    if (x->kind == CHANGE_PATCH_READ && (x->c < 0 || x->c >= READS))
        return error_set(&s->err, "state", "a head reads 0 (q), 1 (k) and 2 (v), not %d", x->c);
    const char *missing = patched_from(x, &s->source);
    return !missing ||
        error_set(&s->err, "state",
            "the pass to patch from has not kept %s; run it with keep \"%s\"", missing, missing);
}

static bool check_change(hl_session *s, const change *x) {
    const arch *c = &s->config.arch;
    bool layer = x->a >= 0 && x->a < c->layers, head = x->b >= 0 && x->b < c->heads;
    int tokens = s->text.count;
    switch (x->kind) {
    case CHANGE_TOKEN:
        return (x->a >= 0 && x->a < tokens && x->b >= 0 && x->b < c->vocab) ||
            error_set(&s->err, "state",
                "token %d cannot become id %d: the text has %d tokens, the vocabulary %d ids", x->a,
                x->b, tokens, c->vocab);
    case CHANGE_HEAD:
    case CHANGE_NEURON:
        return (layer && head && (x->kind == CHANGE_HEAD || (x->c >= 0 && x->c < c->head_width))) ||
            error_set(&s->err, "state",
                "there is no layer %d, head %d, neuron %d: the model has %d layers of %d heads of "
                "%d neurons",
                x->a, x->b, x->c, c->layers, c->heads, c->head_width);
    case CHANGE_NO_POSITIONS:
    case CHANGE_NO_TYPES: return true;
    case CHANGE_MLP:
        return layer ||
            error_set(&s->err, "state", "there is no layer %d; there are %d layers", x->a,
                c->layers);
    case CHANGE_SWAP:
        return (x->a >= 0 && x->a < tokens && x->b >= 0 && x->b < tokens) ||
            error_set(&s->err, "state",
                "positions %d and %d cannot be swapped: the text has %d tokens", x->a, x->b,
                tokens);
    case CHANGE_PATCH_TOKEN:
    case CHANGE_PATCH_HEAD:
    case CHANGE_PATCH_MLP:
    case CHANGE_PATCH_READ:
        if (CAN_PATCH) return check_patch(s, x); /* else as any other */
        __attribute__((fallthrough));
    default: return error_set(&s->err, "state", "there is no change of kind %d", x->kind);
    }
}

int hl_change(hl_session *s, const int32_t *rows, int count) {
    if (!session_has_layers(s)) return 0;
    if (count < 0 || count > MOST_CHANGES)
        return error_set(&s->err, "state", "%d changes were given; at most %d can be made at once",
            count, MOST_CHANGES);
    for (int i = 0; i < count; i++) {
        change x = {rows[4 * i], rows[4 * i + 1], rows[4 * i + 2], rows[4 * i + 3]};
        if (!check_change(s, &x)) return 0;
    }
    s->change_count = count;
    if (count) memcpy(s->changes, rows, (size_t)count * sizeof *s->changes);
    return 1;
}
