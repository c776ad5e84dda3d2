/* predictions - node predictions.mjs WHICH: what mini-en predicts with headlight<WHICH>.wasm, as
 * the bits of its probabilities in JSON: a process of its own, because Node 20 takes the relaxed
 * files with flags only (wasm_files.test.mjs).
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {instantiate} from '../../../web/worker/wasm.js';
import {loadFolder, root} from './model.mjs';

const file = join(root, `build/out/wasm/headlight${process.argv[2]}.wasm`);
const it = loadFolder(join(root, 'models/mini-en'), 'f32', await instantiate(readFileSync(file)));
const count = it.session.tokenize('The cat sat on the [MASK].', null);
it.run('fine', []);
const found = Array.from({length: count}, (_, at) => it.pass.predictions(at, 200));
console.log(
    JSON.stringify(
        found.map(({ids, probabilities}) => ({
            ids: [...ids],
            bits: Buffer.from(probabilities.slice().buffer).toString('hex'),
            probabilities: [...probabilities],
        })),
    ),
);
