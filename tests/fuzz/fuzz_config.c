/* fuzz_config - any bytes as config.json. What is accepted keeps the limits, and can be rewritten with and without a
 * quantization_config into a config that means the same.
 */
#include "model/config.h"

#include <math.h>
#include <stdlib.h>

#define MUST(condition) do { if (!(condition)) abort(); } while (0)

#define GOOD_QUANTISATION \
    "{\"quant_method\":\"compressed-tensors\",\"format\":\"int-quantized\",\"config_groups\":{\"g\":{" \
    "\"weights\":{\"num_bits\":8,\"type\":\"int\",\"symmetric\":true,\"strategy\":\"channel\"}}}}"

static void check_limits(const config *c) {
    MUST(c->arch.layers >= 1 && c->arch.layers <= 128 && c->arch.heads >= 1 && c->arch.heads <= 256 && c->arch.head_width >= 1);
    MUST(c->arch.hidden <= 16384 && c->arch.hidden == c->arch.heads * c->arch.head_width && c->arch.inner >= 1 && c->arch.inner <= 65536);
    MUST(c->arch.vocab >= 1 && c->arch.vocab <= 1000000 && c->arch.positions >= 4 && c->arch.positions <= 16384);
    MUST(c->arch.types >= 1 && c->arch.types <= 64 && c->arch.eps > 0 && isfinite(c->arch.eps) && c->arch.act <= ACT_SILU);
    for (int i = 0; i < c->label_count; i++) MUST(c->labels[i].at != NULL);
}

static void check_rewrite(const config *c, arena *memory, const char *quantisation, error *err) {
    config again;
    const char *text = config_rewrite(c, quantisation, memory, memory, err);
    MUST(text && config_read(&again, memory, span_of(text), err));
    MUST(again.quantised == (quantisation != NULL));
    MUST(again.arch.layers == c->arch.layers && again.arch.heads == c->arch.heads && again.arch.hidden == c->arch.hidden && again.arch.inner == c->arch.inner);
    MUST(again.arch.vocab == c->arch.vocab && again.arch.positions == c->arch.positions && again.arch.types == c->arch.types && again.arch.eps == c->arch.eps);
    MUST(again.arch.act == c->arch.act && again.label_count == c->label_count && span_equal(again.architecture, c->architecture));
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
        check_limits(&c);
        check_rewrite(&c, &memory, NULL, &err);
        check_rewrite(&c, &memory, GOOD_QUANTISATION, &err);
    }
    arena_free(&memory);
    return 0;
}
