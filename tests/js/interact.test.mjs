/* What exBERT's interactions compute: pins, masks, averages, the strongest attention, and how the
 * texts count. Pictures of fixed tensors are compared with tests/js/snapshots (UPDATE_SNAPSHOTS=1
 * writes them). */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {cells} from '../../web/draw/marks/strips.js';
import {needName} from '../../web/views/needs.js';
import {en, zh} from './lib/words.mjs';
import {expectedScene} from '../../web/views/head/expected.js';
import {summary} from '../../web/views/head/numbers.js';
import {partners} from '../../web/views/head/partners.js';
import {chosenOf, headScene, lookedAt, selection} from '../../web/views/head/scene.js';
import {keepTop} from '../../web/views/head/top.js';
import {headView} from '../../web/views/head/view.js';
import {pick, toggleMask} from '../../web/views/parts/select.js';

const PIECES = ['[CLS]', 'straw', '##berries', '[SEP]', 'the', 'store', '[SEP]'];
const SENTENCES = [-1, 0, 0, -1, 1, 1, -1];
const [T, H] = [7, 2];

/** Head 0 looks at the next token; head 1 gives 0.5 to itself and shares the rest evenly; `lift`
 * makes rows of 1 + lift. */
function attention(heads, lift = 0) {
    const data = new Float32Array(heads * T * T);
    for (let i = 0; i < T; i++) {
        data[i * T + Math.min(i + 1, T - 1)] = 1 + lift;
        if (heads > 1)
            for (let j = 0; j < T; j++) data[(T + i) * T + j] = i === j ? 0.5 : 0.5 / (T - 1);
    }
    return {data, shape: [heads, T, T]};
}

const tokens = PIECES.map((piece, i) => ({
    id: i,
    piece,
    sentence: SENTENCES[i],
    special: SENTENCES[i] < 0,
    from: [0, 0, 5, 0, 0, 4, 0][i],
    to: [0, 5, 12, 0, 3, 9, 0][i],
    word: [-1, 0, 0, -1, 0, 1, -1][i],
}));
const data = {
    model: {layers: 2, heads: H, mlm: true, special: {mask: 99, unk: 98}},
    pass: {tokens, texts: ['Strawberries', 'the store']},
    fills: [],
    tensors: new Map([
        ['attention.1', attention(H)],
        ['measure.layer_mean', attention(H, 1)],
        ['measure.rollout', attention(2, 2)],
    ]),
};
const state = {
    layer: 1,
    heads: [],
    filter: 'all',
    mix: 'heads',
    level: 'pieces',
    specials: true,
    top: 100,
    picked: [],
    side: 'query',
    masked: [],
    fillings: false,
    oneBased: false,
};
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test('a press pins a token alone, another lets it go; Shift adds on the same side and starts anew on the other', () => {
    const spot = (side, index) => ({side, index});
    const none = {picked: [], side: 'query'};
    assert.deepEqual(pick(none, spot('key', 3), false), {picked: [3], side: 'key', token: 3});
    assert.deepEqual(pick({picked: [3], side: 'key'}, spot('key', 3), false), {
        picked: [],
        side: 'key',
        token: -1,
    });
    assert.deepEqual(pick({picked: [3], side: 'key'}, spot('query', 3), false), {
        picked: [3],
        side: 'query',
        token: 3,
    });
    assert.deepEqual(pick({picked: [3], side: 'key'}, spot('key', 1), true), {
        picked: [1, 3],
        side: 'key',
        token: 1,
    });
    assert.deepEqual(pick({picked: [1, 3], side: 'key'}, spot('key', 3), true), {
        picked: [1],
        side: 'key',
        token: 1,
    });
    assert.deepEqual(pick({picked: [1, 3], side: 'key'}, spot('key', 3), false), {
        picked: [3],
        side: 'key',
        token: 3,
    });
    assert.deepEqual(pick({picked: [1, 3], side: 'key'}, spot('query', 2), true), {
        picked: [2],
        side: 'query',
        token: 2,
    });
});

test('masking takes all pieces of a word, and gives them back only when all are masked', () => {
    assert.deepEqual(toggleMask([], [2, 3]), [2, 3]);
    assert.deepEqual(toggleMask([3, 9], [2, 3]), [2, 3, 9]);
    assert.deepEqual(toggleMask([2, 3, 9], [2, 3]), [9]);
});

test('several pinned tokens are summed; pointing at another shows that one, at one of them all', () => {
    const scene = headScene({...state, picked: [1, 4]}, data, 600);
    const pinned = {picked: [1, 4], side: 'query'};
    assert.deepEqual(chosenOf(scene, null, pinned), {side: 'query', indexes: [1, 4]});
    assert.deepEqual(chosenOf(scene, {side: 'query', index: 4}, pinned), {
        side: 'query',
        indexes: [1, 4],
    });
    assert.deepEqual(chosenOf(scene, {side: 'key', index: 4}, pinned), {side: 'key', indexes: [4]});
    assert.equal(chosenOf(scene, null, {picked: [40], side: 'query'}), null);
    assert.equal(chosenOf(scene, null, {picked: [1], side: 'neuron'}), null);
    const {others, sum} = partners(scene, {side: 'query', indexes: [1, 4]});
    near(sum, 2);
    const weight = key => others.find(({index}) => index === key).mean;
    near(weight(2), (1 + 0.5 / 6 + 0.5 / 6) / 2);
    near(weight(1), (0.5 + 0.5 / 6) / 2);
});

test('averages: of heads, of layers, rollout; each asks for what it needs and is one matrix', () => {
    const needs = mix => headView.needs({...state, mix}, data.model).map(needName);
    assert.deepEqual(needs('mean'), ['attention.1']);
    assert.deepEqual(needs('layers'), ['measure.layer_mean']);
    assert.deepEqual(needs('rollout'), ['measure.rollout']);
    const at = (mix, change = {}) => selection({...state, mix, ...change}, data);
    near(at('mean').attention.data[T + 2], (1 + 0.5 / 6) / 2);
    near(at('mean', {heads: [1]}).attention.data[T + 1], 0.5);
    near(at('layers', {heads: [0]}).attention.data[T + 2], 2);
    near(at('rollout').attention.data[T + 1], 0.5);
    for (const mix of ['mean', 'layers', 'rollout'])
        assert.deepEqual(at(mix).attention.shape, [1, T, T]);
    assert.deepEqual(headView.idle({...state, mix: 'rollout'}), ['heads']);
    assert.deepEqual(headView.idle({...state, mix: 'layers'}), ['layer']);
    assert.deepEqual(headView.idle(state), []);
});

test('the strongest: largest first until the share is reached, of the sum over the heads shown', () => {
    const of = (data3, heads, share) => [
        ...keepTop(
            {data: Float32Array.from(data3), shape: [data3.length / 9, 3, 3]},
            heads,
            {rows: [0, 1], cols: [0, 3]},
            share,
        ).data.slice(0, 3),
    ];
    assert.deepEqual(of([0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0], [0], 0.5), [0.5, 0, 0]);
    assert.deepEqual(of([0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0], [0], 0.51), [0.5, 0.25, 0]);
    const two = [0.5, 0.25, 0.25, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    assert.deepEqual(of(two, [0, 1], 0.5), [0, 0, 0.25], 'the third key has the largest sum');
    const scene = selection({...state, top: 40}, data);
    assert.equal(
        scene.attention.data[T * T + T + 1],
        0,
        'the own token of head 1 is not among the strongest',
    );
    near(scene.whole.data[T * T + T + 1], 0.5);
});

test('hidden specials leave the weights as they are; words keep both sentences', () => {
    const {
        tokens: units,
        attention: {data: weights, shape},
    } = selection({...state, specials: false, level: 'words'}, data);
    assert.deepEqual(
        units.map(({piece, index, last}) => [piece, index, last]),
        [
            ['Strawberries', 1, 2],
            ['the', 4, 4],
            ['store', 5, 5],
        ],
    );
    assert.deepEqual(shape, [H, 3, 3]);
    near(weights[0], 0.5); // straw gives ##berries 1, ##berries gives [SEP] 1: the mean is 0.5
    assert.deepEqual(selection({...state, specials: false, filter: 'ab'}, data).rows, [0, 2]);
    const nothing = {
        ...data,
        pass: {tokens: [tokens[0], tokens[3]], texts: ['', '']},
        tensors: new Map([['attention.1', {data: new Float32Array(8), shape: [2, 2, 2]}]]),
    };
    assert.equal(headView.describe({...state, specials: false}, nothing, en), en.head.nothing);
    assert.deepEqual(headView.table({...state, specials: false}, nothing, en).rows, []);
});

test('summary cells are means over the other axis; of whole rows, which all sum to 1, there are none', () => {
    const scene = headScene(state, data, 600);
    near(summary(scene).key(0, 6), 2 / 7);
    near(summary(scene).key(1, 3), 1 / 7);
    assert.equal(cells('query', summary(scene).query, scene).length, 0);
    const right = cells('key', summary(scene).key, scene);
    assert.deepEqual(
        right.filter(({head}) => head === 0).at(-1).opacity,
        1,
        'the last token receives most',
    );
    assert.ok(right.every(({x, width}) => x >= 600 - scene.layout.gutter && x + width <= 600));
    assert.ok(
        cells(
            'query',
            summary(headScene({...state, filter: 'ab'}, data, 600)).query,
            headScene({...state, filter: 'ab'}, data, 600),
        ).length > 0,
    );
    assert.equal(
        headScene({...state, heads: [1]}, data, 600).layout.left,
        scene.layout.left,
        'nothing moves with the heads',
    );
});

test('a previewed head is shown alone without a change of the state', () => {
    assert.deepEqual(lookedAt({...state, mix: 'mean'}, 1).heads, [1]);
    assert.equal(lookedAt({...state, mix: 'mean'}, 1).mix, 'heads');
    assert.equal(lookedAt(state, -1), state);
});

test('layers and heads are counted from 1 everywhere when asked', () => {
    for (const t of [en, zh]) {
        const one = {...state, oneBased: true};
        assert.match(headView.describe(one, data, t), /2.*1.*2/);
        assert.match(headView.table(one, data, t).caption, /2.*1.*2/);
        const {columns, rows} = headView.table({...one, heads: [1]}, data, t);
        assert.ok(columns.includes(t.head.received(2)));
        for (const row of rows) assert.equal(row.length, columns.length);
        assert.equal(rows[0][8], 2, 'the sharpest head');
        const {columns: averaged, rows: lines} = headView.table({...one, mix: 'rollout'}, data, t);
        for (const row of lines) assert.equal(row.length, averaged.length);
    }
});

test('the words expected at each position are a column of the table', () => {
    const fills = tokens.map((_, index) => ({
        index,
        words: [{id: 5, piece: 'store', probability: 0.5}],
    }));
    const {columns, rows} = headView.table({...state, fillings: true}, {...data, fills}, en);
    assert.equal(columns.at(-1), en.head.expectedColumn);
    assert.deepEqual(rows[2].at(-1), {text: 'store 50.0 %', user: true});
});

test('of a token classifier each word has its label: at its first piece, in table, files and panel', () => {
    const prediction = {
        task: 'token_labels',
        tokens: ['X', 'NOUN', 'ADV', 'X', 'DET', 'O', 'X'].map(label => ({
            label,
            probability: 0.5,
        })),
    };
    const labelled = {...data, pass: {...data.pass, prediction}};
    const {columns, rows} = headView.table(state, labelled, en);
    assert.equal(columns.at(-1), en.head.expectedColumn);
    assert.deepEqual(
        rows.map(row => row.at(-1).text),
        ['', 'NOUN 50.0 %', '', '', 'DET 50.0 %', 'O 50.0 %', ''],
    );
    const byWord = headView.table({...state, level: 'words'}, labelled, en).rows;
    assert.deepEqual(
        byWord.map(row => row.at(-1).text),
        ['', 'NOUN 50.0 %', '', 'DET 50.0 %', 'O 50.0 %', ''],
    );
    const look = {width: 480, theme: 'light', focus: null};
    const drawn = renderToString(headView.svg(state, labelled, look, en));
    assert.deepEqual(drawn.match(/[A-Z]+ 50\.0 %/g), ['NOUN 50.0 %', 'DET 50.0 %', 'O 50.0 %']);
    const wide = expectedScene(state, labelled);
    assert.ok(wide.expected({width: 700}).beside > 0, 'beside the word');
    assert.equal(wide.expected({width: 700}).wordAt(wide.tokens[1]).kind, 'label');
    assert.equal(wide.expected({width: 390}).beside, 0, 'on a phone below it');
    assert.equal(wide.expected({width: 390}).wordAt(wide.tokens[1]).kind, 'under');
});

async function snapshot(name, change) {
    const url = new URL(`snapshots/${name}`, import.meta.url);
    const text =
        renderToString(
            headView.svg(
                {...state, ...change},
                data,
                {width: 480, theme: 'light', focus: null},
                en,
            ),
        ).replaceAll('><', '>\n<') + '\n';
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(url, text);
    assert.equal(
        text,
        await readFile(url, 'utf8'),
        `${name} has changed; if that is meant, run with UPDATE_SNAPSHOTS=1`,
    );
}

test('snapshot: two pinned, one masked', () =>
    snapshot('head-pinned.svg', {picked: [1, 4], masked: [2]}));
test('snapshot: words without specials, the strongest half', () =>
    snapshot('head-words.svg', {level: 'words', specials: false, top: 50}));
test('snapshot: rollout', () => snapshot('head-rollout.svg', {mix: 'rollout'}));
