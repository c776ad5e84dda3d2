/* The view "what changes" without a browser: numbers before and after, words that cannot be put in,
 * table, snapshots.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {layoutHeat} from '../../web/draw/blocks/heat.js';

import {outputSaid, points} from '../../web/views/change/predictions.js';
import {signed, signedInk} from '../../web/draw/marks/signed.js';
import {textWidth} from '../../web/draw/tokens.js';
import {wrapText} from '../../web/draw/wrap.js';
import {en, zh} from './lib/words.mjs';
import {changeView} from '../../web/views/change/view.js';
import {layoutGrid, short} from '../../web/views/change/grid.js';
import {
    isChanged,
    largestChanges,
    mapOf,
    movedAt,
    predictions,
    turned,
    shifts,
    spots,
    THUMB,
} from '../../web/views/change/numbers.js';
import {bounded} from '../../web/views/change/predictions.js';
import {allNeeds, isReady, needName} from '../../web/views/needs.js';
import {snapshot} from './lib/snapshot.mjs';

const [L, H, T] = [2, 2, 4];
const PIECES = ['[CLS]', 'straw', '##berries', '[SEP]'];

/** Every query of head h looks at key h; after the change, query 1 of head 1 looks at key 3. */
function attention(changed) {
    const data = new Float32Array(H * T * T);
    for (let head = 0; head < H; head++)
        for (let query = 0; query < T; query++) data[(head * T + query) * T + head] = 1;
    if (changed) [data[(T + 1) * T + 1], data[(T + 1) * T + 3]] = [0.25, 0.75];
    return {data, shape: [H, T, T]};
}

function pictures() {
    const data = new Float32Array(L * H * THUMB * THUMB);
    for (let i = 0; i < THUMB; i++)
        [data[3 * THUMB * THUMB + i * THUMB], data[3 * THUMB * THUMB + i * THUMB + 5]] = [
            0.5, -0.75,
        ];
    return {data, shape: [L, H, THUMB, THUMB]};
}

const look = {width: 480, theme: 'light', focus: null};
const word = (id, piece, probability) => ({id, piece, probability});
const data = {
    model: {layers: L, heads: H, special: {mask: 4}},
    pass: {
        tokens: PIECES.map((piece, i) => ({id: 10 + i, piece, sentence: i < 2 ? 0 : 1})),
        nextSentence: [0.25, 0.75],
        puts: [
            {position: 1, word: 'dog', id: 7, pieces: ['dog']},
            {position: 2, word: 'tree house', id: -1, pieces: ['tree', 'house']},
        ],
    },
    tensors: new Map([
        ['attention.1', attention(true)],
        ['measure.earlier.1', attention(false)],
        ['measure.shift', {data: Float32Array.from([0, 0, 0, 0.1875]), shape: [L, H]}],
        [`measure.shifts.${THUMB}`, pictures()],
    ]),
    fills: [{index: 1, words: [word(1, 'a', 0.5), word(2, 'b', 0.25)]}],
    before: {
        nextSentence: [0.75, 0.25],
        fills: [{index: 1, words: [word(2, 'b', 0.75), word(3, 'c', 0.125)]}],
    },
};
const state = {
    layer: 1,
    heads: [1],
    masked: [3],
    replaced: ['1:dog', '2:tree house'],
    off: ['0.1'],
    zeroed: [],
    swapped: [],
    without: '',
    token: -1,
};

const AXES = {down: 'Query', across: 'Key'};

test('it asks for the chosen layer before and after, and for the differences of all heads', () => {
    assert.deepEqual(changeView.needs(state, data.model).map(needName), [
        'attention.1',
        'measure.earlier.1',
        'measure.shift',
        `measure.shifts.${THUMB}`,
    ]);
    assert.equal(isReady(changeView, state, data), true);
    assert.ok(changeView.needs(state, data.model).some(need => need.compared));
});

test('a token is as typed, another word, a mask, or says which word did not fit', () => {
    assert.deepEqual(
        spots(state, data).map(({now, refused}) => [now, refused?.pieces]),
        [
            [null, undefined],
            ['dog', undefined],
            [null, ['tree', 'house']],
            ['[MASK]', undefined],
        ],
    );
    const none = {...state, masked: [], replaced: [], off: []};
    assert.equal(isChanged(none, T), false);
    assert.equal(
        isChanged({...none, masked: [T]}, T),
        false,
        'a position that this text does not have',
    );
    assert.equal(isChanged({...none, zeroed: ['0.0.1']}, T), true);
    assert.equal(isChanged({...none, replaced: ['3:x']}, T), true);
});

test('the difference is after minus before; what has moved is half its absolute sum', () => {
    const map = mapOf(data, {layer: 1, head: 1});
    assert.equal(map.at, 1 * T + 1);
    assert.equal(map.most, 0.75);
    assert.equal(movedAt(map, 1), 0.75);
    assert.equal(movedAt(map, 0), 0);
    assert.deepEqual(largestChanges(map, 1, 2), [
        {key: 1, before: 1, after: 0.25, difference: -0.75},
        {key: 3, before: 0, after: 0.75, difference: 0.75},
    ]);
    assert.deepEqual(mapOf(data, {layer: 1, head: 0}).most, 0);
    assert.equal(shifts(data).most, 0.5, 'what the largest hundredth of the points have at least');
    const many = pictures();
    many.data.fill(0.125)[0] = 0.9;
    const tensors = new Map([...data.tensors, [`measure.shifts.${THUMB}`, many]]);
    assert.equal(shifts({...data, tensors}).most, 0.125, 'one large change leaves the others seen');
    assert.deepEqual(shifts(data).top, {layer: 1, head: 1, moved: 0.1875});
    assert.throws(() => mapOf(data, {layer: 0, head: 0}), /layer 0/);
});

test('predictions stand side by side; a word that is on one side only is bounded by the last there', () => {
    const {pair, words} = predictions(data);
    assert.deepEqual(pair, {before: 0.75, after: 0.25});
    assert.deepEqual(words[0].guesses, [
        {name: 'a', before: 0.125, after: 0.5, below: [true, false]},
        {name: 'b', before: 0.75, after: 0.25, below: [false, false]},
        {name: 'c', before: 0.125, after: 0.25, below: [false, true]},
    ]);
    assert.equal(bounded(0.125, true), '<12.5 %');
    assert.equal(bounded(0.0001, true), '<0.1 %');
    assert.deepEqual(predictions({...data, before: null}), {
        ...{pair: null, words: []},
        says: null,
    });
});

const labelled = (negative, positive, scores = 'softmax') => ({
    ...{task: 'labels', scores},
    labels: [
        {label: 'negative', probability: negative},
        {label: 'positive', probability: positive},
    ].sort((a, b) => b.probability - a.probability),
});
const saying = (was, is, more = {}) => ({
    ...data,
    ...{fills: [], t: en, model: {predicts: ['labels'], special: {mask: 4}}},
    pass: {...data.pass, nextSentence: null, prediction: is},
    before: {nextSentence: null, fills: [], prediction: was},
    ...more,
});

test('labels of a text stand side by side, and a sentence says which it was and is', () => {
    const was = labelled(0.605, 0.395);
    const turn = saying(was, labelled(0.01, 0.99));
    const {guesses, plain} = predictions(turn).says;
    assert.deepEqual(
        guesses.map(({name, before, after}) => [name, before, after]),
        [
            ['positive', 0.395, 0.99],
            ['negative', 0.605, 0.01],
        ],
    );
    assert.equal(plain, false);
    assert.deepEqual(
        Object.values(turned(guesses)).map(({name}) => name),
        ['negative', 'positive'],
    );
    assert.equal(outputSaid(turn), 'Labels of the text: negative 60.5 % → positive 99.0 %.');
    const {tensors} = data;
    const shown = {...turn, tensors, model: {...data.model, ...turn.model}};
    assert.match(changeView.describe(state, shown, en), /negative 60\.5 % → positive 99\.0 %\.$/);
    const page = renderToString(
        changeView.render(
            state,
            {...shown, t: en, theme: 'light', width: 640, focus: null},
            {Canvas: () => h('canvas')},
        ),
    );
    assert.match(page, /negative 60\.5 % → positive 99\.0 %/);
    assert.doesNotMatch(page, /Predictions before and after appear/, 'there is one');
    const numbers = saying(labelled(0.5, -1, 'plain'), labelled(1.25, -1, 'plain'));
    assert.equal(predictions(numbers).says.plain, true);
    assert.equal(outputSaid(numbers), 'Labels of the text: negative 0.500 → negative 1.250.');
});

test('of several labels the one that is or was most probable comes first', () => {
    const of = (...list) => ({
        ...{task: 'labels', scores: 'softmax'},
        labels: list
            .map((probability, i) => ({label: 'abcd'[i], probability}))
            .sort((a, b) => b.probability - a.probability),
    });
    const after = [0.6, 0.2, 0.15, 0.05];
    const orders = list =>
        list.length > 1
            ? list.flatMap((one, i) => orders(list.toSpliced(i, 1)).map(rest => [one, ...rest]))
            : [list];
    for (const before of orders([0.5, 0.28, 0.14, 0.08])) {
        const {guesses} = predictions(saying(of(...before), of(...after))).says;
        const most = guesses.map(one => Math.max(one.before, one.after));
        assert.deepEqual(
            most,
            most.toSorted((a, b) => b - a),
            `${before}`,
        );
        for (const {name, ...one} of guesses) {
            const at = 'abcd'.indexOf(name);
            assert.deepEqual([one.before, one.after], [before[at], after[at]]);
        }
    }
});

test('of tokens, those that changed most: another label first, then another probability', () => {
    const of = (...tokens) => ({
        task: 'token_labels',
        tokens: tokens.map(([label, probability]) => ({label, probability})),
    });
    const was = of(['O', 1], ['NOUN', 0.9], ['NOUN', 0.8], ['O', 1]);
    const is = of(['O', 1], ['NOUN', 0.5], ['VERB', 0.7], ['O', 1]);
    assert.deepEqual(
        predictions(saying(was, is)).says.guesses.map(({name, was: a, is: b}) => [name, a, b]),
        [
            ['1 straw', 'NOUN', 'NOUN'],
            ['2 ##berries', 'NOUN', 'VERB'],
        ],
    );
    assert.equal(predictions(saying(labelled(1, 0), is)).says, null, 'another task');
});

test('an answer on one side only is at most as probable as the last on the other', () => {
    const of = (...answers) => ({
        task: 'answer',
        answers: answers.map(([from, to, probability]) => ({from, to, probability})),
    });
    const {guesses} = predictions(saying(of([1, 1, 0.6], [1, 2, 0.3]), of([1, 2, 0.5]))).says;
    assert.deepEqual(guesses, [
        {name: 'straw ##berries', before: 0.3, after: 0.5, below: [false, false]},
        {name: 'straw', before: 0.6, after: 0.5, below: [false, true]},
    ]);
});

test('most probable before and after is what is known there, not at most so probable', () => {
    const guess = (name, before, after, below) => ({name, before, after, below});
    for (const bounds of [0, 1, 2, 3]) {
        const below = [Boolean(bounds & 1), Boolean(bounds & 2)];
        const [first, second] = [
            guess('first', 0.6, 0.5, below),
            guess('second', 0.4, 0.4, [false, false]),
        ];
        const wanted = below.map(at => (at ? second : first));
        for (const guesses of [
            [first, second],
            [second, first],
        ])
            assert.deepEqual(turned(guesses), {was: wanted[0], is: wanted[1]}, `${below}`);
    }
    assert.equal(turned([]), null);
});

test('what the model says is asked of the plain pass too: labels, and a causal model’s next word', () => {
    const names = predicts =>
        allNeeds(changeView, {...state, tour: -1}, {...data.model, predicts})
            .map(needName)
            .slice(4);
    assert.deepEqual(names(['labels']), ['plain.nextSentence', 'plain.labels']);
    assert.deepEqual(names(['next_word']), [
        ...['predictions.last.200', 'plain.predictions.last.200'],
        ...['plain.nextSentence', 'plain.labels'],
    ]);
    const last = {...saying(null, null), fills: [{index: 3, words: [word(1, 'mat', 0.5)]}]};
    last.model = {predicts: ['next_word']};
    last.before.fills = [{index: 3, words: [word(2, 'cat', 0.25), word(1, 'mat', 0.125)]}];
    assert.equal(outputSaid(last), 'Next token after position 3 ([SEP]): cat 25.0 % → mat 50.0 %.');
});

test('numbers in print have their sign, and small ones are never a false zero', () => {
    assert.deepEqual([0, 0.25, -0.25, 0.0001, -0.0001].map(signed), [
        '0',
        '+0.250',
        '−0.250',
        '+<0.001',
        '−<0.001',
    ]);
    assert.deepEqual([0, 0.123, -0.5, 0.0004, -0.0004].map(points), [
        '0.0',
        '+12.3',
        '−50.0',
        '0.0',
        '0.0',
    ]);
    assert.deepEqual([0, 0.001, 0.25, 0.999, 1].map(short), ['0', '<.01', '.25', '1', '1']);
    assert.deepEqual([signedInk(0.25, 1), signedInk(-1, 1), signedInk(1, 0)], [0.5, 1, 0]);
});

test('grids fit any width or scroll, and a cell is large enough to be pressed', () => {
    for (const [layers, heads] of [
        [6, 8],
        [12, 12],
        [24, 16],
    ]) {
        for (const width of [328, 600, 1200]) {
            const layout = layoutGrid({layers, heads}, width);
            assert.ok(layout.cell >= 24 && layout.row >= 24, `${heads} ${width}`);
            assert.ok(layout.left(heads - 1) + layout.picture <= layout.width);
        }
    }
    for (const tokens of [2, 19, 128, 512]) {
        const names = Array(tokens).fill('word');
        const layout = layoutHeat(names, names, 600, AXES);
        assert.ok(layout.cell >= 2 && layout.cell * layout.every >= 13, `${tokens}`);
    }
});

test('rows and columns are named in the corner between them, within its room, on the page and in the file', () => {
    for (const [t, names] of [
        [en, ['Key →', 'Query ↓']],
        [zh, ['键 →', '查询 ↓']],
    ]) {
        const file = renderToString(changeView.svg(state, data, {...look, width: 640}, t));
        const shown = {...data, t, theme: 'light', width: 640, focus: null};
        const page = renderToString(changeView.render(state, shown, {Canvas: () => h('canvas')}));
        for (const name of names)
            assert.ok(file.includes(`>${name}<`) && page.includes(`>${name}<`), name);
        const axes = {down: t.query, across: t.key};
        const {box} = layoutHeat(['a'], ['b'], 300, axes);
        for (const name of names) assert.ok(textWidth(name) * 11 + 6 <= box, `${name}: ${box}`);
    }
});

test('where names have no room every n-th is there, in the file too, and both say so', () => {
    const T = 250;
    const tokens = Array.from({length: T}, (_, i) => ({id: i, piece: `word${i}`, sentence: 0}));
    const flat = {data: new Float32Array(H * T * T), shape: [H, T, T]};
    const tensors = new Map([...data.tensors, ['attention.1', flat], ['measure.earlier.1', flat]]);
    const long = {...data, tensors, pass: {...data.pass, tokens, puts: []}};
    const {every} = layoutHeat(
        tokens.map(({piece}) => piece),
        tokens.map(({piece}) => piece),
        640,
        AXES,
    );
    assert.equal(every, 7);
    for (const [t, said] of [
        [en, /One token in 7 is labelled/],
        [zh, /每 7 个词元只标出一个/],
    ]) {
        const file = renderToString(changeView.svg(state, long, {...look, width: 640}, t));
        assert.match(file, said);
        assert.equal(file.match(/>word\d+</g).length, 2 * Math.ceil(T / every));
        const shown = {...long, t, theme: 'light', width: 640, focus: null};
        const page = renderToString(changeView.render(state, shown, {Canvas: () => h('canvas')}));
        assert.match(page, said);
    }
    const few = {...data, t: en, theme: 'light', width: 640, focus: null};
    const page = renderToString(changeView.render(state, few, {Canvas: () => h('canvas')}));
    assert.doesNotMatch(page, /One token in/);
});

test('sentences of a file are as many lines as it takes, also without spaces', () => {
    for (const t of [en, zh]) {
        const lines = wrapText(t.change.gridHint('0.55'), 300, 12);
        assert.ok(lines.length > 1);
        for (const line of lines) assert.ok(textWidth(line) * 12 <= 300, line);
        assert.equal(
            lines.join('').replaceAll(' ', ''),
            t.change.gridHint('0.55').replaceAll(' ', ''),
        );
        assert.ok(!lines.some(line => /^[，。；：]/.test(line)), 'no line begins with a stop');
    }
    assert.deepEqual(wrapText('a '.repeat(3), 1000, 12), ['a a a']);
    assert.match(wrapText('x'.repeat(100), 120, 12)[0], /^x+…$/);
});

test('the table has a row for each query in both languages, and says what stands there now', () => {
    for (const t of [en, zh]) {
        const {columns, rows} = changeView.table(state, data, t);
        assert.equal(rows.length, T);
        for (const row of rows) assert.equal(row.length, columns.length);
    }
    const {rows} = changeView.table(state, data, en);
    assert.deepEqual(rows[1].slice(0, 7), [
        1,
        {text: 'dog', user: true},
        {value: 0.75, text: '0.75'},
        {text: 'dog', user: true},
        {value: 1, text: '1.00'},
        {value: 0.25, text: '0.25'},
        {value: -0.75, text: '−0.750'},
    ]);
    const one = {...state, oneBased: true};
    assert.match(changeView.describe(one, data, en), /L2·H2 has changed most: 0\.19 of/);
    assert.match(changeView.table(one, data, en).caption, /^L2·H2/);
    assert.match(
        changeView.describe(state, data, en),
        /2 tokens, 1 head off.*L1·H1 has changed most: 0\.19 of its attention has moved\. Its largest change: from “dog” 1 to “dog” 1, −0\.750\./,
    );
    const placed = {...state, off: [], swapped: [1, 2], without: 'types'};
    assert.match(
        changeView.describe(placed, data, en),
        /^Changed: 2 tokens, two positions swapped, no segment embeddings\. /,
    );
    assert.match(
        changeView.describe({...state, masked: [], replaced: [], off: []}, data, en),
        /No changes yet/,
    );
});

test('snapshot: one head has changed', () =>
    snapshot('change.svg', changeView.svg(state, data, look, en)));
test('snapshot: a head as before, dark, Chinese', () =>
    snapshot(
        'change-same-dark-zh.svg',
        changeView.svg({...state, heads: [0]}, data, {...look, theme: 'dark'}, zh),
    ));
