/* Why two texts are similar: the largest pairs come first, the table's rows and their sums are those of the
 * split, negative cells have the other colour, and a large table is not drawn.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {Found, largest} from '../../web/figure/why_similar.js';
import {words} from '../../web/words/languages.js';

const split = {
    data: Float32Array.of(0.5, -0.25, 0.125, 0.0625, 0.25, -0.5),
    shape: [2, 3],
    tokens: [
        ['[CLS]', 'cat'],
        ['[CLS]', 'a', 'dog'],
    ],
};

test('the pairs that add or take most, the earlier of equals first', () => {
    assert.deepEqual(
        largest(split).map(({a, b, value}) => [a, b, value]),
        [
            [0, 0, 0.5],
            [1, 2, -0.5],
            [0, 1, -0.25],
            [1, 1, 0.25],
            [0, 2, 0.125],
            [1, 0, 0.0625],
        ],
    );
});

test('the table in both languages: cells, sums, colours; a large one is said', async () => {
    for (const code of ['en', 'zh']) {
        const {why} = (await words(code, 'dialogs')).similarity;
        const html = renderToString(h('div', null, h(Found, {split, words: why})));
        assert.equal(html.match(/<li>/g).length, 6);
        assert.equal(html.match(/<td/g).length, 2 * 4);
        assert.ok(html.includes('0.3750') && html.includes('−0.1875'), html);
        assert.match(html, /--negative\) 35%/);
        assert.match(html, /--positive\) 35%/);
        const size = 65;
        const tokens = [Array(size).fill('a'), Array(size).fill('b')];
        const large = {data: new Float32Array(size * size), shape: [size, size], tokens};
        const said = renderToString(h('div', null, h(Found, {split: large, words: why})));
        assert.ok(said.includes(why.large) && !said.includes('<td'));
    }
});
