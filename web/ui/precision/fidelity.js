/* fidelity - what `node tests/bench/fidelity.mjs 500` has measured of models/mini-en and written here: not for editing.
 * weights: SHA-256 of its model.safetensors; a test compares it, so that other weights are measured anew.
 */

export const FIDELITY = {
    model: 'mini-en',
    sentences: 500,
    weights: '1399848ac9644e298eb8f14282e9788d97f718be2cba39d7dbbc903ae75062bb',
    pairs: [
        {exact: 'same', ours: 'fine', mean: 0.00000790766, p999: 0.00022316, max: 0.00122142, rows: 510912, changed: 309, masks: 500, fillingChanges: 0},
        {exact: 'same', ours: 'fast', mean: 0.00100524, p999: 0.0282898, max: 0.13446, rows: 510912, changed: 41126, masks: 500, fillingChanges: 19},
        {exact: 'f32', ours: 'same', mean: 0.000181688, p999: 0.00550842, max: 0.042004, rows: 510912, changed: 6440, masks: 500, fillingChanges: 8},
        {exact: 'f32', ours: 'fine', mean: 0.000181902, p999: 0.00552368, max: 0.042463, rows: 510912, changed: 6444, masks: 500, fillingChanges: 8},
        {exact: 'f32', ours: 'fast', mean: 0.00102319, p999: 0.0288086, max: 0.154424, rows: 510912, changed: 41734, masks: 500, fillingChanges: 19},
    ],
};
