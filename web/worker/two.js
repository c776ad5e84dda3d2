/* two - headlight_two.h as functions on JavaScript values: what a core has beside its others where the file is that with models
 * of two stacks (headlight-two.wasm), a target and passes of the decoder; and the decoder's pass of an input of passes.js. It is
 * in the worker that has everything.
 */
import {createMemory, createPass, int32, Refusal, tokenRows, utf8} from './wasm.js';

/**
 * @import {Exports, Core, Pass} from './wasm.js'
 * @typedef {ReturnType<typeof decoding>} Two
 * @typedef {import('./worker.js').Token & {read: {id: number, piece: string}}} Row   of the target: the token that is said, and
 *     the one that is read for it
 * @import {Held} from './passes.js'
 * @typedef {{text: string} | {ids: number[]} | {write: number}} Target   write: at most so many tokens, by the model
 */

/** @param {Exports} wasm @param {number} session */
function decoding(wasm, session) {
    const memory = createMemory(wasm, session);
    const {check, counted, put, named, ints} = memory;
    let count = 0; // T of the target
    return {
        /** A text, token for token; T. @param {string} text */
        target: text => {
            const bytes = utf8(text);
            return (count = counted(wasm.hl_target(session, put(bytes), bytes.length)));
        },
        /** Ids as they are; T. @param {number[]} ids */
        useTarget: ids =>
            (count = counted(wasm.hl_use_target(session, put(int32(ids)), ids.length))),
        /** What the model writes of the source that a pass has read; T. @param {Pass} source @param {number} most */
        write: (source, most) => (count = counted(wasm.hl_write(source.pointer, most))),
        /** Of each row the id that is read, and the token that is said. */
        rows: () => {
            const read = ints(check(wasm.hl_target_rows(session)), 2 * count);
            const said = tokenRows(memory, wasm.hl_target_tokens(session), count);
            return said.map((token, i) => ({...token, read: read[2 * i]}));
        },
        /** The decoder's pass over the target; it lives as long as the other. @param {Pass} source @param {string[]} keep
         * @returns {Pass} */
        decode: (source, keep) => {
            const second = check(wasm.hl_decode(source.pointer, named(keep.join(' '))));
            return createPass(wasm, second, memory);
        },
    };
}

/** @param {Exports} wasm @param {Core} core @returns {Core & {two?: Two}} */
export function withTwo(wasm, core) {
    return wasm.hl_decode ? {...core, two: decoding(wasm, core.pointer)} : core;
}

/** All that passes of a model keep. @param {import('./worker.js').Model} model */
export const tensorsOf = ({tensors, second}) => [...tensors, ...(second?.tensors ?? [])];

/** A pass of the source with the decoder's over a target, and the target's rows; it goes where there can be none.
 * @param {Core & {two?: Two}} core @param {Held} held @param {Target} target
 * @param {(text: string, rows: ReturnType<Two['rows']>) => import('./worker.js').Token[]} read the tokens of a text
 * @returns {Held} */
export function decoded({two, tokenText}, held, target, read) {
    const before = performance.now();
    try {
        if (!two)
            throw new Refusal(
                'state: this model has one stack: there is no decoder that looks at an encoder, and no target',
            );
        if ('write' in target) two.write(held.native, target.write);
        else if ('ids' in target) two.useTarget(target.ids);
        else two.target(target.text);
        const second = two.decode(held.native, [...held.keep]);
        const all = two.rows();
        const rows = read('text' in target ? target.text : '', all).map((token, i) => ({
            ...token,
            read: {id: all[i].read, piece: tokenText(all[i].read)},
        }));
        const milliseconds = held.facts.milliseconds + performance.now() - before;
        return {...held, second, facts: {...held.facts, milliseconds, target: rows}};
    } catch (error) {
        held.native.release();
        throw error;
    }
}

/** What is asked of the decoder as if it were the model: its tokens are the target's rows. @param {Held} held
 * @template Asked @param {import('./passes.js').Want} want @param {Asked} asked @param {import('./worker.js').Model} model
 * @returns {[Held, null, import('./passes.js').Want, Asked, import('./worker.js').Model]} */
export function asDecoder({second: native, facts, ...held}, {stack, ...want}, asked, model) {
    const {second} = model;
    if (!native || !facts.target || !second)
        throw new Refusal('state: this pass has no target, so there is no decoder to read');
    const at = want.predictions === 'masks' && {predictions: /** @type {const} */ ('all')};
    return [
        {...held, native, facts: {...facts, tokens: facts.target, layers: second.layers}},
        null,
        {...want, ...at},
        asked,
        {...model, ...second},
    ];
}
