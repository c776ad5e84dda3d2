/* pictures - pictures of golden models, which never change: a model of tests/golden in Node with
 * the real wasm, and the data of a view for a state. And the list of what they have drawn,
 * snapshots/pictures.txt: small pictures are there as they are (snapshots/pictures/), of large ones
 * the size, a hash and how many marks of each kind they have, so that a change of drawing shows in
 * review. UPDATE_SNAPSHOTS=1 writes all anew; look at the change.
 */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {renderToString} from 'preact-render-to-string';
import {defaults, update} from '../../../web/state/state.js';
import {parseError} from '../../../web/base/errors.js';
import {answer, createOperations} from '../../../web/worker/worker.js';
import {inputOf} from '../../../web/session/compute.js';
import {answerEach} from '../../../web/session/deep.js';
import {createInterventions} from '../../../web/session/interventions.js';
import {missingOf} from '../../../web/views/asked.js';
import {allNeeds, fillsOf, needName, wantOf} from '../../../web/views/needs.js';
import {root} from './model.mjs';

const WASM = `${root}build/out/wasm/headlight-full.wasm`; // with everything
export const skip = existsSync(WASM) ? false : `${WASM} is not there; run make wasm-files`;
const KINDS = [
    ['config.json', 'config'],
    ['tokenizer_config.json', 'tokenizerConfig'],
    ['tokenizer.json', 'tokenizer'],
    ['vocab.txt', 'vocab'],
];
const INDEX_FILE = 'model.safetensors.index.json';
const [MODEL, OTHER] = [1, 2]; // handles
const SMALL = 5000; // characters

async function startOperations() {
    const operations = createOperations();
    await operations.start({wasm: readFileSync(WASM), build: 'source'});
    await operations.ready();
    return operations;
}

/** A golden model by its name, or one that comes with the page as models/NAME. @returns what is known of the
 * model */
function loadGolden(operations, name, model, {randomLayers = false, texts = {}} = {}) {
    const shipped = name.startsWith('models/');
    const folder = shipped ? `${root}${name}/` : `${root}tests/golden/models/${name}/`;
    const text = (file, kind) =>
        existsSync(folder + file)
            ? operations.loadText({model, kind, bytes: readFileSync(folder + file)})
            : [];
    for (const [file, kind] of KINDS) text(file, kind);
    for (const [kind, bytes] of Object.entries(texts)) operations.loadText({model, kind, bytes});
    const files = text(INDEX_FILE, 'index');
    operations.loadBegin({model, store: shipped ? 'q8' : 'f32'});
    for (const [file, part] of (files.length ? files : ['model.safetensors']).entries()) {
        const weights = readFileSync(folder + part);
        operations.loadFile({model, file, size: weights.length});
        operations.loadBytes({model, bytes: weights});
    }
    return operations.loadEnd({model, randomLayers});
}

/** Questions of many passes as the page asks them, of the worker's operations. */
const askOf = operations =>
    createInterventions({
        call: async (op, args) => {
            const {value, error} = await answer(operations, {id: 0, op, args}, {});
            if (error) throw parseError(error);
            return value;
        },
    });

/** The answer to a question about the text of a state, as the page's engine writes it. @param {string} name */
export async function openAsked(name) {
    const operations = await startOperations();
    const info = loadGolden(operations, name, MODEL);
    const ask = askOf(operations);
    return (question, patch, settings) =>
        ask(MODEL, {question, settings, input: inputOf(update(defaults, patch), info)});
}

/** A golden model, and a function from a view and a patch of the state to {state, data}; texts: files that it has
 * beside its own, by their kind. */
export async function openGolden(name, texts = {}) {
    const operations = await startOperations();
    const model = loadGolden(operations, name, MODEL, {texts});
    let count = 0;
    return async (view, patch) => {
        const state = update(defaults, patch);
        let pass;
        const tensors = new Map();
        const compute = async needs => {
            const say = ({facts, part, answer}) => {
                if (facts) pass ??= facts;
                else tensors.set(needName(needs[part]), answer);
            };
            const [want, input] = [needs.map(wantOf), inputOf(state, model)];
            const text = {model: MODEL, pass: ++count, input, keep: [], want};
            await operations.run(text, {say, look: async () => {}});
        };
        const needs = allNeeds(view, state, model);
        await compute(needs);
        const by = {
            ask: askOf(operations),
            tokenize: async args => operations.tokenize(args),
            compute: async more => (await compute(more), []),
        };
        const found = (name, answer) => tensors.set(name, answer);
        for (let needs; (needs = missingOf(view.deep, state, {model, pass, tensors})).length;)
            await answerEach(by, {model: MODEL, info: model}, state, needs, found);
        return {state, data: {model, pass, tensors, ...fillsOf(needs, tensors)}};
    };
}

/** A golden model, and a function from a view of a study, a corpus as it is written, whether it is
 * compared (with `other`, or the same model with random layers) and a patch of the state to {state, data}: run
 * by the wasm, as the page does. */
export async function openStudies(name, other = '') {
    const operations = await startOperations();
    const model = loadGolden(operations, name, MODEL);
    loadGolden(operations, other || name, OTHER, {randomLayers: !other});
    const run = (options, other, ask = {}) => {
        const {steps} = operations.studyBegin({model: MODEL, options, other});
        operations.studyStep({model: MODEL, first: 0, count: steps});
        return JSON.parse(operations.studyAnswer({model: MODEL, ask}));
    };
    const indexed = (options, question) => {
        const INDEX = 9;
        const count = operations.indexBegin({index: INDEX, model: MODEL, options});
        operations.indexStep({index: INDEX, first: 0, count});
        const file = operations.indexSave({index: INDEX});
        const info = operations.indexOpen({index: INDEX, file});
        const answer = JSON.parse(operations.indexAsk({index: INDEX, question}));
        return {...answer, about: {...info, bytes: file.length}};
    };
    return (view, text, compared, patch, index = false) => {
        const state = update(defaults, patch);
        operations.corpus({model: MODEL, bytes: new TextEncoder().encode(text)});
        const about = run({study: 'about'}, 0);
        const options = {study: view.study, limit: 0, ...view.options?.(state, about)};
        const answer = index
            ? indexed({layers: [0]}, view.ask?.(state))
            : run(options, compared ? OTHER : 0, view.ask?.(state));
        const corpus = {id: '', name: 'small', format: about.format, items: about.items, about};
        const otherName = compared ? other || 'random-layers' : '';
        const data = {answer, model, modelName: name, otherName, corpus};
        return {state, data: {...data, items: about.items}};
    };
}

/** How many marks of each kind. @param {string} text of an SVG */
function marksOf(text) {
    const counts = new Map();
    for (const [, tag] of text.matchAll(/<(path|rect|text|image)\b/g))
        counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts].map(([tag, n]) => `${n} ${tag}`).join(', ');
}

/** A set of pictures: `add` each, then `check` that they are those of the list. */
export function pictureSet(name) {
    const listed = new URL(`../snapshots/${name}.txt`, import.meta.url);
    const folder = new URL(`../snapshots/${name}/`, import.meta.url);
    const lines = [];
    const small = new Map();
    return {
        /** @param {string} title @param {import('preact').VNode} tree @param {string} [ending] of its file */
        add(title, tree, ending = 'svg') {
            const text = `${renderToString(tree).replaceAll('><', '>\n<')}\n`;
            const said = text.replaceAll(/base64,[^"]*/g, '');
            assert.doesNotMatch(said, /NaN|undefined|\[object/, title);
            if (text.length <= SMALL) small.set(`${title}.${ending}`, text);
            const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
            lines.push(`${title}  ${text.length}  ${hash}  ${marksOf(text)}`.trimEnd());
        },
        check() {
            if (process.env.UPDATE_SNAPSHOTS) {
                rmSync(folder, {recursive: true, force: true});
                if (small.size) mkdirSync(folder);
                for (const [file, text] of small) writeFileSync(new URL(file, folder), text);
                writeFileSync(listed, `${lines.join('\n')}\n`);
            }
            const there = existsSync(folder) ? readdirSync(folder) : [];
            const hint = 'if that is meant, run with UPDATE_SNAPSHOTS=1';
            assert.deepEqual(there.sort(), [...small.keys()].sort(), `${name}: ${hint}`);
            for (const [file, text] of small)
                assert.equal(readFileSync(new URL(file, folder), 'utf8'), text, `${file}: ${hint}`);
            assert.deepEqual(
                lines,
                readFileSync(listed, 'utf8').trimEnd().split('\n'),
                `${name}: ${hint}`,
            );
        },
    };
}
