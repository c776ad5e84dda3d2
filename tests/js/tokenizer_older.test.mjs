/* tokenizer_older - tokenizer.json as it was written before tokenizers 0.9, without types, and added tokens of
 * white space: against the Rust library (npm tokenizers).
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {Tokenizer} from 'tokenizers';
import {buildDriver, compare, fromJson, ours, wholeJson, write} from './lib/tokenizer_pair.mjs';

buildDriver();

const PIECES = ['a', 'b', 'ab', '##b', 'é', 'x'];
const TEXTS = ['ab  Ab \u00c9a', 'aaab x', ' b\u2581ab ', '[MASK]a'];
const golden = new URL('../golden/models/', import.meta.url);

/** @param {unknown} value @returns {any} a copy without the members "type" */
const untyped = value =>
    JSON.parse(JSON.stringify(value, (key, member) => (key === 'type' ? undefined : member)));

const MAP = 'BAAAAAAAAAA=';
const BERT = {clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true};
const REPLACE = {type: 'Replace', pattern: {String: 'x'}, content: 'b'};
const A = {Sequence: {id: 'A', type_id: 0}};
const B = {Sequence: {id: 'B', type_id: 1}};
const SEP = {SpecialToken: {id: '[SEP]', type_id: 0}};
const TEMPLATE = {
    single: [A, SEP],
    pair: [A, SEP, B],
    special_tokens: {'[SEP]': {id: '[SEP]', ids: [2], tokens: ['[SEP]']}},
};
const ENDS = {sep: ['[SEP]', 2], cls: ['[CLS]', 1]};
const IDS = {
    '[UNK]': 0,
    '[CLS]': 1,
    '[SEP]': 2,
    '[MASK]': 3,
    '[PAD]': 4,
    a: 5,
    b: 6,
    ab: 7,
    '##b': 8,
};
const SCORES = Object.keys(IDS).map((piece, i) => [piece, -i]);
const WORDS = {unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100};

/** Every kind of each part, and members that belong to two kinds. @type {Record<string, object[]>} */
const KINDS = {
    normalizer: [
        {type: 'BertNormalizer', ...BERT},
        {type: 'BertNormalizer', ...BERT, content: 'x', pattern: {String: 'a'}},
        {type: 'Strip', strip_left: true, strip_right: false},
        REPLACE,
        {...REPLACE, prepend: 'x'},
        {type: 'Prepend', prepend: 'x'},
        {type: 'Sequence', normalizers: [REPLACE, {type: 'BertNormalizer', ...BERT}]},
        ...['NFC', 'NFD', 'NFKC', 'NFKD', 'Lowercase', 'StripAccents', 'Nmt'].map(type => ({type})),
    ],
    pre_tokenizer: [
        {type: 'BertPreTokenizer'},
        {type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true},
        {type: 'Metaspace', replacement: '_', prepend_scheme: 'always', split: true},
        {type: 'Split', pattern: {String: 'a'}, behavior: 'Isolated', invert: false},
        {type: 'Digits', individual_digits: true},
        {type: 'WhitespaceSplit'},
    ],
    post_processor: [
        {type: 'TemplateProcessing', ...TEMPLATE},
        {type: 'BertProcessing', ...ENDS},
        {type: 'RobertaProcessing', ...ENDS, trim_offsets: false, add_prefix_space: true},
        {type: 'BertProcessing', ...ENDS, ...TEMPLATE},
        {type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true},
        {type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, ...TEMPLATE},
        {type: 'Sequence', processors: [{type: 'BertProcessing', ...ENDS}]},
        {type: 'Sequence', ...TEMPLATE},
        {type: 'RobertaProcessing', ...TEMPLATE},
    ],
    model: [
        {type: 'WordPiece', ...WORDS, vocab: IDS},
        {type: 'WordPiece', ...WORDS, vocab: IDS, unk_id: 0},
        {type: 'BPE', vocab: IDS, merges: ['a b'], unk_token: '[UNK]'},
        {type: 'BPE', vocab: IDS, merges: [['a', 'b']], dropout: null},
        {type: 'Unigram', unk_id: 0, vocab: SCORES},
        {type: 'Unigram', unk_id: 0, vocab: SCORES, merges: []},
        {type: 'Unigram', unk_id: 0, vocab: SCORES, ...WORDS},
        {type: 'WordLevel', vocab: IDS, unk_token: '[UNK]'},
        {type: 'WordLevel', vocab: IDS, ...WORDS, max_input_chars_per_word: undefined},
    ],
};

/** A file that the library does not take. @param {string} text */
const bare = text => ({file: write('bare.json', text), config: ''});

/** The pair, or null where the library takes no such file. @param {string} part @param {unknown} value */
function made(part, value) {
    try {
        return fromJson('older', PIECES, {[part]: value});
    } catch {
        return null;
    }
}

for (const [part, kinds] of Object.entries(KINDS))
    test(`a ${part} without its type is told by its members`, async () => {
        let told = 0;
        for (const kind of kinds)
            for (const value of [kind, untyped(kind), {...kind, type: null}]) {
                const pair = made(part, value);
                if (pair && kind.type !== 'WordLevel') {
                    await compare(pair, TEXTS);
                    told += !value.type;
                } else if (pair)
                    assert.throws(
                        () => ours(pair, [], 64),
                        /model of tokenizer\.json is "WordLevel"/,
                    );
            }
        assert.ok(part === 'pre_tokenizer' ? told === 0 : told > 3, `${told}`);
    });

test('what the library cannot tell is refused', () => {
    const refused = [
        ['pre_tokenizer', {}, /pre_tokenizer of tokenizer\.json has no type; only/],
        [
            'normalizer',
            {precompiled_charsmap: MAP},
            /normalizer of tokenizer\.json has no type; only/,
        ],
        [
            'post_processor',
            {trim_offsets: true},
            /post_processor of tokenizer\.json has no type; only/,
        ],
        ['model', {vocab: IDS}, /model of tokenizer\.json has no type; only/],
    ];
    for (const [part, value, sentence] of refused) {
        assert.equal(made(part, value), null);
        const {file} = fromJson('older', PIECES);
        const json = JSON.parse(readFileSync(file, 'utf8'));
        const text = JSON.stringify({...json, [part]: value});
        assert.throws(() => Tokenizer.fromString(text));
        assert.throws(() => ours(bare(text), [], 64), sentence);
    }
});

test('golden tokenizers of three kinds, without the types that old files lack', async () => {
    for (const name of ['bert-tiny-bare', 'gpt2-next', 'xlm-roberta-masked', 'camembert-masked']) {
        const file = JSON.parse(readFileSync(new URL(`${name}/tokenizer.json`, golden), 'utf8'));
        for (const part of ['model', 'post_processor'])
            if (file[part] && file[part].type !== 'ByteLevel') file[part] = untyped(file[part]);
        await compare(wholeJson('older', file), [
            ...TEXTS,
            'The cat sat on the mat.',
            'a <mask> b',
        ]);
    }
});

test('added tokens of white space, with all flags', () => {
    const {file, flags, texts, cases} = JSON.parse(
        readFileSync(new URL('../golden/white_space.json', import.meta.url), 'utf8'),
    );
    let compared = 0;
    for (const {added, ids} of cases) {
        const added_tokens = file.added_tokens.map((token, i) => ({
            ...token,
            ...Object.fromEntries(flags.map((flag, k) => [flag, added[i][k] === '1'])),
        }));
        const rows = ours(bare(JSON.stringify({...file, added_tokens})), texts, 64);
        rows.forEach((row, i) => {
            if (ids[i] === null) return; // the library panics
            const found = row.filter((_, k) => k % 6 === 0).join('');
            assert.equal(found, ids[i], `${added}: ${JSON.stringify(texts[i])}`);
            compared++;
        });
    }
    assert.ok(compared > 5000, `${compared}`);
});
