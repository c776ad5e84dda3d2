/* two - runs a model of two stacks in a .wasm file, as the worker does. As a script: hashes of all tensors of the golden ones,
 * `node two.mjs FILE`, which other flags of Node may be needed for.
 */
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {withTwo} from '../../../web/worker/two.js';
import {instantiate} from '../../../web/worker/wasm.js';
import {loadFolder, root} from './model.mjs';

/** Names of a pass's tensors as the command line dumps them, and their numbers. */
function* tensorsOf(pass, tensors, layers, prefix) {
    for (const {name, per_layer: perLayer} of tensors)
        for (let layer = 0; layer < (perLayer ? layers : 1); layer++) {
            const plain = name.replace(/attention$/, 'probs');
            yield [
                `${prefix}${perLayer ? `layer.${layer}.` : ''}${plain}`,
                pass.tensor(name, layer).data,
            ];
        }
}

/** Every tensor of both stacks, by name, and in `rows` what each row reads and says. write: at most so many tokens, in the place
 * of a target. */
export function bothStacks(wasm, folder, {source, target, write}, store, precision) {
    const {session, model} = loadFolder(folder, store, wasm, {}, withTwo);
    session.useIds(source, null);
    const pass = session.run({precision, keep: ['*']});
    if (write) session.two.write(pass, Number(write));
    else session.two.useTarget(target);
    const decoded = session.two.decode(pass, ['*']);
    const found = new Map([
        ...tensorsOf(pass, model.tensors, model.layers, ''),
        ...tensorsOf(decoded, model.second.tensors, model.second.layers, 'decoder.'),
    ]);
    const rows = session.two.rows().flatMap(({read, id}) => [read, id]);
    session.close();
    return Object.assign(found, {rows});
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
    const golden = join(root, 'tests/golden/two');
    const wasm = await instantiate(readFileSync(process.argv[2]));
    for (const name of readdirSync(join(golden, 'models')))
        for (const [store, precision] of [
            ['f32', 'fine'],
            ['q8', 'fine'],
            ['q8', 'fast'],
        ]) {
            const hash = createHash('sha256');
            for (const input of JSON.parse(
                readFileSync(join(golden, 'dumps', name, 'inputs.json'), 'utf8'),
            ))
                for (const [tensor, data] of bothStacks(
                    wasm,
                    join(golden, 'models', name),
                    input,
                    store,
                    precision,
                ))
                    hash.update(tensor).update(
                        new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
                    );
            console.log(name, store, precision, hash.digest('hex'));
        }
}
