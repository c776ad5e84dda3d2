/* heads - the numbers of a head over the whole corpus, beside those of all others: its place among them, the
 * heads that look at the same keys, and all heads as points with two of the numbers as axes. A rectangle
 * drawn over the points lists the heads in it. The numbers are those of the question `heads`.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {buttonOf} from '../../../draw/button.js';
import {scaleLinear} from 'd3-scale';
import {group, page} from '../../../draw/blocks.js';
import {signed} from '../../../draw/chart.js';
import {table} from '../../../draw/table.js';
import {pointLegend, points} from '../../../draw/blocks/points.js';
import {lookOfLayer} from '../../../draw/marks/points.js';
import {termsIn} from '../../parts/mark.js';
import {hint, section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {AREA, plot} from '../parts/plot.js';
import {perCent, placeName, pSays} from '../parts/sheet.js';
import {setting} from '../study.js';

/**
 * @import {Scene} from './view.js'
 * @import {Words} from '../study.js'
 * @import {Look} from '../../../draw/blocks.js'
 * @typedef {{layer: number, head: number, beside?: Record<string, number>, [measure: string]: any}} Head
 * @typedef {{x: number, y: number}} Corner
 * @typedef {{from: Corner, to: Corner}} Brush   as shares of each axis
 */

const AMOUNTS = ['weight', 'moved', 'distance', 'entropy', 'importance'];
const SHARES = ['previous', 'next', 'self', 'first', 'added', 'same_word', 'other_sentence'];
const LABELLED = ['governor', 'dependent'];
const NEAR = 5;
const LISTED = 24; // of the heads in a rectangle
const DRAG = 6; // px that are no press any more
const [WIDEST, HEIGHT] = [560, 0.66];
const [ABREAST, GAP, PART] = [900, 48, 0.54]; // px from which on it is beside the numbers, and its part of the room

/** With the entropy of each and its importance, in points of probability, where these studies have been run
 * beside. @param {Head[]} heads @param {import('../study.js').Data} data @returns {Head[]} */
export function withBeside(heads, {beside, model}) {
    const found = [
        ['entropy', beside?.patterns, 'entropy', 1],
        ['importance', beside?.importance, 'probability', 100],
    ].flatMap(([name, of, measure, times]) => {
        const values = of?.mean[of.measures.indexOf(measure)];
        const isWhole = values?.every((/** @type {number | null} */ one) => one !== null);
        return isWhole ? [{name, values, times}] : [];
    });
    return heads.map(one => {
        const at = one.layer * model.heads + one.head;
        const more = found.map(({name, values, times}) => [name, times * values[at]]);
        return {...one, ...Object.fromEntries(more)};
    });
}

/** What is known of all heads; in pairs alone, what is in the other sentence. @param {Scene} scene */
export const measuresOf = ({answer: {heads}, about}) =>
    [...AMOUNTS, ...SHARES, ...LABELLED].filter(
        name => name in heads[0] && (name !== 'other_sentence' || about.pairs),
    );

/** @param {string} name @param {number} value */
export const printed = (name, value) =>
    AMOUNTS.includes(name) ? signed(value, 2) : perCent(value);

/** How many heads have more of it. @param {Head[]} heads @param {string} name @param {Head} own */
export const rankIn = (heads, name, own) => 1 + heads.filter(one => one[name] > own[name]).length;

/** Those that look most often at the same key. @param {Head[]} heads @param {Head} own */
export const nearestTo = (heads, own) =>
    heads
        .filter(one => one !== own)
        .sort((a, b) => b.alike - a.alike || a.layer - b.layer || a.head - b.head)
        .slice(0, NEAR);

/** The head that is asked about. @param {Scene} scene @returns {Head} */
const ownOf = ({answer: {heads}, question: {layer, head}}) =>
    heads.find((/** @type {Head} */ one) => one.layer === layer && one.head === head);

/** @param {{head: Head, on: any, name: string, title?: string}} props */
const ToHead = ({head: {layer, head}, on, name, title}) =>
    buttonOf(
        'plain',
        {title, onClick: () => on.set({asked: `head layer=${layer} head=${head}`})},
        name,
    );

/** @param {Head[]} heads @param {string} name of a measure */
const meanOf = (heads, name) => heads.reduce((sum, one) => sum + one[name], 0) / heads.length;

/** What its keys are more often than those of other heads: the share that is furthest above their mean.
 * @param {Scene} scene */
export function mainShare(scene) {
    const {heads} = scene.answer;
    const own = ownOf(scene);
    const [most] = measuresOf(scene)
        .filter(name => !AMOUNTS.includes(name))
        .map(name => ({name, own: own[name], mean: meanOf(heads, name)}))
        .sort((a, b) => b.own - b.mean - (a.own - a.mean));
    return most;
}

/** @param {import('../../../draw/blocks.js').Props} props */
function Numbers({scene, data: {t}}) {
    const {answer, drawn} = scene;
    const own = ownOf(scene);
    const beside = own.beside ? [t.ask.drawn[drawn] ?? t.ask.other] : [];
    const names = [...t.ask.numberColumns, ...beside];
    const {heads} = answer;
    const cell = (/** @type {string | number} */ text) => h('td', {class: 'number'}, text);
    const columns = names.map((name, i) =>
        h('th', {key: name, scope: 'col', class: i ? 'number' : undefined}, name),
    );
    return table(
        {class: 'ask-numbers', columns},
        measuresOf(scene).map(name =>
            h(
                'tr',
                {key: name, 'data-measure': name},
                h('th', {scope: 'row'}, termsIn(t, t.ask.measures[name])),
                cell(printed(name, own[name])),
                cell(printed(name, meanOf(heads, name))),
                cell(t.ask.rank(rankIn(heads, name, own), heads.length)),
                own.beside && cell(name in own.beside ? printed(name, own.beside[name]) : '–'),
            ),
        ),
    );
}

/** @param {import('../../../draw/blocks.js').Props} props */
function Nearest({scene, data: {t}, on}) {
    const {heads} = scene.answer;
    return h(
        'p',
        {class: 'ask-near'},
        `${t.ask.nearest} `,
        nearestTo(heads, ownOf(scene)).map((one, i) => [
            i > 0 && ' · ',
            h(ToHead, {key: i, head: one, on, name: placeName(one, scene.oneBased)}),
            `\u00a0${perCent(one.alike).replace(' ', '\u00a0')}`,
        ]),
    );
}

/** The roles it has by their tests, where the study of roles has been run beside.
 * @param {import('../../../draw/blocks.js').Props} props */
function Roles({scene, data: {t}}) {
    const {roles, question, model} = scene;
    if (!roles) return null;
    const at = question.layer * model.heads + question.head;
    const own = roles.filter((/** @type {any} */ role) => role.has[at]);
    const said = own.map((/** @type {any} */ {role, mean, q}) =>
        t.ask.hasRole(t.roles.names[role], mean[at].toFixed(1), pSays(q[at])),
    );
    return h(
        'p',
        {class: 'ask-roles'},
        said.length ? t.ask.hasRoles(t.ask.list(said)) : t.ask.noRole,
    );
}

/** How much the model loses without it, how sure that is and of what, where the study of importance has been run
 * beside. @param {import('../../../draw/blocks.js').Props} props */
function Needed({scene, data: {t}}) {
    const {importance: of, question, model, oneBased} = scene;
    const [at, m] = [question.layer * model.heads + question.head, 0];
    const mean = of?.mean[m][at];
    if (!of || mean === null) return null;
    const points = (/** @type {number | null} */ value) =>
        value === null ? '–' : signed(100 * value, 2);
    return h(
        'p',
        {class: 'ask-needed'},
        t.ask.needed({
            name: placeName(question, oneBased),
            ...{lost: points(mean), low: points(of.low[m][at]), high: points(of.high[m][at])},
            ...{has: Boolean(of.has[m][at]), target: of.target, texts: of.texts, words: of.words},
            sure: of.mean_p === null ? '–' : perCent(of.mean_p),
        }),
    );
}

/** The axes, from the settings; x and y are two of the measures, or the layer. @param {Scene} scene */
const axesOf = ({axes, ...scene}) => {
    const known = ['layer', ...measuresOf(/** @type {any} */ (scene)), 'alike'];
    return axes.map((name, i) => (known.includes(name) ? name : AMOUNTS[i]));
};

/** @param {import('../study.js').State} state */
export const chosenAxes = state => [
    setting(state, 'x', AMOUNTS[0]),
    setting(state, 'y', AMOUNTS[1]),
];

/** @param {import('../../../draw/blocks.js').Props} props */
function Axes({scene, state, data: {t}, on}) {
    const options = ['layer', ...measuresOf(scene), 'alike'];
    return h(
        'div',
        {class: 'ask-axes'},
        ['x', 'y'].map((name, i) =>
            h(PickSetting, {
                ...{key: name, id: `ask-${name}`, label: t.ask.axes[i], options},
                names: t.ask.measures,
                ...{state, set: on.set, name, fallback: AMOUNTS[i]},
            }),
        ),
    );
}

/** From 0, or the least where that is below it, to a little more than the most. @param {number[]} values
 * @returns {[number, number]} */
const rangeOf = values => [Math.min(0, ...values), Math.max(...values) * 1.04 || 1];

/** @param {Scene} scene @param {Look} look @param {Words} t */
function frameOf(scene, {width: room, theme}, t) {
    const {heads} = scene.answer;
    const width = Math.min(WIDEST, room < ABREAST ? room : Math.floor((room - GAP) * PART));
    const axes = axesOf(scene);
    const [x, y] = axes.map(name => rangeOf(heads.map((/** @type {Head} */ one) => one[name])));
    const [xName, yName] = axes.map(name => t.ask.measures[name]);
    return {width, height: Math.round(width * HEIGHT), theme, axes, x, y, xName, yName};
}

/** Pixels of an axis' two ends, as plot() places them. @param {{width: number, height: number}} frame */
const edges = ({width, height}) => ({
    left: AREA.left,
    right: width - AREA.right,
    top: AREA.top,
    bottom: height - AREA.bottom,
});

/** @param {{clientX: number, clientY: number}} event @param {Element} element
 * @param {{width: number, height: number}} frame @returns {Corner} */
function cornerOf({clientX, clientY}, element, frame) {
    const box = element.getBoundingClientRect();
    const {left, right, top, bottom} = edges(frame);
    const within = (/** @type {number} */ share) => Math.min(1, Math.max(0, share));
    return {
        x: within((clientX - box.left - left) / (right - left)),
        y: within((bottom - (clientY - box.top)) / (bottom - top)),
    };
}

/** The heads in a rectangle. @param {Head[]} heads @param {ReturnType<typeof frameOf>} frame
 * @param {Brush} brush */
export const brushed = (heads, {axes, x, y}, {from, to}) => {
    const lies = (
        /** @type {number} */ value,
        /** @type {[number, number]} */ range,
        /** @type {number} */ a,
        /** @type {number} */ b,
    ) => {
        const share = (value - range[0]) / (range[1] - range[0]);
        return share >= Math.min(a, b) && share <= Math.max(a, b);
    };
    return heads.filter(
        one => lies(one[axes[0]], x, from.x, to.x) && lies(one[axes[1]], y, from.y, to.y),
    );
};

/** A rectangle that is being drawn: what the pointer does, and where it is. @param {any} props */
function useBrush({block: {frame}, on}) {
    const began = useRef(/** @type {{px: number[], at: Corner} | null} */ (null));
    const [brush, setBrush] = useState(/** @type {Brush | null} */ (null));
    const drawn = useRef(false);
    return {
        brush,
        onPointerDown(/** @type {any} */ event) {
            drawn.current = false;
            if (event.pointerType === 'touch' || event.button) return;
            const at = cornerOf(event, event.currentTarget, frame);
            began.current = {px: [event.clientX, event.clientY], at};
        },
        onPointerMove(/** @type {any} */ event) {
            if (!began.current) return;
            const {px, at} = began.current;
            if (!drawn.current && Math.hypot(event.clientX - px[0], event.clientY - px[1]) < DRAG)
                return;
            drawn.current = true;
            event.currentTarget.setPointerCapture?.(event.pointerId);
            setBrush({from: at, to: cornerOf(event, event.currentTarget, frame)});
        },
        onPointerUp() {
            began.current = null;
            if (drawn.current) on.local({brush});
            setBrush(null);
        },
        // the end of a rectangle is no press
        onClickCapture(/** @type {Event} */ event) {
            if (drawn.current) event.stopPropagation();
        },
    };
}

/** @param {Brush} brush @param {{width: number, height: number}} frame */
function rectangle({from, to}, frame) {
    const {left, right, top, bottom} = edges(frame);
    const [w, tall] = [right - left, bottom - top];
    return h('rect', {
        class: 'brush',
        x: left + w * Math.min(from.x, to.x),
        y: bottom - tall * Math.max(from.y, to.y),
        width: w * Math.abs(to.x - from.x),
        height: tall * Math.abs(to.y - from.y),
    });
}

/** @param {any} props */
function Scatter(props) {
    const {frame, given, held} = props.block;
    const {brush, ...events} = useBrush(props);
    const {width, height} = frame;
    const inner = points(given);
    return h(
        'div',
        {class: 'head-scatter point-map', style: {width: `${width}px`}, ...events},
        h(
            'svg',
            {width, height, 'aria-hidden': true},
            plot(frame, () => null),
            (brush ?? held) && rectangle(brush ?? held, frame),
        ),
        h(/** @type {any} */ (inner.kind.Html), {...props, block: inner}),
    );
}

/** @type {import('../../../draw/blocks.js').Kind} */
const SCATTER = {
    Html: Scatter,
    svg(block, look, over) {
        const inner = points(block.given);
        const {width, height} = block.frame;
        const drawn = /** @type {any} */ (inner.kind.svg)(inner, look, over);
        return {width, height, tree: [plot(block.frame, () => null), drawn.tree]};
    },
};

/** A head's name and where it lies. @param {Scene} scene @param {Head} one @param {Words} t */
function sayPoint(scene, one, t) {
    const first = Number(scene.oneBased);
    const value = (/** @type {string} */ name) =>
        name === 'layer' ? one.layer + first : printed(name, one[name]);
    const numbers = axesOf(scene).map(name => `${t.ask.measures[name]} ${value(name)}`);
    return `${placeName(one, scene.oneBased)}: ${[...new Set(numbers)].join(t.comma)}`;
}

/** @param {Scene} scene @param {Look} look @param {Words} t */
function scatter(scene, look, t) {
    const {answer, oneBased, layers} = scene;
    const frame = frameOf(scene, look, t);
    const {left, right, top, bottom} = edges(frame);
    const x = scaleLinear().domain(frame.x).range([left, right]);
    const y = scaleLinear().domain(frame.y).range([bottom, top]);
    const own = ownOf(scene);
    const [across, up] = frame.axes;
    return {
        ...{kind: SCATTER, id: 'heads', frame, held: look.local.brush},
        given: {
            ...{
                id: 'heads',
                width: frame.width,
                height: frame.height,
                name: t.ask.scatterKeys,
                labels: true,
            },
            chosen: answer.heads.indexOf(own),
            points: answer.heads.map((/** @type {Head} */ one) => ({
                ...{
                    x: x(one[across]),
                    y: y(one[up]),
                    name: sayPoint(scene, one, t),
                    label: placeName(one, oneBased),
                },
                ...lookOfLayer(one.layer, layers, look.theme),
            })),
            onPick(/** @type {number} */ i, /** @type {any} */ {on}) {
                const {layer, head} = answer.heads[i];
                on.set({asked: `head layer=${layer} head=${head}`});
            },
        },
    };
}

/** The head pointed at, or asked about. @param {any} props */
const Said = ({all, scene, data: {t}}) => {
    const {heads} = scene.answer;
    const one = heads[all.heads?.at ?? heads.indexOf(ownOf(scene))];
    return h('p', {class: 'hm-say', 'aria-hidden': true}, sayPoint(scene, one, t));
};

/** The heads in the rectangle. @param {import('../../../draw/blocks.js').Props} props */
function Brushed({scene, look, data: {t}, on}) {
    const {brush} = look.local;
    if (!brush) return null;
    const found = brushed(scene.answer.heads, frameOf(scene, look, t), brush);
    return h(
        'div',
        {class: 'ask-near', role: 'status'},
        `${t.ask.brushed(found.length)} `,
        found
            .slice(0, LISTED)
            .map((one, i) => [
                i > 0 && ' · ',
                h(ToHead, {key: i, head: one, on, name: placeName(one, scene.oneBased)}),
            ]),
        found.length > LISTED && ' …',
        ' ',
        buttonOf('plain', {onClick: () => on.local({brush: null})}, t.ask.unbrush),
    );
}

/** @param {Scene} scene @param {Look} look @param {Words} t */
function layerLegend({layers, oneBased}, {theme}, t) {
    const entries = Array.from({length: layers}, (_, layer) => ({
        ...lookOfLayer(layer, layers, theme),
        name: `${t.map.layer} ${layer + (oneBased ? 1 : 0)}`,
    }));
    return pointLegend(entries, t.map.layer, {across: 6, className: 'point-legend'});
}

/** What the head does in numbers, beside all heads. @param {Scene} scene @param {Look} look @param {Words} t */
export const headBlocks = (scene, look, t) =>
    group(
        inside => h('div', {class: 'abreast ask-head'}, inside),
        [
            section(t.ask.does(placeName(ownOf(scene), scene.oneBased)), [
                page(Numbers),
                page(Roles),
                page(Needed),
                page(Nearest),
                hint(t.ask.measuresHint),
            ]),
            section(
                t.ask.allHeadsTitle,
                [
                    page(Axes),
                    scatter(scene, look, t),
                    page(Said),
                    layerLegend(scene, look, t),
                    page(Brushed),
                    hint(t.ask.scatterHint),
                ],
                {style: {width: `${frameOf(scene, look, t).width}px`}},
            ),
        ],
    );
