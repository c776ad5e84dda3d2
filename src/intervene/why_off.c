/* why_off - does a link of a head hold without what wrote it? The weight of one link, as the measure `why` splits it, when each
 * head and each MLP of the layers below is switched off in turn, exactly; so are the position and the segment
 * embeddings, where the model has them. What wrote a number need not have caused the link (measure/why.c).
 *
 * In the answer "weight", "layer", "head", "query", "query_token", "key", "key_token", and of the measure "score",
 * "contrast", "mean_query"; each effect has the "weight" with it off, and what it has written, by the measure, at the
 * "key" and at the "query".
 */
#include "intervene/intervene.h"

static const char working[] = "a link without what wrote it";

/* v->own points to what the measure says of the link, [WHY_ROWS]. */
static bool take(intervention *v, const json_value *question, arena *memory) {
    v->own = arena_take_raw_array(memory, WHY_ROWS, sizeof(float), working);
    return v->own && intervention_link(v, question, LINK_PLACES, memory->err);
}

static int list(const intervention *v, effect *out) {
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
    below.layers = v->link[LINK_LAYER];
    return count + intervention_all(&below, out ? out + count : NULL);
}

/* What each has written, at the key and at the query. */
static bool begin(intervention *v, const measure_input *plain, arena *memory, arena *scratch) {
    measure_input in = *plain;
    int L = in.layers, H = in.heads;
    float *rows = arena_take_raw_array(scratch, 2 * (size_t)(WHY_ROWS + L + L * H), sizeof *rows,
              working),
          *mlps = rows + 2 * WHY_ROWS, *heads = mlps + 2 * L;
    in.layer = v->link[LINK_LAYER], in.head = v->link[LINK_HEAD];
    in.query = v->link[LINK_QUERY], in.key = v->link[LINK_KEY];
    (void)memory;
    if (!rows || !measure_why(&in, rows, scratch) || !measure_why_mlps(&in, mlps, scratch) ||
        !measure_why_heads(&in, heads, scratch))
        return false;
    memcpy(v->own, rows, WHY_ROWS * sizeof *rows);
    for (effect *e = v->rows; e < v->rows + v->count; e++) {
        change c = e->change;
        for (int side = 0; side < 2; side++)
            e->more[1 + side] = c.kind == CHANGE_HEAD ? heads[side * L * H + c.a * H + c.b]
                : c.kind == CHANGE_MLP                ? mlps[side * L + c.a]
                : c.kind == CHANGE_NO_TYPES           ? rows[side * WHY_ROWS + WHY_SEGMENT]
                                                      : rows[side * WHY_ROWS + WHY_POSITION];
    }
    return true;
}

static bool write(const intervention_page *p, arena *scratch) {
    const float *row = p->v->own;
    (void)scratch;
    intervention_write_link(p, LINK_PLACES);
    writer_format(p->w, ",\"score\":%.6g,\"contrast\":%.6g,\"mean_query\":%.6g", row[WHY_SCORE],
        row[WHY_CONTRAST], row[WHY_MEAN_QUERY]);
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
    .value = intervention_weight,
    .read = intervention_read_weight,
    .number = "weight",
    .write = write,
    .columns = columns};
