/* precomputed - the figure that a visit begins with, computed while the site is built by the same
 * WebAssembly that will compute it in the page: as data for web/app/precomputed.js, and as two
 * pictures for where scripts do not run. It shows the head that answers the first screen's question
 * (first.mjs), which stands in the menu, so that a visit without a link begins with it.
 */
import {renderToString} from 'preact-render-to-string';
import {encodeFigure} from '../web/files/precomputed_write.js';
import {defaults, update} from '../web/state/state.js';
import {allWords} from '../web/words/languages.js';
import {jsonForScript} from '../web/save/texts.js';
import {headView} from '../web/views/head/view.js';
import {WASM} from './bundle.mjs';
import {compute, openModel} from './figure.mjs';
import {beginOf, picturesOf} from './first.mjs';

const en = await allWords('en');

const WIDTH = 640;

/** @param {{id: string, url: string, bytes: number}} entry of models/index.json
 * @returns {Promise<{json: string, pictures: {[theme: string]: string}, entrances: Map<string, string>,
 *     alt: string, begin: object}>} json: can stand in a script element; entrances: files of the site */
export async function makePrecomputed({id, url, bytes}) {
    const opened = await openModel(url, WASM);
    const {model} = opened;
    const begin = await beginOf(opened);
    const state = update(defaults, begin);
    const {pass, tensors} = await compute(opened, state, headView.needs(state, model));
    const data = {model, pass, tensors, fills: [], before: null};
    const picture = theme =>
        `${renderToString(headView.svg(state, data, {width: WIDTH, theme, focus: null}, en))}\n`;
    return {
        json: jsonForScript(encodeFigure({model, pass, tensors, id, name: id, bytes})),
        pictures: {light: picture('light'), dark: picture('dark')},
        entrances: await picturesOf(opened, begin),
        alt: headView.describe(state, data, en),
        begin,
    };
}
