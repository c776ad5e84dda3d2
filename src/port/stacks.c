/* stacks - models of two stacks: the functions of headlight_two.h. The encoder is the session's model; its decoder has an
 * arch and weights of its own (arch.second), and its pass the place behind that of the encoder.
 */
#include "port/session.h"

#ifndef HEADLIGHT_ONE_STACK
#include "headlight_two.h"

#include "base/format.h"
#include "base/team.h"

#include <math.h>
#include <string.h>

/* ---- how it writes ---- */

/* What generate() takes from its settings and is not done here, and how it is written where it means nothing. Beams,
 * sampling and lengths of what is chosen among are left out: there is one beam. */
static const char *const not_done[][2] = {{"repetition_penalty", "1.0"},
    {"encoder_repetition_penalty", "1.0"}, {"encoder_no_repeat_ngram_size", "0"},
    {"min_new_tokens", "null"}, {"exponential_decay_length_penalty", "null"},
    {"sequence_bias", "null"}, {"guidance_scale", "null"}, {"penalty_alpha", "null"},
    {"dola_layers", "null"}, {"watermarking_config", "null"}, {"stop_strings", "null"},
    {"forced_decoder_ids", "null"}, {"token_healing", "false"}};

static bool nothing(const json_value *v, const char *usual) {
    return !v || v->type == JSON_NULL || span_is(v->source, usual) ||
        (v->type == JSON_NUMBER && (v->number == 0 || v->number == 1) &&
            v->number == (usual[0] == '1'));
}

static void note_other(writing *w, const json_value *v, const char *file) {
    if (!*w->other)
        format_text(w->other, sizeof w->other,
            "\"%s\" in %s is %s, which is not done here when a target is written; give the target instead",
            error_quote(v->key.at, v->key.size).text, file,
            error_quote(v->source.at, v->source.size).text);
}

/* An id, the only one of a list; null: -1; nothing: *out stays. */
static bool read_id(hl_session *s, const json_value *root, const char *name, const char *file,
    int *out) {
    const json_value *v = json_get(root, name), *one = v;
    if (v && v->type == JSON_ARRAY && v->count == 1) one = v->first;
    if (v && v->type == JSON_NULL) *out = -1;
    if (!v || v->type == JSON_NULL) return true;
    if (one->type != JSON_NUMBER || !one->is_integer || one->integer < 0 ||
        one->integer >= s->config.arch.second->vocab)
        return error_set(&s->err, "config", "\"%s\" in %s is %s; an id from 0 to %d was expected",
            name, file, error_quote(v->source.at, v->source.size).text,
            s->config.arch.second->vocab - 1);
    *out = (int)one->integer;
    return true;
}

/* Ids, or with `apart` lists of ids, of which only those of one id are done here. */
static void read_never(writing *w, const json_value *root, const char *name, bool apart,
    const char *file, int32_t *ids, int *count) {
    const json_value *list = json_get(root, name);
    for (const json_value *v = list ? list->first : NULL; v; v = v->next) {
        bool one = !apart || (v->type == JSON_ARRAY && v->count == 1);
        const json_value *id = apart ? v->first : v;
        if (one && id->type == JSON_NUMBER && id->is_integer && *count < MOST_NOT_WRITTEN)
            ids[(*count)++] = (int32_t)id->integer;
        else note_other(w, list, file);
    }
}

static int whole_of(const json_value *root, const char *name) {
    const json_value *v = json_get(root, name);
    return v && v->type == JSON_NUMBER && v->is_integer && v->integer > 0 && v->integer < 1 << 24
        ? (int)v->integer
        : 0;
}

bool session_read_writing(hl_session *s, const char *file, span text) {
    const arch *a = s->config.arch.second;
    if (!a) return true;
    bool usual = strcmp(file, "config.json") == 0;
    writing *w = &s->writing;
    *w = (writing){.shift = usual ? a->start : w->shift,
        .start = usual ? a->start : -1,
        .first = -1,
        .last = usual ? a->last : -1};
    const json_value *root = json_parse(&s->scratch, text, "config", file, &s->err);
    if (!root || !read_id(s, root, "decoder_start_token_id", file, &w->start) ||
        !read_id(s, root, "forced_bos_token_id", file, &w->first) ||
        !read_id(s, root, "forced_eos_token_id", file, &w->last))
        return false;
    if (w->start < 0 && !read_id(s, root, "bos_token_id", file, &w->start)) return false;
    w->least = whole_of(root, "min_length");
    w->again = whole_of(root, "no_repeat_ngram_size");
    read_never(w, root, "bad_words_ids", true, file, w->never, &w->never_count);
    read_never(w, root, "suppress_tokens", false, file, w->never, &w->never_count);
    read_never(w, root, "begin_suppress_tokens", false, file, w->not_first, &w->not_first_count);
    for (size_t i = 0; i < sizeof not_done / sizeof *not_done; i++) {
        const json_value *v = json_get(root, not_done[i][0]);
        if (!nothing(v, not_done[i][1])) note_other(w, v, file);
    }
    return true;
}

/* ---- the target ---- */

void session_forget_target(hl_session *s) {
    arena_free(&s->target.memory);
    s->target.text = (encoding){0};
    s->target.rows = s->target.special = NULL;
}

static bool has_two(hl_session *s) {
    return session_at(s, STAGE_READY) &&
        (s->config.arch.second ||
            error_set(&s->err, "state",
                "this model has one stack: there is no decoder that looks at an encoder, and no target"));
}

int hl_is_two(hl_session *s) { return s->stage == STAGE_READY && s->config.arch.second; }

/* Fewer where the tokenizer says so. */
static int most_tokens(const hl_session *s) {
    int most = s->options.max_length, all = s->config.arch.second->tokens;
    return most >= 4 && most < all ? most : all;
}

/* What the rows read and say; `first`: what the first one reads. T; -1: no memory. */
static int take_rows(hl_session *s, int first) {
    second_text *t = &s->target;
    size_t count = (size_t)t->text.count;
    t->special = arena_take_array(&t->memory, count + 1, sizeof *t->special, "the target");
    t->rows = arena_take_array(&t->memory, 2 * count + 1, sizeof *t->rows, "the target");
    if (!t->special || !t->rows) return session_forget_target(s), -1;
    for (int i = 0; i < t->text.count; i++) {
        int id = t->text.tokens[i].id;
        t->special[i] = s->tokenizer ? tokenizer_special(s->tokenizer, id) : 0;
        t->rows[2 * i] = i ? t->rows[2 * i - 1] : first;
        t->rows[2 * i + 1] = id;
    }
    return t->text.count;
}

static bool has_start(hl_session *s, int start, const char *what) {
    return start >= 0 ||
        error_set(&s->err, "config",
            "config.json has no \"decoder_start_token_id\", with which %s begins; an id was expected (of T5 "
            "that of <pad>, 0)",
            what);
}

static int none(hl_session *s) {
    error_set(&s->err, "text", "the target has no tokens; give it a word, or let it be written");
    return session_forget_target(s), -1;
}

int hl_target(hl_session *s, const char *text, int size) {
    if (!has_two(s) || !has_start(s, s->writing.shift, "a target")) return -1;
    if (!s->tokenizer)
        return error_set(&s->err, "state",
                   "this model has no tokenizer; give ids of the target instead of text"),
               -1;
    session_forget_target(s);
    bool ok = tokenizer_encode(tokenizer_of_target(s->tokenizer),
        (span){text, size > 0 ? (size_t)size : 0}, (span){0}, most_tokens(s), &s->target.memory,
        &s->scratch, &s->target.text, &s->err);
    arena_free(&s->scratch);
    if (!ok) return session_forget_target(s), -1;
    for (int i = 0; i < s->target.text.count; i++) {
        int id = s->target.text.tokens[i].id, vocab = s->config.arch.second->vocab;
        if (id < vocab) continue;
        error_set(&s->err, "text",
            "the target has a token with the id %d, but config.json says vocab_size %d: the model has no "
            "row for it; leave it out",
            id, vocab);
        return session_forget_target(s), -1;
    }
    return s->target.text.count ? take_rows(s, s->writing.shift) : none(s);
}

/* Words of given ids are tokens. */
static int put_target(hl_session *s, const int32_t *ids, int count, int first) {
    session_forget_target(s);
    token *tokens =
        arena_take_array(&s->target.memory, (size_t)count + 1, sizeof *tokens, "the target");
    if (!tokens) return -1;
    for (int i = 0; i < count; i++) {
        bool added = s->tokenizer && tokenizer_special(s->tokenizer, ids[i]);
        tokens[i] = (token){ids[i], 0, 0, 0, added ? -1 : 0, added ? -1 : i};
    }
    s->target.text = (encoding){.tokens = tokens, .count = count};
    return take_rows(s, first);
}

int hl_use_target(hl_session *s, const int32_t *ids, int count) {
    if (!has_two(s) || !has_start(s, s->writing.shift, "a target")) return -1;
    const arch *a = s->config.arch.second;
    if (count == 0) return session_forget_target(s), 0;
    if (count < 0 || count > a->tokens)
        return error_set(&s->err, "text", "the target has %d ids; this model takes 1 to %d", count,
                   a->tokens),
               -1;
    for (int i = 0; i < count; i++)
        if (ids[i] < 0 || ids[i] >= a->vocab)
            return error_set(&s->err, "text",
                       "id %d at position %d of the target is outside the vocabulary (0 to %d)",
                       ids[i], i, a->vocab - 1),
                   -1;
    return put_target(s, ids, count, s->writing.shift);
}

const hl_token *hl_target_tokens(hl_session *s) {
    return s->target.text.count ? (const hl_token *)(const void *)s->target.text.tokens : NULL;
}

const int32_t *hl_target_rows(hl_session *s) {
    return s->target.text.count ? s->target.rows : NULL;
}

/* ---- the decoder's pass ---- */

static hl_pass *decoded_of(hl_pass *source) {
    hl_session *s = source->session;
    int place = (int)(source - s->passes);
    return place <= STUDY_PASS ? &s->passes[DECODED_PASS + place] : NULL;
}

void session_free_decoded(hl_pass *p) {
    hl_pass *decoded = decoded_of(p);
    if (decoded && (decoded->alive || decoded->run.tokens)) session_free_pass(decoded);
}

bool session_is_one(hl_session *s, error *err, const char *what) {
    return s->stage == STAGE_EMPTY || !s->config.arch.of_two ||
        error_set(err, "state",
            "%s of a model of two stacks (model_type \"%s\") are not there yet; run, measure and the study "
            "alignment take it",
            what, s->config.family->name);
}

bool session_measures(hl_pass *p, const measure *what) {
    bool attention = what->uses <= USES_DISTANCES || what->uses == USES_WORDS,
         two = !p->adopted && p->session->config.arch.of_two;
    if (two && pass_decodes(p) && !attention)
        return error_set(&p->session->err, "state",
            "%s of a decoder is not measured yet; what takes its attention alone is", what->name);
    return !two || (what->uses != USES_WRITTEN && what->uses != USES_LOGITS) ||
        error_set(&p->session->err, "state",
            "%s of a model of two stacks is not measured yet; what takes its attention alone is",
            what->name);
}

/* A pass whose rows read these ids. */
static bool decode(hl_pass *source, const int32_t *ids, int count, uint64_t keep) {
    hl_session *s = source->session;
    const arch *a = s->config.arch.second;
    hl_pass *p = decoded_of(source);
    team_gather();
    session_free_pass(p);
    int32_t **columns[] = {&p->ids, &p->types, &p->segment, &p->special, &p->words};
    for (int i = 0; i < 5; i++)
        if (!(*columns[i] = arena_take_array(&p->memory, (size_t)count, sizeof(int32_t), "tokens")))
            return false;
    memcpy(p->ids, ids, (size_t)count * sizeof *ids);
    p->layers = a->layers, p->heads = a->heads, p->tokens = count;
    p->period = source->period, p->comma = source->comma;
    const input in = {.ids = p->ids,
        .types = p->types,
        .tokens = count,
        .layers = a->layers,
        .memory = &source->run};
    p->alive = pass_run(&p->run, s->weights.second, &in, source->run.precision, keep, NULL, 0,
                   &s->scratch) &&
        outputs_fill(&p->run, s->weights.second, &s->scratch);
    arena_free(&s->scratch);
    if (!p->alive) return session_free_pass(p), false;
    p->attention = pass_at(&p->run, TRACE_ATTENTION, 0);
    return true;
}

/* Is it a pass of the encoder of a model of two stacks, whole? */
static bool is_source(hl_pass *source) {
    if (!session_is_whole(source) || !has_two(source->session)) return false;
    return decoded_of(source) ||
        error_set(&source->session->err, "state", "a pass of the encoder was expected");
}

hl_pass *hl_decode(hl_pass *source, const char *keep) {
    if (!is_source(source)) return NULL;
    hl_session *s = source->session;
    const second_text *t = &s->target;
    int count = t->text.count;
    uint64_t bits;
    bool ready = count ||
        error_set(&s->err, "state", "there is no target; call hl_target or hl_write first");
    ready = ready && session_read_keep(s, keep, &bits) &&
        (!s->maps.layer ||
            error_set(&s->err, "state",
                "of a decoder the maps of all layers are kept; not %s alone", keep));
    s->maps = (maps_of){0};
    int32_t *ids = ready ? arena_take_array(&s->scratch, (size_t)count + 1, sizeof *ids, "tokens")
                         : NULL;
    for (int i = 0; ids && i < count; i++) ids[i] = t->rows[2 * i];
    if (!ids || !decode(source, ids, count, bits)) return NULL;
    hl_pass *p = decoded_of(source);
    for (int i = 0; i < count; i++) {
        p->special[i] = i ? t->special[i - 1] : SPECIAL_OPENS;
        p->words[i] = i ? t->text.tokens[i - 1].word : -1;
    }
    return p;
}

/* ---- studies ---- */

bool session_decode_item(hl_session *s, const corpus_item *item, study_decoded *out, arena *work) {
    hl_pass *source = NULL, *decoded = NULL;
    const span *text = item->text;
    const json_value *option = json_get(s->study.options, "prefix");
    span prefix = option ? option->string : (span){"", 0};
    char *given = arena_take_raw(work, prefix.size + text[0].size + 1, "the text");
    if (!given) return false;
    if (prefix.size) memcpy(given, prefix.at, prefix.size);
    if (text[0].size) memcpy(given + prefix.size, text[0].at, text[0].size);
    if (hl_tokenize(s, given, (int)(prefix.size + text[0].size), NULL, -1, 0) > 0)
        source = session_run(s, STUDY_PASS, PRECISION_FINE, 0);
    if (source && hl_target(s, text[1].at, (int)text[1].size) > 0)
        decoded = hl_decode(source, "cross_attention");
    if (!decoded) return false;
    const float **maps =
        arena_take_array(work, (size_t)decoded->layers, sizeof *maps, "the maps of a text");
    for (int i = 0; maps && i < decoded->layers; i++)
        maps[i] = hl_tensor(decoded, "cross_attention", i);
    *out = (study_decoded){&s->target.text, maps, 0};
    for (size_t i = 0; i < prefix.size; i++)
        out->prefix += ((unsigned char)prefix.at[i] & 0xC0) != 0x80;
    return maps;
}

/* ---- writing ---- */

/* What is being written: ids[0] is the start. */
typedef struct draft {
    const writing *how;
    const json_value *ends; /* a list */
    int32_t *ids;
    int count, most; /* with the start */
} draft;

static bool ends(const draft *d, int id) {
    for (const json_value *v = d->ends ? d->ends->first : NULL; v; v = v->next)
        if (v->integer == id) return true;
    return false;
}

static void forbid(float *logits, int vocab, int id) {
    if (id >= 0 && id < vocab) logits[id] = -INFINITY;
}

/* What would repeat so many tokens in a row. */
static void forbid_again(const draft *d, float *logits, int vocab) {
    int size = d->how->again;
    for (int i = 0; size && i + size <= d->count; i++) {
        const int32_t *last = d->ids + d->count - (size - 1);
        if (memcmp(d->ids + i, last, (size_t)(size - 1) * sizeof *last) == 0)
            forbid(logits, vocab, d->ids[i + size - 1]);
    }
}

static int choose(const draft *d, float *logits, int vocab) {
    const writing *w = d->how;
    bool first = d->count == 1;
    if (d->count + 1 == d->most && w->last >= 0) return w->last;
    if (first && w->first >= 0) return w->first;
    forbid_again(d, logits, vocab);
    for (int i = 0; i < w->never_count; i++)
        if (!ends(d, w->never[i])) forbid(logits, vocab, w->never[i]);
    for (int i = 0; i < w->not_first_count && d->count == 1 + (w->first >= 0); i++)
        forbid(logits, vocab, w->not_first[i]);
    for (const json_value *v = d->ends ? d->ends->first : NULL; v && d->count < w->least;
        v = v->next)
        forbid(logits, vocab, (int)v->integer);
    return outputs_first(logits, vocab);
}

/* The next token; -1: error. */
static int next_of(hl_pass *source, const draft *d) {
    hl_session *s = source->session;
    int vocab = s->config.arch.second->vocab;
    if (!decode(source, d->ids, d->count, 0)) return -1;
    float *logits = arena_take_array(&s->scratch, (size_t)vocab, sizeof *logits, "predictions");
    bool made = logits &&
        outputs_words(&decoded_of(source)->run, s->weights.second, d->count - 1, 1, logits,
            &s->scratch);
    int id = made ? choose(d, logits, vocab) : -1;
    arena_free(&s->scratch);
    return id;
}

/* The ends as a list, in `memory`: what config.json or generation_config.json has, else what is usual in the family. */
static const json_value *ends_of(hl_session *s, arena *memory) {
    char usual[24];
    format_text(usual, sizeof usual, "[%d]", s->config.arch.second->end);
    return json_parse(memory, s->ends.at ? s->ends : span_of(usual), "config", "eos_token_id",
        &s->err);
}

int hl_write(hl_pass *source, int most) {
    if (!is_source(source)) return -1;
    hl_session *s = source->session;
    int room = s->config.arch.second->tokens;
    if (!s->weights.second->has_words)
        return error_set(&s->err, "state", "this checkpoint says no words; give it a target"), -1;
    if (most < 1)
        return error_set(&s->err, "state", "%d tokens were asked for; ask for at least 1", most),
               -1;
    if (*s->writing.other) return error_set(&s->err, "config", "%s", s->writing.other), -1;
    if (!has_start(s, s->writing.start, "what is written")) return -1;
    arena own;
    arena_init(&own, &s->err);
    draft d = {.how = &s->writing, .most = most < room ? most + 1 : room + 1, .count = 1};
    d.ids = arena_take_array(&own, (size_t)d.most, sizeof *d.ids, "the target");
    d.ends = ends_of(s, &own);
    int id = d.ids && d.ends ? 0 : -1;
    if (id == 0) d.ids[0] = d.how->start;
    while (id >= 0 && d.count < d.most) {
        id = next_of(source, &d);
        if (id < 0) break;
        d.ids[d.count++] = id;
        if (ends(&d, id)) break;
    }
    session_free_pass(decoded_of(source));
    int count = id < 0 ? -1 : put_target(s, d.ids + 1, d.count - 1, d.how->start);
    arena_free(&own);
    return count;
}
#endif
