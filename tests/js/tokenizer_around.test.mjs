/* tokenizer_around - a folder without tokenizer.json against AutoTokenizer: every member of tokenizer_config.json,
 * special_tokens_map.json and added_tokens.json around vocab.txt, or vocab.json with merges.txt
 * (tests/golden/around.json), and what is refused.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {PIECES, SIDES, TOKENIZERS, tokenizerFiles} from '../../web/files/tokenizer_files.js';
import {headlight, root} from './lib/model.mjs';

const golden = JSON.parse(readFileSync(join(root, 'tests/golden/around.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));

/** @param {Record<string, unknown>} files @param {string[]} texts @param {string[]} options */
function tokenized(files, texts, ...options) {
    const here = join(folder, 'model');
    rmSync(here, {recursive: true, force: true});
    mkdirSync(here);
    for (const [name, content] of Object.entries(files))
        writeFileSync(
            join(here, name),
            typeof content === 'string' || Buffer.isBuffer(content)
                ? content
                : JSON.stringify(content),
        );
    const input = texts.map(text => `${text}\n`).join('');
    const {stdout, stderr, status} = spawnSync(headlight, ['tokenize', here, ...options], {
        input,
        encoding: 'utf8',
    });
    return {ids: stdout.split('\n').slice(0, -1), stderr, status};
}

const isWord = kind => kind === 'bert' || kind === 'mpnet';

for (const kind of ['bert', 'mpnet', 'roberta', 'gpt2'])
    test(`what stands around a vocabulary of ${kind}: ids are those of AutoTokenizer`, () => {
        const [vocabulary, texts] = isWord(kind)
            ? [golden.words, golden.wordTexts]
            : [golden.bytes, golden.byteTexts];
        let read = 0;
        const config = {model_type: kind, vocab_size: 1000};
        for (const {files, ids} of golden.cases.filter(one => one.kind === kind)) {
            const wanted = golden.outcomes[ids];
            const all = {'config.json': config, ...vocabulary, ...files};
            const found = tokenized(all, texts);
            const said = JSON.stringify(files);
            if (wanted) {
                assert.deepEqual(found.ids, wanted.slice(0, -1), `${said} ${found.stderr}`);
                if (read++ % 3) continue;
                const pair = tokenized(all, [texts.slice(-2).join('\t')], '--pair');
                assert.deepEqual(pair.ids, wanted.slice(-1), said);
            } else {
                assert.equal(found.status, 1, said);
                assert.match(found.stderr, /tokenizer_class in tokenizer_config\.json is "\w+"/);
            }
        }
        assert.ok(read > 280, `${read}`);
    });

const bert = {'config.json': {model_type: 'bert', vocab_size: 1000}, ...golden.words};
const gpt2 = {'config.json': {model_type: 'gpt2', vocab_size: 1000}, ...golden.bytes};
const settings = said => ({'tokenizer_config.json': said});

test("RoBERTa's <mask> takes the space before it along, as in version 4 and in its own tokenizer.json", () => {
    const roberta = {...gpt2, 'config.json': {model_type: 'roberta', vocab_size: 1000}};
    const [inside, outside] = tokenized(roberta, ['a<mask>', 'a <mask>']).ids;
    assert.equal(outside, inside);
    const plain = {content: '<mask>', lstrip: false};
    assert.notEqual(
        tokenized({...roberta, ...settings({mask_token: plain})}, ['a <mask>']).ids[0],
        inside,
    );
});

/** What the files are, and what is said of them. @type {[Record<string, unknown>, RegExp][]} */
const REFUSED = [
    [
        {...bert, ...settings({tokenizer_class: 'BertJapaneseTokenizer'})},
        /tokenizer_class in tokenizer_config\.json is "BertJapaneseTokenizer", which is not known without a tokenizer\.json/,
    ],
    [
        {
            ...bert,
            'config.json': {
                model_type: 'bert',
                vocab_size: 1000,
                tokenizer_class: 'LlamaTokenizer',
            },
        },
        /tokenizer_class in config\.json is "LlamaTokenizer", which does not read the files that are there; .* Llama.s.* a SentencePiece file/,
    ],
    [
        {...bert, ...settings({tokenizer_class: 'RobertaTokenizer'})},
        /"RobertaTokenizer", which does not read the files that are there; .*vocab\.json and merges\.txt/,
    ],
    [
        {...gpt2, ...settings({tokenizer_class: 'BertTokenizerFast'})},
        /"BertTokenizerFast", which does not read the files that are there/,
    ],
    [
        {...gpt2, 'config.json': {model_type: 'bert', vocab_size: 1000}},
        /are enough for gpt2 and roberta, but the model_type in config\.json is "bert"/,
    ],
    [
        {...bert, ...settings({cls_token: '[START]'})},
        /vocab\.txt has no token \[START\], which the model needs/,
    ],
    [
        {...bert, ...settings({unk_token: '[NONE]'}), 'added_tokens.json': {'[NONE]': 27}},
        /vocab\.txt has no token \[NONE\]/,
    ],
    [{...bert, ...settings({sep_token: null})}, /the sep_token of tokenizer_config\.json is null/],
    [
        {...bert, 'added_tokens.json': {new: 30}},
        /the added token "new" of added_tokens\.json has the id 30, but its vocabulary says 27; the two must agree/,
    ],
    [
        {...bert, 'added_tokens.json': {a: 3}},
        /the added token "a" of added_tokens\.json has the id 3, but its vocabulary says 17/,
    ],
    [{...bert, 'added_tokens.json': {new: '27'}}, /the id of "new" in added_tokens\.json is "27"/],
    [{...bert, 'added_tokens.json': ['new']}, /added_tokens\.json is not an object/],
    [{...bert, 'special_tokens_map.json': '['}, /special_tokens_map\.json is not valid JSON/],
    [
        {...bert, ...settings({added_tokens_decoder: {x: {content: 'new'}}})},
        /added_tokens_decoder of tokenizer_config\.json has "x", expected an id/,
    ],
    [
        {...bert, ...settings({additional_special_tokens: [7]})},
        /a special token of tokenizer_config\.json is a number, expected a string/,
    ],
    [
        {...bert, 'special_tokens_map.json': {mask_token: {content: 'a', lstrip: 1}}},
        /lstrip of special_tokens_map\.json is a number, expected true or false/,
    ],
    [
        {...gpt2, ...settings({add_bos_token: 'yes'})},
        /add_bos_token of tokenizer_config\.json is a string, expected true or false/,
    ],
    [
        {...bert, 'added_tokens.json': {['x'.repeat(257)]: 27}},
        /of added_tokens\.json has 257 bytes, but at most 256 are supported/,
    ],
];

test('what cannot be read as it is meant is refused, with the file and its member', () => {
    for (const [files, sentence] of REFUSED) {
        const {status, stderr} = tokenized(files, ['a']);
        assert.match(stderr, sentence);
        assert.equal(status, 1, stderr);
    }
});

test('a token that the vocabulary lacks gets the next id, and the model refuses it', () => {
    const few = {...bert, 'config.json': {model_type: 'bert', vocab_size: 27}};
    assert.equal(
        tokenized({...few, ...settings({mask_token: '[X]'})}, ['a']).stderr.split(':')[0],
        'note',
    );
    const {status, stderr} = tokenized({...few, ...settings({mask_token: '[X]'})}, ['a', 'a [X]']);
    assert.equal(status, 1);
    assert.match(
        stderr,
        /note: the vocabulary has 28 entries, but config\.json says vocab_size 27: the model has no row/,
    );
    assert.match(
        stderr,
        /text: line 2: the text has the token "\[X\]" with the id 27, but config\.json says vocab_size 27/,
    );
});

test('of the files of several tokenizers the command reads those that the page reads', () => {
    const sentencepiece = join(root, 'tests/golden/sentencepiece');
    const content = {
        'tokenizer.json': readFileSync(join(root, 'tests/golden/models/gpt2-next/tokenizer.json')),
        ...golden.words,
        ...golden.bytes,
    };
    for (const name of ['source.spm', 'target.spm'])
        content[name] = readFileSync(join(sentencepiece, 'marian', name));
    for (const name of PIECES) content[name] = readFileSync(join(sentencepiece, 't5.model'));
    const numbers = readFileSync(join(sentencepiece, 'marian/vocab.json'), 'utf8');
    const whole = files => ({
        ...Object.fromEntries(files.map(name => [name, content[name]])),
        ...(files === SIDES && {
            'vocab.json': numbers,
            ...settings({tokenizer_class: 'MarianTokenizer'}),
        }),
        ...(PIECES.includes(files[0]) && settings({tokenizer_class: 'T5Tokenizer'})),
    });
    let pairs = 0;
    for (const [i, files] of TOKENIZERS.entries())
        for (const others of TOKENIZERS.slice(i + 1)) {
            const damaged = Object.fromEntries(others.map(name => [name, '{"\0']));
            const {stderr, status} = tokenized({...damaged, ...whole(files)}, ['a']);
            const there = [...new Set([...files, ...others])];
            assert.deepEqual(tokenizerFiles(there), files);
            assert.equal(status, 0, `${files} beside ${others}: ${stderr}`);
            pairs++;
        }
    assert.ok(pairs > 20, `${pairs}`);
});

test("vocab.txt of a family that has another tokenizer is read as BERT's, and that is said", () => {
    for (const model_type of ['albert', 'gpt2', 'roberta']) {
        const files = {...bert, 'config.json': {model_type, vocab_size: 27}};
        const {ids, stderr} = tokenized(files, ['a [MASK]']);
        assert.match(stderr, /^note: no file names the tokenizer_class of vocab\.txt/, model_type);
        assert.deepEqual(ids, ['2 17 4 3']);
        const named = tokenized({...files, ...settings({tokenizer_class: 'BertTokenizer'})}, [
            'a [MASK]',
        ]);
        assert.deepEqual([named.stderr, ...named.ids], ['', '2 17 4 3']);
    }
});
