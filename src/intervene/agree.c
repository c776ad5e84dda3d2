/* agree - does a reading of attention agree with what decides a prediction? The readings of the measure `depends`
 * (weights, what is moved, value zeroing, rollout, and nearness as a control) beside the change of ln p of a word
 * when each token is masked, or removed where the model has no [MASK]: Spearman's rank correlation over the tokens. One
 * text proves nothing.
 *
 * In the answer each token has its readings, "weight", "moved", "zeroed", "rollout", "nearness"; "compared": how many
 * tokens; "readings": the names, the last "decided", the size of the change; "correlations" [6, 6] of them (null: fewer
 * than 4 tokens, or not all known; a null among them: all of one reading are equal).
 */
#include "intervene/intervene.h"

#include <math.h>

/* Of `depends` in its order; decided: |change of ln p|. */
static const char *const readings[] = {"weight", "moved", "zeroed", "rollout", "nearness", NULL};

enum { DECIDED = 5, READINGS, LEAST = 4 }; /* LEAST: tokens that can be compared */

static bool is_token(const effect *e) {
    return e->change.kind == CHANGE_TOKEN || e->change.kind == CHANGE_REMOVED;
}

static bool begin(intervention *v, const measure_input *plain, arena *memory, arena *scratch) {
    measure_input in = *plain;
    float *of = arena_take_raw_array(scratch, (size_t)in.tokens * DECIDED, sizeof *of, "readings");
    (void)memory;
    in.query = v->of.position;
    if (!of || !measure_depends(&in, of, scratch)) return false;
    for (effect *e = v->rows; e < v->rows + v->count; e++)
        for (int r = 0; r < DECIDED; r++)
            e->more[r] = is_token(e) ? of[r * in.tokens + e->change.a] : NAN;
    return true;
}

static double reading_of(const effect *e, int r) {
    return r == DECIDED ? fabs(e->value) : e->more[r];
}

/* Spearman's correlation of two readings: Pearson's of the ranks, equal values sharing theirs; NaN where one side is
 * all equal. */
static double rank_correlation(const effect *const *tokens, int n, int a, int b) {
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0, a_i = reading_of(tokens[i], a), b_i = reading_of(tokens[i], b);
        for (int j = 0; j < n; j++) { /* twice the rank, less its mean */
            double a_j = reading_of(tokens[j], a), b_j = reading_of(tokens[j], b);
            x += (a_j < a_i) - (a_j > a_i);
            y += (b_j < b_i) - (b_j > b_i);
        }
        ab += x * y, aa += x * x, bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

/* With all digits, since means are made of them. */
static void write_rows(const effect *const *tokens, int n, writer *w) {
    for (int a = 0; a < READINGS; a++) {
        writer_format(w, a ? ",[" : "[");
        for (int b = 0; b < READINGS; b++) {
            double r = rank_correlation(tokens, n, a, b);
            if (b) writer_format(w, ",");
            if (isnan(r)) writer_format(w, "null");
            else writer_format(w, "%.17g", r);
        }
        writer_format(w, "]");
    }
}

/* Of fewer tokens, or while some are unknown, there are no correlations. */
static bool write(const intervention_page *p, arena *scratch) {
    const intervention *v = p->v;
    writer *w = p->w;
    const effect **tokens =
        arena_take_array(scratch, (size_t)v->count + 1, sizeof *tokens, "readings");
    int count = 0;
    bool all = true;
    for (int i = 0; tokens && i < v->count; i++) {
        if (!is_token(&v->rows[i])) continue;
        tokens[count++] = &v->rows[i];
        all = all && v->rows[i].done;
    }
    writer_format(w, ",\"compared\":%d,\"readings\":[", count);
    for (int r = 0; r < DECIDED; r++) writer_format(w, "\"%s\",", readings[r]);
    writer_format(w, "\"decided\"],\"correlations\":");
    if (!tokens || !all || count < LEAST) writer_format(w, "null");
    else writer_format(w, "["), write_rows(tokens, count, w), writer_format(w, "]");
    return tokens != NULL;
}

const intervention_kind intervention_agree = {.name = "agree",
    .options = "",
    .own_word = true,
    .parts = TOKENS | HEADS | MLPS,
    .usual = TOKENS,
    .list = intervention_all,
    .measures = "depends",
    .begin = begin,
    .write = write,
    .columns = readings};
