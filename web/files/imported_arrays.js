/* imported_arrays - attention of other tools as what imported.js reads: raw JSON, CSV in long form, NumPy's
 * .npy. Each becomes tensors with the names of a safetensors file (attention.<layer>, decoder.<layer>,
 * cross.<layer>) and its metadata (tokens …), so that one set of checks holds for all. Layouts:
 *
 *   JSON   {attention: [layer][head][query][key], tokens, sentences?}   what Save writes; also
 *          encoder_attention, decoder_attention, cross_attention with encoder_tokens, decoder_tokens
 *          [layer][1][head][query][key]   a model's attentions as lists, BertViz's input
 *          {attention: [{name, attn, left_text, right_text}]}   what BertViz hands to its page
 *          [layer][head][query][key] alone   dodrio: no tokens; padding at the end is left out
 *   CSV    imported_csv.js
 *   .npy   [L, H, T, T] or [L, 1, H, T, T]: no tokens
 *
 * Where a file names no tokens their positions stand in for them (`numbered`).
 */
import {fileError, sizeSaid} from '../base/errors.js';
import {fromCsv} from './imported_csv.js';
import {createPause} from '../base/pause.js';
import {fromHalf} from './safetensors.js';

/**
 * @import {Opened} from './imported.js'
 * @typedef {{data: Float32Array, shape: number[]}} Array4   [L, H, Q, K]
 * @typedef {{encoder?: Array4, decoder?: Array4, cross?: Array4}} Maps
 * @typedef {{maps: Maps, lists: Record<string, any>}} Read   lists: tokens, sentences ...
 */

export const MOST = {layers: 256, heads: 256, tokens: 4096}; // what hl_adopt takes
const PREFIX = {encoder: 'attention', decoder: 'decoder', cross: 'cross'};
const FORM = '[layers, heads, tokens, tokens]';
const JSON_FORM = `{"tokens": [...], "attention": ${FORM}}`;
const JSON_LIMIT = 400e6; // bytes; browsers hold no longer text

/** The sizes of nested lists, down the first of each; deeper than any that is read: cut off.
 * @param {any} value */
function sizesOf(value) {
    const sizes = [];
    for (let list = value; Array.isArray(list) && sizes.length < 7; list = list[0])
        sizes.push(list.length);
    return sizes;
}

/** Every list must be as long as its neighbours. @param {any} value @param {number[]} sizes
 * @param {string} name of the value */
function checkLists(value, [size, ...inner], name) {
    if (!Array.isArray(value) || value.length !== size)
        throw fileError(
            `${name} has ${Array.isArray(value) ? `${value.length} entries` : 'no list'}, but ` +
                `its neighbours have ${size}`,
        );
    if (inner.length) value.forEach((one, i) => checkLists(one, inner, `${name}[${i}]`));
}

/** Nested lists of numbers as one array. @param {any} value @param {number[]} sizes
 * @param {string} name */
async function flat(value, sizes, name) {
    checkLists(value, sizes, name); // before memory is taken for what the first lists promise
    const data = new Float32Array(sizes.reduce((product, size) => product * size, 1));
    const pause = createPause();
    let at = 0;
    for (const row of value.flat(sizes.length - 2)) {
        for (const one of row) {
            if (typeof one !== 'number')
                throw fileError(
                    `${name}${placeOf(at, sizes)} is ${JSON.stringify(one)?.slice(0, 40)}, not a number`,
                );
            data[at++] = one;
        }
        await pause();
    }
    return data;
}

/** [0][3][1] of a number in nested lists. @param {number} at @param {number[]} sizes */
const placeOf = (at, sizes) =>
    sizes.reduceRight(
        ({left, text}, size) => ({left: Math.floor(left / size), text: `[${left % size}]${text}`}),
        {left: at, text: ''},
    ).text;

/** [L, H, Q, K] of sizes that may have a batch of one text, or a single layer.
 * @param {number[]} sizes @param {string} name */
function shapeOf(sizes, name) {
    const shape =
        sizes.length === 5 && sizes[1] === 1
            ? [sizes[0], ...sizes.slice(2)]
            : sizes.length === 3
              ? [1, ...sizes]
              : sizes;
    const batch = sizes.length === 5 ? ` holds ${sizes[1]} texts: take one, [:, 0]` : '';
    if (shape.length !== 4 || shape.includes(0))
        throw fileError(
            `${name} has shape [${sizes.join(', ')}];${batch} expected is ${FORM}, or with a batch of 1 after the layers`,
        );
    const most = [MOST.layers, MOST.heads, MOST.tokens, MOST.tokens];
    if (shape.some((size, i) => size > most[i]))
        throw fileError(
            `${name} has shape [${sizes.join(', ')}]; at most ${MOST.layers} layers, ${MOST.heads} heads and ` +
                `${MOST.tokens} tokens are read: take a part of it`,
        );
    return shape;
}

/** @param {any} value @param {string} name @returns {Promise<Array4>} */
async function arrayOf(value, name) {
    const sizes = sizesOf(value);
    const shape = shapeOf(sizes, name);
    return {data: await flat(value, sizes, name), shape};
}

/** A list of the JSON file beside the numbers. @param {string} name @param {any} list */
function checkList(name, list) {
    const marks = name === 'sentences';
    const fits = (/** @type {any} */ one) =>
        marks ? one === 0 || one === 1 || one === null : typeof one === 'string';
    const bad = Array.isArray(list) ? list.findIndex(one => !fits(one)) : -2;
    if (bad === -1) return list;
    const [what, value] = bad < 0 ? [name, list] : [`${name}[${bad}]`, list[bad]];
    const one = marks ? '0, 1 or null' : 'a text';
    throw fileError(
        `${what} of the JSON file is ${(JSON.stringify(value) ?? 'missing').slice(0, 40)}, but expected is ` +
            (bad < 0 ? `a list with ${one} for each token` : one),
    );
}

/** What BertViz gives its page: a list of {name, attn, left_text, right_text}. @param {any[]} list */
async function fromBertViz(list) {
    /** @type {Maps} */
    const maps = {};
    /** @type {Record<string, string[]>} */
    const lists = {};
    for (const [i, entry] of list.entries()) {
        if (!Array.isArray(entry?.attn))
            throw fileError(
                `attention[${i}] of the JSON file is ${JSON.stringify(entry).slice(0, 40)}, but expected is ` +
                    "BertViz's {name, attn, left_text, right_text}",
            );
        const {name, attn, left_text: left, right_text: right} = entry;
        const part = {encoder: 'encoder', decoder: 'decoder', cross: 'cross'}[
            String(name).toLowerCase()
        ];
        if (i && !part) continue; // of one model all, then from sentence to sentence
        maps[/** @type {keyof Maps} */ (part ?? 'encoder')] = await arrayOf(attn, 'attn');
        const decodes = part === 'decoder' || part === 'cross';
        lists[decodes ? 'decoder_tokens' : 'tokens'] ??= checkList('left_text', left);
        if (part === 'cross') lists.tokens ??= checkList('right_text', right);
    }
    return {maps, lists};
}

const NAMES = {
    encoder: ['attention', 'attentions', 'attn', 'encoder_attention', 'encoder_attentions'],
    decoder: ['decoder_attention', 'decoder_attentions'],
    cross: ['cross_attention', 'cross_attentions'],
};
const LISTS = ['tokens', 'encoder_tokens', 'decoder_tokens', 'sentences'];

/** @param {any} value of a JSON file @returns {Promise<Read>} */
async function fromJson(value) {
    if (Array.isArray(value)) return {maps: {encoder: await arrayOf(value, 'the list')}, lists: {}};
    const list = value?.attention;
    if (Array.isArray(list) && list.length && !Array.isArray(list[0])) return fromBertViz(list);
    /** @type {Maps} */
    const maps = {};
    for (const [part, names] of Object.entries(NAMES)) {
        const name = names.find(known => value?.[known]);
        if (name) maps[/** @type {keyof Maps} */ (part)] = await arrayOf(value[name], name);
    }
    if (!Object.keys(maps).length)
        throw fileError(
            `the JSON file has no "attention" (it has ${
                Object.keys(value ?? {})
                    .slice(0, 5)
                    .join(', ')
                    .slice(0, 100) || 'nothing'
            }); expected is ${JSON_FORM}`,
        );
    const lists = Object.fromEntries(
        LISTS.filter(name => (value[name] ?? null) !== null).map(name => [
            name,
            checkList(name, value[name]),
        ]),
    );
    return {maps, lists};
}

/** A string, or a list that holds neither strings nor lists: a row of numbers. */
const STRING_OR_ROW = /"[^"\\]*(?:\\[^][^"\\]*)*"|\[[^[\]{}"]*\]/g;
const LONG_ROW = 64; // characters
const DEEPEST = 12; // of lists and objects around the rows of a layout that is read

/** JSON.parse, but row by row, so that others get their turn between them: each row leaves a mark in
 * the text, and takes its place when the rest is parsed. @param {string} text */
async function parseRows(text) {
    const pause = createPause();
    /** @type {number[][]} */
    const rows = [];
    let [rest, from] = ['', 0];
    for (const {0: found, index} of text.matchAll(STRING_OR_ROW)) {
        if (found.length < LONG_ROW || found.startsWith('"')) continue;
        rest += `${text.slice(from, index)}{"\\u0000row":${rows.push(JSON.parse(found)) - 1}}`;
        from = index + found.length;
        await pause();
    }
    /** @param {any} value @param {number} depth @returns {any} */
    const filled = (value, depth) => {
        if (value === null || typeof value !== 'object' || depth > DEEPEST) return value;
        if ('\0row' in value) return rows[value['\0row']];
        for (const [key, one] of Object.entries(value))
            if (key !== '__proto__') value[key] = filled(one, depth + 1);
        return value;
    };
    return filled(JSON.parse(rest + text.slice(from)), 0);
}

/** @param {File} file */
async function readJson(file) {
    if (file.size > JSON_LIMIT)
        throw fileError(
            `the JSON file has ${Math.round(file.size / 1e6)} MB, more than the ${JSON_LIMIT / 1e6} that are read; save it as .npy or safetensors`,
        );
    const text = (await file.text()).replace(/^\ufeff/, '');
    if (!text.trim()) throw fileError(`${file.name} is empty; expected is ${JSON_FORM}`);
    try {
        return await parseRows(text);
    } catch (error) {
        throw fileError(
            `this is no JSON (${/** @type {Error} */ (error).message}); Python writes NaN and Infinity, which JSON has not`,
        );
    }
}

/** @type {Record<string, [number, (view: DataView, at: number, little: boolean) => number]>} */
const TYPES = {
    f2: [2, (view, at, little) => fromHalf(view.getUint16(at, little))],
    f4: [4, (view, at, little) => view.getFloat32(at, little)],
    f8: [8, (view, at, little) => view.getFloat64(at, little)],
};

const NPY_HEADER = 65536; // bytes; of an array of numbers it has about a hundred

/** The header of NumPy's file, the text of a Python dict, and where the numbers begin.
 * @param {File} file */
async function readNpyHeader(file) {
    const buffer = await file.slice(0, NPY_HEADER).arrayBuffer();
    const view = new DataView(buffer);
    const long = buffer.byteLength > 6 && view.getUint8(6) > 1;
    const begin = long ? 12 : 10;
    const size =
        buffer.byteLength < begin
            ? Infinity
            : long
              ? view.getUint32(8, true)
              : view.getUint16(8, true);
    if (begin + size > buffer.byteLength)
        throw fileError(
            `the .npy file has ${sizeSaid(file.size)}, and ends or loses itself in its header; save it with numpy.save`,
        );
    const text = new TextDecoder().decode(new Uint8Array(buffer, begin, size));
    return {text, begin: begin + size};
}

/** NumPy's file. What its header says is checked before the numbers are read.
 * @param {File} file @returns {Promise<Read>} */
async function fromNpy(file) {
    const {text, begin} = await readNpyHeader(file);
    const type = /'descr': *'([^']*)'/.exec(text)?.[1] ?? '';
    const sizes = (/'shape': *\(([^)]*)\)/.exec(text)?.[1].match(/\d+/g) ?? []).map(Number);
    const known = TYPES[type.slice(1)];
    if (!known)
        throw fileError(
            `the .npy file holds ${type || 'no numbers'}; float16, float32 and float64 are read: save it with .astype("float32")`,
        );
    if (/'fortran_order': *True/.test(text))
        throw fileError('the .npy file is in Fortran order; save numpy.ascontiguousarray(...)');
    const shape = shapeOf(sizes, 'the array');
    const count = sizes.reduce((product, size) => product * size, 1);
    const [bytes, read] = known;
    const [given, needed] = [file.size - begin, count * bytes];
    if (given !== needed)
        throw fileError(
            `the .npy file has ${sizeSaid(given, needed)} of numbers, but its shape [${sizes.join(', ')}] takes ${sizeSaid(needed, given)}; it was cut off, or something was added`,
        );
    const view = new DataView(await file.slice(begin).arrayBuffer());
    const data = new Float32Array(count);
    const pause = createPause();
    for (let i = 0; i < count; i++) {
        data[i] = read(view, i * bytes, type[0] !== '>');
        if (i % 65536 === 0) await pause();
    }
    return {maps: {encoder: {data, shape}}, lists: {}};
}

/** How many of the last positions are padding: no query looks there. @param {Array4} array */
function padded({data, shape: [, , rows, keys]}) {
    let last = 0;
    for (let row = 0; row < data.length; row += keys)
        for (let key = keys - 1; key > last; key--) if (data[row + key] !== 0) last = key;
    return rows === keys ? keys - 1 - last : 0;
}

/** The first `size` queries and keys. @param {Array4} array @param {number} size @returns {Array4} */
function cut({data, shape: [layers, heads, rows, keys]}, size) {
    const out = new Float32Array(layers * heads * size * size);
    for (let map = 0; map < layers * heads; map++)
        for (let row = 0; row < size; row++) {
            const from = (map * rows + row) * keys;
            out.set(data.subarray(from, from + size), (map * size + row) * size);
        }
    return {data: out, shape: [layers, heads, size, size]};
}

/** As a safetensors file would have it. @param {Read} read @returns {Opened} */
function opened({maps, lists}) {
    const numbered = !lists.tokens && !lists.encoder_tokens && maps.encoder !== undefined;
    if (maps.encoder && numbered) {
        const size = maps.encoder.shape[3] - padded(maps.encoder);
        if (size < maps.encoder.shape[3]) maps.encoder = cut(maps.encoder, size);
        lists.tokens = Array.from({length: size}, (_, i) => String(i));
    }
    const data = new Map();
    const tensors = new Map();
    for (const [part, array] of Object.entries(maps)) {
        const [layers, ...shape] = array.shape;
        const size = shape.reduce((product, n) => product * n, 1);
        for (let layer = 0; layer < layers; layer++) {
            const name = `${PREFIX[/** @type {keyof Maps} */ (part)]}.${layer}`;
            tensors.set(name, {name, dtype: 'F32', shape, begin: 0, end: 4 * size});
            data.set(name, array.data.subarray(layer * size, (layer + 1) * size));
        }
    }
    const metadata = new Map(
        Object.entries(lists).map(([name, list]) => [name, JSON.stringify(list)]),
    );
    return {tensors, metadata, numbered, floats: async ({name}) => data.get(name).slice()};
}

/** What a file begins with: of safetensors, eight bytes of a length, of which the last are 0.
 * @param {File} file @returns {Promise<Opened | null>} null: none of these */
export async function readArrays(file) {
    const first = new Uint8Array(await file.slice(0, 64).arrayBuffer());
    const text = new TextDecoder().decode(first).replace(/^\ufeff/, '');
    if (text.startsWith('PK\x03\x04'))
        throw fileError(
            'this is a zip archive, as .npz, .pt and .bin are; save one array with numpy.save, or the layers with safetensors',
        );
    const name = file.name.toLowerCase();
    if (text.slice(1, 6) === 'NUMPY') return opened(await fromNpy(file));
    if ((/^\s*[[{]/.test(text) && first[7] !== 0) || name.endsWith('.json'))
        return opened(await fromJson(await readJson(file)));
    if (text.startsWith('layer,') || name.endsWith('.csv')) return opened(await fromCsv(file));
    return null;
}
