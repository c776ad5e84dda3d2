// tokenizer_sentencepiece - the steps that SentencePiece's tokenizers have in tokenizer.json (XLM-R,
// CamemBERT, ALBERT, T5; Llama 2, Mistral and Gemma): Unigram, Precompiled, Metaspace, Replace,
// Prepend, Strip, NFKD. Ids, offsets, types and words must equal those of the Rust library
// `tokenizers`, on every Unicode scalar value, on rows of marks and on random texts. With
// HEADLIGHT_TOKENIZERS=FOLDER, where tests/golden/vocabularies.py has written tokenizers of real
// size, and real text in ../shared, these are compared as well.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {before, test} from 'node:test';
import {Tokenizer} from 'tokenizers';
import {charsmap} from '../../build/charsmap.mjs';
import {oneIn} from './lib/sample.mjs';
import {added, buildDriver, compare, realTexts, sampled, write} from './lib/tokenizer_pair.mjs';

const shared = new URL('../../../shared/data/', import.meta.url).pathname;
const withoutText = !existsSync(shared) && `needs real text in ${shared}, which is not there`;
const MARK = '\u2581';
const scalars = [];
for (let cp = 1; cp <= 0x10ffff; cp++)
    if (cp < 0xd800 || cp > 0xdfff) scalars.push(String.fromCodePoint(cp));
// From plane 4 on nothing is assigned but a few tags.
const assigned = sampled(
    scalars.filter(c => c.codePointAt(0) < 0x40000 || c.codePointAt(0) >> 12 === 0xe0),
);
// The others are letters without case or rules, unassigned, or private.
const lively = sampled(
    scalars.filter(
        c => !/[\p{Cn}\p{Co}\p{Lo}]/u.test(c) || /[\u00aa-\u3400\uac00\uac01\uf900-\uffff]/.test(c),
    ),
);

// SentencePiece's nmt_nfkc in small, by this engine's Unicode: both sides get the same.
function rules() {
    const blank = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/;
    const gone = /[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/;
    const of = c => (gone.test(c) ? '' : blank.test(c) ? ' ' : c.normalize('NFKC'));
    const found = scalars.map(c => [c, of(c)]).filter(([c, to]) => to !== c && c !== '\uff5e');
    const composed = [...'aeiouAEO\uff21\u304b\u1100'].flatMap(a =>
        [...'\u0300\u0301\u0308\u3099\u1161'].map(b => [a + b, (a + b).normalize('NFKC')]),
    );
    return [...found, ...composed.filter(([from, to]) => from !== to)];
}
let precompiled;
before(() => {
    buildDriver();
    precompiled = {type: 'Precompiled', precompiled_charsmap: charsmap(rules())};
});

const WORDS = {
    type: 'Sequence',
    pretokenizers: [
        {type: 'WhitespaceSplit'},
        {type: 'Metaspace', replacement: MARK, add_prefix_space: true},
    ],
};
const metaspace = (prepend_scheme, split) => ({
    type: 'Metaspace',
    replacement: MARK,
    prepend_scheme,
    split,
});
const sequence = (...normalizers) => ({type: 'Sequence', normalizers});
const replaces = (pattern, content) => ({type: 'Replace', pattern, content});

const SPECIALS = ['<s>', '<pad>', '</s>', '<unk>'];
function template() {
    const text = id => ({Sequence: {id, type_id: 0}}),
        special = id => ({SpecialToken: {id, type_id: 0}});
    const tokens = ['<s>', '</s>'].map(id => ({id, ids: [SPECIALS.indexOf(id)], tokens: [id]}));
    const [open, close] = ['<s>', '</s>'].map(special);
    return {
        type: 'TemplateProcessing',
        single: [open, text('A'), close],
        pair: [open, text('A'), close, close, text('B'), close],
        special_tokens: Object.fromEntries(tokens.map(token => [token.id, token])),
    };
}

// A tokenizer.json for both sides. pieces: [piece, score], after the special tokens.
function unigram(name, pieces, {model, ...parts} = {}) {
    const vocab = [...SPECIALS.map(piece => [piece, 0]), ...pieces, ['<mask>', 0]];
    const file = {
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: [
            ...SPECIALS.map((piece, id) => added(id, piece, {special: true, normalized: false})),
            added(vocab.length - 1, '<mask>', {special: true, normalized: false, lstrip: true}),
        ],
        normalizer: precompiled,
        pre_tokenizer: WORDS,
        post_processor: template(),
        decoder: null,
        ...parts,
        model: {type: 'Unigram', unk_id: 3, vocab, byte_fallback: false, ...model},
    };
    const text = JSON.stringify(file);
    return {
        tokenizer: Tokenizer.fromString(text),
        file: write(`sentencepiece_${name}.json`, text),
        config: '',
    };
}

// A small generator, so that every run tests the same.
function randomizer(seed) {
    const random = n => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * n);
    };
    const pick = list => list[random(list.length)];
    const some = (list, most) => Array.from({length: 1 + random(most)}, () => pick(list)).join('');
    return {random, pick, some};
}
function* chunks(items, size) {
    for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

// With a piece for each character, ids show what became of it.
const shown = () => scalars.filter(c => c.codePointAt(0) < 0x40000 && !/[\p{Cn}\p{Co}]/u.test(c));
const alone = list => list.map(c => [c, -5 - (c.codePointAt(0) % 7)]);

test('every Unicode scalar value through Precompiled, alone, doubled and with marks', async () => {
    const pair = unigram('every_scalar', alone([...new Set([...shown(), MARK])]));
    const texts = [...chunks(assigned, 400)].map(few => few.map(c => `${c} a${c}b`).join(' '));
    await compare(pair, texts);
    const forms = [
        c => c,
        c => c + c,
        c => `e${c}\u0301`,
        c => `${c}\u0344\u0308x`,
        c => `\uff21${c}`,
    ];
    for (const form of forms) await compare(pair, lively.map(form));
});

test("ALBERT's normaliser on every Unicode scalar value: NFKD, accents, lower case", async () => {
    const normalizer = sequence(
        replaces({String: '``'}, '"'),
        replaces({String: "''"}, '"'),
        {type: 'NFKD'},
        {type: 'StripAccents'},
        {type: 'Lowercase'},
        precompiled,
    );
    for (const kept of [true, false]) {
        const steps = normalizer.normalizers.filter(
            step => kept || !/StripAccents|Lowercase/.test(step.type),
        );
        const pair = unigram('albert', alone([...new Set([...shown(), MARK])]), {
            normalizer: sequence(...steps),
        });
        await compare(
            pair,
            lively.map(c => `a${c}b`),
        );
        await compare(
            pair,
            lively.map(c => `${c}\u0327\u0344\u0301e`),
        );
    }
});

// The library's own SentencePiece trainers write the second.
const FORMS = [
    {type: 'NFKC'},
    sequence({type: 'Nmt'}, {type: 'NFKC'}, replaces({Regex: ' {2,}'}, ' ')),
    {type: 'NFKD'},
    sequence({type: 'NFKD'}, {type: 'StripAccents'}, {type: 'Nmt'}, {type: 'Lowercase'}),
];
// What canonical order and composition look at: marks of several classes, Hangul, kana.
const AFTER = ['', '\u0301', '\u0327\u0344\u0301e', '\u3099', '\u1161\u11a8', '\u0338\u0308\u093c'];

test('NFKC, NFKD and Nmt on every Unicode scalar value, alone, doubled, with marks and Hangul', async () => {
    const pieces = alone([...new Set([...shown(), MARK])]);
    const changed = lively.filter(c => c.normalize('NFKD') !== c || /[\p{M}\p{C}]/u.test(c));
    const {some} = randomizer(6);
    const random = [...changed, ...AFTER, ...CLUSTERS];
    for (const normalizer of FORMS) {
        const pair = unigram('forms', pieces, {normalizer, pre_tokenizer: null});
        await compare(
            pair,
            [...chunks(assigned, 400)].map(few => few.map(c => `${c} a${c}b`).join(' ')),
        );
        for (const after of AFTER)
            await compare(
                pair,
                changed.map(c => `${c}${after}\uff76${c}${c}`),
            );
        await compare(
            pair,
            Array.from({length: 5000}, () => some(random, 9)),
        );
    }
});

test('NFKC, NFKD and Nmt on real text', {skip: withoutText}, async t => {
    const texts = oneIn(4, realTexts(shared)).map(text => text.slice(0, 5000));
    const letters = new Set([...texts.join('').normalize('NFKC'), MARK, ' ']);
    for (const normalizer of FORMS) {
        const pair = unigram('forms', alone([...letters]), {normalizer, pre_tokenizer: null});
        t.diagnostic(`${await compare(pair, texts)} tokens of ${texts.length} texts`);
    }
});

const CLUSTERS = [
    ...'ae\r\n \u00a9\u0301\u0308\u0344\u0600\u0903\u093e\u0915\u094d\u0958\u0e33\u1100\u1161\u11a8\u200b\u200c\u200d',
    ...'\u2122\u24c2\uac00\uac01\uff21\ufe0f\u{110bd}\u{1f1e6}\u{1f600}\u{1d165}\u{1f3fb}\u0001\u00bd\ufdfa',
];

test('clusters: marks, conjuncts, joiners, Hangul, what goes at the start', async () => {
    const {some} = randomizer(1);
    // A table with rules for all of them and one that has none for most.
    const own = CLUSTERS.map((c, i) => [c, ['', 'x', 'xy', 'xyz', '\u4e2d'][i % 5]]);
    for (const table of [
        precompiled.precompiled_charsmap,
        charsmap(own),
        charsmap(own.slice(20)),
    ]) {
        const normalizer = {type: 'Precompiled', precompiled_charsmap: table};
        const pieces = alone(
            [...new Set([...shown(), MARK])].filter(c => c < '\u3400' || c > '\uff00'),
        );
        const pair = unigram('clusters', pieces, {normalizer, pre_tokenizer: null});
        await compare(
            pair,
            Array.from({length: 20000}, () => some(CLUSTERS, 9)),
        );
    }
});

test('Unigram: the best path, equal paths, unknown characters, bytes', async () => {
    const {random, some} = randomizer(2);
    const letters = [...'aabbabc\u00e9\u4e2d\u{1f600}'];
    const byte = i => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`;
    const bytes = Array.from({length: 256}, (_, i) => [byte(i), -20]);
    for (let round = 0; round < 12; round++) {
        const names = new Set(
            Array.from({length: 30}, () => some(['a', 'b', 'ab', MARK, '\u00e9'], 5)),
        );
        // Few different scores make many equal sums, of which rounding decides.
        const score = () => -(round % 2 ? random(4) / 10 + 0.1 : Math.fround(random(1e6) / 7e4));
        const pieces = [...names].map(piece => [piece, score()]);
        if (round % 3 === 0) pieces.push(...pieces.slice(0, 3).map(([piece]) => [piece, score()]));
        if (round % 4 < 2) pieces.push(...bytes.slice(round === 4 ? 200 : 0));
        const pair = unigram('paths', pieces, {
            normalizer: null,
            pre_tokenizer: round % 5 ? WORDS : null,
            model: {byte_fallback: round % 4 !== 3},
        });
        const texts = Array.from({length: 3000}, () => some([...letters, ' ', '<unk>', '<s'], 14));
        await compare(pair, [...texts, 'a'.repeat(5000), 'ab'.repeat(3000), '\u4e2d'.repeat(999)]);
    }
});

const PARTS = [
    ...[
        'a',
        'b',
        'ab',
        ' ',
        '  ',
        '   ',
        MARK,
        '\t',
        '\n',
        '\u3000',
        '\u00a0',
        '\u200b',
        '<s>',
        '</s>',
    ],
    ...[
        '<mask>',
        '<mask',
        '<unk>',
        '``',
        "''",
        '.',
        '\u00e9',
        'e\u0301',
        '\u4e2d',
        '\u0001',
        '\ufb01',
        '\u33a5',
    ],
];

test('Metaspace, Replace, Prepend, Strip, WhitespaceSplit: white space and special tokens', async () => {
    const {some} = randomizer(3);
    const texts = Array.from({length: 1500}, () => some(PARTS, 9));
    const pieces = alone([
        ...'abfimMe.3"`\'\u00e9\u0301 x',
        MARK,
        `${MARK}a`,
        `${MARK}${MARK}`,
        ' a',
    ]);
    const spaces = replaces({String: ' '}, MARK);
    const normalizers = [
        null,
        precompiled,
        spaces,
        {type: 'Nothing'},
        sequence({type: 'Prepend', prepend: MARK}, spaces),
        sequence(
            precompiled,
            {type: 'Strip', strip_left: false, strip_right: true},
            replaces({Regex: ' {2,}'}, MARK),
        ),
        sequence(
            {type: 'Strip', strip_left: true, strip_right: true},
            precompiled,
            replaces({Regex: ' {2,}'}, ' '),
        ),
        sequence(
            replaces({String: '``'}, '"'),
            replaces({String: 'a'}, ''),
            replaces({String: 'b'}, 'xab'),
        ),
    ].filter(step => step?.type !== 'Nothing');
    const cuts = [
        null,
        WORDS,
        {type: 'WhitespaceSplit'},
        ...['always', 'first', 'never'].flatMap(scheme =>
            [true, false].map(split => metaspace(scheme, split)),
        ),
        {type: 'Sequence', pretokenizers: [{type: 'WhitespaceSplit'}, metaspace('first', true)]},
        {type: 'Metaspace', replacement: '_', add_prefix_space: true},
    ];
    for (const normalizer of normalizers)
        for (const pre_tokenizer of cuts)
            await compare(unigram('spaces', pieces, {normalizer, pre_tokenizer}), texts);
});

test('offsets of white space that is unknown, trimmed', async () => {
    const processors = [true, false].flatMap(add_prefix_space => [
        {type: 'ByteLevel', trim_offsets: true, add_prefix_space},
        {
            ...{type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 0]},
            ...{trim_offsets: true, add_prefix_space},
        },
    ]);
    const cuts = [
        null,
        metaspace('never', false),
        metaspace('always', true),
        metaspace('first', true),
    ];
    const texts = [
        ' a',
        'a b',
        'a  b ',
        '\u2003a',
        '  ',
        'a\u2003\u2003b',
        '',
        ' ',
        '\u2003\u2003',
        '<mask> ?',
    ];
    for (const post_processor of processors)
        for (const pre_tokenizer of cuts) {
            const parts = {normalizer: null, pre_tokenizer, post_processor};
            await compare(unigram('unknown_space', alone(['a', 'b']), parts), texts);
        }
});

test('pairs and truncation', async () => {
    const {some} = randomizer(4);
    const pieces = alone([...'abe.', MARK, `${MARK}a`, 'ab']);
    for (const pre_tokenizer of [WORDS, metaspace('first', false)]) {
        const pair = unigram('pairs', pieces, {pre_tokenizer});
        const pairs = Array.from({length: 600}, () => [some(PARTS, 12), some(PARTS, 12)]);
        for (const max of [4, 5, 8, 13, 40, 1 << 30]) {
            await compare(pair, pairs, max);
            await compare(
                pair,
                pairs.map(([a]) => a),
                max,
            );
        }
    }
});

const folder = process.env.HEADLIGHT_TOKENIZERS;
const skip = !folder
    ? 'HEADLIGHT_TOKENIZERS names no folder of tokenizers (tests/golden/vocabularies.py)'
    : withoutText;

test(
    'real text, every scalar value and random texts with tokenizers of real size',
    {skip},
    async t => {
        const texts = realTexts(shared);
        assert.ok(texts.length > 5000);
        const {some} = randomizer(5);
        const random = Array.from({length: 5000}, () => some([...PARTS, ...CLUSTERS], 20));
        for (const file of readdirSync(folder).map(name => `${folder}/${name}`)) {
            const pair = {
                tokenizer: Tokenizer.fromString(readFileSync(file, 'utf8')),
                file,
                config: '',
            };
            const tokens = await compare(pair, texts);
            await compare(pair, [...chunks(texts.slice(-4000), 2)], 64);
            await compare(pair, random);
            await compare(pair, lively);
            for (const form of [c => `${c} a${c}b`, c => `${c}${c} e${c}\u0301`])
                await compare(
                    pair,
                    [...chunks(scalars, 400)].map(few => few.map(form).join(' ')),
                );
            t.diagnostic(`${file}: ${texts.length} texts, ${tokens} tokens`);
        }
    },
);
