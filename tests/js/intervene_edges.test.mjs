/* Edges into a head: on a golden model of every family that predicts words those of transformers with hooks in float64
 * (tests/golden/edges.json), of the prediction and of a link; parts of the question; patches of a head's q, k and v and of an
 * MLP by themselves; what is refused.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {loadFolder, root} from './lib/model.mjs';

const read = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));
const REFERENCE = read('edges.json');
const wasm = await instantiate(readFileSync(join(root, 'build/out/wasm/headlight-full.wasm')));
const [TOKENS, AT] = [12, 5];
const NEAR = {edge: 5e-4, edge_link: 1e-4};

function opened(name) {
    const {session} = loadFolder(join(root, 'tests/golden/models', name), 'f32', wasm);
    const [{input_ids: ids, token_type_ids: types}] = read(`dumps/${name}/inputs.json`).inputs;
    session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
    const ask = question => {
        session.interveneStep(0, session.interveneBegin(question));
        return JSON.parse(session.interveneAnswer({}));
    };
    return {session, ask};
}

for (const [name, one] of Object.entries(REFERENCE))
    test(`${name}: every edge into a head, as transformers has it`, () => {
        const {ask} = opened(name);
        const [layer, head] = one.reader;
        const questions = {
            edge: {at: AT, word: one.word},
            edge_link: {query: one.query, key: one.key},
        };
        for (const [n, [intervention, more]] of Object.entries(questions).entries()) {
            const answer = ask({intervention, layer, head, ...more});
            const near = (found, expected, what) =>
                assert.ok(
                    Math.abs(found - expected) <= NEAR[intervention],
                    `${intervention} ${what}: ${found}, not ${expected}`,
                );
            near(answer.log_probability ?? answer.weight, one.plain[n], 'as it is');
            const reads = n ? ['q', 'k'] : ['q', 'k', 'v'];
            assert.equal(answer.effects.length, reads.length * one.parts.length);
            for (const into of reads)
                for (const [i, [from, part]] of one.parts.entries()) {
                    const mlp = part === one.parts.at(-1)[1];
                    const found = answer.effects.find(
                        effect =>
                            effect.into === into &&
                            effect.layer === from &&
                            (mlp ? effect.kind === 'mlp' : effect.head === part),
                    );
                    near(found.change, one[into][i][n] - one.plain[n], `${into} ${from} ${part}`);
                }
        }
    });

const NAME = 'modernbert-masked';

test('parts and inputs that the question names; a reader in the lowest layer, and others that are none', () => {
    const {ask, session} = opened(NAME);
    const of = more => ask({intervention: 'edge', at: AT, layer: 2, head: 1, ...more});
    const all = of({});
    const some = of({parts: ['mlps'], into: ['v', 'q', 'v']});
    assert.deepEqual(
        some.effects,
        all.effects.filter(({kind, into}) => kind === 'mlp' && into !== 'k'),
    );
    assert.deepEqual([some.layer, some.head], [2, 1]);
    const refused = (more, wanted) =>
        assert.throws(
            () =>
                session.interveneBegin({intervention: 'edge', at: AT, layer: 2, head: 1, ...more}),
            wanted,
        );
    refused({layer: 0}, /layer is 0; heads and MLPs write into the layers above theirs/);
    refused({layer: 4}, /layer is 4; one of 4, which count from 0/);
    refused({head: undefined}, /head is missing/);
    refused({into: []}, /into is \[\]; a list of q, k, v was expected/);
    refused({into: ['x']}, /into is \["x"\]/);
    refused({into: 'q'}, /into is "q"/);
    refused({by: 'mean'}, /has no by/);
    refused({query: 1}, /a question edge has no query/);
    const link = {intervention: 'edge_link', at: undefined, query: 3, key: 1};
    refused({...link, into: ['v']}, /a list of q, k was expected/);
    refused({...link, key: 99}, /key is 99; one of 11/);
    refused({...link, word: 5}, /is of no prediction, so that word has no meaning/);
});

test('a head reads what another text has there; an MLP adds what it adds there', () => {
    const {session} = opened(NAME);
    const [{input_ids: ids}] = read(`dumps/${NAME}/inputs.json`).inputs;
    const mine = ids.slice(0, TOKENS);
    const use = which => session.useIds(which, null);
    const run = (changes, keep) => {
        session.change(changes);
        return session.run({precision: 'fine', keep});
    };
    const names = ['hidden', 'context', 'embeddings', 'mlp_out', 'q', 'k', 'v'];
    const of = (pass, tensor, layer) => pass.tensor(tensor, layer).data.slice();
    use(mine.toReversed());
    const other = run([], names);
    const there = Object.fromEntries(['q', 'k', 'v', 'mlp_out'].map(n => [n, of(other, n, 1)]));
    session.patchFrom(other, null);
    use(mine);
    const plain = run([], names);
    const here = Object.fromEntries(['q', 'k', 'v', 'mlp_out'].map(n => [n, of(plain, n, 1)]));
    plain.release();
    for (const [which, tensor] of ['q', 'k', 'v'].entries()) {
        const pass = run([['patch_read', 1, 0, which]], names);
        for (const name of ['q', 'k', 'v']) {
            const found = of(pass, name, 1);
            const size = found.length / pass.tensor(name, 1).shape[0];
            const expected = (name === tensor ? there : here)[name].slice(0, size);
            assert.deepEqual(found.slice(0, size), expected, name);
            assert.deepEqual(found.slice(size), here[name].slice(size), 'other heads stay');
        }
        pass.release();
    }
    const pass = run([['patch_mlp', 1]], names);
    assert.deepEqual(of(pass, 'mlp_out', 1), there.mlp_out);
    assert.deepEqual(of(pass, 'q', 1), here.q);
    pass.release();
    const refused = (change, wanted) => assert.throws(() => session.change([change]), wanted);
    refused(['patch_read', 1, 0, 3], /a head reads 0 \(q\), 1 \(k\) and 2 \(v\), not 3/);
    refused(['patch_read', 1, 99, 0], /layer 1 has no head 99/);
    refused(['patch_mlp', 9], /layer 9 has no MLP/);
    session.patchFrom(run([], ['hidden', 'context', 'embeddings']), null);
    refused(['patch_read', 1, 0, 1], /has not kept k; run it with keep "k"/);
    refused(['patch_mlp', 1], /has not kept mlp_out/);
});
