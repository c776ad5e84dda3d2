/* rows - the head view as numbers: a row a query for its table and saved files, and one sentence.
 */
import {decimal, decimalCell, percent} from '../../draw/scale.js';
import {strongest, summary, tableRows} from './numbers.js';

/**
 * @typedef {import('./scene.js').WholeScene & {isMoved?: boolean}} Scene
 * @import {Cell, Texts} from '../view.js'
 */

const KEYS = 3;

/** The columns after the strongest keys: what each head gives the token as a key, and the words
 * expected there.
 * @param {Scene} scene @param {Texts} t */
function moreColumns(scene, t) {
    const {key} = summary(scene);
    const isKey = (/** @type {number} */ row) => row >= scene.cols[0] && row < scene.cols[1];
    const words = new Map(scene.fills.map(fill => [fill.index, fill.words]));
    return {
        columns: [
            ...scene.heads.map(head =>
                scene.mix === 'heads' ? t.head.received(scene.count(head)) : t.head.receivedMean,
            ),
            ...(words.size ? [t.head.expectedColumn] : []),
        ],
        cells: (/** @type {number} */ row) => {
            /** @type {Cell[]} */
            const cells = scene.heads.map(head => (isKey(row) ? decimalCell(key(head, row)) : ''));
            const expected = words
                .get(scene.tokens[row].index)
                ?.map(word => `${word.piece} ${percent(word.probability)}`);
            return words.size ? [...cells, {text: expected?.join(', ') ?? '', user: true}] : cells;
        },
    };
}

/** @param {Scene} scene @param {Texts} t @returns {import('../view.js').Table} */
export function rows(scene, t) {
    /** @returns {Cell} */
    const piece = (/** @type {number} */ index) => ({text: scene.tokens[index].piece, user: true});
    const weight = scene.isMoved ? t.moved : t.weight;
    const columns = [t.position, t.query];
    for (let k = 1; k <= KEYS; k++) columns.push(t.head.nthKey(k), weight);
    const perHead = scene.mix === 'heads';
    if (perHead) columns.push(t.head.sharpest, t.key, weight);
    const more = moreColumns(scene, t);
    return {
        caption: t.head.tableCaption(scene.name(t), perHead),
        columns: [...columns, ...more.columns],
        rows: tableRows(scene, KEYS).map(({query, keys, best}) => [
            scene.tokens[query].index,
            piece(query),
            ...keys.flatMap(({index, mean}) => [piece(index), decimalCell(mean)]),
            ...Array(2 * (KEYS - keys.length)).fill(''),
            ...(!perHead
                ? []
                : best
                  ? [scene.count(best.head), piece(best.index), decimalCell(best.weight)]
                  : ['', '', '']),
            ...more.cells(query),
        ]),
    };
}

/** What is shown, and the strongest single link. @param {Scene} scene @param {Texts} t */
export function say(scene, t) {
    const {head, query, key, weight} = strongest(scene);
    if (weight < 0) return t.head.nothing;
    const piece = (/** @type {number} */ index) => scene.tokens[index].piece;
    return t.head.describe({
        name: scene.name(t),
        tokens: scene.tokens.length,
        best: {
            head: scene.mix === 'heads' ? scene.count(head) : null,
            query: piece(query),
            key: piece(key),
            weight: decimal(weight),
        },
    });
}
