/* fuzz_config - any bytes as config.json. What is accepted keeps the limits, and can be rewritten
 * with and without a quantization_config into a config that means the same.
 */
#include "model/config.h"

#include <math.h>
#include <stdlib.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

#define GOOD_QUANTISATION                                                                              \
    "{\"quant_method\":\"compressed-tensors\",\"format\":\"int-quantized\",\"config_groups\":{\"g\":{" \
    "\"weights\":{\"num_bits\":8,\"type\":\"int\",\"symmetric\":true,\"strategy\":\"channel\"}}}}"

static void check_limits(const arch *a) {
    MUST(a->layers >= 1 && a->layers <= 1024 && a->heads >= 1 && a->heads <= 256 &&
        a->head_width >= 1 && a->key_heads >= 1);
    MUST(a->heads % a->key_heads == 0 && a->rotary <= a->head_width && a->hidden <= 16384 &&
        a->inner >= 1 && a->inner <= 65536);
    MUST(a->vocab >= 1 && a->vocab <= 1000000 && a->positions >= 0 && a->positions <= 16384 &&
        a->tokens >= 1 && a->tokens <= 16384);
    MUST(a->positions == 0 || a->first_position + a->tokens <= a->positions);
    MUST(a->types >= 0 && a->types <= 64 && a->eps > 0 && isfinite(a->eps) && a->act <= ACT_SILU &&
        a->embedding >= 1);
    for (int l = 0; l < a->layers; l++)
        MUST(a->layer[l].stored >= 0 && a->layer[l].stored < a->stored_layers &&
            (!a->rotary || a->layer[l].theta > 0));
    MUST(!a->cross || (a->start < a->vocab && a->last < a->vocab && a->key_heads == a->heads));
    MUST(!a->bucket_reach || (a->buckets >= 4 && a->bucket_reach > a->buckets / 2));
    if (a->second) check_limits(a->second);
    MUST(!a->second || (a->second->hidden == a->hidden && a->second->cross && !a->second->second));
}

static void check_labels(const config *c) {
    for (int i = 0; i < c->label_count; i++) MUST(c->labels[i].at != NULL);
}

static void check_rewrite(const config *c, arena *memory, const char *quantisation, error *err) {
    config again;
    const char *text = config_rewrite(c, quantisation, memory, memory, err);
    MUST(text && config_read(&again, memory, span_of(text), err));
    MUST(again.quantised == (quantisation != NULL));
    MUST(again.arch.layers == c->arch.layers && again.arch.heads == c->arch.heads &&
        again.arch.hidden == c->arch.hidden && again.arch.inner == c->arch.inner);
    MUST(again.arch.vocab == c->arch.vocab && again.arch.positions == c->arch.positions &&
        again.arch.types == c->arch.types && again.arch.eps == c->arch.eps);
    MUST(again.arch.act == c->arch.act && again.label_count == c->label_count &&
        span_equal(again.architecture, c->architecture));
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    error err = {0};
    arena memory;
    config c;
    arena_init(&memory, &err);
    bool good = config_read(&c, &memory, (span){(const char *)bytes, size}, &err);
    MUST(good != error_is_set(&err));
    if (good) {
        check_limits(&c.arch);
        check_labels(&c);
        check_rewrite(&c, &memory, NULL, &err);
        check_rewrite(&c, &memory, GOOD_QUANTISATION, &err);
    }
    arena_free(&memory);
    return 0;
}
