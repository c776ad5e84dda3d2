/* runner - see runner.h: the tokens of the session are run with changes, or others in their place.
 */
#include "port/runner.h"

#include "math/special.h"
#include "model/trace.h"

static bool failed(const runner_of *r) {
    if (r->on != r->s) r->s->err = r->on->err;
    return false;
}

static bool is_word(const study_runner *with, int32_t id) {
    hl_session *on = ((const runner_of *)with->of)->on;
    special_ids not = session_specials(on);
    const int32_t *ids = (const int32_t *)&not;
    for (size_t i = 0; i < sizeof not/ sizeof *ids; i++)
        if (ids[i] == id) return false;
    return !on->tokenizer || tokenizer_is_word(on->tokenizer, id);
}

static void add_sure(study_sure *sum, double ln, int count) {
    sum->ln += ln / count;
    sum->p += special_exp(ln) / count;
}

static bool sure_of_words(hl_pass *p, const study_target *targets, int count, study_sure *out) {
    arena *scratch = &p->session->scratch;
    measure_input in = session_input(p);
    bool done = true;
    for (int i = 0; done && i < count; i++, arena_free(scratch)) {
        float found = 0;
        in.query = targets[i].position, in.word = targets[i].word;
        done = measure_log_probability(&in, &found, scratch);
        add_sure(out, found, count);
    }
    return done;
}

static bool sure_of_label(hl_pass *p, int label, study_sure *out) {
    hl_session *on = p->session;
    int outputs = on->config.arch.task.outputs;
    if (on->config.arch.task.score == SCORE_PLAIN)
        return error_set(&on->err, "state",
            "the scores of this model's labels are no probabilities");
    arena memory;
    arena_init(&memory, &on->err);
    float *all = arena_take_array(&memory, (size_t)outputs + 1, sizeof *all, "labels");
    bool done = all && hl_classify(p, all, outputs) == outputs;
    if (done) add_sure(out, special_log(all[label] > 0 ? (double)all[label] : 0x1p-126), 1);
    arena_free(&memory);
    return done;
}

static bool ask(const study_runner *with, const study_target *targets, int count, int layer,
    int head, study_sure *out) {
    const runner_of *r = with->of;
    hl_session *on = r->on;
    on->change_count = 0;
    for (int i = 0; i < count && !with->next; i++)
        on->changes[on->change_count++] =
            (change){CHANGE_TOKEN, targets[i].position, with->mask, 0};
    if (layer != NOTHING_OFF)
        on->changes[on->change_count++] = (change){CHANGE_HEAD, layer, head, 0};
    hl_pass *p = session_run(on, STUDY_PASS, PRECISION_FINE, trace_bit(TRACE_HIDDEN));
    on->change_count = 0;
    *out = (study_sure){0};
    bool done = p &&
        (count ? sure_of_words(p, targets, count, out) : sure_of_label(p, with->label, out));
    return done || failed(r);
}

/* The ids with what the template puts around an empty text. */
static bool attend(const study_runner *with, const int32_t *ids, int count, measure_input *out,
    int *first) {
    const runner_of *r = with->of;
    hl_session *on = r->on;
    int around = on->tokenizer ? hl_tokenize(on, "", 0, NULL, -1, 0) : 0, all = 0;
    arena work;
    arena_init(&work, &on->err);
    int32_t *whole = around < 0
        ? NULL
        : arena_take_array(&work, (size_t)(count + around) + 1, sizeof *whole, "tokens");
    *first = 0;
    for (int i = 0; whole && i < around && on->special[i] != SPECIAL_CLOSES; i++)
        whole[(*first)++] = on->text.tokens[i].id;
    if (whole) {
        memcpy(whole + *first, ids, (size_t)count * sizeof *ids);
        for (all = *first + count; all < count + around; all++)
            whole[all] = on->text.tokens[all - count].id;
    }
    hl_pass *p = whole && hl_use_ids(on, whole, NULL, all) == all
        ? session_run(on, STUDY_PASS, PRECISION_FINE, trace_bit(TRACE_ATTENTION) | r->s->study.keep)
        : NULL;
    arena_free(&work);
    if (!p) return failed(r);
    *out = session_input(p);
    return true;
}

study_runner runner_for(runner_of *of, const corpus_item *item) {
    const weights *w = &of->on->weights;
    special_ids special = session_specials(of->on);
    bool labelled = item->label.size && session_task(of->on) == HL_TASK_LABELS;
    bool next = w->has_words && w->arch->words == WORDS_NEXT;
    return (study_runner){.of = of,
        .mask = special.mask,
        .labelled = labelled,
        .label = labelled ? config_label(&of->on->config, item->label) : -1,
        .next = next,
        .words = next || (w->has_words && special.mask >= 0),
        .is_word = is_word,
        .ask = ask,
        .attend = attend};
}
