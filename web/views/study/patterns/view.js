/* patterns - the attention patterns of each head over a corpus: for each measure a map of the
 * heads, the heads that do it most, and the measure by layer as in Clark et al. 2019 (figures 2 and
 * 3: means and entropy by layer).
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {onPage, page} from '../../../draw/blocks.js';
import {headMark} from '../../parts/mark.js';
import {fullScale, headMap} from '../parts/headmap.js';
import {abreast, box, hint, section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {leastOf} from '../../parts/six_patterns.js';
import {chart, layersPlot} from '../parts/plot.js';
import {common, drawnStudy, numberCell} from '../parts/sheet.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {setting} from '../study.js';

/**
 * @import {Data, State, Words} from '../study.js'
 * @import {Look} from '../../../draw/blocks.js'
 * @typedef {ReturnType<typeof scene>} Scene
 * @typedef {Pick<import('../../../draw/blocks.js').Props, 'state' | 'data' | 'on'> & {scene: Scene}} Props
 */

const BEST = 5;
const [ON_PAGE, IN_FILE] = [
    {width: 380, height: 240},
    {width: 560, height: 280},
];
const CLARK = ['entropy', 'entropy_cls'];
const SHOW = 'patterns-of';
const WAYS = ['weight', 'moved'];

const isEntropy = (/** @type {string} */ name) => name.startsWith('entropy');
/** @param {string} name @returns {(value: number) => string} */
const formatOf = name => (isEntropy(name) ? value => value.toFixed(2) : value => value.toFixed(3));
const nameOf = (/** @type {string} */ measure, /** @type {Words} */ t) =>
    t.patterns.names[measure] ?? measure;

/** All that is known of a measure. @param {any} answer @param {number} m */
const measured = ({measures, mean, sd, n, max, item, even, baseline}, m) => ({
    id: /** @type {string} */ (measures[m]),
    format: formatOf(measures[m]),
    mean: /** @type {(number | null)[]} */ (mean[m]),
    ...{sd: sd[m], n: n[m], max: max[m], item: item[m], even: even[m]},
    beside: /** @type {(number | null)[] | null} */ (baseline ? baseline.mean[m] : null),
});

/** @param {State} state */
const measureOf = state => setting(state, 'measure', 'next');

/** The measure that is shown. @param {State} state @param {Data} data */
function scene(state, data) {
    const {answer} = data;
    const m = Math.max(0, answer.measures.indexOf(measureOf(state)));
    return {...common(state, data), of: measured(answer, m)};
}

/** Heads by falling mean; of entropy, by rising: there the concentrated ones are of interest.
 * @param {{id: string, values: readonly (number | null)[]}} of */
const ranked = ({id, values}) =>
    values
        .flatMap((value, i) => (value === null ? [] : [{value, i}]))
        .sort((a, b) => (isEntropy(id) ? a.value - b.value : b.value - a.value) || a.i - b.i);

/** What full colour means at least: the share from which on a head counts as following a pattern; none of entropy.
 * @param {Scene['of']} of */
const enoughOf = ({even}) => (even === null ? undefined : leastOf(even));

/** A head's numbers in a sentence. @param {Scene} scene @param {number} i @param {Words} t */
function sayHead({of, name}, i, t) {
    const [mean, place] = [of.mean[i], name(i)];
    if (mean === null) return `${t.map.name(place)}: ${t.patterns.none}`;
    return t.patterns.say({
        ...{place, mean: of.format(mean), n: of.n[i], max: of.format(of.max[i])},
        sd: of.sd[i] === null ? '–' : of.format(of.sd[i]),
    });
}

/** What chance and position alone give: the head of the second model that does it most.
 * @param {Scene} scene @param {Words} t */
function beside({of: {id, beside: values, format}, otherName, name}, t) {
    const [most, ...others] = ranked({id, values: values ?? []});
    if (!most) return false;
    const mean = others.reduce((sum, {value}) => sum + value, most.value) / (others.length + 1);
    const best = format(most.value);
    return hint(
        t.patterns.beside({name: otherName, place: name(most.i), best, mean: format(mean)}),
    );
}

/** @param {Props} props */
function Best({data: {t}, on, scene: {of, place, name}}) {
    const open = (/** @type {number} */ i) => on.openItem(of.item[i], place(i));
    return h(StudyTable, {
        columns: [
            {name: t.patterns.head},
            ...[t.patterns.mean, t.patterns.sd, t.patterns.n, t.patterns.max].map(numberColumn),
            {name: t.patterns.where},
        ],
        rows: ranked({id: of.id, values: of.mean})
            .slice(0, BEST)
            .map(({value, i}) => ({
                key: i,
                cells: [
                    headMark(t, place(i), name(i)),
                    of.format(value),
                    of.sd[i] === null ? '–' : of.format(of.sd[i]),
                    of.n[i],
                    of.format(of.max[i]),
                    buttonOf('plain', {onClick: () => open(i)}, t.patterns.open),
                ],
            })),
    });
}

/** @param {Props} props */
const WhichMeasure = ({state, data: {t}, on, scene: {answer, of}}) =>
    h(PickSetting, {
        ...{id: 'pattern-measure', className: 'field measure-of', label: t.patterns.measure},
        ...{options: answer.measures, names: t.patterns.names, value: of.id},
        ...{state, set: on.set, name: 'measure', fallback: 'next'},
    });

/** A measure by layer. @param {Scene} scene @param {Look} look @param {Words} t @param {string} [said] */
function byLayer({of, layers, oneBased}, {file, width, theme}, t, said = '') {
    const {width: most, height} = file ? IN_FILE : ON_PAGE;
    const size = {width: Math.min(most, width), height};
    const name = nameOf(of.id, t);
    return chart({
        ...size,
        label: name + said,
        tree: layersPlot({
            ...{...size, theme, layers, oneBased, values: of.mean, even: of.even},
            yName: isEntropy(of.id) ? `${name} (${t.patterns.nats})` : name,
            xName: t.patterns.layer,
        }),
    });
}

/** The heads as a map, and by layer. @param {Scene} shown @param {Look} look @param {Words} t */
function maps(shown, look, t) {
    const {of, place} = shown;
    const name = nameOf(of.id, t);
    return abreast([
        headMap(
            shown,
            {
                ...{
                    values: of.mean,
                    scale: fullScale(of.mean, enoughOf(of)),
                    format: of.format,
                    most: 480,
                },
                name: t.patterns.mapName(name, of.even === null ? '' : of.format(of.even)),
                label: name,
                say: i => sayHead(shown, i, t),
                onPick: (i, on) =>
                    of.item[i] >= 0 && of.item[i] !== null && on.openItem(of.item[i], place(i)),
            },
            t,
        ),
        section(t.patterns.layers, [
            byLayer(shown, look, t, `, ${t.patterns.layers}`),
            hint(t.patterns.layersHint),
        ]),
    ]);
}

/** Entropy by layer, as in Clark et al. 2019. @param {Scene} shown @param {Look} look @param {Words} t */
const entropies = (shown, look, t) =>
    section(t.patterns.entropyLayers, [
        abreast(
            CLARK.map(id => shown.answer.measures.indexOf(id))
                .filter(at => at >= 0)
                .map(m => ({...shown, of: measured(shown.answer, m)}))
                .map(one => box([byLayer(one, look, t)])),
        ),
    ]);

/** @param {Scene} shown @param {Look} look @param {Words} t */
const blocks = (shown, look, t) => [
    page(WhichMeasure),
    maps(shown, look, t),
    section(t.patterns.best, [page(Best), beside(shown, t), hint(t.patterns.hint)]),
    onPage(entropies(shown, look, t)),
];

/** @param {Scene} scene @param {Words} t */
function rows({answer, name, otherName}, t) {
    const cell = (/** @type {number | null} */ value) => numberCell(value, one => one.toFixed(4));
    const {head, mean, sd, n, max, measure, caption} = t.patterns;
    return {
        caption,
        columns: [measure, head, mean, sd, n, max, ...(answer.baseline ? [otherName] : [])],
        rows: answer.measures.flatMap((/** @type {string} */ id, /** @type {number} */ m) => {
            const of = measured(answer, m);
            return of.mean.map((value, i) => [
                nameOf(id, t),
                name(i),
                cell(value),
                cell(of.sd[i]),
                of.n[i],
                cell(of.max[i]),
                ...(of.beside ? [cell(of.beside[i])] : []),
            ]);
        }),
    };
}

/** @param {Scene} scene @param {Words} t */
function say({of, name}, t) {
    const [first] = ranked({id: of.id, values: of.mean});
    if (!first) return `${nameOf(of.id, t)}: ${t.patterns.none}`;
    const mean = of.format(first.value);
    return t.patterns.describe({name: nameOf(of.id, t), place: name(first.i), mean});
}

export const patternsStudy = drawnStudy({
    id: 'patterns',
    options: state => ({show: setting(state, SHOW, WAYS[0])}),
    controls: (state, about, on, t) =>
        h(PickSetting, {
            id: 'patterns-show',
            label: t.patterns.show,
            ...{options: WAYS, names: t.patterns.shows, state, set: on.set, name: SHOW},
        }),
    ...{scene, blocks, rows, say, first: measureOf},
    sheet: {
        title: ({of}, _, t) => `${t.studies.patterns.title}: ${nameOf(of.id, t)}`,
        note: ({corpus, items, modelName, answer: {options}}, t) =>
            `${corpus}, ${items}; ${modelName}${options?.show === 'moved' ? `; ${t.patterns.shows.moved}` : ''}`,
    },
});
