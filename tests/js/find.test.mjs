/* The view "find a head" without a browser: what a press asks, the ranking, neighbours, patterns,
 * the map, snapshots.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {contrast} from '../../web/draw/colour.js';
import {
    inDirection,
    layoutPoints,
    markPath,
    nearest,
    risingColour,
} from '../../web/draw/marks/points.js';
import {en, zh} from './lib/words.mjs';
import {findView} from '../../web/views/find/view.js';
import {
    askedNeed,
    neighbours,
    patternsOf,
    pressToken,
    ranking,
    shownPair,
    timesEven,
} from '../../web/views/find/numbers.js';
import {elsewhere, evenOf, patternName} from '../../web/views/find/say.js';
import {findScene} from '../../web/views/find/scene.js';
import {needName} from '../../web/views/needs.js';
import {snapshot} from './lib/snapshot.mjs';

const [L, H] = [2, 2];
const PIECES = ['[CLS]', 'a', 'b', '[SEP]'];
const MEASURES = [
    'entropy',
    'next',
    'previous',
    'self',
    'cls',
    'sep',
    'same_word',
    'other_sentence',
];
/** Of each head: its largest measure and the share. */
const KINDS = [
    ['next', 0.72],
    ['sep', 0.6],
    ['other_sentence', 0.7],
    ['self', 0.4],
];

function measures() {
    const data = new Float32Array(MEASURES.length * L * H);
    KINDS.forEach(([name, share], i) => {
        data[MEASURES.indexOf(name) * L * H + i] = share;
    });
    return {data, shape: [MEASURES.length, L, H]};
}

const study = (values, shape) => ({data: Float32Array.from(values), shape});
const EVEN = MEASURES.map(name => (name === 'same_word' ? 0 : 0.25));
const data = {
    model: {layers: L, heads: H, patterns: MEASURES},
    pass: {tokens: PIECES.map((piece, id) => ({id, piece, sentence: 0}))},
    tensors: new Map([
        ['measure.pair.1.2', study([0.25, 0.5, 0.5, 0.0625], [L, H])],
        [
            'measure.distances',
            study(
                [
                    0, 0.25, 0.5, 0.125, 0.25, 0, 0.25, 0.25, 0.5, 0.25, 0, 0.375, 0.125, 0.25,
                    0.375, 0,
                ],
                [4, 4],
            ),
        ],
        ['measure.map', study([0, 0, 1, 0, 0, 1, -1, -0.5], [4, 2])],
        ['measure.map_fit', study([0.5, 0.25, 0.125], [3])],
        ['measure.patterns', measures()],
        ['measure.even', study(EVEN, [MEASURES.length])],
    ]),
};
const state = {layer: 0, heads: [0], from: 1, to: 2, mapColour: 'layer'};

test('the first press asks for the query, the second for the key, the third begins anew', () => {
    assert.deepEqual(
        shownPair({from: -1, to: -1}, 4),
        {query: 1, key: 2},
        'something is shown at once',
    );
    const first = pressToken({from: -1, to: -1}, 3);
    assert.deepEqual(first, {from: 3, to: -1});
    assert.deepEqual(shownPair(first, 4), {query: 3, key: null});
    assert.deepEqual(askedNeed(first), []);
    const second = {...first, ...pressToken(first, 0)};
    assert.deepEqual(second, {from: 3, to: 0});
    assert.equal(needName(askedNeed(second)[0]), 'measure.pair.3.0');
    assert.deepEqual(pressToken(second, 2), {from: 2, to: -1});
    assert.deepEqual(
        shownPair({from: 9999, to: 7}, 4),
        {query: 3, key: 3},
        'a link made for a longer text',
    );
});

test('heads come strongest first, equal ones by their place', () => {
    assert.deepEqual(
        ranking(state, data).map(({layer, head, weight}) => [layer, head, weight]),
        [
            [0, 1, 0.5],
            [1, 0, 0.5],
            [0, 0, 0.25],
            [1, 1, 0.0625],
        ],
    );
    assert.equal(ranking({...state, to: -1}, data), null);
    assert.deepEqual(
        [timesEven(0.25, 1 / 4), timesEven(1, 1 / 512), timesEven(0.001, 1 / 4)],
        ['×1.0', '×512', '×0.0'],
    );
});

/** With the share of uniform attention of each measure: 0 of one that the text has nothing of. */
test('a pattern ranks the heads by the share of their attention that follows it', () => {
    const next = {...state, ask: 'next'};
    assert.deepEqual(askedNeed(next), []);
    const [best, second] = ranking(next, data);
    assert.deepEqual([best.layer, best.head, best.even], [0, 0, 0.25]);
    assert.ok(Math.abs(best.weight - 0.72) < 1e-6);
    assert.equal(second.weight, 0, 'the others, by their place');
    assert.deepEqual(
        pressToken(next, 2),
        {ask: '', from: 2, to: -1},
        'a token asks of a pair again',
    );
    assert.deepEqual(ranking({...state, ask: 'unheard-of'}, data), ranking(state, data));
});

test('the answer says which head it is and whether it is much', () => {
    const says = (ask, words = en) => findView.describe({...state, ask}, data, words);
    assert.equal(
        says('next'),
        'L0·H0 does this: 0.72 of its attention on this text (uniform attention over all 4 tokens: 0.25; at most 0.75, since one token has none).',
    );
    assert.match(says('sep'), /^L0·H1 does this in part: 0\.60/);
    assert.match(says('self'), /^No head does this on this text; L1·H1 comes nearest, with 0\.40/);
    assert.equal(says('same_word'), 'This text has nothing of the kind.');
    assert.match(says('next', zh), /^L0·H0 就是这样.*0\.72/);
    const {rows, caption} = findView.table({...state, ask: 'next'}, data, en);
    assert.match(caption, /^Every token looks at the next token: all heads/);
    assert.deepEqual(rows[0].slice(0, 4), [
        1,
        'L0·H0',
        {value: rows[0][2].value, text: '0.72'},
        '×2.9',
    ]);
});

test('where no head does it, a model of the menu for the same language that has one is named', () => {
    const menu = [
        {id: 'here', languages: ['en'], patterns: {self: [1, 1, 0.9]}},
        {id: 'weak', languages: ['en'], patterns: {self: [2, 7, 0.5]}},
        {id: 'strong', languages: ['en', 'de'], patterns: {self: [3, 4, 0.8], next: [0, 0, 0.9]}},
        {id: 'foreign', languages: ['zh'], patterns: {self: [0, 0, 0.99]}},
    ];
    const found = (ask, model = 'here') => elsewhere(findScene({...state, ask}, data), model, menu);
    const {entry, ...place} = found('self');
    assert.deepEqual([entry.id, place], ['strong', {layer: 3, head: 4, share: 0.8}]);
    assert.equal(found('self', '').entry.id, 'strong', 'the first of the menu is in use');
    assert.equal(found('next'), null, 'a head here does it');
    assert.equal(found('same_word'), null, 'the text has nothing of the kind');
    assert.equal(elsewhere(findScene({...state, ask: 'self'}, data), '', []), null);
});

test('[CLS] and [SEP] go by the names that the model has for them', () => {
    const named = (pattern, pieces) =>
        patternName(
            pattern,
            {tokens: pieces.map(piece => ({piece, special: /^[[<]/.test(piece)}))},
            en,
        );
    assert.equal(named('cls', ['[CLS]', 'a', '[SEP]']), '[CLS]');
    assert.equal(named('cls', ['<s>', 'a', '</s>']), '<s>');
    assert.equal(named('sep', ['<s>', 'a', '</s>']), '</s>');
    assert.equal(named('cls', ['<|endoftext|>', 'a', '.']), '<|endoftext|>');
    assert.equal(named('sep', ['<|endoftext|>', 'a', '.']), '[SEP]');
    assert.equal(named('cls', ['a', '.']), '[CLS]');
    assert.equal(named('', ['a']), 'no clear pattern');
});

test('what uniform attention gives is said with the tokens it goes to, special ones too, and the pairs that fit', () => {
    const said = (patch, from = data, words = en) => {
        const scene = findView.scene({...state, ...patch}, from);
        return words.find.even(evenOf(scene));
    };
    assert.match(
        said({ask: 'next'}),
        /^Tick: 0\.25, .*uniform attention over all 4 tokens, special ones too \(4 of 4 × 4 pairs fit\)\./,
    );
    assert.match(
        said({}),
        /^Tick: 0\.25, .*uniform attention over all 4 tokens, special ones too\./,
        'of a pair',
    );
    assert.match(
        said({ask: 'next'}, data, zh),
        /0\.25.*全部 4 个词元（包括特殊词元）.*有 4 对符合/,
    );
    const {model} = data;
    const causal = {...model, per_layer: Array(model.layers).fill({mask: 'causal', window: 0})};
    assert.match(
        said({ask: 'next'}, {...data, model: causal, tensors: new Map(data.tensors)}),
        /uniform attention over the tokens that it sees\./,
    );
});

test('a press on a row chooses its head and opens it; the chosen one is marked in the list', () => {
    const {blocks, scene} = findView;
    const made = scene(state, data);
    const list = blocks(made, {width: 900, theme: 'light', local: {all: false}}, en)
        .flatMap(block => (block && block.blocks) || [])
        .find(block => block.id === 'ranked');
    const {index, layer, head} = made.ranked[0];
    const row = list.rows[0];
    assert.ok(list.rows.every(one => one.chosen === (one.index === made.chosenIndex)));
    assert.ok(list.rows.every(one => one.chosen === one.name.endsWith(' (shown)')));
    const patches = [];
    list.onPick(row, {on: {set: patch => patches.push(patch)}});
    assert.deepEqual(patches[0], {layer, heads: [head]}, `before the view is left: ${index}`);
    assert.deepEqual(
        [patches[1].view, patches[1].layer, patches[1].heads],
        ['head', layer, [head]],
    );
});

test('of a causal layer, even is even among the keys that the query sees', () => {
    const {model} = data;
    const causal = {...model, per_layer: Array(model.layers).fill({mask: 'causal', window: 0})};
    const [{query, key}, tokens] = [shownPair(state, 99), data.pass.tokens.length];
    assert.ok(key !== null && query < tokens - 1);
    assert.deepEqual([...new Set(ranking(state, data).map(({even}) => even))], [1 / tokens]);
    assert.deepEqual(
        [...new Set(ranking(state, {...data, model: causal}).map(({even}) => even))],
        [1 / (query + 1)],
    );
});

test('neighbours are the others by distance', () => {
    assert.deepEqual(
        neighbours(data, {layer: 0, head: 0}, 2).map(({layer, head, distance}) => [
            layer,
            head,
            distance,
        ]),
        [
            [1, 1, 0.125],
            [0, 1, 0.25],
        ],
    );
    assert.equal(neighbours(data, {layer: 1, head: 1}, 99).length, 3);
});

test('a head shows the pattern that it is furthest on the way to, from 30 % of it on', () =>
    assert.deepEqual(
        patternsOf(data).map(one => one && [one.name, one.verdict]),
        [['next', 'clearly'], ['sep', 'partly'], ['other_sentence', 'partly'], null],
    ));

test('points keep their distances, and the arrow keys reach each of them', () => {
    const points = [
        {x: 0, y: 0},
        {x: 2, y: 0},
        {x: 0, y: 1},
    ];
    const places = layoutPoints(points, 400, 200);
    const apart = (a, b) => Math.hypot(places[a].x - places[b].x, places[a].y - places[b].y);
    assert.ok(Math.abs(apart(0, 1) - 2 * apart(0, 2)) < 1e-9);
    assert.ok(places[2].y < places[0].y, 'up is up');
    for (const {x, y} of places) assert.ok(x >= 0 && x <= 400 && y >= 0 && y <= 200);
    assert.equal(inDirection(places, 0, 1, 0), 1);
    assert.equal(inDirection(places, 0, 0, -1), 2);
    assert.equal(inDirection(places, 0, -1, 0), 0, 'none there');
    assert.equal(nearest(places, places[1].x + 5, places[1].y - 5), 1);
    const same = layoutPoints(
        [
            {x: 1, y: 1},
            {x: 1, y: 1},
        ],
        400,
        200,
    );
    assert.deepEqual(same[0], {x: 200, y: 100}, 'heads that are all equal stand in the middle');
});

test('colours of layers have 3:1 to their page, and patterns have shapes of their own', () => {
    const hex = colour =>
        colour.startsWith('#')
            ? colour
            : `#${colour
                  .match(/\d+/g)
                  .map(n => Number(n).toString(16).padStart(2, '0'))
                  .join('')}`;
    for (const [theme, page] of [
        ['light', '#ffffff'],
        ['dark', '#15171c'],
    ]) {
        for (let i = 0; i <= 10; i++)
            assert.ok(contrast(hex(risingColour(i / 10, theme)), page) >= 3, `${theme} ${i}`);
    }
    assert.equal(new Set([0, 1, 2, 3, 4, 5, 6].map(kind => markPath(kind))).size, 7);
});

test('the table has a row for each head in both languages', () => {
    for (const t of [en, zh]) {
        for (const to of [2, -1]) {
            const {columns, rows} = findView.table({...state, to}, data, t);
            assert.equal(rows.length, L * H);
            for (const row of rows) assert.equal(row.length, columns.length);
        }
    }
    assert.deepEqual(findView.table(state, data, en).rows[0], [
        1,
        'L0·H1',
        {value: 0.5, text: '0.50'},
        '×2.0',
        {value: 0.25, text: '0.250'},
        {value: 1, text: '1.000'},
        {value: 0, text: '0.000'},
        '[SEP]',
    ]);
    const {rows, caption} = findView.table({...state, oneBased: true}, data, en);
    assert.equal(rows[0][1], 'L1·H2');
    assert.match(caption, /L1·H1/, 'every number is counted as the reader has chosen');
    assert.match(findView.describe(state, data, en), /a looks at b most in L0·H1: weight 0\.50/);
    assert.match(findView.describe({...state, to: -1}, data, en), /press the key/);
});

const look = {width: 480, theme: 'light', focus: null};
test('snapshot: by layer', () => snapshot('find.svg', findView.svg(state, data, look, en)));
test('snapshot: a pattern asked about', () =>
    snapshot('find-ask.svg', findView.svg({...state, ask: 'next'}, data, look, en)));
test('snapshot: by pattern, dark, Chinese', () =>
    snapshot(
        'find-pattern-dark-zh.svg',
        findView.svg({...state, mapColour: 'pattern'}, data, {...look, theme: 'dark'}, zh),
    ));
