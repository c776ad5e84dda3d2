/* describe - the loaded model in numbers, names and one JSON object (hl_describe); and the
 * constants of headlight.h as another (hl_constants).
 */
#include "port/session.h"

#include "base/writer.h"

/* An id that the model has no row for is none. */
special_ids session_specials(const hl_session *s) {
    special_ids all = {-1, -1, -1, -1, -1, -1, -1};
    if (s->tokenizer) all = tokenizer_specials(s->tokenizer);
    int *ids[] = {&all.unk, &all.cls, &all.sep, &all.pad, &all.mask, &all.bos, &all.eos};
    for (int i = 0; s->stage != STAGE_EMPTY && i < 7; i++)
        if (*ids[i] >= s->config.arch.vocab) *ids[i] = -1;
    return all;
}

static const char rounded_warning[] =
    "config.json asks for rounded activations (input_activations); here they are rounded less, or not "
    "at all: numbers differ a little from those of a server that does as it says";

const char *hl_warning(hl_session *s, int index) {
    const char *all[] = {s->config_warning, s->tokenizer_warning ? s->tokenizer_warning : "",
        s->vocab_warning, s->weights_warning, s->tied_warning, s->scales_warning,
        s->sentence_warning, s->corpus_warning, s->config.rounded ? rounded_warning : ""};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i][0] && index-- == 0) return all[i];
    return NULL;
}

const char *session_file(const hl_session *s, int file) {
    if (!s->has_index) return file == 0 ? "model.safetensors" : NULL;
    return file >= 0 && file < s->index.file_count ? s->index.files[file] : NULL;
}

const char *hl_file(hl_session *s, int file) {
    return s->stage == STAGE_EMPTY ? NULL : session_file(s, file);
}

const hl_sizes *hl_model_sizes(hl_session *s) {
    const arch *c = &s->config.arch;
    bool ready = s->stage == STAGE_READY;
    s->sizes = (hl_sizes){0};
    if (s->stage != STAGE_EMPTY)
        s->sizes = (hl_sizes){c->layers, c->heads, c->head_width, c->hidden, c->inner, c->vocab,
            c->tokens, c->types, session_specials(s).mask,
            ready && s->weights.has_words && c->words == WORDS_MASKED,
            ready && s->weights.has_next_sentence && !c->says_order,
            ready && s->weights.has_next_sentence && c->says_order,
            ready && s->weights.has_words && c->words == WORDS_NEXT, c->sentence != POOL_NONE,
            session_task(s), s->weights.has_task && ready ? c->task.outputs : 0,
            c->prefers_fine ? HL_FINE : HL_FAST};
    return &s->sizes;
}

static const char *truth(bool b) { return b ? "true" : "false"; }

static void write_shape(writer *w, const char *letters) {
    writer_format(w, "\"shape\":[");
    for (const char *letter = letters; *letter; letter++)
        writer_format(w, "%s\"%c\"", letter == letters ? "" : ",", *letter);
    writer_format(w, "]");
}

static void write_names(writer *w, const char *key, const char *const *names, size_t count) {
    writer_format(w, ",\"%s\":{", key);
    for (size_t i = 0; i < count; i++)
        writer_format(w, "%s\"%s\":%d", i ? "," : "", names[i], (int)i);
    writer_format(w, "}");
}

static void write_table(writer *w) {
    writer_format(w, ",\"patterns\":[");
    for (int i = 0; i < pattern_count(); i++)
        writer_format(w, "%s\"%s\"", i ? "," : "", patterns[i].name);
    writer_format(w, "],\"tensors\":[");
    for (int id = 0; id < TRACE_COUNT; id++) {
        writer_format(w, "%s{\"name\":\"%s\",", id ? "," : "", trace_table[id].name);
        write_shape(w, trace_table[id].shape);
        writer_format(w, ",\"per_layer\":%s}", truth(trace_per_layer((trace_id)id)));
    }
    writer_format(w, "],\"measures\":[");
    for (int i = 0; i < measure_count(); i++) {
        writer_format(w, "%s{\"name\":\"%s\",", i ? "," : "", measures[i].name);
        write_shape(w, measures[i].shape);
        writer_format(w, ",\"arguments\":[");
        for (const char *letter = measures[i].takes; *letter; letter++)
            writer_format(w, "%s\"%s\"", letter == measures[i].takes ? "" : ",",
                measure_argument_of(*letter)->name);
        writer_format(w, "],\"needs\":[");
        const char *comma = "";
        for (int id = 0; id < TRACE_COUNT; id++) {
            if (!(measure_needs(&measures[i]) & trace_bit((trace_id)id))) continue;
            writer_format(w, "%s\"%s\"", comma, trace_table[id].name);
            comma = ",";
        }
        writer_format(w, "],\"compares\":%s}", truth(measures[i].uses == USES_EARLIER));
    }
    writer_format(w, "]}");
}

/* Made once, and never freed: it is the same for all sessions. NULL: there is no memory. */
const char *hl_constants(void) {
    static const char *const stores[] = {[HL_F32] = "f32", [HL_Q8] = "q8"},
                             *const precisions[] =
                                 {[HL_FINE] = "fine", [HL_FAST] = "fast", [HL_USUAL] = "usual"},
                             *const changes[] = {[HL_CHANGE_TOKEN] = "token",
                                 [HL_CHANGE_HEAD] = "head",
                                 [HL_CHANGE_NEURON] = "neuron",
                                 [HL_CHANGE_NO_POSITIONS] = "no_positions",
                                 [HL_CHANGE_NO_TYPES] = "no_types",
                                 [HL_CHANGE_SWAP] = "swap",
                                 [HL_CHANGE_MLP] = "mlp",
#ifndef HEADLIGHT_PAGE /* input.h */
                                 [HL_CHANGE_PATCH_TOKEN] = "patch_token",
                                 [HL_CHANGE_PATCH_HEAD] = "patch_head",
                                 [HL_CHANGE_PATCH_MLP] = "patch_mlp",
                                 [HL_CHANGE_PATCH_READ] = "patch_read"
#endif
                             };
    static const char *text;
    static arena memory;
    static error err;
    writer w;
    if (text) return text;
    arena_init(&memory, &err);
    writer_init(&w, &memory);
    writer_format(&w, "{\"version\":%d", HL_VERSION);
    write_names(&w, "stores", stores, 2);
    write_names(&w, "precisions", precisions, 3);
    write_names(&w, "changes", changes, sizeof changes / sizeof *changes);
    write_table(&w);
    text = writer_text(&w);
    if (!text) arena_free(&memory);
    return text;
}

const char *hl_tensor_name(int index) {
    return index >= 0 && index < TRACE_COUNT ? trace_table[index].name : NULL;
}
const char *hl_measure_name(int index) {
    return index >= 0 && index < measure_count() ? measures[index].name : NULL;
}
int hl_version(void) { return HL_VERSION; }

/* The names of the tensors that the model has. */
static void write_tensors(writer *w, const hl_session *s, const weights *of) {
    const char *comma = "";
    writer_format(w, ",\"tensors\":[");
    for (int id = 0; id < TRACE_COUNT; id++) {
        if (s->stage >= STAGE_WEIGHTS && !trace_has(of, id)) continue;
        if (s->stage == STAGE_WEIGHTS && trace_table[id].when == TRACE_AFTER_LAYERS) continue;
        writer_format(w, "%s\"%s\"", comma, trace_table[id].name);
        comma = ",";
    }
    writer_format(w, "]");
}

static void write_lists(writer *w, hl_session *s) {
    writer_format(w, ",\"labels\":[");
    const arch_task *task = &s->config.arch.task;
    bool labelled = task->kind == TASK_LABELS || task->kind == TASK_TOKEN_LABELS;
    int count = s->config.label_count ? s->config.label_count : labelled ? task->outputs : 0;
    for (int i = 0; i < count; i++) {
        if (i) writer_format(w, ",");
        if (s->config.label_count) writer_string(w, s->config.labels[i]);
        else writer_format(w, "\"LABEL_%d\"", i);
    }
    writer_format(w, "],\"warnings\":[");
    for (int i = 0; hl_warning(s, i); i++) {
        if (i) writer_format(w, ",");
        writer_string(w, span_of(hl_warning(s, i)));
    }
    writer_format(w, "]}");
}

/* "name":value, ... of one of arch.h's lists. */
static void write_fields(writer *w, const arch_field *field, const void *of) {
    for (const char *comma = ""; field->name; field++, comma = ",") {
        const char *at = (const char *)of + field->offset;
        writer_format(w, "%s\"%s\":", comma, field->name);
        switch (field->kind) {
        case ARCH_WHOLE: writer_format(w, "%d", *(const int *)at); break;
        case ARCH_TRUTH: writer_format(w, "%s", truth(*(const bool *)at)); break;
        case ARCH_ABSENT: writer_format(w, "%s", truth(!*(const bool *)at)); break;
        case ARCH_NUMBER: writer_format(w, "%.9g", (double)*(const float *)at); break;
        default: writer_format(w, "\"%s\"", arch_words(field->kind)[*(const int *)at]);
        }
    }
}

static void write_arch(writer *w, const arch *a) {
    writer_format(w, ",");
    write_fields(w, arch_sizes, a);
    writer_format(w, ",\"block\":{");
    write_fields(w, arch_block, a);
    writer_format(w, "},\"per_layer\":[");
    for (int i = 0; i < a->layers; i++) {
        writer_format(w, "%s{", i ? "," : "");
        write_fields(w, arch_per_layer, &a->layer[i]);
        writer_format(w, "}");
    }
    writer_format(w, "]");
}

#ifndef HEADLIGHT_ONE_STACK
/* Of the second stack what is told of the first, and the token before a target; null: there is none. */
void session_write_second(hl_session *s, writer *w) {
    const arch *a = s->config.arch.second;
    if (!s->config.arch.of_two) return;
    writer_format(w, ",\"second\":%s", a ? "{\"start\":" : "null");
    if (!a) return;
    writer_format(w, "%d", a->start);
    write_arch(w, a);
    writer_format(w, ",\"scaled\":%s", truth(!a->unscaled));
    if (s->stage >= STAGE_WEIGHTS) write_tensors(w, s, s->weights.second);
    writer_format(w, "}");
}
#endif

/* What the loaded model can say at the end. */
static void write_predicts(writer *w, hl_session *s) {
    static const char *const scores[] =
        {[SCORE_SOFTMAX] = "softmax", [SCORE_SIGMOID] = "sigmoid", [SCORE_PLAIN] = "plain"};
    hl_model_sizes(s);
    bool ready = s->stage == STAGE_READY, words = ready && s->weights.has_words;
    word_kind kind = s->config.arch.words;
    int task = session_task(s);
    const struct {
        const char *name;
        bool is;
    } all[] = {{"masked_words", words && kind == WORDS_MASKED},
        {"next_word", words && kind == WORDS_NEXT}, {"next_sentence", s->sizes.next_sentence},
        {"sentence_order", s->sizes.sentence_order}, {"embedding", ready && s->sizes.embedding},
        {"labels", task == HL_TASK_LABELS}, {"token_labels", task == HL_TASK_TOKEN_LABELS},
        {"answer", task == HL_TASK_ANSWER}, {"replaced", ready && s->weights.has_replaced}};
    const char *comma = "";
    writer_format(w, ",\"predicts\":[");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].is) continue;
        writer_format(w, "%s\"%s\"", comma, all[i].name);
        comma = ",";
    }
    writer_format(w, "],\"scores\":\"%s\",\"similarity\":\"%s\"", scores[s->config.arch.task.score],
        sentence_similarities[s->config.arch.similarity]);
}

const char *hl_describe(hl_session *s) {
    error_clear(&s->err);
    if (s->stage == STAGE_EMPTY)
        return error_set(&s->err, "state", "no model is loaded; load config.json first"), NULL;
    const arch *c = &s->config.arch;
    special_ids id = session_specials(s);
    bool ready = s->stage == STAGE_READY, begun = s->stage >= STAGE_WEIGHTS;
    writer w;
    arena_free(&s->answer);
    writer_init(&w, &s->answer);
    writer_format(&w, "{\"family\":");
    writer_string(&w, span_of(s->config.family->name));
    writer_format(&w, ",\"architecture\":");
    writer_string(&w, s->config.architecture);
    writer_format(&w, ",\"precision\":\"%s\"", c->prefers_fine ? "fine" : "fast");
    writer_format(&w, ",\"store\":\"%s\",\"files\":%d",
        begun && s->loader.store == STORE_Q8 ? "q8" : "f32",
        s->has_index ? s->index.file_count : 1);
    write_arch(&w, c);
    write_predicts(&w, s);
    writer_format(&w, ",\"parameters\":%lld,\"weight_bytes\":%lld",
        begun ? (long long)s->loader.parameters : 0LL, begun ? (long long)s->loader.bytes : 0LL);
    writer_format(&w, ",\"mlm\":%s,\"nsp\":%s,\"lowercase\":%s",
        truth(ready && s->weights.has_words && c->words == WORDS_MASKED),
        truth(ready && s->weights.has_next_sentence && !c->says_order),
        truth(s->tokenizer && tokenizer_lowercases(s->tokenizer)));
    writer_format(&w,
        ",\"special\":{\"unk\":%d,\"cls\":%d,\"sep\":%d,\"pad\":%d,\"mask\":%d,"
        "\"bos\":%d,\"eos\":%d}",
        id.unk, id.cls, id.sep, id.pad, id.mask, id.bos, id.eos);
    session_write_ends(s, id.eos, &w);
    write_tensors(&w, s, &s->weights);
#ifndef HEADLIGHT_ONE_STACK
    session_write_second(s, &w);
#endif
    write_lists(&w, s);
    return writer_text(&w);
}

static const char *answer_text(hl_session *s, span text) {
    writer w;
    arena_free(&s->answer);
    writer_init(&w, &s->answer);
    writer_add(&w, text);
    return writer_text(&w);
}

static bool has_piece(hl_session *s, int id) {
    error_clear(&s->err);
    return s->tokenizer && tokenizer_piece(s->tokenizer, id).at;
}

const char *hl_token_text(hl_session *s, int id) {
    return has_piece(s, id) ? answer_text(s, tokenizer_piece(s->tokenizer, id)) : NULL;
}

const char *hl_token_shown(hl_session *s, int id) {
    char shown[SHOWN_ROOM];
    if (!has_piece(s, id)) return NULL;
    return answer_text(s, (span){shown, tokenizer_shown(s->tokenizer, id, shown, sizeof shown)});
}
