/* identity - the identity of a session's model, a SHA-256: of its small files as they were given
 * (config.json, tokenizer_config.json, tokenizer.json, vocab.txt or vocab.json with merges.txt;
 * special_tokens_map.json and added_tokens.json where they change something), of the store, and of
 * every weight as it is kept, by name. It does not depend on how the checkpoint was split into files,
 * nor on floats that the int8 store does not keep. Two models with one hash compute the same numbers
 * on every text.
 *
 * What the page begins with has no studies, so that nobody asks it.
 */
#include "port/session.h"

#ifdef HEADLIGHT_PAGE
void session_note_text(hl_session *s, model_text which, const span *texts, int count) {
    (void)s, (void)which, (void)texts, (void)count;
}

const char *session_model_hash(hl_session *s) { return s->model_hash; }
#else
void session_note_text(hl_session *s, model_text which, const span *texts, int count) {
    sha256 h;
    sha256_begin(&h);
    for (int i = 0; i < count; i++) sha256_add(&h, texts[i].at, texts[i].size);
    sha256_text(&h, s->texts[which]);
}

static void add_name(sha256 *h, const char *name) { sha256_add(h, name, strlen(name) + 1); }

static void add_slot(const hl_session *s, const slot *slot, sha256 *h) {
    const matrix *w = slot->matrix;
    add_name(h, slot->name);
    if (!w) sha256_add(h, slot->vector, (size_t)slot->cols * sizeof(float));
    else if (w->store == STORE_F32)
        for (int r = 0; r < slot->rows; r++)
            sha256_add(h, w->f32 + (int64_t)r * w->stride, (size_t)slot->cols * sizeof(float));
    else {
        sha256_add(h, w->scale, (size_t)slot->rows * sizeof(float));
        for (int r = 0; r < slot->rows; r++) {
            matrix_codes(w, r, (int8_t *)s->loader.stage); /* free after loading */
            sha256_add(h, s->loader.stage, (size_t)slot->cols);
        }
    }
}

const char *session_model_hash(hl_session *s) {
    if (s->stage != STAGE_READY) return "";
    if (*s->model_hash) return s->model_hash;
    sha256 h;
    sha256_begin(&h);
    for (int i = 0; i < MODEL_TEXTS; i++) add_name(&h, s->texts[i]);
    add_name(&h, session_store(s));
    for (int i = 0; i < s->loader.slot_count; i++) {
        const slot *slot = &s->loader.slots[i];
        if (!slot->absent && weights_have(&s->weights, slot->row->part)) add_slot(s, slot, &h);
    }
    sha256_text(&h, s->model_hash);
    return s->model_hash;
}

const char *hl_model_hash(hl_session *s) { return session_model_hash(s); }
#endif
