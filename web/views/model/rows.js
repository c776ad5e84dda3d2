/* rows - the model view as numbers: a row a head for its table and saved files, and one sentence.
 */
import {decimal} from '../../draw/scale.js';
import {inPrint, linksOf, measuresOf, topHeads} from './numbers.js';

/**
 * @import {Scene} from './scene.js'
 * @import {Texts} from '../view.js'
 */

/** @param {Scene} scene @param {Texts} t @returns {import('../view.js').Table} */
export function rows({grid: {cells, count, isMoved, measure}, tokens, numbers}, t) {
    /** The measure by which the picture is sorted or tinted comes first. @param {(typeof cells)[number]} cell */
    const measuresAt = cell =>
        measuresOf(numbers, cell, t).sort(
            (a, b) => Number(b.name === measure?.name) - Number(a.name === measure?.name),
        );
    const names = measuresAt(cells[0]).map(({name}) => t.modelView.measures[name]);
    /** @returns {import('../view.js').Cell} */
    const piece = (/** @type {number} */ index) => ({text: tokens[index].piece, user: true});
    return {
        caption: isMoved ? t.head.moved(t.modelView.tableCaption) : t.modelView.tableCaption,
        columns: [
            ...[t.layer, t.modelView.head, ...names],
            ...[t.modelView.strongestQuery, t.key, isMoved ? t.moved : t.weight],
        ],
        rows: !numbers.links
            ? []
            : cells.map(cell => {
                  const [link] = linksOf(numbers, cell, 1);
                  return [
                      count(cell.layer),
                      count(cell.head),
                      ...measuresAt(cell).map(({value}) => inPrint(value)),
                      ...(link
                          ? [piece(link.query), piece(link.key), decimal(link.weight)]
                          : ['', '', '']),
                  ];
              }),
    };
}

/** How many heads there are, and which has most of each measure. @param {Scene} scene
 * @param {Texts} t */
export const say = ({grid: {cells, count}, tokens, numbers}, t) =>
    t.modelView.describe({
        heads: cells.length,
        tokens: tokens.length,
        best: topHeads(numbers, cells, t).map(({name, place: {layer, head}, value}) => ({
            name: t.modelView.measures[name],
            layer: count(layer),
            head: count(head),
            value: inPrint(value),
        })),
    });
