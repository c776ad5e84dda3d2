/* rotation_read - the scaling of a model's rotations, from rope_parameters or rope_scaling in config.json, with
 * the defaults of transformers' modeling_rope_utils; rotation.c computes with it.
 */
#include "model/families/family.h"

/* Version 5 of transformers nests what older files have at the top; what rope_scaling has it takes first. One
 * rotation for all layers. */
fields family_rotation(fields *f) {
    static const char *const by_kind[] = {"full_attention", "sliding_attention", NULL};
    fields rope = fields_of(f, "rope_scaling");
    if (!rope.object || !rope.object->count) rope = fields_of(f, "rope_parameters");
    for (const char *const *kind = by_kind; *kind; kind++)
        fields_demand(&rope, *kind, "null", "one rotation for all layers is supported");
    return rope;
}

#ifndef HEADLIGHT_FEW /* OF_WHOLE */
#include "base/format.h"
#include "math/special.h"

static const char *type_key(const fields *rope) {
    return fields_has(rope, "rope_type") ? "rope_type" : "type";
}

static double needed(fields *rope, const char *name) {
    if (!fields_has(rope, name) && !rope->failed) {
        char said[160];
        format_text(said, sizeof said,
            "the scaled rotation in rope_parameters or rope_scaling of config.json has no \"%s\"; "
            "a number above 0 was expected",
            name);
        fields_refuse(rope, said);
    }
    return fields_real(rope, name, 1, 1e9);
}

static scaling_kind kind_of(fields *rope) {
    const char *const *names = arch_words(ARCH_SCALING);
    if (fields_is(rope, type_key(rope), "default", "default")) return SCALING_NONE;
    for (int i = SCALING_LINEAR; i <= SCALING_YARN; i++)
        if (fields_is(rope, type_key(rope), names[i], "")) return (scaling_kind)i;
    fields_demand(rope, type_key(rope), "\"default\"",
        "only default, linear, dynamic, llama3 and yarn are supported");
    return SCALING_NONE;
}

/* How much larger yarn makes q and k, by how much longer texts are. */
static double growth(double factor, double by) {
    return factor <= 1 ? 1 : 0.1 * by * special_log(factor) + 1;
}

static void read_yarn(fields *rope, arch_scaling *s) {
    bool scaled = fields_has(rope, "mscale") && fields_has(rope, "mscale_all_dim");
    double all = growth(s->factor, 1);
    if (scaled)
        all = growth(s->factor, fields_real(rope, "mscale", 1, 1e9)) /
            growth(s->factor, fields_real(rope, "mscale_all_dim", 1, 1e9));
    s->size = (float)fields_real(rope, "attention_factor", all, 1e9);
    s->low = fields_real(rope, "beta_slow", 1, 1e9);
    s->high = fields_real(rope, "beta_fast", 32, 1e9);
    s->whole = fields_flag(rope, "truncate", true);
}

/* The member beside rope_parameters wins over the one in it. */
static int read_original(fields *f, fields *rope, int fallback) {
    static const char name[] = "original_max_position_embeddings";
    return fields_has(f, name)   ? fields_whole(f, name, 0, 1, 1 << 24)
        : fields_has(rope, name) ? fields_whole(rope, name, 0, 1, 1 << 24)
                                 : fallback;
}

static void read_scaling(fields *f, fields *rope, arch *a, int positions) {
    arch_scaling *s = &a->scaling;
    *s = (arch_scaling){.kind = kind_of(rope), .original = positions};
    if (s->kind == SCALING_NONE) return;
    s->factor = needed(rope, "factor");
    if (s->kind == SCALING_LLAMA3) {
        s->low = needed(rope, "low_freq_factor");
        s->high = needed(rope, "high_freq_factor");
    }
    if (s->kind == SCALING_YARN) read_yarn(rope, s);
    if (s->kind >= SCALING_LLAMA3) s->original = read_original(f, rope, positions);
    if (s->kind != SCALING_DYNAMIC) return;
    if (a->rotary == 2)
        fields_demand(rope, type_key(rope), "\"default\"",
            "a dynamic rotation of 2 neurons is none");
    if (s->factor <= 1) return; /* as long as those of training */
    a->tokens = s->factor * positions < MOST_TOKENS ? (int)(s->factor * positions) : MOST_TOKENS;
}

void family_demand_whole(fields *f) {
    fields rope = family_rotation(f), *const both[] = {f, &rope};
    for (int i = 0; i < 2; i++)
        if (fields_real(both[i], "partial_rotary_factor", 1, 1) < 1)
            fields_demand(both[i], "partial_rotary_factor", "1.0",
                "a scaled rotation of a part of each head is not supported in this family");
    f->failed = f->failed || rope.failed;
}
#endif

void family_read_rotation(fields *f, arch *a, const char *older, int positions) {
    fields rope = family_rotation(f);
    double fallback = (double)fields_number(f, older, 10000, 1e12);
#ifndef HEADLIGHT_FEW
    float theta = fields_number(&rope, "rope_theta", fallback, 1e12);
    read_scaling(f, &rope, a, positions);
#else
    float theta = fields_theta(&rope, fallback);
    (void)positions;
#endif
    f->failed = f->failed || rope.failed;
    arch_layer *layer = fields_layers(f, a);
    for (int i = 0; layer && i < a->layers; i++) layer[i].theta = theta;
}
