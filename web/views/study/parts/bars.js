/* bars - named numbers as bars on one scale, each with its interval where it has one: as a list in
 * the page and as a picture.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {endAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';
import {namesIn, perCent} from './sheet.js';

/**
 * @import {Tree} from '../study.js'
 * @typedef {{key: string, label: Tree, value: number | null, low?: number, high?: number, tick?:
 *     number, note?: string, base?: boolean, press?: {title: string, asked: string}}} Bar
 *   low, high: the ends of its interval; tick: what it is compared with; base: a baseline, drawn in grey;
 *   press: its label is a button that asks this
 * @typedef {{bars: readonly Bar[], most: number, format: (value: number) => string, none: string}} Given   none:
 *     where there is no number
 */

const ROW = 26;
/** @param {number} value @param {number} most */
const share = (value, most) => Math.min(1, Math.max(0, most > 0 ? value / most : 0));
/** @param {number} value @param {number} most */
const percent = (value, most) => `${100 * share(value, most)}%`;

/** A share with its interval, as a study's answer has it.
 * @param {string} key @param {string} label
 * @param {{accuracy: number | null, low: number, high: number}} of @returns {Bar} */
export const rateBar = (key, label, {accuracy: value, low, high}) => ({
    key,
    label,
    value,
    low,
    high,
});

/** A baseline's head is one of another model. @param {Pick<Bar, 'label' | 'press' | 'base'>} bar
 * @param {import('../../../draw/blocks.js').Props} props */
const labelIn = ({label, press, base}, {on, state, data: {t}}) =>
    press
        ? buttonOf(
              'plain',
              {title: press.title, onClick: () => on.set({asked: press.asked})},
              label,
          )
        : base || typeof label !== 'string'
          ? label
          : namesIn(t, label, state.oneBased);

/** @param {import('../../../draw/blocks.js').Props & {block: Given}} props */
function Bars({block: {bars, most, format, none}, ...props}) {
    return h(
        'ul',
        {class: 'study-bars'},
        bars.map(({value, low, high, tick, note, ...bar}) =>
            h(
                'li',
                {key: bar.key, class: bar.base ? 'base' : undefined},
                h('span', {class: 'bar-label'}, labelIn(bar, props)),
                h(
                    'span',
                    {class: 'bar-track', 'aria-hidden': true},
                    value !== null && h('i', {style: {width: percent(value, most)}}),
                    low !== undefined &&
                        high !== undefined &&
                        h('b', {
                            style: {
                                left: percent(low, most),
                                width: `${100 * (share(high, most) - share(low, most))}%`,
                            },
                        }),
                    tick !== undefined && h('s', {style: {left: percent(tick, most)}}),
                ),
                h('span', {class: 'number'}, value === null ? none : format(value)),
                h(
                    'span',
                    {class: 'bar-note'},
                    note ??
                        (low !== undefined && high !== undefined
                            ? `${format(low)}–${format(high)}`
                            : ''),
                ),
            ),
        ),
    );
}

/** The number of a bar in a file. @param {Bar} bar @param {Given} given */
function printed({value, low, high, tick, note}, {format}) {
    if (value === null) return '–';
    if (note && tick !== undefined) return `${format(value)}  ${note}`;
    return low === undefined || high === undefined
        ? format(value)
        : `${format(value)} (${format(low)}–${format(high)})`;
}

/** In a file. @param {any} block @param {import('../../../draw/blocks.js').Look} look */
function drawn(block, {width, theme}) {
    const {bars, most} = /** @type {Given} */ (block);
    const {bar, soft, ink} = paperOf(theme);
    const name = Math.min(220, width * 0.35);
    const full = width - name - 180;
    const tree = bars.map((one, i) => {
        const {label, value, low, high, tick, base} = one;
        return h(
            'g',
            {transform: `translate(0 ${i * ROW})`, 'font-size': 13},
            h('text', {x: 0, y: 17}, label),
            value !== null &&
                h('rect', {
                    x: name,
                    y: 7,
                    height: 12,
                    width: Math.round(full * share(value, most) * 10) / 10,
                    fill: base ? soft : bar,
                }),
            low !== undefined &&
                high !== undefined &&
                h('path', {
                    stroke: ink,
                    fill: 'none',
                    d: `M${name + full * share(low, most)} 9v8M${
                        name + full * share(low, most)
                    } 13H${name + full * share(high, most)}m0-4v8`,
                }),
            tick !== undefined &&
                h('path', {
                    stroke: ink,
                    'stroke-width': 2,
                    d: `M${name + full * share(tick, most)} 4v18`,
                }),
            endAt(width, 17, printed(one, block), {fill: soft}),
        );
    });
    return {tree, width, height: bars.length * ROW + 8};
}

const RATES = {Html: Bars, svg: drawn};

/** Shares as bars. @param {readonly Bar[]} list @param {Partial<Given>} [more]
 * @returns {import('../../../draw/blocks.js').Block} */
export const rates = (list, more) => ({
    ...{kind: RATES, bars: list, most: 1, format: perCent, none: '–'},
    ...more,
});
