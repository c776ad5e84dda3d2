/* figure - figures for pages that are made beforehand: a text run through a model of this
 * repository, here in Node, and handed out by the same functions as the Share dialog of the page
 * uses. Not for the page itself.
 */
import {readFile} from 'node:fs/promises';
import {renderToString} from 'preact-render-to-string';
import {encodeFigure} from '../web/files/precomputed_write.js';
import {defaults, update} from '../web/state/state.js';
import {createOperations} from '../web/worker/worker.js';
import {inputOf} from '../web/session/compute.js';
import {fileName} from '../web/save/texts.js';
import {FALLBACK} from '../web/save/snippets.js';
import {AROUND} from '../web/files/tokenizer_files.js';
import {selection} from '../web/views/head/scene.js';
import {loadView} from '../web/views/index.js';
import {needName, wantOf} from '../web/views/needs.js';

const KINDS = [
    ['config.json', 'config'],
    ['tokenizer_config.json', 'tokenizerConfig'],
    ['tokenizer.json', 'tokenizer'],
    ...Object.entries(AROUND),
    ['vocab.txt', 'vocab'],
    ['model.safetensors.index.json', 'index'],
];
export const MODEL = 1; // its handle

/** @param {string} folder in Hugging Face layout
 * @param {string} wasmFile */
export async function openModel(folder, wasmFile) {
    const operations = createOperations();
    const wasm = await readFile(wasmFile);
    await operations.start({wasm, build: 'source'});
    await operations.ready();
    let shards = ['model.safetensors'];
    for (const [name, kind] of KINDS) {
        const bytes = await readFile(`${folder}/${name}`).catch(() => null);
        const named = bytes && operations.loadText({model: MODEL, kind, bytes});
        if (kind === 'index' && named) shards = named;
    }
    operations.loadBegin({model: MODEL, store: 'q8'});
    for (const [file, name] of shards.entries()) {
        const bytes = await readFile(`${folder}/${name}`);
        operations.loadFile({model: MODEL, file, size: bytes.length});
        operations.loadBytes({model: MODEL, bytes});
    }
    return {operations, model: operations.loadEnd({model: MODEL})};
}

/** The pass of a state's text, and what a view needs of it.
 * @param {Awaited<ReturnType<typeof openModel>>} opened @param {object} state
 * @param {object[]} needs */
export async function compute({operations, model}, state, needs) {
    let pass;
    const answers = [];
    const say = ({facts, part, answer}) => {
        if (facts) pass = facts;
        else answers[part] = answer;
    };
    await operations.run(
        {model: MODEL, pass: 1, input: inputOf(state, model), keep: [], want: needs.map(wantOf)},
        {say, look: async () => {}},
    );
    return {pass, tensors: new Map(needs.map((need, i) => [needName(need), answers[i]]))};
}

/** A figure as what web/save/snippets.js takes.
 * @param {Awaited<ReturnType<typeof openModel>>} opened
 * @param {object} patch of the default state
 * @param {{t: object, base: string, name: string, bytes: number}} about   name: the id of the model
 */
export async function figureOf(opened, patch, {t, base, name, bytes}) {
    const {model} = opened;
    const state = update(defaults, {model: name, ...patch});
    const view = await loadView(state.view);
    const {pass, tensors} = await compute(opened, state, [
        ...view.needs(state, model),
        ...(view.later?.(state, model) ?? []),
    ]);
    const data = {model, pass, tensors, fills: [], before: null};
    const isHead = view.id === 'head';
    const {rows, cols} = isHead ? selection(state, data) : {rows: [0, 0], cols: [0, 0]};
    const theme = state.theme === 'dark' ? 'dark' : 'light';
    return {
        base,
        state,
        lang: t.code,
        title: `${t.viewTitles[view.id]} · ${name}`,
        file: `${fileName(view, state, model.layers)}.svg`,
        svg: renderToString(view.svg(state, data, {width: FALLBACK, theme, focus: null}, t)),
        rows: Math.max(rows[1] - rows[0], cols[1] - cols[0]),
        figure: isHead ? encodeFigure({model, pass, tensors, id: name, name, bytes}) : null,
    };
}
