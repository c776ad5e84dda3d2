/* How far two computations of the same attention lie apart (model/precision/difference.js), against sorting all
 * differences; the figures that the precision panel tells are of the shipped weights; its words and
 * how it prints. */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {createComparison} from '../../web/model/precision/difference.js';
import {FIDELITY} from '../../web/model/precision/fidelity.js';
import {share, small} from '../../web/model/precision/print.js';
import {naiveComparison} from './lib/compare.mjs';
import {root} from './lib/model.mjs';

/** Repeatable numbers 0..1. */
function random(seed) {
    let state = seed;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

const [L, H, T] = [3, 2, 37];
const next = random(7);
const map = () => Float32Array.from({length: H * T * T}, () => next() / T);
const exact = Array.from({length: L}, map);
const near = exact.map(layer => layer.map(value => value + (next() - 0.5) * 1e-4 * next() ** 6));

test('mean, percentile, largest, top keys and the worst place are those of all differences sorted', () => {
    const comparison = createComparison();
    exact.forEach((layer, i) => comparison.add(i, layer, near[i], [H, T]));
    const [ours, naive] = [comparison.result(), naiveComparison(exact, near, H, T)];
    assert.ok(Math.abs(ours.mean - naive.mean) < 1e-6 * naive.mean);
    assert.equal(ours.max, naive.max);
    assert.ok(
        ours.p999 >= naive.p999 && ours.p999 <= naive.p999 * (1 + 1 / 256),
        `${ours.p999} ${naive.p999}`,
    );
    assert.deepEqual(
        [ours.count, ours.rows, ours.changed],
        [L * H * T * T, L * H * T, naive.changed],
    );
    assert.ok(naive.changed > 0);
    assert.deepEqual(ours.worst, naive.worst);
    assert.equal(ours.heads.length, L * H);
    ours.heads.forEach((head, i) => {
        assert.equal(head.max, naive.heads[i].max);
        assert.equal(head.changed, naive.heads[i].changed);
        assert.ok(Math.abs(head.mean - naive.heads[i].mean) < 1e-6 * naive.heads[i].mean);
    });
});

test('texts of other lengths add up; equal maps are not apart; a difference of 1 has its bin', () => {
    const comparison = createComparison();
    comparison.add(0, new Float32Array(8).fill(0.5), new Float32Array(8).fill(0.5), [2, 2]);
    let {mean, p999, max, rows, changed} = comparison.result();
    assert.deepEqual(
        {mean, p999, max, rows, changed},
        {mean: 0, p999: 0, max: 0, rows: 4, changed: 0},
    );
    comparison.add(0, new Float32Array([1]), new Float32Array([0]), [1, 1]);
    ({mean, p999, max, rows, changed} = comparison.result());
    assert.deepEqual(
        {mean, p999, max, rows, changed},
        {mean: 1 / 9, p999: 1, max: 1, rows: 5, changed: 0},
    );
});

test('the measured figures are of the weights that are shipped', () => {
    const hash = createHash('sha256')
        .update(readFileSync(join(root, 'models', FIDELITY.model, 'model.safetensors')))
        .digest('hex');
    assert.equal(FIDELITY.weights, hash, 'run node tests/bench/fidelity.mjs 500 FLOATS');
    assert.equal(
        FIDELITY.model,
        JSON.parse(readFileSync(join(root, 'models/index.json')))[0].id,
        'the first of the menu',
    );
    assert.equal(FIDELITY.sentences, 500);
    for (const exactly of ['same', 'f32'])
        for (const ours of ['fine', 'fast']) {
            assert.ok(
                FIDELITY.pairs.some(
                    pair => pair.exact === exactly && pair.ours === ours && pair.masks === 500,
                ),
                `${exactly} ${ours}`,
            );
        }
});

test('differences are printed with two digits, shares never as a false zero', () => {
    assert.deepEqual([0, 0.00000790766, 0.000223, 0.0289, 0.134, 1].map(small), [
        '0',
        '0.0000079',
        '0.00022',
        '0.029',
        '0.13',
        '1.0',
    ]);
    assert.deepEqual(
        [
            [0, 9],
            [1, 1e6],
            [309, 510912],
            [8, 500],
            [999999, 1e6],
            [9, 9],
        ].map(([a, b]) => share(a, b)),
        ['0', '<0.01', '0.06', '1.6', '>99.99', '100'].map(number => `${number}\u00a0%`),
    );
});
