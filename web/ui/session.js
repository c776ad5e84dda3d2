/* session - what the page has computed so far, and the steps that follow a change of state:
 * another model -> load; another text -> run; another layer or view -> copy the tensors it needs.
 * A step that a newer one has overtaken is cancelled. What is on the page stays until its successor is complete,
 * also when a step fails: then `problem` says so. No document here; ui/app.js draws it. */

import {viewOf} from '../views/index.js';

const FILLINGS = 5;
const MOST_MASKS = 8;

/* engine: core/engine.js; store: core/store.js; sourceOf: state.model -> what engine.load takes. */
export function createSession({engine, store, sourceOf}) {
    let shown = {model: null, pass: null, tensors: new Map(), fills: [], progress: null, busy: false, problem: null,
        picked: false};
    let done = {};      /* what the worker holds: {source, text, textB} */
    let files = null;   /* a folder the reader has opened; it holds until another model of the menu is chosen */
    let menuModel = store.get().model;
    let current = new AbortController();
    const listeners = new Set();

    function show(patch) {
        shown = Object.freeze({...shown, ...patch});
        listeners.forEach(listener => listener(shown));
    }

    async function load(source, signal) {
        done = {};
        show({progress: {file: '', done: 0, total: 0}});
        const model = await engine.load(source, {signal, onProgress: progress => !signal.aborted && show({progress})});
        done = {source};
        return model;
    }

    async function fillings(pass, model) {
        const masks = pass.tokens.map((token, index) => ({token, index})).filter(({token}) => token.id === model.special.mask);
        if (!model.mlm || model.special.mask < 0) return [];
        return Promise.all(masks.slice(0, MOST_MASKS).map(async ({index}) =>
            ({index, words: await engine.fill(index, FILLINGS)})));
    }

    async function tensorsFor(state, model, pass) {
        const wanted = viewOf(state.view).needs(state, model).map(({tensor, layer}) => ({tensor, layer, name: `${tensor}.${layer}`}));
        const kept = pass === shown.pass ? shown.tensors : new Map();
        if (kept.size === wanted.length && wanted.every(({name}) => kept.has(name))) return kept;
        const values = await Promise.all(wanted.map(({tensor, layer, name}) => kept.get(name) ?? engine.tensor(tensor, layer)));
        return new Map(wanted.map(({name}, i) => [name, values[i]]));
    }

    async function follow(state, signal) {
        if (menuModel !== state.model) files = null;
        menuModel = state.model;
        const source = files ?? sourceOf(state.model);
        let {model, pass, fills} = shown;
        if (done.source !== source) {
            model = await load(source, signal);
            show({progress: null});
        }
        if (done.text !== state.text || done.textB !== state.textB) {
            show({busy: true});
            const {text, textB} = state;
            pass = await engine.run({text, textB}, {signal});
            fills = await fillings(pass, model);
            done = {source, text, textB};
        }
        const tensors = await tensorsFor(state, model, pass);
        if (!signal.aborted) show({model, pass, fills, tensors, busy: false, problem: null, picked: Boolean(files)});
    }

    async function step() {
        current.abort();
        current = new AbortController();
        const {signal} = current;
        try {
            await follow(store.get(), signal);
        } catch (error) {
            if (signal.aborted || error.name === 'AbortError') return;
            done = {...done, text: undefined};
            if (!done.source) files = null;
            show({progress: null, busy: false, problem: {category: error.category ?? 'engine', message: error.message}});
        }
    }

    return {
        get: () => shown,
        step,
        open(list) {
            files = {files: list};
            return step();
        },
        dismiss: () => show({problem: null}),
        subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
    };
}
