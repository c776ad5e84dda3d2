/* intervene - interventions on the texts of a session: reads the question and runs its steps
 * (their passes: changed.c); the part of headlight.h that is headed "interventions".
 */
#include "port/intervene.h"

#include "base/format.h"
#include "model/trace.h"

#include <math.h>
#include <stdlib.h>

/* All that a step needs and an answer does not. */
static void free_passes(hl_session *s) {
    for (int i = PLAIN_PASS; i < ALL_PASSES; i++) session_free_pass(&s->passes[i]);
    for (int text = 0; text < 2; text++) pass_free(&s->asked->means[text]);
    if (!s->asked->v.by_mean) pass_free(&s->asked->base.source);
}

void session_forget_intervention(hl_session *s) {
    if (!s->asked) return;
    free_passes(s);
    arena_free(&s->asked->memory);
    free(s->asked);
    s->asked = NULL;
}

/* ---- the question ---- */

static bool tokenize(hl_session *s, const json_value *a, const json_value *b, int limit) {
    if (a->type != JSON_STRING || (b && b->type != JSON_STRING))
        return error_set(&s->err, "state", "a text must be a string, two of them a list");
    return hl_tokenize(s, a->string.at, (int)a->string.size, b ? b->string.at : NULL,
               b ? (int)b->string.size : -1, limit) >= 0;
}

/* The changes that the session has hold in every pass. */
static bool take_changes(hl_session *s) {
    struct intervened *a = s->asked;
    for (int i = 0; i < s->change_count; i++)
        if (change_patches(&s->changes[i]))
            return error_set(&s->err, "state",
                "the text has patches; an intervention is asked of a text without them");
    if (s->change_count > MOST_CHANGES - 2) /* one of a step, one of its target */
        return error_set(&s->err, "state", "%d changes were made; for more there is no room",
            s->change_count);
    intervention_take(s);
    a->given = a->base.change_count;
    a->base.source = (pass){0};
    a->base.source_from = NULL, a->base.source_count = 0;
    pass_init(&a->base.source, &s->err);
    return true;
}

/* The tokens of the question's text, or of the session's where it gives none. */
static bool read_text(hl_session *s, const json_value *question) {
    intervention *v = &s->asked->v;
    const json_value *text = json_get(question, "text"), *a = text, *b = NULL;
    if (text && text->type == JSON_ARRAY) {
        a = text->first, b = a ? a->next : NULL;
        if (!a || (b && b->next))
            return error_set(&s->err, "state",
                "text is a list of %d; one text or two were expected", text->count);
    }
    if (text && !tokenize(s, a, b, 0)) return false;
    if (!s->text.count) return error_set(&s->err, "state", "there is no text to ask about");
    if (!take_changes(s)) return false;
    v->texts = b && v->kind->compares && target_is_similarity(s, question) ? 2 : 1;
    if (v->texts == 1) return intervention_keep_text(s, 0);
    v->of = (target){.kind = TARGET_SIMILARITY, .position = -1, .id = -1, .against = -1};
    return tokenize(s, b, NULL, -1) && intervention_keep_text(s, 1) && tokenize(s, a, NULL, -1) &&
        intervention_keep_text(s, 0);
}

/* ---- begin ---- */

static span shown(void *with, bool label, int32_t id, char *room, size_t size) {
    hl_session *s = with;
    if (label && session_task(s) == HL_TASK_REPLACED) return span_of(intervention_sides[id]);
    if (label && s->config.label_count) return s->config.labels[id];
    if (label) return (span){room, (size_t)format_text(room, size, "LABEL_%d", id)};
    return s->tokenizer ? (span){room, tokenizer_shown(s->tokenizer, id, room, size)}
                        : span_of("?");
}

/* A name of the target's, as a copy. */
static bool name_of(hl_session *s, int32_t id, span *out) {
    struct intervened *a = s->asked;
    *out = (span){0};
    if (id < 0) return true;
    char room[SHOWN_ROOM];
    span name = shown(s, target_is_label(&a->v.of), id, room, sizeof room);
    char *copy = arena_take(&a->memory, name.size + 1, "a name");
    if (!copy) return false;
    memcpy(copy, name.at, name.size);
    *out = (span){copy, name.size};
    return true;
}

/* Which token of the other text is taken for which. */
static bool pair_tokens(hl_session *s, int others) {
    struct intervened *a = s->asked;
    const intervention *v = &a->v;
    int count = v->text[0].read.count;
    if (v->to < 0 && count != others)
        return error_set(&s->err, "text",
            "the texts have %d and %d tokens; where they have as many, each token is patched from its own, "
            "else name one of each, as \"tokens\": [3, 4]; on the command line --tokens 3:4",
            count, others);
    if (v->to >= count)
        return error_set(&s->err, "state", "there is no token %d; the text has %d tokens", v->to,
            count);
    if (v->take >= others)
        return error_set(&s->err, "state",
            "there is no token %d to patch from; that text has %d tokens", v->take, others);
    int32_t *from = arena_take_array(&a->memory, (size_t)count, sizeof *from, "tokens to patch");
    for (int i = 0; from && i < count; i++) from[i] = v->to < 0 ? i : i == v->to ? v->take : -1;
    a->base.source_from = from;
    a->base.source_count = count;
    return from != NULL;
}

/* The other text becomes what is patched from: its most probable word or label, or the one that is named, against the most
 * probable of the text itself that is another one. The session's tokens are forgotten. */
static bool take_source(hl_session *s, const json_value *question, int at) {
    static const uint64_t streams[] = {TRACE_HIDDEN, TRACE_CONTEXT, TRACE_EMBEDDINGS,
        TRACE_EMBEDDINGS_PROJECTED};
    struct intervened *a = s->asked;
    intervention *v = &a->v;
    const json_value *from = json_get(question, "from");
    uint64_t keep = 0;
    for (int i = 0; i < 4; i++) keep |= trace_bit((trace_id)streams[i]);
    if (!from || from->type != JSON_STRING)
        return error_set(&s->err, "state", "from is missing: the text that is patched from");
    if (!tokenize(s, from, NULL, 0)) return false;
    int others = s->text.count;
    hl_pass *other = session_run(s, CHANGED_PASS, PRECISION_FINE, keep);
    target there, here = v->of;
    if (!other || !target_find(s, other, question, at < others ? at : -1, &there)) return false;
    bool same = there.against == there.id && !json_get(question, "word");
    if ((there.against < 0 || same) &&
        !target_other(&s->passes[PLAIN_PASS], &here, there.id, &there.against))
        return false;
    here.id = there.id, here.against = there.against, v->of = here;
    if (!target_value(other, NULL, &there, 0, &v->from)) return false;
    if (!target_value(&s->passes[PLAIN_PASS], NULL, &here, 0, &v->before)) return false;
    if (!pair_tokens(s, others)) return false;
    a->base.source = other->run;
    pass_init(&other->run, &s->err);
    session_free_pass(other);
    return true;
}

/* The word of the text itself: it is masked in every pass, or the next one after the text up to there. */
static bool find_own(hl_session *s, const json_value *question, int at) {
    struct intervened *a = s->asked;
    intervention *v = &a->v;
    int32_t id;
    if (!target_own_word(s, at, &at, &id)) return false;
    if (v->mask < 0) v->text[0].read.count = at + 1;
    else a->base.changes[a->base.change_count++] = (change){CHANGE_TOKEN, at, v->mask, 0};
    hl_pass *plain = intervention_run(s, 0, NULL);
    return plain && target_find_word(s, plain, question, at, id, &v->of) &&
        target_value(plain, NULL, &v->of, 0, &v->before);
}

/* The target as the texts are, and of patches that of the other text. */
static bool find_target(hl_session *s, const json_value *question) {
    intervention *v = &s->asked->v;
    int at;
    if (!target_position(s, json_get(question, "at"), &at)) return false;
    if (v->kind->own_word) return find_own(s, question, at);
    static const char *const predicted[] = {"at", "word", "against"};
    for (int i = 0; i < 3 && v->kind->value; i++)
        if (json_get(question, predicted[i]))
            return error_set(&s->err, "state",
                "a question %s is of no prediction, so that %s has no meaning in it", v->kind->name,
                predicted[i]);
    if (v->kind->value || (v->kind->lone && v->texts == 1 && !target_is_there(s, question))) {
        v->of = (target){.kind = TARGET_NONE, .position = -1, .id = -1, .against = -1};
        return intervention_value(s, NULL, &v->before);
    }
    hl_pass *plain = v->texts == 1 ? intervention_run(s, 0, NULL) : NULL;
    if (v->texts == 1 &&
        !(plain && target_find(s, plain, v->kind->patches ? NULL : question, at, &v->of)))
        return false;
    if (v->kind->patches) return take_source(s, question, at);
    return plain ? target_value(plain, NULL, &v->of, 0, &v->before)
                 : intervention_value(s, NULL, &v->before);
}

/* The session has the question's text, or its own, again: others have been read since. */
static bool put_back(hl_session *s) {
    const struct intervened *a = s->asked;
    kept_text text = a->v.text[0];
    text.read.count = a->tokens;
    return !text.special ||
        session_put_text(s, &text.read, text.segment, text.special, a->base.changes, a->given);
}

/* What the kind reads of the text as it is, and the means of its parts. */
static bool read_plain(hl_session *s) {
    intervention *v = &s->asked->v;
    for (int text = 0; v->by_mean && text < v->texts; text++)
        if (!means_take(v, text, &s->passes[PLAIN_PASS + text].run, &s->asked->means[text]))
            return false;
    if (!v->kind->begin) return true;
    measure_input plain = session_input(&s->passes[PLAIN_PASS]);
    bool done = v->kind->begin(v, &plain, &s->asked->memory, &s->scratch);
    arena_free(&s->scratch);
    return done;
}

/* Options of the kind, of which changes are checked as those of a session. */
static bool read_own(hl_session *s, const json_value *question) {
    struct intervened *a = s->asked;
    intervention *v = &a->v;
    if (!v->kind->take) return true;
    if (!v->kind->take(v, question, &a->memory)) return false;
    if (v->together_count > MOST_CHANGES - a->base.change_count)
        return error_set(&s->err, "state",
            "changes is a list of %d, and %d were made before; at most %d can be made at once",
            v->together_count, a->base.change_count, MOST_CHANGES);
    bool good = hl_change(s, (const int32_t *)(const void *)v->together, v->together_count);
    s->change_count = 0; /* those of the session come back with its text */
    return good;
}

static bool begin(hl_session *s, span text) {
    struct intervened *a = s->asked;
    intervention *v = &a->v;
    const json_value *question =
        json_parse(&a->memory, text, "state", "the question of an intervention", &s->err);
    if (!intervention_read(s, question, v, &a->memory) || !read_text(s, question) ||
        !read_own(s, question) || !find_target(s, question))
        return false;
    if (!name_of(s, v->of.id, &v->word) || !name_of(s, v->of.against, &v->against)) return false;
    if (v->of.against >= 0 && v->of.against == v->of.id)
        return error_set(&s->err, "text",
            "%s is set against itself, of which nothing is learned; name another one",
            error_quote(v->word.at, v->word.size).text);
    v->release = span_of(HL_RELEASE);
    v->store = session_store(s);
    v->count = v->kind->list(v, NULL);
    v->rows = arena_take_array(&a->memory, (size_t)v->count + 1, sizeof *v->rows, "the changes");
    if (v->rows) v->kind->list(v, v->rows);
    return v->rows && read_plain(s) && put_back(s);
}

int hl_intervention_begin(hl_session *s, const char *question, int size) {
    error_clear(&s->err);
    session_forget_intervention(s);
    if (!session_at(s, STAGE_READY)) return 0;
    if (IF_TWO(true, !session_is_one(s, &s->err, "interventions"), false)) return 0;
    if (!(s->asked = calloc(1, sizeof *s->asked)))
        return error_set(&s->err, "memory", "there is no memory for an intervention");
    arena_init(&s->asked->memory, &s->err);
    pass_init(&s->asked->base.source, &s->err);
    for (int text = 0; text < 2; text++) pass_init(&s->asked->means[text], &s->err);
    size_t length = size > 0 ? (size_t)size : 0;
    char *copy = arena_take(&s->asked->memory, length + 1, "the question");
    if (copy && length) memcpy(copy, question, length);
    bool begun = copy && begin(s, (span){copy, length});
    if (!begun) {
        error said = s->err;
        put_back(s);
        session_forget_intervention(s);
        s->err = said;
    }
    return begun;
}

/* ---- steps ---- */

/* What the kind reads of the pass that has been run. */
static bool read_changed(hl_session *s, effect *e) {
    intervention *v = &s->asked->v;
    measure_input plain = session_input(&s->passes[PLAIN_PASS]),
                  now = session_input(&s->passes[CHANGED_PASS]);
    bool done = v->kind->read(v, e, &plain, &now, &s->scratch);
    arena_free(&s->scratch);
    return done;
}

static bool has_begun(hl_session *s) {
    error_clear(&s->err);
    return s->asked ||
        error_set(&s->err, "state",
            "no intervention has been started; call hl_intervention_begin first");
}

int hl_intervention_step(hl_session *s, int first, int count) {
    if (!has_begun(s)) return 0;
    intervention *v = &s->asked->v;
    if (first < 0 || count < 0 || first > v->count - count)
        return error_set(&s->err, "state", "there are no steps %d to %d; there are %d", first,
            first + count - 1, v->count);
    for (effect *e = v->rows + first; e < v->rows + first + count; e++) {
        if (e->done)
            return error_set(&s->err, "state", "step %d has been run already", (int)(e - v->rows));
        double value;
        if (!intervention_value(s, e, &value)) return 0;
        e->value = value - v->before;
        if (v->kind->read && !read_changed(s, e)) return 0;
        e->done = true;
        v->done++;
    }
    if (v->done == v->count) free_passes(s);
    return 1;
}

void hl_intervention_end(hl_session *s) { session_forget_intervention(s); }

int hl_intervention_state(hl_session *s, int32_t *state) {
    if (!has_begun(s)) return 0;
    state[0] = s->asked->v.count, state[1] = s->asked->v.done;
    return 1;
}

const char *hl_intervention_answer(hl_session *s, const char *settings, int size) {
    if (!has_begun(s)) return NULL;
    const json_value *asked = NULL;
    if (size > 0 &&
        !(asked = json_parse(&s->scratch, (span){settings, (size_t)size}, "state",
              "what is asked of an intervention", &s->err)))
        return NULL;
    const json_value *csv = json_get(asked, "csv");
    writer w;
    arena_free(&s->answer);
    writer_init(&w, &s->answer);
    bool table = csv && csv->type == JSON_BOOL && csv->boolean;
    if (!table && s->asked->v.done == s->asked->v.count) /* it takes as long as some passes */
        s->asked->v.hash = session_model_hash(s);
    bool written = intervention_write(&s->asked->v, table, shown, s, &w, &s->scratch);
    arena_free(&s->scratch);
    return written ? writer_text(&w) : NULL;
}
