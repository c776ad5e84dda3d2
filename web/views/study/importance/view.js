/* importance - the heads that a model needs: how much less sure it is of masked (or next) words, or of the labels of the
 * texts, when a head is switched off (src/study/kinds/importance.c).
 */
import {signed} from '../../../draw/chart.js';
import {heldOutStudy} from '../parts/held_out.js';
import {perCent} from '../parts/sheet.js';

const points = (/** @type {number} */ value) => `${signed(100 * value, 2)} %`;
const nats = (/** @type {number} */ value) => signed(value, 3);

export const importanceStudy = heldOutStudy({
    id: 'importance',
    unit: score => {
        const format = score === 'loss' ? nats : points;
        return {format, difference: format};
    },
    scaleOf(values) {
        const high = Math.max(1e-9, ...values.map(value => Math.abs(value ?? 0)));
        return {low: -high, high, signed: true};
    },
    about: ({answer: {target, texts, words, mean_p: p}}, t) =>
        t.heldOut.importance({target, texts, words, p: p === null ? '–' : perCent(p)}),
});
