/* memory - wasm memory of a BERT-base with a text of 512 tokens: weights, maps, and little else.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {createCore} from './lib/ids.mjs';
import {opened, openModel, root} from './lib/model.mjs';

const [T, BASE] = [
    512,
    {
        model_type: 'bert',
        num_hidden_layers: 12,
        num_attention_heads: 12,
        hidden_size: 768,
        intermediate_size: 3072,
        vocab_size: 30522,
        max_position_embeddings: 512,
        type_vocab_size: 2,
    },
];
const text = first => Array.from({length: T}, (_, i) => (first + 7 * i) % BASE.vocab_size);

test('all 144 maps of 512 tokens: at most a twentieth more than weights, maps and 10 MB, also pass after pass', async () => {
    const session = createCore(
        await instantiate(readFileSync(join(root, 'build/out/wasm/headlight.wasm'))),
    );
    session.loadText('config', Buffer.from(JSON.stringify(BASE)));
    session.loadRandom('q8');
    const one = opened(session),
        {model} = one;
    const maps = model.layers * model.heads * T * T * 4;
    for (const [precision, first] of [
        ['fast', 0],
        ['fast', 1000],
        ['fine', 0],
    ]) {
        session.useIds(text(first), null);
        one.run(precision, ['attention']);
    }
    assert.equal(one.pass.tensor('attention', 11).data.length, maps / 48);
    const limit = 1.05 * (model.weight_bytes + maps + 10e6);
    assert.ok(session.memory() <= limit, `${session.memory() / 1e6} MB of ${limit / 1e6}`);
});

test('a run again computes nothing anew, an edit only what it must: the bits are those of a fresh session', async () => {
    const wasm = await instantiate(readFileSync(join(root, 'build/out/wasm/headlight.wasm')));
    const open = () => {
        const session = createCore(wasm);
        session.loadText(
            'config',
            Buffer.from(
                JSON.stringify({
                    ...BASE,
                    num_hidden_layers: 3,
                    hidden_size: 64,
                    num_attention_heads: 4,
                    intermediate_size: 100,
                    vocab_size: 200,
                }),
            ),
        );
        session.loadRandom('q8');
        return opened(session);
    };
    const used = open(),
        {model} = used;
    const ids = [...text(3)].slice(0, 40).map(id => id % 200);
    const steps = [
        [ids, []],
        [ids.with(39, 5), []],
        [ids.with(39, 5).with(0, 7), []],
        [[...ids, 9], []],
        [ids.slice(0, 17), []],
        [ids, [['head', 2, 1]]],
        [ids, [['head', 1, 0]]],
        [
            ids,
            [
                ['head', 1, 0],
                ['neuron', 2, 3, 5],
            ],
        ],
        [ids, []],
        [ids, []],
        [[4], []],
        [ids, [['head', 0, 0]]],
        [ids, [['neuron', 2, 0, 1]]],
    ];
    for (const precision of ['fast', 'fine', 'fast']) {
        for (const [list, changes] of steps) {
            const fresh = open();
            for (const each of [used, fresh]) {
                each.session.useIds(list, null);
                each.session.change(changes);
                each.run(precision);
            }
            for (const {name, per_layer: layered} of model.tensors) {
                for (let layer = 0; layer < (layered ? model.layers : 1); layer++) {
                    const [again, anew] = [used, fresh].map(({pass}) =>
                        Buffer.from(pass.tensor(name, layer).data.buffer),
                    );
                    assert.ok(
                        again.equals(anew),
                        `${name} of layer ${layer}, ${precision}, ${JSON.stringify(changes)}`,
                    );
                }
            }
            fresh.session.close();
        }
    }
});

test('of a word of more pieces than there is room for as many are named as have room, and nothing behind them', async () => {
    const {session} = await openModel(join(root, 'models/mini-gpt-en'), 'q8');
    const pieces = session.findWord('\u00fe'.repeat(400));
    assert.equal(pieces.length, 64);
    assert.ok(pieces.every(id => session.tokenText(id)));
});
