/* load - the order in which the files of a model folder go to the worker, as the head of headlight.h asks for it.
 * Weights pass through in chunks: while the worker takes one, the next is on its way from the network or the disk.
 */
import {CoreError} from './errors.js';

/**
 * @typedef {import('./files.js').Folder} Folder
 * @typedef {(op: string, args: object, transfer?: Transferable[]) => Promise<any>} Send
 * @typedef {{store: 'q8' | 'f32', random?: boolean}} How   random: the weights are drawn, none are read
 */

/** @param {Uint8Array} bytes what may be handed over: a chunk may share its buffer with others */
const own = bytes => bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();

/** Sends one of the small files; false when it is not there.
 * @param {Folder} folder @param {Send} send @param {string} name @param {string} kind */
async function sendText(folder, send, name, kind) {
    const read = await folder.read(name);
    if (!read) return false;
    const bytes = own(read);
    await send('loadText', {kind, bytes}, [bytes.buffer]);
    return true;
}

/** @param {Folder} folder @param {Send} send */
async function sendTexts(folder, send) {
    if (!await sendText(folder, send, 'config.json', 'config')) throw folder.missing('config.json');
    await sendText(folder, send, 'tokenizer_config.json', 'tokenizerConfig');
    if (await sendText(folder, send, 'tokenizer.json', 'tokenizer')) return;
    if (await sendText(folder, send, 'vocab.txt', 'vocab')) return;
    throw folder.missing('tokenizer.json or vocab.txt');
}

/** What the index promises as the size of all weights; 0 when it says nothing usable. Only for the progress bar.
 * @param {Uint8Array} index */
function totalSize(index) {
    try {
        const size = JSON.parse(new TextDecoder().decode(index)).metadata.total_size;
        return Number.isSafeInteger(size) && size > 0 ? size : 0;
    } catch {
        return 0;
    }
}

/** @param {Folder} folder @param {Send} send @returns {Promise<string[]>} the names of the shards */
async function sendIndex(folder, send) {
    const read = await folder.read('model.safetensors.index.json');
    if (!read) throw folder.missing('model.safetensors (or model.safetensors.index.json and its parts)');
    folder.expect(totalSize(read));
    const bytes = own(read);
    return send('loadText', {kind: 'index', bytes}, [bytes.buffer]);
}

/** @param {import('./fetch.js').Opened} opened @param {Send} send @param {number} file */
async function sendWeights(opened, send, file) {
    let sent = Promise.resolve(await send('loadFile', {file, size: opened.exact ? opened.size : -1}));
    try {
        for await (const chunk of opened.chunks) {
            await sent;
            const bytes = own(chunk);
            sent = send('loadBytes', {bytes}, [bytes.buffer]);
            sent.catch(() => opened.close());  // at once: the next chunk may be long in coming
        }
    } catch (error) {
        await sent;  // if the worker refused, its reason counts
        throw error;
    }
    await sent;
}

/** @param {Folder} folder @param {Send} send @param {How} how */
async function sendAll(folder, send, {store, random = false}) {
    await sendTexts(folder, send);
    if (random) return send('loadRandom', {store});
    const single = await folder.open('model.safetensors');
    try {
        const shards = single ? [] : await sendIndex(folder, send);
        if (single) folder.expect(single.size);
        await send('loadBegin', {store});
        if (single) await sendWeights(single, send, 0);
        for (const [file, name] of shards.entries()) {
            const opened = await folder.open(name);
            if (!opened) {
                throw new CoreError('file', `${name} is named in model.safetensors.index.json ` +
                    'but is not in the folder; add it');
            }
            await sendWeights(opened, send, file).finally(opened.close);
        }
        return await send('loadEnd', {});
    } finally {
        await single?.close();
    }
}

/** @param {Folder} folder @param {Send} send @param {How} how @returns {Promise<import('./worker.js').Model>} */
export async function loadModel(folder, send, how) {
    try {
        const model = await sendAll(folder, send, how);
        folder.finish();
        return {...model, warnings: [...model.warnings, ...folder.notes]};
    } catch (error) {
        // A stored copy that was no good must not come back; one that merely was not used up is kept.
        if (error instanceof CoreError && !['network', 'engine'].includes(error.category)) await folder.forget();
        throw error;
    }
}
