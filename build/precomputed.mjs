/* precomputed - the figure that a visit begins with, computed while the site is built by the same
 * WebAssembly that will compute it in the page: as data for web/ui/precomputed.js, and as two
 * pictures for where scripts do not run.
 */
import {renderToString} from 'preact-render-to-string';
import {encodeFigure} from '../web/core/precomputed.js';
import {defaults} from '../web/core/state.js';
import {page as en} from '../web/text/en/page.js';
import {jsonForScript} from '../web/ui/export/texts.js';
import {headView} from '../web/views/head.js';
import {WASM} from './bundle.mjs';
import {compute, openModel} from './figure.mjs';

const WIDTH = 640;

/** @param {{id: string, url: string, bytes: number}} entry of models/index.json
 * @returns {Promise<{json: string, pictures: {[theme: string]: string}, alt: string}>} json: can
 *     stand in a script element */
export async function makePrecomputed({id, url, bytes}) {
    const opened = await openModel(url, WASM);
    const {model} = opened;
    const {pass, tensors} = await compute(opened, defaults, headView.needs(defaults, model));
    const data = {model, pass, tensors, fills: [], before: null};
    const picture = theme =>
        `${renderToString(headView.svg(defaults, data, {width: WIDTH, theme, focus: null}, en))}\n`;
    return {
        json: jsonForScript(encodeFigure({model, pass, tensors, id, name: id, bytes})),
        pictures: {light: picture('light'), dark: picture('dark')},
        alt: headView.describe(defaults, data, en),
    };
}
