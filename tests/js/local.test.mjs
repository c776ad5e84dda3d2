/* Model folders chosen from the disk (row 103): names, folders, what is refused and why, never a
 * whole file at once.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {openFolder} from '../../web/files/folder.js';
import {loadModel} from '../../web/files/load.js';

/** A File as a folder picker gives it. */
function pick(path, ...parts) {
    const file = new File(parts.length ? parts : ['x'], path.split('/').pop());
    Object.defineProperty(file, 'webkitRelativePath', {value: path.includes('/') ? path : ''});
    return file;
}

async function load(files, options = {}) {
    const sent = [];
    const progress = [];
    const folder = await openFolder({files}, {onProgress: step => progress.push(step), ...options});
    await loadModel(
        folder,
        async (op, args) => {
            sent.push({op, ...args});
            return op === 'loadEnd' ? {warnings: []} : [];
        },
        'q8',
    );
    return {sent, progress};
}

const FOLDER = ['m/config.json', 'm/vocab.txt', 'm/model.safetensors'];
const fails = (files, pattern) =>
    assert.rejects(
        async () => load(files),
        error => {
            assert.equal(error.category, 'file');
            assert.match(error.message, pattern);
            return true;
        },
    );

test('a picked folder: names without the folder, true size for the weights', async () => {
    const {sent, progress} = await load(FOLDER.map(path => pick(path, 'abc')));
    assert.deepEqual(
        sent.map(({op, kind}) => kind ?? op),
        ['config', 'vocab', 'loadBegin', 'loadFile', 'loadBytes', 'loadEnd'],
    );
    assert.equal(sent.find(({op}) => op === 'loadFile').size, 3);
    assert.deepEqual(progress.at(-1), {file: 'model.safetensors', done: 9, total: 9});
});

test('loose files, in any order', async () => {
    await load(['model.safetensors', 'vocab.txt', 'config.json'].map(path => pick(path)));
});

test('big weights pass in pieces', async () => {
    const {sent} = await load([
        pick('config.json'),
        pick('vocab.txt'),
        pick('model.safetensors', ...Array.from({length: 10}, () => new Uint8Array(5e5))),
    ]);
    const sizes = sent.filter(({op}) => op === 'loadBytes').map(({bytes}) => bytes.length);
    assert.equal(
        sizes.reduce((sum, size) => sum + size, 0),
        5e6,
    );
    assert.ok(sizes.length > 1 && Math.max(...sizes) <= 1e6, String(sizes.length));
});

test('the file nearer to the top counts; two of one depth are an error', async () => {
    const {sent} = await load([
        ...FOLDER.map(path => pick(path, 'top')),
        pick('m/1_Pooling/config.json', 'deep'),
        pick('m/onnx/config.json', 'deep'),
    ]);
    assert.equal(Buffer.from(sent[0].bytes).toString(), 'top');
    await fails(
        [...FOLDER.map(path => pick(path)), pick('n/config.json')],
        /config.json was chosen twice \(m\/config.json and n\/config.json\)/,
    );
});

test('what is missing is named, and what was chosen', async () => {
    await fails(
        [],
        /^what was chosen has no files: a browser leaves out symbolic links, .* .hf download NAME --local-dir FOLDER/,
    );
    await fails([pick('photo.jpg')], /config.json is missing .*photo.jpg/);
    await fails(
        FOLDER.slice(0, 1).map(path => pick(path)),
        /tokenizer.json or vocab.txt is missing/,
    );
    await fails(
        FOLDER.slice(0, 2).map(path => pick(path)),
        /model.safetensors .*is missing/,
    );
});

test("SentencePiece's own file is read where there is no tokenizer.json or vocab.txt", async () => {
    const names = ['config.json', 'model.safetensors', 'spiece.model', 'added_tokens.json'];
    const kinds = ({sent}) => sent.filter(({op}) => op === 'loadText').map(({kind}) => kind);
    assert.deepEqual(kinds(await load(names.map(name => pick(name)))), [
        'config',
        'added',
        'pieces',
    ]);
    const both = [...names, 'tokenizer.json'].map(name => pick(name));
    assert.deepEqual(kinds(await load(both)), ['config', 'tokenizer']);
});

for (const [name, why] of [
    ['pytorch_model.bin', /pickle.*can run code.*model.safetensors/],
    ['model.pt', /pickle/],
    ['tf_model.h5', /does not read/],
    ['model.onnx', /does not read/],
    ['model.Q4.GGUF', /does not read/],
]) {
    test(`${name} is refused with the reason, alone and in a folder; beside model.safetensors it is left alone`, async () => {
        await fails([pick(name)], why);
        await fails([...FOLDER.slice(0, 2).map(path => pick(path)), pick(`m/${name}`)], why);
        await load([...FOLDER.map(path => pick(path)), pick(`m/${name}`)]);
    });
}

test('an empty file, a web page saved as a file, a Git LFS pointer', async () => {
    await fails([pick('config.json', '')], /config.json is empty/);
    await fails([pick('config.json', '<html>')], /web page/);
    await fails(
        [
            pick('config.json'),
            pick('vocab.txt'),
            pick('model.safetensors', 'version https://git-lfs.github.com/spec/v1'),
        ],
        /git lfs pull/,
    );
});

test('a file that cannot be read any more', async () => {
    const file = pick('config.json');
    file.stream = () =>
        new ReadableStream({
            pull() {
                throw new DOMException('gone', 'NotReadableError');
            },
        });
    await fails([file], /config.json: the file could not be read any more after 0 bytes \(gone\)/);
});

test('a text file of more than 64 MB is not read into memory', async () => {
    let read = 0;
    const file = pick('config.json');
    file.stream = () =>
        new ReadableStream({
            pull(control) {
                read += 1 << 22;
                control.enqueue(new Uint8Array(1 << 22));
            },
        });
    await fails([file], /larger than 64 MB/);
    assert.ok(read < 80e6);
});

test('cancelled in the middle', async () => {
    const controller = new AbortController();
    const file = pick('model.safetensors');
    file.stream = () =>
        new ReadableStream({
            pull(control) {
                control.enqueue(new Uint8Array(1000));
                setImmediate(() => controller.abort());
                return new Promise(() => {});
            },
        });
    await assert.rejects(
        load([pick('config.json'), pick('vocab.txt'), file], {signal: controller.signal}),
        {name: 'AbortError'},
    );
});
