/* compare - two models on the same corpus, such as before and after fine-tuning (Pande et al. 2021,
 * question 3): roles gained and lost by layer and by head, and the change of attention to [SEP] or
 * of another measure in every head, tested by paired t tests.
 */
import {h} from 'preact';
import {page} from '../../../draw/blocks.js';
import {signed} from '../../../draw/chart.js';
import {changeColours, changeText, gainedLost} from './charts.js';
import {changesOf, isSignificant, movement} from './numbers.js';
import {headMap} from '../parts/headmap.js';
import {hint, section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {chart} from '../parts/plot.js';
import {common, drawnStudy, numberCell} from '../parts/sheet.js';
import {numberColumn, table} from '../parts/table.js';
import {refusal} from '../roles/legend.js';
import {RoleMark} from '../roles/look.js';
import {askedOf, pickRoles, printP, shownRoles, switchRole} from '../roles/numbers.js';
import {Thresholds} from '../roles/thresholds.js';
import {setting} from '../study.js';

/**
 * @import {Data, On, Words} from '../study.js'
 * @import {State} from '../../../state/state.js'
 * @import {Answer, Role} from './numbers.js'
 * @import {Look} from '../../../draw/blocks.js'
 * @typedef {ReturnType<typeof scene>} Scene
 * @typedef {{state: State, data: Data, on: On, scene: Scene}} Props
 */

const three = (/** @type {number | null} */ value) => (value === null ? '–' : signed(value, 3));

const measureName = (/** @type {string} */ measure, /** @type {Words} */ t) =>
    t.patterns.names[measure] ?? measure;
/** @param {readonly (number | null)[]} values */
const sizeOf = values => Math.max(1e-6, ...values.map(value => Math.abs(value ?? 0)));
/** The roles that are looked at, and the measure. @param {State} state @param {Data} data */
function scene(state, data) {
    const answer = /** @type {Answer} */ (data.answer);
    const m = Math.max(0, answer.measures.indexOf(setting(state, 'measure', 'sep')));
    const shown = shownRoles(state);
    return {...common(state, data), answer, m, shown, roles: pickRoles(answer, shown)};
}

/** What both maps of changes are drawn with. @param {readonly (number | null)[]} values
 * @param {number} high @param {Words} t */
const changeMap = (values, high, t) => ({
    ...{values, scale: {low: 0, high, signed: true}, rest: t.compare.rest},
});

/** @param {On} on @param {number} item of the corpus, -1 for none
 * @param {import('../study.js').Place} place */
const openItem = (on, item, place) => item >= 0 && on.openItem(item, place);

/** Every head with the roles that it gained and lost. @param {Scene} shown @param {Words} t */
function roleMap(shown, t) {
    const {roles, layers, heads, name, place} = shown;
    const changes = changesOf(roles, layers * heads);
    const names = (/** @type {string[]} */ list) =>
        list.map(role => t.roles.names[role]).join(t.comma);
    const values = changes.map(({gained, lost}) => gained.length - lost.length);
    const first = (/** @type {number} */ i) =>
        roles.find(({gained, lost}) => gained[i] || lost[i]) ?? roles[0];
    return headMap(
        shown,
        {
            ...changeMap(values, sizeOf([...values, 1]), t),
            name: t.compare.roleMap,
            format: value => signed(value, 0),
            say(i) {
                const {gained, lost, kept} = changes[i];
                return t.compare.sayRoles(name(i), names(gained), names(lost), names(kept));
            },
            onPick: (i, on) => openItem(on, first(i).item[i], place(i)),
            inside: i => h('span', {class: 'hm-text'}, changeText(changes[i])),
        },
        t,
    );
}

/** @param {Scene} shown @param {Look} look @param {Words} t */
function roleChanges(shown, {width, theme}, t) {
    const {roles, layers, oneBased} = shown;
    const drawn = gainedLost({roles, layers, width, theme, t, oneBased});
    return section(t.compare.roles, [
        chart({...drawn, label: drawn.says}),
        roles.length > 0 && roleMap(shown, t),
    ]);
}

/** @param {Props} props */
function Roles({state, data: {t, theme}, on, scene: {answer, shown}}) {
    return h(
        'fieldset',
        {class: 'role-row'},
        h('legend', null, t.compare.shown),
        answer.roles.map(role =>
            h(
                'label',
                {key: role.role, class: 'role-chip', title: refusal(role, t)},
                h('input', {
                    type: 'checkbox',
                    checked: shown.includes(role.role),
                    onChange: () => on.set(switchRole(state, role.role)),
                }),
                h(RoleMark, {role: role.role, theme, off: !role.testable}),
                `${t.roles.names[role.role]} ${
                    role.testable
                        ? `+${role.gained.filter(Boolean).length} \u2212${role.lost.filter(Boolean).length}`
                        : t.roles.notTested
                }`,
            ),
        ),
    );
}

/** @param {Props} props */
const WhichMeasure = ({state, data: {t}, on, scene: {answer, m}}) =>
    h(PickSetting, {
        ...{id: 'measure', className: 'field measure-of', label: t.patterns.measure},
        ...{options: answer.measures, names: t.patterns.names, value: answer.measures[m]},
        ...{state, set: on.set, name: 'measure', fallback: 'sep'},
    });

/** @param {Props} props */
function Movement({data: {t}, scene: {answer, m}}) {
    const {up, down, same} = movement(answer, m);
    return h(
        'p',
        {role: 'status', class: 'hint'},
        t.compare.movement(up, down, same, answer.alpha, answer.margin),
    );
}

/** The change of a measure in every head. @param {Scene} shown @param {Words} t */
function measureMap(shown, t) {
    const {answer, m, name, place} = shown;
    const values = answer.difference[m];
    return headMap(
        shown,
        {
            ...changeMap(values, sizeOf(values), t),
            name: t.compare.measureMap(measureName(answer.measures[m], t)),
            format: value => signed(value, 2),
            say: i =>
                t.compare.sayMeasure({
                    place: name(i),
                    before: three(answer.before[m][i]),
                    after: three(answer.after[m][i]),
                    difference: three(values[i]),
                    q: printP(answer.q[m][i]),
                }),
            onPick: (i, on) => openItem(on, answer.item[m][i], place(i)),
            inside: i =>
                isSignificant(answer.q[m][i], answer.alpha)
                    ? h('span', {class: 'hm-text'}, '*')
                    : null,
        },
        t,
    );
}

/** From the middle to the right where it rises. @param {{value: number, most: number, theme: string}}
 *     props */
function SignedBar({value, most, theme}) {
    const {up, down} = changeColours(theme);
    return h(
        'span',
        {class: 'signed-bar', 'aria-hidden': true},
        h('i', {
            style: {
                background: value < 0 ? down : up,
                width: `${(50 * Math.abs(value)) / most}%`,
                [value < 0 ? 'right' : 'left']: '50%',
            },
        }),
    );
}

/** Attention to [SEP], layer by layer: a table with bars. @param {Scene} scene @param {Look} look
 * @param {Words} t */
function sepLayers({answer, oneBased}, {theme}, t) {
    const {before, after, difference, low, high, q} = answer.sep_of_layers;
    const most = sizeOf(difference);
    const {before: was, after: is, difference: change} = t.compare;
    return section(t.compare.sep, [
        table({
            className: 'change-table',
            label: t.compare.sep,
            columns: [
                {name: t.map.layer},
                ...[was, is, change, t.roles.interval, 'q'].map(numberColumn),
                {kind: 'wide'},
            ],
            rows: difference.map((value, i) => ({
                key: i,
                cells: [
                    i === answer.layers ? t.compare.all : i + (oneBased ? 1 : 0),
                    three(before[i]),
                    three(after[i]),
                    three(value),
                    `[${three(low[i])}, ${three(high[i])}]`,
                    printP(q[i]),
                    h(SignedBar, {value: value ?? 0, most, theme}),
                ],
            })),
        }),
    ]);
}

/** Of the table: one row a head, with its change. @param {string} of what @param {(index: number) => string} head its
 * name @param {Pick<Role, 'n' | 'before' | 'after' | 'difference' | 'p' | 'q'>} numbers
 * @param {(index: number) => string} [change] */
const rowsOf = (of, head, {n, before, after, difference, p, q}, change = () => '') =>
    n.map((count, i) => [
        ...[of, head(i), count],
        ...[before, after, difference, p, q].map(all => numberCell(all[i])),
        change(i),
    ]);

/** The numbers of a measure. @param {Answer} answer @param {number} m */
const numbersOf = ({n, before, after, difference, p, q}, m) => ({
    ...{n: n[m], before: before[m], after: after[m]},
    ...{difference: difference[m], p: p[m], q: q[m]},
});

/** @param {Scene} shown @param {Look} look @param {Words} t */
const blocks = (shown, look, t) => [
    hint(t.compare.which(shown.modelName, shown.otherName)),
    sepLayers(shown, look, t),
    section(t.compare.measures, [page(WhichMeasure), page(Movement), measureMap(shown, t)], {
        bare: true,
    }),
    page(Thresholds),
    page(Roles),
    roleChanges(shown, look, t),
];

/** @param {Scene} scene @param {Words} t */
const rows = ({answer, name}, t) => ({
    caption: t.compare.caption,
    columns: [
        ...[t.compare.what, t.map.head, t.roles.n, t.compare.before, t.compare.after],
        ...[t.compare.difference, 'p', 'q', t.compare.change],
    ],
    rows: [
        ...answer.roles.flatMap(role =>
            rowsOf(t.roles.names[role.role], name, role, i =>
                role.gained[i] ? t.compare.gained : role.lost[i] ? t.compare.lost : '',
            ),
        ),
        ...answer.measures.flatMap((measure, m) =>
            rowsOf(measureName(measure, t), name, numbersOf(answer, m)),
        ),
    ],
});

/** @param {Scene} scene @param {Words} t */
function say({answer, roles}, t) {
    const {difference, before, after} = answer.sep_of_layers;
    const count = (/** @type {'gained' | 'lost'} */ what) =>
        roles.reduce((sum, role) => sum + role[what].filter(Boolean).length, 0);
    const last = answer.layers;
    return t.compare.describe({
        before: three(before[last]),
        after: three(after[last]),
        difference: three(difference[last]),
        gained: count('gained'),
        lost: count('lost'),
    });
}

export const compareStudy = drawnStudy({
    id: 'compare',
    options: state => ({direction: setting(state, 'direction', 'dependent')}),
    ask: askedOf,
    ...{scene, blocks, rows, say},
    sheet: {
        note: ({modelName, otherName, corpus}, t) =>
            `${t.compare.before}: ${modelName}; ${t.compare.after}: ${otherName}; ${corpus}`,
    },
});
