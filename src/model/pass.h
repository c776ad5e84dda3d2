/* pass - one text through the model: what is computed, and which tensors are kept. A pass is a
 * value that owns its tensors, so as many can exist at once as there is memory for; a new one
 * reuses what is unchanged in the others (reuse.h).
 *
 *     pass now, then;
 *     pass_init(&now, &err), pass_init(&then, &err);
 *     const pass *both[] = {&now, &then};
 *     pass_run(&then, &weights, &text, PRECISION_FAST, keep, both, 2, &scratch);
 *     // begins at the first layer that is changed
 *     pass_run(&now, &weights, &changed, PRECISION_FAST, keep, both, 2, &scratch);
 *     const float *attention = pass_at(&now, TRACE_ATTENTION, layer);                // [H, T, T]
 *     pass_free(&now), pass_free(&then);
 */
#ifndef MODEL_PASS_H
#define MODEL_PASS_H

#include "model/tensors.h"

/* What a layer takes to make its output of: rows [count] of the stream and of the heads' context. */
typedef struct pass_rows {
    int layer, count;
    const float *stream;  /* [count, D] */
    const float *context; /* [count, H·d] */
} pass_rows;

/* out [count, D] := what that layer of the pass makes of them: joined, added, the MLP and the norms,
 * but none after the last layer; an MLP that the pass has off stays off. False as pass_run. */
bool pass_rerun(const pass *p, const weights *w, const pass_rows *rows, float *out, arena *scratch);

/* Computes a pass over `in` into p, keeping the tensors in `keep` (trace_bit) that the model has,
 * instead of what p had. `earlier` are passes of the same model (p may be one of them; those
 * without tokens are skipped): from the best of them is taken what is exactly what would be
 * computed. Outputs of the model are computed when they are asked for, or by outputs_fill. Working
 * memory comes from `scratch`, which is released to where it was. False when there is no memory, or
 * when the numbers overflow because the weights are damaged (p->memory.err says which); then p is
 * empty. */
bool pass_run(pass *p, const weights *w, const input *in, precision precision, uint64_t keep,
    const pass *const *earlier, int count, arena *scratch);

#endif
