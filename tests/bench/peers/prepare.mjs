/* prepare - prepares build/out/bench for the comparison with peers: the peers themselves from npm,
 * at fixed versions and in a folder of their own, and random models in each one's format, from the
 * same weights. What is there already stays.
 */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../../js/lib/model.mjs';
import {writeRandomModel} from '../random_model.mjs';
import {writeOnnx} from './onnx.mjs';
import {writeTflite} from './tflite.mjs';
import {embed, readModel} from './weights.mjs';

export const PEERS = {
    'onnxruntime-web': '1.30.0',
    '@litertjs/core': '2.5.3',
    '@huggingface/tokenizers': '0.2.0',
};
export const LENGTHS = [16, 32, 64, 128, 256, 512];
const SHAPES = {
    base: {layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 30522, positions: 512},
    mini: {layers: 4, heads: 4, hidden: 256, inner: 1024, vocab: 30522, positions: 512},
};
export const MODELS = Object.keys(SHAPES);
const out = 'build/out/bench/peers';

/** Installs the peers from npm, unless they are there. */
export function install(names = Object.keys(PEERS)) {
    const folder = join(root, out);
    const there = ([name, version]) => {
        const file = join(folder, 'node_modules', name, 'package.json');
        return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
    };
    const wanted = Object.entries(PEERS).filter(([name]) => names.includes(name));
    if (wanted.every(there)) return;
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    execFileSync(
        'npm',
        [
            'install',
            '--no-audit',
            '--no-fund',
            '--ignore-scripts',
            '--loglevel=error',
            ...wanted.map(pair => pair.join('@')),
        ],
        {cwd: folder, stdio: 'inherit'},
    );
}

/** Ids as `headlight bench` draws them. */
export function drawIds(count, vocab = SHAPES.base.vocab) {
    let state = 1;
    return Array.from(
        {length: count},
        () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % vocab,
    );
}

/** Writes the files of a model, unless they are there; gives its shape and their addresses below the
 * root. */
export function prepare(name) {
    const shape = SHAPES[name],
        folder = `${out}/models/${name}`;
    writeRandomModel(join(root, folder), shape);
    const path = file => join(root, folder, file);
    let model = null;
    const make = (file, write) => {
        if (existsSync(path(file))) return;
        process.stderr.write(`writing ${folder}/${file}\n`);
        write((model ??= readModel(join(root, folder))));
    };
    for (const store of ['f32', 'q8'])
        make(`${store}.onnx`, read => writeOnnx(read, path(`${store}.onnx`), store));
    for (const T of LENGTHS) make(`${T}.tflite`, read => writeTflite(read, path(`${T}.tflite`), T));
    make('embedded.f32', read => writeFileSync(path('embedded.f32'), embed(read, drawIds(512))));
    return {...shape, folder: `/${folder}/`};
}
