/* imported_arrays - attention of other tools as what imported.js reads: raw JSON, CSV in long form, NumPy's
 * .npy. Each becomes tensors with the names of a safetensors file (attention.<layer>, decoder.<layer>,
 * cross.<layer>) and its metadata (tokens …), so that one set of checks holds for all. Layouts:
 *
 *   JSON   {attention: [layer][head][query][key], tokens, sentences?}   what Save writes; also
 *          encoder_attention, decoder_attention, cross_attention with encoder_tokens, decoder_tokens
 *          [layer][1][head][query][key]   a model's attentions as lists, BertViz's input
 *          {attention: [{name, attn, left_text, right_text}]}   what BertViz hands to its page
 *          [layer][head][query][key] alone   dodrio: no tokens; padding at the end is left out
 *   CSV    layer,head,query,query_token,key,key_token,weight
 *   .npy   [L, H, T, T] or [L, 1, H, T, T]: no tokens
 *
 * Where a file names no tokens their positions stand in for them (`numbered`).
 */
import {HeadlightError, sizeSaid} from './errors.js';
import {fromHalf} from './safetensors.js';

/**
 * @typedef {import('./imported.js').Opened} Opened
 * @typedef {{data: Float32Array, shape: number[]}} Array4   [L, H, Q, K]
 * @typedef {{encoder?: Array4, decoder?: Array4, cross?: Array4}} Maps
 */

const PREFIX = {encoder: 'attention', decoder: 'decoder', cross: 'cross'};
const FORM = '[layers, heads, tokens, tokens]';
const JSON_LIMIT = 400e6; // bytes; browsers hold no longer text

/** @param {string} sentence */
const problem = sentence => new HeadlightError('file', sentence);

/** The sizes of nested lists, down the first of each. @param {any} value @returns {number[]} */
const sizesOf = value => (Array.isArray(value) ? [value.length, ...sizesOf(value[0])] : []);

/** Nested lists of numbers as one array; every list must be as long as its neighbours.
 * @param {any} value @param {number[]} sizes @param {string} name */
function flat(value, sizes, name) {
    const data = new Float32Array(sizes.reduce((product, size) => product * size, 1));
    let at = 0;
    const take = (
        /** @type {any} */ part,
        /** @type {number} */ depth,
        /** @type {number[]} */ place,
    ) => {
        if (!Array.isArray(part) || part.length !== sizes[depth])
            throw problem(
                `${name}[${place.join('][')}] has ${Array.isArray(part) ? `${part.length} entries` : 'no list'}, but ` +
                    `its neighbours have ${sizes[depth]}`,
            );
        part.forEach((one, i) => {
            if (depth + 1 < sizes.length) return take(one, depth + 1, [...place, i]);
            if (typeof one !== 'number')
                throw problem(
                    `${name}[${[...place, i].join('][')}] is ${JSON.stringify(one)?.slice(0, 40)}, not a number`,
                );
            data[at++] = one;
        });
    };
    take(value, 0, []);
    return data;
}

/** [L, H, Q, K] of sizes that may have a batch of one text, or a single layer.
 * @param {number[]} sizes @param {string} name */
function shapeOf(sizes, name) {
    if (sizes.length === 5 && sizes[1] === 1) return [sizes[0], ...sizes.slice(2)];
    if (sizes.length === 3) return [1, ...sizes];
    if (sizes.length === 4 && !sizes.includes(0)) return sizes;
    const batch = sizes.length === 5 ? ` holds ${sizes[1]} texts: take one, [:, 0]` : '';
    throw problem(
        `${name} has shape [${sizes.join(', ')}];${batch} expected is ${FORM}, or with a batch of 1 after the layers`,
    );
}

/** @param {any} value @param {string} name @returns {Array4} */
function arrayOf(value, name) {
    const sizes = sizesOf(value);
    const shape = shapeOf(sizes, name);
    return {data: flat(value, sizes, name), shape};
}

/** What BertViz gives its page: a list of {name, attn, left_text, right_text}. @param {any[]} list */
function fromBertViz(list) {
    /** @type {Maps} */
    const maps = {};
    /** @type {Record<string, string[]>} */
    const lists = {};
    for (const [i, {name, attn, left_text: left, right_text: right}] of list.entries()) {
        const part = {encoder: 'encoder', decoder: 'decoder', cross: 'cross'}[
            String(name).toLowerCase()
        ];
        if (i && !part) continue; // of one model all, then from sentence to sentence
        maps[/** @type {keyof Maps} */ (part ?? 'encoder')] = arrayOf(attn, 'attn');
        lists[part === 'decoder' || part === 'cross' ? 'decoder_tokens' : 'tokens'] ??= left;
        if (part === 'cross') lists.tokens ??= right;
    }
    return {maps, lists};
}

const NAMES = {
    encoder: ['attention', 'attentions', 'attn', 'encoder_attention', 'encoder_attentions'],
    decoder: ['decoder_attention', 'decoder_attentions'],
    cross: ['cross_attention', 'cross_attentions'],
};
const LISTS = ['tokens', 'encoder_tokens', 'decoder_tokens', 'sentences'];

/** @param {any} value of a JSON file */
function fromJson(value) {
    if (Array.isArray(value)) return {maps: {encoder: arrayOf(value, 'the list')}, lists: {}};
    if (Array.isArray(value?.attention) && value.attention[0]?.attn)
        return fromBertViz(value.attention);
    /** @type {Maps} */
    const maps = {};
    for (const [part, names] of Object.entries(NAMES)) {
        const name = names.find(known => value?.[known]);
        if (name) maps[/** @type {keyof Maps} */ (part)] = arrayOf(value[name], name);
    }
    if (!Object.keys(maps).length)
        throw problem(
            `the JSON file has no "attention" (it has ${
                Object.keys(value ?? {})
                    .slice(0, 5)
                    .join(', ')
                    .slice(0, 100) || 'nothing'
            }); expected is ` + `{"tokens": [...], "attention": ${FORM}}`,
        );
    const lists = Object.fromEntries(
        LISTS.filter(name => value[name]).map(name => [name, value[name]]),
    );
    return {maps, lists};
}

/** @param {File} file */
async function readJson(file) {
    if (file.size > JSON_LIMIT)
        throw problem(
            `the JSON file has ${Math.round(file.size / 1e6)} MB, more than the ${JSON_LIMIT / 1e6} that are read; save it as .npy or safetensors`,
        );
    try {
        return JSON.parse(await file.text());
    } catch (error) {
        throw problem(
            `this is no JSON (${/** @type {Error} */ (error).message}); Python writes NaN and Infinity, which JSON has not`,
        );
    }
}

/** The cells of a CSV file (RFC 4180), row by row. @param {string} text */
function* rowsOf(text) {
    /** @type {string[]} */
    let row = [];
    for (const [, quoted, plain, end] of text.matchAll(
        /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
    )) {
        row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
        if (end === ',') continue;
        if (row.length > 1 || row[0]) yield row;
        row = [];
        if (end === '') return;
    }
}

const COLUMNS = ['layer', 'head', 'query', 'query_token', 'key', 'key_token', 'weight'];
/** As it was before it was kept from being a formula. @param {string} cell */
const unguarded = cell => cell.replace(/^'(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/, '');

/** @param {string} text */
function fromCsv(text) {
    const rows = rowsOf(text.replace(/^\ufeff/, ''));
    const header = rows.next().value ?? [];
    const places = COLUMNS.map(name => header.indexOf(name));
    if (places.includes(-1))
        throw problem(
            `the first row of the CSV file is ${header.join(',').slice(0, 100)}; expected is ${COLUMNS.join(',')}`,
        );
    /** @type {number[][]} */
    const found = [];
    /** @type {string[]} */
    const tokens = [];
    for (const row of rows) {
        const [layer, head, query, name, key, , weight] = places.map(at => row[at]);
        const numbers = [layer, head, query, key].map(cell =>
            /^\d{1,4}$/.test(cell ?? '') ? Number(cell) : NaN,
        );
        if (numbers.some(Number.isNaN) || !Number.isFinite(Number(weight || NaN)))
            throw problem(
                `row ${found.length + 2} of the CSV file is ${row.join(',').slice(0, 80)}; expected are numbers from 0 and a weight`,
            );
        tokens[numbers[2]] = unguarded(name);
        found.push([...numbers, Number(weight)]);
    }
    const shape = [0, 1, 2, 3].map(
        i => 1 + found.reduce((most, row) => Math.max(most, row[i]), -1),
    );
    const count = shape.reduce((product, size) => product * size, 1);
    if (count !== found.length)
        throw problem(
            `the CSV file has ${found.length} weights; its layers, heads, queries and keys, ${shape.join(' × ')}, make ${count}`,
        );
    const data = new Float32Array(count);
    for (const [layer, head, query, key, weight] of found)
        data[((layer * shape[1] + head) * shape[2] + query) * shape[3] + key] = weight;
    return {maps: {encoder: {data, shape}}, lists: {tokens}};
}

/** @type {Record<string, [number, (view: DataView, at: number, little: boolean) => number]>} */
const TYPES = {
    f2: [2, (view, at, little) => fromHalf(view.getUint16(at, little))],
    f4: [4, (view, at, little) => view.getFloat32(at, little)],
    f8: [8, (view, at, little) => view.getFloat64(at, little)],
};

/** NumPy's file: its header is the text of a Python dict. @param {ArrayBuffer} buffer */
function fromNpy(buffer) {
    const view = new DataView(buffer);
    const long = view.getUint8(6) > 1;
    const begin = long ? 12 : 10;
    const end = begin + (long ? view.getUint32(8, true) : view.getUint16(8, true));
    const header =
        end <= buffer.byteLength
            ? new TextDecoder().decode(new Uint8Array(buffer, begin, end - begin))
            : '';
    const type = /'descr': *'([^']*)'/.exec(header)?.[1] ?? '';
    const sizes = (/'shape': *\(([^)]*)\)/.exec(header)?.[1].match(/\d+/g) ?? []).map(Number);
    const known = TYPES[type.slice(1)];
    if (!known)
        throw problem(
            `the .npy file holds ${type || 'no numbers'}; float16, float32 and float64 are read: save it with .astype("float32")`,
        );
    if (/'fortran_order': *True/.test(header))
        throw problem('the .npy file is in Fortran order; save numpy.ascontiguousarray(...)');
    const shape = shapeOf(sizes, 'the array');
    const count = sizes.reduce((product, size) => product * size, 1);
    const [bytes, read] = known;
    const [given, needed] = [buffer.byteLength - end, count * bytes];
    if (given !== needed)
        throw problem(
            `the .npy file has ${sizeSaid(given, needed)} of numbers, but its shape [${sizes.join(', ')}] takes ${sizeSaid(needed, given)}; it was cut off, or something was added`,
        );
    const data = Float32Array.from({length: count}, (_, i) =>
        read(view, end + i * bytes, type[0] !== '>'),
    );
    return {maps: {encoder: {data, shape}}, lists: {}};
}

/** How many of the last positions are padding: no query looks there. @param {Array4} array */
function padded({data, shape: [, , rows, keys]}) {
    let last = 0;
    for (let i = 0; i < data.length; i++) if (data[i] !== 0 && i % keys > last) last = i % keys;
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

/** As a safetensors file would have it. @param {{maps: Maps, lists: Record<string, any>}} read
 * @returns {Opened} */
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
        throw problem(
            'this is a zip archive, as .npz, .pt and .bin are; save one array with numpy.save, or the layers with safetensors',
        );
    if (text.slice(1, 6) === 'NUMPY') return opened(fromNpy(await file.arrayBuffer()));
    if (/^\s*[[{]/.test(text) && first[7] !== 0) return opened(fromJson(await readJson(file)));
    if (text.startsWith('layer,') || file.name.toLowerCase().endsWith('.csv'))
        return opened(fromCsv(await file.text()));
    return null;
}
