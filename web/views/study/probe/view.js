/* probe - trees of syntax read off all heads together: a classifier trained in the page on one part
 * of the corpus and tested on the other (Clark et al. 2019, section 6), with baselines, the
 * training curve, relations, and the weights of the heads.
 */
import {h} from 'preact';
import {Bars, barsSvg} from '../parts/bars.js';
import {HeadMap, headMapSvg} from '../parts/headmap.js';
import {PickSetting} from '../parts/pick.js';
import {Chart, path, plot} from '../parts/plot.js';
import {perCent, placeName, placeOf, sheet} from '../parts/sheet.js';
import {signed} from '../../../draw/chart.js';
import {headColour} from '../../../draw/colour.js';
import {FileButton} from '../../parts/file_button.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').State} State
 * @typedef {import('../study.js').Words} Words
 * @typedef {{step: number, loss: number | null, [share: string]: number | null}} Point
 */

const SHOWN = 12;
const CHART = {width: 380, height: 220};
const WAYS = /** @type {const} */ (['toGovernor', 'toDependent']);
const DEFAULTS = {kind: 'attention', train: '0.8', epochs: '1', seed: '1', punct: '0'};

/** This probe and what it is compared with, in falling order of what they know. @param {Data} data
 */
function barsOf({answer: {uas}, otherName, t}) {
    const {names} = t.probe;
    return [
        {key: 'probe', label: names.probe, value: uas.probe, low: uas.low, high: uas.high},
        ...(uas.random === null
            ? []
            : [{key: 'random', label: t.probe.on(otherName), value: uas.random, base: true}]),
        {
            key: 'offset',
            label: `${names.best_offset} (${t.parse.offsetName(uas.best_offset.offset)})`,
            value: uas.best_offset.uas,
            base: true,
        },
        {key: 'right', label: names.right_branching, value: uas.right_branching, base: true},
        {key: 'left', label: names.left_branching, value: uas.left_branching, base: true},
    ];
}

/** What it was trained and tested on; loaded weights have no curve. @param {Data} data */
const partsOf = ({answer: {curve, train, test}, t}) =>
    t.probe.parts(curve.length ? train : 0, test);

/** Two curves over the steps of training: the loss, and the share that is right.
 * @param {Point[]} curve @param {string} share
 * @param {{width: number, height: number, theme: string, lossName: string, shareName: string,
 *     stepName: string}} look */
export function curves(curve, share, {width, height, theme, lossName, shareName, stepName}) {
    const last = Math.max(1, ...curve.map(({step}) => step));
    const losses = curve
        .filter(({loss}) => loss !== null)
        .map(({step, loss}) => ({x: step, y: /** @type {number} */ (loss)}));
    const shares = curve
        .filter(point => point[share] !== null)
        .map(point => ({x: point.step, y: /** @type {number} */ (point[share])}));
    const most = Math.max(1e-9, ...losses.map(({y}) => y));
    const one = (
        /** @type {{x: number, y: number}[]} */ points,
        /** @type {number} */ high,
        /** @type {string} */ name,
        /** @type {number} */ colour,
    ) =>
        plot(
            {width, height, theme, x: [0, last], y: [0, high], xName: stepName, yName: name},
            (x, y) =>
                h('path', {
                    d: path(points, x, y),
                    fill: 'none',
                    stroke: headColour(colour, theme),
                    'stroke-width': 1.8,
                }),
        );
    return {loss: one(losses, most, lossName, 2), share: one(shares, 1, shareName, 3)};
}

/** @param {Data} data @param {{width: number, height: number}} size */
const curvesOf = ({answer, theme, t}, size) =>
    curves(answer.curve, 'uas', {
        ...size,
        theme,
        lossName: t.probe.loss,
        shareName: t.probe.curveUas,
        stepName: t.probe.step,
    });

/** @param {Data} data @param {State} state @param {'toGovernor' | 'toDependent'} way */
const mapOf = ({answer, model, theme, t}, {oneBased}, way) => ({
    values: answer.weights[way],
    layers: model.layers,
    heads: model.heads,
    theme,
    oneBased,
    scale: {low: 0, high: Math.max(1e-9, ...answer.weights[way].map(Math.abs)), signed: true},
    name: t.probe[way],
    format: (/** @type {number} */ value) => signed(value),
});

/** Items that show a tree well: those of about nine words.
 * @param {import('../study.js').Item} item */
const example = ({words}) => (words.length ? 1 / (1 + Math.abs(words.length - 9)) : -1);

/** The weights of all heads in one direction. @param {{state: State, data: Data,
 *     on: import('../study.js').On, way: 'toGovernor' | 'toDependent'}} props */
function WeightMap({state, data, on, way}) {
    const {t, model, width} = data;
    const map = mapOf(data, state, way);
    return h(HeadMap, {
        ...map,
        t,
        label: t.probe[way],
        width: Math.min(width, 420),
        say: i =>
            t.probe.say({
                place: placeName(placeOf(i, model.heads), state.oneBased),
                value: map.format(map.values[i]),
            }),
        onPick: i => on.openWhere(example, placeOf(i, model.heads)),
    });
}

/** @param {{state: State, data: Data, on: import('../study.js').On}} props */
function Weights({state, data, on}) {
    const {answer, t} = data;
    return h(
        'section',
        null,
        h('h3', null, t.probe.weights),
        answer.weights &&
            h(
                'div',
                {class: 'abreast'},
                WAYS.map(way => h(WeightMap, {key: way, state, data, on, way})),
            ),
        answer.weights?.root &&
            h(
                'p',
                {class: 'hint'},
                `${t.probe.root} [CLS]: ${signed(answer.weights.root[0])}, [SEP]: ${signed(answer.weights.root[1])}`,
            ),
        h(
            'p',
            null,
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    onClick: () => on.save('headlight-probe', {weights: true}),
                },
                t.probe.saveWeights,
            ),
        ),
    );
}

/** What a saved file must hold. @param {Words} t @returns {(object: any) => Record<string, any>} */
const readWeights = t => object => {
    if (!Array.isArray(object?.trained?.values)) throw new Error(t.probe.notWeights);
    return {weights: object.trained};
};

/** @param {State} state @param {Pick<import('../study.js').On, 'set'>} on
 * @param {keyof typeof DEFAULTS} name @param {string} label
 * @param {{value: string, name: string}[]} options */
const pick = (state, {set}, name, label, options) =>
    h(PickSetting, {
        ...{key: name, id: `probe-${name}`, label, options},
        ...{state, set, name, fallback: DEFAULTS[name]},
    });

const plain = (/** @type {string[]} */ ...values) => values.map(value => ({value, name: value}));

/** Whether punctuation counts. @param {{state: State, on: Pick<import('../study.js').On, 'set'>,
 *     t: Words}} props */
const Punctuation = ({state, on, t}) =>
    h(
        'label',
        {class: 'switch'},
        h('input', {
            type: 'checkbox',
            checked: setting(state, 'punct', '0') === '1',
            onChange: (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget}) =>
                on.set(withSetting(state, 'punct', currentTarget.checked ? '1' : '0', '0')),
        }),
        h('span', null, t.probe.punct),
    );

/** The curves of training. @param {{data: Data}} props */
function Training({data}) {
    const {answer, t, width} = data;
    if (!answer.curve.length) return null;
    const size = {width: Math.min(CHART.width, width), height: CHART.height};
    const {loss, share} = curvesOf(data, size);
    return h(
        'section',
        null,
        h('h3', null, t.probe.curve),
        h(
            'div',
            {class: 'abreast'},
            h('div', null, h(Chart, {...size, label: t.probe.loss, children: loss})),
            h('div', null, h(Chart, {...size, label: t.probe.curveUas, children: share})),
        ),
    );
}

/** The commonest relations, each with the best fixed offset beside it. @param {Data} data */
const relationBars = ({answer: {relations}, t}) =>
    [...relations]
        .sort((a, b) => b.n - a.n)
        .slice(0, SHOWN)
        .map(one => ({
            key: one.relation,
            label: h('bdi', null, one.relation),
            value: one.uas,
            low: one.low,
            high: one.high,
            note: `${one.n}; ${t.parse.offsetName(one.best_offset.offset)}: ${perCent(one.best_offset.uas)}`,
        }));

/** @type {import('../study.js').StudyView} */
export const probeStudy = {
    id: 'probe',
    study: 'probe',
    options: state => ({
        kind: setting(state, 'kind', DEFAULTS.kind),
        train: Number(setting(state, 'train', DEFAULTS.train)),
        epochs: Number(setting(state, 'epochs', DEFAULTS.epochs)),
        seed: Number(setting(state, 'seed', DEFAULTS.seed)),
        punct: setting(state, 'punct', DEFAULTS.punct) === '1',
    }),
    controls: (state, about, on, t) => [
        pick(
            state,
            on,
            'kind',
            t.probe.kind,
            /** @type {const} */ (['attention', 'words']).map(value => ({
                value,
                name: t.probe.kinds[value],
            })),
        ),
        pick(
            state,
            on,
            'train',
            t.probe.train,
            ['0.5', '0.8', '0.9'].map(value => ({value, name: t.probe.trainName(value)})),
        ),
        pick(state, on, 'epochs', t.probe.epochs, plain('1', '2', '3', '5', '10')),
        pick(state, on, 'seed', t.probe.seed, plain('1', '2', '3')),
        h(Punctuation, {key: 'punct', state, on, t}),
        h(FileButton, {
            key: 'load',
            label: t.probe.loadWeights,
            title: t.probe.loadHint,
            accept: '.json',
            onFiles: ([file]) => on.load(file, readWeights(t)),
        }),
    ],
    render(state, data, on) {
        const {t} = data;
        return [
            h(
                'section',
                {key: 'uas'},
                h('h3', null, t.probe.uas),
                h(Bars, {bars: barsOf(data), most: 1, format: perCent, none: '–'}),
                h('p', {class: 'hint'}, partsOf(data)),
            ),
            h(Training, {key: 'curve', data}),
            h(
                'section',
                {key: 'relations'},
                h('h3', null, t.probe.relations),
                h(Bars, {bars: relationBars(data), most: 1, format: perCent, none: '–'}),
                h('p', {class: 'hint'}, t.probe.relationsHint),
            ),
            h(Weights, {key: 'weights', state, data, on}),
        ];
    },
    svg(state, data, t) {
        const {width, theme, answer} = data;
        const size = {width: Math.min(560, width), height: 240};
        return sheet({
            title: t.studies.probe.title,
            note: `${data.corpus.name}; ${data.modelName}. ${partsOf(data)}`,
            width,
            theme,
            blocks: [
                {
                    title: t.probe.uas,
                    ...barsSvg({bars: barsOf(data), most: 1, format: perCent, width, theme}),
                },
                ...(answer.curve.length
                    ? [
                          {
                              title: t.probe.curve,
                              tree: curvesOf(data, size).share,
                              height: size.height,
                          },
                      ]
                    : []),
                ...(answer.weights
                    ? WAYS.map(way => headMapSvg({...mapOf(data, state, way), t, width}))
                    : []),
            ],
        });
    },
    table(state, {answer: {relations}, otherName}, t) {
        const cell = (/** @type {number | null} */ value) =>
            value === null || value === undefined ? '' : {value, text: perCent(value)};
        return {
            caption: t.probe.caption,
            columns: [
                t.probe.words,
                t.probe.relation,
                t.probe.right,
                '2.5 %',
                '97.5 %',
                t.probe.names.right_branching,
                t.parse.offset,
                t.probe.right,
                t.probe.on(otherName),
            ],
            rows: relations.map((/** @type {any} */ one) => [
                one.n,
                {text: one.relation, user: true},
                cell(one.uas),
                cell(one.low),
                cell(one.high),
                cell(one.right_branching),
                t.parse.offsetName(one.best_offset.offset),
                cell(one.best_offset.uas),
                cell(one.random),
            ]),
        };
    },
    describe: (state, {answer: {uas, train, test, curve}}, t) =>
        t.probe.describe({
            uas: perCent(uas.probe),
            right: perCent(uas.right_branching),
            train: curve.length ? train : 0,
            test,
        }),
};
