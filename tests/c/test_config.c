/* test_config - config.c: the defaults, every bad config of the project's list with its sentence,
 * what is recognised as which family, activation and quantisation, labels, rewriting, and every
 * failing allocation.
 */
#include "expect.h"

#include "base/json.h"
#include "model/families/family.h"

#include <math.h>

static bool read_config(config *c, span json) {
    span text = exact_copy(json);
    error_clear(&err);
    bool good = config_read(c, &memory, text, &err);
    free_span(text); /* the config may not point into it */
    return good;
}

typedef struct config_row {
    int row;
    const char *label;
    span json;
    const char *expected;
} config_row;

#define BERT(rest) SPAN("{\"model_type\":\"bert\"," rest "}")
#define WHOLE(name, found, limits)                                                                 \
    "config: \"" name "\" in config.json is " found "; a whole number from " limits " was expected"
#define EPS(found)                                                                                 \
    "\"layer_norm_eps\" in config.json is " found "; a number above 0 and at most 1 was expected"
#define ACT(found)                                                                                 \
    "\"hidden_act\" in config.json is " found                                                      \
    "; one of gelu, gelu_new, gelu_pytorch_tanh, gelu_fast, relu"
#define WEIGHTS(bits, type, symmetric, strategy)                                                   \
    "\"weights\":{\"num_bits\":" bits ",\"type\":\"" type "\",\"symmetric\":" symmetric            \
    ",\"strategy\":\"" strategy "\"}"
#define QUANTISED(method, format, group)                                                           \
    BERT("\"quantization_config\":{\"quant_method\":\"" method "\",\"format\":\"" format           \
         "\",\"config_groups\":{\"group_0\":{" group "}}}")
#define GOOD_WEIGHTS WEIGHTS("8", "int", "true", "channel")

static const config_row rows[] = {
    {1, "empty", SPAN(""), "config: config.json is empty"},
    {55, "no JSON", SPAN("hello"),
        "config: config.json is not valid JSON: expected a value, found 'h'"},
    {55, "web page", SPAN("<!doctype html><html>"),
        "config: config.json is a web page (HTML) instead of JSON"},
    {55, "Git LFS pointer", SPAN("version https://git-lfs.github.com/spec/v1\n"),
        "is a Git LFS pointer instead of JSON"},
    {55, "list", SPAN("[1]"), "config: config.json is [1]; a JSON object was expected"},
    {56, "no model_type", SPAN("{}"),
        "config: config.json has no model_type; the supported families are: "
        "bert, "},
    {56, "no model_type, what to do", SPAN("{}"),
        "; if the model is one of them, add a line like \"model_type\": \"bert\""},
    {56, "null model_type", SPAN("{\"model_type\":null}"), "config.json has no model_type"},
    {56, "unknown model_type", SPAN("{\"model_type\":\"deberta-v2\"}"),
        "config: the model_type in config.json is \"deberta-v2\"; the supported families are: bert"},
    {56, "model_type no string", SPAN("{\"model_type\":5}"),
        "the model_type in config.json is 5; the supported families"},
    {56, "model_type in capitals", SPAN("{\"model_type\":\"BERT\"}"),
        "the model_type in config.json is \"BERT\""},
    {56, "model_type wins over architecture",
        SPAN("{\"model_type\":\"deberta-v2\",\"architectures\":[\"BertModel\"]}"),
        "the model_type in config.json is \"deberta-v2\""},
    {56, "architecture instead", SPAN("{\"architectures\":[\"BertForMaskedLM\"]}"), NULL},
    {56, "other architecture", SPAN("{\"architectures\":[\"DebertaV2Model\",\"BertModel\"]}"),
        "has no model_type"},
    {56, "empty architectures", SPAN("{\"architectures\":[]}"), "has no model_type"},
    {56, "architectures no list", SPAN("{\"architectures\":\"BertModel\"}"), "has no model_type"},
    {57, "not divisible", BERT("\"hidden_size\":50,\"num_attention_heads\":12"),
        "config: the hidden width 50 in config.json cannot be divided among 12 heads"},
    {57, "more heads than width", BERT("\"hidden_size\":4,\"num_attention_heads\":8"),
        "width 4 in config.json cannot be"},
    {58, "heads 0", BERT("\"num_attention_heads\":0"),
        WHOLE("num_attention_heads", "0", "1 to 256")},
    {58, "heads 257", BERT("\"num_attention_heads\":257"),
        WHOLE("num_attention_heads", "257", "1 to 256")},
    {58, "layers 0", BERT("\"num_hidden_layers\":0"), WHOLE("num_hidden_layers", "0", "1 to 128")},
    {58, "layers -1", BERT("\"num_hidden_layers\":-1"),
        WHOLE("num_hidden_layers", "-1", "1 to 128")},
    {58, "layers 10^6", BERT("\"num_hidden_layers\":1000000"),
        WHOLE("num_hidden_layers", "1000000", "1 to 128")},
    {58, "layers 128", BERT("\"num_hidden_layers\":128"), NULL},
    {58, "layers 2.0", BERT("\"num_hidden_layers\":2.0"),
        WHOLE("num_hidden_layers", "2.0", "1 to 128")},
    {58, "layers true", BERT("\"num_hidden_layers\":true"),
        WHOLE("num_hidden_layers", "true", "1 to 128")},
    {58, "layers null", BERT("\"num_hidden_layers\":null"),
        WHOLE("num_hidden_layers", "null", "1 to 128")},
    {58, "hidden 0", BERT("\"hidden_size\":0"), WHOLE("hidden_size", "0", "1 to 16384")},
    {58, "hidden 2^31", BERT("\"hidden_size\":2147483648"),
        WHOLE("hidden_size", "2147483648", "1 to 16384")},
    {58, "hidden 2^32+48", BERT("\"hidden_size\":4294967344"),
        WHOLE("hidden_size", "4294967344", "1 to 16384")},
    {58, "hidden 2^64+48", BERT("\"hidden_size\":18446744073709551664"),
        WHOLE("hidden_size", "18446744073709551664", "1 to 16384")},
    {58, "inner 65537", BERT("\"intermediate_size\":65537"),
        WHOLE("intermediate_size", "65537", "1 to 65536")},
    {58, "vocabulary 0", BERT("\"vocab_size\":0"), WHOLE("vocab_size", "0", "1 to 1000000")},
    {58, "vocabulary 1000001", BERT("\"vocab_size\":1000001"),
        WHOLE("vocab_size", "1000001", "1 to 1000000")},
    {58, "types 0", BERT("\"type_vocab_size\":0"), WHOLE("type_vocab_size", "0", "1 to 64")},
    {58, "types 65", BERT("\"type_vocab_size\":65"), WHOLE("type_vocab_size", "65", "1 to 64")},
    {59, "positions 3, fewer than [CLS] a b [SEP]", BERT("\"max_position_embeddings\":3"),
        WHOLE("max_position_embeddings", "3", "4 to 16384")},
    {59, "positions 4", BERT("\"max_position_embeddings\":4"), NULL},
    {59, "positions 16385", BERT("\"max_position_embeddings\":16385"),
        WHOLE("max_position_embeddings", "16385", "4 to 16384")},
    {60, "unknown activation", BERT("\"hidden_act\":\"mish\""), ACT("\"mish\"")},
    {60, "activation in capitals", BERT("\"hidden_act\":\"GELU\""), ACT("\"GELU\"")},
    {60, "quick_gelu is another function", BERT("\"hidden_act\":\"quick_gelu\""),
        ACT("\"quick_gelu\"")},
    {60, "activation null", BERT("\"hidden_act\":null"), ACT("null")},
    {61, "eps 0", BERT("\"layer_norm_eps\":0"), EPS("0")},
    {61, "eps 0.0", BERT("\"layer_norm_eps\":0.0"), EPS("0.0")},
    {61, "eps negative", BERT("\"layer_norm_eps\":-1e-12"), EPS("-1e-12")},
    {61, "eps string", BERT("\"layer_norm_eps\":\"1e-12\""), EPS("the text \"1e-12\"")},
    {61, "eps 0 as a float", BERT("\"layer_norm_eps\":1e-50"), EPS("1e-50")},
    {61, "eps above 1", BERT("\"layer_norm_eps\":2"), EPS("2")},
    {61, "eps null", BERT("\"layer_norm_eps\":null"), EPS("null")},
    {61, "eps NaN", BERT("\"layer_norm_eps\":NaN"), EPS("NaN")},
    {61, "hidden_size NaN", BERT("\"hidden_size\":NaN"), "\"hidden_size\" in config.json is NaN"},
    {61, "NaN where nobody reads", BERT("\"class_weights\":[NaN,1.0],\"limit\":-Infinity"), NULL},
    {62, "relative_key", BERT("\"position_embedding_type\":\"relative_key\""),
        "config: \"position_embedding_type\" in "
        "config.json is the text \"relative_key\"; \"absolute\" was expected: relative positions are not supported"},
    {62, "relative_key_query", BERT("\"position_embedding_type\":\"relative_key_query\""),
        "relative positions are not"},
    {62, "absolute", BERT("\"position_embedding_type\":\"absolute\""), NULL},
    {62, "decoder", BERT("\"is_decoder\":true"),
        "\"is_decoder\" in config.json is true; false was expected: decoders"},
    {62, "no decoder",
        BERT("\"is_decoder\":false,\"add_cross_attention\":false,\"pruned_heads\":{}"), NULL},
    {65, "untied decoder", BERT("\"tie_word_embeddings\":false"), NULL},
    {65, "neither tied nor untied", BERT("\"tie_word_embeddings\":1"),
        "\"tie_word_embeddings\" in config.json is 1; true or false was expected"},
    {65, "tied decoder", BERT("\"tie_word_embeddings\":true"), NULL},
    {62, "null", BERT("\"is_decoder\":null,\"position_embedding_type\":null"), NULL},
    {62, "cross-attention", BERT("\"add_cross_attention\":true"),
        "cross-attention is not supported"},
    {62, "pruned heads", BERT("\"pruned_heads\":{\"0\":[1]}"), "pruned heads are not supported"},
    {68, "bitsandbytes",
        BERT("\"quantization_config\":{\"quant_method\":\"bitsandbytes\",\"load_in_8bit\":true}"),
        "config: \"quant_method\" in config.json is the text \"bitsandbytes\"; \"compressed-tensors\" was expected: of "
        "quantised models only compressed-tensors with 8-bit symmetric weights"},
    {68, "fp8", BERT("\"quantization_config\":{\"quant_method\":\"fp8\"}"), "is the text \"fp8\";"},
    {68, "no object", BERT("\"quantization_config\":8"),
        "\"quant_method\" in config.json is absent;"},
    {68, "other format", QUANTISED("compressed-tensors", "float-quantized", GOOD_WEIGHTS),
        "\"format\" in config.json is the text \"float-quantized\"; \"int-quantized\" was expected"},
    {68, "4 bits",
        QUANTISED("compressed-tensors", "int-quantized", WEIGHTS("4", "int", "true", "channel")),
        "\"num_bits\" in config.json is 4; 8 was expected"},
    {68, "float",
        QUANTISED("compressed-tensors", "int-quantized", WEIGHTS("8", "float", "true", "channel")),
        "\"type\" in config.json is the text \"float\"; \"int\" was expected"},
    {68, "asymmetric",
        QUANTISED("compressed-tensors", "int-quantized", WEIGHTS("8", "int", "false", "channel")),
        "\"symmetric\" in config.json is false; true was expected"},
    {68, "a tensor",
        QUANTISED("compressed-tensors", "int-quantized", WEIGHTS("8", "int", "true", "tensor")),
        "\"strategy\" in config.json is the text \"tensor\"; \"channel\" was expected"},
    {68, "no weights", QUANTISED("compressed-tensors", "int-quantized", ""),
        "\"num_bits\" in config.json is absent"},
    {68, "no groups",
        BERT("\"quantization_config\":{\"quant_method\":\"compressed-tensors\",\"format\":"
             "\"int-quantized\",\"config_groups\":{}}"),
        "the quantization_config in config.json has no \"config_groups\""},
    {68, "readable", QUANTISED("compressed-tensors", "int-quantized", GOOD_WEIGHTS), NULL},
    {68, "null", BERT("\"quantization_config\":null"), NULL},
    {69, "layers \"12\"", BERT("\"num_hidden_layers\":\"12\""),
        WHOLE("num_hidden_layers", "the text \"12\"", "1 to 128")},
    {69, "hidden \"768\"", BERT("\"hidden_size\":\"768\""),
        WHOLE("hidden_size", "the text \"768\"", "1 to 16384")},
    {0, "layers under the second name", SPAN("{\"model_type\":\"gpt2\",\"num_hidden_layers\":0}"),
        WHOLE("num_hidden_layers", "0", "1 to 128")},
    {0, "is_causal of another type", SPAN("{\"model_type\":\"gpt2\",\"is_causal\":null}"),
        "config: \"is_causal\" in config.json is null; true or false was expected"},
    {0, "shapes by layer", BERT("\"per_layer_config\":{\"1\":{\"intermediate_size\":8}}"),
        "config: \"per_layer_config\" in config.json is {\"1\":{\"intermediate_size\":8}}; {} was "
        "expected: layers of different shapes are not supported"},
    {0, "no shapes by layer", BERT("\"per_layer_config\":{}"), NULL},
    {0, "a width of heads that rotates otherwise",
        SPAN("{\"model_type\":\"modernbert\",\"head_dim\":63}"),
        "config: \"head_dim\" in config.json is 63; 64 was expected"},
    {0, "an odd width of heads", SPAN("{\"model_type\":\"llama\",\"head_dim\":63}"),
        "config: heads are 63 wide by hidden_size 4096, num_attention_heads 32 and head_dim in "
        "config.json; an even width was expected"},
    {24, "duplicate key", BERT("\"hidden_size\":48,\"hidden_size\":96"),
        "the key \"hidden_size\" stands twice"},
};

static void test_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        config c;
        expect(rows[i].row, rows[i].label, read_config(&c, rows[i].json), &err, rows[i].expected);
    }
}

/* ---- what several families have under one name ---- */

/* With {"model_type": family, rest}: the sentence, NULL for none. */
static void expect_of(config *c, const char *family, const char *rest, const char *expected) {
    char json[400];
    snprintf(json, sizeof json, "{\"model_type\":\"%s\",\"num_hidden_layers\":2,%s}", family, rest);
    expect(0, json, read_config(c, span_of(json)), &err, expected);
}

static const char *const causal[] = {"gpt2", "llama", "qwen2", "qwen3"};

/* Scaled rotations of other kinds are refused however they are spelt, in ModernBERT all; the plain one has the
 * base that transformers takes. */
static void test_rotation(void **state) {
    (void)state;
    static const char *const scaled[] = {"longrope", "mrope", "linear", "dynamic", "yarn",
        "llama3"};
    static const char *const member[] = {"rope_parameters", "rope_scaling"};
    static const char *const key[] = {"type", "rope_type"};
    config c;
    for (int f = 1; f < 5; f++)
        for (size_t i = 0; i < COUNT(scaled) * 4; i++) {
            const char *family = f < 4 ? causal[f] : "modernbert", *word = scaled[i / 4];
            if (f < 4 && i >= 8) break;
            bool nested = f == 4 && i % 2 == 0;
            char rest[200], expected[200];
            snprintf(rest, sizeof rest,
                nested ? "\"%s\":{\"sliding_attention\":{\"%s\":\"%s\",\"factor\":2}}"
                       : "\"%s\":{\"%s\":\"%s\",\"factor\":2}",
                member[i % 2], key[i / 2 % 2], word);
            snprintf(expected, sizeof expected,
                "config: \"%s\" in config.json is the text \"%s\"; %s", key[i / 2 % 2], word,
                f < 4 ? "only default, linear, dynamic, llama3 and yarn are supported"
                      : "\"default\" was expected: scaled rotary embeddings are not supported");
            expect_of(&c, family, rest, expected);
        }
}

/* What each kind takes, its defaults, what lacks it; where it is spelt makes no difference. */
static void test_scaling(void **state) {
    (void)state;
    static const struct {
        const char *rest;
        arch_scaling found;
        int tokens;
    } all[] = {
        {"\"type\":\"linear\",\"factor\":4", {SCALING_LINEAR, 4, 100, 0, 0, false, 0}, 100},
        {"\"rope_type\":\"dynamic\",\"factor\":2.5", {SCALING_DYNAMIC, 2.5, 100, 0, 0, false, 0},
            250},
        {"\"rope_type\":\"dynamic\",\"factor\":0.01", {SCALING_DYNAMIC, 0.01, 100, 0, 0, false, 0},
            100},
        {"\"rope_type\":\"dynamic\",\"factor\":1e6", {SCALING_DYNAMIC, 1e6, 100, 0, 0, false, 0},
            MOST_TOKENS},
        {"\"rope_type\":\"llama3\",\"factor\":8,\"low_freq_factor\":1,\"high_freq_factor\":4,"
         "\"original_max_position_embeddings\":50",
            {SCALING_LLAMA3, 8, 50, 1, 4, false, 0}, 100},
        {"\"rope_type\":\"yarn\",\"factor\":1", {SCALING_YARN, 1, 100, 1, 32, true, 1}, 100},
        {"\"rope_type\":\"yarn\",\"factor\":4,\"attention_factor\":2,\"beta_slow\":0.5,\"beta_fast\":8,"
         "\"truncate\":false",
            {SCALING_YARN, 4, 100, 0.5, 8, false, 2}, 100},
    };
    static const struct {
        const char *rest, *expected;
    } wrong[] = {
        {"\"rope_type\":\"linear\"",
            "config: the scaled rotation in rope_parameters or rope_scaling of "
            "config.json has no \"factor\"; a number above 0 was expected"},
        {"\"rope_type\":\"linear\",\"factor\":0",
            "config: \"factor\" in config.json is 0; a number above 0"},
        {"\"rope_type\":\"llama3\",\"factor\":2",
            "config: the scaled rotation in rope_parameters or "
            "rope_scaling of config.json has no \"low_freq_factor\""},
        {"\"rope_type\":\"yarn\",\"factor\":2,\"truncate\":1",
            "config: \"truncate\" in config.json is 1; true or false"},
        {"\"rope_type\":\"yarn\",\"factor\":2,\"partial_rotary_factor\":0.5",
            "config: \"partial_rotary_factor\" in config.json is 0.5; 1.0 was expected: a scaled rotation of a part"},
    };
    static const char *const families[] = {"llama", "qwen2", "qwen3", "mistral", "gpt_neox"},
                             *const members[] = {"rope_parameters", "rope_scaling"};
    config c;
    for (size_t f = 0; f < COUNT(families) * 2; f++) {
        char rest[330];
        for (size_t i = 0; i < COUNT(all); i++) {
            snprintf(rest, sizeof rest, "\"max_position_embeddings\":100,\"%s\":{%s}",
                members[f % 2], all[i].rest);
            expect_of(&c, families[f / 2], rest, NULL);
            const arch_scaling *s = &c.arch.scaling, *t = &all[i].found;
            assert_true(s->kind == t->kind && s->factor == t->factor && s->original == t->original);
            assert_true(s->low == t->low && s->high == t->high && s->whole == t->whole);
            assert_true(s->size == t->size && c.arch.tokens == all[i].tokens);
        }
        for (size_t i = 0; i < COUNT(wrong) - (f / 2 == 4); i++) {
            snprintf(rest, sizeof rest, "\"%s\":{%s}", members[f % 2], wrong[i].rest);
            expect_of(&c, families[f / 2], rest, wrong[i].expected);
        }
    }
}

static void test_yarn(void **state) {
    (void)state;
    config c;
    expect_of(&c, "llama",
        "\"original_max_position_embeddings\":7,\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4,"
        "\"mscale\":2,\"mscale_all_dim\":0.5}",
        NULL);
    assert_int_equal(c.arch.scaling.original, 7);
    assert_float_equal(c.arch.scaling.size, (0.2 * log(4) + 1) / (0.05 * log(4) + 1), 1e-6);
}

/* Of GPT-NeoX a part of each head, in pairs; of Mistral a window, which is 4096 where nothing is said. */
static void test_part_and_window(void **state) {
    (void)state;
    static const char sizes[] = "\"hidden_size\":64,\"num_attention_heads\":4";
    static const struct {
        const char *rest;
        int rotary;
    } parts[] = {{"", 4}, {",\"rotary_pct\":0.5", 8}, {",\"rotary_pct\":1", 16},
        {",\"rotary_pct\":0.01", 0},
        {",\"rotary_pct\":1,\"rope_parameters\":{\"partial_rotary_factor\":0.75}", 12}};
    config c;
    char rest[300];
    for (size_t i = 0; i < COUNT(parts); i++) {
        snprintf(rest, sizeof rest, "%s%s", sizes, parts[i].rest);
        expect_of(&c, "gpt_neox", rest, NULL);
        assert_int_equal(c.arch.rotary, parts[i].rotary);
        assert_true(c.arch.parallel && c.arch.layer[0].mask == MASK_CAUSAL);
    }
    snprintf(rest, sizeof rest, "%s,\"rotary_pct\":0.2", sizes);
    expect_of(&c, "gpt_neox", rest,
        "config: by rotary_pct (or partial_rotary_factor), hidden_size 64 and num_attention_heads 4 in config.json 3 of the 16");
    snprintf(rest, sizeof rest, "%s,\"head_dim\":8", sizes);
    expect_of(&c, "gpt_neox", rest, "config: \"head_dim\" in config.json is 8; 16 was expected");
    static const struct {
        const char *rest;
        mask_kind mask;
        int window;
    } windows[] = {{"\"vocab_size\":9", MASK_CAUSAL_WINDOW, 4096},
        {"\"sliding_window\":null", MASK_CAUSAL, 0},
        {"\"sliding_window\":3", MASK_CAUSAL_WINDOW, 3},
        {"\"sliding_window\":3,\"is_causal\":false", MASK_WINDOW, 3},
        {"\"sliding_window\":null,\"is_causal\":false", MASK_ALL, 0}};
    for (size_t i = 0; i < COUNT(windows); i++) {
        expect_of(&c, "mistral", windows[i].rest, NULL);
        for (int l = 0; l < 2; l++)
            assert_true(c.arch.layer[l].mask == windows[i].mask &&
                c.arch.layer[l].window == windows[i].window);
    }
    assert_int_equal(c.arch.key_heads, 8);
    expect_of(&c, "mistral", "\"sliding_window\":0",
        "config: \"sliding_window\" in config.json is 0; a whole number from 1");
}

static void test_theta(void **state) {
    (void)state;
    static const struct {
        const char *family, *rest;
        float first, second; /* of the two layers */
    } plain[] = {
        {"llama", "\"rope_theta\":500", 500, 500},
        {"llama", "\"rope_theta\":400,\"rope_parameters\":{\"rope_theta\":500}", 500, 500},
        {"llama", "\"rope_parameters\":{\"rope_theta\":400},\"rope_scaling\":{\"rope_theta\":500}",
            500, 500},
        {"llama", "\"rope_parameters\":{\"rope_theta\":500},\"rope_scaling\":{}", 500, 500},
        {"llama", "\"rope_parameters\":{\"rope_type\":\"default\",\"type\":\"linear\"}", 10000,
            10000},
        {"qwen3", "\"rope_theta\":500,\"rope_scaling\":null,\"rope_parameters\":null", 500, 500},
        {"modernbert", "\"rope_scaling\":{\"rope_type\":\"default\",\"rope_theta\":500}", 500, 500},
        {"modernbert", "\"global_rope_theta\":500,\"local_rope_theta\":400", 500, 400},
        {"modernbert",
            "\"rope_parameters\":{\"full_attention\":{\"rope_theta\":500}},\"rope_scaling\":null",
            500, 10000},
        {"modernbert",
            "\"rope_parameters\":{\"full_attention\":{\"rope_theta\":500}},\"rope_scaling\":{\"rope_theta"
            "\":400}",
            400, 400},
    };
    config c;
    for (size_t i = 0; i < COUNT(plain); i++) {
        expect_of(&c, plain[i].family, plain[i].rest, NULL);
        assert_true(c.arch.layer[0].theta == plain[i].first);
        assert_true(c.arch.layer[1].theta == plain[i].second);
    }
    expect_of(&c, "llama", "\"rope_parameters\":{\"full_attention\":{\"rope_theta\":500}}",
        "config: \"full_attention\" in config.json is {\"rope_theta\":500}; null was expected: one "
        "rotation");
    expect_of(&c, "modernbert", "\"rope_parameters\":{\"rope_theta\":500}",
        "config: \"rope_theta\" in config.json is 500; ");
}

static void test_wrong_types(void **state) {
    (void)state;
    static const char *const values[] = {"4", "\"\"", "[]", "true", "\"default\""};
    static const char *const members[] = {"rope_parameters", "rope_scaling", "layer_types"};
    config c;
    for (size_t i = 0; i < COUNT(values) * COUNT(members) * 4; i++) {
        const char *value = values[i % COUNT(values)], *member = members[i / COUNT(values) % 3];
        int f = (int)(i / COUNT(values) / 3) + 1;
        char rest[100], expected[100];
        snprintf(rest, sizeof rest, "\"%s\":%s", member, value);
        snprintf(expected, sizeof expected, "config: \"%s\" in config.json is %s%s; a", member,
            *value == '"' ? "the text " : "", value);
        expect_of(&c, f < 4 ? causal[f] : "modernbert", rest, expected);
    }
}

/* Causal models look at all tokens where is_causal is false; their windows are not computed. */
static void test_masks(void **state) {
    (void)state;
    config c;
    for (size_t f = 0; f < COUNT(causal); f++)
        for (int looks = 0; looks < 3; looks++) {
            static const char *const rest[] = {"\"is_causal\":false",
                "\"is_causal\":true,\"layer_types\":[\"attention\",\"full_attention\"]",
                "\"layer_types\":[\"full_attention\",\"sliding_attention\"]"};
            expect_of(&c, causal[f], rest[looks],
                looks < 2
                    ? NULL
                    : "config: \"layer_types\" in config.json is [\"full_attention\",\"sliding_"
                      "attention\"]; a list with full_attention for each layer was expected");
            for (int i = 0; looks < 2 && i < 2; i++)
                assert_int_equal(c.arch.layer[i].mask, looks ? MASK_CAUSAL : MASK_ALL);
        }
    expect_of(&c, "modernbert",
        "\"architectures\":[\"ModernBertForSequenceClassification\"],\"classifier_pooling\":\"max\"",
        "config: \"classifier_pooling\" in config.json is the text \"max\"; only cls and mean are "
        "supported");
    expect_of(&c, "modernbert", "\"local_attention\":16,\"sliding_window\":3", NULL);
    assert_int_equal(c.arch.layer[1].window, 3);
    expect_of(&c, "modernbert", "\"layer_types\":[\"sliding_attention\",\"attention\"]", NULL);
    assert_true(c.arch.layer[0].mask == MASK_WINDOW && c.arch.layer[1].mask == MASK_ALL);
    expect_of(&c, "modernbert", "\"layer_types\":null", NULL);
    assert_true(c.arch.layer[0].mask == MASK_ALL && c.arch.layer[1].mask == MASK_WINDOW);
    expect_of(&c, "modernbert", "\"layer_types\":[\"full_attention\",\"chunked_attention\"]",
        "config: \"layer_types\" in config.json is [\"full_attention\",\"chunked_attention\"]; a list "
        "with full_attention or sliding_attention for each layer was expected");
}

/* The second name wins, as in transformers. */
static void test_second_names(void **state) {
    (void)state;
    config c;
    expect_of(&c, "gpt2",
        "\"n_layer\":9,\"n_embd\":96,\"n_head\":2,\"num_attention_heads\":6,\"hidden_size\":48,"
        "\"max_position_embeddings\":40",
        NULL);
    const int found[] = {c.arch.layers, c.arch.heads, c.arch.hidden, c.arch.inner, c.arch.tokens};
    assert_memory_equal(found, ((int[]){2, 6, 48, 192, 40}), sizeof found);
    expect_of(&c, "distilbert", "\"n_layers\":9,\"num_attention_heads\":6,\"hidden_size\":48",
        NULL);
    const int again[] = {c.arch.layers, c.arch.heads, c.arch.hidden};
    assert_memory_equal(again, ((int[]){2, 6, 48}), sizeof again);
}

/* Of the width that each family has by default; narrow models are fine in test_values. */
static void test_precision(void **state) {
    (void)state;
    static const struct {
        const char *family;
        bool fine;
    } all[] = {{"bert", false}, {"distilbert", false}, {"roberta", false}, {"electra", false},
        {"llama", false}, {"albert", true}, {"mpnet", true}, {"gpt2", true}, {"qwen2", true},
        {"qwen3", true}, {"modernbert", true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        config c;
        char text[60];
        snprintf(text, sizeof text, "{\"model_type\":\"%s\"}", all[i].family);
        assert_true(read_config(&c, span_of(text)));
        assert_int_equal(c.arch.prefers_fine, all[i].fine);
    }
}

static void test_defaults(void **state) {
    (void)state;
    config c;
    assert_true(read_config(&c, span_of("{\"model_type\":\"bert\"}")));
    assert_true(c.family == family_find(span_of("bert")));
    assert_true(span_is(c.architecture, ""));
    assert_true(span_is(c.text, "{\"model_type\":\"bert\"}"));
    const int found[] = {c.arch.layers, c.arch.heads, c.arch.hidden, c.arch.head_width,
        c.arch.inner, c.arch.vocab, c.arch.positions, c.arch.types};
    const int expected[] = {12, 12, 768, 64, 3072, 30522, 512, 2};
    assert_memory_equal(found, expected, sizeof expected);
    assert_false(c.arch.prefers_fine);
    assert_true(c.arch.eps == 1e-12f && c.arch.act == ACT_GELU && !c.quantised &&
        c.label_count == 0 && c.labels == NULL);
}

static void test_values(void **state) {
    (void)state;
    config c;
    assert_true(read_config(&c,
        span_of(
            "{\"architectures\":[\"BertForPreTraining\",\"x\"],\"hidden_act\":\"relu\","
            "\"num_hidden_layers\":3,\"num_attention_heads\":3,\"hidden_size\":36,\"intermediate_size\":96,"
            "\"vocab_size\":200,\"max_position_embeddings\":64,\"type_vocab_size\":1,\"layer_norm_eps\":1e-5}")));
    assert_true(c.family == family_find(span_of("bert")));
    assert_true(span_is(c.architecture, "BertForPreTraining"));
    const int found[] = {c.arch.layers, c.arch.heads, c.arch.hidden, c.arch.head_width,
        c.arch.inner, c.arch.vocab, c.arch.positions, c.arch.types};
    const int expected[] = {3, 3, 36, 12, 96, 200, 64, 1};
    assert_memory_equal(found, expected, sizeof expected);
    assert_true(c.arch.eps == 1e-5f && c.arch.act == ACT_RELU);
    assert_true(c.arch.prefers_fine); /* it is narrow */
}

/* Each family that the list names is found by its name, and by the class of a config without one. */
static void test_families(void **state) {
    (void)state;
    char list[1000];
    int count = 0;
    family_list(list, sizeof list);
    for (char *name = strtok(list, ", "); name; name = strtok(NULL, ", "), count++) {
        char class[60];
        const family *found = family_find(span_of(name));
        if (!found) fail_msg("%s is not found", name);
        snprintf(class, sizeof class, "%sModel", found->class_prefix);
        if (family_of_class(span_of(class)) != found) fail_msg("%s is not of %s", class, name);
    }
    assert_true(count > 15);
    assert_null(family_of_class(span_of("DebertaModel")));
}

/* Layer 9 of 18 in 14 groups: 9 / (18 / 14) is below 7 in floating point, by which transformers goes. */
static void test_groups(void **state) {
    (void)state;
    config c;
    assert_true(read_config(&c,
        span_of("{\"model_type\":\"albert\",\"num_hidden_layers\":18,\"num_hidden_groups\":14}")));
    static const int stored[] = {0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 10, 10, 11, 12, 13};
    for (int i = 0; i < 18; i++) assert_int_equal(c.arch.layer[i].stored, stored[i]);
}

static void test_pads(void **state) {
    (void)state;
    config c;
    assert_true(read_config(&c, span_of("{\"model_type\":\"roberta\",\"pad_token_id\":5}")));
    assert_true(c.arch.pad == 5 && c.arch.first_position == 6);
    assert_true(read_config(&c, span_of("{\"model_type\":\"mpnet\",\"pad_token_id\":5}")));
    assert_true(c.arch.pad == 1 && c.arch.first_position == 2);
}

static void test_activations(void **state) {
    (void)state;
    static const struct {
        const char *name;
        activation act;
    } acts[] = {{"gelu", ACT_GELU}, {"gelu_python", ACT_GELU}, {"gelu_new", ACT_GELU_TANH},
        {"gelu_pytorch_tanh", ACT_GELU_TANH}, {"gelu_fast", ACT_GELU_TANH}, {"relu", ACT_RELU},
        {"silu", ACT_SILU}, {"swish", ACT_SILU}};
    for (size_t i = 0; i < COUNT(acts); i++) {
        char json[100];
        config c;
        sprintf(json, "{\"model_type\":\"bert\",\"hidden_act\":\"%s\"}", acts[i].name);
        assert_true(read_config(&c, span_of(json)));
        assert_int_equal(c.arch.act, acts[i].act);
    }
}

/* Row 67: labels are text of the file, kept as they are; showing them as text is the page's
 * business. */
static void test_labels(void **state) {
    (void)state;
    static const struct {
        const char *json;
        int count;
        const char *labels[3];
    } maps[] = {{"{\"0\":\"<script>alert(1)</script>\",\"1\":\"\\u0000\"}", 2,
                    {"<script>alert(1)</script>"}},
        {"{\"2\":\"c\",\"0\":\"a\",\"1\":\"b\"}", 3, {"a", "b", "c"}},
        {"{\"0\":0,\"1\":null}", 2, {"0", "null"}}, {"{\"1\":\"a\"}", 0, {NULL}},
        {"{\"00\":\"a\"}", 0, {NULL}}, {"{\"-1\":\"a\"}", 0, {NULL}}, {"{\"\":\"a\"}", 0, {NULL}},
        {"{\"99999999999\":\"a\"}", 0, {NULL}}, {"{\"0x\":\"a\"}", 0, {NULL}}, {"{}", 0, {NULL}},
        {"null", 0, {NULL}}, {"[\"a\"]", 0, {NULL}}};
    for (size_t i = 0; i < COUNT(maps); i++) {
        char json[200];
        config c;
        sprintf(json, "{\"model_type\":\"bert\",\"id2label\":%s}", maps[i].json);
        expect(67, json, read_config(&c, span_of(json)), &err, NULL);
        assert_int_equal(c.label_count, maps[i].count);
        for (int n = 0; n < c.label_count && maps[i].labels[n]; n++)
            assert_true(span_is(c.labels[n], maps[i].labels[n]));
    }
}

/* How many logits there are, as transformers 5.23 counts them, and whether the names are those of the file. */
static void test_label_counts(void **state) {
    (void)state;
    static const struct {
        const char *members;
        int outputs, named;
    } rows[] = {{"", 2, 0}, {"\"num_labels\":5", 5, 0},
        {"\"id2label\":{\"0\":\"a\",\"1\":\"b\",\"2\":\"c\"}", 3, 3},
        {"\"num_labels\":50,\"id2label\":{\"0\":\"a\",\"1\":\"b\"}", 50, 0},
        {"\"num_labels\":1,\"id2label\":{\"0\":\"a\",\"1\":\"b\"}", 1, 0},
        {"\"num_labels\":2,\"id2label\":{\"0\":\"a\",\"1\":\"b\"}", 2, 2},
        {"\"num_labels\":null,\"id2label\":{\"0\":\"a\",\"1\":\"b\",\"2\":\"c\"}", 3, 3},
        {"\"num_labels\":4,\"id2label\":null", 4, 0},
        {"\"id2label\":{\"1\":\"a\",\"2\":\"b\",\"3\":\"c\"}", 3, 0},
        {"\"num_labels\":3,\"id2label\":{\"1\":\"a\",\"2\":\"b\",\"3\":\"c\"}", 3, 0}};
    static const char *const classes[] = {"BertForSequenceClassification",
        "BertForTokenClassification"};
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        char json[300];
        config c;
        const char *members = rows[i / 2].members;
        snprintf(json, sizeof json, "{\"model_type\":\"bert\",\"architectures\":[\"%s\"]%s%s}",
            classes[i % 2], *members ? "," : "", members);
        expect(0, json, read_config(&c, span_of(json)), &err, NULL);
        if (c.arch.task.outputs != rows[i / 2].outputs || c.label_count != rows[i / 2].named)
            fail_msg("%s: %d outputs, %d names", json, c.arch.task.outputs, c.label_count);
    }
}

static void test_quantised(void **state) {
    (void)state;
    config c;
    assert_true(
        read_config(&c, (span)QUANTISED("compressed-tensors", "int-quantized", GOOD_WEIGHTS)));
    assert_true(c.quantised && !c.rounded);
    assert_true(read_config(&c, (span)BERT("\"quantization_config\":null")));
    assert_false(c.quantised);
}

static const struct {
    const char *label, *given, *added, *expected;
} rewrites[] = {
    {"nothing to do", "{\"model_type\":\"bert\"}", NULL, "{\"model_type\":\"bert\"}"},
    {"added", "{\n  \"model_type\": \"bert\"\n}\n", "{\"x\": 1}",
        "{\n  \"model_type\": \"bert\",\n  \"quantization_config\": {\"x\": 1}\n}"},
    {"removed at the end",
        "{\"model_type\":\"bert\", \"a\\u0062\": 1.50,\"quantization_config\":null}", NULL,
        "{\"model_type\":\"bert\", \"a\\u0062\": 1.50}"},
    {"removed at the beginning",
        "{\"quantization_config\":null,  \"model_type\":\"bert\" , \"l\":[1 ,2]}", NULL,
        "{  \"model_type\":\"bert\", \"l\":[1 ,2]}"},
    {"removed in the middle", "{\"model_type\":\"bert\",\"quantization_config\":null,\"x\":\",}\"}",
        NULL, "{\"model_type\":\"bert\",\"x\":\",}\"}"},
    {"replaced", "{\"quantization_config\":null,\"model_type\":\"bert\"}", "{}",
        "{\"model_type\":\"bert\",\n  \"quantization_config\": {}}"},
};

static void test_rewrite(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rewrites); i++) {
        config c, again;
        arena scratch;
        arena_init(&scratch, &err);
        assert_true(read_config(&c, span_of(rewrites[i].given)));
        const char *text = config_rewrite(&c, rewrites[i].added, &memory, &scratch, &err);
        arena_free(&scratch);
        assert_non_null(text);
        if (strcmp(text, rewrites[i].expected)) fail_msg("%s: %s", rewrites[i].label, text);
        if (!rewrites[i].added) assert_true(read_config(&again, span_of(text)));
    }
    config c;
    assert_true(
        read_config(&c, span_of("{\"model_type\": \"bert\", \"tie_word_embeddings\": true }")));
    c.untied = true;
    assert_string_equal(config_rewrite(&c, NULL, &memory, &memory, &err),
        "{\"model_type\": \"bert\",\n  \"tie_word_embeddings\": false }");
}

/* The q8 golden config, with its own quantization_config taken out and put back. */
static void test_golden(void **state) {
    (void)state;
    FILE *there = fopen("../shared/golden/models/bert-tiny-q8/config.json", "rb");
    if (!there) {
        print_message("skipped: ../shared/golden is not there\n");
        skip();
    }
    fclose(there);
    static const struct {
        const char *path;
        bool quantised;
        int types;
    } models[] = {{"../shared/golden/models/bert-tiny-random/config.json", false, 2},
        {"../shared/golden/models/bert-tiny-legacy/config.json", false, 2},
        {"../shared/golden/models/bert-tiny-bare/config.json", false, 2},
        {"../shared/golden/models/bert-tiny-sharded/config.json", false, 2},
        {"../shared/golden/models/bert-tiny-q8/config.json", true, 2}};
    for (size_t i = 0; i < COUNT(models); i++) {
        config c, again;
        span json = read_whole(models[i].path);
        expect(0, models[i].path, read_config(&c, json), &err, NULL);
        assert_int_equal(c.quantised, models[i].quantised);
        const int found[] = {c.arch.layers, c.arch.heads, c.arch.hidden, c.arch.head_width,
            c.arch.inner, c.arch.vocab, c.arch.positions, c.arch.types};
        const int expected[] = {3, 4, 48, 12, 96, 200, 64, models[i].types};
        assert_memory_equal(found, expected, sizeof expected);
        assert_true(c.arch.eps == 1e-12f && c.arch.act == ACT_GELU);
        const json_value *q =
            json_get(json_parse(&memory, c.text, "config", "x", &err), "quantization_config");
        const char *plain = config_rewrite(&c, NULL, &memory, &memory, &err);
        assert_true(read_config(&again, span_of(plain)));
        assert_false(again.quantised);
        if (q) {
            char *object = calloc(1, q->source.size + 1);
            memcpy(object, q->source.at, q->source.size);
            const char *back = config_rewrite(&again, object, &memory, &memory, &err);
            free(object);
            assert_true(read_config(&again, span_of(back)));
            assert_true(again.quantised);
        }
        free_span(json);
    }
}

static void test_memory(void **state) {
    (void)state;
    char *filler = repeated("[1,2,3],", 3000);
    char *json = malloc(strlen(filler) + 100);
    sprintf(json, "{\"model_type\":\"bert\",\"id2label\":{\"0\":\"x\"},\"f\":[%s0]}", filler);
    int failures = 0;
    for (bool done = false; !done; failures++) {
        config c;
        arena_fail_after = failures;
        done = read_config(&c, span_of(json)) && config_rewrite(&c, "{}", &memory, &memory, &err);
        arena_fail_after = -1;
        if (!done) assert_memory_equal(err.text, "memory: ", 8);
        arena_free(&memory);
    }
    assert_true(failures > 5);
    free(json);
    free(filler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rotation, setup, teardown),
        cmocka_unit_test_setup_teardown(test_scaling, setup, teardown),
        cmocka_unit_test_setup_teardown(test_yarn, setup, teardown),
        cmocka_unit_test_setup_teardown(test_part_and_window, setup, teardown),
        cmocka_unit_test_setup_teardown(test_theta, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_types, setup, teardown),
        cmocka_unit_test_setup_teardown(test_masks, setup, teardown),
        cmocka_unit_test_setup_teardown(test_second_names, setup, teardown),
        cmocka_unit_test_setup_teardown(test_precision, setup, teardown),
        cmocka_unit_test_setup_teardown(test_defaults, setup, teardown),
        cmocka_unit_test_setup_teardown(test_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_families, setup, teardown),
        cmocka_unit_test_setup_teardown(test_activations, setup, teardown),
        cmocka_unit_test_setup_teardown(test_groups, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pads, setup, teardown),
        cmocka_unit_test_setup_teardown(test_labels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_label_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_quantised, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rewrite, setup, teardown),
        cmocka_unit_test_setup_teardown(test_golden, setup, teardown),
        cmocka_unit_test_setup_teardown(test_memory, setup, teardown),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
