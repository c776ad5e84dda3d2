/* folders - a model's folder as people have it, on the page (a chosen or dropped folder) and on the command line:
 * what lies at the top is the model, whatever lies below; what holds no model here is named, with the way out.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, relative} from 'node:path';
import {after, test} from 'node:test';
import {openFolder} from '../../web/files/folder.js';
import {loadModel} from '../../web/files/load.js';
import {takeFiles} from '../../web/shell/drop.js';
import {headlight, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-folders-'));
after(() => rmSync(scratch, {recursive: true}));
const GOLDEN = join(root, 'tests/golden/models/bert-tiny-random');
const SHARDED = join(root, 'tests/golden/models/bert-tiny-sharded');
const OTHER = join(root, 'tests/golden/models/bert-width-24');
let made = 0;

/** A folder with these files: by path their text, or true for the file of that name of the golden model; `copies`:
 * folders of other models, by path. */
function folder(files, copies = {}) {
    const dir = join(scratch, `m${made++}`);
    mkdirSync(dir);
    for (const [path, from] of Object.entries(copies))
        cpSync(from, join(dir, path), {recursive: true});
    for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(dir, path)), {recursive: true});
        writeFileSync(
            join(dir, path),
            text === true ? readFileSync(join(GOLDEN, path.split('/').pop())) : text,
        );
    }
    return dir;
}

/** The files as a browser gives those of a folder. */
const picked = dir =>
    readdirSync(dir, {recursive: true, withFileTypes: true})
        .filter(entry => entry.isFile())
        .map(entry => {
            const path = join(entry.parentPath ?? entry.path, entry.name);
            return Object.defineProperty(
                new File([readFileSync(path)], entry.name),
                'webkitRelativePath',
                {value: `top/${relative(dir, path)}`},
            );
        });

/** What the page reads: the bytes of each file that goes to the session. */
async function pageReads(files) {
    const sent = [];
    const opened = await openFolder({files}, {onProgress: () => {}});
    const index = [];
    await loadModel(
        opened,
        async (op, {kind, bytes}) => {
            if (bytes) sent.push(Buffer.from(bytes));
            if (kind === 'index')
                index.push(...new Set(Object.values(JSON.parse(Buffer.from(bytes)).weight_map)));
            return op === 'loadEnd' ? {warnings: []} : index;
        },
        {store: 'q8'},
    );
    return Buffer.concat(sent);
}

const refusedByPage = (files, pattern) =>
    assert.rejects(
        async () => pageReads(files),
        error => {
            assert.equal(error.category, 'file');
            assert.match(error.message, pattern);
            return true;
        },
    );
const command = dir =>
    spawnSync(headlight, ['run', dir, 'a', '--json', '--store', 'f32'], {encoding: 'utf8'});

test('a folder below is never mixed in: checkpoints, modules, another export', async () => {
    for (const model of [GOLDEN, SHARDED]) {
        const plain = folder({}, {'': model});
        const bytes = await pageReads(picked(plain));
        for (const below of [
            {'checkpoint-10': OTHER},
            {'checkpoint-10': GOLDEN, 'checkpoint-20': OTHER},
            {onnx: OTHER, '2_Dense': OTHER, 'runs/x': OTHER},
        ]) {
            const dir = folder(
                {'runs/events.out': 'x', 'training_args.bin': 'PK'},
                {'': model, ...below},
            );
            assert.ok((await pageReads(picked(dir))).equals(bytes));
            assert.equal(command(dir).stdout, command(plain).stdout);
        }
    }
});

test('weights of another program at the top, and a checkpoint below: refused, not replaced', async () => {
    const files = {'config.json': true, 'tokenizer.json': true};
    for (const name of [
        'pytorch_model.bin',
        'pytorch_model-00001-of-00002.bin',
        'flax_model.msgpack',
        'tf_model.h5',
        'model.gguf',
        'onnx/model.onnx',
    ]) {
        const dir = folder({...files, [name]: 'PK'}, {'checkpoint-10': GOLDEN});
        const said = new RegExp(name.split('/').pop().replaceAll('.', '\\.'));
        await refusedByPage(picked(dir), said);
        const {status, stderr} = command(dir);
        assert.equal(status, 1);
        assert.match(stderr, new RegExp(`^weights: .* has ${name} but no model.safetensors`));
    }
    const gguf = folder({'model.Q4.gguf': 'GGUF', 'README.md': 'x'});
    await refusedByPage(picked(gguf), /model\.Q4\.gguf is of a format/);
    assert.match(command(gguf).stderr, /^config: .* has model\.Q4\.gguf but no config\.json/);
});

test('a trainer’s folder: its only checkpoint; of several one is to be chosen', async () => {
    const one = folder({'runs/events.out': 'x'}, {'checkpoint-10': GOLDEN});
    assert.ok((await pageReads(picked(one))).equals(await pageReads(picked(GOLDEN))));
    assert.match(
        command(one).stderr,
        /has no config\.json, but its folder checkpoint-10 has one; give that/,
    );
    const two = folder({}, {'checkpoint-10': GOLDEN, 'checkpoint-20': OTHER});
    await refusedByPage(
        picked(two),
        /config\.json was chosen twice \(top\/checkpoint-10\/config\.json and top\/checkpoint-20\/config\.json\); choose the folder of one model/,
    );
});

test('an adapter is named with its base, and how to merge it', async () => {
    const config = JSON.stringify({
        peft_type: 'LORA',
        base_model_name_or_path: 'bert-base-uncased',
    });
    for (const more of [{}, {'config.json': true}]) {
        const dir = folder({
            'adapter_config.json': config,
            'adapter_model.safetensors': 'x',
            'tokenizer.json': true,
            ...more,
        });
        await refusedByPage(
            picked(dir),
            /^adapter_config\.json: this is a LORA adapter of bert-base-uncased, .*merge_and_unload\(\)\.save_pretrained/,
        );
        assert.match(
            command(dir).stderr,
            /^config: .*adapter_config\.json: this is a LORA adapter of bert-base-uncased, .*merge_and_unload\(\)\.save_pretrained/,
        );
    }
});

test('the cache of the hub, and a folder of nothing but links: a sentence with the way out', async () => {
    const cache = folder({
        'blobs/config.json': true,
        'blobs/model.safetensors': true,
        'refs/main': 'abc',
    });
    await refusedByPage(
        picked(cache),
        /^this is a cache of the hub: .*symbolic links.*cp -RL.*--local-dir/,
    );
    await refusedByPage([], /^what was chosen has no files: .*symbolic links.*cp -RL.*--local-dir/);
    const snapshot = folder({}, {'snapshots/abc': GOLDEN});
    assert.match(
        command(snapshot).stderr,
        /but its folder snapshots\/abc has one; give that folder/,
    );
});

test('an old folder of sentence-transformers names the folder of its model; its settings have many names', async () => {
    const modules = path =>
        JSON.stringify([{idx: 0, path, type: 'sentence_transformers.models.Transformer'}]);
    const old = folder(
        {'modules.json': modules('0_Transformer'), '1_Pooling/config.json': '{}'},
        {'0_Transformer': GOLDEN},
    );
    await refusedByPage(
        picked(old),
        /^the model lies in the folder 0_Transformer, as modules\.json says/,
    );
    assert.match(command(old).stderr, /the model lies in .*\/0_Transformer, as modules\.json says/);
    for (const name of ['roberta', 'xlm-roberta', 'distilbert']) {
        const dir = folder(
            {
                [`sentence_${name}_config.json`]: '{"max_seq_length": 2}',
                'modules.json': modules(''),
            },
            {'': GOLDEN},
        );
        assert.match(
            command(dir).stderr,
            /^config: the max_seq_length in sentence_bert_config\.json is 2/,
        );
        const bytes = await pageReads(picked(dir));
        assert.ok(bytes.includes('{"max_seq_length": 2}'));
    }
});

test('what is dropped: a model where it may be one, else attention', () => {
    const file = (name, path = '') =>
        Object.defineProperty(new File(['x'], name), 'webkitRelativePath', {value: path});
    const taken = files => {
        let as = '';
        takeFiles(
            files,
            () => (as = 'model'),
            () => (as = 'attention'),
        );
        return as;
    };
    assert.deepEqual(
        [
            [],
            [
                file('vocab.txt', 'a/vocab.txt'),
                file('adapter_config.json', 'a/adapter_config.json'),
            ],
            [file('pytorch_model.bin')],
            [file('model.gguf')],
            [file('config.json'), file('model.safetensors')],
            [file('attention.safetensors')],
            [file('a.json', 'd/a.json')],
        ].map(taken),
        ['model', 'model', 'model', 'model', 'model', 'attention', 'attention'],
    );
});
