/* judged - the verdict of a study: better than random layers, no better than these or
 * than a rule, or not compared with random layers (src/study/chance.h). Every study that judges has
 * these members in its answer, and these words.
 */
import {signed} from '../../../draw/chart.js';
import {perCent} from './sheet.js';

/**
 * @import {Words} from '../study.js'
 * @typedef {{draws: number, best: number, accuracy: number, difference: number, low: number | null,
 *     high: number | null}} RandomLayers   best: the draw that is right most often; difference: to
 *     it, with its interval of 95 %
 * @typedef {{above_rule: boolean, better: boolean | null, verdict: string,
 *     random_layers: RandomLayers | null}} Judged   better: null where it is open
 */

/** @param {Judged} judged @param {Words} t */
export const verdictOf = ({verdict}, {judged: t}) => t.verdicts[verdict];

const inPoints = (/** @type {number} */ x) => signed(100 * x, 1);

/** What was found, the verdict, and what random layers reach.
 * @param {string} found @param {Judged} judged @param {Words} t
 * @param {(value: number) => string} [format] of what is judged @param {(value: number) => string} [difference] */
export function judgedSays(found, judged, t, format = perCent, difference = inPoints) {
    const {random_layers: random} = judged;
    const points = (/** @type {number | null} */ x) => (x === null ? '–' : difference(x));
    return t.judged.says(
        found,
        verdictOf(judged, t),
        random && {
            draws: random.draws,
            accuracy: format(random.accuracy),
            difference:
                difference === inPoints
                    ? t.judged.points(points(random.difference))
                    : points(random.difference),
            low: points(random.low),
            high: points(random.high),
        },
    );
}
