/* cards - the numbers on a head's card against the same worked out plainly from the attention and the
 * logits of the engine; the glossary: every term is found in its own language, marked once, and the same
 * terms are explained in all languages.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {allWords, LANGUAGES, words} from '../../web/words/languages.js';
import {defaults, update} from '../../web/state/state.js';
import {effectOf, factsOf} from '../../web/cards/facts.js';
import {createMarks} from '../../web/cards/marks.js';
import {patternsOf, ranking} from '../../web/views/find/numbers.js';
import {needName} from '../../web/views/needs.js';
import {PATTERNS, verdictOf} from '../../web/views/parts/six_patterns.js';
import {instantiate} from '../../web/worker/wasm.js';
import {loadFolder, openModel, root} from './lib/model.mjs';

const glossaryOf = async code => (await words(code, 'cards')).glossary;
const TERMS = {
    en: 'A query looks at a key; softmax, [SEP], entropy and LayerNorm.',
    zh: '查询看键；softmax、[SEP]、熵与 LayerNorm。',
};

/** A session with a text, and what the card needs of the page's. */
async function shownOf(text, textB, changes = []) {
    const opened = await openModel(`${root}models/mini-en`, 'q8');
    const {session, model} = opened;
    const run = (off, release) => {
        session.tokenize(text, textB || null);
        session.change([...changes, ...off]);
        if (release) opened.pass = null;
        return opened.run('fast');
    };
    const pass = run([]);
    const tokens = session
        .tokens()
        .map(token => ({...token, piece: session.tokenText(token.id), special: token.word < 0}));
    return {session, model, pass, run, tokens};
}

test('a card says where a head looks, against uniform attention, its role and its nearest heads', async () => {
    const {model, pass, tokens} = await shownOf(defaults.text, defaults.textB);
    const collect = async needs =>
        new Map(
            needs.map(need => {
                const {data, shape} =
                    need.tensor !== undefined
                        ? pass.tensor(need.tensor, need.layer)
                        : {data: pass.measure(need.measure, need.args), shape: []};
                return [needName(need), {data: Float32Array.from(data), shape}];
            }),
        );
    const shown = {model, pass: {tokens, texts: [], milliseconds: 1}};
    const facts = await factsOf({collect}, shown, {layer: 0, head: 6}, 3);
    const {data, shape} = pass.tensor('attention', 0);
    const T = shape[1];
    const weight = (i, j) => data[(6 * T + i) * T + j];
    const next = facts.measures.find(({name}) => name === 'next');
    // the last token has none
    const mean = [...tokens.keys()].slice(0, -1).reduce((sum, i) => sum + weight(i, i + 1), 0) / T;
    assert.ok(Math.abs(next.value - mean) < 1e-5, `${next.value} and ${mean}`);
    assert.ok(next.value / next.even > 10, 'the next-word head');
    const entropy =
        [...tokens.keys()].reduce(
            (sum, i) =>
                sum -
                [...tokens.keys()].reduce(
                    (row, j) =>
                        row + (weight(i, j) > 0 ? weight(i, j) * Math.log(weight(i, j)) : 0),
                    0,
                ),
            0,
        ) / T;
    assert.ok(Math.abs(facts.entropy.value - entropy) < 1e-4);
    assert.ok(Math.abs(facts.entropy.even - Math.log(T)) < 1e-5);
    assert.deepEqual(facts.roles[0].role, 'local');
    assert.ok(facts.roles[0].has && facts.roles.slice(1).every(({has}) => !has));
    const distances = pass.measure('distances');
    const [near] = facts.near;
    const row = distances.subarray(6 * 48, 7 * 48);
    assert.equal(near.distance, Math.min(...row.filter((_, i) => i !== 6)));
    assert.ok(facts.near.every(({layer, head}) => layer !== 0 || head !== 6));
    assert.ok(Math.max(...facts.picture) > 0.9);
});

test('the ranking, the map and the card say the same of every head', async () => {
    const texts = [
        ['I went to the store.', ''],
        [defaults.text, defaults.textB],
        ['The cat sat on the mat.', 'The cat lay on the rug.'],
    ];
    for (const [text, textB] of texts) {
        const {model, pass, tokens} = await shownOf(text, textB);
        const of = ({measure, args}) => ({data: Float32Array.from(pass.measure(measure, args))});
        const collect = async needs => new Map(needs.map(need => [needName(need), of(need)]));
        const shown = {model, pass: {tokens, texts: [], milliseconds: 1}};
        const tensors = await collect([{measure: 'patterns'}, {measure: 'even'}]);
        const data = {...shown, tensors};
        const onMap = patternsOf(data);
        const ranked = PATTERNS.map(ask => ranking({...defaults, ask}, data));
        for (const [i, own] of onMap.entries()) {
            const place = {layer: Math.floor(i / model.heads), head: i % model.heads};
            const where = `L${place.layer}·H${place.head} of “${text}”`;
            const {pattern} = await factsOf({collect}, shown, place, 3);
            assert.deepEqual(pattern, own, where);
            const said = PATTERNS.filter((_, p) => {
                const row = ranked[p].find(one => one.layer * model.heads + one.head === i);
                const known = row.even > 0 && row.even < 0.9999;
                return known && verdictOf(row.weight, row.even) !== 'none';
            });
            assert.equal(own === null, said.length === 0, where);
            assert.ok(own === null || said.includes(own.name), where);
        }
    }
});

test('what changes without a head: Jensen-Shannon of the predictions, as worked out plainly', async () => {
    const text = 'The cat sat on the mat.';
    const wasm = await instantiate(readFileSync(`${root}build/out/wasm/headlight-full.wasm`));
    const {session, model} = loadFolder(`${root}models/mini-en`, 'q8', wasm);
    const logits = off => {
        session.tokenize(text, null);
        session.change(off);
        const pass = session.run({precision: 'fine', keep: ['*'], over: null});
        const {data} = pass.tensor('mlm_logits', 0);
        pass.release();
        return Float32Array.from(data);
    };
    const both = [logits([]), logits([['head', 0, 6]])];
    const each = session.tokens().map((_, i) => {
        const [p, q] = both.map(all => {
            const row = Array.from(all.subarray(i * model.vocab, (i + 1) * model.vocab), Math.exp);
            const sum = row.reduce((a, b) => a + b, 0);
            return row.map(value => value / sum);
        });
        const kl = (a, b) => a.reduce((sum, x, j) => sum + (x > 0 ? x * Math.log(x / b[j]) : 0), 0);
        const m = p.map((x, j) => (x + q[j]) / 2);
        return (kl(p, m) + kl(q, m)) / 2;
    });
    const asked = [];
    const ask = async (question, {off}) => {
        asked.push(off);
        session.interveneBegin({...question, text});
        session.interveneStep(0, 1);
        return JSON.parse(session.interveneAnswer({}));
    };
    const state = update(defaults, {text, textB: ''});
    const effect = await effectOf({ask}, state, {layer: 0, head: 6});
    const mean = each.reduce((a, b) => a + b, 0) / each.length;
    assert.ok(Math.abs(effect.moved - mean) < 1e-3 * mean, `${effect.moved}, not ${mean}`);
    assert.ok(effect.moved > 1e-4, `switching a head off moves something: ${effect.moved}`);
    const {index, before, after} = effect.most;
    assert.equal(index, each.indexOf(Math.max(...each)));
    const best = all => {
        const row = all.subarray(index * model.vocab, (index + 1) * model.vocab);
        return session.tokenText(row.indexOf(Math.max(...row)));
    };
    assert.deepEqual([before.piece, after.piece], both.map(best));
    // of a head that is off: with it first, then without
    await effectOf({ask}, update(state, {off: ['0.6', '1.2']}), {layer: 0, head: 6});
    assert.deepEqual(asked, [[], ['1.2']]);
});

test('of labels the most probable one before; of vectors how far they turn', async () => {
    const of = answer => effectOf({ask: async () => answer}, defaults, {layer: 0, head: 0});
    const labels = [
        {label: 'no', before: 0.25, after: 0.75},
        {label: 'yes', before: 0.75, after: 0.25},
    ];
    const effects = [{moved: 0.5}];
    assert.deepEqual(await of({outputs: 'labels', labels, effects}), {
        ...{kind: 'labels', moved: 0.5},
        ...labels[1],
    });
    assert.deepEqual(await of({outputs: 'vectors', effects}), {kind: 'hidden', moved: 0.5});
});

/** The marks of a text, as [id, word]. */
const marksIn = parts =>
    (Array.isArray(parts) ? parts : []).flatMap(part =>
        part?.props?.['data-term']
            ? [[part.props['data-term'], part.props.children]]
            : marksIn(part?.props?.children),
    );
const plain = parts =>
    Array.isArray(parts) ? parts.map(part => plain(part?.props?.children ?? part)).join('') : parts;

test('the glossary explains the same terms in all languages, each in one sentence', async () => {
    const english = await glossaryOf('en');
    for (const {code} of LANGUAGES) {
        const {terms, bounded} = await glossaryOf(code);
        assert.deepEqual(
            terms.map(({id}) => id),
            english.terms.map(({id}) => id),
            code,
        );
        for (const {id, find, says} of terms) {
            assert.ok(says.length > 8 && says.length < 140, `${code}.${id}: ${says.length}`);
            assert.doesNotThrow(() => new RegExp(find, 'iu'), `${code}.${id}`);
            assert.ok(!says.includes('\n'));
        }
        assert.equal(typeof bounded, 'boolean');
        const {say} = createMarks(await words(code, 'cards'));
        const marks = marksIn(say(TERMS[code])).map(([id]) => id);
        assert.deepEqual(marks, ['softmax', 'sep', 'entropy', 'norm'], code);
        assert.equal(plain(say(TERMS[code])), TERMS[code]);
    }
});

test('a term is marked once in a block, few in all, and no part of another word', async () => {
    const {say} = createMarks(await words('en', 'cards'));
    assert.deepEqual(marksIn(say('A head, two heads, three heads.')), [['head', 'head']]);
    const [, mark] = say('A head, two heads, three heads.');
    assert.equal(plain([mark]), 'head,', 'the comma begins no line');
    const said = new Set();
    assert.equal(marksIn(say('entropy', said)).length, 1);
    assert.equal(say('entropy again', said), 'entropy again');
    assert.equal(say('The monkeys headed overlayers.'), 'The monkeys headed overlayers.');
    assert.equal(say('with the arrow keys'), 'with the arrow keys');
    assert.equal(say('nothing to explain'), 'nothing to explain');
    const many = marksIn(say('softmax, entropy, nats, sieve, rollout, LayerNorm, UAS'));
    assert.equal(many.length, 4);
});

test('words that a page says hold terms in every language: how-to of the views', async () => {
    for (const {code} of LANGUAGES) {
        const {say} = createMarks(await words(code, 'cards'));
        const t = await allWords(code);
        for (const lines of [t.head.howTo, t.neuron.howTo, t.modelView.howTo])
            assert.ok(
                lines.some(line => marksIn(say(line)).length > 0),
                `${code}: ${lines[0]}`,
            );
    }
});
