/* fidelity - what `node tests/bench/fidelity.mjs 500` has measured of models/mini-en and written here: not for editing.
 * weights: SHA-256 of its model.safetensors; a test compares it, so that other weights are measured anew.
 */

export const FIDELITY = {
    model: 'mini-en',
    sentences: 500,
    weights: '1399848ac9644e298eb8f14282e9788d97f718be2cba39d7dbbc903ae75062bb',
    pairs: [
        {exact: 'same', ours: 'fine', mean: 0.00000791627, p999: 0.000223875, max: 0.00114554, rows: 510912, changed: 327, clearly: 0, masks: 500, fillingChanges: 0},
        {exact: 'same', ours: 'fast', mean: 0.00011764, p999: 0.00347137, max: 0.0221459, rows: 510912, changed: 4187, clearly: 214, masks: 500, fillingChanges: 4},
        {exact: 'f32', ours: 'same', mean: 0.000181688, p999: 0.00550842, max: 0.042004, rows: 510912, changed: 6441, clearly: 687, masks: 500, fillingChanges: 8},
        {exact: 'f32', ours: 'fine', mean: 0.000181933, p999: 0.00552368, max: 0.0423657, rows: 510912, changed: 6458, clearly: 690, masks: 500, fillingChanges: 8},
        {exact: 'f32', ours: 'fast', mean: 0.000215751, p999: 0.00643921, max: 0.0563255, rows: 510912, changed: 7684, clearly: 947, masks: 500, fillingChanges: 8},
    ],
};
