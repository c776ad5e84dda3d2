/* describe - what is known of the loaded model, as numbers, names and one JSON object.
 */
#include "port/session.h"

#include "base/team.h"
#include "base/writer.h"

special_ids session_specials(const hl_session *s) {
    return s->tokenizer ? tokenizer_specials(s->tokenizer) : (special_ids){-1, -1, -1, -1, -1};
}

static const char *warning(const hl_session *s, int index) {
    const char *all[] = {s->tokenizer_warning ? s->tokenizer_warning : "", s->vocab_warning, s->weights_warning};
    for (int i = 0; i < 3; i++)
        if (all[i][0] && index-- == 0) return all[i];
    return NULL;
}

static int warning_count(const hl_session *s) {
    int count = 0;
    while (warning(s, count)) count++;
    return count;
}

const char *session_file(const hl_session *s, int file) {
    if (!s->has_index) return file == 0 ? "model.safetensors" : NULL;
    return file >= 0 && file < s->index.file_count ? s->index.files[file] : NULL;
}

void hl_join(int trapped) {
    if (trapped) team_lost();
    else team_join();
}

int hl_size(hl_session *s, int which) {
    if (which == HL_SIZE_VERSION) return HL_VERSION;
    if (which == HL_SIZE_THREADS) return team_size();
    static const arch none = {0};
    const arch *c = s->stage == STAGE_EMPTY ? &none : &s->config.arch;   /* a tokenizer alone has tokens, and no model */
    const int sizes[] = {
        [HL_SIZE_LAYERS] = c->layers, [HL_SIZE_HEADS] = c->heads, [HL_SIZE_HIDDEN] = c->hidden, [HL_SIZE_HEAD_WIDTH] = c->head_width,
        [HL_SIZE_INNER] = c->inner, [HL_SIZE_VOCAB] = c->vocab, [HL_SIZE_POSITIONS] = c->tokens, [HL_SIZE_TYPES] = c->types,
        [HL_SIZE_TOKENS] = s->text.count, [HL_SIZE_HAS_MLM] = s->stage == STAGE_READY && s->weights.has_words && c->words == WORDS_MASKED,
        [HL_SIZE_HAS_NEXT_SENTENCE] = s->stage == STAGE_READY && s->weights.has_next_sentence, [HL_SIZE_MASK_ID] = session_specials(s).mask,
        [HL_SIZE_TENSORS] = TRACE_COUNT, [HL_SIZE_MEASURES] = pattern_count(), [HL_SIZE_WARNINGS] = warning_count(s),
        [HL_SIZE_STUDIES] = measure_count(), [HL_SIZE_DROPPED_A] = s->text.dropped[0], [HL_SIZE_DROPPED_B] = s->text.dropped[1]};
    return which >= 0 && which < (int)(sizeof sizes / sizeof *sizes) ? sizes[which] : 0;
}

const char *hl_name(hl_session *s, int kind, int index) {
    if (s->stage == STAGE_EMPTY || index < 0) return NULL;
    switch (kind) {
    case HL_NAME_FAMILY: return index == 0 ? s->config.family->name : NULL;
    case HL_NAME_TENSOR: return index < TRACE_COUNT ? trace_table[index].name : NULL;
    case HL_NAME_MEASURE: return index < pattern_count() ? patterns[index].name : NULL;
    case HL_NAME_FILE: return session_file(s, index);
    case HL_NAME_STUDY: return index < measure_count() ? measures[index].name : NULL;
    case HL_NAME_WARNING: return warning(s, index);
    default: return NULL;
    }
}

static void write_shape(writer *w, const char *letters) {
    writer_format(w, "\"shape\":[");
    for (const char *letter = letters; *letter; letter++) writer_format(w, "%s\"%c\"", letter == letters ? "" : ",", *letter);
    writer_format(w, "]");
}

static void write_tensors(writer *w, const hl_session *s) {
    const char *comma = "";
    writer_format(w, ",\"tensors\":[");
    for (int id = 0; id < TRACE_COUNT; id++) {
        if (s->stage == STAGE_READY && !trace_has(&s->weights, id)) continue;
        const trace_row *row = &trace_table[id];
        writer_format(w, "%s{\"id\":%d,\"name\":\"%s\",", comma, id, row->name);
        write_shape(w, row->shape);
        writer_format(w, ",\"per_layer\":%s}", trace_per_layer((trace_id)id) ? "true" : "false");
        comma = ",";
    }
    writer_format(w, "],\"measures\":[");
    for (int i = 0; i < pattern_count(); i++) writer_format(w, "%s\"%s\"", i ? "," : "", patterns[i].name);
    writer_format(w, "],\"studies\":[");
    for (int i = 0; i < measure_count(); i++) {
        writer_format(w, "%s{\"id\":%d,\"name\":\"%s\",", i ? "," : "", i, measures[i].name);
        write_shape(w, measures[i].shape);
        writer_format(w, "}");
    }
    writer_format(w, "]");
}

static void write_lists(writer *w, const hl_session *s) {
    writer_format(w, ",\"labels\":[");
    for (int i = 0; i < s->config.label_count; i++) {
        if (i) writer_format(w, ",");
        writer_string(w, s->config.labels[i]);
    }
    writer_format(w, "],\"warnings\":[");
    for (int i = 0; warning(s, i); i++) {
        if (i) writer_format(w, ",");
        writer_string(w, span_of(warning(s, i)));
    }
    writer_format(w, "]}");
}

static const char *truth(bool b) { return b ? "true" : "false"; }

const char *hl_describe(hl_session *s, int what) {
    error_clear(&s->err);
    if (what == HL_DESCRIBE_CONFIG || what == HL_DESCRIBE_INDEX) return session_save_text(s, what);
    if (s->stage == STAGE_EMPTY) return error_set(&s->err, "state", "no model is loaded; load config.json first"), NULL;
    const arch *c = &s->config.arch;
    special_ids id = session_specials(s);
    bool ready = s->stage == STAGE_READY;
    writer w;
    arena_free(&s->answer);
    writer_init(&w, &s->answer);
    writer_format(&w, "{\"version\":%d,\"family\":", HL_VERSION);
    writer_string(&w, span_of(s->config.family->name));
    writer_format(&w, ",\"architecture\":");
    writer_string(&w, s->config.architecture);
    writer_format(&w, ",\"store\":\"%s\",\"files\":%d", ready && s->loader.store == STORE_Q8 ? "q8" : "f32",
                  s->has_index ? s->index.file_count : 1);
    writer_format(&w, ",\"layers\":%d,\"heads\":%d,\"hidden\":%d,\"head_width\":%d,\"inner\":%d,\"vocab\":%d,\"positions\":%d,"
                  "\"types\":%d", c->layers, c->heads, c->hidden, c->head_width, c->inner, c->vocab, c->tokens, c->types);
    writer_format(&w, ",\"parameters\":%lld,\"weight_bytes\":%lld", ready ? (long long)s->loader.parameters : 0LL,
                  ready ? (long long)s->loader.bytes : 0LL);
    writer_format(&w, ",\"mlm\":%s,\"nsp\":%s,\"lowercase\":%s", truth(ready && s->weights.has_words && c->words == WORDS_MASKED),
                  truth(ready && s->weights.has_next_sentence), truth(s->tokenizer && tokenizer_lowercases(s->tokenizer)));
    writer_format(&w, ",\"special\":{\"unk\":%d,\"cls\":%d,\"sep\":%d,\"pad\":%d,\"mask\":%d}", id.unk, id.cls, id.sep, id.pad, id.mask);
    write_tensors(&w, s);
    write_lists(&w, s);
    return writer_text(&w);
}

const char *hl_piece(hl_session *s, int id) {
    error_clear(&s->err);
    if (!s->tokenizer || id < 0 || id >= tokenizer_size(s->tokenizer)) return NULL;
    span piece = tokenizer_piece(s->tokenizer, id);
    if (!piece.at) return NULL;
    writer w;
    arena_free(&s->answer);
    writer_init(&w, &s->answer);
    writer_add(&w, piece);
    return writer_text(&w);
}
