// bpe_parity - byte pair encoding and the steps around it (ByteLevel, the published Split patterns,
// Digits, NFC, trimmed offsets) give the ids, offsets, types and word numbers of the Rust library
// `tokenizers`: on every Unicode scalar value, on random strings, with every option of the model.
// The bar is no difference at all. Run: node --test tests/js/bpe_parity.test.mjs (needs npm
// packages; the published vocabularies and real text need ../shared).
import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {before, test} from 'node:test';
import {added, buildDriver, compare, realTexts, sampled, wholeJson} from './lib/tokenizer_pair.mjs';

const shared = new URL('../../../shared/data/', import.meta.url).pathname;
const skip = existsSync(shared)
    ? false
    : `needs real text and vocabularies in ${shared}, which is not there`;

before(buildDriver);

const scalars = [];
for (let cp = 0; cp <= 0x10ffff; cp++)
    if (cp < 0xd800 || cp > 0xdfff) scalars.push(String.fromCodePoint(cp));
// Of those that nothing has been made of yet, and ideographs, a few stand for all.
const lively = sampled(
    scalars.filter(
        (c, i) =>
            !/[\p{Cn}\p{Co}]|[\u3400-\u9fff]|[\u{17000}-\u{18cff}]|[\u{20000}-\u{32000}]/u.test(
                c,
            ) || i % 97 === 0,
    ),
);

function* chunks(items, size) {
    for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

// A small generator, so that every run tests the same.
function randomizer(seed) {
    return n => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return Math.floor((seed / 2 ** 32) * n);
    };
}

// ---- the pieces: all bytes, and merges of what stands together in a text

const plain = [...Array(256).keys()].filter(b => (b > 32 && b < 127) || (b > 160 && b !== 173));
const rest = [...Array(256).keys()].filter(b => !plain.includes(b));
const character = b => String.fromCodePoint(plain.includes(b) ? b : 256 + rest.indexOf(b));
const TEXT = `It's what they'd said: we're here, and I'll SAY it'S not THEY'LL. In 2024 there were 12345 words
and 3.14 more\r\n\r\n   "quoted" and (bracketed), e-mail@example.org #tag über Straße été 中文字 日本語 한국어 Привет мир`;

function trained(count) {
    const vocab = Object.fromEntries([...Array(256).keys()].map(b => [character(b), b]));
    const merges = [];
    const words = TEXT.split(/(?= )/).map(word => [...Buffer.from(word)].map(character));
    while (merges.length < count) {
        const pairs = new Map();
        for (const word of words)
            for (let i = 1; i < word.length; i++) {
                const key = `${word[i - 1]} ${word[i]}`;
                pairs.set(key, (pairs.get(key) ?? 0) + 1);
            }
        const [best] = [...pairs].reduce((a, b) => (b[1] > a[1] ? b : a));
        const [left, right] = best.split(' ');
        merges.push(best);
        vocab[left + right] ??= Object.keys(vocab).length;
        for (const word of words)
            for (let i = 1; i < word.length; i++)
                if (word[i - 1] === left && word[i] === right) word.splice(i - 1, 2, left + right);
    }
    return {vocab, merges};
}
const PIECES = trained(120);

const bpe = (parts = {}) => ({
    type: 'BPE',
    dropout: null,
    unk_token: null,
    continuing_subword_prefix: null,
    end_of_word_suffix: null,
    fuse_unk: false,
    byte_fallback: false,
    ignore_merges: false,
    ...PIECES,
    ...parts,
});

const byteLevel = (parts = {}) => ({
    type: 'ByteLevel',
    add_prefix_space: false,
    trim_offsets: true,
    use_regex: true,
    ...parts,
});
const regex = (Regex, parts = {}) => ({
    type: 'Split',
    pattern: {Regex},
    behavior: 'Isolated',
    invert: false,
    ...parts,
});
const sequence = (...pretokenizers) => ({type: 'Sequence', pretokenizers});
const later = digits =>
    `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const NO_REGEX = byteLevel({use_regex: false});
const digits = (individual_digits = true) => ({type: 'Digits', individual_digits});

// The pre-tokenisers of published models.
const KINDS = {
    'GPT-2, RoBERTa, ModernBERT, GPT-NeoX': byteLevel(),
    'GPT-2 as a Split': sequence(regex(GPT2), NO_REGEX),
    'Llama 3': sequence(regex(later('\\p{N}{1,3}')), NO_REGEX),
    'Qwen2 and Qwen3': sequence(regex(later('\\p{N}')), NO_REGEX),
    SmolLM2: sequence(digits(), byteLevel()),
};

const file = (name, parts = {}) =>
    wholeJson(name, {
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: [],
        normalizer: null,
        pre_tokenizer: byteLevel(),
        post_processor: null,
        decoder: null,
        model: bpe(),
        ...parts,
    });

for (const [name, pre_tokenizer] of Object.entries(KINDS)) {
    test(`every Unicode scalar value: ${name}`, async () => {
        const pair = file('scalars', {pre_tokenizer});
        for (const some of chunks(lively, 20000)) {
            const texts = [...chunks(some, 200)].map(few =>
                few.map(c => `${c} a${c}b '${c}${c}1`).join(''),
            );
            await compare(pair, texts);
        }
    });
}

const PARTS = [
    ...'abst \'"1٣².!\n\r\t\u00a0\u3000\u0085\u200bÄß中한ſ',
    "'s",
    "'LL",
    "'re",
    "'Ve",
    '  ',
    '\r\n',
    ' \n ',
    'don',
    ' the',
    '123',
    'e\u0301',
    '\u0301',
    '😀',
    '\u{1d7d8}',
    'Ⅷ',
];
const random = randomizer(7);
const some = (n = 12) =>
    Array.from({length: 1 + random(n)}, () => PARTS[random(PARTS.length)]).join('');
const TEXTS = [...Array.from({length: 12000}, () => some()), '', ' ', '\n', "'", "'s", TEXT];

test('random strings: spaces, ends of lines, contractions, digits', async () => {
    for (const pre_tokenizer of Object.values(KINDS))
        await compare(file('random', {pre_tokenizer}), TEXTS);
});

test('pre-tokenisers: behaviours, inversion, plain texts, prefix spaces, none', async () => {
    const cuts = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];
    const steps = [
        ...cuts.flatMap(behavior => [
            {type: 'Split', pattern: {String: ' '}, behavior, invert: false},
            {type: 'Split', pattern: {String: "'s"}, behavior, invert: true},
            regex(later('\\p{N}'), {behavior}),
            regex(GPT2, {behavior, invert: true}),
            {type: 'Punctuation', behavior},
        ]),
        digits(false),
        {type: 'WhitespaceSplit'},
        byteLevel({add_prefix_space: true}),
        byteLevel({add_prefix_space: true, use_regex: false}),
    ];
    for (const step of steps) {
        const pair = file('steps', {pre_tokenizer: sequence(digits(), step, NO_REGEX)});
        await compare(pair, TEXTS.slice(0, 1500));
        await compare(
            file('steps', {pre_tokenizer: sequence(step, byteLevel())}),
            TEXTS.slice(-900),
        );
    }
    await compare(file('none', {pre_tokenizer: null}), TEXTS.slice(0, 3000));
});

test('normalisers: NFC, NFD, lower case, accents, one after the other', async () => {
    const one = type => ({type});
    const clean = {type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true};
    const lists = [
        [one('NFC')],
        [one('NFD')],
        [one('NFD'), one('NFC')],
        [one('Lowercase'), one('NFC')],
        [one('NFD'), one('StripAccents'), one('Lowercase')],
        [one('NFC'), {...clean, strip_accents: true, lowercase: true}, one('NFD')],
    ];
    const marks = scalars.filter(c => /\p{M}/u.test(c));
    const letters = [
        ...'aeo ıİσ한각가각\u09c7\u09be\u09d7ạ̈\u0344\u0f73\u{1d15e}\u212b中\u{2f800}\u200d.',
    ];
    const pick = list => list[random(list.length)];
    const mixed = Array.from({length: 9000}, () =>
        Array.from({length: 1 + random(8)}, () => (random(3) ? pick(marks) : pick(letters))).join(
            '',
        ),
    );
    for (const normalizers of lists) {
        const pair = file('normalisers', {normalizer: {type: 'Sequence', normalizers}});
        for (const part of chunks(lively, 20000))
            await compare(
                pair,
                [...chunks(part, 100)].map(few => few.map(c => `${c} a${c}b`).join('.')),
            );
        await compare(pair, mixed);
        await compare(pair, [`a${marks.join('')}b`, `e${'\u0301\u0327\u0903'.repeat(3000)}`]);
    }
});

test("the model's options: unknown, fused, bytes, prefix, suffix, whole words, long words", async () => {
    const letters = ['<unk>', ...'abcde', 'ab', 'abc', 'de', 'cd', '##b', 'a##b', '##c', 'b##c'];
    letters.push('a</w>', 'e</w>', 'de</w>', '##e</w>', 'bc', 'abcd', 'eb');
    const bytes = [...Array(256).keys()].map(
        b => `<0x${b.toString(16).toUpperCase().padStart(2, '0')}>`,
    );
    const numbered = list => Object.fromEntries(list.map((piece, id) => [piece, id]));
    const merges = ['b c', 'a b', 'c d', 'd e', 'ab c', 'a bc', 'e b', 'abc d'];
    const word = () =>
        Array.from({length: 1 + random(14)}, () => 'abcdeabcdexé 中'[random(14)]).join('');
    const texts = [...Array.from({length: 6000}, word), 'abcde'.repeat(5000), 'x'.repeat(3000)];
    const some = {vocab: numbered(letters), merges, unk_token: '<unk>'};
    const with_bytes = numbered([...letters, ...bytes]);
    for (const parts of [
        some,
        {...some, unk_token: null},
        {...some, fuse_unk: true},
        {...some, ignore_merges: true},
        {...some, byte_fallback: true, vocab: with_bytes},
        {...some, byte_fallback: true, vocab: numbered([...letters, ...bytes.slice(0, 0xc4)])},
        {
            ...some,
            byte_fallback: true,
            fuse_unk: true,
            vocab: numbered([...letters, ...bytes.slice(0xc0)]),
        },
        {
            ...some,
            continuing_subword_prefix: '##',
            merges: ['##b ##c', 'a ##b'].slice(1),
            vocab: numbered([...letters, 'ab']),
        },
        {...some, end_of_word_suffix: '</w>', merges: ['d e</w>', 'a b']},
        {...some, continuing_subword_prefix: '##', end_of_word_suffix: '</w>', merges: []},
        {...some, merges: [...merges, 'b c', 'a b']},
    ]) {
        await compare(file('options', {pre_tokenizer: null, model: bpe(parts)}), texts);
    }
    const long = [' the'.repeat(9000), '!'.repeat(40000), 'ab'.repeat(20000)];
    await compare(file('long'), long);
});

const SPECIAL = ['<s>', '</s>', '<unk>', '<mask>'];
const special = SPECIAL.map((content, i) =>
    added(Object.keys(PIECES.vocab).length + i, content, {
        special: true,
        normalized: false,
        lstrip: content === '<mask>',
    }),
);
const idOf = content => special.find(token => token.content === content).id;

test('added tokens in the text, trimmed offsets, templates, pairs, truncation', async () => {
    const step = (kind, id, type_id = 0) => ({[kind]: {id, type_id}});
    const template = {
        type: 'TemplateProcessing',
        single: [step('SpecialToken', '<s>'), step('Sequence', 'A')],
        pair: [
            step('SpecialToken', '<s>'),
            step('Sequence', 'A'),
            step('SpecialToken', '<s>', 1),
            step('Sequence', 'B', 1),
        ],
        special_tokens: {'<s>': {id: '<s>', ids: [idOf('<s>')], tokens: ['<s>']}},
    };
    const roberta = parts => ({
        type: 'RobertaProcessing',
        sep: ['</s>', idOf('</s>')],
        cls: ['<s>', idOf('<s>')],
        trim_offsets: true,
        add_prefix_space: false,
        ...parts,
    });
    const processors = [
        null,
        byteLevel({trim_offsets: false}),
        byteLevel(),
        byteLevel({add_prefix_space: true}),
        roberta(),
        roberta({add_prefix_space: true}),
        roberta({trim_offsets: false}),
        template,
        {type: 'Sequence', processors: [byteLevel(), template]},
    ];
    const extra = [
        added(special.at(-1).id + 1, 'two words', {rstrip: true}),
        added(special.at(-1).id + 2, '<É>', {single_word: true}),
    ];
    const more = [...PARTS, ...SPECIAL, ' <mask> ', 'two words', '<É>', '<É> ', ' ', '   '];
    const text = () => Array.from({length: random(10)}, () => more[random(more.length)]).join('');
    const texts = Array.from({length: 600}, text);
    const pairs = Array.from({length: 100}, () => [text(), text()]);
    for (const post_processor of processors)
        for (const add_prefix_space of [false, true]) {
            const pair = file('around', {
                added_tokens: [...special, ...extra],
                normalizer: {type: 'NFC'},
                pre_tokenizer: byteLevel({add_prefix_space}),
                post_processor,
            });
            await compare(pair, texts);
            await compare(pair, pairs);
            for (const most of [5, 9, 14]) {
                await compare(pair, texts.slice(0, 100), most);
                await compare(pair, pairs, most);
            }
        }
});

test("BERT's pipeline step by step is the one that is run in one go", async () => {
    const vocab = Object.fromEntries(
        ['[UNK]', ...'abcdef', '##a', '##b', '##s', 'é', '中', '.', "'", '1'].map((c, i) => [c, i]),
    );
    const steps = {
        normalizer: {
            type: 'Sequence',
            normalizers: [
                {
                    type: 'BertNormalizer',
                    clean_text: true,
                    handle_chinese_chars: true,
                    strip_accents: null,
                    lowercase: true,
                },
                {type: 'Lowercase'},
            ],
        },
        pre_tokenizer: {type: 'BertPreTokenizer'},
        model: {
            type: 'WordPiece',
            unk_token: '[UNK]',
            continuing_subword_prefix: '##',
            max_input_chars_per_word: 100,
            vocab,
        },
    };
    await compare(file('steps', steps), TEXTS);
});

function published(name, parts) {
    const folder = `${shared}vocab/${name}/`;
    const merges = readFileSync(`${folder}merges.txt`, 'utf8').split('\n').slice(1).filter(Boolean);
    const vocab = JSON.parse(readFileSync(`${folder}vocab.json`, 'utf8'));
    return file(name, {model: bpe({vocab, merges}), ...parts(vocab)});
}

test('real text in many scripts with the published vocabularies', {skip}, async t => {
    const texts = realTexts(shared);
    assert.ok(texts.length > 5000);
    const token = (vocab, content, lstrip = false) =>
        added(vocab[content], content, {special: true, normalized: false, lstrip});
    const files = {
        gpt2: vocab => ({
            added_tokens: [token(vocab, '<|endoftext|>')],
            post_processor: byteLevel({trim_offsets: false}),
        }),
        'roberta-base': vocab => ({
            added_tokens: ['<s>', '<pad>', '</s>', '<unk>']
                .map(content => token(vocab, content))
                .concat(token(vocab, '<mask>', true)),
            post_processor: {
                type: 'RobertaProcessing',
                sep: ['</s>', vocab['</s>']],
                cls: ['<s>', vocab['<s>']],
                trim_offsets: true,
                add_prefix_space: false,
            },
        }),
    };
    for (const [name, parts] of Object.entries(files)) {
        const pair = published(name, parts);
        const tokens = await compare(pair, texts);
        await compare(pair, [...chunks(texts.slice(-4000), 2)], 64);
        const files = {...pair, file: `${shared}vocab/${name}/vocab.json`};
        const words = ['a <mask> b<s>', 'a <|endoftext|>b', '  <mask> '];
        await compare(files, [...texts.filter((text, i) => i % 20 === 0), ...words]);
        await compare(files, [
            ['a', 'b c'],
            [' <mask>', ''],
        ]);
        t.diagnostic(`${name}: ${texts.length} texts, ${tokens} tokens`);
    }
});

const trained_folder = new URL('../../build/out/trained/', import.meta.url).pathname;
const untrained =
    skip ||
    (existsSync(trained_folder)
        ? false
        : `needs what tests/golden/train_tokenizers.py makes in ${trained_folder}`);

test('32,000 pieces trained on UDHR with the published pipelines', {skip: untrained}, async t => {
    const texts = realTexts(shared);
    const mixed = [
        ...TEXTS,
        ...Array.from({length: 3000}, () => `${some(4)}<mask>${some(3)}</s> <mask>`),
    ];
    for (const name of readdirSync(trained_folder)) {
        const pair = wholeJson(
            `trained-${name}`,
            JSON.parse(readFileSync(trained_folder + name, 'utf8')),
        );
        let tokens = await compare(pair, texts);
        tokens += await compare(
            pair,
            [...chunks(scalars, 400)].map(few => few.join(' ')),
        );
        tokens += await compare(pair, mixed);
        await compare(pair, [...chunks(texts.slice(-2000), 2)], 64);
        await compare(pair, [...chunks(mixed.slice(-2000), 2)], 12);
        t.diagnostic(`${name}: ${tokens} tokens`);
    }
});
