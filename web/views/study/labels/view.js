/* labels - a column of labels told from what heads do: logistic regression from the measures of
 * chosen heads, trained in the page on one part of the corpus and tested on the other, against
 * always saying the commonest label and against random layers.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {Bars, barsSvg, rateBar} from '../parts/bars.js';
import {HeadMap, headMapSvg} from '../parts/headmap.js';
import {Chart} from '../parts/plot.js';
import {signed} from '../../../draw/chart.js';
import {headMark} from '../../parts/mark.js';
import {judgedSays} from '../parts/judged.js';
import {perCent, placeName, placeOf, sheet} from '../parts/sheet.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {curves} from '../probe/view.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').State} State
 * @typedef {import('../study.js').Words} Words
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

/** The weights, one a feature and label, largest first. @param {Data} data @returns {Feature[]} */
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

/** Of each head the size of all its weights; null for those left out. @param {Data} data */
function sizes(data) {
    const {layers, heads} = data.model;
    const sums = /** @type {(number | null)[]} */ (Array(layers * heads).fill(null));
    for (const {layer, head, weight} of featuresOf(data))
        sums[layer * heads + head] = (sums[layer * heads + head] ?? 0) + weight * weight;
    return sums.map(sum => (sum === null ? null : Math.sqrt(sum)));
}

/** @param {Data} data */
function barsOf({answer, otherName, t}) {
    const {majority, random_layers: random, baseline} = answer;
    return [
        rateBar('probe', t.labels.probe, answer),
        random && {key: 'random', label: t.judged.best, value: random.accuracy, base: true},
        baseline && {...rateBar('other', t.probe.on(otherName), baseline), base: true},
        {key: 'majority', label: t.labels.majority, value: majority, base: true},
    ].filter(Boolean);
}

/** How it was told, and how much that varies. @param {Data} data */
const spread = ({answer: {folds, repeats, splits, above_rule: above, p}, t}) =>
    t.labels.spread({
        folds,
        repeats,
        least: perCent(splits.least),
        most: perCent(splits.most),
        sd: splits.sd === null ? '–' : perCent(splits.sd),
        above,
        p: p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`,
    });

/** @param {{state: State, on: Pick<import('../study.js').On, 'set'>, t: Words}} props */
function Heads({state, on, t}) {
    const shown = headsOf(state)
        .map(([layer, head]) => placeName({layer, head}, state.oneBased))
        .join(', ');
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

/** Which labels are taken for which. @param {Data} data */
function Confusion({answer: {classes, confusion}, t}) {
    const names = classes.map((/** @type {{name: string}} */ {name}) => name);
    return h(StudyTable, {
        columns: [
            {name: t.labels.label},
            ...names.map((/** @type {string} */ name) => numberColumn(h('bdi', null, name))),
        ],
        rows: names.map((/** @type {string} */ name, /** @type {number} */ k) => ({
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

/** @param {Data} data @param {State} state */
function mapOf(data, {oneBased}) {
    const values = sizes(data);
    return {
        values,
        layers: data.model.layers,
        heads: data.model.heads,
        theme: data.theme,
        oneBased,
        name: data.t.labels.mapName,
        scale: {low: 0, high: Math.max(1e-9, ...values.map(value => value ?? 0))},
        format: (/** @type {number} */ value) => value.toFixed(2),
    };
}

/** @param {Data} data */
const curveOf = ({answer, theme, t}) =>
    curves(answer.curve, 'accuracy', {
        ...CHART,
        theme,
        lossName: t.labels.loss,
        shareName: t.labels.accuracy,
        stepName: t.probe.epochs,
    });

/** @param {{data: Data, oneBased: boolean}} props */
function Strongest({data, oneBased}) {
    const {t, model} = data;
    return h(StudyTable, {
        columns: [
            ...[t.labels.feature, t.labels.head, t.labels.label].map(name => ({name})),
            numberColumn(t.labels.weight),
        ],
        rows: featuresOf(data)
            .slice(0, SHOWN)
            .map(({measure, layer, head, label, weight}) => ({
                key: `${measure}${layer * model.heads + head}${label}`,
                cells: [
                    t.patterns.names[measure] ?? measure,
                    headMark(t, {layer, head}, placeName({layer, head}, oneBased)),
                    h('bdi', null, label),
                    signed(weight, 3),
                ],
            })),
    });
}

/** The weights: of each head all together, and the strongest.
 * @param {{state: State, data: Data, on: import('../study.js').On}} props */
function Weights({state, data, on}) {
    const {t, width, model} = data;
    const map = mapOf(data, state);
    return h(
        'div',
        {class: 'abreast'},
        h(HeadMap, {
            ...map,
            t,
            width: Math.min(width, 420),
            label: t.labels.mapName,
            onPick: i => on.openItem(0, placeOf(i, model.heads)),
            say: i => {
                const value = map.values[i];
                return t.labels.say({
                    place: placeName(placeOf(i, model.heads), state.oneBased),
                    value: value === null ? '–' : map.format(value),
                });
            },
        }),
        h(
            'section',
            null,
            h('h3', null, t.labels.weights),
            h(Strongest, {data, oneBased: state.oneBased}),
        ),
    );
}

/** @type {import('../study.js').StudyView} */
export const labelsStudy = {
    id: 'labels',
    study: 'labels',
    options: state => (headsOf(state).length ? {heads: headsOf(state)} : {}),
    controls: (state, about, on, t) => h(Heads, {state, on, t}),
    render(state, data, on) {
        const {t, answer} = data;
        const drawn = answer.curve.length ? curveOf(data) : null;
        return [
            h(
                'section',
                {key: 'accuracy'},
                h('h3', null, t.labels.accuracy),
                h(Bars, {bars: barsOf(data), most: 1, format: perCent, none: '–'}),
                answer.splits.count > 0 && h('p', {class: 'hint'}, spread(data)),
            ),
            h(
                'div',
                {class: 'abreast', key: 'curve'},
                h('section', null, h('h3', null, t.labels.confusion), h(Confusion, data)),
                drawn &&
                    h(
                        'section',
                        null,
                        h('h3', null, t.labels.curve),
                        h(Chart, {...CHART, label: t.labels.loss, children: drawn.loss}),
                    ),
            ),
            h(Weights, {key: 'weights', state, data, on}),
        ];
    },
    svg: (state, data, t) =>
        sheet({
            title: t.studies.labels.title,
            note: `${data.corpus.name}; ${data.modelName}`,
            width: data.width,
            theme: data.theme,
            blocks: [
                {
                    title: t.labels.accuracy,
                    ...barsSvg({
                        bars: barsOf(data),
                        most: 1,
                        format: perCent,
                        width: data.width,
                        theme: data.theme,
                    }),
                },
                headMapSvg({...mapOf(data, state), t, width: data.width}),
            ],
        }),
    table: (state, data, t) => ({
        caption: t.labels.caption,
        columns: [t.labels.feature, t.labels.head, t.labels.label, t.labels.weight],
        rows: featuresOf(data).map(({measure, layer, head, label, weight}) => [
            t.patterns.names[measure] ?? measure,
            placeName({layer, head}, state.oneBased),
            {text: label, user: /** @type {true} */ (true)},
            {value: weight, text: signed(weight, 4)},
        ]),
    }),
    describe(state, {answer}, t) {
        const {accuracy, majority, test} = answer;
        if (accuracy === null) return t.missing.labels;
        const shares = {accuracy: perCent(accuracy), majority: perCent(majority)};
        return judgedSays(t.labels.describe({...shares, test}), answer, t);
    },
};
