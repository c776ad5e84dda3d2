/* patterns - the attention patterns of each head over a corpus: for each measure a map of the
 * heads, the heads that do it most, and the measure by layer as in Clark et al. 2019 (figures 2 and
 * 3: means and entropy by layer).
 */
import {h} from 'preact';
import {Pick} from '../parts/pick.js';
import {Chart, layersPlot} from '../parts/plot.js';
import {fullScale, HeadMap, headMapSvg} from '../parts/headmap.js';
import {headMark} from '../../parts/mark.js';
import {placeName, placeOf, sheet} from '../parts/sheet.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').State} State
 * @typedef {import('../study.js').Words} Words
 * @typedef {{state: State, data: Data, on: import('../study.js').On,
 *     of: ReturnType<typeof measured>}} Props
 */

const BEST = 5;
const CHART = {width: 380, height: 240};
const CLARK = ['entropy', 'entropy_cls'];

/** The measure that is shown: its place in the answer. @param {State} state @param {Data} data */
function chosen(state, {answer: {measures}}) {
    const wished = measures.indexOf(setting(state, 'measure', 'next'));
    return wished < 0 ? 0 : wished;
}

const isEntropy = (/** @type {string} */ name) => name.startsWith('entropy');
/** @param {string} name @returns {(value: number) => string} */
const formatOf = name => (isEntropy(name) ? value => value.toFixed(2) : value => value.toFixed(3));
const nameOf = (/** @type {string} */ measure, /** @type {Words} */ t) =>
    t.patterns.names[measure] ?? measure;

/** All that is known of a measure. @param {Data} data @param {number} m */
function measured({answer, t}, m) {
    const {measures, mean, sd, n, max, item, even, baseline} = answer;
    return {
        id: measures[m],
        name: nameOf(measures[m], t),
        format: formatOf(measures[m]),
        mean: mean[m],
        sd: sd[m],
        n: n[m],
        max: max[m],
        item: item[m],
        even: even[m],
        beside: /** @type {(number | null)[] | null} */ (baseline ? baseline.mean[m] : null),
    };
}

/** Heads by falling mean; of entropy, by rising: there the concentrated ones are of interest.
 * @param {ReturnType<typeof measured>} of @returns {number[]} */
const ranked = of =>
    of.mean
        .map((/** @type {number | null} */ value, /** @type {number} */ i) => ({value, i}))
        .filter((/** @type {{value: number | null}} */ {value}) => value !== null)
        .sort(
            (/** @type {any} */ a, /** @type {any} */ b) =>
                (isEntropy(of.id) ? a.value - b.value : b.value - a.value) || a.i - b.i,
        )
        .map((/** @type {{i: number}} */ {i}) => i);

/** @param {ReturnType<typeof measured>} of @param {Data} data @param {State} state */
const sayOf =
    (of, {model, t}, {oneBased}) =>
    (/** @type {number} */ i) => {
        const place = placeName(placeOf(i, model.heads), oneBased);
        if (of.mean[i] === null) return `${t.map.name(place)}: ${t.patterns.none}`;
        return t.patterns.say({
            place,
            mean: of.format(of.mean[i]),
            sd: of.sd[i] === null ? '–' : of.format(of.sd[i]),
            n: of.n[i],
            max: of.format(of.max[i]),
        });
    };

/** What chance and position alone give: the head of the second model that does it most.
 * @param {{state: State, data: Data, of: ReturnType<typeof measured>}} props */
function Beside({state: {oneBased}, data: {model, otherName, t}, of: {id, beside, format}}) {
    const known = (beside ?? [])
        .map((value, i) => ({value, i}))
        .filter(({value}) => value !== null);
    if (!known.length) return null;
    const most = known.reduce((a, b) =>
        (Number(b.value) - Number(a.value)) * (isEntropy(id) ? -1 : 1) > 0 ? b : a,
    );
    const mean = known.reduce((sum, {value}) => sum + Number(value), 0) / known.length;
    return h(
        'p',
        {class: 'hint'},
        t.patterns.beside({
            name: otherName,
            place: placeName(placeOf(most.i, model.heads), oneBased),
            best: format(Number(most.value)),
            mean: format(mean),
        }),
    );
}

/** @param {Props} props */
function Best({state, data, on, of}) {
    const {t, model} = data;
    const open = (/** @type {number} */ i) => on.openItem(of.item[i], placeOf(i, model.heads));
    return h(StudyTable, {
        columns: [
            {name: t.patterns.head},
            ...[t.patterns.mean, t.patterns.sd, t.patterns.n, t.patterns.max].map(numberColumn),
            {name: t.patterns.where},
        ],
        rows: ranked(of)
            .slice(0, BEST)
            .map(i => ({
                key: i,
                cells: [
                    headMark(
                        t,
                        placeOf(i, model.heads),
                        placeName(placeOf(i, model.heads), state.oneBased),
                    ),
                    of.format(of.mean[i]),
                    of.sd[i] === null ? '–' : of.format(of.sd[i]),
                    of.n[i],
                    of.format(of.max[i]),
                    h(
                        'button',
                        {type: 'button', class: 'plain', onClick: () => open(i)},
                        t.patterns.open,
                    ),
                ],
            })),
    });
}

/** @param {Data} data @param {State} state @param {ReturnType<typeof measured>} of
 * @param {{width: number, height: number}} size */
const byLayer = ({model, theme, t}, {oneBased}, of, size) =>
    layersPlot({
        values: of.mean,
        layers: model.layers,
        theme,
        oneBased,
        ...size,
        yName: isEntropy(of.id) ? `${of.name} (${t.patterns.nats})` : of.name,
        xName: t.patterns.layer,
        even: of.even,
    });

/** Of a chart on the page. @param {Data} data */
const chartSize = ({width}) => ({width: Math.min(CHART.width, width), height: CHART.height});

/** @param {Props & {m: number}} props */
const WhichMeasure = ({state, data: {answer, t}, on, m}) =>
    h(Pick, {
        id: 'pattern-measure',
        className: 'field measure-of',
        label: t.patterns.measure,
        value: answer.measures[m],
        options: answer.measures.map((/** @type {string} */ value) => ({
            value,
            name: nameOf(value, t),
        })),
        onPick: value => on.set(withSetting(state, 'measure', value, 'next')),
    });

/** A measure of all heads as a map. @param {Data} data @param {State} state
 * @param {ReturnType<typeof measured>} of */
const mapOf = (data, state, of) => ({
    values: of.mean,
    layers: data.model.layers,
    heads: data.model.heads,
    theme: data.theme,
    scale: fullScale(of.mean),
    format: of.format,
    name: data.t.patterns.mapName(of.name, of.even === null ? '' : of.format(of.even)),
    oneBased: state.oneBased,
});

/** The heads as a map, and by layer. @param {Props} props */
function Maps({state, data, on, of}) {
    const {t, model, width} = data;
    const size = chartSize(data);
    return h(
        'div',
        {class: 'abreast'},
        h(HeadMap, {
            ...mapOf(data, state, of),
            t,
            width: Math.min(width, 480),
            say: sayOf(of, data, state),
            label: of.name,
            onPick: i =>
                of.item[i] >= 0 &&
                of.item[i] !== null &&
                on.openItem(of.item[i], placeOf(i, model.heads)),
        }),
        h(
            'div',
            null,
            h('h3', null, t.patterns.layers),
            h(Chart, {
                ...size,
                label: `${of.name}, ${t.patterns.layers}`,
                children: byLayer(data, state, of, size),
            }),
            h('p', {class: 'hint'}, t.patterns.layersHint),
        ),
    );
}

/** Entropy by layer, as in Clark et al. 2019. @param {Pick<Props, 'state' | 'data'>} props */
function Entropies({state, data}) {
    const size = chartSize(data);
    const shown = CLARK.map(id => data.answer.measures.indexOf(id))
        .filter(at => at >= 0)
        .map(at => measured(data, at));
    return h(
        'section',
        null,
        h('h3', null, data.t.patterns.entropyLayers),
        h(
            'div',
            {class: 'abreast'},
            shown.map(one =>
                h(
                    'div',
                    {key: one.id},
                    h(Chart, {...size, label: one.name, children: byLayer(data, state, one, size)}),
                ),
            ),
        ),
    );
}

/** @type {import('../study.js').StudyView} */
export const patternsStudy = {
    id: 'patterns',
    study: 'patterns',
    render(state, data, on) {
        const m = chosen(state, data);
        const of = measured(data, m);
        const props = {state, data, on, of};
        return [
            h(WhichMeasure, {key: 'measure', ...props, m}),
            h(Maps, {key: 'maps', ...props}),
            h(
                'section',
                {key: 'best'},
                h('h3', null, data.t.patterns.best),
                h(Best, props),
                h(Beside, {state, data, of}),
                h('p', {class: 'hint'}, data.t.patterns.hint),
            ),
            h(Entropies, {key: 'clark', state, data}),
        ];
    },
    svg(state, data, t) {
        const of = measured(data, chosen(state, data));
        const {theme, width} = data;
        const size = {width: Math.min(560, width), height: 280};
        return sheet({
            title: `${t.studies.patterns.title}: ${of.name}`,
            note: `${data.corpus.name}, ${data.items}; ${data.modelName}`,
            width,
            theme,
            blocks: [
                headMapSvg({...mapOf(data, state, of), t, width}),
                {
                    title: t.patterns.layers,
                    tree: byLayer(data, state, of, size),
                    height: size.height,
                },
            ],
        });
    },
    table(state, data, t) {
        const {
            answer: {measures},
            model,
        } = data;
        const cell = (/** @type {number | null} */ value) =>
            value === null ? '' : {value, text: value.toFixed(4)};
        const rows = measures.flatMap((/** @type {string} */ id, /** @type {number} */ m) => {
            const of = measured(data, m);
            return of.mean.map((/** @type {number | null} */ mean, /** @type {number} */ i) => [
                of.name,
                placeName(placeOf(i, model.heads), state.oneBased),
                cell(mean),
                cell(of.sd[i]),
                of.n[i],
                cell(of.max[i]),
                ...(of.beside ? [cell(of.beside[i])] : []),
            ]);
        });
        return {
            caption: t.patterns.caption,
            rows,
            columns: [
                t.patterns.measure,
                t.patterns.head,
                t.patterns.mean,
                t.patterns.sd,
                t.patterns.n,
                t.patterns.max,
                ...(data.answer.baseline ? [data.otherName] : []),
            ],
        };
    },
    describe(state, data, t) {
        const of = measured(data, chosen(state, data));
        const [first] = ranked(of);
        if (first === undefined) return `${of.name}: ${t.patterns.none}`;
        return t.patterns.describe({
            name: of.name,
            place: placeName(placeOf(first, data.model.heads), state.oneBased),
            mean: of.format(of.mean[first]),
        });
    },
};
