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
import {attentionNeed} from '../web/views/needs.js';
import {WASM} from './bundle.mjs';
import {compute, openModel} from './figure.mjs';
import {beginOf, picturesOf} from './first.mjs';

const en = await allWords('en');

const WIDTH = 640;
/** What a tag without a figure is drawn from at once (web/element/unasked.js): the text of README and of the first page. */
const GIVEN = ['I went to the store.', defaults.text];

/** @param {{id: string, url: string, bytes: number}} entry of models/index.json
 * @returns {Promise<{json: string, pictures: {[theme: string]: string}, entrances: Map<string, string>,
 *     alt: string, begin: object, given: {texts: string[], json: string}[]}>} json: can stand in a script
 *     element; entrances: files of the site; given: all layers of a text, for tags */
export async function makePrecomputed({id, url, bytes}) {
    const opened = await openModel(url, WASM);
    const {model} = opened;
    const begin = await beginOf(opened);
    const state = update(defaults, begin);
    const {pass, tensors} = await compute(opened, state, headView.needs(state, model));
    const data = {model, pass, tensors, fills: [], before: null};
    const picture = theme =>
        `${renderToString(headView.svg(state, data, {width: WIDTH, theme, focus: null}, en))}\n`;
    const jsonOf = data => jsonForScript(encodeFigure({...data, model, id, name: id, bytes}));
    const layers = Array.from({length: model.layers}, (_, layer) => attentionNeed(layer));
    const given = [];
    for (const text of GIVEN) {
        const all = await compute(opened, update(defaults, {text, textB: ''}), layers);
        given.push({texts: all.pass.texts.filter(Boolean), json: jsonOf(all)});
    }
    return {
        json: jsonOf({pass, tensors}),
        pictures: {light: picture('light'), dark: picture('dark')},
        entrances: await picturesOf(opened, begin),
        alt: headView.describe(state, data, en),
        ...{begin, given},
    };
}
