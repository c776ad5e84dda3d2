/* change - the view "What changes": mask a token, put another word in its place, or switch heads
 * off, and see what that does to the attention of every head, signed (after minus before), and to
 * the model's predictions.
 */
import {h} from 'preact';
import {group, page} from '../../draw/blocks.js';
import {ends} from '../../draw/blocks/ends.js';
import {flow} from '../../draw/blocks/flow.js';
import {note, title} from '../../draw/blocks/prose.js';
import {decimalCell} from '../../draw/scale.js';
import {signed} from '../../draw/marks/signed.js';
import {drawnView} from '../../draw/view.js';
import {gridPlot} from './grid.js';
import {differenceBlocks, differenceOver} from './map.js';
import {beginChanged, largestChanges, movedAt, THUMB} from './numbers.js';
import {Begun, changedSaid, Editor, Modes, mostSaid, pressWord, Refusals, Summary} from './page.js';
import {outputSaid, Predictions} from './predictions.js';
import {changeScene} from './scene.js';
import {clampLayer} from '../parts/select.js';
import {lookBeside, twoFrame} from '../parts/two.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Cell} Cell
 * @typedef {import('../view.js').Texts} Texts
 */

const LEFT = 320; // px of the column with the text, as in style.css
const KEYS = 3; // of a query, in the table

/** @type {import('../view.js').View['needs']} */
function needs(state, model) {
    const layer = clampLayer(state.layer, model);
    return [
        {tensor: 'attention', layer},
        {measure: 'earlier', args: [layer], compared: true},
        {measure: 'shift', compared: true},
        {measure: 'shifts', args: [THUMB], compared: true},
    ];
}

/** The text, to choose a token from, and what is done with it. @param {Scene} scene
 * @param {Texts} t */
function text({spots}, t) {
    const words = spots.map(spot => ({...spot, className: spot.now === null ? '' : 'changed'}));
    return group(
        inside => h('section', {class: 'change-text', 'aria-label': t.change.text}, inside),
        [
            flow({
                name: t.change.text,
                words,
                isPressed: (index, {token}) => index === token,
                onPick: pressWord,
            }),
            page(Begun),
            page(Editor),
            page(Refusals),
            page(Summary),
            page(Predictions),
        ],
    );
}

/** All heads. @param {Scene} scene @param {import('../view.js').Drawn} look @param {Texts} t */
function heads(scene, look, t) {
    const name = t.change.grid;
    const {most} = scene.shifts;
    const full = most > 0 ? most.toFixed(most < 0.1 ? 3 : 2) : '';
    const picture = gridPlot(scene, look, name);
    const scrolls = {
        ...{class: 'scroll', role: 'group', 'aria-label': name},
        tabIndex: picture.width > look.width ? 0 : undefined,
    };
    return group(
        inside => h('section', {class: 'change-grid', 'aria-label': name}, inside),
        [
            title(name),
            look.file && note(changedSaid(scene, t)),
            note(scene.isChanged || look.file ? t.change.gridHint(full) : t.change.gridEmpty),
            full !== '' && ends({label: t.change.gridScale, most: full, beyond: true}),
            page(Modes),
            group(inside => h('div', scrolls, inside), [picture]),
        ],
    );
}

/** The keys of a query whose weight has changed most. @param {Scene} scene @param {number} query
 * @returns {Cell[]} */
const keysOf = ({map, names}, query) => [
    ...largestChanges(map, query, KEYS).flatMap(
        ({key, before, after, difference}) =>
            /** @type {Cell[]} */ ([
                {text: names[key], user: true},
                decimalCell(before),
                decimalCell(after),
                {value: difference, text: signed(difference)},
            ]),
    ),
    ...Array(4 * Math.max(0, KEYS - names.length)).fill(''),
];

/** A row a query. @param {Scene} scene @param {Texts} t */
function rows(scene, t) {
    const {map, names, chosen, of} = scene;
    const columns = [t.position, t.query, t.change.moved];
    for (let k = 1; k <= KEYS; k++)
        columns.push(t.change.nthKey(k), t.change.before, t.change.after, t.change.difference);
    return {
        caption: of(chosen, t.change.tableCaption),
        columns,
        rows: names.map((name, query) => [
            query,
            {text: name, user: /** @type {const} */ (true)},
            decimalCell(movedAt(map, query)),
            ...keysOf(scene, query),
        ]),
    };
}

/** @param {Scene} scene @param {Texts} t */
function say(scene, t) {
    if (!scene.isChanged) return t.change.nothing;
    const output = outputSaid({...scene.output, t});
    return [changedSaid(scene, t), mostSaid(scene, t), output].filter(Boolean).join(' ');
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'change',
    controls: [],
    predicts: true,
    needs,
    begin: beginChanged,
    scene: changeScene,
    local: {press: 'show'},
    blocks: (scene, look, t) => [
        text(scene, t),
        heads(scene, lookBeside(look, LEFT), t),
        ...(scene.isChanged || look.file ? differenceBlocks(scene, look, t) : []),
    ],
    over: differenceOver,
    frame: twoFrame('change'),
    broad: true,
    sheet: {font: 11, title: (_scene, _look, t) => t.change.grid},
    rows,
    say,
    pictured: t => t.change.pictured,
    howTo: t => t.change.howTo,
};

export const changeView = drawnView(view);
