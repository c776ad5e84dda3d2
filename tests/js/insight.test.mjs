/* insight - value zeroing against transformers (tests/golden/zeroing.json), the logit lens, the split of
 * a similarity over pairs of tokens, and texts with appended ids.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {load} from '../../web/package/node.js';
import {fails} from './lib/fails.mjs';
import {inputsOf} from './lib/golden.mjs';
import {openModel, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const golden = join(root, 'tests/golden');
const ZEROED = JSON.parse(readFileSync(join(golden, 'zeroing.json'), 'utf8'));
const folderOf = name => join(golden, 'models', name);
const worst = (ours, theirs) =>
    theirs.reduce((most, x, i) => Math.max(most, Math.abs(x - ours[i])), 0);

async function ranGolden(name, tokens, store = 'f32') {
    const opened = await openModel(folderOf(name), store);
    const [input] = inputsOf({dumps: join(golden, 'dumps', name)});
    const types = input.token_type_ids?.slice(0, tokens) ?? null;
    opened.session.useIds(input.input_ids.slice(0, tokens), types);
    opened.run('fine');
    return opened;
}

for (const [name, layers] of Object.entries(ZEROED)) {
    test(`${name}: value zeroing is that of transformers`, async context => {
        const {pass} = await ranGolden(name, layers[0].length);
        let most = 0;
        layers.forEach((keys, layer) => {
            keys.forEach((column, key) => {
                const ours = pass.measure('zeroed', [layer, key]);
                most = Math.max(most, worst(ours, column));
            });
            const rows = pass.measure('zeroing', [layer]);
            const T = keys.length;
            for (let i = 0; i < T; i++) {
                const sum = keys.reduce((total, column) => total + column[i], 0);
                const shares = keys.map(column => (sum > 0 ? column[i] / sum : 0));
                assert.ok(worst(rows.subarray(i * T, (i + 1) * T), shares) < 1e-3);
            }
        });
        context.diagnostic(`largest difference of 1 - cos: ${most.toExponential(1)}`);
        assert.ok(most < 1e-5, `${most}`);
    });
}

for (const name of [
    'bert-tiny-random',
    'gpt2-next',
    'qwen3-next',
    'gpt-neox-next',
    'mistral-next',
    'modernbert-masked',
    'electra-generator',
])
    test(`${name}: the lens at the last layer is the prediction, ranks count larger logits`, async () => {
        for (const store of ['f32', 'q8']) {
            const {pass, model} = await ranGolden(name, 12, store);
            const [L, k, at] = [model.layers, 4, 3];
            const lens = pass.lens(at, k, L);
            const {ids, probabilities} = pass.predictions(at, k);
            assert.deepEqual(lens.ids.subarray((L - 1) * k), ids);
            assert.deepEqual(lens.probabilities.subarray((L - 1) * k), probabilities);
            assert.equal(lens.tops[0], ids[0]);
            assert.equal(lens.ranks[(L - 1) * L], 1);
            for (let l = 0; l < L; l++) {
                // the most probable entry of each layer is one of the tops, with rank 1 there
                const n = lens.tops.indexOf(lens.ids[l * k]);
                assert.ok(n >= 0);
                assert.equal(lens.ranks[l * L + n], 1);
                assert.equal(lens.shares[l * L + n], lens.probabilities[l * k]);
                for (let i = 1; i < k; i++) {
                    const other = lens.tops.indexOf(lens.ids[l * k + i]);
                    if (other >= 0) assert.equal(lens.ranks[l * L + other], i + 1);
                }
            }
        }
    });

test('the lens after a layer in the middle is the head on that layer', async () => {
    // BERT: the head's own transform on hidden, from the logits of a model with one layer less
    const name = 'bert-tiny-random';
    const {pass, model} = await ranGolden(name, 12);
    const folder = join(scratch, 'shorter');
    cpSync(folderOf(name), folder, {recursive: true});
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    const layers = config.num_hidden_layers - 1;
    writeFileSync(
        join(folder, 'config.json'),
        JSON.stringify({...config, num_hidden_layers: layers}),
    );
    const shorter = await openModel(folder, 'f32');
    const [input] = inputsOf({dumps: join(golden, 'dumps', name)});
    shorter.session.useIds(
        input.input_ids.slice(0, 12),
        input.token_type_ids?.slice(0, 12) ?? null,
    );
    shorter.run('fine');
    const {ids, probabilities} = shorter.pass.predictions(5, 3);
    const lens = pass.lens(5, 3, model.layers);
    assert.deepEqual(lens.ids.subarray((layers - 1) * 3, layers * 3), ids);
    assert.deepEqual(lens.probabilities.subarray((layers - 1) * 3, layers * 3), probabilities);
});

test('refused: a model without a head, a pass that has not kept hidden', async () => {
    const bare = await openModel(folderOf('bert-tiny-bare'), 'f32');
    bare.session.useIds([5, 6, 7], null);
    bare.run('fine');
    assert.throws(() => bare.pass.lens(0, 1, 2), /no masked-LM head/);
    const opened = await openModel(folderOf('bert-tiny-random'), 'f32');
    opened.session.useIds([5, 6, 7], null);
    opened.run('fine', ['attention']);
    assert.throws(() => opened.pass.lens(0, 1, 2), /the hidden was not kept/);
    assert.throws(() => opened.pass.measure('moved', [0]), /the v was not kept; .*"v" in keep/);
    assert.throws(() => opened.pass.split(opened.pass), /no text embeddings/);
});

test('one token: it moves itself, nothing is mixed, zeroing its value turns it, the lens is the prediction', async () => {
    const opened = await openModel(folderOf('bert-tiny-random'), 'f32');
    opened.session.useIds([7], null);
    const pass = opened.run('fine');
    const {layers} = opened.model;
    assert.deepEqual([...pass.measure('mixing')], Array(layers).fill(0));
    assert.ok([...pass.measure('moved_shares', [0])].every(x => x === 1));
    assert.deepEqual([...pass.measure('zeroing', [1])], [1]);
    const {ids, ranks} = pass.lens(0, 1, layers);
    assert.equal(ids[layers - 1], pass.predictions(0, 1).ids[0]);
    assert.equal(ranks[(layers - 1) * layers], 1);
});

test('a head that is switched off moves nothing; patterns of shares', async () => {
    const opened = await openModel(folderOf('bert-tiny-random'), 'f32');
    const {session, model} = opened;
    const {heads: H} = model;
    session.useIds([2, 7, 8, 9, 3], null);
    session.change([['head', 1, 1]]);
    const pass = opened.run('fine');
    const T = 5;
    const moved = pass.measure('moved', [1]);
    const off = moved.subarray(T * T, 2 * T * T);
    assert.ok(off.every(x => x === 0) && moved.subarray(0, T * T).every(x => x > 0));
    // the weight that each head gives from one token to another, of the shares
    const shares = pass.measure('moved_shares', [0]);
    const pair = pass.measure('moved_pair', [2, 3]);
    for (let h = 0; h < H; h++) assert.equal(pair[h], shares[(h * T + 2) * T + 3]);
    assert.notDeepEqual(pass.measure('moved_patterns'), pass.measure('patterns'));
});

/** bert-tiny-random with other numbers: put(name, row, from, to, value) writes columns of a row of the one
 * tensor whose name ends so. */
function changed(name, put) {
    const folder = join(scratch, name);
    cpSync(folderOf('bert-tiny-random'), folder, {recursive: true});
    const file = join(folder, 'model.safetensors');
    const bytes = readFileSync(file);
    const size = Number(bytes.readBigUInt64LE(0));
    const header = JSON.parse(bytes.subarray(8, 8 + size).toString());
    put((name, row, from, to, value) => {
        const [, {data_offsets: at, shape}] = Object.entries(header).find(([key]) =>
            key.endsWith(name),
        );
        for (let c = from; c < to; c++)
            bytes.writeFloatLE(value, 8 + size + at[0] + 4 * (row * (shape[1] ?? 0) + c));
    });
    writeFileSync(file, bytes);
    return openModel(folder, 'f32');
}

/** The values of head 0 of layer 0 are all `value`, whatever the token. */
function valued(put, value) {
    for (let n = 0; n < 12; n++) {
        put('layer.0.attention.self.value.weight', n, 0, 48, 0);
        put('layer.0.attention.self.value.bias', 0, n, n + 1, value);
    }
}

test('numbers that overflow are a sentence', async () => {
    // values that are all but 0, and an output that makes up for it
    const opened = await changed('extreme', put => {
        valued(put, 1e-33);
        for (let row = 0; row < 48; row++)
            put('layer.0.attention.output.dense.weight', row, 0, 12, 3e38);
    });
    opened.session.useIds([2, 7, 8, 3], null);
    const pass = opened.run('fine');
    for (const name of ['moved', 'moved_shares'])
        assert.throws(
            () => pass.measure(name, [0]),
            /^Error: weights: the numbers overflow in what layer 0 moves; .* load it again/,
        );
    assert.throws(() => pass.measure('moved_patterns'), /overflow in what layer 0 moves/);
    assert.equal(pass.measure('moved', [1]).length, 4 * 4 * 4);
});

test('what overflows without a value, or in the words of a layer, is a sentence', async () => {
    // what the values add, the bias of the output takes away again, unless a value is zero
    const balanced = await changed('balanced', put => {
        valued(put, 1);
        put('layer.0.attention.output.dense.weight', 0, 0, 12, 1e20);
        put('layer.0.attention.output.dense.bias', 0, 0, 1, -12e20);
    });
    balanced.session.useIds([2, 7, 8, 3], null);
    const pass = balanced.run('fine');
    assert.throws(
        () => pass.measure('zeroing', [0]),
        /^Error: weights: the numbers overflow in layer 0; .* load it again/,
    );
    assert.equal(pass.measure('zeroing', [1]).length, 4 * 4);
    const large = await changed('large', put =>
        put('cls.predictions.transform.dense.weight', 0, 0, 48, 3e38),
    );
    large.session.useIds([2, 7, 8, 3], null);
    const read = large.run('fine', ['hidden']);
    assert.throws(
        () => read.lens(1, 1, large.model.layers),
        /^Error: weights: the numbers overflow in the model's predictions; .* load it again/,
    );
});

test('appended ids follow the tokens of the text as they are; a next text has none', async () => {
    const {session, model} = await openModel(folderOf('gpt2-next'), 'f32');
    const count = session.tokenize('The cat', null);
    const read = session.tokens();
    assert.equal(session.append([5, 9]), count + 2);
    const tokens = session.tokens();
    assert.deepEqual(tokens.slice(0, count), read);
    assert.deepEqual(
        tokens.slice(count).map(({id, from, to, sentence}) => [id, from, to, sentence]),
        [
            [5, 0, 0, 0],
            [9, 0, 0, 0],
        ],
    );
    const pass = session.run({precision: 'fine', keep: ['lm_logits'], over: null});
    const logits = pass.tensor('lm_logits', 0).data;
    pass.release();
    session.useIds([...read.map(({id}) => id), 5, 9], null);
    const same = session.run({precision: 'fine', keep: ['lm_logits'], over: null});
    assert.deepEqual(same.tensor('lm_logits', 0).data, logits);
    assert.equal(session.tokenize('The cat', null), count);
    assert.throws(() => session.append([model.vocab]), /outside the vocabulary/);
    assert.throws(() => session.append(new Array(100).fill(5)), /takes at most/);
});

/** What the model writes after ids, the most probable token each time. */
function writeOn({session}, ids, count) {
    const written = [];
    session.useIds(ids, null);
    for (let over = null; written.length < count;) {
        over = session.run({precision: 'usual', keep: [], over});
        const {ids: best} = over.predictions(ids.length + written.length - 1, 1);
        written.push(best[0]);
        session.append([best[0]]);
        if (written.length === count) over.release();
    }
    return written;
}

// GREEDY: another file that tests/golden/greedy.py has made, such as of 100 texts
const GREEDY = JSON.parse(readFileSync(process.env.GREEDY ?? join(golden, 'greedy.json'), 'utf8'));
for (const [name, texts] of Object.entries(GREEDY))
    test(`${name}: what it writes is what transformers' generate writes, in f32`, async context => {
        const folder = name === 'mini-gpt-en' ? join(root, 'models', name) : folderOf(name);
        let same = 0;
        for (const store of ['f32', 'q8']) {
            const opened = await openModel(folder, store);
            for (const {ids, written} of texts) {
                const ours = writeOn(opened, ids, written.length);
                if (store === 'f32') assert.deepEqual(ours, written);
                else same += ours.every((id, i) => id === written[i]);
            }
        }
        context.diagnostic(`q8: ${same} of ${texts.length} texts are the same`);
    });

// what a mean of weights does not say: little of what minilm-en's head takes is from [CLS], much of what
// mini-gpt-en's takes is from the first token; shares by transformers in float64 (tests/golden/first_token.py)
const TAKEN = JSON.parse(readFileSync(join(golden, 'first_token.json'), 'utf8'));
for (const {model, layer, head, text, taken} of TAKEN) {
    const [weight, share] = taken.map(x => `${Math.round(100 * x)} %`);
    test(`${model} L${layer}·H${head}: ${weight} of the weight is on the first token, ${share} of what is moved`, async () => {
        for (const [store, near] of [
            ['f32', 1e-5],
            ['q8', 0.005],
        ]) {
            const opened = await openModel(join(root, 'models', model), store);
            opened.session.tokenize(text, null);
            const pass = opened.run('fine', ['attention', 'v']);
            const T = opened.session.tokens().length;
            const first = maps => {
                const rows = Array.from({length: T}, (_, i) => maps[(head * T + i) * T]);
                return rows.reduce((sum, x) => sum + x, 0) / T;
            };
            const {data} = pass.tensor('attention', layer);
            const ours = [first(data), first(pass.measure('moved_shares', [layer]))];
            assert.ok(worst(ours, taken) < near, `${store}: ${ours}, ${taken}`);
        }
    });
}

const wasmBytes = readFileSync(join(root, 'build/out/wasm/headlight.wasm'));
test('the package: writes on, reads the lens, and runs what was written again', async () => {
    const model = await load(join(root, 'models/mini-gpt-en'), {wasmBytes});
    const told = [];
    const {written, result} = await model.continue('The president of the United', {
        tokens: 3,
        onToken: ({id}) => told.push(id),
    });
    const ids = written.map(({id}) => id);
    assert.deepEqual(told, ids);
    assert.equal(written[0].token, '␣States');
    assert.deepEqual(
        result.tokens.slice(-3).map(({id, from, to}) => [id, from, to]),
        ids.map(id => [id, 0, 0]),
    );
    const again = await model.run('The president of the United', {appended: ids.slice(0, 2)});
    const at = again.tokens.length - 1;
    const {words, layers} = await again.lens(at, {top: 2});
    assert.equal(words[0].id, ids[2]);
    assert.deepEqual([layers.length, layers[5].ranks[0]], [model.info.layers, 1]);
    assert.equal(layers[5].predictions[0].id, ids[2]);
    assert.ok(layers[0].ranks[0] > 1);
    await fails(model.continue('a', {tokens: 0}), 'state', /number of tokens/);
    await fails(model.run('a', {appended: [99999]}), 'state', /appended id/);
    await fails(again.lens(at + 1), 'state', /position/);
    assert.deepEqual((await again.lens('all', {top: 2}))[at], {words, layers});
    await fails(model.split('a', 'b'), 'state', /split needs a sentence-transformers folder/);
    await model.dispose();
    const other = await load(join(root, 'models/mini-en'), {wasmBytes});
    await fails(other.continue('a'), 'state', /continue needs a causal model/);
    await other.dispose();
});
