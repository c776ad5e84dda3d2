/* ends - the end of a text that a model goes on with: eos_token_id, a number or a list, of
 * generation_config.json, else of config.json, else of the tokenizer; on the command line, in the package and in
 * what the page asks for. The file is asked for only where the model says the next token.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {load as loadPackage} from '../../web/package/node.js';
import {loadModel} from '../../web/files/load.js';
import {openFolder} from '../../web/files/folder.js';
import {headlight, openModel, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-ends-'));
after(() => rmSync(scratch, {recursive: true}));
const GOLDEN = join(root, 'tests/golden/models/gpt2-next');
const TEXT = 'the cat sat';
const WRITTEN = [39, 297, 297, 297, 147, 297]; // by the golden model, without an end
let made = 0;

/** The golden model with other ends: undefined leaves the member out, null the file. */
function folderWith({generation = null, config}) {
    const folder = join(scratch, String(made++));
    cpSync(GOLDEN, folder, {recursive: true});
    const read = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    writeFileSync(
        join(folder, 'config.json'),
        JSON.stringify({...read, eos_token_id: config}), // undefined is left out
    );
    if (generation !== null)
        writeFileSync(join(folder, 'generation_config.json'), JSON.stringify(generation));
    return folder;
}

const next = folder =>
    spawnSync(headlight, ['next', folder, TEXT, '--tokens', '6'], {encoding: 'utf8'});
const idsOf = ({stdout}) =>
    stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).id);
const upTo = id => WRITTEN.slice(0, WRITTEN.indexOf(id) + 1);

const CASES = [
    ['a number', {generation: {eos_token_id: 147}, config: 39}, [147], upTo(147)],
    ['a list', {generation: {eos_token_id: [5, 147, 297]}, config: 39}, [5, 147, 297], upTo(297)],
    ['no file', {config: 147}, [147], upTo(147)],
    ['no file, a list', {config: [7, 147]}, [7, 147], upTo(147)],
    ['a file without it', {generation: {do_sample: true}, config: 147}, [147], upTo(147)],
    ['null', {generation: {eos_token_id: null}, config: 147}, [147], upTo(147)],
    ['none of either: the tokenizer', {config: undefined}, [346], WRITTEN],
    ['of none', {generation: {eos_token_id: []}, config: 39}, [], WRITTEN],
    ['of another vocabulary', {generation: {eos_token_id: 50256}, config: 39}, [50256], WRITTEN],
];

for (const [name, files, ends, ids] of CASES)
    test(`next and continue: ${name}`, async () => {
        const folder = folderWith(files);
        assert.deepEqual(idsOf(next(folder)), ids);
        const wasmBytes = readFileSync(join(root, 'build/out/wasm/headlight.wasm'));
        const model = await loadPackage(folder, {wasmBytes});
        assert.deepEqual(model.info.ends, ends);
        const {written} = await model.continue(TEXT, {tokens: 6});
        assert.deepEqual(
            written.map(({id}) => id),
            ids,
        );
        await model.dispose();
    });

test('what is no id is refused with file and value', () => {
    for (const [files, said] of [
        [
            {generation: {eos_token_id: '</s>'}},
            /^config: "eos_token_id" in generation_config\.json is .*<\/s>.*; an id or a list of ids/,
        ],
        [{generation: {eos_token_id: [1, 2.5]}}, /in generation_config\.json is \[1,2\.5\]/],
        [{config: {}}, /"eos_token_id" in config\.json is \{\}/],
    ]) {
        const {status, stderr} = next(folderWith(files));
        assert.equal(status, 1);
        assert.match(stderr, said);
    }
});

test('a conversion keeps the file; a model that fills masks is not asked for it', async () => {
    const folder = folderWith({generation: {eos_token_id: 147}, config: 39});
    const out = join(scratch, 'converted');
    assert.equal(spawnSync(headlight, ['convert', folder, out]).status, 0);
    assert.deepEqual(idsOf(next(out)).at(-1), 147);
    for (const [place, wanted] of [
        [GOLDEN, true],
        [join(root, 'models/mini-en'), false],
    ]) {
        const {session} = await openModel(place, 'q8');
        const asked = [];
        const files = ['config.json', 'tokenizer.json', 'vocab.txt', 'model.safetensors'].map(
            name => new File(['{}'], name),
        );
        const opened = await openFolder({files}, {onProgress: () => {}});
        const open = opened.open;
        const bytes = readFileSync(join(place, 'config.json'));
        const send = async (op, {kind}) =>
            kind === 'config' && session.loadText('config', bytes) > 1
                ? ['generation_config.json']
                : [];
        await loadModel(
            {...opened, open: name => (asked.push(name), open(name))},
            async (op, args) => (op === 'loadEnd' ? {warnings: []} : send(op, args)),
            {store: 'q8'},
        );
        assert.equal(asked.includes('generation_config.json'), wanted);
    }
});
