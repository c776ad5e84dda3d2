/* legend - one line above the thumbnails: which way they are to be read, and what their tint says,
 * with numbers.
 */
import {h} from 'preact';
import {inPrint} from './numbers.js';

/** Which tokens are not shown, in words. @param {import('./scene.js').Grid} grid
 * @param {import('../view.js').Texts} t */
export const leftOut = ({gridSpecials, gridFirst}, t) => [
    ...(gridSpecials ? [] : [t.head.specialsNote]),
    ...(gridFirst ? [] : [t.head.firstNote]),
];

/** @param {{scene: import('./scene.js').Scene, data: {t: import('../view.js').Texts}}} props */
export function Legend({scene: {grid}, data: {t}}) {
    const {measure, picture} = grid;
    const words = t.modelView;
    return h(
        'div',
        {class: 'model-legend in-line'},
        h(
            'p',
            null,
            [
                picture === 'lines' ? words.readLines : words.readHeatmaps,
                grid.isMoved && t.moved,
                ...leftOut(grid, t),
            ]
                .filter(Boolean)
                .join(' · '),
        ),
        measure &&
            h(
                'p',
                {class: 'tint'},
                h('span', null, words.measures[measure.name] ?? measure.name),
                h('span', {class: 'number'}, inPrint(measure.low)),
                h('i', {'aria-hidden': true}),
                h(
                    'span',
                    {class: 'number'},
                    inPrint(measure.high),
                    measure.name.startsWith('entropy') && ` ${words.nats}`,
                ),
            ),
    );
}
