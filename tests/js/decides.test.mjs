/* Ablation, removal and ln p of a word (measure log_probability): on a golden model of every family that predicts words,
 * with each head off, each MLP off and each token replaced, those of transformers with hooks in float64
 * (tests/golden/decides.json); over the plain pass, whose layers are reused, the bits of a run from the start;
 * patches from another text, likewise; and the command `headlight decides`.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, openModel, root} from './lib/model.mjs';

const read = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));
const {'bert-answers': ANSWERS, 'bert-width-8': SIMILAR, ...REFERENCE} = read('decides.json');
const [TOKENS, AT, OTHER] = [12, 5, 4];
const NEAR = 5e-4;

/** ln p of a word with a change, over the plain pass or from the start. */
async function opened(name, store, count = TOKENS) {
    const folder = join(root, 'tests/golden/models', name);
    const {session} = await openModel(folder, store);
    const [{input_ids: ids, token_type_ids: types}] = read(`dumps/${name}/inputs.json`).inputs;
    const use = () => session.useIds(ids.slice(0, count), types?.slice(0, count) ?? null);
    use();
    const run = (changes, over = null, keep = ['hidden']) => {
        session.change(changes);
        return session.run({precision: 'fine', keep, over});
    };
    /** Changes may take from a text of other tokens then. */
    const patchFrom = (other, from = null) => {
        session.useIds(other, types?.slice(0, other.length) ?? null);
        const keep = ['hidden', 'context', 'embeddings', 'embeddings_projected'];
        session.patchFrom(run([], null, keep), from);
        use();
    };
    const of = (pass, word) => pass.measure('log_probability', [AT, word])[0];
    return {session, run, of, patchFrom, use, ids: ids.slice(0, count)};
}

/** value(changes, gone): with the text whole, or without token `gone`. */
function compareAll({plain, heads, mlps, tokens, removed}, value) {
    const near = (changes, expected, gone = -1) => {
        const found = value(changes, gone);
        assert.ok(
            Math.abs(found - expected) <= NEAR,
            `${changes} ${gone}: ${found}, not ${expected}`,
        );
    };
    near([], plain);
    for (const [l, row] of heads.entries())
        for (const [h, expected] of row.entries()) near([['head', l, h]], expected);
    for (const [l, expected] of mlps.entries()) near([['mlp', l]], expected);
    assert.equal(removed.length, tokens.length);
    for (const [i, expected] of tokens.entries()) near([['token', i, OTHER]], expected);
    for (const [i, expected] of removed.entries()) if (expected !== null) near([], expected, i);
}

for (const [name, reference] of Object.entries(REFERENCE))
    test(`${name}: every head, MLP and token, as transformers has it`, async () => {
        const {run, session, use} = await opened(name, 'f32');
        compareAll(reference, (changes, gone) => {
            use();
            if (gone >= 0) session.remove(gone);
            const pass = run(changes);
            const at = AT - (gone >= 0 && gone < AT);
            const [found] = pass.measure('log_probability', [at, reference.word]);
            pass.release();
            return found;
        });
    });

test('bert-answers: where the answer starts, as transformers has it', async () => {
    const {run, session, use} = await opened('bert-answers', 'f32', 99);
    compareAll(ANSWERS, (changes, gone) => {
        use();
        if (gone >= 0) session.remove(gone);
        const pass = run(changes);
        const start = ANSWERS.start - (gone >= 0 && gone < ANSWERS.start);
        const found = Math.log(pass.classify()[2 * start]);
        pass.release();
        return found;
    });
});

test('bert-width-8: the similarity of two texts, as transformers has it', async () => {
    const {run, session, use} = await opened('bert-width-8', 'f32');
    compareAll(SIMILAR, (changes, gone) => {
        const mean = side => {
            if (side) session.useIds(SIMILAR.other, null);
            else use();
            if (!side && gone >= 0) session.remove(gone);
            const pass = run(changes.filter(([kind]) => !side || kind !== 'token'));
            const {data, shape} = pass.tensor('hidden', 1);
            pass.release();
            return Array.from({length: shape[1]}, (_, c) =>
                data.reduce((sum, x, i) => sum + (i % shape[1] === c ? x : 0), 0),
            );
        };
        const [a, b] = [mean(0), mean(1)];
        const dot = (x, y) => x.reduce((sum, one, i) => sum + one * y[i], 0);
        return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    });
});

test('a token that is removed: what follows moves up; what is refused', async () => {
    const {session, run, ids, use} = await opened('bert-width-24', 'f32');
    session.change([['mlp', 0]]);
    assert.equal(session.remove(3), ids.length - 1);
    assert.deepEqual(
        session.tokens().map(({id}) => id),
        ids.toSpliced(3, 1),
    );
    const pass = run([]);
    const {data} = pass.tensor('hidden', 1);
    pass.release();
    session.useIds(ids.toSpliced(3, 1), null);
    assert.deepEqual(run([]).tensor('hidden', 1).data, data);
    use();
    for (const at of [-1, ids.length])
        assert.throws(
            () => session.remove(at),
            /state: token -?\d+ cannot be removed; the text has 9/,
        );
    session.useIds([5], null);
    assert.throws(() => session.remove(0), /state: token 0 cannot be removed; the text has 1/);
});

const reversed = ids => [ids[0], ...ids.slice(1, -1).toReversed(), ids.at(-1)];

for (const [name, {word, patched, pair}] of Object.entries(REFERENCE))
    test(`${name}: every row and head patched from another text, as transformers has it`, async () => {
        const {run, of, ids, patchFrom} = await opened(name, 'f32');
        const near = (changes, expected) => {
            const pass = run([changes]);
            const found = of(pass, word);
            pass.release();
            assert.ok(Math.abs(found - expected) <= NEAR, `${changes}: ${found}, not ${expected}`);
        };
        const all = ({rows, heads}, tokens) => {
            for (const [l, row] of rows.entries()) {
                for (const [n, to] of tokens.entries()) near(['patch_token', l, to], row[n]);
                for (const [h, one] of heads[l].entries()) near(['patch_head', l, h], one);
            }
        };
        patchFrom(reversed(ids));
        const base = run([]);
        all(patched, [...ids.keys()]);
        base.release();
        const [to, other] = [3, 6];
        patchFrom(
            reversed(ids).slice(0, -2),
            ids.map((_, i) => (i === to ? other : -1)),
        );
        const again = run([]);
        all(pair, [to]);
        again.release();
    });

for (const store of ['f32', 'q8'])
    test(`${store}: patches over other passes, the bits of a run from the start`, async () => {
        for (const name of [
            'bert-width-24',
            'gpt2-next',
            'albert-groups',
            'qwen3-next',
            'gpt-neox-next',
            'mistral-next',
        ]) {
            const {word, heads} = REFERENCE[name];
            const [kept, anew] = [await opened(name, store), await opened(name, store)];
            for (const {patchFrom, ids} of [kept, anew]) patchFrom(reversed(ids));
            const base = kept.run([]);
            let last = null;
            const same = changes => {
                last = kept.run(changes, last);
                const fresh = anew.run(changes);
                assert.equal(kept.of(last, word), anew.of(fresh, word), `${name} ${changes}`);
                for (const l of heads.keys())
                    assert.deepEqual(
                        last.tensor('hidden', l).data,
                        fresh.tensor('hidden', l).data,
                        `${name} ${changes}, layer ${l}`,
                    );
                fresh.release();
            };
            for (const layer of heads.keys())
                for (const at of [0, 1])
                    for (const kind of ['patch_token', 'patch_head']) {
                        same([[kind, layer, at]]);
                        same([['mlp', layer]]);
                        same([
                            ['mlp', layer],
                            [kind, layer, at],
                        ]);
                        same([]);
                    }
            // of layer 0, a row is that of the token; in a causal model the last row is at any layer
            const {ids} = kept;
            const end = ids.length - 2;
            same([['token', end, reversed(ids)[end]]]);
            const [typed] = [kept.of(last, word)];
            same([['patch_token', 0, end]]);
            assert.equal(kept.of(last, word), typed, name);
            // another source with as many tokens: nothing is taken of what was patched before
            base.release();
            kept.run([['patch_token', 0, 1]], last);
            for (const {patchFrom, ids: of} of [kept, anew]) patchFrom([...of.slice(1), of[0]]);
            last = null;
            same([['patch_token', 0, 1]]);
            same([['patch_head', 1, 1]]);
        }
    });

test('a patch of a head that is off there is that head off; of a text onto itself, nothing', async () => {
    const {session, run, of, ids} = await opened('bert-width-24', 'q8');
    const {word, heads} = REFERENCE['bert-width-24'];
    const keep = ['hidden', 'context', 'embeddings'];
    for (const l of heads.keys()) {
        session.patchFrom(run([['head', l, 1]], null, keep), null);
        const [off, patched] = [run([['head', l, 1]]), run([['patch_head', l, 1]])];
        assert.equal(of(patched, word), of(off, word));
        (off.release(), patched.release());
    }
    session.patchFrom(run([], null, keep), null);
    const [plain, same] = [run([]), run([...ids.keys()].map(i => ['patch_token', 1, i]))];
    assert.deepEqual(same.tensor('hidden', 1).data, plain.tensor('hidden', 1).data);
});

test('patches that are refused: no source, other tokens, a part that is not there, sums of two texts', async () => {
    const {session, run, ids, patchFrom} = await opened('bert-width-24', 'f32');
    const refused = (row, sentence) => assert.throws(() => session.change([row]), sentence);
    refused(['patch_token', 0, 1], /there is no pass to patch from; run a text/);
    assert.throws(() => session.patchFrom(run([]), null), /needs its stream and contexts; run it/);
    patchFrom(ids.slice(0, 7));
    refused(['patch_head', 0, 1], /has 7 tokens, this one 9; say which token is taken for which/);
    patchFrom(ids);
    refused(['patch_token', 2, 1], /layer 2 has no token 1 to patch/);
    refused(['patch_token', 0, 9], /layer 0 has no token 9/);
    refused(['patch_head', 0, -1], /layer 0 has no head -1/);
    const pass = run([['patch_head', 0, 1]], null, ['*']);
    assert.throws(
        () => pass.measure('moved', [0]),
        /moved adds up what was computed of one text; this pass is patched from another/,
    );
    pass.release();
    patchFrom(
        ids,
        ids.map(() => -1),
    );
    refused(['patch_token', 0, 1], /layer 0 has no token 1 to patch/);
    assert.throws(() => patchFrom(ids, [9]), /there is no token 9 to patch from; .* 9 tokens/);
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
    const without = JSON.parse(decides(model, PARIS, '--store', 'f32', '--removed'));
    assert.equal(without.effects.length, found.effects.length);
    const stop = without.effects.find(({position}) => position === 7);
    assert.deepEqual([stop.kind, stop.token], ['removed', '.']);
    assert.ok(stop.change < -6, 'the full stop, which masking hardly changes');
    for (const {kind, layer, head, change} of without.effects)
        if (kind === 'head')
            assert.equal(
                change,
                found.effects.find(one => one.layer === layer && one.head === head).change,
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

test('the command: patches from another text, as shares of the difference; what it refuses', async () => {
    const model = join(root, 'models/mini2-en-sst2');
    const patch = (...args) => spawnSync(headlight, ['patch', model, ...args], {encoding: 'utf8'});
    const [a, b] = ['The film was great.', 'The film was dull.'];
    const found = JSON.parse(patch(b, a).stdout);
    assert.deepEqual([found.label, found.against], ['positive', 'negative']);
    const tokens = 7;
    assert.equal(found.effects.length, 6 * (tokens + 12));
    const of = (kind, layer, at) =>
        found.effects.find(
            e => e.kind === kind && e.layer === layer && (e.position ?? e.head) === at,
        );
    assert.equal(of('patch_token', 0, 4).recovered, 1, 'the word itself is all of it');
    assert.equal(of('patch_token', 0, 1).change, 0, 'both have the same there');
    const same = found.effects.filter(({change}) => change === 0).length;
    assert.equal(found.unchanged, same);
    assert.ok(same >= tokens - 1);
    const [first] = found.effects;
    assert.ok(
        Math.abs(first.recovered - first.change / (found.from - found.log_ratio)) < 1e-4,
        'a share of the difference',
    );
    const [names, row] = patch(b, a, '--csv').stdout.split('\n');
    assert.equal(names, 'kind,layer,head,position,token,change,recovered');
    assert.equal(row.split(',').length, 7);
    const onto = JSON.parse(patch(b, b).stdout);
    assert.match(onto.note, /^the texts differ by 0\.000 in this; shares of less than 0\.1 say/);
    assert.deepEqual([onto.label, onto.against], ['negative', 'positive'], 'less the runner-up');
    assert.deepEqual([onto.effects, onto.steps], [[], [0, 0]], 'of nothing there are no shares');
    assert.match(patch(b, b, '--csv').stderr, /^text: the texts differ by 0\.000 in this; shares/);
    const longer = 'The film was really great.';
    assert.match(patch(b, longer).stderr, /have 7 and 8 tokens; .* --tokens 3:4/);
    const one = JSON.parse(patch(b, longer, '--tokens', '4:5').stdout);
    assert.equal(one.effects.length, 6 * (1 + 12));
    assert.match(patch(b, longer, '--tokens', '4').stderr, /^state: --tokens is 4; it is a token/);
    assert.match(patch(b, longer, '--tokens', '4:9').stderr, /no token 9 to patch from/);
    assert.match(
        patch(b, longer, '--tokens', '9:4').stderr,
        /^state: there is no token 9; the text has 7/,
    );
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
    const text = 'The mat sat on the cat.';
    const rows = await model.run(text);
    const all = rows.tokens.map((_, position) => ({layer: 1, position}));
    const patched = await model.run('The cat sat on the mat.', {patch: {text, tokens: all}});
    const read = async result => (await result.tensor('hidden', 1)).data;
    assert.deepEqual(await read(patched), await read(rows), 'all rows of a layer are that text');
    const head = {patch: {text, heads: [{layer: 0, head: 1}]}};
    assert.notEqual((await of(head)).ln, plain.ln);
    assert.equal((await of({})).ln, plain.ln);
    await assert.rejects(of({patch: {text: 'Dog.', heads: head.patch.heads}}), /say which token/);
    await assert.rejects(of({patch: {text, heads: [{layer: 9, head: 1}]}}), /is 9; a whole number/);
    await assert.rejects(of({patch: {text, from: [1.5]}}), /^HeadlightError: from is/);
    model.dispose();
});
