/* family - a family of models is one file, family_<name>.c: its model_type, how its config.json
 * becomes an arch, and which tensor of a checkpoint goes where. Names are those of Hugging Face
 * transformers. To add one of known parts: write that file, give it a row in list.c, add golden
 * data; docs/adding.md shows it done. The memory plan, the checks, loading and saving come from the
 * table.
 */
#ifndef MODEL_FAMILIES_FAMILY_H
#define MODEL_FAMILIES_FAMILY_H

#include "model/config.h"
#include "model/file/weights.h"

#include <stddef.h>

/* Sizes in a shape: those of arch. SIZE_ONE as the second: a vector. */
typedef enum size_code {
    SIZE_ONE,
    SIZE_TWO,
    SIZE_HIDDEN,
    SIZE_EMBEDDING,
    SIZE_INNER,
    SIZE_VOCAB,
    SIZE_POSITIONS,
    SIZE_TYPES,
    SIZE_QUERIES,
    SIZE_KEYS,
    SIZE_HEAD,
    SIZE_HEADS,
    SIZE_BUCKETS, /* H·d, K·d, d, H, buckets */
    SIZE_LABELS   /* C of the task */
} size_code;

typedef enum role {
    ROLE_MATRIX, /* of a linear map, or the words: int8 in store q8 */
    ROLE_TABLE,  /* a matrix that stays float32 in every store */
    ROLE_GAIN,   /* of a norm: 1 in a new model */
    ROLE_BIAS
} role;

typedef struct weight_row {
    /* without the prefix; # is the number of a layer, or, where layers come in groups, @ of the
     * group and # in it */
    const char *name;
    size_code rows, cols; /* [rows, cols]; a row of a table of size 0 is none */
    role role;
    /* in layer_weights when per_layer, else in weights: of a matrix, or of a float * */
    size_t offset;
    part part;
    bool per_layer;
    bool transposed; /* the file has [cols, rows] */
    bool by_head;  /* the parts are not one below the other, but take turns, a head's d rows each */
    bool optional; /* where the file lacks it, its part is lacking, not damaged */
    bool (*exists)(const arch *a, int layer); /* NULL: always */
} weight_row; /* Rows of one name that follow one another: parts of one tensor, one below the other */

/* The end of a name in some files, and what it is here. `beside`: the other may be there too and is
 * then the same. */
typedef struct renaming {
    const char *old, *now;
    bool beside;
} renaming;

typedef struct family {
    const char *name;         /* model_type */
    const char *class_prefix; /* of architectures[]: tells a config without model_type */
    /* "bert.": before the names of the encoder and the pooler; may be absent when reading */
    const char *prefix;
    void (*read)(fields *f, arch *a);
    const weight_row *rows;
    int row_count;
    const renaming *renamings; /* up to one without a name; NULL: none */
    /* names that are there and not needed, as in rows, up to NULL; or NULL */
    const char *const *ignored;
    /* the prefix of its class for question answering, where that is another; NULL: it is not */
    const char *answer_prefix;
    const second_name *names; /* second names of its fields, up to one without a name; or NULL */
} family;

/* The prefix in the files of such a model. */
const char *family_prefix(const family *f, const arch *a);

const family *family_find(span model_type);       /* NULL: not supported */
const family *family_of_class(span architecture); /* by class_prefix */
/* "bert, distilbert, ...", cut to size. */
const char *family_list(char *out, size_t size);

/* ---- what families share ---- */

enum { MOST_TOKENS = 8192 }; /* of models whose positions have no table */

/* The fields of BERT's config class that most of its relatives have, with their defaults. */
void family_read_bert(fields *f, arch *a, int vocab, int positions);
/* Positions count from pad_token_id + 1, and padding is left out (RoBERTa). */
void family_pad_positions(arch *a, int pad);
/* Of each head's d all are rotated. */
void family_rotate(fields *f, arch *a);
/* What config.json says of the rotation: rope_scaling, else rope_parameters. */
fields family_rotation(fields *f);
/* The base of the rotation's angles in all layers, by rope_theta or an older name, and how they are scaled; the
 * sizes must be there. Scaled ones may take longer texts than of so many `positions`. */
void family_read_rotation(fields *f, arch *a, const char *older, int positions);
/* Of a family that turns whole heads, scaled: transformers cannot compute with another part. */
void family_demand_whole(fields *f);
/* All layers look back only, or, with "is_causal": false, at all tokens. */
void family_read_causal(fields *f, arch *a);

#ifndef HEADLIGHT_ONE_STACK
/* Where architectures[] names a class of both stacks: a->second, as a is so far, but with a causal mask and the look at the
 * source. NULL: the class has the encoder alone (or there is no memory). */
arch *family_second(fields *f, arch *a);
/* Where a target begins and ends, with what is usual. */
void family_read_target(fields *f, arch *second, int start, int end, int last);
/* Other classes than those of both stacks, or of the encoder, are refused: labels, answers, decoders alone. */
void family_demand_two(fields *f, const arch *a);
#endif

/* A label of a text comes of its first token, through that dense map and activation. */
void family_label_dense(arch *a, bool pooler, activation act);
/* It comes of the last token that is no padding, by one map without a bias (causal models). */
void family_label_last(fields *f, arch *a);

bool exists_labels(const arch *a, int layer);       /* of a text */
bool exists_token_labels(const arch *a, int layer); /* of tokens */
bool exists_any_labels(const arch *a, int layer);   /* of either */
bool exists_any_task(const arch *a, int layer);
bool exists_answer(const arch *a, int layer);
bool exists_decoder(const arch *a, int layer);
bool exists_projection(const arch *a, int layer);
bool exists_attention_bias(const arch *a, int layer);
bool exists_output_bias(const arch *a, int layer);
bool exists_mlp_bias(const arch *a, int layer);
bool exists_norm_bias(const arch *a, int layer);
bool exists_word_bias(const arch *a, int layer);

#define ROW_OF(NAME, ROWS, COLS, ROLE, FIELD, PART, EXISTS)                                        \
    {.name = NAME,                                                                                 \
        .rows = ROWS,                                                                              \
        .cols = COLS,                                                                              \
        .role = ROLE,                                                                              \
        .offset = offsetof(weights, FIELD),                                                        \
        .part = PART,                                                                              \
        .exists = EXISTS}
#define LAYER_ROW(NAME, ROWS, COLS, ROLE, FIELD, EXISTS)                                           \
    {.name = NAME,                                                                                 \
        .rows = ROWS,                                                                              \
        .cols = COLS,                                                                              \
        .role = ROLE,                                                                              \
        .offset = offsetof(layer_weights, FIELD),                                                  \
        .per_layer = true,                                                                         \
        .exists = EXISTS}
#define LINEAR(NAME, ROWS, COLS, FIELD, PART, EXISTS)                                              \
    ROW_OF(NAME ".weight", ROWS, COLS, ROLE_MATRIX, FIELD.weight, PART, EXISTS),                   \
        ROW_OF(NAME ".bias", ROWS, SIZE_ONE, ROLE_BIAS, FIELD.bias, PART, EXISTS)
#define TABLE(NAME, ROWS, COLS, FIELD)                                                             \
    ROW_OF(NAME ".weight", ROWS, COLS, ROLE_TABLE, FIELD, PART_ENCODER, NULL)
#define NORM(NAME, SIZE, FIELD, PART)                                                              \
    ROW_OF(NAME ".weight", SIZE, SIZE_ONE, ROLE_GAIN, FIELD.gain, PART, NULL),                     \
        ROW_OF(NAME ".bias", SIZE, SIZE_ONE, ROLE_BIAS, FIELD.bias, PART, NULL)
#define LAYER_LINEAR(NAME, ROWS, COLS, FIELD)                                                      \
    LAYER_MATRIX(NAME, ROWS, COLS, FIELD), LAYER_BIAS(NAME, ROWS, FIELD, NULL)
#define LAYER_MATRIX(NAME, ROWS, COLS, FIELD)                                                      \
    LAYER_ROW(NAME ".weight", ROWS, COLS, ROLE_MATRIX, FIELD.weight, NULL)
#define LAYER_BIAS(NAME, ROWS, FIELD, EXISTS)                                                      \
    LAYER_ROW(NAME ".bias", ROWS, SIZE_ONE, ROLE_BIAS, FIELD.bias, EXISTS)
#define LAYER_NORM(NAME, FIELD)                                                                    \
    LAYER_GAIN(NAME, SIZE_HIDDEN, FIELD), LAYER_BIAS(NAME, SIZE_HIDDEN, FIELD, NULL)
#define LAYER_GAIN(NAME, SIZE, FIELD)                                                              \
    LAYER_ROW(NAME ".weight", SIZE, SIZE_ONE, ROLE_GAIN, FIELD.gain, NULL)
/* The layers of BERT, RoBERTa and ELECTRA. */
#define BERT_LAYERS                                                                                \
    LAYER_LINEAR("encoder.layer.#.attention.self.query", SIZE_QUERIES, SIZE_HIDDEN, query),        \
        LAYER_LINEAR("encoder.layer.#.attention.self.key", SIZE_KEYS, SIZE_HIDDEN, key),           \
        LAYER_LINEAR("encoder.layer.#.attention.self.value", SIZE_KEYS, SIZE_HIDDEN, value),       \
        LAYER_LINEAR("encoder.layer.#.attention.output.dense", SIZE_HIDDEN, SIZE_QUERIES,          \
            attention_output),                                                                     \
        LAYER_NORM("encoder.layer.#.attention.output.LayerNorm", attention_norm),                  \
        LAYER_LINEAR("encoder.layer.#.intermediate.dense", SIZE_INNER, SIZE_HIDDEN, inner),        \
        LAYER_LINEAR("encoder.layer.#.output.dense", SIZE_HIDDEN, SIZE_INNER, outer),              \
        LAYER_NORM("encoder.layer.#.output.LayerNorm", mlp_norm)
/* What gives the logits of a task: few rows, which stay float32. */
#define TASK_MATRIX(NAME, EXISTS)                                                                  \
    ROW_OF(NAME ".weight", SIZE_LABELS, SIZE_HIDDEN, ROLE_TABLE, task.weight, PART_TASK, EXISTS)
#define TASK_LINEAR(NAME, EXISTS)                                                                  \
    TASK_MATRIX(NAME, EXISTS),                                                                     \
        ROW_OF(NAME ".bias", SIZE_LABELS, SIZE_ONE, ROLE_BIAS, task.bias, PART_TASK, EXISTS)
#define TASK_DENSE(NAME)                                                                           \
    LINEAR(NAME, SIZE_HIDDEN, SIZE_HIDDEN, task_dense, PART_TASK, exists_labels)
/* One map for the labels of a text or of tokens, another for answers (BERT). */
#define BERT_TASKS                                                                                 \
    TASK_LINEAR("classifier", exists_any_labels), TASK_LINEAR("qa_outputs", exists_answer)
/* The label of a text has a dense map before (RoBERTa). */
#define ROBERTA_TASKS                                                                              \
    TASK_DENSE("classifier.dense"), TASK_LINEAR("classifier.out_proj", exists_labels),             \
        TASK_LINEAR("classifier", exists_token_labels), TASK_LINEAR("qa_outputs", exists_answer)
/* The decoder's weight. Where it is tied to the word embeddings it is read if the file brings it, and
 * kept if it is another matrix; where it is not, a file without it predicts no words. */
#define DECODER(NAME)                                                                              \
    {.name = NAME ".weight",                                                                       \
        .rows = SIZE_VOCAB,                                                                        \
        .cols = SIZE_EMBEDDING,                                                                    \
        .role = ROLE_MATRIX,                                                                       \
        .offset = offsetof(weights, decoder.weight),                                               \
        .part = PART_WORDS,                                                                        \
        .optional = true,                                                                          \
        .exists = exists_decoder}
#define ROWS_OF(TABLE) TABLE, sizeof TABLE / sizeof *TABLE

#endif
