/* safetensors - the header of a file and the numbers of its tensors, for files of the reader's own
 * (imported.js). Model weights do not come this way: C reads those. As strict as the reference
 * reader, and stricter where its specification is: the header begins with {, no name comes twice,
 * the tensors lie one after the other and fill the file to its last byte.
 */
import {fileError, sizeSaid} from '../base/errors.js';
import {createPause} from '../base/pause.js';

/**
 * @typedef {{name: string, dtype: string, shape: number[], begin: number, end: number}} Entry   offsets
 *     from the file's start
 * @typedef {{tensors: Map<string, Entry>, metadata: Map<string, string>}} Header
 */

// the format allows 100 MB; a list of attention tensors has some kilobytes
const HEADER_LIMIT = 10e6;
const STEP = 1e5; // numbers between two pauses
const BYTES = new Map(
    Object.entries({
        F64: 8,
        I64: 8,
        U64: 8,
        F32: 4,
        I32: 4,
        U32: 4,
        F16: 2,
        BF16: 2,
        I16: 2,
        U16: 2,
        I8: 1,
        U8: 1,
        BOOL: 1,
    }),
);

/** The first name that comes twice in one object of a JSON text that is known to be right.
 * @param {string} json */
function twiceNamed(json) {
    /** @type {Set<string>[]} */
    const open = [];
    for (const [found] of json.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}]/gs)) {
        if (found === '{') open.push(new Set());
        else if (found === '}') open.pop();
        else if (found.endsWith(':')) {
            const name = JSON.parse(found.slice(0, -1));
            const names = open[open.length - 1];
            if (names.has(name)) return name;
            names.add(name);
        }
    }
    return undefined;
}

/** @param {Uint8Array} bytes @returns {Record<string, any>} */
function parseHeader(bytes) {
    let text;
    let header;
    try {
        text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
        header = text.startsWith('{') ? JSON.parse(text) : null;
    } catch {
        header = null;
    }
    if (!header)
        throw fileError('the header is not JSON, so this is no safetensors file, or a damaged one');
    const twice = twiceNamed(text ?? '');
    if (twice !== undefined) throw fileError(`the header names '${twice.slice(0, 60)}' twice`);
    return header;
}

const isCount = (/** @type {unknown} */ value) =>
    Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;

/** @param {string} name @param {any} value @param {number} dataStart @returns {Entry} */
function entryOf(name, value, dataStart) {
    const {dtype, shape, data_offsets: offsets} = value ?? {};
    const told = name.slice(0, 60);
    const fits =
        typeof dtype === 'string' &&
        Array.isArray(shape) &&
        shape.every(isCount) &&
        Array.isArray(offsets) &&
        offsets.length === 2 &&
        offsets.every(isCount);
    if (!fits)
        throw fileError(
            `the header describes tensor '${told}' wrongly: dtype, shape and data_offsets are expected`,
        );
    const bytes = BYTES.get(dtype);
    if (!bytes)
        throw fileError(
            `tensor '${told}' has the type ${dtype.slice(0, 20)}, which is not known here`,
        );
    const size = shape.reduce(
        (/** @type {number} */ product, /** @type {number} */ n) => product * n,
        bytes,
    );
    const given = offsets[1] - offsets[0];
    if (!isCount(size) || given !== size) {
        throw fileError(
            `tensor '${told}' of shape [${shape}] needs ${sizeSaid(size, given)}, but the header gives it ` +
                sizeSaid(given, size),
        );
    }
    return {name, dtype, shape, begin: dataStart + offsets[0], end: dataStart + offsets[1]};
}

/** @param {any} given @returns {Map<string, string>} */
function metadataOf(given) {
    const entries = Object.entries(given ?? {});
    if (
        Array.isArray(given) ||
        typeof given === 'string' ||
        entries.some(([, value]) => typeof value !== 'string')
    ) {
        throw fileError(
            '__metadata__ of the header must map names to texts; lists go in as json.dumps(...)',
        );
    }
    return new Map(/** @type {[string, string][]} */ (entries));
}

/** @param {Entry[]} entries @param {number} start @param {number} end */
function checkCover(entries, start, end) {
    let at = start;
    for (const {name, begin, end: next} of [...entries].sort(
        (a, b) => a.begin - b.begin || a.end - b.end,
    )) {
        if (begin !== at)
            throw fileError(
                `tensor '${name.slice(0, 60)}' does not begin where the one before it ends`,
            );
        at = next;
    }
    if (at !== end) {
        throw fileError(
            `the tensors take ${sizeSaid(at - start, end - start)}, but the file has ${sizeSaid(end - start, at - start)} for them; ` +
                'it was cut off, or something was added',
        );
    }
}

/** @param {Blob} file @returns {Promise<Header>} */
export async function readHeader(file) {
    const first = new Uint8Array(await file.slice(0, 8).arrayBuffer());
    if (first.length < 8)
        throw fileError('the file is shorter than 8 bytes, so it is no safetensors file');
    const size = Number(new DataView(first.buffer).getBigUint64(0, true));
    if (size > HEADER_LIMIT || 8 + size > file.size) {
        throw fileError(
            size > HEADER_LIMIT && size <= file.size
                ? 'the header is larger than 10 MB'
                : 'the file does not begin as a safetensors file does; save it with safetensors.torch.save_file',
        );
    }
    const {__metadata__: metadata, ...rest} = parseHeader(
        new Uint8Array(await file.slice(8, 8 + size).arrayBuffer()),
    );
    const entries = Object.entries(rest).map(([name, value]) => entryOf(name, value, 8 + size));
    checkCover(entries, 8 + size, file.size);
    return {
        tensors: new Map(entries.map(entry => [entry.name, entry])),
        metadata: metadataOf(metadata),
    };
}

/** @param {number} half bits of a float16 */
export function fromHalf(half) {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 31;
    const part = half & 1023;
    if (exponent === 31) return part ? NaN : sign * Infinity;
    return exponent
        ? sign * 2 ** (exponent - 15) * (1 + part / 1024)
        : sign * 2 ** -14 * (part / 1024);
}

/** To add a type: a row. @type {Map<string, (view: DataView, out: Float32Array) => void>} */
const DECODE = new Map([
    [
        // weights in 65535ths, as figures of notebooks come (python/head_light/payload.py)
        'U16',
        (view, out) => {
            for (let i = 0; i < out.length; i++) out[i] = view.getUint16(2 * i, true) / 65535;
        },
    ],
    [
        'F32',
        (view, out) => {
            for (let i = 0; i < out.length; i++) out[i] = view.getFloat32(4 * i, true);
        },
    ],
    [
        'F16',
        (view, out) => {
            for (let i = 0; i < out.length; i++) out[i] = fromHalf(view.getUint16(2 * i, true));
        },
    ],
    [
        'BF16',
        (view, out) => {
            const bits = new Uint32Array(out.buffer, out.byteOffset, out.length);
            for (let i = 0; i < out.length; i++) bits[i] = view.getUint16(2 * i, true) << 16;
        },
    ],
]);

export const isFloat = (/** @type {Entry} */ entry) => DECODE.has(entry.dtype);

/** @param {Blob} file @param {Entry} entry of a type that isFloat knows */
export async function readFloats(file, {dtype, shape, begin, end}) {
    const bytes = await file.slice(begin, end).arrayBuffer();
    const out = new Float32Array(shape.reduce((product, n) => product * n, 1));
    const [size, pause] = [bytes.byteLength / out.length, createPause()];
    for (let at = 0; at < out.length; at += STEP) {
        DECODE.get(dtype)?.(new DataView(bytes, at * size), out.subarray(at, at + STEP));
        await pause();
    }
    return out;
}
