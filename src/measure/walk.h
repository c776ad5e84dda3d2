/* walk - a number that is linear in the stream of some tokens, once each norm's σ is held, split exactly over
 * what wrote that stream: embeddings, each head and the tokens that it brought it from, MLPs, all biases.
 *
 * Nothing is carried forward: the vector that the stream is multiplied with is pulled back, through the norms and W_O
 * of the layers before, and meets there what each of them has written. Norms divide it by a number a token; where tokens
 * differ in nothing else they share one vector.
 */
#ifndef MEASURE_WALK_H
#define MEASURE_WALK_H

#include "measure/measure.h"

#define COLD __attribute__((cold))

enum { WALK_ROWS = WHY_ROWS }; /* most rows of a split; the first four are WHY_WORD to WHY_BIASES */

/* What a number is made of. */
typedef struct sums {
    double rows[WALK_ROWS];
    double *mlps, *heads; /* [L], [L, H] */
    double *sources;      /* [L, H, T] */
} sums;

/* Σ weight_t (g_t · x_t) over tokens, x_t being pulled back step by step. */
typedef struct walk {
    const measure_input *in;
    const arch *arch;
    int first, count; /* tokens */
    double *weight;   /* [count] */
    double *g;        /* [vectors, D], the first `width` in use */
    double *back;     /* as g: what comes next */
    double *brought;  /* [T] */
    float *row;       /* [stride] */
    double *rows;     /* [4, stride]: of a matrix */
    int vectors, width, stride;
    sums *to;
} walk;

/* The memory of a walk of which in, first, count and vectors are set; false: there is none. */
bool walk_begin(walk *k, sums *to, arena *scratch);
/* Before a norm, from after it; sigma [T]. Before rows first .. first + count - 1 of a map, from after it. */
void walk_norm(walk *k, const norm *n, const float *sigma);
void walk_map(walk *k, const linear *map, int first, int count);
/* sigma [T] := what a norm divides its tokens by, of the sum of these rows [T, width] (NULL: none). */
void walk_sigma(const walk *k, const float *const *parts, int count, float *sigma);
/* From the stream that a layer finds (past its norm) down to the embeddings, walks of one pass together: W_O, the most
 * of it, is read once. sigma [T]: room. */
void walk_down(walk *const *walks, int walking, int layer, float *sigma);
/* The sum of its first rows, of MLPs and of heads. */
double walk_total(const walk *k, int rows);

/* A question, and how it is answered: sides, each with so many rows. */
typedef struct walk_split {
    int32_t asked[5];
    int sides, rows;
    bool (*split)(const measure_input *in, sums *sides, arena *scratch);
} walk_split;
/* out := rows, MLPs, heads or sources (0 to 3) of all sides. All are kept with the pass until another question. */
bool walk_give(const measure_input *in, const walk_split *of, int which, float *out,
    arena *scratch);

#endif
