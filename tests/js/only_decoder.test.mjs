/* only_decoder - checkpoints whose names are not the usual ones: a tied matrix under the decoder's name alone, as
 * safetensors.torch.save_model keeps the first of two names; prefixes that a wrapper has put before all names.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, root} from './lib/model.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));

/** A golden model, the names of its tensors changed. @param {string} name @param {(tensor: string) => string} to */
function renamed(name, to) {
    const copy = join(folder, name);
    rmSync(copy, {recursive: true, force: true});
    cpSync(join(root, 'tests/golden/models', name), copy, {recursive: true});
    const file = readFileSync(join(copy, 'model.safetensors'));
    const length = Number(file.readBigUInt64LE());
    const header = JSON.parse(file.subarray(8, 8 + length).toString());
    const entries = Object.entries(header).map(([tensor, value]) => [
        tensor === '__metadata__' ? tensor : to(tensor),
        value,
    ]);
    const text = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(text.length));
    writeFileSync(
        join(copy, 'model.safetensors'),
        Buffer.concat([size, text, file.subarray(8 + length)]),
    );
    return copy;
}

const IDS = ['--ids', '3 4 5 6', '--precision', 'fine'];

/** @param {string} where @param {string[]} options */
const run = (where, ...options) =>
    spawnSync(headlight, ['run', where, ...IDS, ...options], {encoding: 'utf8'});

/** Tied models: the word embeddings' name, and the decoder's. @type {Record<string, [string, string]>} */
const TIED = {
    'bert-512': ['embeddings.word_embeddings.weight', 'cls.predictions.decoder.weight'],
    'distilbert-masked': ['distilbert.embeddings.word_embeddings.weight', 'vocab_projector.weight'],
    'roberta-masked': ['roberta.embeddings.word_embeddings.weight', 'lm_head.decoder.weight'],
    'xlm-roberta-masked': ['roberta.embeddings.word_embeddings.weight', 'lm_head.decoder.weight'],
    'mpnet-masked': ['mpnet.embeddings.word_embeddings.weight', 'lm_head.decoder.weight'],
    'gpt2-next': ['transformer.wte.weight', 'lm_head.weight'],
    'qwen2-next': ['model.embed_tokens.weight', 'lm_head.weight'],
    'qwen3-next': ['model.embed_tokens.weight', 'lm_head.weight'],
    'modernbert-masked': ['model.embeddings.tok_embeddings.weight', 'decoder.weight'],
};

for (const [name, [words, decoder]] of Object.entries(TIED))
    test(`${name}: a tied matrix under ${decoder} alone is the word embeddings`, () => {
        const copy = renamed(name, tensor => (tensor === words ? decoder : tensor));
        for (const store of ['f32', 'q8']) {
            const [usual, found] = [join(root, 'tests/golden/models', name), copy].map(where =>
                run(where, '--store', store),
            );
            assert.equal(found.status, 0, found.stderr);
            assert.equal(found.stdout, usual.stdout);
            assert.equal(found.stderr, usual.stderr, 'nothing more is noted');
        }
    });

test('an untied model needs both', () => {
    const copy = renamed('llama-next', tensor =>
        tensor === 'model.embed_tokens.weight' ? 'another.weight' : tensor,
    );
    assert.match(run(copy).stderr, /^weights: tensor model\.embed_tokens\.weight is missing/);
});

test('a prefix before all names is named', () => {
    for (const [name, prefix, whole = prefix] of [
        ['roberta-masked', '_orig_mod.', '_orig_mod.roberta.'],
        ['bert-512', 'model.bert.'],
        ['bert-512', 'transformer.encoder_model.'],
        ['gpt2-next', '_forward_module.', '_forward_module.transformer.'],
        ['llama-next', 'base_model.', 'base_model.model.'],
    ]) {
        const {status, stderr} = run(renamed(name, tensor => prefix + tensor));
        assert.equal(status, 1);
        assert.ok(
            stderr.includes(`is missing: the names of this checkpoint begin with "${whole}"`),
            stderr,
        );
    }
});
