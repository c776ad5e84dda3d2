/* distances - heads that attend similarly over a corpus: the Jensen-Shannon divergence of every
 * pair, as a map in the plane, clusters (k-medoids), a heat map; and the kinds by which Clark et
 * al. 2019 coloured theirs. Computed in src/study/kinds/distances.c.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {group, page} from '../../../draw/blocks.js';
import {signed} from '../../../draw/chart.js';
import {MapLegend} from '../parts/headmap.js';
import {hint, section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {common, drawnStudy} from '../parts/sheet.js';
import {setting} from '../study.js';
import {heat} from './heat.js';
import {legend, plane} from './map.js';
import {clustersOf, COLOURINGS, colouringOf, extremes, neighboursOf} from './numbers.js';

/**
 * @import {Data, On, Words} from '../study.js'
 * @import {Look} from '../../../draw/blocks.js'
 * @import {State} from '../../../state/state.js'
 * @import {Answer} from './numbers.js'
 * @typedef {ReturnType<typeof scene>} Scene
 * @typedef {{state: State, data: Data, on: On, scene: Scene}} Props
 */

const COUNTS = [0, 2, 3, 4, 5, 6, 7, 8];
const NEAR = 5;
const nats = (/** @type {number} */ value) => value.toFixed(3);
/** The head looked at: of the state, else the one at the middle of the largest cluster.
 * @param {State} state @param {Answer} answer */
function chosenIn({opened}, answer) {
    const [layer, head] = /^\d+\.\d+$/.test(opened) ? opened.split('.').map(Number) : [-1, 0];
    return layer >= 0 && layer < answer.layers && head < answer.heads
        ? layer * answer.heads + head
        : clustersOf(answer)[0].medoid;
}

/** @param {State} state @param {Data} data */
function scene(state, data) {
    const answer = /** @type {Answer} */ (data.answer);
    return {
        ...{...common(state, data), answer, by: colouringOf(state)},
        chosen: chosenIn(state, answer),
        key: (/** @type {number} */ i) => `${Math.floor(i / answer.heads)}.${i % answer.heads}`,
    };
}

/** A head in a sentence. @param {Scene} scene @param {number} i @param {Words} t */
function sayHead({answer, name}, i, {distances: t}) {
    const [first] = neighboursOf(answer.mean, i, 1);
    return t.say({
        place: name(i),
        cluster: answer.clusters[i] + 1,
        kind: answer.kinds[i] ? t.kinds[answer.kinds[i]] : '',
        near: first === undefined ? '' : name(first),
        distance: first === undefined ? '' : nats(answer.mean[i][first]),
    });
}

/** @param {Props} props */
function Choices({state, data: {t}, on}) {
    return h(
        'div',
        {class: 'thresholds'},
        h(PickSetting, {
            id: 'by',
            label: t.distances.by,
            ...{options: COLOURINGS, names: t.distances.colourings, state, set: on.set, name: 'by'},
        }),
        h(PickSetting, {
            id: 'clusters',
            label: t.distances.clusterCount,
            options: COUNTS.map(n => ({value: String(n), name: n ? String(n) : t.distances.auto})),
            ...{state, set: on.set, name: 'clusters', fallback: '0'},
        }),
    );
}

/** @param {string} name @param {number} key @param {() => void} onClick
 * @param {Record<string, any>} [more] */
const headButton = (name, key, onClick, more) => buttonOf('plain', {key, onClick, ...more}, name);

/** The head pointed at. @param {Props & {over?: {at: number}}} props */
const Said = ({scene: shown, data: {t}, over}) =>
    h('p', {class: 'hm-say', 'aria-hidden': true}, sayHead(shown, over?.at ?? shown.chosen, t));

/** The plane of all heads, and what its colours mean. @param {Scene} shown @param {Look} look
 * @param {Words} t */
function mapOfHeads(shown, look, t) {
    const {fit, entropy_limit: limit, even_entropy: even} = shown.answer;
    return section(t.distances.map, [
        group(
            inside => h('div', {class: 'point-map'}, inside),
            [plane(shown, look, t, i => sayHead(shown, i, t)), page(Said, {id: 'said'})],
        ),
        legend(shown, look.theme, t),
        hint(t.distances.fit((100 * (fit[0] + fit[1])).toFixed(0), fit[2].toFixed(2))),
        shown.by === 'kind' && hint(t.distances.kindHint(limit, even.toFixed(2))),
    ]);
}

/** The chosen head and those that act most like it. @param {Props} props */
function ChosenHead({data: {t}, on, scene: {answer, chosen, name, place, key}}) {
    const title = t.map.name(name(chosen));
    return h(
        'section',
        {'aria-label': title},
        h('h3', null, title),
        h(
            'p',
            null,
            t.distances.nearest,
            ' ',
            neighboursOf(answer.mean, chosen, NEAR).map((i, n) => [
                n > 0 && t.comma,
                headButton(name(i), i, () => on.set({opened: key(i)})),
                ` ${nats(answer.mean[chosen][i])}`,
            ]),
        ),
        buttonOf('plain', {onClick: () => on.openItem(0, place(chosen))}, t.distances.open),
    );
}

/** The colours of the divergences. @param {Props} props */
const Colours = ({data: {theme}, scene: {answer}}) =>
    h(MapLegend, {
        scale: {low: 0, high: Math.max(...answer.mean.flat())},
        theme,
        format: value => value.toFixed(2),
    });

/** @param {Props} props */
const Clusters = ({data: {t}, on, scene: {answer, chosen, name, key}}) =>
    h(
        'ol',
        {class: 'clusters'},
        clustersOf(answer).map(({index, medoid, members, inside, kinds}) =>
            h(
                'li',
                {key: index},
                h(
                    'h4',
                    null,
                    t.distances.cluster(index + 1),
                    ' ',
                    h(
                        'span',
                        {class: 'hint'},
                        t.distances.clusterSays(
                            members.length,
                            name(medoid),
                            nats(inside),
                            kinds.map(kind => t.distances.kinds[kind]).join(t.comma),
                        ),
                    ),
                ),
                h(
                    'div',
                    {class: 'cluster-heads'},
                    members.map(i =>
                        headButton(name(i), i, () => on.set({opened: key(i)}), {
                            'aria-pressed': i === chosen,
                        }),
                    ),
                ),
            ),
        ),
    );

/** @param {Scene} shown @param {Look} look @param {Words} t */
function blocks(shown, look, t) {
    const {answer, name, key} = shown;
    const silhouette = answer.silhouette === null ? '' : signed(answer.silhouette);
    const pairs = heat(
        {
            ...{answer, t},
            onPick: (i, on) => on.set({opened: key(i)}),
            say: (a, b) => t.distances.pair(name(a), name(b), nats(answer.mean[a][b])),
        },
        look.file,
    );
    return [
        page(Choices),
        mapOfHeads(shown, look, t),
        page(ChosenHead),
        section(t.distances.clusters, [hint(t.distances.clustersHint(silhouette)), page(Clusters)]),
        section(t.distances.heat, [page(Colours), pairs]),
    ];
}

/** @param {Scene} scene @param {Words} t */
function rows({answer: {mean, clusters, kinds, map: at}, name}, {distances: t, map}) {
    const cell = (/** @type {number} */ value) => ({value, text: nats(value)});
    return {
        caption: t.caption,
        columns: [t.clusterColumn, map.head, t.kind, 'x', 'y', ...mean.map((_, i) => name(i))],
        rows: mean.map((row, i) => [
            clusters[i] + 1,
            name(i),
            kinds[i] ? t.kinds[kinds[i]] : '',
            ...[...at[i].slice(0, 2), ...row].map(cell),
        ]),
    };
}

/** @param {Scene} scene @param {Words} t */
function say({answer, name}, {distances: t}) {
    const {near, far} = extremes(answer.mean);
    return t.describe({
        clusters: answer.medoids.length,
        near: [name(near.a), name(near.b), nats(near.value)],
        far: [name(far.a), name(far.b), nats(far.value)],
    });
}

export const distancesStudy = drawnStudy({
    id: 'distances',
    ask: state => ({clusters: Number(setting(state, 'clusters', '0'))}),
    ...{scene, blocks, rows, say},
    over({layers, heads}, {point}) {
        const at = point && Math.min(point.index, layers * heads - 1);
        return point && {distance: {at}, said: {at}};
    },
    sheet: {note: ({modelName, corpus}) => `${modelName}; ${corpus}`},
});
