// tokenizer_pieces - SentencePiece's own files read without a tokenizer.json, as XLM-R, CamemBERT, ALBERT and
// Llama do, T5 and both sides of a Marian: the ids of 200 texts, of white space, marks, signs and added tokens, equal those that
// AutoTokenizer gives (tests/golden/sentencepiece/make.py and two.py).
import assert from 'node:assert/strict';
import {mkdirSync, readFileSync, rmSync} from 'node:fs';
import {before, test} from 'node:test';
import {buildDriver, ours, write} from './lib/tokenizer_pair.mjs';

const golden = new URL('../golden/sentencepiece/', import.meta.url).pathname;
const read = name => JSON.parse(readFileSync(golden + name, 'utf8'));
const all = ['ids.json', 'ids_two.json'].flatMap(name => {
    const {texts, rows} = read(name);
    return rows.map(row => ({...row, texts}));
});

before(buildDriver);

for (const {model, config, ids, pairs, texts} of all) {
    const {tokenizer_class: name, mask_token: _, ...flags} = config;
    test(`${model} as ${name} ${JSON.stringify(flags).slice(0, 200)}`, () => {
        const file = golden + model;
        const pair = {file, config: write('pieces_config.json', JSON.stringify(config))};
        const idsOf = given =>
            ours(pair, given, 1 << 30).map(rows => [...rows.filter((_, i) => i % 6 === 0)]);
        for (const [i, found] of idsOf(texts).entries())
            assert.deepEqual(found, ids[i], JSON.stringify(texts[i]));
        const both = texts.slice(0, 20).map((text, i) => [text, texts[20 + i]]);
        if (!pairs.length) return; // a target is one text
        for (const [i, found] of idsOf(both).entries())
            assert.deepEqual(found, pairs[i], JSON.stringify(both[i]));
    });
}

test('lists of other tokens beside a SentencePiece file: which of both files count, by name and kind', () => {
    const {few, lists} = read('ids_two.json');
    const folder = new URL('../../build/out/test/lists/', import.meta.url).pathname;
    mkdirSync(folder, {recursive: true});
    const map = `${folder}special_tokens_map.json`;
    for (const {config, map: older, ids} of lists) {
        const said = {tokenizer_class: 'T5Tokenizer', extra_ids: 4, ...config};
        const pair = {
            file: `${golden}t5.model`,
            config: write('lists/tokenizer_config.json', JSON.stringify(said)),
        };
        if (older) write('lists/special_tokens_map.json', JSON.stringify(older));
        else rmSync(map, {force: true});
        for (const [i, rows] of ours(pair, few, 1 << 30).entries())
            assert.deepEqual(
                [...rows.filter((_, k) => k % 6 === 0)],
                ids[i],
                JSON.stringify([config, older, few[i]]),
            );
    }
});
