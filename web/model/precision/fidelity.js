/* fidelity - written by `node tests/bench/fidelity.mjs 500 FLOATS`, the precision of
 * models/mini4-en: not for editing. weights: SHA-256 of its model.safetensors; a test compares it,
 * so that other weights are measured anew.
 */

export const FIDELITY = {
    model: 'mini4-en',
    sentences: 500,
    weights: 'cd185209f5f40509097fa6d3ea191fd8802f8d4b4ba927338c9be3ea9a8b7c38',
    rows: 774576,
    same: {
        fine: {mean: 0.00000654335, max: 0.00168565, changed: 94, fillings: 0},
        fast: {mean: 0.000205649, max: 0.0530822, changed: 2891, fillings: 7},
    },
    f32: {
        fine: {mean: 0.000328944, max: 0.08418, changed: 4520, fillings: 10},
        fast: {mean: 0.000390746, max: 0.0839784, changed: 5540, fillings: 11},
    },
};
