/* family_llama - Llama (Touvron et al. 2023), SmolLM2, TinyLlama, Mistral, Qwen2, Qwen3: causal, RMSNorm
 * before each half of a layer, rotary position embeddings, fewer key heads than heads, a gated MLP.
 * Mistral (Jiang et al. 2023) looks back by a window where sliding_window is a number.
 * Qwen2 has biases on q, k and v; Qwen3 has none, norms q and k of each head, and heads whose
 * widths do not add up to D.
 */
#include "model/families/family.h"

/* Also the rotation. */
static void read_sizes(fields *f, arch *a, int vocab, int inner, int positions, int head_width) {
    fields_demand(f, "pretraining_tp", "1",
        "weights split for tensor parallelism are not supported");
    fields_demand(f, "use_sliding_window", "false",
        "sliding windows are not supported in this family");
    a->layers = fields_whole(f, "num_hidden_layers", 32, 1, 128);
    a->heads = fields_whole(f, "num_attention_heads", 32, 1, 256);
    a->key_heads = fields_has(f, "num_key_value_heads")
        ? fields_whole(f, "num_key_value_heads", 1, 1, 256)
        : a->heads;
    a->hidden = fields_whole(f, "hidden_size", 4096, 1, 16384);
    a->head_width = fields_has(f, "head_dim") ? fields_whole(f, "head_dim", 0, 2, 1024)
                                              : head_width;
    if (!a->head_width && a->hidden % a->heads == 0) a->head_width = a->hidden / a->heads;
    family_rotate(f, a);
    a->inner = fields_whole(f, "intermediate_size", inner, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", vocab, 1, 1000000);
    positions = fields_whole(f, "max_position_embeddings", positions, 4, 1 << 24);
    a->tokens = positions < MOST_TOKENS ? positions : MOST_TOKENS;
    family_read_rotation(f, a, "rope_theta", positions);
    if (OF_WHOLE(a->scaling.kind != SCALING_NONE)) family_demand_whole(f);
}

static void read_any(fields *f, arch *a) {
    a->act = fields_activation(f, "hidden_act", "silu");
    a->eps = fields_eps(f, "rms_norm_eps", 1e-6);
    a->tied = fields_flag(f, "tie_word_embeddings", false);
    a->norm = NORM_RMS;
    a->norm_first = a->final_norm = a->gated = true;
    a->words = WORDS_NEXT;
    family_read_causal(f, a);
    family_label_last(f, a);
    if (a->task.kind == TASK_TOKEN_LABELS)
        a->task.bias = fields_flag(f, "token_classification_bias", true);
}

static void read_llama(fields *f, arch *a) {
    read_sizes(f, a, 32000, 11008, 2048, 0);
    a->attention_bias = a->output_bias = fields_flag(f, "attention_bias", false);
    a->mlp_bias = fields_flag(f, "mlp_bias", false);
    read_any(f, a);
}

static void read_qwen2(fields *f, arch *a) {
    a->prefers_fine = true;
    read_sizes(f, a, 151936, 22016, 32768, 0);
    a->attention_bias = true;
    read_any(f, a);
}

static void read_qwen3(fields *f, arch *a) {
    a->prefers_fine = true;
    read_sizes(f, a, 151936, 22016, 32768, 128);
    a->attention_bias = a->output_bias = fields_flag(f, "attention_bias", false);
    a->head_norm = true;
    read_any(f, a);
}

/* Which layers slide, transformers does not ask here: all do where there is a window. */
static void read_mistral(fields *f, arch *a) {
    a->prefers_fine = true;
    read_sizes(f, a, 32000, 14336, 1 << 17, 0);
    if (!json_get(f->object, "num_key_value_heads")) a->key_heads = 8;
    read_any(f, a);
    const json_value *none = json_get(f->object, "sliding_window");
    int window =
        none && none->type == JSON_NULL ? 0 : fields_whole(f, "sliding_window", 4096, 1, 1 << 24);
    for (int i = 0; window && a->layer && i < a->layers; i++) {
        arch_layer *l = &a->layer[i];
        l->mask = l->mask == MASK_CAUSAL ? MASK_CAUSAL_WINDOW : MASK_WINDOW;
        l->window = window;
    }
}

static bool exists_head_norm(const arch *a, int layer) { return (void)layer, a->head_norm; }

static bool exists_label_bias(const arch *a, int layer) {
    return exists_token_labels(a, layer) && a->task.bias;
}

static const weight_row rows[] = {
    ROW_OF("embed_tokens.weight", SIZE_VOCAB, SIZE_EMBEDDING, ROLE_MATRIX, words, PART_ENCODER,
        NULL),
    LAYER_GAIN("layers.#.input_layernorm", SIZE_HIDDEN, attention_norm),
    LAYER_MATRIX("layers.#.self_attn.q_proj", SIZE_QUERIES, SIZE_HIDDEN, query),
    LAYER_BIAS("layers.#.self_attn.q_proj", SIZE_QUERIES, query, exists_attention_bias),
    LAYER_MATRIX("layers.#.self_attn.k_proj", SIZE_KEYS, SIZE_HIDDEN, key),
    LAYER_BIAS("layers.#.self_attn.k_proj", SIZE_KEYS, key, exists_attention_bias),
    LAYER_MATRIX("layers.#.self_attn.v_proj", SIZE_KEYS, SIZE_HIDDEN, value),
    LAYER_BIAS("layers.#.self_attn.v_proj", SIZE_KEYS, value, exists_attention_bias),
    LAYER_ROW("layers.#.self_attn.q_norm.weight", SIZE_HEAD, SIZE_ONE, ROLE_GAIN, query_norm.gain,
        exists_head_norm),
    LAYER_ROW("layers.#.self_attn.k_norm.weight", SIZE_HEAD, SIZE_ONE, ROLE_GAIN, key_norm.gain,
        exists_head_norm),
    LAYER_MATRIX("layers.#.self_attn.o_proj", SIZE_HIDDEN, SIZE_QUERIES, attention_output),
    LAYER_BIAS("layers.#.self_attn.o_proj", SIZE_HIDDEN, attention_output, exists_output_bias),
    LAYER_GAIN("layers.#.post_attention_layernorm", SIZE_HIDDEN, mlp_norm),
    LAYER_MATRIX("layers.#.mlp.gate_proj", SIZE_INNER, SIZE_HIDDEN, inner),
    LAYER_BIAS("layers.#.mlp.gate_proj", SIZE_INNER, inner, exists_mlp_bias),
    LAYER_MATRIX("layers.#.mlp.up_proj", SIZE_INNER, SIZE_HIDDEN, gate),
    LAYER_BIAS("layers.#.mlp.up_proj", SIZE_INNER, gate, exists_mlp_bias),
    LAYER_MATRIX("layers.#.mlp.down_proj", SIZE_HIDDEN, SIZE_INNER, outer),
    LAYER_BIAS("layers.#.mlp.down_proj", SIZE_HIDDEN, outer, exists_mlp_bias),
    ROW_OF("norm.weight", SIZE_HIDDEN, SIZE_ONE, ROLE_GAIN, final_norm.gain, PART_ENCODER, NULL),
    DECODER("lm_head"),
    TASK_MATRIX("score", exists_any_labels),
    ROW_OF("score.bias", SIZE_LABELS, SIZE_ONE, ROLE_BIAS, task.bias, PART_TASK, exists_label_bias),
    TASK_LINEAR("qa_outputs", exists_answer),
};

static const char *const ignored[] = {"rotary_emb.inv_freq",
    "layers.#.self_attn.rotary_emb.inv_freq", "lm_head.weight", NULL};

const family family_llama = {"llama", "Llama", "model.", read_llama, ROWS_OF(rows), NULL, ignored,
    "transformer.", NULL};
const family family_mistral = {"mistral", "Mistral", "model.", read_mistral, ROWS_OF(rows), NULL,
    ignored, NULL, NULL};
const family family_qwen2 = {"qwen2", "Qwen2", "model.", read_qwen2, ROWS_OF(rows), NULL, ignored,
    "transformer.", NULL};
const family family_qwen3 = {"qwen3", "Qwen3", "model.", read_qwen3, ROWS_OF(rows), NULL, ignored,
    "transformer.", NULL};
