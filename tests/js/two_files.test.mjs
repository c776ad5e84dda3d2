/* two_files - models of two stacks whose tokenizer is SentencePiece files without a tokenizer.json: a Marian's source.spm, target.spm and
 * vocab.json, a T5's spiece.model. Opened as a folder, from an address, from a menu and from the hub, and put into a page by `headlight
 * bundle`: each has the ids of the command line; a file that is missing is named.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
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
import {join} from 'node:path';
import {after, test} from 'node:test';
import {openFolder} from '../../web/files/folder.js';
import {smallOf} from '../../web/files/hub_place.js';
import {loadModel} from '../../web/files/load.js';
import {load} from '../../web/package/node.js';
import {withWasm} from './lib/engine.mjs';
import {headlight, root, run} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-two-files-'));
after(() => rmSync(scratch, {recursive: true}));
const MARIAN = join(root, 'models/mini-de-en');
const TEXT = 'drei hundert zwei und vierzig';
const wasm = which => readFileSync(join(root, `build/out/wasm/headlight${which}.wasm`));
const wasmBytes = wasm('-two');
const idsOf = list => list.map(({id}) => id);

/** The model of the menu, with other files than its own. */
function marian(name, {without = [], more = {}} = {}) {
    const folder = join(scratch, name);
    cpSync(MARIAN, folder, {recursive: true});
    for (const file of without) rmSync(join(folder, file));
    for (const [file, text] of Object.entries(more)) writeFileSync(join(folder, file), text);
    return folder;
}

/** Its source and what it writes, as the command line has them. */
const printed = folder => JSON.parse(run('run', folder, TEXT, '--write', '32', '--json'));

test('a folder: both sides are read, whether a tokenizer.json lies beside them or not', async t => {
    const beside = marian('beside', {more: {'tokenizer.json': '{}'}});
    for (const folder of [MARIAN, beside]) {
        const model = await load(folder, {wasmBytes});
        t.after(() => model.dispose());
        const result = await model.run(TEXT, {write: 32});
        const {tokens, target} = printed(folder);
        assert.deepEqual(idsOf(result.tokens), idsOf(tokens));
        assert.deepEqual(idsOf(result.target), idsOf(target));
        const said = result.target.map(({token}) => token).join('');
        assert.equal(said, '▁three▁hundred▁forty▁two</s>');
        const given = await model.run(TEXT, {target: 'three hundred forty two'});
        assert.deepEqual(idsOf(given.target), idsOf(target), 'a target by its own pieces');
    }
});

test('an address with and without a list of files: the same, and no tokenizer.json is asked for', async t => {
    const names = readdirSync(MARIAN);
    const files = names.map(name => [`/m/${name}`, readFileSync(join(MARIAN, name))]);
    const routes = {
        ...Object.fromEntries(files),
        '/headlight-full.wasm': wasm('-full'),
        '/headlight-two.wasm': wasmBytes,
    };
    for (const listed of [{}, {files: names}, {files: names, two: true}]) {
        const {engine, server} = await withWasm(t, wasm('-page'), routes);
        const {model} = await engine.load({url: `${server.url}/m/`, ...listed});
        const tokens = await engine.tokenize({model, text: TEXT, textB: ''});
        assert.deepEqual(idsOf(tokens), idsOf(printed(MARIAN).tokens));
        assert.ok(!server.requests.includes('/m/tokenizer.json'));
        assert.ok(server.requests.includes('/m/target.spm'));
        const asked = server.requests.includes('/headlight-full.wasm');
        assert.equal(asked, !listed.two, 'of a model of the menu it is known');
        engine.close();
    }
});

/** The kinds of texts that a load of chosen files sends, of a model of two stacks or of another. */
async function kindsOf(names, more = ['source.spm']) {
    const files = names.map(name => new File(['x'], name));
    const kinds = [];
    const send = async (op, {kind}) => {
        if (op === 'loadText') kinds.push(kind);
        return op === 'loadEnd' ? {warnings: []} : kind === 'config' ? more : [];
    };
    await loadModel(await openFolder({files}, {onProgress() {}}), send, 'q8');
    return kinds;
}

const SMALL = ['config.json', 'special_tokens_map.json', 'source.spm', 'target.spm', 'vocab.json'];

test('in this order; only a model of two stacks is asked; a missing side is named', async () => {
    const all = [...SMALL, 'tokenizer.json', 'model.safetensors'];
    const sides = ['config', 'source', 'specialMap', 'target', 'vocab'];
    assert.deepEqual(await kindsOf(all), sides);
    assert.deepEqual(await kindsOf(all, []), ['config', 'tokenizer']);
    for (const name of ['target.spm', 'vocab.json'])
        await assert.rejects(kindsOf(all.filter(one => one !== name)), {
            category: 'file',
            message: new RegExp(`^${name} is missing among the chosen files`),
        });
    const folder = marian('one_side', {without: ['target.spm']});
    await assert.rejects(load(folder, {wasmBytes}), /target\.spm is missing/);
});

test('of the hub these files are fetched, and no others of a tokenizer', () => {
    const there = [...SMALL, 'tokenizer.json', 'vocab.txt', 'pytorch_model.bin'];
    assert.deepEqual(smallOf(there).toSorted(), SMALL.toSorted());
    assert.deepEqual(smallOf(['config.json', 'spiece.model', 'source.spm']), [
        'config.json',
        'spiece.model',
    ]);
});

test("a T5's spiece.model: the ids of the command line, with its extra ids", async t => {
    const folder = join(scratch, 't5');
    mkdirSync(folder);
    const config = JSON.parse(
        readFileSync(join(root, 'tests/golden/two/models/t5-tied/config.json')),
    );
    writeFileSync(join(folder, 'config.json'), JSON.stringify({...config, vocab_size: 304}));
    cpSync(join(root, 'tests/golden/sentencepiece/t5.model'), join(folder, 'spiece.model'));
    const settings = {tokenizer_class: 'T5Tokenizer', extra_ids: 4};
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(settings));
    const model = await load(folder, {wasmBytes, random: 'all'});
    t.after(() => model.dispose());
    for (const text of ['The cat sat.', 'a <extra_id_2> b', '草莓 é']) {
        const input = `${text}\n`;
        const own = execFileSync(headlight, ['tokenize', folder], {input, encoding: 'utf8'});
        assert.equal(idsOf(await model.tokenize(text)).join(' '), own.trim(), text);
    }
});
