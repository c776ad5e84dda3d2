/* `headlight bundle` and `headlight convert --shard`: what is written is the model, byte for byte
 * and bit for bit; nothing of a hostile name or vocabulary stands in the page as it is; and each
 * mistake is one sentence. How the page works from the disk is tests/browser/offline.test.mjs.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    truncateSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {root} from './lib/model.mjs';
import {rawTensors, readSafetensors} from './lib/safetensors.mjs';

const TOOL = `${root}build/out/native/headlight`;
const MODEL = `${root}models/mini-en`;
const HOSTILE = `<!--model--><script>"'&\\ \n<img src=x onerror=pwn=1> ÿ`;

function scratch(t) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-offline-'));
    t.after(() => rmSync(folder, {recursive: true}));
    return folder;
}

const tool = (...args) => execFileSync(TOOL, args, {encoding: 'utf8'});
const refused = (...args) => {
    const {status, stderr} = spawnSync(TOOL, args, {encoding: 'utf8'});
    assert.equal(status, 1, stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr;
};

/** The model in a page: its name and its files. */
function modelIn(path) {
    const html = readFileSync(path, 'utf8');
    const [before, rest] = html.split('<!--model-->');
    const [part, after] = rest.split('<!--/model-->');
    const {name, files} = JSON.parse(part.match(/data-file="model.json">(.*?)<\/script>/s)[1]);
    const bytes = file =>
        Buffer.concat(
            [...part.matchAll(/data-file="model\/([\w.]+)">([\w+/=]*)<\/script>/g)]
                .filter(([, found]) => found === file)
                .map(([, , text]) => Buffer.from(text, 'base64')),
        );
    return {
        around: before + after,
        part,
        name,
        files: new Map(files.map(file => [file, bytes(file)])),
    };
}

test('bundle: the files are those of convert, the rest of the page is the page', t => {
    const folder = scratch(t);
    cpSync(MODEL, join(folder, 'exact'), {recursive: true});
    tool('convert', MODEL, join(folder, 'exact'), '--store', 'f32');
    tool('convert', join(folder, 'exact'), join(folder, 'small'));
    tool('bundle', join(folder, 'exact'), '-o', join(folder, 'page.html'));
    const {around, name, files} = modelIn(join(folder, 'page.html'));
    assert.equal(around, modelIn(`${root}build/out/headlight.html`).around);
    assert.equal(name, 'exact');
    const read = readdirSync(join(folder, 'small')).filter(file => file !== 'README.md');
    assert.deepEqual([...files.keys()].sort(), read.sort());
    for (const [file, bytes] of files)
        assert.ok(bytes.equals(readFileSync(join(folder, 'small', file))), file);
});

test('a page as shipped and one made of the same model hold the same files', t => {
    const page = join(scratch(t), 'page.html');
    tool('bundle', join(root, 'models/mini2-en'), '-o', page); // the page's first model
    const [made, shipped] = [modelIn(page), modelIn(`${root}build/out/headlight.html`)];
    for (const [file, bytes] of shipped.files) {
        if (file !== 'config.json') assert.ok(bytes.equals(made.files.get(file)), file);
    }
    assert.deepEqual(
        JSON.parse(made.files.get('config.json')).hidden_size,
        JSON.parse(shipped.files.get('config.json')).hidden_size,
    );
});

test('a hostile name stands in no page as it is', t => {
    const folder = join(scratch(t), HOSTILE);
    cpSync(MODEL, folder, {recursive: true});
    const page = join(folder, '..', 'page.html');
    tool('bundle', folder, '-o', page);
    const {name, part} = modelIn(page);
    assert.equal(name, HOSTILE);
    assert.match(
        part.replace(
            /<script type="(text\/plain" data-file="model\/[\w.]+|application\/json" data-file="model.json)">[^<>]*<\/script>/g,
            '',
        ),
        /^\s*$/,
    );
});

test('bundle: SentencePiece files go along where they are read', t => {
    const folder = scratch(t);
    const page = join(folder, 'page.html');
    const model = join(root, 'models/mini-de-en');
    tool('bundle', model, '-o', page);
    const {files} = modelIn(page);
    for (const file of ['source.spm', 'target.spm', 'vocab.json', 'generation_config.json'])
        assert.ok(files.get(file)?.equals(readFileSync(join(model, file))), file);
    const other = join(folder, 'other');
    cpSync(MODEL, other, {recursive: true});
    writeFileSync(join(other, 'spiece.model'), 'x');
    tool('bundle', other, '-o', page);
    assert.ok(modelIn(page).files.has('spiece.model'), 'nothing else says which is read');
    tool('convert', model, other); // a folder with a tokenizer.json, too
    rmSync(join(other, 'vocab.txt'));
    writeFileSync(join(other, 'tokenizer.json'), '{}');
    tool('bundle', other, '-o', page);
    assert.ok(!modelIn(page).files.has('spiece.model'));
    assert.ok(modelIn(page).files.has('source.spm'), 'a Marian’s comes first');
});

test('mistakes of bundle are one sentence each, and leave no page behind', t => {
    const folder = scratch(t);
    const page = join(folder, 'page.html');
    assert.match(refused('bundle', join(folder, 'absent')), /^state: .*absent cannot be opened/);
    assert.match(
        refused('bundle', MODEL, '-o', page, '--page', join(folder, 'none.html')),
        /^state: .*none.html cannot be opened .*make offline/,
    );
    writeFileSync(join(folder, 'other.html'), '<!doctype html><!--model-->');
    assert.match(
        refused('bundle', MODEL, '-o', page, '--page', join(folder, 'other.html')),
        /^state: this page cannot take a model; it must be a headlight.html/,
    );
    assert.match(
        refused('bundle', MODEL, '-o', join(folder, 'no', 'page.html')),
        /^state: .* cannot be written/,
    );
    const large = join(folder, 'large');
    cpSync(MODEL, large, {recursive: true});
    writeFileSync(join(large, 'merges.txt'), ''); // which nobody reads beside vocab.txt
    truncateSync(join(large, 'merges.txt'), 95e6);
    assert.match(
        refused('bundle', large, '-o', page),
        /^weights: .* takes 102.\d MB as int8, but a page holds at most 100 MB; .*convert --shard 95/,
    );
    assert.deepEqual(readdirSync(folder).sort(), ['large', 'other.html']);
    assert.equal(spawnSync(TOOL, ['bundle']).status, 2);
});

test('convert --shard: files under the limit that compute the same bits', t => {
    const folder = scratch(t);
    const parts = join(folder, 'parts');
    mkdirSync(parts);
    writeFileSync(join(parts, 'model.safetensors'), 'of an earlier conversion');
    tool('convert', MODEL, parts, '--shard', '2');
    const names = readdirSync(parts)
        .filter(name => name.endsWith('.safetensors'))
        .sort();
    assert.ok(names.length > 3);
    names.forEach((name, i) => {
        assert.equal(name, `model-0000${i + 1}-of-0000${names.length}.safetensors`);
        assert.ok(statSync(join(parts, name)).size <= 2.1e6, name);
    });
    const {weight_map: map, metadata} = JSON.parse(
        readFileSync(join(parts, 'model.safetensors.index.json'), 'utf8'),
    );
    const tensors = names.map(name => readSafetensors(join(parts, name)));
    for (const [tensor, file] of Object.entries(map))
        assert.ok(tensors[names.indexOf(file)].has(tensor), tensor);
    assert.equal(
        metadata.total_size,
        tensors
            .flatMap(file => [...file.values()])
            .reduce((sum, {data}) => sum + data.byteLength, 0),
    );
    const dump = (model, name) => {
        tool(
            'run',
            model,
            'I went to the store.',
            'It was closed.',
            '--store',
            'q8',
            '--dump',
            join(folder, name),
        );
        return rawTensors(readFileSync(join(folder, name)));
    };
    const tensorsOf = dump(MODEL, 'a');
    assert.deepEqual(dump(parts, 'b'), tensorsOf);
    tool('convert', parts, join(folder, 'whole'));
    assert.deepEqual(dump(join(folder, 'whole'), 'c'), tensorsOf);
    for (const bad of ['0', 'x', '-5', '1e3', ''])
        assert.equal(spawnSync(TOOL, ['convert', MODEL, parts, '--shard', bad]).status, 2, bad);
});
