/* loader - runs in each output that has a figure, and in widgets. The bundle stands in one output of a
 * notebook; figures wait for it, whichever comes first. `KEY` names its build. */
const MISSING =
    'The script of Headlight’s figures is in another output of this notebook, which is not on this ' +
    'page. Run the cell of the first figure again, or head_light.init() in a cell above.';
const headLight = {
    one(key) {
        const all = (globalThis.headLightFigures ??= {});
        if (!all[key]) {
            const made = {found: null, module: null};
            made.module = new Promise(done => (made.found = done));
            all[key] = made;
        }
        return all[key];
    },
    async unpack(bytes) {
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
        const raw = await new Response(stream).arrayBuffer();
        let at = 16;
        const parts = [...new Uint32Array(raw, 0, 4)].map(size => raw.slice(at, (at += size)));
        const [script, worker, style] = parts
            .slice(0, 3)
            .map(part => new TextDecoder().decode(part));
        const url = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
        const module = await import(url);
        URL.revokeObjectURL(url);
        module.provide({worker, style, wasm: parts[3]});
        return module;
    },
    /** The bundle is here, as bytes or base64. */
    give(key, data) {
        const one = headLight.one(key);
        if (one.given) return;
        one.given = true;
        one.found(headLight.unpack(typeof data === 'string' ? headLight.bytes(data) : data));
    },
    /** Of base64; browsers since 2025 have a function for it. */
    bytes(text) {
        if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
        const raw = atob(text);
        const bytes = new Uint8Array(raw.length);
        for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
        return bytes;
    },
    /** Draws the figure of an output; after a while without a bundle, says how to get one. */
    show(key, output) {
        const say = text => {
            const said = output.querySelector('.head-light-still') ?? output;
            said.textContent = text;
        };
        const timer = setTimeout(say, 5000, MISSING);
        headLight
            .one(key)
            .module.then(module => module.show(output, headLight.bytes))
            .catch(error => say(`Headlight could not start: ${error.message}`))
            .finally(() => clearTimeout(timer));
    },
};
