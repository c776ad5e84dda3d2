/* distances - which heads act alike over a corpus: the Jensen-Shannon divergence of every two, as a
 * map in the plane, clusters (k-medoids), a heat map; and the kinds by which Clark et al. 2019
 * coloured theirs. Computed in src/study/distances.c.
 */
import {h} from 'preact';
import {placeName, placeOf, sheet} from './parts/sheet.js';
import {setting, withSetting} from './study.js';
import {Heat, heatSvg} from './distances/heat.js';
import {Legend, PointMap, pointMapSvg} from './distances/map.js';
import {clustersOf, COLOURINGS, colouringOf, extremes, neighboursOf} from './distances/numbers.js';
import {MapLegend} from './parts/headmap.js';

/**
 * @typedef {import('./study.js').StudyView} StudyView
 * @typedef {import('./study.js').Data} Data
 * @typedef {import('./study.js').On} On
 * @typedef {import('../../core/state.js').State} State
 * @typedef {import('./distances/numbers.js').Answer} Answer
 * @typedef {{currentTarget: {value: string}}} Event
 * @typedef {{state: State, data: Data, on: On}} Props
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
    const select = (
        /** @type {string} */ id,
        /** @type {string} */ label,
        /** @type {string} */ value,
        /** @type {[string, string][]} */ options,
        /** @type {string} */ fallback,
    ) =>
        h(
            'div',
            {class: 'field'},
            h('label', {for: id}, label),
            h(
                'select',
                {
                    id,
                    value,
                    onChange: (/** @type {Event} */ {currentTarget}) =>
                        on.set(withSetting(state, id, currentTarget.value, fallback)),
                },
                options.map(([key, name]) => h('option', {key, value: key}, name)),
            ),
        );
    return h(
        'div',
        {class: 'thresholds'},
        select(
            'by',
            t.distances.by,
            colouringOf(state),
            COLOURINGS.map(name => [name, t.distances.colourings[name]]),
            COLOURINGS[0],
        ),
        select(
            'clusters',
            t.distances.clusterCount,
            setting(state, 'clusters', '0'),
            COUNTS.map(n => [String(n), n ? String(n) : t.distances.auto]),
            '0',
        ),
    );
}

/** @param {Props & {chosen: number, pick: (index: number) => void}} props */
function Clusters({state, data, chosen, pick}) {
    const {answer, t} = data;
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
                        h(
                            'button',
                            {
                                key: i,
                                type: 'button',
                                class: 'plain',
                                'aria-pressed': i === chosen,
                                onClick: () => pick(i),
                            },
                            name(i),
                        ),
                    ),
                ),
            ),
        ),
    );
}

/** @param {Props} props */
function Distances({state, data, on}) {
    const {t, theme, width} = data;
    const answer = /** @type {Answer} */ (data.answer);
    const chosen = chosenIn(state, answer);
    const name = nameIn(state, answer);
    const place = placeOf(chosen, answer.heads);
    const pick = (/** @type {number} */ i) =>
        on.set({opened: `${Math.floor(i / answer.heads)}.${i % answer.heads}`});
    const drawn = {answer, by: colouringOf(state), theme, t, oneBased: state.oneBased};
    const most = Math.max(...answer.mean.flat());
    return h(
        'div',
        {class: 'distances'},
        h(Choices, {state, data, on}),
        h(
            'section',
            null,
            h('h3', null, t.distances.map),
            h(PointMap, {...drawn, width, chosen, say: i => sayHead(state, data, i), onPick: pick}),
            h(Legend, drawn),
            h(
                'p',
                {class: 'hint'},
                t.distances.fit(
                    (100 * (answer.fit[0] + answer.fit[1])).toFixed(0),
                    answer.fit[2].toFixed(2),
                ),
            ),
            drawn.by === 'kind' &&
                h(
                    'p',
                    {class: 'hint'},
                    t.distances.kindHint(answer.entropy_limit, answer.even_entropy.toFixed(2)),
                ),
        ),
        h(
            'section',
            {'aria-label': t.map.name(name(chosen))},
            h('h3', null, t.map.name(name(chosen))),
            h(
                'p',
                null,
                t.distances.nearest,
                ' ',
                neighboursOf(answer.mean, chosen, NEAR).map((i, n) => [
                    n > 0 && ', ',
                    h(
                        'button',
                        {key: i, type: 'button', class: 'plain', onClick: () => pick(i)},
                        name(i),
                    ),
                    ` ${nats(answer.mean[chosen][i])}`,
                ]),
            ),
            h(
                'button',
                {type: 'button', class: 'plain', onClick: () => on.openItem(0, place)},
                t.distances.open,
            ),
        ),
        h(
            'section',
            null,
            h('h3', null, t.distances.clusters),
            h(
                'p',
                {class: 'hint'},
                t.distances.clustersHint(
                    answer.silhouette === null ? '' : answer.silhouette.toFixed(2),
                ),
            ),
            h(Clusters, {state, data, on, chosen, pick}),
        ),
        h(
            'section',
            null,
            h('h3', null, t.distances.heat),
            h(MapLegend, {scale: {low: 0, high: most}, theme, format: value => value.toFixed(2)}),
            h(Heat, {
                answer,
                theme,
                width,
                t,
                onPick: pick,
                say: (a, b) => t.distances.pair(name(a), name(b), nats(answer.mean[a][b])),
            }),
        ),
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
        const heat = heatSvg({answer, theme, width});
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
