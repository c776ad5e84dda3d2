/* neuron - the neuron view, after BertViz: for one query in one head, how q and k become a score
 * neuron by neuron, how scores become weights, and what the weighted values become; then from the
 * sums of all heads to what the layer adds to its token. A neuron can be set to zero to see what
 * depends on it.
 */
import {h} from 'preact';
import {group, onPage, page} from '../../draw/blocks.js';
import {CELLS} from '../../draw/blocks/columns/cells.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {rows} from '../../draw/blocks/rows.js';
import {vector} from '../../draw/blocks/vector.js';
import {gridOf} from '../../draw/marks/matrix.js';
import {decimal} from '../../draw/scale.js';
import {drawnView} from '../../draw/view.js';
import {BLOCKS, scoreColumns, scoreTitles, valueColumns} from './columns.js';
import {Changes, Deciding, keeping, Numbers, toggler, Toolbar} from './page.js';
import {neuronRows} from './rows.js';
import {headScene, neuronNeeds, queryScene, shownQuery} from './scene.js';
import {several} from './several.js';
import {beginInstructive} from '../parts/begin_heads.js';

/**
 * @import {Drawn as Look, Texts} from '../view.js'
 * @import {HeadScene as Scene, QueryScene as Shown} from './scene.js'
 */

const [NARROW, TIGHT] = [560, 700]; // px: one block of cells at first; short lines
const SPACE = 24;

/** What becomes of the weighted values, on the page. @param {Scene} scene @param {Shown} shown
 * @param {Texts} t */
const onward = ({head, d, sumScale}, {sum, context, projected, output}, t) =>
    onPage(
        group(
            inside => h('div', {class: 'onward'}, inside),
            [
                vector(t.neuron.sumName, sum, {scale: sumScale}),
                page(() => [
                    h('h2', null, t.neuron.projection),
                    h('p', null, t.neuron.projectionSays(head)),
                ]),
                vector(t.neuron.contextName, context, {part: [head * d, (head + 1) * d]}),
                vector(t.neuron.projectedName, projected),
                vector(t.neuron.outputName, output),
            ],
        ),
    );

/** The sum, in a file. @param {Scene} scene @param {Shown} shown */
const sumRow = ({d, sumScale}, {sum}) =>
    rows(
        [
            {id: 'sum', kind: TOKENS, title: '', tokens: [{piece: 'Σ a × v'}]},
            {id: 'cells', kind: CELLS, title: '', grid: gridOf(sum, 1, d), scale: sumScale},
        ],
        {titles: ['', ''], after: SPACE},
    );

/** From weights to the output. @param {import('./columns.js').Look} look */
const weighted = look =>
    group(
        inside =>
            h(
                'details',
                {open: true, class: 'then'},
                h('summary', null, look.t.neuron.then),
                inside,
            ),
        [
            rows(valueColumns(look), {
                id: 'values',
                titles: [look.t.key, 'a', 'v', 'a × v', look.t.moved],
                after: SPACE,
            }),
            onward(look.scene, look.shown, look.t),
        ],
    );

/** @param {Scene} scene @param {Look} look @param {Texts} t */
function blocks(scene, {width, theme, at, local, file}, t) {
    const shown = queryScene(scene, at);
    const narrow = !file && width < NARROW;
    const open = local.open ?? (narrow ? ['products', 'weighted'] : Object.keys(BLOCKS));
    const look = {scene, shown, t, open, narrow, tight: !file && width < TIGHT, file, theme};
    const compared = several(look, scene.queries);
    // A link or a lesson that names queries is about them.
    const [above, below] =
        scene.queries.length && !local.compared && !file ? [compared, []] : [[], compared];
    return [
        page(Toolbar, {shown, open}),
        ...above,
        rows(scoreColumns(look), {
            id: 'scores',
            titles: scoreTitles(scene, t),
            after: SPACE,
            onPick(place, touch, props) {
                props.on.local({picked: {row: place.row, col: place.col}});
                if (!touch) toggler(props)(place.col);
            },
        }),
        page(Deciding, {shown}),
        ...below,
        page(Changes, {shown}),
        weighted(look),
        file && sumRow(scene, shown),
        page(Numbers, {id: 'numbers', shown}),
    ];
}

/** The cell pointed at, else the key last chosen (or the winner) and the neuron last chosen (or the
 * first to decide); and the tokens that are chosen.
 * @param {Scene} scene @param {import('../../draw/blocks.js').Pointed} pointed @param {Look} look */
function over(scene, {focus, pinned, cursor, token, point, local}, {at}) {
    const {query, decision} = queryScene(scene, at);
    const first = (/** @type {number[]} */ ...choices) => choices.find(choice => choice >= 0) ?? 0;
    const key = focus?.side === 'key' ? focus.index : -1;
    const cell = {
        row: Math.min(
            first(point?.row ?? -1, key, local.picked.row, decision?.winner ?? 0),
            scene.T - 1,
        ),
        col: Math.min(
            first(point?.col ?? -1, local.picked.col, decision?.order[0] ?? 0),
            scene.d - 1,
        ),
    };
    const held = {
        query: {
            stop: cursor?.side === 'query' ? cursor.index : query,
            pressed: pinned?.side === 'query' ? pinned.index : token,
        },
    };
    return {scores: {cursor: cell, held}, values: {cursor: cell}, numbers: cell};
}

/** @param {Scene} scene @param {Texts} t */
function say(scene, t) {
    const {query, decision, weights} = queryScene(scene, scene.token);
    return t.neuron.describe({
        layer: scene.layer,
        head: scene.head,
        query: scene.tokens[query].piece,
        key: decision ? scene.tokens[decision.winner].piece : '',
        weight: decision ? decimal(weights[decision.winner]) : '',
        neurons: decision ? decision.order.slice(0, decision.half) : [],
        width: scene.d,
        zeroed: scene.zeroed,
    });
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'neuron',
    controls: ['layer', 'head', 'show'],
    wide: true,
    needs: neuronNeeds,
    begin: beginInstructive,
    predicts: true,
    scene: headScene,
    at: shownQuery,
    local: {open: null, picked: {row: -1, col: -1}},
    blocks,
    over,
    frame: keeping,
    sheet: {
        width: 960, // three blocks of cells need it, whatever the width asked for
        title: ({layer, head, tokens}, {at}, t) => t.neuron.svgTitle(layer, head, tokens[at].piece),
    },
    rows: neuronRows,
    say,
    pictured: t => t.neuron.pictured,
    howTo: t => t.neuron.howTo,
};

export const neuronView = drawnView(view);
