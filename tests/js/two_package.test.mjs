/* two_package - models of two stacks in the package head-light, over headlight-two.wasm: runs with a source and a target, given or
 * written, read by kind, with the numbers of the command line bit by bit; what is refused; and the engine, which fetches that file for
 * such a model only.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {openTwo} from '../../web/session/two.js';
import {defaults} from '../../web/state/state.js';
import {HeadlightError, load} from '../../web/package/node.js';
import {withWasm} from './lib/engine.mjs';
import {root, run} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-two-package-'));
after(() => rmSync(scratch, {recursive: true}));
const GOLDEN = join(root, 'tests/golden/two/models');
const wasm = which => readFileSync(join(root, `build/out/wasm/headlight${which}.wasm`));
const EXACT = ['--store', 'f32', '--precision', 'fine'];
const WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', 'b', 'c', 'd'];

/** A golden checkpoint with a tokenizer. */
function folderOf(name) {
    const folder = join(scratch, name);
    cpSync(join(GOLDEN, name), folder, {recursive: true});
    writeFileSync(join(folder, 'vocab.txt'), `${WORDS.join('\n')}\n`);
    return folder;
}

const open = async (t, name = 't5-tied') => {
    const folder = folderOf(name);
    const model = await load(folder, {wasmBytes: wasm('-two'), store: 'f32'});
    t.after(() => model.dispose());
    return {folder, model};
};

for (const name of readdirSync(GOLDEN))
    test(`${name}: attention and tensors by kind have the bits of the command line`, async t => {
        const {folder, model} = await open(t, name);
        const {second} = model.info;
        const result = await model.run('a b c d', {target: 'b a c', precision: 'fine'});
        const file = join(folder, 'dump.safetensors');
        run('run', folder, 'a b c d', 'b a c', '--dump', file, ...EXACT);
        const dump = readSafetensors(file);
        const same = ({data}, name) =>
            assert.deepEqual(
                Buffer.from(data.buffer),
                Buffer.from(new Float32Array(dump.get(name).data).buffer),
                name,
            );
        for (let layer = 0; layer < second.layers; layer++) {
            same(await result.attention(layer, 'decoder'), `decoder.layer.${layer}.probs`);
            same(await result.attention(layer, 'cross'), `decoder.layer.${layer}.cross_probs`);
            same(await result.tensor('q', layer, 'cross'), `decoder.layer.${layer}.cross_q`);
        }
        same(await result.attention(0), 'layer.0.probs');
        same(await result.attention(0, 'encoder'), 'layer.0.probs');
        const [hidden, words] = await result.tensors([
            {name: 'hidden', layer: second.layers - 1, kind: 'decoder'},
            {name: 'word_embeddings', kind: 'decoder'},
        ]);
        same(hidden, `decoder.layer.${second.layers - 1}.hidden`);
        same(words, 'decoder.word_embeddings');
        assert.deepEqual((await result.attention(0, 'cross')).shape, [
            second.heads,
            result.target.length,
            result.tokens.length,
        ]);
        assert.deepEqual(
            result.target.flatMap(({read, id}) => [read.id, id]),
            [...dump.get('decoder.rows').data].map(Number),
        );
    });

test('rows say the token that is read and the one that is said; predictions and the lens are the decoder’s', async t => {
    const {folder, model} = await open(t);
    const result = await model.run('a b c', {target: 'b', precision: 'fine'});
    assert.deepEqual(
        result.target.map(({read, token, special, from, to}) => [
            read.token,
            token,
            special,
            from,
            to,
        ]),
        [
            ['[PAD]', '[CLS]', true, 0, 0],
            ['[CLS]', 'b', false, 0, 1],
            ['b', '[SEP]', true, 0, 0],
        ],
    );
    const far = await model.run('a b c', {target: '𝒳 é b', precision: 'fine'});
    const {from, to} = far.target.find(({token}) => token === 'b');
    assert.deepEqual([from, to], [5, 6], 'places are those of a JavaScript string');
    const printed = JSON.parse(run('run', folder, 'a b c', 'b', '--json', ...EXACT)).target;
    const said = await result.predict(undefined, {top: 1});
    assert.deepEqual(
        said.map(({position, predictions: [{probability}]}) => [position, probability.toFixed(4)]),
        printed.map(({top_probability: most, probability}, i) => [
            i,
            (most ?? probability).toFixed(4),
        ]),
    );
    const lens = await result.lens(1, {top: 2});
    assert.equal(lens.layers.length, model.info.second.layers);
    assert.equal(lens.words[0].token, said[1].predictions[0].token);
    assert.equal((await result.lens('all')).length, 3);
    const measured = await result.measure('layer_mean', {kind: 'decoder'});
    const mean = JSON.parse(run('measure', folder, 'layer_mean', 'a b c', 'b', ...EXACT));
    assert.deepEqual(measured.shape, mean.shape);
    assert.ok(measured.data.every((value, i) => Math.abs(value - mean.values.flat(9)[i]) < 1e-6));
    const link = await result.measure('pair', {kind: 'decoder', query: 2, key: 1});
    assert.deepEqual(link.shape, [model.info.second.layers, model.info.second.heads]);
});

test('written by the model: the tokens of the command line, and the same result as if they were given', async t => {
    const {folder, model} = await open(t);
    const result = await model.run('a b c', {write: 5, precision: 'fine'});
    const printed = JSON.parse(
        run('run', folder, 'a b c', '--write', '5', '--json', ...EXACT),
    ).target;
    const ids = result.target.map(({id}) => id);
    assert.deepEqual(
        ids,
        printed.map(({id}) => id),
    );
    const given = await model.run('a b c', {target: ids, precision: 'fine'});
    for (const kind of ['encoder', 'decoder', 'cross'])
        assert.deepEqual(await given.attention(1, kind), await result.attention(1, kind));
});

test('results stay readable when others have come, with the same bits, and several texts take a target each', async t => {
    const {model} = await open(t);
    const first = await model.run('a b', {target: 'c'});
    const before = await first.attention(0, 'cross');
    const others = await model.run(['a', 'b', 'c'], {target: ['a', 'b b', [5, 6, 7, 8]]});
    assert.deepEqual(
        others.map(({target}) => target.length),
        [3, 4, 4],
    );
    assert.deepEqual(await first.attention(0, 'cross'), before);
    await others[0].dispose();
    assert.equal((await others[0].attention(0, 'decoder')).shape[1], 3);
});

test('what does not fit is refused by a sentence, and the model goes on', async t => {
    const {model} = await open(t);
    const one = await load(join(root, 'models/mini-en'), {wasmBytes: wasm('-full')});
    t.after(() => one.dispose());
    const result = await model.run('a', {target: 'b'});
    const single = await one.run('a');
    assert.equal(single.target, null);
    for (const [call, sentence] of [
        [
            () => one.run('a', {target: 'b'}),
            /\(bert\) has one stack, so it takes no target; a second text is given as \{pair\}/,
        ],
        [() => one.run('a', {write: 3}), /has one stack, so it takes no write/],
        [() => single.attention(0, 'cross'), /has one stack: there is nothing of kind "cross"/],
        [() => model.run('a'), /\(t5\) has an encoder and a decoder: give \{target: 'a text'\}/],
        [() => model.run('a', {target: 'b', write: 3}), /target and write were both given/],
        [() => model.run('a', {target: 'b', pair: 'c'}), /takes no pair/],
        [
            () => model.run('a', {target: [60]}),
            /an id of the target is 60; a whole number from 0 to 59/,
        ],
        [() => model.run('a', {target: []}), /the target is \[\]; a text, or a list of ids/],
        [() => model.run('a', {target: 5}), /the target is 5; a text/],
        [() => model.run('a', {write: 0}), /write is 0; a whole number from 1 on/],
        [() => model.run(['a', 'b'], {target: ['c']}), /a list of 2 texts/],
        [() => result.attention(0, 'both'), /the kind is "both"; one of encoder, decoder, cross/],
        [() => result.attention(9, 'cross'), /the layer is 9/],
        [
            () => result.tensor('q_unrotated', 0, 'cross'),
            /the tensor is "q_unrotated"; one of q, k, v, scores/,
        ],
        [() => result.measure('patterns', {kind: 'cross'}), /cross-attention has no measures here/],
        [() => result.predict([2]), null],
        [() => result.predict([3]), /a position is 3; a whole number from 0 to 2/],
        [
            () => model.intervene({intervention: 'decides'}, 'a'),
            /interventions of a model of two stacks .* are not there yet/,
        ],
    ]) {
        if (!sentence) {
            await call();
            continue;
        }
        await assert.rejects(call, error => {
            assert.ok(error instanceof HeadlightError, String(error));
            assert.match(error.message, sentence);
            return true;
        });
    }
    assert.equal((await model.run('a b', {target: 'b'})).target.length, 3);
});

test('on the page: three kinds as imported attention has them, with what each row predicts', async t => {
    const folder = folderOf('bart-tied');
    const routes = Object.fromEntries(
        ['config.json', 'model.safetensors', 'vocab.txt'].map(file => [
            `/m/${file}`,
            readFileSync(join(folder, file)),
        ]),
    );
    const {engine, source} = await withWasm(t, wasm('-two'), routes);
    const loaded = await engine.load(source, {store: 'f32'});
    const asked = {picked: true, signal: new AbortController().signal};
    const state = {...defaults, text: 'a b c', textB: 'b a'};
    const two = await openTwo(engine, loaded, {...asked, state});
    const needs = [{tensor: 'attention', layer: 0}];
    const of = part => two.compute(part, () => needs, loaded.info, 'head');
    const cross = await of('cross');
    const {data, shape} = cross.tensors.get('attention.0');
    const {heads} = loaded.info.second;
    assert.deepEqual(shape, [heads, 9, 9]); // four of the target, which look, and five of the source
    const model = await load(folder, {wasmBytes: wasm('-two'), store: 'f32'});
    t.after(() => model.dispose());
    const result = await model.run('a b c', {target: 'b a', precision: 'fine'});
    const own = await result.attention(0, 'cross');
    for (let head = 0; head < heads; head++)
        for (let row = 0; row < 4; row++)
            assert.deepEqual(
                [...data.slice((head * 9 + row) * 9 + 4, (head * 9 + row) * 9 + 9)],
                [...own.data.slice((head * 4 + row) * 5, (head * 4 + row) * 5 + 5)],
            );
    const printed = JSON.parse(run('run', folder, 'a b c', 'b a', '--json', ...EXACT)).target;
    assert.deepEqual(
        cross.pass.said.map(({words: [{piece, probability}]}) => [piece, probability.toFixed(4)]),
        printed.map(({token, probability}) => [token, probability.toFixed(4)]),
    );
    assert.equal((await of('decoder')).model.per_layer[0].mask, 'causal');
    assert.equal((await of('encoder')).pass.said, undefined);
    const steps = await two.compute('cross', () => needs, loaded.info, 'steps');
    assert.deepEqual([steps.missing, cross.missing, cross.picked], [true, false, true]);
    const written = await openTwo(engine, loaded, {...asked, state: {...state, textB: ' '}});
    const ids = JSON.parse(run('run', folder, 'a b c', '--write', '32', '--json', ...EXACT)).target;
    const {imported} = await written.compute('cross', () => needs, loaded.info, 'head');
    assert.deepEqual(
        [imported.two.written, imported.two.rows.map(({id}) => id)],
        [true, ids.map(({id}) => id)],
    );
    assert.equal(two.lost(), false);
    two.close();
});

test('the page’s engine fetches the file for such a model alone, and stays with it', async t => {
    const routes = Object.fromEntries(
        ['config.json', 'model.safetensors', 'vocab.txt'].map(file => [
            `/t5/${file}`,
            readFileSync(join(folderOf('t5-tied'), file)),
        ]),
    );
    const config = JSON.parse(routes['/t5/config.json'].toString());
    const {engine, server, workers} = await withWasm(t, wasm('-page'), {
        ...routes,
        '/bad/config.json': Buffer.from(JSON.stringify({...config, num_layers: 0})),
        '/other/config.json': Buffer.from(JSON.stringify({...config, model_type: 'umt5'})),
        '/headlight-full.wasm': wasm('-full'),
        '/headlight-two.wasm': wasm('-two'),
    });
    await assert.rejects(engine.load({url: `${server.url}/other/`}), /"umt5"; the supported/);
    assert.ok(!server.requests.includes('/headlight-two.wasm'));
    const {model, info} = await engine.load({url: `${server.url}/t5/`});
    assert.equal(info.second.layers, 3);
    const {answers} = engine.run({
        model,
        input: {
            text: 'a b',
            textB: '',
            precision: 'fine',
            changes: [],
            words: [],
            target: {text: 'b'},
        },
        want: [{tensor: 'cross_attention', layer: 0, stack: 'decoder'}],
    });
    assert.deepEqual((await answers[0]).shape, [info.second.heads, 3, 4]);
    await assert.rejects(engine.load({url: `${server.url}/bad/`}), /num_layers/);
    assert.equal(workers.length, 3);
    assert.equal(engine.fill(), false, 'it has everything');
    assert.equal(engine.holds(model), true);
});
