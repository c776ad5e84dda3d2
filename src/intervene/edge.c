/* edge - one head's q, k or v without what a head or an MLP below wrote straight into it: path patching with all other heads and
 * MLPs held to what they give in the text as it is (Goldowsky-Dill et al. 2023; Wang et al. 2022 hold the heads alone). The
 * sender is off (zero), the stream goes on with what the rest gave, its norms are made anew, and what the reader then reads
 * takes the place of its q, k or v in a pass that runs on from there. Keys and values that a group of heads
 * shares are changed for the group.
 *
 * "edge": what that does to the prediction. "edge_link": to the weight of one link of the reader; it does not depend on v.
 * In the answer "layer" and "head", the reader; of a link "query", "query_token", "key", "key_token"; each effect has
 * "into": q, k or v, and of a link its "weight" then.
 */
#include "intervene/intervene.h"

static const char working[] = "edges into a head";

/* What v->own points to: which of the reader's inputs are changed. */
typedef struct reading {
    bool into[READS];
} reading;

/* "into": ["q", "k"] */
static bool read_into(reading *r, const json_value *given, int reads, error *err) {
    bool good = !given || (given->type == JSON_ARRAY && given->count);
    for (int i = 0; i < reads; i++) r->into[i] = !given;
    for (const json_value *one = given && good ? given->first : NULL; one && good;
        one = one->next) {
        int read = 0;
        while (read < reads &&
            !(one->type == JSON_STRING && span_is(one->string, (const char[]){"qkv"[read], 0})))
            read++;
        good = read < reads;
        if (good) r->into[read] = true;
    }
    return good ||
        error_set(err, "state", "into is %s; a list of q, k%s was expected",
            error_quote(given->source.at, given->source.size).text, reads == READS ? ", v" : "");
}

static bool take_reader(intervention *v, const json_value *question, arena *memory, int places,
    int reads) {
    reading *r = v->own = arena_take(memory, sizeof *r, working);
    if (!r || !intervention_link(v, question, places, memory->err) ||
        !read_into(r, json_get(question, "into"), reads, memory->err))
        return false;
    return v->link[LINK_LAYER] ||
        error_set(memory->err, "state",
            "layer is 0; heads and MLPs write into the layers above theirs, so one from 1 to %d was expected",
            v->layers - 1);
}

static bool take(intervention *v, const json_value *question, arena *memory) {
    return take_reader(v, question, memory, LINK_QUERY, READS);
}

static bool take_link(intervention *v, const json_value *question, arena *memory) {
    return take_reader(v, question, memory, LINK_PLACES, READ_V);
}

/* Each part below, into each in turn, since its stream serves them all. */
static int list(const intervention *v, effect *out) {
    const reading *r = v->own;
    intervention below = *v;
    below.layers = v->link[LINK_LAYER];
    int parts = intervention_all(&below, NULL), count = 0, reads = 0;
    for (int i = 0; i < READS; i++) reads += r->into[i];
    if (!out) return parts * reads;
    intervention_all(&below,
        out + parts * (reads - 1)); /* at the end, so that none is written over */
    for (int part = 0; part < parts; part++) {
        effect one = out[parts * (reads - 1) + part];
        for (int i = 0; i < READS; i++) {
            if (!r->into[i]) continue;
            out[count] = one;
            out[count++].change.c = i;
        }
    }
    return count;
}

static bool write(const intervention_page *p, arena *scratch) {
    (void)scratch;
    intervention_write_link(p, LINK_QUERY);
    return true;
}

static bool write_link(const intervention_page *p, arena *scratch) {
    (void)scratch;
    intervention_write_link(p, LINK_PLACES);
    return true;
}

static const char *const columns[] = {"weight", NULL};

const intervention_kind intervention_edge = {.name = "edge",
    .options = "layer head into",
    .edges = true,
    .parts = HEADS | MLPS,
    .list = list,
    .take = take,
    .write = write};

const intervention_kind intervention_edge_link = {.name = "edge_link",
    .options = "layer head query key into",
    .edges = true,
    .parts = HEADS | MLPS,
    .list = list,
    .take = take_link,
    .value = intervention_weight,
    .read = intervention_read_weight,
    .number = "weight",
    .write = write_link,
    .columns = columns};
