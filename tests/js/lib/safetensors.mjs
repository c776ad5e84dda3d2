/* safetensors - a small reader for tests: file -> Map name -> {dtype, shape, data}. The oracle for
 * what C writes. JSON.parse and typed arrays only; I64 becomes plain numbers.
 */
import {readFileSync} from 'node:fs';

const views = {
    F32: (buffer, at, size) => new Float32Array(buffer.slice(at, at + size)),
    I8: (buffer, at, size) => new Int8Array(buffer.slice(at, at + size)),
    I64: (buffer, at, size) => Array.from(new BigInt64Array(buffer.slice(at, at + size)), Number),
};

/** @typedef {{dtype: string, shape: number[], bytes: Buffer}} Raw */

/** The bytes of tensors of any type. @param {Buffer} file @returns {Record<string, Raw>} */
export function rawTensors(file) {
    const start = 8 + Number(file.readBigUInt64LE());
    const {__metadata__, ...header} = JSON.parse(file.subarray(8, start).toString());
    return Object.fromEntries(
        Object.entries(header).map(([name, {dtype, shape, data_offsets}]) => {
            const [begin, end] = data_offsets.map(at => start + at);
            return [name, {dtype, shape, bytes: file.subarray(begin, end)}];
        }),
    );
}

/** @param {Buffer} file @returns {Record<string, string>} */
export const metadataOf = file =>
    JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE())).toString()).__metadata__;

export function readSafetensors(path) {
    const {buffer, byteOffset, byteLength} = readFileSync(path);
    const file = buffer.slice(byteOffset, byteOffset + byteLength);
    const length = Number(new DataView(file).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length)));
    delete header.__metadata__;
    return new Map(
        Object.entries(header).map(
            ([
                name,
                {
                    dtype,
                    shape,
                    data_offsets: [begin, end],
                },
            ]) => [name, {dtype, shape, data: views[dtype](file, 8 + length + begin, end - begin)}],
        ),
    );
}

/** A file in memory, as safetensors.torch.save_file writes it. tensors: name ->
 * {dtype, shape, bytes}; header: changes it. */
export function writeSafetensors(tensors, metadata, header = h => h) {
    let at = 0;
    const entries = Object.entries(tensors).map(([name, {dtype, shape, bytes}]) => [
        name,
        {dtype, shape, data_offsets: [at, (at += bytes.length)]},
    ]);
    const made = header({
        ...(metadata ? {__metadata__: metadata} : {}),
        ...Object.fromEntries(entries),
    });
    const text = Buffer.from(typeof made === 'string' ? made : JSON.stringify(made));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(text.length));
    return Buffer.concat([size, text, ...Object.values(tensors).map(({bytes}) => bytes)]);
}

const TO_BYTES = {
    F32: values => Buffer.from(Float32Array.from(values).buffer),
    BF16: values =>
        Buffer.from(
            Uint16Array.from(new Uint32Array(Float32Array.from(values).buffer), bits => bits >>> 16)
                .buffer,
        ),
    F16: values => Buffer.from(Uint16Array.from(values, toHalf).buffer),
};

/** Of 0 and powers of two, which is what the tests use. */
const toHalf = value => (value ? (Math.log2(value) + 15) << 10 : 0);

export const tensor = (shape, values, dtype = 'F32') => ({
    dtype,
    shape,
    bytes: TO_BYTES[dtype](values),
});
