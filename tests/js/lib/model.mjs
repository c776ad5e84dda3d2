/* model - loads a Hugging Face folder from disk into a wasm session, as the page does over HTTP,
 * and runs the native tool on the same input. Shared by the tests that compare the two with each
 * other and with the reference.
 */
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {instantiate} from '../../../web/worker/wasm.js';
import {createCore} from './ids.mjs';

export const root = new URL('../../../', import.meta.url).pathname;
export const shared = join(root, '../shared');
export const headlight = process.env.HEADLIGHT ?? join(root, 'build/out/native/headlight');

const read = async name => instantiate(readFileSync(join(root, `build/out/wasm/${name}.wasm`)));

/** A session of its own, ready to run; texts: files that it has beside those of the folder, by their kind. What the
 * file with studies refuses, the one with everything is asked, as the page does it. */
export const openModel = async (folder, store, texts = {}) => {
    try {
        return loadFolder(folder, store, await read('headlight'), texts);
    } catch (error) {
        if (!error.message.startsWith('config: ')) throw error;
        return loadFolder(folder, store, await read('headlight-full'), texts);
    }
};

/** The same in an instance that is there; more: what the session has beside, of another file. */
export function loadFolder(folder, store, exports, texts = {}, more = (_, core) => core) {
    const session = more(exports, createCore(exports));
    const has = name => existsSync(join(folder, name));
    const text = (kind, name) => session.loadText(kind, readFileSync(join(folder, name)));
    text('config', 'config.json');
    if (has('tokenizer_config.json')) text('tokenizerConfig', 'tokenizer_config.json');
    if (has('tokenizer.json')) text('tokenizer', 'tokenizer.json');
    else if (has('vocab.txt')) text('vocab', 'vocab.txt');
    for (const [kind, bytes] of Object.entries(texts)) session.loadText(kind, bytes);
    const files = has('model.safetensors') ? 1 : text('index', 'model.safetensors.index.json');
    session.loadBegin(store);
    for (let file = 0; file < files; file++) {
        const bytes = readFileSync(join(folder, session.fileName(file)));
        session.loadFile(file, bytes.length);
        session.loadBytes(bytes);
    }
    session.loadEnd();
    return opened(session);
}

/** What tests do with a session that has a model: run() runs its tokens over the last pass, which
 * `pass` is then. */
export function opened(session) {
    const model = session.describe();
    return {
        session,
        model,
        pass: null,
        run(precision = 'fine', keep = ['*']) {
            const over = this.pass;
            this.pass = null;
            return (this.pass = session.run({precision, keep, over}));
        },
    };
}

/** Every kept tensor of the last run as [name, Float32Array], named as in the dumps. */
export function* keptTensors({pass, model}) {
    for (const {name, per_layer: perLayer} of model.tensors) {
        const plain = name === 'attention' ? 'probs' : name;
        for (let layer = 0; layer < (perLayer ? model.layers : 1); layer++)
            yield [perLayer ? `layer.${layer}.${plain}` : plain, pass.tensor(name, layer).data];
    }
}

/** Runs the command-line tool; throws with its stderr when it fails. */
export const run = (...args) =>
    execFileSync(headlight, args, {encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe']});
