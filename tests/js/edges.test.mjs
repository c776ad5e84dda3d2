/* Edges of small rules that the tests of whole views pass by; each was found by planting a fault
 * that nothing noticed.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {ATTRIBUTES, readAttribute} from '../../web/state/attributes.js';
import {decodeFigure} from '../../web/files/precomputed.js';
import {encodeFigure} from '../../web/files/precomputed_write.js';
import {paintLinks} from '../../web/draw/marks/arcs.js';
import {inDirection} from '../../web/draw/marks/points.js';
import {en} from './lib/words.mjs';
import {Layer} from '../../web/figure/canvas.js';
import {Predictions} from '../../web/views/change/predictions.js';
import {withWord} from '../../web/views/change/numbers.js';
import {alikeBars} from '../../web/views/find/view.js';
import {neighbours} from '../../web/views/find/numbers.js';
import {mostOf} from '../../web/views/model/numbers.js';
import {isPress, moveOnGrid, stepOf, walkGrid} from '../../web/draw/grid.js';
import {pValues} from '../../web/views/study/roles/numbers.js';

const t = en;

test('a figure rounds each weight to what prints alike, then those nearest to their neighbours until the sum is right', () => {
    const row = [101.4, 99.7, 53.9].map(part => part / 255);
    const token = {piece: 'a', from: 0, to: 1, sentence: 0, word: 0, type: 0, id: 5};
    const {tensors} = decodeFigure(
        JSON.stringify(
            encodeFigure({
                model: {layers: 1, heads: 1, special: {mask: -1}},
                pass: {tokens: [token, token, token], texts: ['a']},
                tensors: [
                    [
                        'attention.0',
                        {data: Float32Array.from([...row, ...row, ...row]), shape: [1, 3, 3]},
                    ],
                ],
                id: '',
                name: '',
                bytes: 0,
            }),
        ),
    );
    const found = [...tensors.get('attention.0').data].slice(0, 3).map(x => Math.round(x * 255));
    assert.deepEqual(found, [101, 100, 54]);
});

test('an attribute that is a flag is on by its name alone or "true", off by "false"', () => {
    const row = ATTRIBUTES.get('fillings');
    assert.deepEqual(
        ['', 'true', 'false'].map(value => readAttribute(row, value)),
        [true, true, false],
    );
});

test('links that come from above a tile, or leave it below, are drawn in it', () => {
    const list = {
        query: [10, 90, 50, 10],
        key: [90, 10, 50, 12],
        head: [0, 1, 2, 3],
        opacity: [1, 1, 1, 1],
        fan: [0, 0, 0, 0],
    };
    const drawn = [];
    const context = {
        getTransform: () => ({a: 1}),
        beginPath() {},
        moveTo() {},
        bezierCurveTo() {},
        stroke() {
            drawn.push(this.strokeStyle);
        },
    };
    const frame = {layout: {left: 0, right: 100}, rows: [0, 100], cols: [0, 100]};
    // row 50 lies at about 50 row heights; the band holds it alone
    const tall = [];
    for (const band of [
        [0, 1e6],
        [-1e6, -1e5],
    ]) {
        drawn.length = 0;
        paintLinks(context, list, frame, head => head, band, 0, 4);
        tall.push([...drawn]);
    }
    assert.deepEqual(tall, [[0, 1, 2, 3], []]);
    drawn.length = 0;
    const middle = heightOf(50, frame);
    paintLinks(context, list, frame, head => head, [middle - 1, middle + 1], 0, 4);
    assert.deepEqual(drawn, [0, 1, 2], 'one down, one up, one across; the last ends above');
});

/** Where a link from a row to the same key runs. */
function heightOf(row, frame) {
    let found = 0;
    const context = {
        getTransform: () => ({a: 1}),
        beginPath() {},
        moveTo: (x, y) => (found = y),
        bezierCurveTo() {},
        stroke() {},
    };
    const one = {query: [row], key: [row], head: [0], opacity: [1], fan: [0]};
    paintLinks(context, one, frame, () => '', [-1e9, 1e9], 0, 1);
    return found;
}

test('an arrow key goes to the nearest point ahead rather than to one aside', () => {
    const places = [
        {x: 0, y: 0},
        {x: 10, y: 9}, // nearer, but far off the line
        {x: 20, y: 0},
    ];
    assert.equal(inDirection(places, 0, 1, 0), 2);
    assert.equal(inDirection(places, 0, 0, 1), 1);
    assert.equal(inDirection(places, 0, -1, 0), 0, 'nothing is there');
});

const word = (id, piece, probability) => ({id, piece, probability});

/** The third column of the table of predictions, by word. */
function differences(before, after) {
    const data = {
        t,
        model: {mlm: true},
        fills: [{index: 1, words: after}],
        before: {nextSentence: null, fills: [{index: 1, words: before}]},
        pass: {tokens: [{piece: '[CLS]'}, {piece: 'a', sentence: 0}], nextSentence: null},
    };
    const page = renderToString(h(Predictions, {data}));
    return Object.fromEntries(
        [...page.matchAll(/<bdi>([^<]*)<\/bdi><\/th>(.*?)<\/tr>/gs)].map(([, name, cells]) => [
            name,
            [...cells.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].at(-1)[1],
        ]),
    );
}

test('what changes is told after minus before; a bound as a bound, and nothing where it says nothing', () => {
    const found = differences(
        [word(1, 'up', 0.2), word(2, 'down', 0.5), word(3, 'gone', 0.3), word(6, 'lost', 0.05)],
        [word(1, 'up', 0.45), word(2, 'down', 0.25), word(4, 'new', 0.2), word(5, 'dim', 0.1)],
    );
    assert.equal(found.up, '+25.0');
    assert.equal(found.down, '−25.0');
    assert.equal(found.new, '≥ +15.0', 'before it had less than 0.05');
    assert.equal(found.gone, '≤ −20.0', 'now it has less than 0.1');
    assert.equal(found.lost, '', 'less than 0.05 became less than 0.1: nothing is known');
});

test('replaced words are in the order of their positions, which are numbers', () => {
    const {replaced, masked} = withWord({masked: [2, 7], replaced: ['10:b', '3:c']}, 9, 'a');
    assert.deepEqual(
        [replaced, masked],
        [
            ['3:c', '9:a', '10:b'],
            [2, 7],
        ],
    );
    assert.deepEqual(withWord({masked: [9], replaced: ['9:b']}, 9, 'a'), {
        masked: [],
        replaced: ['9:a'],
    });
});

test('the bars of the most alike heads are full at the largest divergence there is, ln 2', () => {
    const distances = new Float32Array([
        0,
        Math.LN2,
        Math.LN2 / 4,
        Math.LN2,
        0,
        1,
        Math.LN2 / 4,
        1,
        0,
    ]);
    const data = {
        model: {layers: 1, heads: 3},
        tensors: new Map([['measure.distances', {data: distances, shape: [3, 3]}]]),
    };
    const scene = {
        alike: neighbours(data, {layer: 0, head: 0}, 3),
        points: Array(3).fill({pattern: ''}),
        tokens: [{piece: 'a'}],
        of: ({layer, head}, say) => say(layer, head),
    };
    const block = alikeBars(scene, 'light', t);
    const drawn = renderToString(h(block.kind.Html, {block}));
    const widths = [...drawn.matchAll(/width:\s*([\d.]+)%/g)].map(([, width]) => Number(width));
    assert.equal(widths.length, 2);
    assert.ok(Math.abs(widths[0] - 25) < 1e-3 && Math.abs(widths[1] - 100) < 1e-3, widths.join());
});

test('numbers and keys of the model view', () => {
    assert.equal(mostOf('entropy', 20), Math.log(20));
    assert.equal(mostOf('next', 20), 1);
    const move = (key, i) => moveOnGrid(key, i, 4, 12, false);
    assert.deepEqual([move('ArrowUp', 4), move('ArrowUp', 3), move('ArrowUp', 9)], [0, 3, 5]);
    assert.deepEqual([move('ArrowDown', 8), move('ArrowDown', 7)], [8, 11]);
});

test('arrow keys walk the buttons of a grid; with Alt, and up and down in a single row, they are the page’s', () => {
    /** Where the focus is after a key on the from-th of `count` buttons; null: the key is left alone. */
    const walk = (key, from, {count = 6, columns = 3, ...modifiers} = {}) => {
        let [focused, kept] = [null, false];
        const all = Array.from({length: count}, (_, i) => ({focus: () => (focused = i)}));
        walkGrid(
            {
                ...{key, target: all[from], currentTarget: {querySelectorAll: () => all}},
                ...{preventDefault: () => (kept = true), stopPropagation() {}, ...modifiers},
            },
            columns,
        );
        assert.equal(kept, focused !== null);
        return focused;
    };
    assert.deepEqual(
        ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End'].map(key => walk(key, 4)),
        [5, 3, 4, 1, 3, 5],
    );
    assert.deepEqual([walk('ArrowRight', 2), walk('ArrowLeft', 3), walk('a', 0)], [2, 3, null]);
    assert.deepEqual([walk('End', 0, {ctrlKey: true}), walk('End', 0, {altKey: true})], [5, null]);
    const row = {count: 3, columns: 3};
    assert.deepEqual(
        ['ArrowRight', 'ArrowDown', 'ArrowUp', 'End'].map(key => walk(key, 0, row)),
        [1, null, null, 2],
    );
    assert.deepEqual(
        [stepOf({key: 'ArrowUp'}), stepOf({key: 'ArrowLeft', altKey: true}), stepOf({key: 'Home'})],
        [[0, -1], undefined, undefined],
    );
    assert.deepEqual([isPress({key: ' '}), isPress({key: 'Enter', ctrlKey: true})], [true, false]);
});

test('p-values near 1 are those above 0.95', () => {
    const {low, high} = pValues([{p: [0.92, 0.96, 0.999, 0.07, 0.04]}]);
    assert.deepEqual([low, high], [0.2, 0.4]);
});

/** A canvas that notes what its context is told. */
function recording() {
    const log = [];
    const context = {
        setTransform: (...args) => log.push(['transform', ...args]),
        clearRect: (...args) => log.push(['clear', ...args]),
    };
    return {log, canvas: {width: 0, height: 0, getContext: () => context}};
}

test('a tile is cleared in pixels and then drawn where it lies in the figure, at any scale', t => {
    globalThis.cancelAnimationFrame ??= () => {};
    t.after(() => delete globalThis.cancelAnimationFrame);
    const {log, canvas} = recording();
    const painter = () => ({
        count: 1,
        paint: (_, band, begin, end) => log.push(['paint', band, begin, end]),
    });
    const layer = new Layer(canvas, 512); // the second tile
    const content = {painter: painter(), scale: 2, width: 300, height: 100};
    layer.show(content, 1000);
    const drawn = [
        ['transform', 1, 0, 0, 1, 0, 0],
        ['clear', 0, 0, 600, 200],
        ['transform', 2, 0, 0, 2, 0, -1024],
        ['paint', [512, 612], 0, 1],
    ];
    assert.deepEqual(log, drawn);
    assert.deepEqual([canvas.width, canvas.height], [600, 200]);
    layer.show(content, 8);
    assert.deepEqual(log, drawn, 'the same again is not drawn again');
    layer.show({...content, painter: painter()}, 1000);
    assert.deepEqual(log, [...drawn, ...drawn], 'cleared before anything else is drawn');
});
