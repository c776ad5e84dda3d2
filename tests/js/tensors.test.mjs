/* Parts of tensors, against loops that index by hand.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {argmax, column, mean, range, row, slice, top} from '../../web/core/tensors.js';

const tensor = {data: Float32Array.from({length: 24}, (_, i) => i), shape: [2, 3, 4]};

test('slice, row and column agree with h * T * T + i * T + j', () => {
    for (let h = 0; h < 2; h++) {
        const head = slice(tensor, h);
        assert.deepEqual(head.shape, [3, 4]);
        for (let i = 0; i < 3; i++) {
            for (let j = 0; j < 4; j++) {
                assert.equal(row(head, i)[j], h * 12 + i * 4 + j);
                assert.equal(column(head, j)[i], h * 12 + i * 4 + j);
            }
        }
    }
});

test('slices are views, not copies', () =>
    assert.equal(slice(tensor, 1).data.buffer, tensor.data.buffer));

test('an index outside is an error, not a view on the neighbour', () => {
    for (const index of [-1, 2, NaN, undefined])
        assert.throws(() => slice(tensor, index), RangeError);
    for (const index of [-1, 4, NaN])
        assert.throws(() => column(slice(tensor, 0), index), RangeError);
});

test('mean over some heads, and over all', () => {
    assert.deepEqual(mean(tensor, [1]), {data: slice(tensor, 1).data.slice(), shape: [3, 4]});
    assert.deepEqual(
        [...mean(tensor).data],
        Array.from({length: 12}, (_, i) => i + 6),
    );
    assert.deepEqual([...mean(tensor, [0, 1]).data], [...mean(tensor).data]);
    assert.throws(() => mean(tensor, [2]), RangeError);
});

test('argmax and top: first of equals, NaN never', () => {
    assert.equal(argmax([1, 3, 3]), 1);
    assert.equal(argmax([NaN, -1, NaN, -2]), 1);
    assert.equal(argmax([]), -1);
    assert.equal(argmax([NaN]), -1);
    assert.deepEqual(top([1, 3, NaN, 3, 2], 3), [1, 3, 4]);
    assert.deepEqual(top([1], 5), [0]);
});

test('range: finite values only', () => {
    assert.deepEqual(range([NaN, 2, -Infinity, 1]), [1, 2]);
    assert.deepEqual(range([NaN, Infinity]), [0, 0]);
    assert.deepEqual(range([]), [0, 0]);
    assert.deepEqual(range([0.5]), [0.5, 0.5]);
});
