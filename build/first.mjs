/* first - the figure that a visit begins with, computed while the site is built by the same WebAssembly that will compute it in
 * the page: as data for web/ui/first.js, and as two pictures for where scripts do not run.
 */
import {readFile} from 'node:fs/promises';
import {renderToString} from 'preact-render-to-string';
import {encodeFigure} from '../web/core/precomputed.js';
import {defaults} from '../web/core/state.js';
import {createOperations} from '../web/core/worker.js';
import {en} from '../web/text/en.js';
import {jsonForScript} from '../web/ui/export/texts.js';
import {headView} from '../web/views/head.js';
import {needName} from '../web/views/needs.js';

const WASM = 'build/out/wasm/headlight.wasm';
const WIDTH = 640;
const TEXTS = {'config.json': 'config', 'tokenizer_config.json': 'tokenizerConfig', 'vocab.txt': 'vocab'};

/** @param {ReturnType<typeof createOperations>} operations @param {string} folder */
async function load(operations, folder) {
    await operations.start({wasmUrl: await readFile(WASM)});
    for (const [file, kind] of Object.entries(TEXTS)) operations.loadText({kind, bytes: await readFile(`${folder}/${file}`)});
    operations.loadBegin({store: 'q8'});
    const bytes = await readFile(`${folder}/model.safetensors`);
    operations.loadFile({file: 0, size: bytes.length});
    operations.loadBytes({bytes});
    return operations.loadEnd({});
}

/** @param {{id: string, url: string, bytes: number}} entry of models/index.json
 * @returns {Promise<{json: string, pictures: {[theme: string]: string}, alt: string}>} json: can stand in a script element */
export async function makeFirst({id, url, bytes}) {
    const operations = createOperations();
    const model = await load(operations, url);
    const {text, textB} = defaults;
    const pass = operations.run({run: 1, text, textB, drop: [], changes: [], words: []});
    const tensors = new Map(headView.needs(defaults, model).map(need =>
        [needName(need), operations.tensor({run: 1, name: need.tensor, layer: need.layer})]));
    const data = {model, pass, tensors, fills: [], before: null};
    const picture = theme => `${renderToString(headView.svg(defaults, data, {width: WIDTH, theme, focus: null}, en))}\n`;
    return {
        json: jsonForScript(encodeFigure({model, pass, tensors, name: id, bytes})),
        pictures: {light: picture('light'), dark: picture('dark')},
        alt: headView.describe(defaults, data, en),
    };
}
