/* two - a model of two stacks (T5, mT5, BART, Marian) as the source of what is shown: the source is text A, the target text B, or what the model
 * writes where there is none. Its attention has three kinds, as that of a file may have, and is shown as such (imported.js); the
 * numbers come from the engine.
 */
import {saidOf} from '../engine/target.js';
import {askedPrecision} from '../views/needs.js';
import {importedOf} from './imported.js';

/**
 * @import {Fill} from '../worker/passes.js'
 * @import {Part} from '../files/imported.js'
 * @import {Row} from '../worker/two.js'
 * @typedef {{pass: number, picked: boolean, texts: string[], written: boolean, rows: Row[], said: Fill[]}} Written   pass: of the engine; picked: the model is
 *     a folder of the reader's; written: by the model; rows: of the target; said: what each
 *     predicts, with its probability
 */

export const MOST = 32; // tokens that the model writes

/** @param {Part} part @param {number} layer @returns {import('../worker/passes.js').Want} */
const wantOf = (part, layer) => ({
    tensor: part === 'cross' ? 'cross_attention' : 'attention',
    layer,
    ...(part !== 'encoder' && {stack: 'decoder'}),
});

/** @param {number} layers @param {number} heads @param {string[]} queries @param {string[]} keys
 * @returns {import('../files/imported.js').Content} */
const contentOf = (layers, heads, queries, keys) => ({
    layers: Array.from({length: layers}, (_, layer) => ({
        ...{name: String(layer), dtype: 'F32', begin: 0, end: 0},
        shape: [heads, queries.length, keys.length],
    })),
    heads,
    queries,
    keys,
    sentences: null,
});

/** Runs the texts of a state. @param {import('../base/shared.js').TextEngine} engine @param {import('../engine/engine.js').Loaded} loaded
 * @param {{state: import('../state/state.js').State, picked: boolean, signal: AbortSignal}} asked */
export async function openTwo(engine, {model, info}, {state, picked, signal}) {
    const second = /** @type {import('../worker/worker.js').Second} */ (info.second);
    const written = !state.textB.trim();
    const run = engine.run(
        {
            model,
            input: {
                ...{text: state.text, textB: '', changes: [], words: []},
                precision: askedPrecision(state, info),
                target: written ? {write: MOST} : {text: state.textB},
            },
            keep: ['attention', 'cross_attention'],
            want: [],
        },
        {signal},
    );
    const {tokens, target: rows = []} = await run.facts;
    const source = tokens.map(({piece}) => piece);
    const read = rows.map(row => row.read.piece);
    const said = await saidOf(engine, run.pass, rows, signal);
    const {layers, heads} = second;
    /** @type {Map<Part, import('../files/imported.js').Content>} */
    const parts = new Map([
        ['encoder', contentOf(info.layers, info.heads, source, source)],
        ['decoder', {...contentOf(layers, heads, read, read), mask: 'causal'}],
        ['cross', contentOf(layers, heads, read, source)],
    ]);
    const weights = async (/** @type {Part} */ part, /** @type {number} */ layer) =>
        (await engine.read({pass: run.pass, want: [wantOf(part, layer)]}).answers[0]).data;
    const name = (!picked && state.model) || info.from?.name || info.architecture;
    const file = {name, parts, odd: [], ignored: [], numbered: false, weights};
    const texts = [state.text, state.textB];
    return importedOf(file, engine, {pass: run.pass, picked, texts, written, rows, said});
}
