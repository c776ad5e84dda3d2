// tokenizer_parity - our tokenizer gives the ids, offsets, types and word numbers of the Rust
// library `tokenizers` on every Unicode scalar value and on real text in many scripts. The bar is
// no difference at all. Run: node --test tests/js/tokenizer_parity.test.mjs (needs npm packages;
// real text needs ../shared).
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {before, test} from 'node:test';
import {oneIn} from './lib/sample.mjs';
import {
    added,
    buildDriver,
    compare,
    fromJson,
    fromVocab,
    ours,
    realTexts,
    sampled,
    write,
} from './lib/tokenizer_pair.mjs';

const shared = new URL('../../../shared/data/', import.meta.url).pathname;
const skip = existsSync(shared)
    ? false
    : `needs real text and vocabularies in ${shared}, which is not there`;

const scalars = [];
for (let cp = 0; cp <= 0x10ffff; cp++)
    if (cp < 0xd800 || cp > 0xdfff) scalars.push(String.fromCodePoint(cp));
const assigned = scalars.filter(c => !/[\p{Cn}\p{Co}]/u.test(c));
// Those with anything special about them; the others are letters without case, unassigned or
// private.
const lively = scalars.filter(
    c => !/[\p{Cn}\p{Co}\p{Lo}]/u.test(c) || /[\u00aa-\u3400\uf900-\uffff]/.test(c),
);

// With a piece for a scalar value and its continuation, each one shows what became of it. From
// plane 4 on, where nothing is assigned but a few tags, [UNK] and nothing show it as well.
let everything;
before(() => {
    buildDriver();
    const shown = scalars.filter(
        c => c !== '\n' && (c.codePointAt(0) < 0x40000 || !/[\p{Cn}\p{Co}]/u.test(c)),
    );
    everything = write(
        'every_scalar.txt',
        ['[UNK]', '[CLS]', '[SEP]', '[MASK]', '[PAD]', ...shown.flatMap(c => [c, `##${c}`])].join(
            '\n',
        ),
    );
});

function* chunks(items, size) {
    for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

for (const [name, config] of [
    ['cased', {do_lower_case: false}],
    ['uncased', {}],
    [
        'accents stripped, case kept',
        {do_lower_case: false, strip_accents: true, tokenize_chinese_chars: false},
    ],
    ['lower case, accents kept', {strip_accents: false}],
]) {
    test(`every Unicode scalar value, ${name}`, async () => {
        const pair = await fromVocab(everything, config);
        const common = !('tokenize_chinese_chars' in config || 'strip_accents' in config);
        const whole = sampled(common ? scalars : lively),
            alone = sampled(common ? assigned : lively);
        for (const some of chunks(whole, 200000)) {
            // Words do not look past spaces, so many of them make one text.
            const texts = [...chunks(some, 400)].map(few => few.map(c => `${c} a${c}b`).join(' '));
            await compare(pair, texts);
        }
        await compare(pair, alone);
        await compare(
            pair,
            alone.map(c => `a${c}b`),
        );
    });
}

// A small generator, so that every run tests the same.
function randomizer(seed) {
    return n => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * n);
    };
}

test('combining marks in any order', async () => {
    const marks = scalars.filter(c => /\p{M}/u.test(c));
    const letters = [...'aeo ıİσ한각가ạ̈\u0344\u0f73\u1d15e\u212b中\u2f800\u200d\u0000.'];
    const random = randomizer(1);
    const pick = list => list[random(list.length)];
    const texts = Array.from({length: 20000}, () =>
        Array.from({length: 1 + random(8)}, () => (random(3) ? pick(marks) : pick(letters))).join(
            '',
        ),
    );
    texts.push(`a${marks.join('')}b`, `e${'\u0301\u0327\u0903'.repeat(5000)}`);
    for (const config of [
        {},
        {do_lower_case: false, strip_accents: true},
        {do_lower_case: false},
    ]) {
        await compare(await fromVocab(everything, config), texts);
    }
});

const PIECES = [
    'a',
    'b',
    '##a',
    '##b',
    'ab',
    'aba',
    '##bab',
    'é',
    'e',
    '##e',
    '.',
    '<',
    '>',
    'x',
    'y',
    '中',
    'hello',
    '##s',
];

test('random words of few letters: longest piece first, too long words, prefixes', async () => {
    const random = randomizer(2);
    const word = n => Array.from({length: 1 + random(n)}, () => 'aabbabéE.中'[random(10)]).join('');
    const texts = Array.from({length: 20000}, () => `${word(12)} ${word(5)}${word(3)}`);
    texts.push(
        'a'.repeat(100),
        'a'.repeat(101),
        'a'.repeat(50000),
        'é'.repeat(100),
        'é'.repeat(101),
        '각'.repeat(33),
        '각'.repeat(34),
        `a${'\u0301'.repeat(150)}`,
        'word '.repeat(20000),
        'a'.repeat(40000) + ' b',
        '',
    );
    await compare(fromJson('few_letters', PIECES), texts);
    const vocab = {
        '[UNK]': 0,
        '[CLS]': 1,
        '[SEP]': 2,
        '[MASK]': 3,
        '[PAD]': 4,
        a: 5,
        b: 6,
        ab: 9,
        '##a': 7,
        '@@b': 8,
    };
    const usual = {
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
    };
    for (const part of [
        {continuing_subword_prefix: ''},
        {continuing_subword_prefix: '@@'},
        {max_input_chars_per_word: 0},
        {max_input_chars_per_word: 3},
        {unk_token: 'a'},
    ]) {
        const pair = fromJson('other_model', [], {
            model: {type: 'WordPiece', vocab, ...usual, ...part},
        });
        await compare(pair, texts.slice(-4000));
    }
});

test('normaliser of the file: nothing cleaned, no normaliser', async () => {
    const off = {
        type: 'BertNormalizer',
        clean_text: false,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
    };
    const vocab = lively.flatMap(c => [c, `##${c}`]);
    for (const normalizer of [
        off,
        {...off, strip_accents: true, lowercase: false, handle_chinese_chars: false},
        null,
    ]) {
        const pair = fromJson('normalizer', [...new Set(vocab)], {normalizer});
        await compare(pair, lively);
        await compare(
            pair,
            lively.map(c => `a${c}b`),
        );
    }
});

const SPECIALS = ['[UNK]', '[CLS]', '[SEP]', '[MASK]', '[PAD]'];

test('added tokens: in words, nested, normalised, with white space, single words', async () => {
    const start = SPECIALS.map((piece, id) => added(id, piece, {special: true, normalized: false}));
    const n = 5 + PIECES.length;
    const random = randomizer(3);
    const parts = [
        '<x>',
        '<X>',
        '<xy>',
        '<É>',
        '<é>',
        '<e\u0301>',
        'two words',
        'TWO  Words',
        'two',
        '中',
        ' ',
        '  ',
        '\t',
        '\u3000',
        '\u00a0',
        'a',
        'é',
        '_',
        '9',
        '.',
        '[MASK]',
        '[mask]',
        '[MASK',
        '\u0301',
        '\u200d',
        'Ⓐ',
        '\u1c89',
        '\u{113c8}',
        '\u0897',
        '\u0000',
        '\ufffd',
        'hello',
        '[SEP]',
        '[CLS]',
        '',
    ];
    const some = () =>
        Array.from({length: 1 + random(7)}, () => parts[random(parts.length)]).join('');
    const texts = Array.from({length: 6000}, some);
    const flags = ['single_word', 'lstrip', 'rstrip', 'normalized'];
    for (let set = 0; set < 16; set++) {
        const set_flags = Object.fromEntries(
            flags.map((flag, bit) => [flag, ((set >> bit) & 1) === 1]),
        );
        const tokens = ['<x>', '<xy>', '<é>', 'two words'].map((content, i) =>
            added(n + i, content, set_flags),
        );
        const known = added(PIECES.indexOf('hello') + 5, 'hello', set_flags);
        await compare(
            fromJson('added', PIECES, {added_tokens: [...start, known, ...tokens]}),
            texts,
        );
        const turned = token => ({...token, normalized: !token.normalized, lstrip: !token.lstrip});
        const mixed = tokens.map((token, i) => (i % 2 ? token : turned(token)));
        await compare(
            fromJson('added', PIECES, {added_tokens: [...start, ...mixed]}),
            texts.slice(0, 2000),
        );
    }
});

test('added tokens: inside one that was refused, and beside one before', async () => {
    const start = SPECIALS.map((piece, id) => added(id, piece, {special: true, normalized: false}));
    const n = 5 + PIECES.length;
    const make = tokens => fromJson('added', PIECES, {added_tokens: [...start, ...tokens]});
    await compare(make([added(n, '<ab>', {single_word: true}), added(n + 1, 'b>', {})]), [
        'a<ab>',
        'a <ab>',
        'a<ab>b>',
        '<ab>a b>',
        'a<ab>b> <ab>',
    ]);
    const [right, left] = [added(n, '<r>', {rstrip: true}), added(n + 1, '<l>', {lstrip: true})];
    const space = added(n + 2, 'x ', {});
    await compare(make([right, left, space]), [
        '<r> <l>',
        '<r><l>',
        '<r>  <l> a',
        'x <l>',
        'x  <l>',
        'a <l> <l>',
        'x x <l>',
    ]);
});

test('pairs that are too long together: what the library keeps from 0.23.3 on', () => {
    const {files, pairs, cases} = JSON.parse(
        readFileSync(new URL('../golden/truncation.json', import.meta.url)),
    );
    for (const {file, most, ids} of cases) {
        const path = write('truncation.json', JSON.stringify(files[file]));
        const rows = ours({file: path, config: ''}, pairs, most);
        const found = rows.map(row => row.filter((_, i) => i % 6 === 0).join(''));
        pairs.forEach((pair, i) => assert.equal(found[i], ids[i], `${file} ${most} ${pair}`));
    }
});

test('an added token that begins with the spaces that the one before takes along', async () => {
    const spaced = normalized => [
        added(5, '<r>', {rstrip: true, normalized}),
        added(6, '  x', {normalized}),
        added(7, ' ', {normalized}),
        added(8, '  y', {lstrip: true, rstrip: true, normalized}),
    ];
    const vocab = ['<r>', '  x', ' ', '  y', 'a', 'x', 'y', '##a'];
    const post_processor = {
        ...{type: 'RobertaProcessing', sep: ['[SEP]', 2], cls: ['[CLS]', 1]},
        ...{trim_offsets: true, add_prefix_space: false},
    };
    const parts = ['<r>', ' ', '  ', '  x', '  y', 'a', 'x'];
    const random = randomizer(11);
    const texts = ['a <r>  x a', '<r>   x', '<r>  xa', '<r>   a', '<r>  y a', 'a<r>    y  a'];
    for (let i = 0; i < 400; i++)
        texts.push(Array.from({length: random(9)}, () => parts[random(parts.length)]).join(''));
    for (const normalized of [false, true])
        for (const more of [{}, {post_processor}]) {
            const pair = fromJson('spaced', vocab, {added_tokens: spaced(normalized), ...more});
            await compare(pair, texts);
        }
});

test('BertProcessing and RobertaProcessing are told apart by their fields, not by their type', async () => {
    const usual = {sep: ['[SEP]', 2], cls: ['[CLS]', 1]};
    for (const type of ['BertProcessing', 'RobertaProcessing'])
        for (const more of [
            {},
            {trim_offsets: true},
            {add_prefix_space: true},
            {trim_offsets: true, add_prefix_space: false},
            {trim_offsets: false, add_prefix_space: true},
            {trim_offsets: true, add_prefix_space: 'x'},
        ])
            await compare(fromJson('fields', ['a'], {post_processor: {type, ...usual, ...more}}), [
                ['a a', 'a'],
                ['', ' a '],
            ]);
});

test('pairs and truncation, longest first', async () => {
    const pair = fromJson('few_letters', PIECES);
    const texts = [];
    for (let a = 0; a < 14; a++)
        for (let b = 0; b < 14; b++) texts.push(['a '.repeat(a), 'b '.repeat(b)]);
    for (const max of [4, 5, 6, 7, 8, 11, 12, 13, 20, 512]) {
        await compare(pair, texts, max);
        await compare(
            pair,
            texts.map(([a]) => a),
            max,
        );
    }
    // Where one long word of many pieces stands against many words.
    const long = 'ab'.repeat(45),
        words = 'a '.repeat(200);
    const odd = [
        [long, words],
        [words, long],
        [`${long} a`, words],
        [`a ${long}`, `${long} ${long}`],
        [words, `${words}[MASK]`],
    ];
    for (const max of [4, 5, 40, 64, 91, 92, 93, 128]) await compare(pair, odd, max);
    // Added tokens around the place where the library stops reading.
    const random = randomizer(5);
    const parts = ['a ', 'b ', '[MASK]', '[SEP] ', 'aba', `${long} `, '. '];
    const some = () => Array.from({length: random(16)}, () => parts[random(parts.length)]).join('');
    const mixed = Array.from({length: 300}, () => [some(), some()]);
    for (const max of [4, 6, 7, 9, 12]) await compare(pair, mixed, max);
    await compare(
        pair,
        [
            [`${'a '.repeat(255)}[MASK] a`, 'a '.repeat(300)],
            ['a '.repeat(300), `${'a '.repeat(255)}[MASK] a`],
        ],
        256,
    );
    await compare(
        pair,
        [
            ['a b '.repeat(300), 'b a '.repeat(300)],
            ['a '.repeat(510), ''],
            ['a', 'b '.repeat(900)],
        ],
        512,
    );
});

test('templates: of one text and of two, with truncation; BERT, RoBERTa, others, none', async () => {
    const step = (kind, id, type_id = 0) => ({[kind]: {id, type_id}}),
        special = (id, ids) => ({id, ids, tokens: ids.map(String)});
    const [cls, sep] = [
        ['[CLS]', 1],
        ['[SEP]', 2],
    ];
    const templates = [
        {type: 'BertProcessing', cls, sep},
        {type: 'RobertaProcessing', cls, sep, trim_offsets: false, add_prefix_space: false},
        null,
        {
            type: 'TemplateProcessing',
            single: [step('Sequence', 'A'), step('SpecialToken', '[SEP]')],
            pair: [
                step('Sequence', 'A'),
                step('SpecialToken', '[SEP]', 1),
                step('Sequence', 'B', 2),
            ],
            special_tokens: {'[SEP]': special('[SEP]', [2, 3])},
        },
        {
            type: 'TemplateProcessing',
            single: [step('Sequence', 'A')],
            pair: [step('SpecialToken', '[CLS]'), step('Sequence', 'A'), step('Sequence', 'B')],
            special_tokens: {'[CLS]': special('[CLS]', [1])},
        },
    ];
    const texts = ['', 'a', 'a b [SEP] hello', 'ab '.repeat(9)],
        pairs = texts.flatMap(a => texts.map(b => [a, b]));
    for (const post_processor of templates) {
        const pair = fromJson('template', PIECES, {post_processor});
        for (const max of [5, 8, 12, 1 << 30]) {
            await compare(pair, texts, max);
            await compare(pair, pairs, max);
        }
    }
});

test('line rules of vocab.txt', async () => {
    const lines = [
        '[UNK]',
        '[CLS]',
        '[SEP]',
        'a\r',
        'b \t',
        '',
        'a\rb',
        'c\u3000',
        '',
        ' d',
        'a',
        '##e',
        '\u3000',
        'tab\tin',
        '[MASK]',
    ];
    for (const end of ['', '\n', '\n\n', '\r\n']) {
        const pair = await fromVocab(write('lines.txt', lines.join('\n') + end), {});
        await compare(pair, ['a b c d ab ae [MASK] [PAD] tab\tin']);
    }
    await compare(
        await fromVocab(write('bom.txt', '\ufeff[PAD]\n[UNK]\n[CLS]\n[SEP]\n[PAD]'), {}),
        ['\ufeff[PAD] a'],
    );
});

const vocabularies = {
    'bert-base-uncased': {},
    'bert-base-cased': {do_lower_case: false},
    'bert-base-multilingual-cased': {do_lower_case: false},
    'bert-base-chinese': {},
    'bert-base-german-cased': {do_lower_case: false},
};

test('real text in many scripts with the published vocabularies', {skip}, async t => {
    const texts = realTexts(shared);
    assert.ok(texts.length > 5000);
    const some = oneIn(4, texts);
    for (const [name, config] of Object.entries(vocabularies)) {
        const pair = await fromVocab(`${shared}vocab/${name}/vocab.txt`, config);
        const tokens = await compare(pair, some);
        await compare(pair, [...chunks(some.slice(-4000), 2)], 64);
        // none has more
        await compare(
            pair,
            [...chunks(scalars.slice(0, 0x30000), 400)].map(few => few.join(' ')),
        );
        t.diagnostic(`${name}: ${some.length} texts, ${tokens} tokens`);
    }
});
