/* cards - the numbers on a head's card against the same worked out plainly from the attention and the
 * logits of the engine; the glossary: every term is found in its own language, marked once, and the same
 * terms are explained in all languages.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {allWords, LANGUAGES, words} from '../../web/words/languages.js';
import {defaults, update} from '../../web/state/state.js';
import {divergence, effectOf, factsOf} from '../../web/cards/facts.js';
import {createMarks} from '../../web/cards/marks.js';
import {needName} from '../../web/views/needs.js';
import {openModel, root} from './lib/model.mjs';

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

test('what changes without a head: Jensen-Shannon of the predictions, as worked out plainly', async () => {
    assert.equal(divergence([1, 0], [1, 0]), 0);
    assert.ok(Math.abs(divergence([1, 0], [0, 1]) - Math.LN2) < 1e-12);
    const {model, tokens, run} = await shownOf('The cat sat on the mat.', '');
    const logits = off => Float32Array.from(run(off).tensor('mlm_logits', 0).data);
    const both = [logits([]), logits([['head', 0, 6]])];
    const asked = [];
    const engine = {
        run: ({input, want}) => {
            asked.push(input.changes);
            const at = input.changes.length ? 1 : 0;
            const fills = tokens.map((_, index) => ({
                index,
                words: [{piece: `w${at}`, probability: 0.5}],
            }));
            return {
                pass: asked.length,
                answers: want.map(one =>
                    one.tensor ? {data: both[at], shape: [tokens.length, model.vocab]} : fills,
                ),
            };
        },
        released: [],
        release({pass}) {
            this.released.push(pass);
        },
    };
    const state = update(defaults, {text: 'The cat sat on the mat.', textB: ''});
    const effect = await effectOf(
        {beside: () => ({engine, model: 1})},
        {model, pass: {tokens}},
        state,
        {layer: 0, head: 6},
    );
    assert.deepEqual(asked, [[], [['head', 0, 6]]]);
    assert.deepEqual(engine.released, [1, 2]);
    const each = tokens.map((_, i) => {
        const [p, q] = both.map(all => {
            const row = Array.from(all.subarray(i * model.vocab, (i + 1) * model.vocab), Math.exp);
            const sum = row.reduce((a, b) => a + b, 0);
            return row.map(value => value / sum);
        });
        const kl = (a, b) => a.reduce((sum, x, j) => sum + (x > 0 ? x * Math.log(x / b[j]) : 0), 0);
        const m = p.map((x, j) => (x + q[j]) / 2);
        return (kl(p, m) + kl(q, m)) / 2;
    });
    assert.ok(Math.abs(effect.moved - each.reduce((a, b) => a + b, 0) / each.length) < 1e-6);
    assert.ok(effect.moved > 1e-4, `switching a head off moves something: ${effect.moved}`);
    assert.equal(effect.most.index, each.indexOf(Math.max(...each)));
    // of a head that is off: with it first, then without
    await effectOf(
        {beside: () => ({engine, model: 1})},
        {model, pass: {tokens}},
        update(state, {off: ['0.6']}),
        {layer: 0, head: 6},
    );
    assert.deepEqual(asked.slice(2), [[], [['head', 0, 6]]]);
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
