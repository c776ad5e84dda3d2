/* imported - attention from any model, read from a safetensors file of the reader's: tensors
 * attention.<layer> [H, T, T], and of encoder-decoder models also decoder.<layer> [H, S, S] and
 * cross.<layer> [H, S, T] (queries of the decoder); in the metadata the tokens as JSON lists:
 * tokens (or encoder_tokens), decoder_tokens, and if wanted sentences (0, 1 or null a token, as
 * sequence_ids() of a tokenizer gives them). Beside attention there may be lengths.<layer> [H, T], ‖v W_O‖ of each key
 * (Kobayashi et al. 2020), by which what heads move is shown. Everything is checked at once; the numbers stay in the
 * file. JSON, CSV and .npy of this page and of other tools: imported_arrays.js.
 */
import {fileError, stateError} from '../base/errors.js';
import {MOST, readArrays} from './imported_arrays.js';
import {createPause} from '../base/pause.js';
import {isFloat, readFloats, readHeader} from './safetensors.js';

/**
 * @typedef {'encoder' | 'decoder' | 'cross'} Part
 * @import {Entry} from './safetensors.js'
 * @typedef {{layers: Entry[], heads: number, queries: string[], keys: string[], sentences: (number
 *     | null)[] | null, mask?: 'causal', lengths?: Entry[]}} Content
 *   of one part; lengths: [] where there are none
 * @typedef {{name: string, count: number, head: number, row: number, sum: number}} OddRows   rows
 *     that do not sum to 1:
 *   how many, and the first
 * @typedef {{tensors: Map<string, Entry>, metadata: Map<string, string>, numbered: boolean, floats: (entry: Entry) =>
 *     Promise<Float32Array>}} Opened   a file of any kind; numbered: it has no tokens, their positions stand in
 * @typedef {{name: string, parts: Map<Part, Content>, odd: OddRows[], ignored: string[], numbered: boolean,
 *   weights: (part: Part, layer: number) => Promise<Float32Array>, lengths?: (part: Part) => Promise<Float32Array[]>}} ImportedFile
 *     lengths: of every layer, or none
 */

const ROW_ERROR = 0.02; // bfloat16 has 8 bits, and a row is a sum of many
const HIGHEST = 1.001; // 1, and what rounding to half precision may add
const NAMES = {encoder: 'attention', decoder: 'decoder', cross: 'cross'};
const HELP = 'the help beside the button shows how to save it';

/** Layer 0, 1, ... of a part, in order. @param {Map<string, Entry>} tensors @param {string} prefix
 */
function layersOf(tensors, prefix) {
    const found = [...tensors.values()].filter(({name}) =>
        new RegExp(`^${prefix}\\.\\d{1,3}$`).test(name),
    );
    const layers = Array.from({length: found.length}, (_, layer) =>
        tensors.get(`${prefix}.${layer}`),
    );
    const missing = layers.findIndex(entry => !entry);
    if (missing >= 0)
        throw fileError(`${prefix}.${missing} is missing; layers count from 0 without a gap`);
    if (found.length > MOST.layers)
        throw fileError(`${found.length} layers are more than the ${MOST.layers} that are read`);
    return /** @type {Entry[]} */ (layers);
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** A list out of the metadata; undefined when it is not there. @param {Map<string, string>} metadata
 * @param {string[]} names
 * @param {(value: unknown) => boolean} fits @param {string} what @returns {any[] | undefined} */
function listOf(metadata, names, fits, what) {
    const name = names.find(known => metadata.has(known));
    if (!name) return undefined;
    const list = parsed(metadata.get(name) ?? '');
    if (Array.isArray(list) && list.every(fits)) return list;
    throw fileError(
        `'${name}' in the metadata must be a JSON list of ${what}; write it with json.dumps(...)`,
    );
}

/** @param {Map<string, string>} metadata @param {string[]} names
 * @param {string} prefix of the tensors that need them */
function tokensOf(metadata, names, prefix) {
    const tokens = listOf(metadata, names, value => typeof value === 'string', 'texts');
    if (!tokens)
        throw fileError(`the metadata has no '${names[0]}', the tokens of ${prefix}.0; ${HELP}`);
    return /** @type {string[]} */ (tokens);
}

/** @param {Entry[]} layers @param {string[]} queries @param {string[]} keys */
function checkShapes(layers, queries, keys) {
    const [heads] = layers[0].shape;
    if (!queries.length || !keys.length)
        throw fileError('the list of tokens in the metadata is empty');
    for (const entry of layers) {
        const {name, dtype, shape} = entry;
        if (!isFloat(entry))
            throw fileError(`${name} is ${dtype}; F32, F16 and BF16 are read: save it as .float()`);
        if (shape.length === 4) {
            throw fileError(
                `${name} has shape [${shape}]; expected is [heads, ${queries.length}, ${keys.length}], without the ` +
                    'batch: take [0] of each layer',
            );
        }
        if (
            shape.length !== 3 ||
            shape[0] !== heads ||
            shape[1] !== queries.length ||
            shape[2] !== keys.length ||
            !heads
        ) {
            throw fileError(
                `${name} has shape [${shape}], but expected is [${heads || 'heads'}, ${queries.length}, ` +
                    `${keys.length}]: the heads of layer 0, the tokens that look, the tokens that are looked at`,
            );
        }
    }
    if (heads > MOST.heads)
        throw fileError(`${heads} heads are more than the ${MOST.heads} that are read`);
    if (queries.length + keys.length > 2 * MOST.tokens)
        throw fileError(`more than ${MOST.tokens} tokens are not read`);
}

/** Those of every layer, or none. @param {Entry[]} found @param {Entry[]} layers */
function checkLengths(found, layers) {
    if (!found.length) return found;
    const [heads, tokens] = layers[0].shape;
    const odd = found.find(entry => !isFloat(entry) || `${entry.shape}` !== `${[heads, tokens]}`);
    if (odd)
        throw fileError(
            `${odd.name} is ${odd.dtype} of shape [${odd.shape}], but expected are floats of shape [${heads}, ${tokens}]: ` +
                'heads, tokens',
        );
    if (found.length !== layers.length)
        throw fileError(
            `there are lengths of ${found.length} layers and attention of ${layers.length}; give all or none`,
        );
    return found;
}

/** @param {Pick<Opened, 'tensors' | 'metadata'>} header @param {Part} part @returns {Content | null}
 */
function contentOf({tensors, metadata}, part) {
    const prefix = NAMES[part];
    const layers = layersOf(tensors, prefix);
    if (!layers.length) return null;
    const encoder = () => tokensOf(metadata, ['tokens', 'encoder_tokens'], prefix);
    const decoder = () => tokensOf(metadata, ['decoder_tokens'], prefix);
    const queries = part === 'encoder' ? encoder() : decoder();
    const keys = part === 'decoder' ? queries : encoder();
    checkShapes(layers, queries, keys);
    const sentences =
        part !== 'encoder'
            ? undefined
            : listOf(
                  metadata,
                  ['sentences'],
                  value => value === 0 || value === 1 || value === null,
                  '0, 1 and null',
              );
    if (sentences && sentences.length !== queries.length) {
        throw fileError(
            `'sentences' in the metadata has ${sentences.length} entries for ${queries.length} tokens`,
        );
    }
    const lengths = part === 'encoder' ? checkLengths(layersOf(tensors, 'lengths'), layers) : [];
    return {
        layers,
        heads: layers[0].shape[0],
        queries,
        keys,
        sentences: sentences ?? null,
        lengths,
    };
}

/** @param {string} name @param {number} value @param {string} place @returns {never} */
function refuseWeight(name, value, place) {
    throw fileError(
        Number.isFinite(value)
            ? `${name} holds ${value} in ${place}; weights lie between 0 and 1: save what the softmax gives, after model.eval()`
            : `${name} holds values that are not finite numbers (NaN or infinity), in ${place}`,
    );
}

/** Refuses what is no weight, counts rows that do not sum to about 1. @param {Entry} entry
 * @param {Float32Array} data
 * @returns {Promise<OddRows>} */
async function inspect({name, shape: [heads, rows, keys]}, data) {
    const odd = {name, count: 0, head: 0, row: 0, sum: 1};
    const pause = createPause();
    for (let row = 0; row < heads * rows; row++) {
        const [head, query] = [Math.floor(row / rows), row % rows];
        let sum = 0;
        for (let i = row * keys; i < (row + 1) * keys; i++) {
            if (!(data[i] >= 0 && data[i] <= HIGHEST))
                refuseWeight(name, data[i], `head ${head}, row ${query}, column ${i % keys}`);
            sum += data[i];
        }
        if (Math.abs(sum - 1) > ROW_ERROR && odd.count++ === 0)
            Object.assign(odd, {head, row: query, sum});
        await pause();
    }
    return odd;
}

/** @param {Entry} entry @param {Float32Array} data */
function inspectLengths({name}, data) {
    const at = data.findIndex(value => !(value >= 0 && value < Infinity));
    if (at >= 0) throw fileError(`${name} holds ${data[at]}; lengths are finite numbers from 0 on`);
}

/** @param {File} file @returns {Promise<Opened>} */
const open = async file =>
    (await readArrays(file)) ?? {
        ...(await readHeader(file)),
        numbered: false,
        floats: entry => readFloats(file, entry),
    };

/** @param {File} file @param {boolean} [inspects] false: the weights have been looked at before they came here
 * @returns {Promise<ImportedFile>} */
export async function readImported(file, inspects = true) {
    const header = await open(file);
    /** @type {Map<Part, Content>} */
    const parts = new Map();
    for (const part of /** @type {Part[]} */ (Object.keys(NAMES))) {
        const content = contentOf(header, part);
        if (content) parts.set(part, content);
    }
    const entries = [...parts.values()].flatMap(({layers}) => layers);
    const lengths = parts.get('encoder')?.lengths ?? [];
    const ignored = [...header.tensors.keys()].filter(
        name => ![...entries, ...lengths].some(entry => entry.name === name),
    );
    if (!entries.length) {
        const some = ignored.slice(0, 3).join(', ').slice(0, 100) || 'nothing';
        throw fileError(
            `${file.name} has no tensor attention.0, decoder.0 or cross.0 (it has ${some}); ${HELP}`,
        );
    }
    /** @type {OddRows[]} */
    const odd = [];
    for (const entry of inspects ? entries : [])
        odd.push(await inspect(entry, await header.floats(entry)));
    for (const entry of inspects ? lengths : []) inspectLengths(entry, await header.floats(entry));
    return {
        name: file.name,
        parts,
        ignored,
        numbered: header.numbered,
        odd: odd.filter(({count}) => count > 0),
        async weights(part, layer) {
            const entry = parts.get(part)?.layers[layer];
            if (!entry) throw stateError(`${file.name} has no layer ${layer} of ${NAMES[part]}`);
            return header.floats(entry);
        },
        lengths: part => Promise.all((parts.get(part)?.lengths ?? []).map(header.floats)),
    };
}
