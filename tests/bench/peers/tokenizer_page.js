/* tokenizer_page - the page of tokenizer.mjs: Headlight's tokenizer and @huggingface/tokenizers
 * from the same tokenizer.json, each from JavaScript strings to arrays of ids, one paragraph at a
 * time.
 */
import {createCore, instantiate} from '/web/worker/wasm.js';
import {Tokenizer} from '/build/out/bench/peers/node_modules/@huggingface/tokenizers/dist/tokenizers.mjs';

const WHOLE = 1 << 30; // nothing is cut
const COLUMNS = 6; // of hl_tokens

/** @param {Uint8Array} json */
async function openOurs(json) {
    const wasm = await instantiate('/build/out/wasm/headlight.wasm');
    const session = createCore(wasm),
        {pointer} = session,
        encoder = new TextEncoder();
    session.loadText('tokenizer', json);
    const room = 1 << 20,
        at = wasm.hl_buffer(pointer, room) >>> 0; // one buffer for all texts
    let bytes = new Uint8Array(),
        numbers = new Int32Array();
    const refresh = () => {
        // memory that grew has a new buffer
        if (bytes.buffer === wasm.memory.buffer) return;
        bytes = new Uint8Array(wasm.memory.buffer, at, room);
        numbers = new Int32Array(wasm.memory.buffer);
    };
    return text => {
        refresh();
        const {written} = encoder.encodeInto(text, bytes);
        const count = wasm.hl_tokenize(pointer, at, written, 0, -1, WHOLE);
        refresh();
        const ids = new Array(count);
        for (let i = 0, from = wasm.hl_tokens(pointer) >>> 2; i < count; i++, from += COLUMNS)
            ids[i] = numbers[from];
        return ids;
    };
}

/** Milliseconds of every round over all texts, taken in turn, and whether the ids are the same.
 * @param {string[]} texts */
export async function compare(address, texts, rounds) {
    const json = new Uint8Array(await (await fetch(address)).arrayBuffer());
    const theirs = new Tokenizer(JSON.parse(new TextDecoder().decode(json)), {
        tokenizer_class: 'BertTokenizer',
    });
    const encoders = [await openOurs(json), text => theirs.encode(text).ids];
    const times = [[], []];
    let tokens = 0,
        other = 0,
        example = '';
    for (const text of texts) {
        // also warms up
        const [ours, peers] = encoders.map(encode => encode(text));
        tokens += ours.length;
        if (ours.length === peers.length && ours.every((id, i) => id === peers[i])) continue;
        other++;
        example ||= text;
    }
    for (let round = 0; round < rounds; round++) {
        for (const [which, encode] of encoders.entries()) {
            const start = performance.now();
            for (const text of texts) encode(text);
            times[which].push(performance.now() - start);
        }
    }
    return {times, tokens, other, example};
}
