/* distances - heads that attend similarly over a corpus: the Jensen-Shannon divergence of every
 * pair, as a map in the plane, clusters (k-medoids), a heat map; and the kinds by which Clark et
 * al. 2019 coloured theirs. Computed in src/study/distances.c.
 */
import {h} from 'preact';
import {signed} from '../../../draw/chart.js';
import {placeName, placeOf, sheet} from '../parts/sheet.js';
import {PickSetting} from '../parts/pick.js';
import {setting} from '../study.js';
import {Heat, heatSvg} from './heat.js';
import {Legend, PointMap, pointMapSvg} from './map.js';
import {clustersOf, COLOURINGS, colouringOf, extremes, neighboursOf} from './numbers.js';
import {MapLegend} from '../parts/headmap.js';

/**
 * @typedef {import('../study.js').StudyView} StudyView
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').On} On
 * @typedef {import('../../../state/state.js').State} State
 * @typedef {import('./numbers.js').Answer} Answer
 * @typedef {{state: State, data: Data, on: On}} Props
 * @typedef {Props & {answer: Answer, chosen: number, pick: (index: number) => void}} Parts
 */

const COUNTS = [0, 2, 3, 4, 5, 6, 7, 8];
const NEAR = 5;
const nats = (/** @type {number} */ value) => value.toFixed(3);
/** @param {State} state @param {Answer} answer */
const nameIn =
    ({oneBased}, {heads}) =>
    (/** @type {number} */ i) =>
        placeName(placeOf(i, heads), oneBased);

/** The head looked at: of the state, else the one at the middle of the largest cluster.
 * @param {State} state @param {Answer} answer */
function chosenIn({opened}, answer) {
    const [layer, head] = /^\d+\.\d+$/.test(opened) ? opened.split('.').map(Number) : [-1, 0];
    return layer >= 0 && layer < answer.layers && head < answer.heads
        ? layer * answer.heads + head
        : clustersOf(answer)[0].medoid;
}

/** A head in a sentence. @param {State} state @param {Data} data @param {number} i */
function sayHead(state, {answer, t}, i) {
    const name = nameIn(state, answer);
    const [first] = neighboursOf(answer.mean, i, 1);
    return t.distances.say({
        place: name(i),
        cluster: answer.clusters[i] + 1,
        kind: answer.kinds[i] ? t.distances.kinds[answer.kinds[i]] : '',
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
            options: COLOURINGS.map(value => ({value, name: t.distances.colourings[value]})),
            ...{state, set: on.set, name: 'by', fallback: COLOURINGS[0]},
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
const headButton = (name, key, onClick, more) =>
    h('button', {key, type: 'button', class: 'plain', onClick, ...more}, name);

/** The plane of all heads, and what its colours mean. @param {Parts} props */
function MapOfHeads({state, data, answer, chosen, pick}) {
    const {t, theme, width} = data;
    const {fit} = answer;
    const drawn = {answer, by: colouringOf(state), theme, t, oneBased: state.oneBased};
    return h(
        'section',
        null,
        h('h3', null, t.distances.map),
        h(PointMap, {...drawn, width, chosen, say: i => sayHead(state, data, i), onPick: pick}),
        h(Legend, drawn),
        h(
            'p',
            {class: 'hint'},
            t.distances.fit((100 * (fit[0] + fit[1])).toFixed(0), fit[2].toFixed(2)),
        ),
        drawn.by === 'kind' &&
            h(
                'p',
                {class: 'hint'},
                t.distances.kindHint(answer.entropy_limit, answer.even_entropy.toFixed(2)),
            ),
    );
}

/** The chosen head and those that act most like it. @param {Parts} props */
function ChosenHead({state, data: {t}, on, answer, chosen, pick}) {
    const name = nameIn(state, answer);
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
                n > 0 && ', ',
                headButton(name(i), i, () => pick(i)),
                ` ${nats(answer.mean[chosen][i])}`,
            ]),
        ),
        h(
            'button',
            {
                type: 'button',
                class: 'plain',
                onClick: () => on.openItem(0, placeOf(chosen, answer.heads)),
            },
            t.distances.open,
        ),
    );
}

/** The divergence of every two heads. @param {Parts} props */
function AllPairs({state, data: {t, theme, width}, answer, pick}) {
    const name = nameIn(state, answer);
    const scale = {low: 0, high: Math.max(...answer.mean.flat())};
    return h(
        'section',
        null,
        h('h3', null, t.distances.heat),
        h(MapLegend, {scale, theme, format: value => value.toFixed(2)}),
        h(Heat, {
            ...{answer, theme, width, t},
            onPick: pick,
            say: (a, b) => t.distances.pair(name(a), name(b), nats(answer.mean[a][b])),
        }),
    );
}

/** @param {Parts} props */
function Clusters({state, data: {t}, answer, chosen, pick}) {
    const name = nameIn(state, answer);
    return h(
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
                            kinds.map(kind => t.distances.kinds[kind]).join(', '),
                        ),
                    ),
                ),
                h(
                    'div',
                    {class: 'cluster-heads'},
                    members.map(i =>
                        headButton(name(i), i, () => pick(i), {'aria-pressed': i === chosen}),
                    ),
                ),
            ),
        ),
    );
}

/** @param {Props} props */
function Distances({state, data, on}) {
    const answer = /** @type {Answer} */ (data.answer);
    const {t} = data;
    const pick = (/** @type {number} */ i) =>
        on.set({opened: `${Math.floor(i / answer.heads)}.${i % answer.heads}`});
    const props = {state, data, on, answer, chosen: chosenIn(state, answer), pick};
    const silhouette = answer.silhouette === null ? '' : signed(answer.silhouette);
    return h(
        'div',
        {class: 'distances'},
        h(Choices, props),
        h(MapOfHeads, props),
        h(ChosenHead, props),
        h(
            'section',
            null,
            h('h3', null, t.distances.clusters),
            h('p', {class: 'hint'}, t.distances.clustersHint(silhouette)),
            h(Clusters, props),
        ),
        h(AllPairs, props),
    );
}

/** @type {StudyView} */
export const distancesStudy = {
    id: 'distances',
    study: 'distances',
    ask: state => ({clusters: Number(setting(state, 'clusters', '0'))}),
    render: (state, data, on) => h(Distances, {state, data, on}),
    svg(state, data, t) {
        const {answer, width, theme} = data;
        const heat = heatSvg({answer, theme, width, t});
        return sheet({
            title: t.studies.distances.title,
            note: `${data.modelName}; ${data.corpus.name}`,
            width,
            theme,
            blocks: [
                {
                    title: t.distances.map,
                    ...pointMapSvg({
                        answer,
                        by: colouringOf(state),
                        theme,
                        t,
                        width,
                        oneBased: state.oneBased,
                    }),
                },
                ...(heat ? [{title: t.distances.heat, ...heat}] : []),
            ],
        });
    },
    table(state, {answer}, {distances: t, map}) {
        const name = nameIn(state, answer);
        const {mean, clusters, kinds, map: at} = /** @type {Answer} */ (answer);
        const cell = (/** @type {number} */ value) => ({value, text: nats(value)});
        return {
            caption: t.caption,
            columns: [t.clusterColumn, map.head, t.kind, 'x', 'y', ...mean.map((_, i) => name(i))],
            rows: mean.map((row, i) => [
                clusters[i] + 1,
                name(i),
                kinds[i] ? t.kinds[kinds[i]] : '',
                cell(at[i][0]),
                cell(at[i][1]),
                ...row.map(cell),
            ]),
        };
    },
    describe(state, {answer}, {distances: t}) {
        const name = nameIn(state, answer);
        const {near, far} = extremes(answer.mean);
        return t.describe({
            clusters: answer.medoids.length,
            near: [name(near.a), name(near.b), nats(near.value)],
            far: [name(far.a), name(far.b), nats(far.value)],
        });
    },
};
