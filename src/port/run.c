/* run - text, forward pass and what is read from it: implements the second half of headlight.h.
 */
#include "port/session.h"

#include "base/team.h"

/* What the model takes: its positions, or fewer if the tokenizer's configuration says so. */
static int max_tokens(const hl_session *s) {
    int positions = s->stage == STAGE_EMPTY ? 512 : s->config.arch.tokens, limit = s->options.max_length;
    return limit >= 4 && limit < positions ? limit : positions;
}

/* Forgets the old tokens and what was computed on them. */
static bool new_text(hl_session *s) {
    if (s->stage == STAGE_WEIGHTS) return session_at(s, STAGE_READY);
    error_clear(&s->err);
    arena_release(&s->memory, s->stage == STAGE_READY ? s->after_model : s->after_texts);
    s->text = (encoding){0};
    s->change_count = 0;
    s->ran = false;
    return true;
}

/* Columns of the tokens, as the model and the measures want them. Models with one token type have one for all. */
static int take_columns(hl_session *s) {
    size_t count = (size_t)s->text.count;
    int32_t **columns[] = {&s->ids, &s->types, &s->words, &s->segment, &s->special};
    for (int i = 0; i < 5; i++)
        if (!(*columns[i] = arena_take_array(&s->memory, count, sizeof(int32_t), "tokens"))) return s->text.count = 0;
    for (size_t i = 0; i < count; i++) {
        token *t = &s->text.tokens[i];
        if (s->stage == STAGE_READY && t->type && t->type >= s->config.arch.types) t->type = s->config.arch.types ? s->config.arch.types - 1 : 0;
        s->ids[i] = t->id;
        s->types[i] = t->type;
        s->words[i] = t->word;
    }
    return s->text.count;
}

int hl_tokenize(hl_session *s, const char *a, int size_a, const char *b, int size_b, int limit) {
    if (!new_text(s)) return 0;
    if (!s->tokenizer)
        return error_set(&s->err, "state", "this model came without vocab.txt or tokenizer.json; give ids instead of text");
    span text_a = {a, size_a > 0 ? (size_t)size_a : 0};
    span text_b = {size_b < 0 ? NULL : b ? b : "", size_b > 0 ? (size_t)size_b : 0};
    bool ok = tokenizer_encode(s->tokenizer, text_a, text_b, limit ? limit : max_tokens(s), &s->memory, &s->scratch, &s->text, &s->err);
    arena_free(&s->scratch);
    if (!ok || !take_columns(s)) return 0;
    tokenizer_segments(s->tokenizer, &s->text, s->segment, s->special);
    return s->text.count;
}

static bool check_ids(hl_session *s, const int32_t *ids, const int32_t *types, int count) {
    if (count < 1 || count > s->config.arch.tokens)
        return error_set(&s->err, "text", "%d ids were given; this model takes 1 to %d", count, s->config.arch.tokens);
    for (int i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= s->config.arch.vocab)
            return error_set(&s->err, "text", "id %d at position %d is outside the vocabulary (0 to %d)", ids[i], i,
                             s->config.arch.vocab - 1);
        if (types && (types[i] < 0 || types[i] >= s->config.arch.types))
            return error_set(&s->err, "text", "token type %d at position %d is unknown (0 to %d)", types[i], i,
                             s->config.arch.types - 1);
    }
    return true;
}

int hl_set_ids(hl_session *s, const int32_t *ids, const int32_t *types, int count) {
    if (!session_at(s, STAGE_READY) || !new_text(s) || !check_ids(s, ids, types, count)) return 0;
    token *tokens = arena_take_array(&s->memory, (size_t)count, sizeof(token), "tokens");
    if (!tokens) return 0;
    for (int i = 0; i < count; i++) {
        int type = types ? types[i] : 0;
        bool added = s->tokenizer && tokenizer_special(s->tokenizer, ids[i]);
        tokens[i] = (token){ids[i], type, 0, 0, added ? -1 : type > 0, added ? -1 : i};
    }
    s->text = (encoding){.tokens = tokens, .count = count};
    if (!take_columns(s)) return 0;
    for (int i = 0; i < count; i++) {   /* nothing else says where the second text begins */
        s->segment[i] = s->types[i];
        s->special[i] = s->tokenizer ? tokenizer_special(s->tokenizer, ids[i]) : 0;
    }
    return count;
}

const int32_t *hl_tokens(hl_session *s) { return s->text.count ? &s->text.tokens->id : NULL; }

int hl_run(hl_session *s, int precision, int keep) {
    if (!session_at(s, STAGE_READY)) return 0;
    if (!s->text.count) return error_set(&s->err, "state", "there is no text; call hl_tokenize or hl_set_ids first");
    if (s->text.count > s->config.arch.tokens)
        return error_set(&s->err, "text", "the text has %d tokens; this model takes at most %d", s->text.count, s->config.arch.tokens);
    if (precision != HL_FINE && precision != HL_FAST) return error_set(&s->err, "state", "there is no precision %d", precision);
    team_gather();
    arena_free(&s->studied);
    s->distances = NULL;
    input in = {s->ids, s->types, s->text.count, s->changes, s->change_count};
    s->ran = pass_run(&s->pass, &s->weights, &in, precision == HL_FAST ? PRECISION_FAST : PRECISION_FINE, keep,
                      (const pass *[]){&s->pass}, 1, &s->scratch)
          && outputs_fill(&s->pass, &s->weights, &s->scratch);
    arena_free(&s->scratch);
    return s->ran;
}

bool session_ran(hl_session *s) {
    if (!session_at(s, STAGE_READY)) return false;
    return s->ran || error_set(&s->err, "state", "nothing has been computed yet; call hl_run first");
}

int hl_shape(hl_session *s, int id, int *sizes) {
    if (s->stage == STAGE_EMPTY || id < 0 || id >= TRACE_COUNT) return 0;
    sizes[0] = trace_per_layer((trace_id)id) ? s->config.arch.layers : 0;
    return trace_shape(&s->config.arch, (trace_id)id, s->text.count, sizes + 1);
}

const float *hl_tensor(hl_session *s, int id, int layer) {
    if (!session_ran(s)) return NULL;
    int layers = id >= 0 && id < TRACE_COUNT && trace_per_layer((trace_id)id) ? s->config.arch.layers : 1;
    const float *found = id >= 0 && id < TRACE_COUNT && layer >= 0 && layer < layers
                       ? pass_at(&s->pass, (trace_id)id, layer) : NULL;
    if (!found) error_set(&s->err, "state", "tensor %d of layer %d was not kept", id, layer);
    return found;
}

int hl_fill(hl_session *s, int position, int k, int32_t *ids, float *probabilities) {
    if (!session_ran(s)) return 0;
    if (!s->weights.has_words) return error_set(&s->err, "state", "this checkpoint has no masked-LM head, so it predicts no words");
    if (position < 0 || position >= s->text.count)
        return error_set(&s->err, "state", "there is no position %d; the text has %d tokens", position, s->text.count);
    if (k > s->config.arch.vocab) k = s->config.arch.vocab;
    float *logits = arena_take_array(&s->scratch, (size_t)s->config.arch.vocab, sizeof(float), "predictions");
    bool ok = logits && k > 0 && outputs_words(&s->pass, &s->weights, position, 1, logits, &s->scratch);
    if (ok) outputs_top(logits, s->config.arch.vocab, k, ids, probabilities);
    arena_free(&s->scratch);
    return ok ? k : 0;
}

int hl_next_sentence(hl_session *s, float *probabilities) {
    if (!session_ran(s)) return 0;
    if (!s->weights.has_next_sentence)
        return error_set(&s->err, "state", "this checkpoint has no next-sentence head");
    bool ok = outputs_next_sentence(&s->pass, &s->weights, probabilities, &s->scratch);
    if (ok) row_softmax(probabilities, 2);
    arena_free(&s->scratch);
    return ok;
}
