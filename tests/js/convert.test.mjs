/* convert - `headlight convert` of untied decoders: the bias is written under the name of the module that transformers
 * computes with, too; and what goes along with a model.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, root} from './lib/model.mjs';
import {rawTensors, readSafetensors, tensor, writeSafetensors} from './lib/safetensors.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));

/** The families whose decoder has a bias of its own beside that of its head. @type {Record<string, string>} */
const FAMILIES = {
    'bert-sixteen-heads': 'cls.predictions',
    'albert-groups': 'predictions',
    'roberta-masked': 'lm_head',
    'camembert-masked': 'lm_head',
    'xlm-roberta-masked': 'lm_head',
    'mpnet-masked': 'lm_head',
};

/** @param {string[]} words */
function run(...words) {
    const {status, stdout, stderr} = spawnSync(headlight, words, {encoding: 'utf8'});
    assert.equal(status, 0, stderr);
    return stdout;
}

/** A golden model with a decoder and biases of its own. @param {string} name @param {string} head
 * @param {boolean} tied */
function untied(name, head, tied) {
    const copy = join(folder, `${name}-${tied}`);
    cpSync(join(root, 'tests/golden/models', name), copy, {recursive: true});
    const config = JSON.parse(readFileSync(join(copy, 'config.json'), 'utf8'));
    writeFileSync(
        join(copy, 'config.json'),
        JSON.stringify({...config, tie_word_embeddings: tied}),
    );
    const tensors = rawTensors(readFileSync(join(copy, 'model.safetensors')));
    const words = Object.keys(tensors).find(key => key.endsWith('word_embeddings.weight')) ?? '';
    const [count, width] = tensors[words].shape;
    const values = Array.from({length: count * width}, (_, i) => Math.sin(i) / 4);
    const bias = Array.from({length: count}, (_, i) => Math.cos(i));
    tensors[`${head}.bias`] = tensor([count], Array(count).fill(0.5));
    tensors[`${head}.decoder.bias`] = tensor([count], bias);
    if (!tied) tensors[`${head}.decoder.weight`] = tensor([count, width], values);
    writeFileSync(join(copy, 'model.safetensors'), writeSafetensors(tensors));
    return {copy, bias: Float32Array.from(bias)};
}

const IDS = ['--ids', '2 5 6 4 7', '--precision', 'fine'];

for (const [name, head] of Object.entries(FAMILIES))
    test(`${name}: an untied decoder keeps its bias`, () => {
        const {copy, bias} = untied(name, head, false);
        for (const store of ['f32', 'q8']) {
            const to = join(folder, `${name}-${store}`);
            run('convert', copy, to, '--store', store);
            const written = readSafetensors(join(to, 'model.safetensors'));
            for (const key of ['decoder.bias', 'bias'])
                assert.deepEqual(written.get(`${head}.${key}`)?.data, bias, key);
            const [before, after] = [copy, to].map(from =>
                run('run', from, ...IDS, '--store', store),
            );
            assert.equal(after, before);
        }
    });

test('of a tied one it is written once, under the name that both have', () => {
    const {copy, bias} = untied('roberta-masked', 'lm_head', true);
    const to = join(folder, 'tied');
    run('convert', copy, to, '--store', 'f32');
    const written = readSafetensors(join(to, 'model.safetensors'));
    assert.deepEqual(written.get('lm_head.bias')?.data, bias);
    assert.ok(!written.has('lm_head.decoder.bias'));
});

test('what its author wrote goes along: card, licence, settings of generation', () => {
    const from = join(folder, 'whole');
    cpSync(join(root, 'tests/golden/models/gpt2-next'), from, {recursive: true});
    const files = ['README.md', 'LICENSE', 'NOTICE', 'generation_config.json', 'added_tokens.json'];
    for (const file of files) writeFileSync(join(from, file), `{"of": "${file}"}`);
    const to = join(folder, 'whole-q8');
    run('convert', from, to);
    for (const file of files)
        assert.equal(readFileSync(join(to, file), 'utf8'), `{"of": "${file}"}`);
    assert.ok(!existsSync(join(to, 'LICENSE.txt')));
});
