/* How far two computations of the same attention lie apart (model/precision/difference.js, and the bench's
 * tail), against sorting all differences; the figures that the precision panel tells are of the shipped
 * weights; how it prints. */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {createComparison} from '../../web/model/precision/difference.js';
import {FIDELITY} from '../../web/model/precision/fidelity.js';
import {share, small} from '../../web/model/precision/precision.js';
import {createTail} from '../bench/tail.mjs';
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

/** The bench's two, as it has them count together. */
function counting() {
    const tail = createTail();
    return [tail, createComparison(tail.each)];
}

test('mean, percentile, largest, top keys and the worst place are those of all differences sorted', () => {
    const [tail, comparison] = counting();
    exact.forEach((layer, i) => comparison.add(i, layer, near[i], [H, T]));
    const [ours, naive] = [comparison.result(), naiveComparison(exact, near, H, T)];
    assert.ok(Math.abs(ours.mean - naive.mean) < 1e-6 * naive.mean);
    assert.equal(ours.max, naive.max);
    const {p999} = tail.result(ours);
    assert.ok(p999 >= naive.p999 && p999 <= naive.p999 * (1 + 1 / 256), `${p999} ${naive.p999}`);
    assert.deepEqual(
        [ours.count, ours.rows, ours.changed],
        [L * H * T * T, L * H * T, naive.changed],
    );
    assert.ok(naive.changed > 0);
    assert.deepEqual(ours.worst, naive.worst);
});

test('texts of other lengths add up; equal maps are not apart; a difference of 1 has its bin', () => {
    const [tail, comparison] = counting();
    const said = () => {
        const {count, worst, ...rest} = comparison.result();
        return {...rest, p999: tail.result({count, max: rest.max}).p999};
    };
    comparison.add(0, new Float32Array(8).fill(0.5), new Float32Array(8).fill(0.5), [2, 2]);
    assert.deepEqual(said(), {mean: 0, p999: 0, max: 0, rows: 4, changed: 0});
    comparison.add(0, new Float32Array([1]), new Float32Array([0]), [1, 1]);
    assert.deepEqual(said(), {mean: 1 / 9, p999: 1, max: 1, rows: 5, changed: 0});
});

test('a row changes clearly when float32 itself tells the two keys apart, not the other side', () => {
    const rows = (exact, ours) => {
        const [tail, comparison] = counting();
        comparison.add(0, new Float32Array(exact), new Float32Array(ours), [1, 1]);
        const said = comparison.result();
        return [said.changed, tail.result(said).clearly];
    };
    const pair = (exact, ours) => {
        const [tail, comparison] = counting();
        comparison.add(0, new Float32Array(exact), new Float32Array(ours), [1, 2]);
        const said = comparison.result();
        return [said.changed, tail.result(said).clearly];
    };
    assert.deepEqual(rows([1], [1]), [0, 0]);
    const rest = [0.5, 0.5]; // the second row is equal
    assert.deepEqual(pair([0.6, 0.4, ...rest], [0.4999, 0.5001, ...rest]), [1, 1]);
    assert.deepEqual(pair([0.5001, 0.4999, ...rest], [0.4, 0.6, ...rest]), [1, 0]);
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
    for (const {fine, fast} of [FIDELITY.same, FIDELITY.f32])
        assert.ok(0 < fine.mean && fine.mean < fast.mean && fast.changed < FIDELITY.rows);
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
