/* parse - heads as parsers: how often the key that a head looks at most is the word's governor, per
 * relation and in both directions, against the best fixed offset (Clark et al. 2019, table 1).
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {group, page} from '../../../draw/blocks.js';
import {rates} from '../parts/bars.js';
import {headMap} from '../parts/headmap.js';
import {judgedSays, verdictOf} from '../parts/judged.js';
import {hint, section} from '../parts/layout.js';
import {Pick, PickSetting} from '../parts/pick.js';
import {relationName} from '../parts/relation.js';
import {common, drawnStudy, numberCell, perCent, placeName} from '../parts/sheet.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {ReturnType<typeof scene>} Scene
 * @typedef {Pick<import('../../../draw/blocks.js').Props, 'state' | 'data' | 'on'> & {scene: Scene}} Props
 * @typedef {import('../study.js').State} State
 * @typedef {import('../study.js').Words} Words
 * @typedef {import('../parts/judged.js').Judged & {relation: string, several: boolean, n: number,
 *     accuracy: (number | null)[][], p: number | null,
 *   best: {layer: number, head: number, direction: number, accuracy: number, low: number, high:
 *   number}, other: Row['best'],
 *   offset: {offset: number, accuracy: number, low: number, high: number}, baseline?: {best: Row['best']}}} Row   several:
 *       of several
 *   relations together; other: the best head in the other direction; baseline: of the second model, such as random weights
 */

const SHOWN = 10; // rows of the picture
const FEW = 30;
// the setting: of a split word, what its first piece looks at, or the mean of all
const FROM = 'from';

const nameOf = (/** @type {Row} */ {relation, several}, /** @type {Words} */ t) =>
    several
        ? (t.parse.names[relation] ?? t.parse.withSubtypes(relation))
        : relationName(relation, t);
/** As it stands in the settings. @param {Row} row */
const keyOf = ({relation, several}) => relation.replace(/[^\w.-]/g, '.') + (several ? '-all' : '');

/** The relation whose map is shown, and its direction. @param {State} state
 * @param {import('../study.js').Data} data */
function scene(state, data) {
    const rows = /** @type {Row[]} */ (data.answer.relations).filter(({n}) => n > 0);
    const row = rows.find(one => keyOf(one) === setting(state, 'relation', '')) ?? rows[0];
    const direction = Number(setting(state, 'way', String(row?.best.direction ?? 0)));
    return {...common(state, data), rows, row, direction};
}

const isDrawn = (/** @type {Row} */ row) => row.random_layers !== null;

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

/** The interval of an accuracy, in whole per cent. @param {Row['best']} one */
const intervalOf = ({low, high}) => [low, high].map(end => (100 * end).toFixed(0)).join('–');

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

/** The row of a relation: the best head, below it that of the other direction. @param {{row: Row, t: Words,
 *     on: import('../study.js').On, oneBased: boolean}} of @param {boolean} pressed
 * @param {() => void} onChoose */
function cellsOf({row, t, on, oneBased}, pressed, onChoose) {
    const {best, other, offset, baseline, n, random_layers: random} = row;
    const bests = [best, other];
    return [
        plainButton(nameOf(row, t), onChoose, {'aria-pressed': pressed}),
        n,
        bests.map(one =>
            h(
                'div',
                {key: one.direction},
                plainButton(placeName(one, oneBased), () => on.openWhere(exampleOf(row), one), {
                    'data-card': `${one.layer}.${one.head}`,
                }),
                ' ',
                h('small', null, t.parse.direction[one.direction]),
            ),
        ),
        bests.map(one =>
            h(
                'div',
                {key: one.direction, title: n < FEW ? t.parse.few : undefined},
                `${perCent(one.accuracy)} (${intervalOf(one)})`,
            ),
        ),
        h(Accuracy, {row, t}),
        `${perCent(offset.accuracy)} (${t.parse.offsetName(offset.offset)})`,
        verdictOf(row, t),
        ...(random ? [perCent(random.accuracy)] : []),
        ...(baseline
            ? [`${perCent(baseline.best.accuracy)} (${placeName(baseline.best, oneBased)})`]
            : []),
    ];
}

/** @param {string} name @param {() => void} onClick @param {Record<string, any>} [more] */
const plainButton = (name, onClick, more) =>
    buttonOf('plain', {key: 'button', onClick, ...more}, name);

/** Another relation, looked at from the side of its best head. @param {Pick<Props, 'state' | 'on'>} props @param {string} key */
const choose = ({state, on}, key) =>
    on.set(withSetting({...state, ...withSetting(state, 'way', '', '')}, 'relation', key, ''));

/** All relations by name: in the table most are out of sight. @param {Props} props */
const Chooser = ({state, data: {t}, on, scene: {rows, row}}) =>
    h(Pick, {
        ...{id: 'parse-relation', label: t.parse.relation, className: 'field measure-of'},
        value: keyOf(row),
        options: rows.map(one => ({value: keyOf(one), name: nameOf(one, t)})),
        onPick: key => choose({state, on}, key),
    });

/** @param {Props} props */
function Relations({state, data: {t}, on, scene}) {
    const {rows, row: shown, answer, otherName, oneBased} = scene;
    return h(StudyTable, {
        className: 'parse-table',
        caption: t.parse.caption,
        columns: [
            {name: t.parse.relation},
            numberColumn(t.parse.words),
            {name: t.parse.head},
            numberColumn(t.parse.accuracy),
            {kind: 'wide'},
            numberColumn(t.parse.offset),
            {name: t.judged.verdict},
            ...(rows.some(isDrawn) ? [numberColumn(t.judged.best)] : []),
            ...(answer.compared ? [numberColumn(t.parse.beside(otherName))] : []),
        ],
        rows: rows.map(row => ({
            key: `${row.several}${row.relation}`,
            chosen: row === shown,
            cells: cellsOf({row, t, on, oneBased}, row === shown, () =>
                choose({state, on}, keyOf(row)),
            ),
        })),
    });
}

/** Which of the two words looks. @param {Props} props */
const Ways = ({state, data: {t}, on, scene: {direction}}) =>
    h(
        'fieldset',
        {class: 'choice'},
        h('legend', null, t.parse.directions),
        h(
            'div',
            {class: 'picks'},
            [0, 1].map(value =>
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
                ),
            ),
        ),
    );

/** The best head of a relation and its best fixed offset, in the saved picture.
 * @param {Row} row @param {boolean} oneBased @param {Words} t */
const barsOf = (row, oneBased, t) => {
    const {relation, best, offset} = row;
    const bar = (/** @type {string} */ label, /** @type {Row['best'] | Row['offset']} */ of) => ({
        ...{label, value: of.accuracy, low: of.low, high: of.high},
    });
    const fixed = `${t.parse.offset} (${t.parse.offsetName(offset.offset)})`;
    return [
        {key: relation, ...bar(`${nameOf(row, t)}, ${placeName(best, oneBased)}`, best)},
        {key: `${relation}-`, base: true, ...bar(fixed, offset)},
    ];
};

/** The map of the relation that is shown. @param {Scene} shown @param {Words} t */
function mapOf(shown, t) {
    const {row, direction, name: nameAt} = shown;
    const values = row.accuracy[direction];
    const name = nameOf(row, t);
    return headMap(
        shown,
        {
            ...{values, format: perCent, label: name, most: 480},
            scale: {low: 0, high: Math.max(0.01, ...values.map(value => value ?? 0))},
            name: t.parse.mapName(name, t.parse.direction[direction], direction),
            say: i => t.parse.say({place: nameAt(i), n: row.n, value: perCent(Number(values[i]))}),
            onPick: (i, on) => on.openWhere(exampleOf(row), shown.place(i)),
        },
        t,
    );
}

/** The relations: on the page as a table, in a file the first ones as bars. @param {Scene} shown
 * @param {import('../../../draw/blocks.js').Look} look @param {Words} t */
const blocks = (shown, look, t) =>
    shown.row
        ? [
              look.file
                  ? section(t.parse.caption, [
                        rates(
                            shown.rows
                                .slice(0, SHOWN)
                                .flatMap(row => barsOf(row, shown.oneBased, t)),
                        ),
                    ])
                  : group(
                        inside => h('section', null, inside),
                        [page(Chooser), page(Relations), hint(t.parse.hint)],
                    ),
              section(nameOf(shown.row, t), [page(Ways), mapOf(shown, t)], {bare: true}),
          ]
        : [];

/** @param {Scene} scene @param {Words} t */
function table({rows, answer, otherName, oneBased}, t) {
    const cell = (/** @type {number | null} */ value) => numberCell(value, perCent);
    return {
        caption: t.parse.caption,
        columns: [
            ...[t.parse.words, t.parse.relation, t.parse.head, t.parse.directions],
            ...[t.parse.accuracy, '2.5 %', '97.5 %', t.parse.offset, t.parse.accuracy],
            ...[t.parse.p, t.judged.verdict],
            ...(rows.some(isDrawn) ? [t.judged.best] : []),
            ...(answer.compared ? [t.parse.beside(otherName)] : []),
        ],
        rows: rows.map(row => [
            row.n,
            {text: nameOf(row, t), user: /** @type {true} */ (true)},
            placeName(row.best, oneBased),
            t.parse.direction[row.best.direction],
            cell(row.best.accuracy),
            cell(row.best.low),
            cell(row.best.high),
            t.parse.offsetName(row.offset.offset),
            cell(row.offset.accuracy),
            row.p === null ? '' : {value: row.p, text: row.p.toPrecision(2)},
            verdictOf(row, t),
            ...(row.random_layers ? [cell(row.random_layers.accuracy)] : []),
            ...(row.baseline ? [cell(row.baseline.best.accuracy)] : []),
        ]),
    };
}

/** @param {Scene} scene @param {Words} t */
function say({row, oneBased}, t) {
    if (!row) return t.parse.noExample;
    const saysOf = (/** @type {Row['best']} */ one) => ({
        place: placeName(one, oneBased),
        accuracy: perCent(one.accuracy),
        way: t.parse.direction[one.direction],
        interval: intervalOf(one),
    });
    const more = {relation: nameOf(row, t), offset: perCent(row.offset.accuracy), n: row.n};
    const found = judgedSays(t.parse.describe({...saysOf(row.best), ...more}), row, t);
    return found + t.parse.otherWay(saysOf(row.other));
}

export const parseStudy = drawnStudy({
    id: 'parse',
    options: state => ({from: setting(state, FROM, 'mean')}),
    controls: (state, about, on, t) =>
        h(PickSetting, {
            id: 'parse-split',
            label: t.parse.from,
            ...{options: ['mean', 'first'], names: t.parse.froms, state, set: on.set, name: FROM},
        }),
    ...{scene, blocks, rows: table, say},
    sheet: {note: ({corpus, items, modelName}) => `${corpus}, ${items}; ${modelName}`},
});
