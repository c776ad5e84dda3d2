/* test_pass - passes that live side by side: what one takes from another has the bits of a pass
 * from the start, and the best one is taken.
 */
#include "model.h"

#include "model/reuse.h"

enum { T = 12, LAYERS = 3 };
#define ALL UINT64_MAX

static const char config_text[] =
    "{\"model_type\":\"bert\",\"hidden_size\":24,\"num_hidden_layers\":3,\"num_attention_heads\":4,"
    "\"intermediate_size\":40,\"vocab_size\":50,\"max_position_embeddings\":32,\"type_vocab_size\":2}";
/* Its norms come first, and its queries and keys are rotated. */
static const char rotary_text[] =
    "{\"model_type\":\"qwen3\",\"hidden_size\":24,\"num_hidden_layers\":3,\"num_attention_heads\":4,"
    "\"num_key_value_heads\":2,\"head_dim\":8,\"intermediate_size\":40,\"vocab_size\":50,"
    "\"max_position_embeddings\":32}";
static const int32_t ids[T] = {2, 5, 6, 7, 8, 3, 9, 10, 11, 12, 13, 3},
                     types[T] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};

static int layers_of(const input *in) { return in->layers ? in->layers : LAYERS; }

/* Maps of one layer, or one head, are those of a pass that keeps all. */
static void compare_maps(model *m, const pass *fresh, const input *in, precision how,
    uint64_t keep) {
    pass whole;
    input all = *in;
    all.maps = (maps_of){0};
    pass_init(&whole, &m->err);
    if (!pass_run(&whole, &m->weights, &all, how, keep, NULL, 0, &m->scratch))
        fail_msg("%s", m->err.text);
    for (int id = 0; id < TRACE_COUNT; id++)
        for (int layer = 0; trace_is_map((trace_id)id) && fresh->kept[id] && layer < layers_of(in);
            layer++) {
            const float *found = pass_at(fresh, (trace_id)id, layer);
            assert_int_equal(found != NULL, layer + 1 == in->maps.layer);
            if (!found) continue;
            const float *expected = pass_at(&whole, (trace_id)id, layer);
            int64_t one = (int64_t)in->tokens * in->tokens;
            if (in->maps.head) expected += (in->maps.head - 1) * one;
            assert_int_equal(fresh->size[id], (in->maps.head ? 1 : 4) * one);
            assert_memory_equal(found, expected, (size_t)fresh->size[id] * sizeof(float));
        }
    pass_free(&whole);
}

/* Runs into p; what it took from others has the bits of a pass from the start. */
static void run(model *m, pass *p, const input *in, precision how, uint64_t keep,
    const pass *const *earlier, int count) {
    pass fresh;
    pass_init(&fresh, &m->err);
    bool done = pass_run(p, &m->weights, in, how, keep, earlier, count, &m->scratch) &&
        outputs_fill(p, &m->weights, &m->scratch) &&
        pass_run(&fresh, &m->weights, in, how, keep, NULL, 0, &m->scratch) &&
        outputs_fill(&fresh, &m->weights, &m->scratch);
    if (!done) fail_msg("%s", m->err.text);
    for (int id = 0; id < TRACE_COUNT; id++) {
        bool one = !trace_per_layer((trace_id)id) || (trace_is_map((trace_id)id) && in->maps.layer);
        size_t size = (size_t)(fresh.size[id] * (one ? 1 : layers_of(in))) * sizeof(float);
        assert_int_equal(p->kept[id] != NULL, fresh.kept[id] != NULL);
        if (size && memcmp(p->kept[id], fresh.kept[id], size))
            fail_msg("%s is not that of a pass from the start", trace_table[id].name);
    }
    assert_memory_equal(p->last, fresh.last, (size_t)(in->tokens * fresh.stride) * sizeof(float));
    if (in->maps.layer) compare_maps(m, &fresh, in, how, keep);
    pass_free(&fresh);
    arena_free(&m->scratch);
}

/* Two passes, each run many times from either or both, with the maps of all layers, of one, or of one
 * head. */
static void passes_take_from_each_other(void **unused) {
    (void)unused;
    static const change changes[] = {{CHANGE_HEAD, 2, 1, 0}, {CHANGE_HEAD, 1, 3, 0},
        {CHANGE_NEURON, 2, 0, 4}, {CHANGE_TOKEN, 4, 20, 0}, {CHANGE_NO_POSITIONS, 0, 0, 0},
        {CHANGE_NO_TYPES, 0, 0, 0}, {CHANGE_SWAP, 1, 7, 0}, {CHANGE_HEAD, 0, 0, 0}};
    for (int kind = 0; kind < 6; kind++) {
        model m;
        open_model(&m, kind % 3 ? STORE_Q8 : STORE_F32, kind < 3 ? config_text : rotary_text);
        precision how = kind % 3 == 2 ? PRECISION_FAST : PRECISION_FINE;
        pass two[2];
        const pass *both[] = {&two[0], NULL, &two[1]};
        pass_init(&two[0], &m.err), pass_init(&two[1], &m.err);
        for (int i = 0; i < 300; i++) {
            uint32_t random = (uint32_t)i * 2654435761u;
            int count = (int)(random >> 8) % 3, at = (int)(random >> 12) % (int)COUNT(changes);
            if (at + count > (int)COUNT(changes)) count = 1;
            input in = {.ids = ids,
                .types = types,
                .tokens = T - (int)(random >> 20) % 2,
                .changes = changes + at,
                .change_count = count,
                .layers = (int)(random >> 5) % 3 * (i % 2)};
            in.maps.layer = (int)(random >> 15) % (layers_of(&in) + 1);
            if (in.maps.layer) in.maps.head = (int)(random >> 17) % 5;
            const uint64_t keeps[] = {ALL, ALL,
                trace_bit(TRACE_ATTENTION) | trace_bit(TRACE_HIDDEN), trace_bit(TRACE_ATTENTION)};
            run(&m, &two[i % 2], &in, i % 17 == 3 ? 1 - how : how, keeps[(random >> 25) % 4], both,
                3);
        }
        pass_free(&two[0]), pass_free(&two[1]);
        close_model(&m);
    }
}

static reusable find(model *m, const input *in, precision how, uint64_t keep, const pass *into,
    const pass *const *earlier, int count) {
    static int32_t places[T];
    for (int i = 0; i < T; i++) places[i] = i;
    pass_wanted next = {&m->config.arch, in->ids, in->types, places, in, how, LAYERS, keep};
    return reuse_find(&next, into, earlier, count);
}

static void the_best_is_taken(void **unused) {
    (void)unused;
    model m;
    open_model(&m, STORE_F32, config_text);
    pass plain, off, other;
    pass_init(&plain, &m.err), pass_init(&off, &m.err), pass_init(&other, &m.err);
    const pass *all[] = {&off, &other, &plain};
    change head = {CHANGE_HEAD, 1, 0, 0}, late = {CHANGE_HEAD, 2, 0, 0};
    int32_t changed[T];
    memcpy(changed, ids, sizeof changed);
    changed[3] = 30;
    input as_is = {ids, types, T, NULL, 0, 0, NULL, NULL, {0}, NULL},
          with_off = {ids, types, T, &head, 1, 0, NULL, NULL, {0}, NULL},
          with_late = {ids, types, T, &late, 1, 0, NULL, NULL, {0}, NULL},
          with_word = {changed, types, T, NULL, 0, 0, NULL, NULL, {0}, NULL};
    reusable none = find(&m, &as_is, PRECISION_FINE, ALL, &other, all, 3);
    assert_true(!none.from && none.layer == 0 && none.first == 0 && none.end == T);
    run(&m, &plain, &as_is, PRECISION_FINE, ALL, NULL, 0);
    run(&m, &off, &with_off, PRECISION_FINE, ALL, NULL, 0);
    reusable r = find(&m, &with_late, PRECISION_FINE, ALL, &other, all, 3);
    assert_true(r.from == &plain && r.layer == 2);
    r = find(&m, &with_off, PRECISION_FINE, trace_bit(TRACE_ATTENTION), &other, all, 3);
    assert_true(r.from == &off && r.layer == LAYERS);
    /* its own tensors go when it keeps others */
    r = find(&m, &with_off, PRECISION_FINE, trace_bit(TRACE_ATTENTION), &off, all, 3);
    assert_true(r.from == &plain && r.layer == 1);
    r = find(&m, &with_word, PRECISION_FINE, ALL, &other, all, 3);
    assert_true(r.from == &off && r.layer == 0 && r.first == 3 && r.end == 4);
    assert_null(find(&m, &as_is, PRECISION_FAST, ALL, &other, all, 3).from);
    /* the rows of what is kept with q, k and v: from other passes, which must have them */
    m.config.arch.norm_first = true;
    uint64_t input_rows = trace_bit(TRACE_ATTENTION_INPUT);
    r = find(&m, &with_word, PRECISION_FINE, input_rows, &plain, all, 3);
    assert_true(r.from == &off && r.first == 3);
    off.keep &= ~input_rows;
    assert_null(find(&m, &with_word, PRECISION_FINE, input_rows, &plain, all, 3).from);
    off.keep |= input_rows;
    m.config.arch.norm_first = false;
    /* keeps no hidden states: only for the same again */
    run(&m, &other, &with_word, PRECISION_FINE, trace_bit(TRACE_ATTENTION), all, 3);
    r = find(&m, &with_word, PRECISION_FINE, trace_bit(TRACE_ATTENTION), &plain, all, 3);
    assert_true(r.from == &other && r.layer == LAYERS);
    /* the maps of another layer: those before it hold, in place and beside */
    input first = as_is, last = as_is, one = as_is;
    first.maps.layer = 1, last.maps.layer = 3, one.maps = (maps_of){3, 2};
    run(&m, &plain, &first, PRECISION_FINE, ALL, NULL, 0);
    const pass *mine[] = {&plain};
    r = find(&m, &last, PRECISION_FINE, ALL, &plain, mine, 1);
    assert_true(r.from == &plain && r.layer == 2);
    r = find(&m, &one, PRECISION_FINE, ALL, &other, mine, 1);
    assert_true(r.from == &plain && r.layer == 2);
    assert_int_equal(find(&m, &one, PRECISION_FINE, ALL, &plain, mine, 1).layer,
        0); /* of another size */
    assert_int_equal(find(&m, &as_is, PRECISION_FINE, ALL, &other, mine, 1).layer, 0);
    pass_free(&plain), pass_free(&off), pass_free(&other);
    close_model(&m);
}

/* With every allocation that can fail: an error, an empty pass, and nothing lost of the other one.
 */
static void want_of_memory_is_an_error(void **unused) {
    (void)unused;
    model m;
    open_model(&m, STORE_Q8, config_text);
    pass one, two;
    pass_init(&one, &m.err), pass_init(&two, &m.err);
    input in = {.ids = ids, .types = types, .tokens = T};
    run(&m, &one, &in, PRECISION_FINE, ALL, NULL, 0);
    const pass *earlier[] = {&one};
    bool done = false;
    for (int after = 0; !done && after < 50; after++) {
        error_clear(&m.err);
        arena_fail_after = after;
        done = pass_run(&two, &m.weights, &in, PRECISION_FAST, ALL, earlier, 1, &m.scratch);
        arena_fail_after = -1;
        if (!done) assert_true(two.tokens == 0 && strstr(m.err.text, "memory: ") == m.err.text);
        arena_free(&m.scratch);
    }
    assert_true(done && one.tokens == T);
    pass_free(&one), pass_free(&two);
    close_model(&m);
}

/* Texts of a whole block of 96 rows, and of more: going on from a layer, or from the rows of other
 * tokens or types, changes made, undone and made again, in the place of the pass that is taken from
 * or beside it. */
static void long_texts_go_on(void **unused) {
    (void)unused;
    enum { LONG = 130 };
    static const char long_config[] =
        "{\"model_type\":\"bert\",\"hidden_size\":24,\"num_hidden_layers\":3,\"num_attention_heads\":4,"
        "\"intermediate_size\":40,\"vocab_size\":50,\"max_position_embeddings\":160,\"type_vocab_size\":2}";
    static const int lengths[] = {96, 97, LONG};
    static const change head = {CHANGE_HEAD, 1, 2, 0}, neuron = {CHANGE_NEURON, 2, 0, 4},
                        word = {CHANGE_TOKEN, 101, 20, 0};
    static int32_t tokens[LONG], none[LONG], second[LONG];
    for (int i = 0; i < LONG; i++) tokens[i] = i * 7 % 50, second[i] = i > 60;
    for (int kind = 0; kind < 2 * (int)COUNT(lengths); kind++) {
        int n = lengths[kind / 2];
        const input steps[] = {{tokens, none, n, NULL, 0, 0, NULL, NULL, {0}, NULL},
            {tokens, none, n, &head, 1, 0, NULL, NULL, {0}, NULL},
            {tokens, none, n, NULL, 0, 0, NULL, NULL, {0}, NULL},
            {tokens, none, n, &head, 1, 0, NULL, NULL, {0}, NULL},
            {tokens, second, n, &head, 1, 0, NULL, NULL, {0}, NULL},
            {tokens, second, n, &neuron, 1, 0, NULL, NULL, {0}, NULL},
            {tokens, none, n, &neuron, 1, 0, NULL, NULL, {0}, NULL},
            {tokens, none, n, &word, n > 101, 0, NULL, NULL, {0}, NULL},
            {tokens, none, n, NULL, 0, 0, NULL, NULL, {0}, NULL}};
        model m;
        open_model(&m, kind % 2 ? STORE_Q8 : STORE_F32, long_config);
        for (int places = 1; places <= 2; places++) {
            pass two[2];
            const pass *both[] = {&two[0], &two[1]};
            pass_init(&two[0], &m.err), pass_init(&two[1], &m.err);
            for (int i = 0; i < (int)COUNT(steps); i++)
                run(&m, &two[i % places], &steps[i], PRECISION_FINE, ALL, both, 2);
            pass_free(&two[0]), pass_free(&two[1]);
        }
        close_model(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(passes_take_from_each_other),
        cmocka_unit_test(the_best_is_taken), cmocka_unit_test(long_texts_go_on),
        cmocka_unit_test(want_of_memory_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
