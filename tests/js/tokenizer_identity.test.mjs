/* tokenizer_identity - two models that differ only in what stands around their vocabulary have one identity where both
 * read every text alike, and two where they do not: members of tokenizer_config.json, special_tokens_map.json and
 * added_tokens.json of tests/golden/around.json, each with each.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {createCore, instantiate} from '../../web/worker/wasm.js';
import {root} from './lib/model.mjs';

const golden = JSON.parse(readFileSync(join(root, 'tests/golden/around.json'), 'utf8'));
const wasm = await instantiate(readFileSync(join(root, 'build/out/wasm/headlight.wasm')));
const SMALL = {
    ...{hidden_size: 4, num_hidden_layers: 1, num_attention_heads: 1, intermediate_size: 4},
    ...{n_embd: 4, n_layer: 1, n_head: 1},
};
const [SETTINGS, MAP, ADDED] = [
    'tokenizer_config.json',
    'special_tokens_map.json',
    'added_tokens.json',
];
/** In the order in which they come. @type {[string, import('../../web/worker/wasm.js').TextKind][]} */
const FILES = [
    ['config.json', 'config'],
    [SETTINGS, 'tokenizerConfig'],
    [MAP, 'specialMap'],
    [ADDED, 'added'],
    ['merges.txt', 'merges'],
    ['vocab.txt', 'vocab'],
    ['vocab.json', 'vocab'],
];
const isWord = kind => kind === 'bert' || kind === 'mpnet';
const bytesOf = content =>
    new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

/** What a model with these files around its vocabulary is called, and how it reads the texts; null: it is refused.
 * @param {string} kind @param {Record<string, unknown>} around */
function read(kind, around) {
    const session = createCore(wasm);
    const [vocabulary, texts] = isWord(kind)
        ? [golden.words, golden.wordTexts]
        : [golden.bytes, golden.byteTexts];
    const config = {model_type: kind, vocab_size: 1000, ...SMALL};
    const files = {'config.json': config, ...vocabulary, ...around};
    try {
        for (const [name, how] of FILES)
            if (files[name] !== undefined) session.loadText(how, bytesOf(files[name]));
        session.loadRandom('f32');
        const ids = [...texts.map(text => [text]), texts.slice(-2)].map(([a, b = null]) => {
            session.tokenize(a, b);
            return session.tokens().map(token => token.id);
        });
        session.loadText('corpus', bytesOf('a\nb\n'));
        session.studyBegin({study: 'patterns'});
        return {
            hash: JSON.parse(session.studyAnswer()).identity.model.sha256,
            ids: JSON.stringify(ids),
        };
    } catch (error) {
        assert.match(String(error), /vocab: /);
        return null;
    } finally {
        session.close();
    }
}

/** Different contents of a file among the recorded cases, and none. @param {string} kind @param {string} name */
const contentsOf = (kind, name) => [
    undefined,
    ...new Set(
        golden.cases
            .filter(one => one.kind === kind && one.files[name])
            .map(one => JSON.stringify(one.files[name])),
    ),
];

for (const kind of ['bert', 'mpnet', 'roberta', 'gpt2'])
    test(`${kind}: models that read a text in two ways are two`, () => {
        /** @type {Map<string, {ids: string, said: string}>} */
        const known = new Map();
        let count = 0;
        const [settings, maps, added] = [SETTINGS, MAP, ADDED].map(name => contentsOf(kind, name));
        for (const [i, setting] of settings.entries())
            for (const [j, map] of maps.entries())
                for (const [k, more] of added.entries()) {
                    if (i && j && (i * 7 + j * 3 + k) % 41) continue;
                    const around = {[SETTINGS]: setting, [MAP]: map, [ADDED]: more};
                    const found = read(kind, around);
                    if (!found) continue;
                    const said = JSON.stringify(around);
                    const same = known.get(found.hash);
                    if (same) assert.equal(found.ids, same.ids, `${said} and ${same.said}`);
                    else known.set(found.hash, {ids: found.ids, said});
                    count++;
                }
        assert.ok(count > 1000 && known.size > 1000, `${count}, ${known.size}`);
    });

/** What each kind's class has where no file names it. @type {Record<string, Record<string, string>>} */
const USUAL = {
    bert: {cls: '[CLS]', mask: '[MASK]', pad: '[PAD]', sep: '[SEP]', unk: '[UNK]'},
    mpnet: {bos: '<s>', cls: '<s>', eos: '</s>', mask: '<mask>', sep: '</s>', unk: '[UNK]'},
    roberta: {bos: '<s>', cls: '<s>', eos: '</s>', mask: '<mask>', pad: '<pad>', sep: '</s>'},
    gpt2: {bos: '<|endoftext|>', eos: '<|endoftext|>', unk: '<|endoftext|>'},
};
const flags = {lstrip: false, normalized: false, rstrip: false, single_word: false};

for (const [kind, usual] of Object.entries(USUAL))
    test(`${kind}: files that say what holds anyway give no model another name`, () => {
        const entries = Object.entries(usual).map(([name, token]) => [`${name}_token`, token]);
        const names = Object.fromEntries(entries);
        const objects = Object.fromEntries(
            entries.map(([key, content]) => [
                key,
                {...flags, content, lstrip: content === '<mask>'},
            ]),
        );
        for (const setting of [undefined, names, {model_max_length: 512}]) {
            const bare = read(kind, {[SETTINGS]: setting});
            for (const map of [names, objects, {}])
                for (const more of [undefined, {}])
                    assert.deepEqual(
                        read(kind, {[SETTINGS]: setting, [MAP]: map, [ADDED]: more}),
                        bare,
                        JSON.stringify([setting, map, more]),
                    );
        }
    });
