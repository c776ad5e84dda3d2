/* attention - the attention of every layer and head of one text as files for other programs, and for
 * "imported attention" (files/imported.js), which reads all of them:
 *
 *   .csv           layer,head,query,query_token,key,key_token,weight: a row a weight, all counted from 0
 *   .json          {model, hash, tokens, sentences, attention: [layer][head][query][key]}
 *   .npy           NumPy: [L, H, T, T], float32
 *   .safetensors   attention.N [H, T, T], float32 or float16; tokens, sentences and model in the metadata
 *
 * With `of: 'moved'` the numbers are what heads move, ‖a·v·W_O‖ as it is, and are called so: moved for weight,
 * moved and moved.N for attention.
 *
 * Numbers are those of the pass, bit for bit (in text: as many digits as a float32 has). `hash` is the
 * SHA-256 of the numbers as they stand in the .npy file. Layers are asked for one after the other. Pure.
 */
import {csvCell, hashOf} from './texts.js';

/**
 * @typedef {{model: string, tokens: {piece: string, sentence: number}[], layers: number, heads: number, of?: 'attention' | 'moved',
 *     read: (layer: number) => Promise<Float32Array>}} Source   read: [H, T, T] of a layer
 * @typedef {'csv' | 'json' | 'npy' | 'safetensors' | 'half'} Format
 */

/** How many weights a text file may hold; more are refused, since no program opens it. */
export const MOST = {csv: 4e6, json: 16e6};

/** With the digits that a float32 has, and no more. @param {number} value */
const written = value => String(Number(value.toPrecision(9)));

/** @param {Source} source */
async function* layersOf({layers, read}) {
    for (let layer = 0; layer < layers; layer++) yield read(layer);
}

/** @param {Source} source @returns {Promise<BlobPart[]>} */
async function csv(source) {
    const {tokens, heads, of = 'attention'} = source;
    const T = tokens.length;
    const column = of === 'moved' ? of : 'weight';
    const cells = tokens.map(({piece}) => csvCell({text: piece, user: true}));
    const parts = [`layer,head,query,query_token,key,key_token,${column}\r\n`];
    let layer = 0;
    for await (const data of layersOf(source)) {
        for (let head = 0; head < heads; head++) {
            const rows = [];
            for (let query = 0, at = head * T * T; query < T; query++)
                for (let key = 0; key < T; key++, at++)
                    rows.push(
                        `${layer},${head},${query},${cells[query]},${key},${cells[key]},${written(data[at])}\r\n`,
                    );
            parts.push(rows.join(''));
        }
        layer++;
    }
    return parts;
}

/** Numbers as they stand in a file: little end first, whatever the machine's own order is.
 * @param {Float32Array} data */
function floatBytes(data) {
    const view = new DataView(new ArrayBuffer(4 * data.length));
    data.forEach((value, i) => view.setFloat32(4 * i, value, true));
    return new Uint8Array(view.buffer);
}

/** The rows of a matrix as JSON. @param {Float32Array} data [T, T] @param {number} T */
const matrixJson = (data, T) =>
    Array.from(
        {length: T},
        (_, row) => `[${Array.from(data.subarray(row * T, (row + 1) * T), written).join(',')}]`,
    ).join(',\n');

/** @param {Source} source @returns {Promise<BlobPart[]>} */
async function json(source) {
    const {model, tokens, heads, of = 'attention'} = source;
    const T = tokens.length;
    const [layers, bytes] = [/** @type {string[]} */ ([]), /** @type {Uint8Array[]} */ ([])];
    for await (const data of layersOf(source)) {
        bytes.push(floatBytes(data));
        const maps = Array.from(
            {length: heads},
            (_, head) => `[${matrixJson(data.subarray(head * T * T, (head + 1) * T * T), T)}]`,
        );
        layers.push(`[${maps.join(',\n')}]`);
    }
    const about = {
        model,
        hash: await hashOf(bytes),
        tokens: tokens.map(({piece}) => piece),
        sentences: sentencesOf(tokens),
    };
    return [`${JSON.stringify(about).slice(0, -1)},"${of}":[\n`, layers.join(',\n'), ']}\n'];
}

/** 0, 1 or null a token, as sequence_ids() of a tokenizer gives them. @param {Source['tokens']} tokens */
const sentencesOf = tokens => tokens.map(({sentence}) => (sentence < 0 ? null : sentence));

/** Format 1.0 of NumPy: magic, length of the header, the header padded to 64 bytes, numbers in C order.
 * @param {Source} source @returns {Promise<BlobPart[]>} */
async function npy(source) {
    const {layers, heads, tokens} = source;
    const shape = [layers, heads, tokens.length, tokens.length].join(', ');
    const about = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape}), }`;
    const size = Math.ceil((10 + about.length + 1) / 64) * 64;
    const header = `${about.padEnd(size - 11)}\n`;
    const head = new Uint8Array(size);
    head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
    head.set(new TextEncoder().encode(header), 10);
    const parts = [head];
    for await (const data of layersOf(source)) parts.push(floatBytes(data));
    return /** @type {BlobPart[]} */ (parts);
}

const scratch = new DataView(new ArrayBuffer(4));

/** The nearest float16 of a number, the even one of two as near; its 16 bits. @param {number} value */
export function toHalf(value) {
    scratch.setFloat32(0, value);
    const bits = scratch.getUint32(0);
    const sign = (bits >>> 16) & 0x8000;
    const size = bits & 0x7fffffff;
    if (size > 0x7f800000) return sign | 0x7e00; // no number
    if (size >= 0x477ff000) return sign | 0x7c00; // rounds to infinity
    // below 2^-14 halves are multiples of 2^-24
    if (size < 0x38800000) {
        const parts = Math.abs(value) * 2 ** 24;
        const low = Math.floor(parts);
        const rest = parts - low;
        return sign | (low + (rest > 0.5 || (rest === 0.5 && low & 1) ? 1 : 0));
    }
    const rest = size & 0x1fff;
    const half = (size - 0x38000000) >>> 13;
    return sign | (half + (rest > 0x1000 || (rest === 0x1000 && half & 1) ? 1 : 0));
}

/** @param {Float32Array} data */
function halfBytes(data) {
    const view = new DataView(new ArrayBuffer(2 * data.length));
    data.forEach((value, i) => view.setUint16(2 * i, toHalf(value), true));
    return new Uint8Array(view.buffer);
}

/** @param {Source} source @param {'F32' | 'F16'} dtype @returns {Promise<BlobPart[]>} */
async function safetensors(source, dtype) {
    const {model, tokens, layers, heads, of = 'attention'} = source;
    const T = tokens.length;
    const size = heads * T * T * (dtype === 'F32' ? 4 : 2);
    /** @type {Record<string, any>} */
    const header = {
        __metadata__: {
            tokens: JSON.stringify(tokens.map(({piece}) => piece)),
            sentences: JSON.stringify(sentencesOf(tokens)),
            model,
        },
    };
    for (let layer = 0; layer < layers; layer++)
        header[`${of}.${layer}`] = {
            ...{dtype, shape: [heads, T, T]},
            data_offsets: [layer * size, (layer + 1) * size],
        };
    const text = new TextEncoder().encode(JSON.stringify(header));
    const length = Math.ceil(text.length / 8) * 8; // numbers begin at a multiple of 8
    const head = new Uint8Array(8 + length).fill(0x20);
    new DataView(head.buffer).setBigUint64(0, BigInt(length), true);
    head.set(text, 8);
    const parts = [head];
    for await (const data of layersOf(source))
        parts.push(dtype === 'F32' ? floatBytes(data) : halfBytes(data));
    return /** @type {BlobPart[]} */ (parts);
}

/** To add a format: a row here and in save/export.js.
 * @type {Record<Format, {type: string, ending: string, make: (source: Source) => Promise<BlobPart[]>}>} */
export const FORMATS = {
    csv: {type: 'text/csv;charset=utf-8', ending: '.csv', make: csv},
    json: {type: 'application/json', ending: '.json', make: json},
    npy: {type: 'application/octet-stream', ending: '.npy', make: npy},
    safetensors: {
        type: 'application/octet-stream',
        ending: '.safetensors',
        make: source => safetensors(source, 'F32'),
    },
    half: {
        type: 'application/octet-stream',
        ending: '-float16.safetensors',
        make: source => safetensors(source, 'F16'),
    },
};

/** How many weights that are. @param {Pick<Source, 'layers' | 'heads' | 'tokens'>} source */
export const weightsOf = ({layers, heads, tokens}) => layers * heads * tokens.length ** 2;
