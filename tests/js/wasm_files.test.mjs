/* wasm_files - the functions of headlight.h and headlight_two.h in each .wasm file, as build/exports has them; and that all
 * compute the same bits. Which file a page fetches says web/boot.js.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {loadFolder, root, run} from './lib/model.mjs';

const pathOf = which => join(root, `build/out/wasm/headlight${which}.wasm`);
const declaredIn = header =>
    readFileSync(join(root, 'src', header), 'utf8')
        .match(/(?<=^[a-z].*[ *])hl_[a-z_]+(?=\()/gm)
        .sort();
const exported = (...lists) =>
    lists
        .flatMap(list => readFileSync(join(root, 'build/exports', list), 'utf8').match(/.+/g))
        .sort();
const PAGE = exported('page');
const STUDIES = exported('page', 'studies');
const FULL = exported('page', 'studies', 'full');
const TWO = exported('page', 'studies', 'full', 'two');

test('each function of headlight.h is in one list of what a file gets, and begins no visit without need', () => {
    assert.deepEqual(FULL, declaredIn('headlight.h'));
    assert.deepEqual(exported('two'), declaredIn('headlight_two.h'));
    const later = name => /^hl_(study|index|intervention|load_corpus|source$|remove$)/.test(name);
    assert.deepEqual(PAGE.filter(later), []);
    assert.deepEqual(
        exported('full').filter(
            name => !/^hl_((index|intervention)_|(load_pieces|model_hash)$)/.test(name),
        ),
        [],
    );
});

test('Python calls no function that its .wasm files have not', () => {
    const files = readdirSync(join(root, 'python/head_light')).filter(name => name.endsWith('.py'));
    const called = files.flatMap(name =>
        (
            readFileSync(join(root, 'python/head_light', name), 'utf8').match(
                /(?<=")hl_\w+(?=")/g,
            ) ?? []
        ).map(one => [name, one]),
    );
    assert.ok(called.length > 30);
    // search.py reads the folders of two.py, too, and config.json first, which the other file refuses then
    const sides = ['hl_load_source_pieces', 'hl_load_target_pieces'];
    const takes = file =>
        file === 'two.py' ? TWO : file === 'search.py' ? [...FULL, ...sides] : FULL;
    assert.deepEqual(
        called.filter(([file, name]) => !takes(file).includes(name)),
        [],
    );
});

test('what has nothing to do with models is the same with one stack and with two', () => {
    const naming = readdirSync(join(root, 'src'), {recursive: true}).filter(
        name =>
            /\.[ch]$/.test(name) &&
            /HEADLIGHT_ONE_STACK|IF_TWO|"(model|port|measure|study|search|intervene)\//.test(
                readFileSync(join(root, 'src', name), 'utf8'),
            ),
    );
    assert.ok(naming.length > 50);
    assert.deepEqual(
        naming.filter(name => /^(base|math)\//.test(name)),
        [],
    );
});

test('no type differs between the files of the page and the others, which share most objects', () => {
    const headers = readdirSync(join(root, 'src'), {recursive: true}).filter(name =>
        name.endsWith('.h'),
    );
    const naming = headers.filter(name =>
        /HEADLIGHT_PAGE|CAN_PATCH/.test(readFileSync(join(root, 'src', name), 'utf8')),
    );
    assert.ok(headers.length > 80);
    assert.deepEqual(naming, ['model/input.h']);
});

for (const [which, wanted] of [
    ...['-full', '-full-threads', '-full-relaxed', '-full-relaxed-threads'].map(all => [all, FULL]),
    ...['-two', '-two-relaxed'].map(all => [all, TWO]),
    ...['', '-relaxed'].map(studies => [studies, STUDIES]),
    ...['-page', '-threads', '-page-relaxed', '-relaxed-threads'].map(page => [page, PAGE]),
]) {
    const skip = existsSync(pathOf(which)) ? false : 'it takes clang 19, which is not here';
    test(`headlight${which}.wasm has what it is for`, {skip}, async () => {
        const module = await WebAssembly.compile(readFileSync(pathOf(which))).catch(error => {
            if (which.includes('relaxed')) return null; // not in Node 18
            throw error;
        });
        const names = module && WebAssembly.Module.exports(module).map(({name}) => name);
        if (names) assert.deepEqual(names.filter(name => name.startsWith('hl_')).sort(), wanted);
    });
}

test('with studies and without them the attention has the same bits', async () => {
    const [whole, page] = await Promise.all(
        ['', '-page'].map(async which => {
            const wasm = await instantiate(readFileSync(pathOf(which)));
            const it = loadFolder(join(root, 'models/mini-en'), 'q8', wasm);
            it.session.tokenize('I went to the store.', 'I bought fresh strawberries.');
            it.run('fast', ['attention']);
            const {layers} = it.model;
            return Array.from({length: layers}, (_, layer) =>
                Buffer.from(it.pass.tensor('attention', layer).data.slice().buffer),
            );
        }),
    );
    assert.ok(whole.length > 0 && whole[0].some(byte => byte > 0));
    assert.deepEqual(page, whole);
});

test('probabilities over the vocabulary have the same bits in plain and relaxed files, and natively', () => {
    const flags = ['--experimental-wasm-relaxed-simd', '--no-liftoff'];
    const old = Number(process.versions.node.split('.')[0]) < 22;
    const [plain, relaxed] = ['', '-relaxed'].map(which =>
        !existsSync(pathOf(which)) || (which && process.version.startsWith('v18'))
            ? null // it takes clang 19, and Node 20
            : JSON.parse(
                  execFileSync(process.execPath, [
                      ...(which && old ? flags : []),
                      join(root, 'tests/js/lib/predictions.mjs'),
                      which,
                  ]),
              ),
    );
    if (relaxed) assert.deepEqual(relaxed, plain);
    const args = [join(root, 'models/mini-en'), 'The cat sat on the [MASK].', '--store', 'f32'];
    const [{position, top}] = JSON.parse(
        run('run', ...args, '--precision', 'fine', '--json'),
    ).predictions;
    assert.ok(top.length > 0);
    top.forEach(({id, probability}, i) => {
        assert.equal(plain[position].ids[i], id);
        assert.equal(Number(plain[position].probabilities[i].toPrecision(6)), probability);
    });
});
