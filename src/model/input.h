/* input - the input of one pass: tokens, and the reader's changes inside the model.
 */
#ifndef MODEL_INPUT_H
#define MODEL_INPUT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum change_kind {
    CHANGE_TOKEN, /* position, id: another token stands there */
    /* layer, head: ablated, its context is zero (the head mask of Michel et al. 2019) */
    CHANGE_HEAD,
    /* layer, head, neuron 0..d-1: zero in the query, so that its product with every key is zero */
    CHANGE_NEURON,
    /* position embeddings are left out, and the rotation; relative biases stay */
    CHANGE_NO_POSITIONS,
    CHANGE_NO_TYPES, /* token type embeddings are left out */
    /* position, position: the two tokens take each other's place, their words stay where they are
     * read */
    CHANGE_SWAP,
    CHANGE_MLP, /* layer: its MLP adds nothing, the last bias of it included */
    /* layer, token: its row of the stream, as the layer finds it, is that of the source */
    CHANGE_PATCH_TOKEN,
    CHANGE_PATCH_HEAD, /* layer, head: its context is that of the source */
    CHANGE_PATCH_MLP,  /* layer: what its MLP adds is that of the source */
    /* layer, head, READ_Q to READ_V: its queries, keys or values are those of the source; a head's group has its keys and
     * values too. Layer 0 to the last, rotated */
    CHANGE_PATCH_READ,
    /* layer, layer, part: heads and MLPs from the first layer to the one before the second are those of the source, but part
     * (a head, or as many as there are heads: the MLP) of the first is off. Q, k, v and maps of these layers are not made */
    CHANGE_PATCH_REST
} change_kind;

enum { READ_Q, READ_K, READ_V, READS };

enum { MOST_CHANGES = 1024 };

typedef struct change {
    int32_t kind, a, b, c;
} change;

/* Whose maps (scores, attention) a pass keeps where it keeps them: 1 + the layer, 1 + its head; 0: of
 * all. A text of 8,192 tokens has 268 MB a head. */
typedef struct maps_of {
    int layer, head; /* head: only with a layer */
} maps_of;

typedef struct input {
    /* [T], ids in range; a type that the model has no row for counts as its last */
    const int32_t *ids, *types;
    int tokens;
    const change *changes; /* in range */
    int change_count;      /* at most MOST_CHANGES */
    int layers;            /* computed, from the first on, below all of them; 0: all */
    /* what is patched comes from there; it has kept its stream and context */
    const struct pass *source;
    const int32_t *from; /* [T], the token of the source to take, -1: none; NULL: the same */
    maps_of maps;
#ifndef HEADLIGHT_ONE_STACK
    const struct pass *memory; /* of a decoder: the encoder's pass, at whose last rows it looks */
#endif
} input;

/* What the page begins with patches nothing: its views that do have the whole file. Only files that name this are
 * compiled twice (build/flavours.mk), so no type may depend on it. */
#ifdef HEADLIGHT_PAGE
enum { CAN_PATCH = 0 };
#else
enum { CAN_PATCH = 1 };
#endif

static inline bool change_patches(const change *x) {
    return CAN_PATCH && x->kind >= CHANGE_PATCH_TOKEN && x->kind <= CHANGE_PATCH_REST;
}

/* The token of the source for one of the text; -1: none. */
static inline int input_from(const input *in, int token) {
    return in->from ? in->from[token] : token;
}

#endif
