/* reuse - layers of an earlier pass that the next one reuses, bit for bit: all layers before the
 * first that a change touches; or, where a few tokens differ, q, k and v of layer 0 at the other
 * positions (only attention looks at other tokens).
 */
#ifndef MODEL_REUSE_H
#define MODEL_REUSE_H

#include "model/tensors.h"

typedef struct reusable {
    const pass *from; /* NULL: nothing */
    int layer;        /* the layers before it hold */
    /* where layer is 0: the rows of layer 0 that must be computed, first .. end - 1; the rest holds
     */
    int first, end;
} reusable;

/* The best of the earlier passes: the most layers, then the most rows. `into`: the pass that is to
 * be computed, whose tensors stay only where it keeps the same ones. */
reusable reuse_find(const pass_wanted *next, const pass *into, const pass *const *earlier,
    int count);
/* Copies to p the tensors of what holds: those of the layers before r->layer, of the embeddings,
 * and, where all layers hold, the outputs. */
void reuse_copy(pass *p, const reusable *r, int layers);
/* Where no layer holds: copies to p the rows of layer 0 that hold, of what is computed with q, k and
 * v and kept. */
void reuse_rows(pass *p, const reusable *r, const arch *a);

#endif
