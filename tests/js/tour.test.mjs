/* The guided tour: its measures in C against a plain reckoning and against heads made to show one
 * pattern purely, the search for the head, what is said where a text has nothing to measure, and
 * the words of both languages. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {before, test} from 'node:test';
import {first} from '../../web/words/en/first.js';
import {first as firstZh} from '../../web/words/zh/first.js';
import {lessons as en} from '../../web/words/en/lessons.js';
import {lessons as zh} from '../../web/words/zh/lessons.js';
import {tourNeeds} from '../../web/views/needs.js';
import {CLEARLY, example, findHead, PARTLY, STEPS} from '../../web/views/parts/six_patterns.js';
import {openModel, root} from './lib/model.mjs';

// [CLS] i went . [SEP] i bought straw ##berries . [SEP]: id, sentence with its delimiter, word
const ROWS = [
    [1, 0, -1],
    [5, 0, 0],
    [6, 0, 1],
    [7, 0, 2],
    [2, 0, -1],
    [5, 1, 0],
    [8, 1, 1],
    [9, 1, 2],
    [10, 1, 2],
    [7, 1, 3],
    [2, 1, -1],
];
const T = ROWS.length;
const tokens = ROWS.map(([id, type, word]) => ({
    id,
    type,
    word,
    piece: `${id}`,
    sentence: word < 0 ? -1 : type,
}));
const copies = {1: [1, 5], 5: [1, 5], 3: [3, 9], 9: [3, 9]};
const near = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-6, `${what}: ${a}, not ${b}`);

let measure;
let model;
before(async () => {
    const opened = await openModel(`${root}models/mini-en`, 'q8');
    model = opened.model;
    measure = (heads, rows = ROWS) => {
        const columns = Int32Array.from([0, 1, 2].flatMap(column => rows.map(row => row[column])));
        const adopted = opened.session.adopt({
            sizes: [1, heads.length, rows.length],
            attention: Float32Array.from(heads.flat(2)),
            columns,
        });
        const [values, even] = ['patterns', 'even'].map(name => adopted.measure(name));
        adopted.release();
        const of = (name, head) => values[model.patterns.indexOf(name) * heads.length + head];
        return {of, even: name => even[model.patterns.indexOf(name)], values, evens: even};
    };
});

/** A head from what each query looks at: a list of keys that share evenly. */
const looking = at =>
    Array.from({length: T}, (_, i) => {
        const keys = at(i);
        return Array.from({length: T}, (_, j) => (keys.includes(j) ? 1 / keys.length : 0));
    });
const own = i => ROWS.flatMap(([, type], j) => (type === ROWS[i][1] ? [j] : []));

test('a head that shows one pattern purely has its measure at 1', () => {
    const pure = {
        copies: looking(i => copies[i] ?? [i]),
        same_word_across: looking(i => copies[i]?.filter(j => j !== i) ?? [0]),
        partner: looking(i => ({7: [8], 8: [7]})[i] ?? [0]),
        delimiter: looking(() => [4, 10]),
        own_sentence: looking(own),
    };
    const {of} = measure(Object.values(pure));
    Object.keys(pure).forEach((name, head) => near(of(name, head), 1, name));
});

test('heads that only resemble a pattern do not pass for it', () => {
    const {of} = measure([
        looking(i => [Math.min(i + 1, T - 1)]),
        looking(i => [Math.max(i - 1, 0)]),
        looking(i => [i]),
    ]);
    near(of('next', 0), 1 - 1 / T, 'next, but for the last token');
    near(of('previous', 1), 1 - 1 / T, 'previous, but for the first token');
    near(of('partner', 0), 0, 'the next token is no partner: ##berries does not look back');
    near(of('partner', 1), 0, 'nor the previous one');
    near(of('copies', 2), 0.5, 'looking at itself alone is half of the pattern');
    near(of('own_sentence', 2), (5 * (1 / 5) + 6 * (1 / 6)) / T, 'nor is it a bag of words');
});

test('measures of any attention equal a plain reckoning', () => {
    let seed = 7;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const head = Array.from({length: T}, () => {
        const row = Array.from({length: T}, random);
        const sum = row.reduce((a, b) => a + b);
        return row.map(value => value / sum);
    });
    const {of} = measure([head]);
    const mean = list => list.reduce((a, b) => a + b, 0) / list.length;
    const share = (i, keys) => keys.reduce((sum, j) => sum + head[i][j], 0);
    const overlap = (i, keys) =>
        keys.reduce((sum, j) => sum + Math.min(head[i][j], 1 / keys.length), 0);
    near(of('delimiter', 0), mean(head.map((_, i) => share(i, [0, 4, 10]))), 'delimiter');
    near(of('copies', 0), mean([1, 3, 5, 9].map(i => overlap(i, copies[i]))), 'copies');
    near(
        of('same_word_across', 0),
        mean(
            [1, 3, 5, 9].map(i =>
                share(
                    i,
                    copies[i].filter(j => j !== i),
                ),
            ),
        ),
        'across',
    );
    near(of('partner', 0), Math.min(head[7][8], head[8][7]), 'partner');
    near(of('own_sentence', 0), mean(head.map((_, i) => overlap(i, own(i)))), 'own');
    near(
        of('entropy', 0),
        mean(head.map(row => -row.reduce((sum, a) => sum + a * Math.log(a), 0))),
        'entropy',
    );
});

test('two split words count alike, of a word in three pieces the least giver counts', () => {
    const rows = [
        [3, 0, 0],
        [4, 0, 0],
        [5, 0, 1],
        [6, 0, 2],
        [7, 0, 2],
        [8, 0, 2],
    ];
    const head = rows.map((_, i) => rows.map((_, j) => (j === [1, 0, 2, 4, 3, 5][i] ? 1 : 0)));
    near(
        measure([head], rows).of('partner', 0),
        (1 + 0) / 2,
        'the last piece of the second word looks at itself',
    );
});

test('rows without any attention do not count', () => {
    const {of} = measure([
        looking(i => (i < 5 ? [i + 1] : [])).map(row => row.map(value => value || 0)),
    ]);
    near(of('next', 0), 1, 'mean over the five rows that look');
});

test('uniform attention is what a head that looks at all alike would have', () => {
    const {of, even} = measure([looking(() => ROWS.map((_, j) => j))]);
    for (const name of model.patterns) near(of(name, 0), even(name), name);
});

const tensors = (values, evens) => [
    {data: Float32Array.from(values), shape: [1, 2, 2]},
    {data: Float32Array.from(evens), shape: [1]},
];
const find = (values, even, names = ['next']) =>
    findHead(STEPS[0], {patterns: names, layers: 2, heads: 2}, ...tensors(values, [even]));

test('the head with the largest value is found, with its strength between uniform attention and the pure pattern', () => {
    const found = find([0.1, 0.2, 0.9, 0.3], 0.1);
    assert.deepEqual([found.layer, found.head, found.verdict], [1, 0, 'clearly']);
    near(found.strength, 0.8 / 0.9, 'strength');
    near(found.least, 0.1 + PARTLY * 0.9, 'the mark');
    assert.equal(find([0, 0, 0, 0.1 + 0.9 * (CLEARLY - 0.01)], 0.1).verdict, 'partly');
    assert.equal(find([0, 0, 0, 0.1 + 0.9 * (PARTLY - 0.01)], 0.1).verdict, 'none');
});

test('where there is nothing to measure, nothing is found', () => {
    assert.equal(find([0, 0, 0, 0], 0), null, 'no such pair in the text');
    assert.equal(find([1, 1, 1, 1], 1), null, 'all keys belong: one sentence');
    assert.equal(find([1, 1, 1, 1], 0.5, ['other']), null, 'a model without the measure');
});

test('the example is the strongest link of the pattern', () => {
    const attention = {
        data: Float32Array.from(looking(i => copies[i] ?? [i]).flat()),
        shape: [1, T, T],
    };
    const step = id => STEPS.find(row => row.id === id);
    assert.deepEqual(example(step('across'), tokens, attention, 0), {
        query: 1,
        key: 5,
        weight: 0.5,
    });
    assert.equal(example(step('next'), tokens, attention, 0), null);
    assert.equal(example(step('next'), tokens, undefined, 0), null);
    for (const {belongs} of STEPS) assert.equal(typeof belongs(tokens, 0, 1), 'boolean');
});

test('on the shipped model: next and previous word clearly, pieces of a word not at all', async () => {
    const one = await openModel(`${root}models/mini-en`, 'q8'),
        {session} = one;
    session.tokenize('I went to the store.', 'At the store, I bought fresh strawberries.');
    const run = one.run();
    const [measures, evens] = ['patterns', 'even'].map(name => ({
        data: run.measure(name),
        shape: [],
    }));
    const verdicts = STEPS.map(step => {
        const {layer, head, verdict} = findHead(step, model, measures, evens);
        return `${step.id} ${layer}.${head} ${verdict}`;
    });
    assert.deepEqual(verdicts, [
        'next 0.6 clearly',
        'previous 1.0 clearly',
        'copies 2.0 none',
        'across 2.7 none',
        'partner 0.7 none',
        'delimiter 2.7 partly',
        'own 0.3 partly',
    ]);
});

const lesson = JSON.parse(readFileSync(`${root}web/lessons/data/patterns.json`, 'utf8'));

test('the steps of the lesson work with the models of the page: one of their texts shows it', async () => {
    const {texts, say} = lesson.steps.find(({pattern}) => pattern === 'partner');
    // a bag of words is agreement with an even spread, of which these have less: that is said
    const shown = lesson.steps.filter(({pattern}) => pattern !== 'own');
    for (const name of ['mini4-en', 'mini2-en', 'mini-en']) {
        const one = await openModel(`${root}models/${name}`, 'q8');
        const verdictOf = (pattern, [text, textB]) => {
            one.session.tokenize(text, ...(textB ? [textB] : []));
            const run = one.run('fast');
            const [measures, evens] = ['patterns', 'even'].map(measured => ({
                data: run.measure(measured),
            }));
            const step = STEPS.find(({id}) => id === pattern);
            return findHead(step, one.model, measures, evens)?.verdict;
        };
        for (const {pattern, texts: all} of shown)
            assert.ok(
                all.some(text => /clearly|partly/.test(verdictOf(pattern, text))),
                `${name}: ${pattern}`,
            );
        const [straw, ...others] = texts.map(text => verdictOf('partner', text));
        assert.equal(straw, 'none', `${name}: straw`);
        assert.ok(others.includes('partly') || others.includes('clearly'));
        for (const said of Object.values(say)) assert.ok(said.includes(name), said);
    }
});

test('what leads to the lesson does not count its steps', () => {
    for (const {entrances} of [first, firstZh])
        assert.doesNotMatch(entrances({}).patterns[1], /six|seven|\d|六|七/);
});

test('a lesson asks for its measures only while it is on', () => {
    assert.deepEqual(tourNeeds({tour: -1}), []);
    assert.deepEqual(
        tourNeeds({tour: 0}).map(({measure}) => measure),
        ['patterns', 'even', 'sieves'],
    );
});

test('all languages say of each pattern where it cannot be measured, and each verdict', () => {
    for (const {pattern} of [en, zh]) {
        assert.deepEqual(
            Object.keys(pattern.absent),
            STEPS.map(({id}) => id),
        );
        for (const verdict of ['clearly', 'partly', 'none'])
            assert.ok(pattern.verdict(verdict, 'X').includes('X'));
    }
});
