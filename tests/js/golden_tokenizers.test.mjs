/* golden_tokenizers - the tokenizers of the golden models, which transformers has made: `headlight
 * tokenize` gives the ids that the dumps hold.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, root} from './lib/model.mjs';

const golden = join(root, 'tests/golden');

const folders = readdirSync(join(golden, 'models')).filter(
    name =>
        existsSync(join(golden, 'models', name, 'tokenizer.json')) &&
        existsSync(join(golden, 'dumps', name, 'inputs.json')),
);

for (const name of folders)
    test(`${name}: ids of texts are those of transformers`, () => {
        const {inputs} = JSON.parse(
            readFileSync(join(golden, 'dumps', name, 'inputs.json'), 'utf8'),
        );
        const folder = join(golden, 'models', name);
        for (const {texts, input_ids} of inputs.filter(({texts}) => texts)) {
            const {status, stdout, stderr} = spawnSync(
                headlight,
                ['tokenize', folder, ...(texts[1] === undefined ? [] : ['--pair'])],
                {input: `${texts.join('\t')}\n`, encoding: 'utf8'},
            );
            assert.equal(`${status}${stderr}`, '0', 'read, and nothing is noted');
            assert.deepEqual(stdout.trim().split(' ').map(Number), input_ids);
        }
    });

test('nothing is noted of the models of the menu', () => {
    for (const name of readdirSync(join(root, 'models'))) {
        const folder = join(root, 'models', name);
        if (!existsSync(join(folder, 'config.json'))) continue;
        const {status, stderr} = spawnSync(headlight, ['tokenize', folder], {
            input: 'a\n',
            encoding: 'utf8',
        });
        assert.equal(`${status}${stderr}`, '0', name);
    }
});

test('a folder with vocab.json and merges.txt and no tokenizer.json', () => {
    for (const name of ['gpt2-next', 'roberta-masked']) {
        const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
        const {model} = JSON.parse(
            readFileSync(join(golden, 'models', name, 'tokenizer.json'), 'utf8'),
        );
        writeFileSync(join(folder, 'vocab.json'), JSON.stringify(model.vocab));
        const merges = model.merges.map(pair => pair.join(' '));
        writeFileSync(join(folder, 'merges.txt'), merges.join('\n'));
        const {inputs} = JSON.parse(
            readFileSync(join(golden, 'dumps', name, 'inputs.json'), 'utf8'),
        );
        const [{texts, input_ids}] = inputs;
        const {stdout, stderr} = spawnSync(headlight, ['tokenize', folder], {
            input: texts[0],
            encoding: 'utf8',
        });
        assert.deepEqual(stdout.trim().split(' ').map(Number), input_ids, stderr);
        assert.equal(stderr, '', 'nothing is noted');
        writeFileSync(join(folder, 'merges.txt'), merges.slice(0, merges.length / 2).join('\n'));
        const short = spawnSync(headlight, ['tokenize', folder], {input: 'a\n', encoding: 'utf8'});
        assert.match(
            short.stderr,
            /^note: merges\.txt has \d+ merges, but vocab\.json has \d+ tokens/,
        );
        rmSync(folder, {recursive: true});
    }
});

test('vocab.json and merges.txt of a family that does more with them are refused', () => {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
    const from = join(golden, 'models', 'qwen2-next');
    const {model} = JSON.parse(readFileSync(join(from, 'tokenizer.json'), 'utf8'));
    writeFileSync(join(folder, 'config.json'), readFileSync(join(from, 'config.json')));
    writeFileSync(join(folder, 'vocab.json'), JSON.stringify(model.vocab));
    writeFileSync(join(folder, 'merges.txt'), model.merges.map(pair => pair.join(' ')).join('\n'));
    const {status, stderr} = spawnSync(headlight, ['tokenize', folder], {
        input: 'a 12',
        encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(
        stderr,
        /enough for gpt2 and roberta, but the model_type in config.json is "qwen2"/,
    );
    rmSync(folder, {recursive: true});
});

test('there are golden tokenizers', () => assert.ok(folders.length >= 15));
