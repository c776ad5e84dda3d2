/* labels - a column of labels told from what heads do: logistic regression from the measures of
 * chosen heads, trained in the page on one part of the corpus and tested on the other, against
 * always saying the commonest label and against random layers.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {onPage} from '../../../draw/blocks.js';
import {rateBar, rates} from '../parts/bars.js';
import {headMap} from '../parts/headmap.js';
import {abreast, hint, section} from '../parts/layout.js';
import {signed} from '../../../draw/chart.js';
import {headMark} from '../../parts/mark.js';
import {judgedSays} from '../parts/judged.js';
import {common, drawnStudy, perCent, placeName, pSays} from '../parts/sheet.js';
import {numberColumn, table} from '../parts/table.js';
import {curveOf} from '../probe/view.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {ReturnType<typeof common>} Scene
 * @import {State, Words} from '../study.js'
 * @typedef {{measure: string, layer: number, head: number, label: string, weight: number}} Feature
 */

const CHART = {width: 380, height: 220};
const SHOWN = 12;

/** '2.0-3.5' of the settings as [[2, 0], [3, 5]]; empty: all. @param {State} state */
const headsOf = state =>
    setting(state, 'heads', '')
        .split('-')
        .filter(Boolean)
        .map(place => place.split('.').map(Number));

/** What is typed as heads, L0·H6 or 0.6, in the form of the setting; null when it cannot be read.
 * @param {string} text @param {boolean} oneBased */
export function readPlaces(text, oneBased) {
    const places = text.split(/[\s,;，；]+/).filter(Boolean);
    const read = places.map(place => /^L?(\d{1,3})[.·]H?(\d{1,3})$/i.exec(place));
    if (read.includes(null)) return null;
    const less = oneBased ? 1 : 0;
    return read
        .map(found =>
            found
                ?.slice(1)
                .map(n => Math.max(0, Number(n) - less))
                .join('.'),
        )
        .join('-');
}

/** The weights, one a feature and label, largest first. @param {Scene} scene @returns {Feature[]} */
function featuresOf({answer: {measures, chosen, classes, weights}}) {
    if (!weights) return [];
    return weights
        .flatMap((/** @type {number[]} */ row, /** @type {number} */ k) =>
            row.map((weight, f) => {
                const [layer, head] = chosen[f % chosen.length];
                return {
                    measure: measures[Math.floor(f / chosen.length)],
                    layer,
                    head,
                    label: classes[k].name,
                    weight,
                };
            }),
        )
        .sort(
            (/** @type {Feature} */ a, /** @type {Feature} */ b) =>
                Math.abs(b.weight) - Math.abs(a.weight),
        );
}

/** Of each head the size of all its weights; null for those left out. @param {Scene} scene */
function sizes(scene) {
    const {layers, heads} = scene;
    const sums = /** @type {(number | null)[]} */ (Array(layers * heads).fill(null));
    for (const {layer, head, weight} of featuresOf(scene))
        sums[layer * heads + head] = (sums[layer * heads + head] ?? 0) + weight * weight;
    return sums.map(sum => (sum === null ? null : Math.sqrt(sum)));
}

/** @param {Scene} scene @param {Words} t */
function barsOf({answer, otherName}, t) {
    const {majority, random_layers: random, baseline} = answer;
    return [
        rateBar('probe', t.labels.probe, answer),
        random && {key: 'random', label: t.judged.best, value: random.accuracy, base: true},
        baseline && {...rateBar('other', t.probe.on(otherName), baseline), base: true},
        {key: 'majority', label: t.labels.majority, value: majority, base: true},
    ].filter(Boolean);
}

/** How it was told, and how much that varies. @param {Scene} scene @param {Words} t */
const spread = ({answer: {folds, repeats, splits, above_rule: above, p}}, t) =>
    t.labels.spread({
        folds,
        repeats,
        least: perCent(splits.least),
        most: perCent(splits.most),
        sd: splits.sd === null ? '–' : perCent(splits.sd),
        above,
        p: pSays(p),
    });

/** @param {{state: State, on: Pick<import('../study.js').On, 'set'>, t: Words}} props */
function Heads({state, on, t}) {
    const shown = headsOf(state)
        .map(([layer, head]) => placeName({layer, head}, state.oneBased))
        .join(t.comma);
    const [text, setText] = useState(shown);
    const read = readPlaces(text, state.oneBased);
    const follow = (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget: {value}}) => {
        setText(value);
        const places = readPlaces(value, state.oneBased);
        if (places !== null) on.set(withSetting(state, 'heads', places, ''));
    };
    return h(
        'div',
        {class: 'field'},
        h('label', {for: 'label-heads'}, t.labels.some),
        h('input', {
            id: 'label-heads',
            type: 'text',
            value: text,
            placeholder: t.labels.all,
            onInput: follow,
            autocomplete: 'off',
            'aria-invalid': read === null,
            'aria-describedby': 'label-heads-hint',
        }),
        h(
            'p',
            {class: read === null ? 'hint stale' : 'hint', id: 'label-heads-hint'},
            t.labels.chosenHint,
        ),
    );
}

/** Which labels are taken for which. @param {Scene} scene @param {Words} t */
function confusionOf({answer: {classes, confusion}}, t) {
    const names = /** @type {string[]} */ (
        classes.map((/** @type {{name: string}} */ {name}) => name)
    );
    return table({
        columns: [{name: t.labels.label}, ...names.map(name => numberColumn(h('bdi', null, name)))],
        rows: names.map((name, k) => ({
            key: name,
            cells: [
                h('bdi', null, name),
                ...confusion[k].map((/** @type {number} */ count, /** @type {number} */ found) =>
                    found === k ? h('strong', null, count) : count,
                ),
            ],
        })),
    });
}

/** @param {Scene} scene @param {Words} t */
function mapOf(scene, t) {
    const values = sizes(scene);
    const format = (/** @type {number} */ value) => value.toFixed(2);
    return headMap(
        scene,
        {
            ...{values, format, name: t.labels.mapName, most: 420},
            scale: {low: 0, high: Math.max(1e-9, ...values.map(value => value ?? 0))},
            onPick: (i, on) => on.openItem(0, scene.place(i)),
            say(i) {
                const value = values[i];
                return t.labels.say({
                    place: scene.name(i),
                    value: value === null ? '–' : format(value),
                });
            },
        },
        t,
    );
}

/** The features of the largest weights. @param {Scene} scene @param {Words} t */
const strongest = (scene, t) =>
    table({
        columns: [
            ...[t.labels.feature, t.labels.head, t.labels.label].map(name => ({name})),
            numberColumn(t.labels.weight),
        ],
        rows: featuresOf(scene)
            .slice(0, SHOWN)
            .map(({measure, layer, head, label, weight}) => ({
                key: `${measure}${layer * scene.heads + head}${label}`,
                cells: [
                    t.patterns.names[measure] ?? measure,
                    headMark(t, {layer, head}, placeName({layer, head}, scene.oneBased)),
                    h('bdi', null, label),
                    signed(weight, 3),
                ],
            })),
    });

/** @param {Scene} scene @param {import('../../../draw/blocks.js').Look} look @param {Words} t */
function blocks(scene, {theme}, t) {
    const {curve, splits} = scene.answer;
    const frame = {...CHART, theme, yName: t.labels.loss, xName: t.probe.epochs};
    return [
        section(t.labels.accuracy, [
            rates(barsOf(scene, t)),
            splits.count > 0 && hint(spread(scene, t)),
        ]),
        onPage(
            abreast([
                section(t.labels.confusion, [confusionOf(scene, t)]),
                curve.length > 0 && section(t.labels.curve, [curveOf(curve, 'loss', frame)]),
            ]),
        ),
        abreast([mapOf(scene, t), section(t.labels.weights, [strongest(scene, t)])]),
    ];
}

/** @param {Scene} scene @param {Words} t */
const rows = (scene, t) => ({
    caption: t.labels.caption,
    columns: [t.labels.feature, t.labels.head, t.labels.label, t.labels.weight],
    rows: featuresOf(scene).map(({measure, layer, head, label, weight}) => [
        t.patterns.names[measure] ?? measure,
        placeName({layer, head}, scene.oneBased),
        {text: label, user: /** @type {true} */ (true)},
        {value: weight, text: signed(weight, 4)},
    ]),
});

/** @param {Scene} scene @param {Words} t */
function say({answer}, t) {
    const {accuracy, majority, test} = answer;
    if (accuracy === null) return t.missing.labels;
    const shares = {accuracy: perCent(accuracy), majority: perCent(majority)};
    return judgedSays(t.labels.describe({...shares, test}), answer, t);
}

export const labelsStudy = drawnStudy({
    id: 'labels',
    options: state => (headsOf(state).length ? {heads: headsOf(state)} : {}),
    controls: (state, about, on, t) => h(Heads, {state, on, t}),
    ...{scene: common, blocks, rows, say},
    sheet: {note: ({corpus, modelName}) => `${corpus}; ${modelName}`},
});
