/* why_off - does a link of a head hold without what wrote it? The weight of one link, as the measure `why` splits it, when each
 * head and each MLP of the layers below is switched off in turn, exactly; so are the position and the segment
 * embeddings, where the model has them. What wrote a number need not have caused the link (measure/why.c).
 *
 * In the answer "weight", "layer", "head", "query", "query_token", "key", "key_token", and of the measure "score",
 * "contrast", "mean_query"; each effect has the "weight" with it off, and what it has written, by the measure, at the
 * "key" and at the "query".
 */
#include "intervene/intervene.h"

#include "model/pass.h"

#include <math.h>

static const char working[] = "a link without what wrote it";

/* As measure/why.c has them. */
enum { POSITION = 1, SEGMENT, SCORE = 6, CONTRAST, MEAN_QUERY, ROWS };
enum { LAYER, HEAD, QUERY, KEY, PLACES };

typedef struct link {
    int32_t at[PLACES];
    float row[ROWS];
} link;

static bool take(intervention *v, const json_value *question, arena *memory) {
    static const char *const names[] = {"layer", "head", "query", "key"};
    int tokens = v->text[0].read.count;
    const int most[] = {v->layers, v->heads, tokens, tokens};
    link *l = v->own = arena_take(memory, sizeof *l, working);
    if (!l || !intervention_places(question, names, most, PLACES, l->at, memory->err)) return false;
    v->keep = trace_bit(TRACE_ATTENTION);
    v->maps = (maps_of){l->at[LAYER] + 1, l->at[HEAD] + 1};
    v->run_layers = l->at[LAYER] + 1;
    return true;
}

static int list(const intervention *v, effect *out) {
    const link *l = v->own;
    bool embeddings = v->parts == v->kind->parts;
    int count = 0;
    intervention below = *v;
    if (embeddings && (v->arch->positions || v->arch->rotary)) {
        if (out) out[count].change = (change){CHANGE_NO_POSITIONS, 0, 0, 0};
        count++;
    }
    if (embeddings && v->arch->types > 1) {
        if (out) out[count].change = (change){CHANGE_NO_TYPES, 0, 0, 0};
        count++;
    }
    below.layers = l->at[LAYER];
    return count + intervention_all(&below, out ? out + count : NULL);
}

static double value(const intervention *v, const measure_input *in) {
    const link *l = v->own;
    const float *map = in->run->maps.layer ? in->attention
                                           : measure_head(in, l->at[LAYER], l->at[HEAD]);
    return map[(int64_t)l->at[QUERY] * in->tokens + l->at[KEY]];
}

/* What each has written, at the key and at the query. */
static bool begin(intervention *v, const measure_input *plain, arena *memory, arena *scratch) {
    link *l = v->own;
    measure_input in = *plain;
    int L = in.layers, H = in.heads;
    float *rows =
              arena_take_raw_array(scratch, 2 * (size_t)(ROWS + L + L * H), sizeof *rows, working),
          *mlps = rows + 2 * ROWS, *heads = mlps + 2 * L;
    in.layer = l->at[LAYER], in.head = l->at[HEAD], in.query = l->at[QUERY], in.key = l->at[KEY];
    (void)memory;
    if (!rows || !measure_why(&in, rows, scratch) || !measure_why_mlps(&in, mlps, scratch) ||
        !measure_why_heads(&in, heads, scratch))
        return false;
    memcpy(l->row, rows, sizeof l->row);
    for (effect *e = v->rows; e < v->rows + v->count; e++) {
        change c = e->change;
        for (int side = 0; side < 2; side++)
            e->more[1 + side] = c.kind == CHANGE_HEAD ? heads[side * L * H + c.a * H + c.b]
                : c.kind == CHANGE_MLP                ? mlps[side * L + c.a]
                : c.kind == CHANGE_NO_TYPES           ? rows[side * ROWS + SEGMENT]
                                                      : rows[side * ROWS + POSITION];
    }
    return true;
}

static bool read(intervention *v, effect *e, const measure_input *plain, const measure_input *now,
    arena *scratch) {
    (void)plain, (void)scratch;
    e->more[0] = value(v, now);
    return true;
}

static bool write(const intervention_page *p, arena *scratch) {
    const link *l = p->v->own;
    const token *tokens = p->v->text[0].read.tokens;
    (void)scratch;
    writer_format(p->w, ",\"layer\":%d,\"head\":%d,\"query\":%d,\"query_token\":", l->at[LAYER],
        l->at[HEAD], l->at[QUERY]);
    intervention_name(p, false, tokens[l->at[QUERY]].id);
    writer_format(p->w, ",\"key\":%d,\"key_token\":", l->at[KEY]);
    intervention_name(p, false, tokens[l->at[KEY]].id);
    writer_format(p->w, ",\"score\":%.6g,\"contrast\":%.6g,\"mean_query\":%.6g", l->row[SCORE],
        l->row[CONTRAST], l->row[MEAN_QUERY]);
    return true;
}

static const char *const columns[] = {"weight", "key", "query", NULL};

const intervention_kind intervention_why_off = {.name = "why_off",
    .options = "layer head query key",
    .parts = HEADS | MLPS,
    .list = list,
    .take = take,
    .measures = "why",
    .begin = begin,
    .value = value,
    .read = read,
    .number = "weight",
    .write = write,
    .columns = columns};
