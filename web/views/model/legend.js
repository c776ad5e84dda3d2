/* legend - one line above the thumbnails: which way they are to be read, and what their tint says,
 * with numbers.
 */
import {h} from 'preact';

/** @param {number} value of a measure */
export const inPrint = value => value.toFixed(2);

/** @param {{scene: import('./scene.js').Scene, picture: string, t: import('../view.js').Texts}}
 *     props */
export function Legend({scene: {measure}, picture, t}) {
    return h(
        'div',
        {class: 'model-legend'},
        h('p', null, picture === 'lines' ? t.modelView.readLines : t.modelView.readHeatmaps),
        measure &&
            h(
                'p',
                {class: 'tint'},
                h('span', null, t.modelView.measures[measure.name] ?? measure.name),
                h('span', {class: 'number'}, inPrint(measure.low)),
                h('i', {'aria-hidden': true}),
                h(
                    'span',
                    {class: 'number'},
                    inPrint(measure.high),
                    measure.name.startsWith('entropy') && ` ${t.modelView.nats}`,
                ),
            ),
    );
}
