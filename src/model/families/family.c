/* family - fields and parts of several families.
 */
#include "model/families/family.h"

#include "base/format.h"

void family_read_bert(fields *f, arch *a, int vocab, int positions) {
    fields_demand(f, "position_embedding_type", "\"absolute\"",
        "relative positions are not supported");
    fields_demand(f, "is_decoder", "false", "decoders are not supported");
    fields_demand(f, "add_cross_attention", "false", "cross-attention is not supported");
    fields_demand(f, "pruned_heads", "{}", "pruned heads are not supported");
    a->layers = fields_whole(f, "num_hidden_layers", 12, 1, 128);
    a->heads = fields_whole(f, "num_attention_heads", 12, 1, 256);
    a->hidden = fields_whole(f, "hidden_size", 768, 1, 16384);
    a->inner = fields_whole(f, "intermediate_size", 3072, 1, 65536);
    a->vocab = fields_whole(f, "vocab_size", vocab, 1, 1000000);
    a->positions = a->tokens = fields_whole(f, "max_position_embeddings", positions, 4, 16384);
    a->eps = fields_eps(f, "layer_norm_eps", 1e-12);
    a->tied = fields_flag(f, "tie_word_embeddings", true);
    a->embedding_norm = a->norm_bias = a->attention_bias = a->output_bias = a->mlp_bias =
        a->word_dense = a->word_bias = true;
    a->words = WORDS_MASKED;
}

void family_pad_positions(arch *a, int pad) {
    a->pad = pad;
    a->first_position = a->pad + 1;
    a->tokens = a->positions - a->first_position;
}

void family_rotate(fields *f, arch *a) {
    a->rotary = a->head_width;
    if (a->head_width % 2 == 0) return;
    f->failed = true;
    error_set(f->err, "config",
        "heads are %d wide by hidden_size %d, num_attention_heads %d and head_dim in config.json; "
        "an even width was expected: rotary position embeddings turn pairs of neurons",
        a->head_width, a->hidden, a->heads);
}

void family_read_causal(fields *f, arch *a) {
    mask_kind mask = fields_flag(f, "is_causal", true) ? MASK_CAUSAL : MASK_ALL;
    fields_layer_types(f, a->layers, false);
    arch_layer *layer = fields_layers(f, a);
    for (int i = 0; layer && i < a->layers; i++) layer[i].mask = mask;
}

#ifndef HEADLIGHT_ONE_STACK
static span class_of(const fields *f) {
    const json_value *list = json_get(f->object, "architectures"),
                     *first = list ? list->first : NULL;
    return first && first->type == JSON_STRING ? first->string : span_of("");
}

arch *family_second(fields *f, arch *a) {
    a->of_two = true;
    fields_flag(f, "is_encoder_decoder", true); /* whatever it says */
    fields_demand(f, "is_decoder", "false", "each of the two stacks has its own");
    if (f->failed || span_ends(class_of(f), "EncoderModel")) return NULL;
    arch *second = a->second = arena_take(f->memory, sizeof *second, "config.json");
    if (!second) return f->failed = true, NULL;
    *second = *a;
    second->second = NULL;
    second->layer = NULL;
    second->cross = true;
    second->words = WORDS_NEXT;
    return second;
}

void family_read_target(fields *f, arch *second, int start, int end, int last) {
    static const char name[] = "decoder_start_token_id";
    second->start = fields_has(f, name) ? fields_whole(f, name, start, 0, second->vocab - 1)
        : json_get(f->object, name)     ? -1
                                        : start;
    if (second->start >= second->vocab) second->start = -1; /* what is usual is of larger ones */
    second->end = end;
    second->last = last < second->vocab ? last : -1;
}

void family_demand_two(fields *f, const arch *a) {
    char said[200];
    bool alone = span_ends(class_of(f), "ForCausalLM");
    if ((a->task.kind == TASK_NONE && !alone) || f->failed) return;
    format_text(said, sizeof said,
        "the class in \"architectures\" of config.json is %s; %s of a model of two "
        "stacks %s not supported, the class that writes was expected",
        error_quote(class_of(f).at, class_of(f).size).text,
        alone ? "the decoder alone" : "labels and answers", alone ? "is" : "are");
    fields_refuse(f, said);
}

#endif

const char *family_prefix(const family *f, const arch *a) {
    return f->answer_prefix && a->task.kind == TASK_ANSWER ? f->answer_prefix : f->prefix;
}

void family_label_dense(arch *a, bool pooler, activation act) {
    if (a->task.kind != TASK_LABELS) return;
    a->task.dense = a->task.dense_bias = !pooler;
    a->task.pooler = pooler;
    a->task.act = act;
}

void family_label_last(fields *f, arch *a) {
    if (a->task.kind != TASK_LABELS) return;
    a->task.pool = POOL_LAST;
    a->task.bias = false;
    a->task.pad = fields_has(f, "pad_token_id") ? fields_whole(f, "pad_token_id", -1, -1, 1 << 24)
                                                : -1;
}

bool exists_labels(const arch *a, int layer) { return (void)layer, a->task.kind == TASK_LABELS; }
bool exists_token_labels(const arch *a, int layer) {
    return (void)layer, a->task.kind == TASK_TOKEN_LABELS;
}
bool exists_any_labels(const arch *a, int layer) {
    return exists_labels(a, layer) || exists_token_labels(a, layer);
}
bool exists_answer(const arch *a, int layer) { return (void)layer, a->task.kind == TASK_ANSWER; }
bool exists_any_task(const arch *a, int layer) { return (void)layer, a->task.kind != TASK_NONE; }
bool exists_decoder(const arch *a, int layer) {
    return (void)layer, !a->tied || a->words != WORDS_NONE;
}
bool exists_projection(const arch *a, int layer) { return (void)layer, a->projected; }
bool exists_attention_bias(const arch *a, int layer) { return (void)layer, a->attention_bias; }
bool exists_output_bias(const arch *a, int layer) { return (void)layer, a->output_bias; }
bool exists_mlp_bias(const arch *a, int layer) { return (void)layer, a->mlp_bias; }
bool exists_norm_bias(const arch *a, int layer) { return (void)layer, a->norm_bias; }
bool exists_word_bias(const arch *a, int layer) { return (void)layer, a->word_bias; }
