/* head - the head view, after BertViz: queries on the left, keys on the right, a line for each
 * weight. Colour is the head, opacity and width are the weight. A chosen token shows its own lines
 * only, and bands behind the tokens opposite. After exBERT: tokens pinned, summed and masked,
 * averages instead of heads, the strongest part of the attention. Pure: focus and width come in
 * with data, the canvas with `on`.
 */
import {h} from 'preact';
import {LINES} from '../../draw/marks/arcs.js';
import {drawnView} from '../../draw/view.js';
import {headDrawing} from './drawing.js';
import {expectedScene} from './expected.js';
import {mixNeed, mixOf} from './mix.js';
import {Options} from './options.js';
import {rows, say} from './rows.js';
import {lazy} from '../parts/lazy.js';
import {clampLayer} from '../parts/select.js';
import {weightsBeside} from '../parts/show.js';

const HeadPanel = lazy(() => import('./later.js').then(module => module.HeadPanel));

/** The line under the pointer and Play, on the page. */
const PROBE = {Html: lazy(() => import('./later.js').then(module => module.OverLines))};

/** Lines on their way to another layer, head or text. */
const MOTION = {Html: lazy(() => import('./later.js').then(module => module.Motion))};

/** With what the page adds to the picture that <head-light> has, too.
 * @type {typeof headDrawing.blocks} */
const blocks = (scene, look, t) =>
    headDrawing.blocks(scene, look, t).map(block => {
        const lines = block.marks?.find((/** @type {any} */ {kind}) => kind === LINES);
        return lines && !look.file
            ? {...block, marks: [...block.marks, {kind: MOTION, lines}, {kind: PROBE, lines}]}
            : block;
    });

/** @type {import('../view.js').Described} */
const view = {
    ...headDrawing,
    scene: expectedScene,
    blocks,
    rows,
    say,
    controls: ['layer', 'heads', 'filter', 'show'],
    edits: () => true,
    idle: ({mix}) => [
        ...(mixOf(mix).usesLayer ? [] : ['layer']),
        ...(mixOf(mix).usesHeads ? [] : ['heads']),
    ],
    needs: (state, model) => [mixNeed(state, clampLayer(state.layer, model))],
    later: weightsBeside,
    fillsAll: state => state.fillings,
    options(state, data, {set}, t) {
        HeadPanel.begin(); // the first picture is there
        return h(Options, {state, data, set, t});
    },
    pictured: t => t.head.pictured,
    howTo: t => t.head.howTo,
    cells: t => t.head.howTo[2],
    panel: (state, data, t, on) => h(HeadPanel, {state, data, t, on}),
};

export const headView = drawnView(view);
