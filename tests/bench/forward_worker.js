/* forward_worker - the worker of tests/bench/chromium.mjs, where threads may wait for each other:
 * it answers each message with the result of the function named there.
 */
import {bits, open, pass, setText} from './forward_page.js';

const opened = [];
const limits = {};

const CALLS = {
    /** All sessions, and the kernels whose `limit` is measured beside them. */
    async begin({folder, ways, kernels}) {
        const keyOf = ({wasm, threads}) => `${wasm} ${threads}`;
        const same = new Map();
        for (const way of ways) {
            const key = keyOf(way);
            if (!same.has(key)) same.set(key, await open(way.wasm, folder, 'q8', way.threads));
            opened.push(same.get(key));
        }
        for (const [name, url] of Object.entries(kernels)) {
            const module = await WebAssembly.compileStreaming(fetch(url));
            const imports = {};
            for (const {module: from, name: what} of WebAssembly.Module.imports(module))
                (imports[from] ??= {})[what] = () => 0;
            limits[name] = (await WebAssembly.instantiate(module, imports)).exports.limit;
        }
        return opened[0].model;
    },
    setText: ({way, tokens}) => setText(opened[way], tokens),
    bits: ({way, precision}) => bits(opened[way], precision),
    /** Milliseconds of each pass of a turn of at least so many in all. */
    passes({way, precision, least}) {
        const times = [];
        for (const end = performance.now() + least; !times.length || performance.now() < end;)
            times.push(pass(opened[way], precision));
        return times;
    },
    /** Rounds of the innermost instruction alone, 96 or 192 products each. */
    limit: ({name, times}) => limits[name](times),
};

globalThis.onmessage = async ({data: {call, ...options}}) => {
    try {
        postMessage({result: await CALLS[call](options)});
    } catch (error) {
        postMessage({error: String(error)});
    }
};
