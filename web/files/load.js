/* load - the order in which the files of a model folder go into a session, as headlight.h asks for
 * it. Files that are known to exist are requested all at once, so that the weights are on their way
 * while the small files are read. From the hub they are requested only after config.json, so that a
 * model that is not supported costs no download.
 */
import {fileError, HeadlightError} from '../base/errors.js';
import {readAll} from './folder.js';
import {INDEXES} from '../base/build.js';
import {AROUND, PIECES, SIDES, tokenizerFiles} from './tokenizer_files.js';
import {GENERATION, MODULES, POOLING, PROMPTS, SENTENCE} from '../base/model_names.js';

/**
 * @import {Folder} from './folder.js'
 * @import {Opened} from './fetch.js'
 * @typedef {ReturnType<typeof createAsked>} Asked
 * @typedef {(op: string, args: object) => Promise<any>} Send
 * @typedef {'' | 'all' | 'layers'} Random   what is drawn in place of a checkpoint's weights: all
 *                                           of them (none are read), or those of the layers
 * @typedef {{store: 'q8' | 'f32', random?: Random}} How
 */

const WEIGHTS = 'model.safetensors';
const ADAPTER = 'adapter_config.json';
// categories of errors that say nothing against the files
const INNOCENT = ['network', 'engine', 'consent', 'memory', 'state'];

/** The folder with those of its files asked for that will surely be read. @param {Folder} folder
 * @param {How} how */
function createAsked(folder, {random = ''}) {
    const names = folder.names();
    const wanted = [
        'config.json',
        'tokenizer_config.json',
        ...tokenizerFiles(names),
        MODULES,
        POOLING,
        ...SENTENCE,
        PROMPTS,
        ...(random === 'all' ? [] : [WEIGHTS]),
    ];
    const coming = new Map(
        wanted.filter(name => names.includes(name)).map(name => [name, folder.open(name)]),
    );
    for (const file of coming.values()) file.catch(() => {}); // said when its turn comes
    /** @type {Map<string, Opened | null>} */
    const read = new Map();
    return {
        ...folder,
        read,
        /** Are the weights in the files int8 codes already? */
        codes: false,
        /** @param {string} name @returns {Promise<Opened | null>} null: there is no such file */
        async open(name) {
            const file = coming.get(name) ?? folder.open(name);
            coming.delete(name);
            read.set(name, await file);
            return file;
        },
        /** Gives up what was asked for and not read. */
        async close() {
            await Promise.all(
                [...coming.values()].map(file =>
                    file.then(
                        opened => opened?.close(),
                        () => {},
                    ),
                ),
            );
        },
    };
}

/** Says what else may be at fault where a file is no good: a server that sent a part of it.
 * @param {HeadlightError} error @param {Asked | null} asked */
function blameServer(error, asked) {
    const resumed = [...(asked?.read ?? [])].filter(([, opened]) => opened?.resumed?.());
    const names = resumed.map(([name]) => name).join(', ');
    if (names)
        error.message += `; the connection broke while ${names} came, and the server may have resumed with other bytes than asked for: try again`;
}

/** Sends one of the small files; false when it is not there, else what it calls for.
 * @param {Asked} folder @param {Send} send @param {string} name @param {string} kind
 * @returns {Promise<false | string[]>} */
async function sendText(folder, send, name, kind) {
    const opened = await folder.open(name);
    if (!opened) return false;
    const bytes = await readAll(opened, name);
    await checkHash(bytes, opened, name);
    if (folder.keeps()) folder.texts.set(name, bytes.slice());
    if (kind === 'config')
        folder.codes = /"quantization_config"\s*:/.test(new TextDecoder().decode(bytes));
    return send('loadText', {kind, bytes});
}

/** Where the browser can: a page that is not served by https has no digests.
 * @param {Uint8Array<ArrayBuffer>} bytes @param {Opened} opened @param {string} name */
async function checkHash(bytes, {sha256}, name) {
    const digest = sha256 && (await globalThis.crypto?.subtle?.digest('SHA-256', bytes));
    if (!digest) return;
    const found = [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0'));
    if (found.join('') === sha256) return;
    throw fileError(`${name} arrived damaged: its SHA-256 differs from the hub's; try again`);
}

/** A small file as JSON, null where it is not there or none. @param {Asked} folder @param {string} name */
async function readJson(folder, name) {
    const opened = await folder.open(name);
    if (!opened) return null;
    try {
        return JSON.parse(new TextDecoder().decode(await readAll(opened, name)));
    } catch {
        return null;
    }
}

/** What a folder without a model at its top holds instead; null where nobody knows.
 * @param {Asked} folder @returns {Promise<HeadlightError | null>} */
async function instead(folder) {
    const adapter = await readJson(folder, ADAPTER);
    if (adapter) {
        const {peft_type: type = 'PEFT', base_model_name_or_path: base = 'its base'} = adapter;
        return fileError(
            `${ADAPTER}: this is a ${said(type)} adapter of ${said(base)}, no model by itself; merge the two in ` +
                'Python: PeftModel.from_pretrained(base, folder).merge_and_unload().save_pretrained(...)',
        );
    }
    const modules = await readJson(folder, MODULES);
    const path = Array.isArray(modules) && modules[0]?.path;
    if (!path) return null;
    return fileError(
        `the model lies in the folder ${said(path)}, as ${MODULES} says; choose that folder (there are no ` +
            'embeddings of texts then)',
    );
}

/** Why a file that a model has is missing. @param {Asked} folder @param {string} what */
async function lacking(folder, what) {
    const absent = folder.missing(what); // before other files are asked for
    return (!absent.status && (await instead(folder).catch(() => null))) || absent;
}

const said = (/** @type {unknown} */ text) => String(text).slice(0, 100);

/** What comes with a source's pieces. @param {Asked} folder @param {Send} send */
async function sendSides(folder, send) {
    const [, target, vocab] = SIDES;
    if (!(await sendText(folder, send, target, 'target'))) throw folder.missing(target);
    if (!(await sendText(folder, send, vocab, 'vocab'))) throw folder.missing(vocab);
}

/** @param {Asked} folder @param {Send} send */
async function sendTexts(folder, send) {
    const more = await sendText(folder, send, 'config.json', 'config');
    if (!more) throw await lacking(folder, 'config.json');
    if (more.includes(GENERATION)) await sendText(folder, send, GENERATION, 'generation');
    await sendText(folder, send, 'tokenizer_config.json', 'tokenizerConfig');
    const sides =
        INDEXES && more.includes(SIDES[0]) && (await sendText(folder, send, SIDES[0], 'source'));
    if (!(INDEXES && sides) && (await sendText(folder, send, 'tokenizer.json', 'tokenizer')))
        return;
    for (const [name, kind] of Object.entries(AROUND)) await sendText(folder, send, name, kind);
    if (INDEXES && sides) return sendSides(folder, send);
    if (await sendText(folder, send, 'vocab.txt', 'vocab')) return;
    if (
        (await sendText(folder, send, 'merges.txt', 'merges')) &&
        (await sendText(folder, send, 'vocab.json', 'vocab'))
    )
        return;
    for (const name of PIECES) if (await sendText(folder, send, name, 'pieces')) return;
    throw folder.missing('tokenizer.json or vocab.txt');
}

/** What a sentence-transformers folder has besides; without a list of modules it is none.
 * @param {Asked} folder @param {Send} send */
async function sendSentence(folder, send) {
    if (!(await sendText(folder, send, MODULES, 'modules'))) return;
    await sendText(folder, send, POOLING, 'pooling');
    for (const name of SENTENCE) if (await sendText(folder, send, name, 'sentence')) break;
    await sendText(folder, send, PROMPTS, 'prompts');
}

/** What the index promises as the size of all weights; 0 when it says nothing usable. Only for the
 * progress bar.
 * @param {Uint8Array} index */
function totalSize(index) {
    try {
        const size = JSON.parse(new TextDecoder().decode(index)).metadata.total_size;
        return Number.isSafeInteger(size) && size > 0 ? size : 0;
    } catch {
        return 0;
    }
}

/** @param {Asked} folder @param {Send} send @returns {Promise<string[]>} the names of the shards */
async function sendIndex(folder, send) {
    const name = 'model.safetensors.index.json';
    const opened = await folder.open(name);
    if (!opened)
        throw await lacking(
            folder,
            'model.safetensors (or model.safetensors.index.json and its parts)',
        );
    const bytes = await readAll(opened, name);
    const total = totalSize(bytes);
    const names = await send('loadText', {kind: 'index', bytes});
    folder.expect(folder.sizeOf(names) || total);
    return names;
}

/** One chunk may be on its way to the session while the next is awaited. @param {Opened} opened
 * @param {Send} send
 * @param {number} file */
async function sendWeights(opened, send, file) {
    let sent = Promise.resolve(
        await send('loadFile', {file, size: opened.exact ? opened.size : -1}),
    );
    if (opened.sha256) await send('loadCheck', {sha256: opened.sha256});
    try {
        for await (const bytes of opened.chunks) {
            await sent;
            sent = send('loadBytes', {bytes});
            sent.catch(() => opened.close()); // at once: the next chunk may be long in coming
        }
    } catch (error) {
        await sent; // if the session refused, its reason counts
        throw error;
    }
    await sent;
}

/** @param {Asked} folder @param {Send} send @param {How} how */
async function sendAll(folder, send, {store, random = ''}) {
    await sendTexts(folder, send);
    await sendSentence(folder, send);
    if (random === 'all') return send('loadRandom', {store});
    folder.expect(folder.sizeOf([WEIGHTS]));
    const single = await folder.open(WEIGHTS);
    try {
        const shards = single ? [] : await sendIndex(folder, send);
        if (single) folder.expect(single.size, single.here);
        await send('loadBegin', {store, saved: folder.saved()});
        if (single) await sendWeights(single, send, 0);
        for (const [file, name] of shards.entries()) {
            const opened = await folder.open(name);
            if (!opened) {
                throw fileError(
                    `${name} is named in model.safetensors.index.json ` +
                        'but is not in the folder; add it',
                );
            }
            await sendWeights(opened, send, file).finally(opened.close);
        }
        return await send('loadEnd', {randomLayers: random === 'layers'});
    } finally {
        await single?.close();
    }
}

/** @param {Folder} folder @param {Send} send @param {How} how
 * @returns {Promise<import('../worker/worker.js').Model>} */
export async function loadModel(folder, send, how) {
    let asked = /** @type {Asked | null} */ (null);
    try {
        await folder.prepare();
        asked = createAsked(folder, how);
        const model = await sendAll(asked, send, how);
        folder.finish();
        const warnings = [...model.warnings, ...folder.notes];
        return {...model, codes: asked.codes, warnings, from: folder.origin()};
    } catch (error) {
        // A stored copy that was no good must not come back; one that merely was not used up is
        // kept.
        if (error instanceof HeadlightError && !INNOCENT.includes(error.category)) {
            blameServer(error, asked);
            await folder.forget();
        }
        throw error;
    } finally {
        folder.leave();
        await asked?.close();
    }
}
