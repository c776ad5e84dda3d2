/* map - the signed difference of one head as blocks: tokens on both sides, query down, key to the
 * right, and the numbers of the cell pointed at; at first it is the cell that has changed most. A
 * drawing of its own, too: two models side by side have one between them (compare/beside.js).
 */
import {h} from 'preact';
import {group, page} from '../../draw/blocks.js';
import {ends} from '../../draw/blocks/ends.js';
import {heat} from '../../draw/blocks/heat.js';
import {note, title} from '../../draw/blocks/prose.js';
import {decimal} from '../../draw/scale.js';
import {signClass, signed, signedColour, signedInk} from '../../draw/marks/signed.js';
import {differenceScene} from './scene.js';

/**
 * @typedef {import('./scene.js').Difference} Scene
 * @typedef {import('../view.js').Texts} Texts
 */

/** The numbers of the cell.
 * @param {{scene: Scene, over: {row: number, col: number}, data: {t: Texts}}} props */
function Readout({scene: {map, names}, over: {row, col}, data: {t}}) {
    const at = row * map.T + col;
    const difference = map.difference[at];
    const name = (/** @type {string} */ side, /** @type {number} */ index) => [
        h('bdi', {class: side}, names[index]),
        h('small', null, ` ${index}`),
    ];
    return h(
        'p',
        {class: 'shift-readout', 'aria-live': 'polite'},
        name('query', row),
        ` ${t.change.to} `,
        name('key', col),
        ': ',
        h('span', {class: 'number'}, `${decimal(map.before[at])} → ${decimal(map.after[at])}`),
        ' ',
        h('strong', {class: signClass(difference)}, signed(difference)),
    );
}

/** @param {Scene} scene @param {import('../view.js').Drawn} look @param {Texts} t */
export function differenceBlocks({chosen, map, names, isOff, of}, {theme}, t) {
    const name = of(chosen, t.change.mapTitle);
    return [
        group(
            inside => h('section', {class: 'change-map across', 'aria-label': name}, inside),
            [
                title(name, isOff && t.change.isOff),
                page(Readout, {id: 'readout'}),
                heat({
                    ...{id: 'cells', rows: names, cols: names, visible: null, of: map},
                    valueAt: (row, col) => map.difference[row * map.T + col],
                    inkOf: value => signedInk(value, map.most),
                    colourOf: value => signedColour(value, theme),
                    name,
                    hint: t.change.mapKeys,
                    axes: {down: t.query, across: t.key},
                    every: t.heatmap.every,
                }),
                map.most > 0 && ends({label: t.change.mapScale, most: map.most.toFixed(3)}),
                note(map.most > 0 ? t.change.mapHint(map.most.toFixed(3)) : t.change.mapSame),
            ],
        ),
    ];
}

/** The cell pointed at in this map; at first the one that has changed most. @param {Scene} scene
 * @param {Pick<import('../../draw/blocks.js').Pointed, 'point'>} pointed */
export function differenceOver({map}, {point}) {
    const cell =
        point?.of === map
            ? {row: point.row, col: point.col}
            : {row: Math.floor(map.at / map.T), col: map.at % map.T};
    return {cells: cell, readout: cell};
}

/** @type {import('../../draw/blocks.js').Drawing} */
export const differenceDrawing = {
    id: 'difference',
    scene: differenceScene,
    blocks: differenceBlocks,
    over: differenceOver,
};
