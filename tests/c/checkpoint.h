/* checkpoint - a tiny BERT made in memory: one layer, D=8, H=2, V=12, 8 positions. Tests change a
 * tensor's name, shape, type or values before it is written as safetensors, and load it through
 * headlight.h.
 */
#ifndef TESTS_CHECKPOINT_H
#define TESTS_CHECKPOINT_H

#include "expect.h"

#include "headlight.h"

typedef struct made_tensor {
    char name[96];
    const char *type; /* F32, F16, BF16, I8; NULL = left out */
    int rows, cols;   /* cols 0: a vector */
    float fill;       /* when not 0, every value */
} made_tensor;

typedef struct checkpoint {
    made_tensor tensors[256];
    int count;
} checkpoint;

static const char tiny_config[] =
    "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":1,\"num_attention_heads\":2,"
    "\"intermediate_size\":16,\"vocab_size\":12,\"max_position_embeddings\":8,\"type_vocab_size\":2}";
static const char tiny_vocab[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\n##d\n.\n,\n##e\n";

static inline void made(checkpoint *c, const char *name, int rows, int cols) {
    made_tensor *t = &c->tensors[c->count++];
    *t = (made_tensor){.type = "F32", .rows = rows, .cols = cols};
    snprintf(t->name, sizeof t->name, "%.95s", name);
}

static inline void made_linear(checkpoint *c, const char *name, int rows, int cols) {
    char full[128];
    snprintf(full, sizeof full, "%s.weight", name);
    made(c, full, rows, cols);
    snprintf(full, sizeof full, "%s.bias", name);
    made(c, full, rows, 0);
}

static inline void made_norm(checkpoint *c, const char *name) { made_linear(c, name, 8, 0); }

static inline checkpoint tiny_checkpoint(void) {
    checkpoint c = {.count = 0};
    made(&c, "bert.embeddings.word_embeddings.weight", 12, 8);
    made(&c, "bert.embeddings.position_embeddings.weight", 8, 8);
    made(&c, "bert.embeddings.token_type_embeddings.weight", 2, 8);
    made_norm(&c, "bert.embeddings.LayerNorm");
    static const struct {
        const char *name;
        int rows, cols;
    } layer[] = {{"attention.self.query", 8, 8}, {"attention.self.key", 8, 8},
        {"attention.self.value", 8, 8}, {"attention.output.dense", 8, 8},
        {"attention.output.LayerNorm", 8, 0}, {"intermediate.dense", 16, 8},
        {"output.dense", 8, 16}, {"output.LayerNorm", 8, 0}};
    for (size_t i = 0; i < COUNT(layer); i++) {
        char name[96];
        snprintf(name, sizeof name, "bert.encoder.layer.0.%s", layer[i].name);
        made_linear(&c, name, layer[i].rows, layer[i].cols);
    }
    made_linear(&c, "bert.pooler.dense", 8, 8);
    made_linear(&c, "cls.predictions.transform.dense", 8, 8);
    made_norm(&c, "cls.predictions.transform.LayerNorm");
    made(&c, "cls.predictions.bias", 12, 0);
    made_linear(&c, "cls.seq_relationship", 2, 8);
    return c;
}

static inline made_tensor *find_made(checkpoint *c, const char *part) {
    for (int i = 0; i < c->count; i++)
        if (strstr(c->tensors[i].name, part)) return &c->tensors[i];
    fail_msg("no tensor is called %s", part);
    return NULL;
}

static inline int type_bytes(const char *type) {
    return type[0] == 'I' ? 1 : strcmp(type, "F32") == 0 ? 4 : 2;
}

static inline void put_value(unsigned char *out, const char *type, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    uint16_t bf16 = (uint16_t)(bits >> 16);
    int8_t code = (int8_t)(value * 100);
    if (type[0] == 'I') memcpy(out, &code, 1);
    else if (type[0] == 'B') memcpy(out, &bf16, 2);
    else memcpy(out, &value, 4);
}

/* The file's bytes; the caller frees them with free_span. Values are small and fixed, gains near
 * one. */
static inline span checkpoint_file(const checkpoint *c) {
    char *file = calloc(1, 1 << 17), *header = file + 8;
    static unsigned char data[1 << 16];
    int size = 0, at = sprintf(header, "{\"__metadata__\":{\"format\":\"pt\"}");
    uint32_t state = 3;
    for (int i = 0; i < c->count; i++) {
        const made_tensor *t = &c->tensors[i];
        if (!t->type) continue;
        int begin = size, n = t->rows * (t->cols ? t->cols : 1);
        for (int j = 0; j < n; j++, size += type_bytes(t->type)) {
            state = state * 1664525u + 1013904223u;
            float value = ((float)(state >> 8) / 8388608.0f - 1.0f) * 0.5f +
                (strstr(t->name, "Norm") ? 1.0f : 0.0f);
            put_value(data + size, t->type, t->fill != 0 ? t->fill : value);
        }
        at += sprintf(header + at, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%d", t->name, t->type,
            t->rows);
        if (t->cols) at += sprintf(header + at, ",%d", t->cols);
        at += sprintf(header + at, "],\"data_offsets\":[%d,%d]}", begin, size);
    }
    at += sprintf(header + at, "}");
    for (int i = 0; i < 8; i++) file[i] = (char)((uint64_t)at >> (8 * i) & 255);
    memcpy(header + at, data, (size_t)size);
    return (span){file, (size_t)(8 + at + size)};
}

/* The last pass of a test; run again, it is run over. */
static hl_pass *pass;
static hl_session *pass_of;

static inline bool run_keeping(hl_session *s, const char *keep) {
    pass = hl_run(s, HL_FINE, keep, pass_of == s ? pass : NULL);
    pass_of = pass ? s : NULL;
    return pass != NULL;
}

/* Loads config, vocabulary and the file in pieces of `cut` bytes; 1 when the model is ready. */
static inline int load_file(hl_session *s, const char *config, span file, int store, int cut) {
    pass_of = NULL; /* a model takes its passes along */
    if (!hl_load_config(s, config, (int)strlen(config))) return 0;
    if (!hl_load_vocab(s, tiny_vocab, (int)strlen(tiny_vocab))) return 0;
    if (!hl_load_begin(s, store) || !hl_load_file(s, 0, (double)file.size)) return 0;
    for (size_t at = 0; at < file.size; at += (size_t)cut) {
        int n = file.size - at < (size_t)cut ? (int)(file.size - at) : cut;
        if (!hl_load_bytes(s, (const unsigned char *)file.at + at, n)) return 0;
    }
    return hl_load_end(s);
}

static inline int load_checkpoint(hl_session *s, const checkpoint *c, int store) {
    span file = checkpoint_file(c);
    int ready = load_file(s, tiny_config, file, store, 1000);
    free_span(file);
    return ready;
}

/* The tiny BERT, but with one token type. */
static inline void load_one_type(hl_session *s) {
    checkpoint c = tiny_checkpoint();
    find_made(&c, "token_type")->rows = 1;
    char config[512];
    snprintf(config, sizeof config, "%s", tiny_config);
    *(strstr(config, "vocab_size\":2}") + strlen("vocab_size\":")) = '1';
    span file = checkpoint_file(&c);
    if (!load_file(s, config, file, HL_F32, 1000)) fail_msg("%s", hl_error(s));
    free_span(file);
}

#endif
