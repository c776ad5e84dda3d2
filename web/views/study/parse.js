/* parse - heads as parsers: how often the key that a head looks at most is the word's governor, per
 * relation and in both directions, against the best fixed offset (Clark et al. 2019, table 1).
 */
import {h} from 'preact';
import {HeadMap, headMapSvg} from './parts/headmap.js';
import {barsSvg} from './parts/bars.js';
import {perCent, placeName, placeOf, sheet} from './parts/sheet.js';
import {setting, withSetting} from './study.js';

/**
 * @typedef {import('./study.js').Data} Data
 * @typedef {import('./study.js').State} State
 * @typedef {import('./study.js').Words} Words
 * @typedef {{relation: string, several: boolean, n: number, accuracy: (number | null)[][], better:
 *     boolean, p: number | null,
 *   best: {layer: number, head: number, direction: number, accuracy: number, low: number, high:
 *   number},
 *   offset: {offset: number, accuracy: number, low: number, high: number}, baseline?: {best: Row['best']}}} Row   several:
 *       of several
 *   relations together; baseline: of the second model, such as random weights
 */

const SHOWN = 10; // rows of the picture
const FEW = 30;
// the setting: of a split word, what its first piece looks at, or the mean of all
const FROM = 'from';

const nameOf = (/** @type {Row} */ {relation, several}, /** @type {Words} */ t) =>
    several ? (t.parse.names[relation] ?? t.parse.withSubtypes(relation)) : relation;
/** As it stands in the settings. @param {Row} row */
const keyOf = ({relation, several}) => relation.replace(/[^\w.-]/g, '.') + (several ? '-all' : '');

/** The relation whose map is shown, and its direction. @param {State} state @param {Data} data */
function chosen(state, {answer}) {
    const rows = /** @type {Row[]} */ (answer.relations.filter((/** @type {Row} */ {n}) => n > 0));
    const row = rows.find(one => keyOf(one) === setting(state, 'relation', '')) ?? rows[0];
    const direction = Number(setting(state, 'way', String(row?.best.direction ?? 0)));
    return {rows, row, direction};
}

/** Items that show a relation well: short, and with a word of it. @param {Row} row */
const exampleOf =
    ({relation, several}) =>
    (/** @type {{words: {relation?: string}[]}} */ {words}) =>
        words.some(
            word =>
                relation.startsWith('all') ||
                word.relation === relation ||
                (several && word.relation?.startsWith(`${relation}:`)),
        )
            ? 1 / (1 + Math.abs(words.length - 9))
            : -1;

/** The head's accuracy as a bar, a tick for the fixed offset and the interval.
 * @param {{row: Row, t: Words}} props */
function Accuracy({row: {best, offset}, t}) {
    const at = (/** @type {number} */ value) => `${100 * value}%`;
    return h(
        'div',
        {class: 'parse-bar', 'aria-hidden': true},
        h('i', {style: {width: at(best.accuracy)}}),
        h('b', {style: {left: at(best.low), width: at(best.high - best.low)}}),
        h('s', {
            style: {left: at(offset.accuracy)},
            title: `${t.parse.offset} ${perCent(offset.accuracy)}`,
        }),
    );
}

/** @param {{state: State, data: Data, on: import('./study.js').On}} props */
function Relations({state, data, on}) {
    const {t} = data;
    const {rows, row: shown} = chosen(state, data);
    const choose = (/** @type {Row} */ row) =>
        on.set({
            settings: withSetting(
                {...state, ...withSetting(state, 'way', '', '')},
                'relation',
                keyOf(row),
                '',
            ).settings,
        });
    return h(
        'div',
        {class: 'study-table parse-table'},
        h(
            'table',
            null,
            h('caption', {class: 'hidden'}, t.parse.caption),
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    h('th', {scope: 'col'}, t.parse.relation),
                    h('th', {scope: 'col', class: 'number'}, t.parse.words),
                    h('th', {scope: 'col'}, t.parse.head),
                    h('th', {scope: 'col', class: 'number'}, t.parse.accuracy),
                    h('th', {class: 'wide'}),
                    h('th', {scope: 'col', class: 'number'}, t.parse.offset),
                    h('th', {scope: 'col'}, t.parse.better),
                    data.answer.compared &&
                        h('th', {scope: 'col', class: 'number'}, t.parse.beside(data.otherName)),
                ),
            ),
            h(
                'tbody',
                null,
                rows.map(row =>
                    h(
                        'tr',
                        {
                            key: `${row.several}${row.relation}`,
                            class: row === shown ? 'chosen' : undefined,
                        },
                        h(
                            'th',
                            {scope: 'row'},
                            h(
                                'button',
                                {
                                    type: 'button',
                                    class: 'plain',
                                    'aria-pressed': row === shown,
                                    onClick: () => choose(row),
                                },
                                nameOf(row, t),
                            ),
                        ),
                        h('td', {class: 'number'}, row.n),
                        h(
                            'td',
                            null,
                            h(
                                'button',
                                {
                                    type: 'button',
                                    class: 'plain',
                                    onClick: () => on.openWhere(exampleOf(row), row.best),
                                },
                                placeName(row.best, state.oneBased),
                            ),
                            ' ',
                            h('small', null, t.parse.direction[row.best.direction]),
                        ),
                        h(
                            'td',
                            {class: 'number', title: row.n < FEW ? t.parse.few : undefined},
                            `${perCent(row.best.accuracy)} (${(100 * row.best.low).toFixed(0)}–${(100 * row.best.high).toFixed(0)})`,
                        ),
                        h('td', {class: 'wide'}, h(Accuracy, {row, t})),
                        h(
                            'td',
                            {class: 'number'},
                            `${perCent(row.offset.accuracy)} (${t.parse.offsetName(row.offset.offset)})`,
                        ),
                        h('td', null, row.better ? t.parse.yes : t.parse.no),
                        row.baseline &&
                            h(
                                'td',
                                {class: 'number'},
                                `${perCent(row.baseline.best.accuracy)} (${placeName(row.baseline.best, state.oneBased)})`,
                            ),
                    ),
                ),
            ),
        ),
    );
}

/** @param {{state: State, data: Data, on: import('./study.js').On}} props */
function RelationMap({state, data, on}) {
    const {t, model, theme, width} = data;
    const {row, direction} = chosen(state, data);
    const values = row.accuracy[direction];
    const name = nameOf(row, t);
    const way = (/** @type {number} */ value) =>
        h(
            'label',
            {key: value, class: 'pick'},
            h('input', {
                type: 'radio',
                name: 'parse-way',
                checked: value === direction,
                onChange: () => on.set(withSetting(state, 'way', String(value), '')),
            }),
            h('span', null, t.parse.direction[value]),
        );
    return h(
        'section',
        null,
        h('h3', null, name),
        h(
            'fieldset',
            {class: 'choice'},
            h('legend', null, t.parse.directions),
            h('div', {class: 'picks'}, way(0), way(1)),
        ),
        h(HeadMap, {
            values,
            layers: model.layers,
            heads: model.heads,
            theme,
            t,
            width: Math.min(width, 480),
            oneBased: state.oneBased,
            scale: {low: 0, high: Math.max(0.01, ...values.map(value => value ?? 0))},
            format: perCent,
            label: name,
            name: t.parse.mapName(name, t.parse.direction[direction]),
            say: i =>
                t.parse.say({
                    place: placeName(placeOf(i, model.heads), state.oneBased),
                    n: row.n,
                    value: values[i] === null ? '–' : perCent(/** @type {number} */ (values[i])),
                }),
            onPick: i => on.openWhere(exampleOf(row), placeOf(i, model.heads)),
        }),
    );
}

/** @type {import('./study.js').StudyView} */
export const parseStudy = {
    id: 'parse',
    study: 'parse',
    options: state => ({from: setting(state, FROM, 'mean')}),
    controls(state, about, on, t) {
        const kinds = /** @type {const} */ (['mean', 'first']);
        return h(
            'div',
            {class: 'field'},
            h('label', {for: 'parse-split'}, t.parse.from),
            h(
                'select',
                {
                    id: 'parse-split',
                    value: setting(state, FROM, 'mean'),
                    onChange: (/** @type {{currentTarget: HTMLSelectElement}} */ event) =>
                        on.set(withSetting(state, FROM, event.currentTarget.value, 'mean')),
                },
                kinds.map(kind => h('option', {key: kind, value: kind}, t.parse.froms[kind])),
            ),
        );
    },
    render: (state, data, on) =>
        chosen(state, data).row && [
            h(
                'section',
                {key: 'table'},
                h(Relations, {state, data, on}),
                h('p', {class: 'hint'}, data.t.parse.hint),
            ),
            h(RelationMap, {key: 'map', state, data, on}),
        ],
    svg(state, data, t) {
        const {rows, row, direction} = chosen(state, data);
        const {model, theme, width} = data;
        const values = row.accuracy[direction];
        const bars = rows.slice(0, SHOWN).flatMap(one => {
            const {best, offset} = one;
            return [
                {
                    key: one.relation,
                    label: `${nameOf(one, t)}, ${placeName(best, state.oneBased)}`,
                    value: best.accuracy,
                    low: best.low,
                    high: best.high,
                },
                {
                    key: `${one.relation}-`,
                    label: `${t.parse.offset} (${t.parse.offsetName(offset.offset)})`,
                    value: offset.accuracy,
                    low: offset.low,
                    high: offset.high,
                    base: true,
                },
            ];
        });
        return sheet({
            title: t.studies.parse.title,
            note: `${data.corpus.name}, ${data.items}; ${data.modelName}`,
            width,
            theme,
            blocks: [
                {
                    title: t.parse.caption,
                    ...barsSvg({bars, most: 1, format: perCent, width, theme}),
                },
                headMapSvg({
                    values,
                    layers: model.layers,
                    heads: model.heads,
                    theme,
                    width,
                    format: perCent,
                    oneBased: state.oneBased,
                    scale: {low: 0, high: Math.max(0.01, ...values.map(value => value ?? 0))},
                    name: t.parse.mapName(nameOf(row, t), t.parse.direction[direction]),
                }),
            ],
        });
    },
    table(state, data, t) {
        const cell = (/** @type {number | null} */ value) =>
            value === null ? '' : {value, text: perCent(value)};
        return {
            caption: t.parse.caption,
            columns: [
                t.parse.words,
                t.parse.relation,
                t.parse.head,
                t.parse.directions,
                t.parse.accuracy,
                '2.5 %',
                '97.5 %',
                t.parse.offset,
                t.parse.accuracy,
                t.parse.p,
                t.parse.better,
                ...(data.answer.compared ? [t.parse.beside(data.otherName)] : []),
            ],
            rows: chosen(state, data).rows.map(row => [
                row.n,
                {text: nameOf(row, t), user: /** @type {true} */ (true)},
                placeName(row.best, state.oneBased),
                t.parse.direction[row.best.direction],
                cell(row.best.accuracy),
                cell(row.best.low),
                cell(row.best.high),
                t.parse.offsetName(row.offset.offset),
                cell(row.offset.accuracy),
                row.p === null ? '' : {value: row.p, text: row.p.toPrecision(2)},
                row.better ? t.parse.yes : t.parse.no,
                ...(row.baseline ? [cell(row.baseline.best.accuracy)] : []),
            ]),
        };
    },
    describe(state, data, t) {
        const {row} = chosen(state, data);
        if (!row) return t.parse.noExample;
        return t.parse.describe({
            relation: nameOf(row, t),
            place: placeName(row.best, state.oneBased),
            accuracy: perCent(row.best.accuracy),
            offset: perCent(row.offset.accuracy),
        });
    },
};
