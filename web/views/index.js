/* index - the list of views. The head view comes with the page; the others are fetched when first
 * shown, so that the page stays small. To add one: docs/adding.md.
 */
import {missingPart} from '../base/missing.js';
import {headView} from './head/view.js';

/** @import {View} from './view.js' */

/** Three groups, as shell/frame.css has them: to look, to explain, to compare. begins: it may begin somewhere of its own
 * (View.begin); beside: a second figure may be of another head, token or view; oneHead: it shows one;
 * places: it asks about two places of the text; map: it shows weights, which can be subtracted; file: what is enough for it of
 * attention from a file: weights, the vectors with them, or weights of one text; load: of all but the first.
 * @typedef {{begins?: boolean, beside?: boolean, oneHead?: boolean, places?: boolean, map?: boolean}} Traits
 * @type {(Traits & {id: string, file?: 'weights' | 'vectors' | 'one text', load?: () => Promise<View>})[]} */
export const views = [
    {id: 'head', beside: true, map: true, file: 'weights'},
    {
        id: 'heatmap',
        ...{beside: true, oneHead: true, map: true, file: 'weights'},
        load: () => import('./heatmap/view.js').then(m => m.heatmapView),
    },
    {id: 'model', file: 'weights', load: () => import('./model/view.js').then(m => m.modelView)},
    {
        id: 'neuron',
        ...{begins: true, beside: true, oneHead: true, file: 'vectors'},
        load: () => import('./neuron/view.js').then(module => module.neuronView),
    },
    {
        id: 'steps',
        ...{begins: true, oneHead: true},
        load: () => import('./steps/view.js').then(module => module.stepsView),
    },
    {
        id: 'find',
        ...{begins: true, oneHead: true, places: true, file: 'one text'},
        load: () => import('./find/view.js').then(m => m.findView),
    },
    {
        id: 'why',
        ...{begins: true, places: true},
        load: () => import('./why/view.js').then(m => m.whyView),
    },
    {id: 'decides', load: () => import('./decides/view.js').then(m => m.decidesView)},
    {id: 'next', begins: true, load: () => import('./next/view.js').then(m => m.nextView)},
    {id: 'change', begins: true, load: () => import('./change/view.js').then(m => m.changeView)},
];

/** @type {Map<string, View>} */
const loaded = new Map([['head', headView]]);

/** What its row says of a view. @param {string} id @param {keyof Traits} trait */
export const viewHas = (id, trait) => views.some(view => view.id === id && view[trait] === true);

/** The id of a view that there is. @param {string} id */
export const knownView = id => (views.some(view => view.id === id) ? id : 'head');

/** @param {Error} error @returns {never} */
const fail = error => {
    throw new Error(missingPart(error));
};

/** @param {string} id @returns {Promise<View>} */
export async function loadView(id) {
    const entry = views.find(view => view.id === knownView(id)) ?? views[0];
    const view = loaded.get(entry.id) ?? (await entry.load?.().catch(fail)) ?? headView;
    loaded.set(entry.id, view);
    return view;
}

/** The view if it has been fetched. @param {string} id */
export const loadedView = id => loaded.get(knownView(id)) ?? null;
