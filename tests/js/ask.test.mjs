/* Questions to an index as text and as objects, and what is found in its sentence, without a browser: how
 * a link or a command line reads, what is marked, where a long sentence is cut.
 */
import {brushed, nearestTo, printed, rankIn, withBeside} from '../../web/views/study/ask/heads.js';
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {studies as en} from '../../web/words/en/studies.js';
import {studies as zh} from '../../web/words/zh/studies.js';
import {askStudy} from '../../web/views/study/ask/view.js';
import {defaults, update} from '../../web/state/state.js';
import {askedBy, isWhole, readQuestion, writeQuestion} from '../../web/views/study/ask/question.js';
import {contextOf, opened} from '../../web/views/study/ask/rows.js';

test('a question is read as the command line reads it, and written again', () => {
    const text =
        'head layer=1 head=8 query.word=3 query.pos=ADV key.relation=obj offset=-3:-1 weight=0.3';
    const question = {
        ...{ask: 'head', layer: 1, head: 8, offset: [-3, -1], weight: 0.3},
        ...{query: {word: '3', pos: 'ADV'}, key: {relation: 'obj'}},
    };
    assert.deepEqual(readQuestion(text), question);
    assert.deepEqual(readQuestion(writeQuestion(question)), question);
    assert.deepEqual(readQuestion('like at=2,3 heads=0,4'), {
        ask: 'like',
        at: [2, 3],
        heads: [0, 4],
    });
    assert.equal(writeQuestion({ask: 'head', head: 0, query: {word: undefined}}), 'head head=0');
});

test('what is no question is passed on to be refused', () => {
    assert.deepEqual(readQuestion('head layer=x foo'), {ask: 'head', layer: 'x', foo: ''});
    assert.deepEqual(readQuestion(''), {ask: ''});
});

test('without a question it is of the head that was looked at', () => {
    const state = update(defaults, {layer: 2, heads: [5]});
    assert.deepEqual(askedBy(state), {ask: 'head', layer: 2, head: 5});
    const opened = update(state, {opened: '1.3'});
    assert.deepEqual(askedBy(opened), {ask: 'head', layer: 1, head: 3});
    assert.deepEqual(askedBy(update(opened, {asked: 'find word=it'})), {ask: 'find', word: 'it'});
    assert.equal(isWhole(askedBy(opened)), true);
    assert.equal(isWhole(readQuestion('head layer=1 head=3 query.word=it')), false);
});

const marked = row =>
    contextOf(row)
        .map(({text, mark}) => (mark ? `<${mark} ${text}>` : text))
        .join('');

test('query and key are marked in their sentence; places are code points', () => {
    const text = '𝒳 cats saw it.';
    const [cats, it] = [
        {token: 2, part: 0, from: 2, to: 6},
        {token: 4, part: 0, from: 11, to: 13},
    ];
    assert.equal(marked({text, query: it, key: cats}), '𝒳 <key cats> saw <query it>.');
    assert.equal(marked({text, query: it, key: it}), '𝒳 cats saw <both it>.');
    assert.equal(marked({text, match: cats}), '𝒳 <query cats> saw it.');
    assert.equal(
        marked({text, query: {token: 0, added: '[CLS]'}, key: {token: 6, added: '[SEP]'}}),
        '<query [CLS]> 𝒳 cats saw it. <key [SEP]>',
    );
    assert.equal(
        marked({
            text: 'One.',
            text_b: 'Two.',
            query: {token: 1, part: 0, from: 0, to: 3},
            key: {token: 4, part: 1, from: 0, to: 3},
        }),
        '<query One>. / <key Two>.',
    );
});

test('a row opens its sentence with the pair marked, whatever was shown before', () => {
    const before = update(defaults, {
        ...{
            text: 'Old.',
            textB: 'Pair.',
            picked: [1],
            side: 'key',
            marks: ['1.2:mine'],
            off: ['0.1'],
        },
        ...{heading: 'Mine', specials: false, top: 50, desk: 'corpus'},
    });
    const model = {layers: 6};
    const row = {text: 'One two.', query: {token: 2}, key: {token: 0, added: '[CLS]'}};
    const shown = update(before, opened(row, {question: {ask: 'head', layer: 1, head: 8}, model}));
    assert.deepEqual([shown.text, shown.textB, shown.layer, shown.heads], ['One two.', '', 1, [8]]);
    assert.deepEqual([shown.picked, shown.side, shown.marks], [[2], 'query', ['2.0:']]);
    assert.deepEqual([shown.specials, shown.top, shown.off, shown.heading], [true, 100, [], '']);
    const found = {text: 'A', text_b: 'B', match: {token: 3}};
    const other = update(before, opened(found, {question: {ask: 'find', word: 'b'}, model}));
    assert.deepEqual([other.layer, other.heads, other.picked, other.marks], [5, [], [3], []]);
    assert.equal(other.textB, 'B');
});

test('a long sentence is cut at words around what is marked', () => {
    const text = `${'left '.repeat(40)}HERE ${'right '.repeat(40)}`;
    const shown = marked({text, match: {token: 41, part: 0, from: 200, to: 204}});
    assert.match(
        shown,
        /^… left (left )+<query HERE> (right )+…$|^… left (left )+<query HERE> (right )*right …$/,
    );
    assert.ok(shown.length < 150);
    for (const more of [0, 1]) {
        const before = `${'word '.repeat(9)}in${'x'.repeat(more)} `;
        const row = {
            text: `${before}HERE`,
            match: {token: 10, part: 0, from: 48 + more, to: 52 + more},
        };
        assert.equal(
            marked(row).startsWith('…'),
            more === 1,
            'cut only where there is no room for all',
        );
    }
});

const HEADS = [
    {layer: 0, head: 0, weight: 0.2, moved: 1, alike: 0.1},
    {layer: 0, head: 1, weight: 0.9, moved: 3, alike: 1},
    {layer: 1, head: 0, weight: 0.5, moved: 3, alike: 0.4},
    {layer: 1, head: 1, weight: 0.5, moved: 2, alike: 0.4},
];

test('a head has its rank among all, and the heads that look at the same keys most often', () => {
    assert.equal(rankIn(HEADS, 'weight', HEADS[1]), 1);
    assert.equal(rankIn(HEADS, 'moved', HEADS[2]), 1);
    assert.equal(rankIn(HEADS, 'weight', HEADS[0]), 4);
    assert.deepEqual(nearestTo(HEADS, HEADS[1]), [HEADS[2], HEADS[3], HEADS[0]]);
});

test('entropy and importance come from the studies beside, in points, and only where all heads have them', () => {
    const model = {heads: 2};
    const importance = {measures: ['probability'], mean: [[0.1, -0.002, 0, 0.5]]};
    const patterns = {measures: ['next', 'entropy'], mean: [[], [1, 2, 3, 4]]};
    const [, second] = withBeside(HEADS, {model, beside: {importance, patterns}});
    assert.deepEqual([second.entropy, printed('importance', second.importance)], [2, '\u22120.20']);
    const few = {measures: ['probability'], mean: [[0.1, null, 0, 0.5]]};
    assert.deepEqual(withBeside(HEADS, {model, beside: {importance: few}}), HEADS);
    assert.deepEqual(withBeside(HEADS, {model}), HEADS);
});

test('a rectangle holds the heads between its corners, whichever way it was drawn', () => {
    const frame = {axes: ['weight', 'moved'], x: [0, 1], y: [0, 4]};
    const [from, to] = [
        {x: 0.4, y: 0.4},
        {x: 1, y: 0.8},
    ];
    assert.deepEqual(brushed(HEADS, frame, {from, to}), HEADS.slice(1));
    assert.deepEqual(brushed(HEADS, frame, {from: to, to: from}), HEADS.slice(1));
    assert.deepEqual(brushed(HEADS, frame, {from, to: {x: 0.6, y: 0.6}}), [HEADS[3]]);
});

/** What the page has of an answer of two sentences, whose labels have these claims. */
const dataOf = (t, claims, question, row, tested = true) => ({
    answer: {
        question: {ask: 'head', layer: 0, head: 1, query: {pos: 'NOUN'}, ...question},
        ...{matches: 3, candidates: 40},
        rows: [0, 1].map(rank => ({rank, sentence: rank, text: 'a cat', ...row})),
        bars: [
            {
                ...{of: 'query', by: 'word', matches: 3, sentences: 3, others: 0, tested, count: 1},
                labels: claims.map(claim => ({
                    ...{label: 'pilot', count: 2, share: 0.05, base: 0.001, lift: 50},
                    ...{low: 5, high: 90, p: 0.04, adjusted: 0.2, claim},
                })),
            },
        ],
        about: {tags: [], relations: [], vectors: [0], tokens: 40, bytes: 9, layers: 2, heads: 2},
    },
    ...{model: {layers: 2, heads: 2}, modelName: 'tiny', otherName: '', drawn: '', part: ''},
    ...{theme: 'light', width: 600, t: {...t, size: String}, items: 2},
    corpus: {name: 'Sentences', about: {}},
});

test('what is not surely above chance is said as such, since an interval beside it may be above 1', () => {
    const says = (t, ...more) => askStudy.describe(defaults, dataOf(t, ...more), t);
    assert.match(says(en, [null, null]), /Of 2 bars tested together, none is surely above chance/);
    assert.match(says(zh, [null, null]), /一起检验的 2 个条形中，没有哪个确定/);
    // above chance, and only too rare for the sentence
    for (const t of [en, zh]) assert.ok(says(t, ['more', null]).endsWith(t.ask.little));
    assert.doesNotMatch(says(en, [null], {}, {}, false), /chance/, 'nothing was tested');
});

test('the list says what it is sorted by: what is moved, or the cosine', () => {
    const on = {set() {}, ask() {}, beside() {}};
    const drawn = (t, ...more) =>
        renderToString(askStudy.render(defaults, dataOf(t, [null], ...more), on));
    for (const t of [en, zh]) {
        const {moved, cosine} = t.ask.sorted;
        assert.ok(drawn(t, {}, {weight: 0.9, moved: 5, query: {token: 1}}).includes(moved));
        const like = {ask: 'like', at: [0, 1]};
        assert.ok(drawn(t, like, {cosine: 0.9, match: {token: 1}}).includes(cosine));
        const sample = drawn(t, {show: 'random'}, {weight: 0.9, moved: 5, query: {token: 1}});
        assert.ok(!sample.includes(moved), 'a sample is not the first of a list');
    }
});
