/* Ablation and ln p of a word (measure log_probability): on a golden model of every family that predicts words,
 * with each head off, each MLP off and each token replaced, those of transformers with hooks in float64
 * (tests/golden/decides.json); over the plain pass, whose layers are reused, the bits of a run from the start;
 * and the command `headlight decides`.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, openModel, root} from './lib/model.mjs';

const read = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));
const REFERENCE = read('decides.json');
const [TOKENS, AT, OTHER] = [12, 5, 4];
const NEAR = 5e-4;

/** ln p of a word with a change, over the plain pass or from the start. */
async function opened(name, store) {
    const folder = join(root, 'tests/golden/models', name);
    const {session} = await openModel(folder, store);
    const [{input_ids: ids, token_type_ids: types}] = read(`dumps/${name}/inputs.json`).inputs;
    session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
    const run = (changes, over = null) => {
        session.change(changes);
        return session.run({precision: 'fine', keep: ['hidden'], over});
    };
    const of = (pass, word) => pass.measure('log_probability', [AT, word])[0];
    return {session, run, of, count: Math.min(TOKENS, ids.length)};
}

for (const [name, {word, plain, heads, mlps, tokens}] of Object.entries(REFERENCE))
    test(`${name}: every head, MLP and token, as transformers has it`, async () => {
        const {run, of, count} = await opened(name, 'f32');
        const base = run([]);
        const near = (changes, expected) => {
            const pass = run(changes);
            const found = of(pass, word);
            pass.release();
            assert.ok(Math.abs(found - expected) <= NEAR, `${changes}: ${found}, not ${expected}`);
        };
        near([], plain);
        for (const [l, row] of heads.entries())
            for (const [h, expected] of row.entries()) near([['head', l, h]], expected);
        for (const [l, expected] of mlps.entries()) near([['mlp', l]], expected);
        assert.equal(tokens.length, count);
        for (const [i, expected] of tokens.entries()) near([['token', i, OTHER]], expected);
        base.release();
    });

for (const store of ['f32', 'q8'])
    test(`${store}: over the plain pass, the bits of a run from the start`, async () => {
        for (const name of ['bert-width-24', 'gpt2-next', 'albert-groups']) {
            const {word, heads} = REFERENCE[name];
            const [kept, anew] = [await opened(name, store), await opened(name, store)];
            const base = kept.run([]);
            let last = null;
            for (const layer of heads.keys())
                for (const change of [
                    ['mlp', layer],
                    ['head', layer, 1],
                ]) {
                    last = kept.run([change], last);
                    const fresh = anew.run([change]);
                    assert.equal(kept.of(last, word), anew.of(fresh, word), `${name} ${change}`);
                    assert.deepEqual(
                        last.tensor('hidden', heads.length - 1).data,
                        fresh.tensor('hidden', heads.length - 1).data,
                    );
                    fresh.release();
                }
            base.release();
        }
    });

test('refused: a layer, a position, a word that are not there; a model without words', async () => {
    const {session, run} = await opened('bert-width-24', 'f32');
    assert.throws(() => session.change([['mlp', 9]]), /there is no layer 9; there are 2 layers/);
    const pass = run([]);
    assert.throws(() => pass.measure('log_probability', [99, 1]), /no word 1 at position 99/);
    assert.throws(() => pass.measure('log_probability', [1, 1e6]), /no word 1000000 at/);
    assert.throws(() => pass.measure('log_probability', [1, -1]), /there is no word -1/);
    const bare = await openModel(join(root, 'tests/golden/models/bert-labels'), 'f32');
    bare.session.useIds([5, 6], null);
    assert.throws(() => bare.run().measure('log_probability', [0, 1]), /no masked-LM head/);
});

const decides = (...args) => execFileSync(headlight, ['decides', ...args], {encoding: 'utf8'});
const PARIS = 'The capital of France is [MASK].';

test('the command: what decides a word, the largest first; a table; a contrast; a label', async () => {
    const model = join(root, 'models/mini2-en');
    const found = JSON.parse(decides(model, PARIS, '--store', 'f32'));
    assert.equal(found.position, 6);
    assert.equal(found.effects.length, 6 + 6 * 13, 'six tokens, 72 heads, six MLPs');
    const sizes = found.effects.map(({change}) => Math.abs(change));
    assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
    );
    const {session} = await openModel(model, 'f32');
    session.tokenize(PARIS, null);
    const [id] = session.findWord(found.word);
    const ln = changes => {
        session.change(changes);
        const pass = session.run({precision: 'fine', keep: [], over: null});
        const [value] = pass.measure('log_probability', [6, id]);
        pass.release();
        return value;
    };
    const before = ln([]);
    assert.ok(Math.abs(found.log_probability - before) < 1e-5);
    for (const {kind, layer, head, change} of found.effects.slice(0, 12))
        if (kind !== 'token')
            assert.ok(
                Math.abs(
                    ln([kind === 'mlp' ? ['mlp', layer] : [kind, layer, head]]) - before - change,
                ) < 1e-5,
            );
    const rows = decides(model, PARIS, '--csv').trim().split('\n');
    assert.equal(rows[0], 'kind,layer,head,position,token,change');
    assert.ok(rows.every(row => row.replace(/"[^"]*"/, '').split(',').length === 6));
    const contrast = JSON.parse(
        decides(model, 'The [MASK] ate.', '--word', 'cat', '--against', 'dog'),
    );
    assert.deepEqual([contrast.word, contrast.against, contrast.position], ['cat', 'dog', 2]);
    const label = JSON.parse(decides(join(root, 'models/mini2-en-sst2'), 'The film was dull.'));
    assert.equal(label.label, 'negative');
    assert.equal(label.effects[0].token, 'dull');
});

test('the command refuses what there is nothing to explain in', () => {
    const said = (...args) => spawnSync(headlight, ['decides', ...args], {encoding: 'utf8'}).stderr;
    const model = join(root, 'models/mini2-en');
    assert.match(
        said(model, 'No mask.'),
        /^state: no prediction was found to explain; put \[MASK\]/,
    );
    assert.match(said(model, PARIS, '--word', 'blurghly'), /^text: blurghly is no single entry/);
    assert.match(said(model, PARIS, '--at', '99'), /^state: there is no position 99/);
    assert.match(said(join(root, 'models/mini2-en-sst2'), 'A.', '--word', 'x'), /no label x/);
});

test('the package: an MLP that is off, and ln p of a word', async () => {
    const {load} = await import('../../web/package/node.js');
    const wasmBytes = readFileSync(join(root, 'build/out/wasm/headlight.wasm'));
    const model = await load(join(root, 'tests/golden/models/gpt2-next'), {
        wasmBytes,
        store: 'f32',
    });
    const of = async options => {
        const result = await model.run('The cat sat on the mat.', options);
        const query = result.tokens.length - 1;
        const [{predictions}] = await result.predict([query], {top: 1});
        const [best] = predictions;
        const {data} = await result.measure('log_probability', {query, word: best.id});
        return {ln: data[0], best};
    };
    const plain = await of({});
    assert.ok(Math.abs(plain.ln - Math.log(plain.best.probability)) < 1e-5);
    assert.notEqual((await of({ablateMlps: [1]})).ln, plain.ln);
    model.dispose();
});
