/* wasm_stand_in - one instance of a .wasm in Node.js, for wasm_stand_in.py: a line of JSON asks, a line answers,
 * and a function that the .wasm imports asks back. All of it waits: nothing here runs at the same time. */
import {readFileSync, readSync, writeSync} from 'node:fs';

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = WebAssembly.Module.imports(module);
let rest = Buffer.alloc(0);

/** The next line; null at the end. */
function next() {
    const pieces = [rest];
    for (;;) {
        const last = pieces[pieces.length - 1];
        const end = last.indexOf(10);
        if (end >= 0) {
            rest = last.subarray(end + 1);
            pieces[pieces.length - 1] = last.subarray(0, end);
            return JSON.parse(Buffer.concat(pieces).toString());
        }
        const piece = Buffer.alloc(1 << 16);
        const size = readSync(0, piece);
        if (!size) return null;
        pieces.push(piece.subarray(0, size));
    }
}

function say(answer) {
    const bytes = Buffer.from(`${JSON.stringify(answer)}\n`);
    for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

/** What the .wasm imports, as functions of Python. */
function importsOf() {
    const made = {};
    imports.forEach(({module: from, name}, i) => {
        (made[from] ??= {})[name] = (...args) => {
            say({import: i, args: args.map(Number)});
            return next().value;
        };
    });
    return made;
}

let own = null;
const bytes = (start, end) => Buffer.from(own.exports.memory.buffer).subarray(start, end);
const DO = {
    imports: () => imports.map(({module: from, name}) => [from, name]),
    instantiate() {
        own = new WebAssembly.Instance(module, importsOf());
        return Object.keys(own.exports);
    },
    call: ([name, ...args]) => own.exports[name](...args) ?? null,
    size: () => own.exports.memory.buffer.byteLength,
    read: ([start, end]) => bytes(start, end).toString('base64'),
    write: ([data, start]) => void bytes(start).write(data, 'base64'),
};

for (let asked = next(); asked; asked = next()) {
    try {
        say({value: DO[asked.do](asked.given) ?? null});
    } catch (error) {
        say({error: String(error)});
    }
}
