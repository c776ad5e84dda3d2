/* The package refuses what there is not: options, stores, precisions, layers, heads and positions
 * are checked, with what is allowed in the sentence, and a refusal leaves the model usable. On
 * mini-en in Node, where the worker is a thread.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {load} from '../../web/node.js';
import {root} from './lib/model.mjs';

const FOLDER = join(root, 'models/mini-en');
const wasmBytes = readFileSync(join(root, 'build/out/wasm/headlight.wasm'));
let model;
before(async () => {
    model = await load(FOLDER, {wasmBytes});
});
after(() => model.close());

/** @param {() => Promise<any>} call */
const refused = (call, category, pattern) =>
    assert.rejects(call, error => {
        assert.equal(error.category, category, String(error));
        assert.match(error.message, pattern);
        return true;
    });

test('load: sources, stores and options that there are not', async () => {
    for (const source of [null, undefined, 5, {}, true])
        await refused(
            () => load(source, {wasmBytes}),
            'file',
            /load was given .*the address of a model's folder/,
        );
    await refused(
        () => load(FOLDER, {wasmBytes, store: 'q4'}),
        'state',
        /^the store is "q4"; one of q8, f32 was expected$/,
    );
    await refused(
        () => load(FOLDER, {wasmBytes, precison: 'fine'}),
        'state',
        /^load has no option 'precison'; it takes: store, signal, onProgress$/,
    );
});

test('run: options that there are not, or do not fit', async () => {
    const run = options => () => model.run('a b', '', options);
    await refused(
        run({precision: 'best'}),
        'state',
        /^the precision is "best"; one of fast, fine was expected$/,
    );
    await refused(
        run({headOff: [[0, 0]]}),
        'state',
        /^run has no option 'headOff'; it takes: precision, headsOff, words, keep, signal$/,
    );
    await refused(
        run({headsOff: [[0]]}),
        'state',
        /^a row of headsOff is \[0\]; \[layer, head\] was expected$/,
    );
    await refused(
        run({headsOff: [[0, 8]]}),
        'state',
        /^the head of headsOff is 8; a whole number from 0 to 7/,
    );
    await refused(run({headsOff: [[NaN, 0]]}), 'state', /^the layer of headsOff is NaN/);
    await refused(run({headsOff: 3}), 'state', /^headsOff is 3; a list/);
    await refused(run({words: ['a']}), 'state', /^one of words is "a"; \{position, word\}/);
    await refused(
        run({keep: ['attentions']}),
        'state',
        /^a tensor to keep is "attentions"; one of embeddings, q, /,
    );
    await refused(run(null), 'state', /^the options of run is null; an object/);
});

test('results: layers, positions and counts that there are not; the model stays usable', async () => {
    const result = await model.run('the [MASK] sat');
    for (const layer of [NaN, 1.5, -1, 6, '0', undefined])
        await refused(
            () => result.attention(layer),
            'state',
            /^the layer is .*; a whole number from 0 to 5/,
        );
    await refused(
        () => result.fill(2, 0),
        'state',
        /^the number of predictions is 0; a whole number from 1 on/,
    );
    await refused(() => result.fill(9), 'state', /^the position is 9; a whole number from 0 to 4/);
    await refused(() => result.tensor('nose'), 'state', /nose/);
    assert.deepEqual((await result.attention(5)).shape, [8, 5, 5]);
    assert.equal((await result.fill(2, 3)).length, 3);
});
