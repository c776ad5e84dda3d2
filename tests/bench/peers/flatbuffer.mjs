/* flatbuffer - writes trees of tables and vectors as a FlatBuffer, front to back: a table, then
 * what it points to. No schema: who calls says the number and type of each field. Everything is
 * aligned to its size, bytes to 16, as TFLite wants its weights.
 */
const SIZES = {u8: 1, u32: 4, i32: 4, f32: 4, at: 4};
const WRITERS = {u8: 'writeUInt8', u32: 'writeUInt32LE', i32: 'writeInt32LE', f32: 'writeFloatLE'};
const ALIGN = {i64: 8, bytes: 16};
const ARRAYS = {i32: Int32Array, f32: Float32Array};

/** @param {[number, keyof SIZES, any][]} fields number, type and value; 'at' points to a table or
 *     vector */
export const table = fields => ({fields});
/** @param {'i32' | 'f32' | 'i64' | 'bytes' | 'text' | 'tables'} type */
export const vector = (type, values) => ({type, values});

function bound(node) {
    if (node.fields)
        return node.fields.reduce(
            (sum, [, type, value]) => sum + 16 + (type === 'at' ? bound(value) : 0),
            32,
        );
    if (node.type === 'tables') return node.values.reduce((sum, one) => sum + 4 + bound(one), 16);
    return 48 + (node.values.byteLength ?? 4 * node.values.length);
}

/** Puts nodes at the end of `out`; at: where the next may begin. */
class Writer {
    at = 8;

    constructor(size) {
        this.out = Buffer.alloc(size);
    }

    #align(step, ahead = 0) {
        this.at += (step - ((this.at + ahead) % step)) % step;
    }

    #point(from, node) {
        this.out.writeUInt32LE(this.node(node) - from, from);
    }

    /** Returns where it begins. */
    node(node) {
        return node.fields ? this.#table(node.fields) : this.#vector(node);
    }

    #table(fields) {
        const slots = Math.max(-1, ...fields.map(([slot]) => slot)) + 1;
        const order = fields.toSorted((a, b) => SIZES[b[1]] - SIZES[a[1]]);
        this.#align(4, 2 * slots);
        const names = this.at,
            start = names + 4 + 2 * slots;
        this.out.writeUInt16LE(4 + 2 * slots, names);
        this.out.writeInt32LE(start - names, start);
        let end = start + 4;
        const pointers = [];
        for (const [slot, type, value] of order) {
            this.out.writeUInt16LE(end - start, names + 4 + 2 * slot);
            if (type === 'at') pointers.push([end, value]);
            else this.out[WRITERS[type]](value, end);
            end += SIZES[type];
        }
        this.out.writeUInt16LE(end - start, names + 2);
        this.at = end;
        for (const [from, value] of pointers) this.#point(from, value);
        return start;
    }

    #vector({type, values}) {
        if (type === 'tables') return this.#tables(values);
        const data =
            type === 'text'
                ? Buffer.from(`${values}\0`)
                : ArrayBuffer.isView(values)
                  ? values
                  : ARRAYS[type].from(values);
        this.#align(ALIGN[type] ?? 4, 4);
        const start = this.at;
        this.out.writeUInt32LE(data.length - (type === 'text' ? 1 : 0), start);
        this.out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), start + 4);
        this.at = start + 4 + data.byteLength;
        return start;
    }

    #tables(values) {
        this.#align(4);
        const start = this.at;
        this.out.writeUInt32LE(values.length, start);
        this.at = start + 4 + 4 * values.length;
        values.forEach((value, i) => this.#point(start + 4 + 4 * i, value));
        return start;
    }
}

/** @param root a table @param {string} identifier four letters */
export function write(root, identifier) {
    const writer = new Writer(bound(root) + 64);
    writer.out.write(identifier, 4, 'latin1');
    writer.out.writeUInt32LE(writer.node(root), 0);
    return writer.out.subarray(0, writer.at);
}
