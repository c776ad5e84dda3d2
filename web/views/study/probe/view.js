/* probe - trees of syntax read off all heads together: a classifier trained in the page on one part
 * of the corpus and tested on the other (Clark et al. 2019, section 6), with baselines, the
 * training curve, relations, and the weights of the heads.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {onPage, page} from '../../../draw/blocks.js';
import {rates} from '../parts/bars.js';
import {headMap} from '../parts/headmap.js';
import {abreast, box, hint, section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {chart, path, plot} from '../parts/plot.js';
import {relationName} from '../parts/relation.js';
import {common, drawnStudy, perCent} from '../parts/sheet.js';
import {signed} from '../../../draw/chart.js';
import {headColour} from '../../../draw/colour.js';
import {FileButton} from '../../parts/file_button.js';
import {Switch} from '../../parts/hide.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {ReturnType<typeof common>} Scene
 * @import {Look} from '../../../draw/blocks.js'
 * @import {State, Words} from '../study.js'
 * @typedef {{step: number, loss: number | null, [share: string]: number | null}} Point
 */

const SHOWN = 12;
const [ON_PAGE, IN_FILE] = [
    {width: 380, height: 220},
    {width: 560, height: 240},
];
const WAYS = /** @type {const} */ (['toGovernor', 'toDependent']);
const DEFAULTS = {kind: 'attention', train: '0.8', epochs: '1', seed: '1', punct: '0'};

/** This probe and what it is compared with, in falling order of what they know. @param {Scene} scene
 * @param {Words} t */
function barsOf({answer: {uas}, otherName}, t) {
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

/** What it was trained and tested on; loaded weights have no curve. @param {Scene} scene @param {Words} t */
const partsOf = ({answer: {curve, train, test}}, t) =>
    t.probe.parts(curve.length ? train : 0, test);

/** A curve over the steps of training: the loss, or the share that is right.
 * @param {Point[]} curve @param {string} of
 * @param {{width: number, height: number, theme: string, yName: string, xName: string}} frame */
export function curveOf(curve, of, frame) {
    const points = curve
        .filter(point => point[of] !== null)
        .map(point => ({x: point.step, y: /** @type {number} */ (point[of])}));
    const loss = of === 'loss';
    const most = loss ? Math.max(1e-9, ...points.map(({y}) => y)) : 1;
    const last = Math.max(1, ...curve.map(({step}) => step));
    const tree = plot({...frame, x: [0, last], y: [0, most]}, (x, y) =>
        h('path', {
            d: path(points, x, y),
            fill: 'none',
            stroke: headColour(loss ? 2 : 3, frame.theme),
            'stroke-width': 1.8,
        }),
    );
    return chart({...frame, label: frame.yName, tree});
}

/** Items that show a tree well: those of about nine words.
 * @param {import('../study.js').Item} item */
const example = ({words}) => (words.length ? 1 / (1 + Math.abs(words.length - 9)) : -1);

/** The weights of all heads in one direction. @param {Scene} scene
 * @param {'toGovernor' | 'toDependent'} way @param {Words} t */
function mapOf(scene, way, t) {
    const values = scene.answer.weights[way];
    const format = (/** @type {number} */ value) => signed(value);
    return headMap(
        scene,
        {
            ...{values, format, name: t.probe[way], most: 420},
            scale: {low: 0, high: Math.max(1e-9, ...values.map(Math.abs)), signed: true},
            say: i => t.probe.say({place: scene.name(i), value: format(values[i])}),
            onPick: (i, on) => on.openWhere(example, scene.place(i)),
        },
        t,
    );
}

/** @param {{data: import('../study.js').Data, on: import('../study.js').On}} props */
const SaveWeights = ({data: {t}, on}) =>
    h(
        'p',
        null,
        buttonOf(
            'plain',
            {onClick: () => on.save('headlight-probe', {weights: true})},
            t.probe.saveWeights,
        ),
    );

/** @param {Scene} scene @param {Words} t */
function weights(scene, t) {
    const {weights: found} = scene.answer;
    return section(
        t.probe.weights,
        [
            found && abreast(WAYS.map(way => mapOf(scene, way, t))),
            found?.root &&
                hint(
                    `${t.probe.root} [CLS]: ${signed(found.root[0])}, [SEP]: ${signed(found.root[1])}`,
                ),
            page(SaveWeights),
        ],
        {bare: true},
    );
}

/** What a saved file must hold. @param {Words} t @returns {(object: any) => Record<string, any>} */
const readWeights = t => object => {
    if (!Array.isArray(object?.trained?.values)) throw new Error(t.probe.notWeights);
    return {weights: object.trained};
};

/** @param {State} state @param {Pick<import('../study.js').On, 'set'>} on
 * @param {keyof typeof DEFAULTS} name @param {string} label
 * @param {(string | {value: string, name: string})[]} options @param {Record<string, string>} [names] */
const pick = (state, {set}, name, label, options, names) =>
    h(PickSetting, {
        ...{key: name, id: `probe-${name}`, label, options, names},
        ...{state, set, name, fallback: DEFAULTS[name]},
    });

/** The curves of training; a file has one of them. @param {Scene} scene @param {Look} look
 * @param {Words} t */
function training({answer: {curve}}, {file, width, theme}, t) {
    const {width: most, height} = file ? IN_FILE : ON_PAGE;
    const frame = {width: Math.min(most, width), height, theme, xName: t.probe.step};
    const {loss, curveUas} = t.probe;
    return (
        curve.length > 0 &&
        section(t.probe.curve, [
            abreast([
                onPage(box([curveOf(curve, 'loss', {...frame, yName: loss})])),
                box([curveOf(curve, 'uas', {...frame, yName: curveUas})]),
            ]),
        ])
    );
}

/** The commonest relations, each with the best fixed offset beside it. @param {Scene} scene @param {Words} t */
const relationBars = ({answer: {relations}}, t) =>
    /** @type {any[]} */ ([...relations])
        .sort((a, b) => b.n - a.n)
        .slice(0, SHOWN)
        .map(one => ({
            key: one.relation,
            label: h('bdi', null, relationName(one.relation, t)),
            value: one.uas,
            low: one.low,
            high: one.high,
            note: `${one.n}; ${t.parse.offsetName(one.best_offset.offset)}: ${perCent(one.best_offset.uas)}`,
        }));

/** @param {Scene} scene @param {Look} look @param {Words} t */
const blocks = (scene, look, t) => [
    section(t.probe.uas, [rates(barsOf(scene, t)), hint(partsOf(scene, t))]),
    training(scene, look, t),
    onPage(
        section(t.probe.relations, [rates(relationBars(scene, t)), hint(t.probe.relationsHint)]),
    ),
    weights(scene, t),
];

/** @param {Scene} scene @param {Words} t */
function rows({answer: {relations}, otherName}, {probe: t, parse}) {
    const cell = (/** @type {number | null} */ value) =>
        value === null || value === undefined ? '' : {value, text: perCent(value)};
    return {
        caption: t.caption,
        columns: [
            ...[t.words, t.relation, t.right, '2.5 %', '97.5 %', t.names.right_branching],
            ...[parse.offset, t.right, t.on(otherName)],
        ],
        rows: relations.map((/** @type {any} */ one) => [
            one.n,
            {text: one.relation, user: true},
            ...[one.uas, one.low, one.high, one.right_branching].map(cell),
            parse.offsetName(one.best_offset.offset),
            cell(one.best_offset.uas),
            cell(one.random),
        ]),
    };
}

export const probeStudy = drawnStudy({
    id: 'probe',
    options: state => ({
        kind: setting(state, 'kind', DEFAULTS.kind),
        train: Number(setting(state, 'train', DEFAULTS.train)),
        epochs: Number(setting(state, 'epochs', DEFAULTS.epochs)),
        seed: Number(setting(state, 'seed', DEFAULTS.seed)),
        punct: setting(state, 'punct', DEFAULTS.punct) === '1',
    }),
    controls: (state, about, on, t) => [
        pick(state, on, 'kind', t.probe.kind, ['attention', 'words'], t.probe.kinds),
        pick(
            state,
            on,
            'train',
            t.probe.train,
            ['0.5', '0.8', '0.9'].map(value => ({value, name: t.probe.trainName(value)})),
        ),
        pick(state, on, 'epochs', t.probe.epochs, ['1', '2', '3', '5', '10']),
        pick(state, on, 'seed', t.probe.seed, ['1', '2', '3']),
        h(Switch, {
            ...{key: 'punct', label: t.probe.punct},
            checked: setting(state, 'punct', '0') === '1',
            onChange: counts => on.set(withSetting(state, 'punct', counts ? '1' : '0', '0')),
        }),
        h(FileButton, {
            key: 'load',
            label: t.probe.loadWeights,
            title: t.probe.loadHint,
            accept: '.json',
            onFiles: ([file]) => on.load(file, readWeights(t)),
        }),
    ],
    ...{scene: common, blocks, rows},
    say: ({answer: {uas, train, test, curve}}, t) =>
        t.probe.describe({
            uas: perCent(uas.probe),
            right: perCent(uas.right_branching),
            train: curve.length ? train : 0,
            test,
        }),
    sheet: {note: (scene, t) => `${scene.corpus}; ${scene.modelName}. ${partsOf(scene, t)}`},
});
