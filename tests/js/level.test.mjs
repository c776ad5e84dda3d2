/* Levels: words as typed out of pieces, in several scripts, and the attention between them. Token
 * rows are written as the tokenizer gives them: from and to in the text, and the number of the
 * word. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fitPiece, textWidth} from '../../web/draw/tokens.js';
import {isRightToLeft, ownWay} from '../../web/draw/graphemes.js';
import {TOKENS} from '../../web/draw/blocks/columns/tokens.js';
import {
    isGrouped,
    mergeAttention,
    positionsOf,
    unitAt,
    unitsOf,
} from '../../web/views/parts/level.js';

const added = piece => ({piece, sentence: -1, special: true, from: 0, to: 0, word: -1});

/** Tokens from parts of a text: 'piece' or ['piece', word]; each is looked for after the one before.
 * @param {string} text @param {[string, number, string?][]} parts typed, word, piece */
function pass(text, parts) {
    let at = 0;
    const tokens = parts.map(([typed, word, piece = typed]) => {
        const from = text.indexOf(typed, at);
        at = from + typed.length;
        return {piece, sentence: 0, special: false, from, to: at, word};
    });
    return {texts: [text, ''], tokens: [added('[CLS]'), ...tokens, added('[SEP]')]};
}

const labels = (text, level = 'words', specials = false) =>
    unitsOf(text, level, specials).map(({piece}) => piece);

test('words are slices of the text as typed, not pieces glued', () => {
    const text = pass('Fresh Strawberries, café!', [
        ['Fresh', 0, 'fresh'],
        ['Straw', 1, 'straw'],
        ['berries', 1, '##berries'],
        [',', 2],
        ['café', 3, 'cafe'],
        ['!', 4],
    ]);
    assert.deepEqual(labels(text), ['Fresh', 'Strawberries', ',', 'café', '!']);
    assert.deepEqual(labels(text, 'pieces'), ['fresh', 'straw', '##berries', ',', 'cafe', '!']);
    assert.deepEqual(labels(text, 'words', true), [
        '[CLS]',
        'Fresh',
        'Strawberries',
        ',',
        'café',
        '!',
        '[SEP]',
    ]);
    const units = unitsOf(text, 'words');
    assert.deepEqual(
        [units[2].index, units[2].last, unitAt(units, 3), unitAt(units, 4)],
        [2, 3, 2, 3],
    );
    assert.deepEqual(positionsOf(units[2]), [2, 3]);
    assert.equal(unitAt(unitsOf(text, 'pieces', false), 0), -1, 'hidden');
    assert.equal(isGrouped(units, text.tokens), false);
});

test('Chinese characters typed together are one word; spaces, punctuation and other scripts part them', () => {
    const each = text => [...text.replaceAll(' ', '')].map((character, word) => [character, word]);
    const sentence = '我喜欢自然语言处理。';
    assert.deepEqual(labels(pass(sentence, each(sentence))), ['我喜欢自然语言处理', '。']);
    const spaced = '我 喜欢 自然 语言 处理。';
    assert.deepEqual(labels(pass(spaced, each(spaced))), [
        '我',
        '喜欢',
        '自然',
        '语言',
        '处理',
        '。',
    ]);
    const mixed = pass('我用Python编程', [
        ['我', 0],
        ['用', 1],
        ['Python', 2],
        ['编', 3],
        ['程', 4],
    ]);
    assert.deepEqual(labels(mixed), ['我用', 'Python', '编程']);
    assert.ok(isGrouped(unitsOf(mixed, 'words'), mixed.tokens));
    assert.deepEqual(
        labels(
            pass('𠮷野家', [
                ['𠮷', 0],
                ['野', 1],
                ['家', 2],
            ]),
        ),
        ['𠮷野家'],
        'outside of the BMP',
    );
    assert.deepEqual(
        labels(
            pass('日本語を', [
                ['日', 0],
                ['本', 1],
                ['語', 2],
                ['を', 3],
            ]),
        ),
        ['日本語を'],
    );
});

test('what the tokenizer drops stays with its letter: no word is cut inside of a grapheme', () => {
    const heart = '❤\ufe0f x';
    assert.deepEqual(
        labels(
            pass(heart, [
                ['❤', 0],
                ['x', 1],
            ]),
        ),
        ['❤\ufe0f', 'x'],
    );
    const family = '👩‍👩‍👧 a';
    assert.deepEqual(
        labels(
            pass(family, [
                ['👩', 0],
                ['👩', 0],
                ['👧', 0],
                ['a', 1],
            ]),
        ),
        ['👩‍👩‍👧', 'a'],
    );
    const accent = 'e\u0301!\u0301';
    assert.deepEqual(
        labels(
            pass(accent, [
                ['e', 0],
                ['!', 1],
            ]),
        ),
        ['e\u0301', '!\u0301'],
    );
    const torn = pass(family, [
        ['👩', 0],
        ['👩', 1],
        ['👧', 2],
        ['a', 3],
    ]);
    assert.deepEqual(labels(torn), ['👩‍👩‍👧', 'a'], 'words that share a grapheme are one');
});

test('two words of different sentences are never one', () => {
    const one = {
        texts: ['好', '好'],
        tokens: [
            {piece: '好', sentence: 0, from: 0, to: 1, word: 0},
            {piece: '好', sentence: 1, from: 0, to: 1, word: 0},
        ],
    };
    assert.equal(unitsOf(one, 'words').length, 2);
});

test('to a word = sum over its pieces, from a word = mean over its pieces', () => {
    const units = [
        {index: 0, last: 0},
        {index: 1, last: 2},
        {index: 3, last: 3},
    ];
    const a = [0.1, 0.2, 0.3, 0.4, 0.4, 0.3, 0.2, 0.1, 0.25, 0.25, 0.25, 0.25, 0.7, 0.1, 0.1, 0.1];
    const {data, shape} = mergeAttention({data: Float32Array.from(a), shape: [1, 4, 4]}, units);
    assert.deepEqual(shape, [1, 3, 3]);
    const wanted = [0.1, 0.5, 0.4, 0.325, 0.5, 0.175, 0.7, 0.2, 0.1];
    data.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-6, `${i}: ${value}`));
    for (let row = 0; row < 3; row++) {
        assert.ok(
            Math.abs(data[3 * row] + data[3 * row + 1] + data[3 * row + 2] - 1) < 1e-6,
            'a row still sums to 1',
        );
    }
});

test('left out is left out, not rescaled; nothing merged is the same tensor', () => {
    const tensor = {
        data: Float32Array.from([0.5, 0.2, 0.3, 0.1, 0.6, 0.3, 0.2, 0.2, 0.6]),
        shape: [1, 3, 3],
    };
    const {data} = mergeAttention(tensor, [{index: 1, last: 1}]);
    assert.deepEqual([...data], [Math.fround(0.6)]);
    assert.equal(
        mergeAttention(
            tensor,
            [0, 1, 2].map(index => ({index, last: index})),
        ),
        tensor,
    );
    assert.deepEqual(mergeAttention(tensor, []).shape, [1, 0, 0]);
});

test('text is cut between graphemes, and its direction is that of its first letter', () => {
    const family = '👩‍👩‍👧'.repeat(9);
    assert.match(fitPiece(family, 100), /^(👩‍👩‍👧)+…$/u);
    assert.ok(textWidth(fitPiece(family, 100)) * 15 <= 100 + 45);
    assert.deepEqual(['שלום', '##بية', '1 ספר', 'a ס', '…', '好'].map(isRightToLeft), [
        true,
        true,
        true,
        false,
        false,
        false,
    ]);
});

test('in a file a token runs its own way, at the edge at which the others stand', () => {
    const end = {x: 90, 'text-anchor': 'end'};
    assert.equal(ownWay('cat!', end), end);
    assert.deepEqual(ownWay('مرحبا!', end), {x: 90, 'text-anchor': 'start', direction: 'rtl'});
    assert.deepEqual(ownWay('(שלום', {x: 1}), {x: 1, 'text-anchor': 'end', direction: 'rtl'});
    assert.equal(ownWay('שלום', {'text-anchor': 'middle'})['text-anchor'], 'middle');
    const tokens = [{piece: 'cat'}, {piece: 'مرحبا!'}];
    const drawn = TOKENS.svg({tokens, side: 'query'}, {cell: 0, width: 90, theme: 'light'});
    assert.deepEqual(
        drawn.map(parts => {
            const {x, direction, 'text-anchor': anchor} = parts.at(-1).props;
            return [x, direction ?? 'ltr', anchor];
        }),
        [
            [90, 'ltr', 'end'],
            [90, 'rtl', 'start'],
        ],
    );
});
