/* safetensors - a small reader for tests: file -> Map name -> {dtype, shape, data}. The oracle for what C writes.
 * JSON.parse and typed arrays only; I64 becomes plain numbers.
 */
import {readFileSync} from 'node:fs';

const views = {
    F32: (buffer, at, size) => new Float32Array(buffer.slice(at, at + size)),
    I8: (buffer, at, size) => new Int8Array(buffer.slice(at, at + size)),
    I64: (buffer, at, size) => Array.from(new BigInt64Array(buffer.slice(at, at + size)), Number),
};

export function readSafetensors(path) {
    const {buffer, byteOffset, byteLength} = readFileSync(path);
    const file = buffer.slice(byteOffset, byteOffset + byteLength);
    const length = Number(new DataView(file).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length)));
    delete header.__metadata__;
    return new Map(Object.entries(header).map(([name, {dtype, shape, data_offsets: [begin, end]}]) =>
        [name, {dtype, shape, data: views[dtype](file, 8 + length + begin, end - begin)}]));
}
