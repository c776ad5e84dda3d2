/* charts - two distributions of the roles view: all p-values of the tests, and the scores of one
 * head in one role with τ, the ceiling and the score of uniform attention marked. Drawn the same in
 * the page and in a saved picture.
 */
import {h} from 'preact';
import {paperOf} from '../../../draw/paper.js';
import {perCent} from '../parts/sheet.js';
import {bins, chart, histogram, plot} from '../parts/plot.js';
import {roleColour} from './look.js';
import {printScore, pValues, scoreBins} from './numbers.js';

/**
 * @import {Role} from './numbers.js'
 * @import {Words} from '../study.js'
 * @import {Look} from '../../../draw/blocks.js'
 */

const BINS = 20;
const WIDEST = 560;
const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
/** 2^exponent in print: 1/4, 1, 16. @param {number} exponent */
const power = exponent => (exponent < 0 ? `1/${2 ** -exponent}` : String(2 ** exponent));

/** All p-values, and what they would be by chance. @param {readonly Role[]} roles @param {Look} look
 * @param {Words} t @returns {{says: string, block: import('../../../draw/blocks.js').Block}} */
export function pChart(roles, {width: room, theme}, t) {
    const {counts, count, low, high} = pValues(roles, BINS);
    const size = {width: Math.min(WIDEST, room), height: 170};
    const says = t.roles.pSays(count, perCent(low), perCent(high));
    const axes = {xName: t.roles.pAxis, yName: t.roles.tests};
    const tree = histogram({counts, from: 0, step: 1 / BINS, ...size, theme, ...axes});
    return {says, block: chart({...size, label: says, tree})};
}

/** The marks of a chart of scores: uniform attention, τ, the ceiling; each with the height of its name.
 * @param {Role} role @param {Words} t */
const marksOf = ({ceiling, even, tau}, t) => [
    ...(even === null
        ? []
        : [
              {
                  value: even,
                  name: even === 1 ? t.roles.even1 : `${t.roles.even1} ${even.toFixed(2)}`,
                  dash: '2 4',
                  y: 12,
              },
          ]),
    {value: tau, name: `τ = ${tau}`, dash: '', y: 26},
    ...(ceiling === null
        ? []
        : [{value: ceiling, name: t.roles.ceiling(ceiling.toFixed(1)), dash: '6 4', y: 40}]),
];

/** A mark as a line with its name. @param {ReturnType<typeof marksOf>[number]} mark
 * @param {number} at @param {boolean} left the name stands to the left @param {number} height
 * @param {string} theme */
function markTree({name, dash, y: top}, at, left, height, theme) {
    const {ink} = paperOf(theme);
    return h(
        'g',
        {key: name},
        h('path', {
            d: `M${round(at)} ${top + 8}V${height - 36}`,
            stroke: ink,
            'stroke-width': 1.5,
            'stroke-dasharray': dash || undefined,
        }),
        h(
            'text',
            {
                x: round(at + (left ? -4 : 4)),
                y: top + 12,
                'text-anchor': left ? 'end' : 'start',
                fill: ink,
            },
            name,
        ),
    );
}

/** Null when the head has no score in the role. @param {Role} role @param {number} head
 * @param {Look} look @param {Words} t */
export function scoreChart(role, head, {width: room, theme}, t) {
    const marks = marksOf(role, t);
    const values = marks.map(({value}) => value);
    const found = role.n[head] ? scoreBins(role.histogram[head], values) : null;
    if (!found) return null;
    const {from, to, counts} = found;
    const [width, height] = [Math.min(WIDEST, room), 220];
    const tree = plot(
        {
            ...{width, height, theme},
            x: [from, to],
            y: [0, Math.max(...counts) * 1.35],
            xName: t.roles.scoreAxis,
            yName: t.roles.texts,
            xTicks: Array.from({length: to - from + 1}, (_, i) => from + i),
            tickName: power,
        },
        (x, y) => [
            bins({counts, from, step: 1 / 4, fill: roleColour(role.role, theme)}, x, y),
            marks
                .filter(({value}) => value > 0)
                .map(mark => {
                    const at = x(Math.min(to, Math.max(from, Math.log2(mark.value))));
                    return markTree(mark, at, at > width * 0.6, height, theme);
                }),
        ],
    );
    const said = t.roles.scoresSay(
        t.roles.names[role.role],
        printScore(role.mean[head]),
        role.n[head],
    );
    return chart({width, height, label: said, tree});
}
