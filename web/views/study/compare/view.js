/* compare - two models on the same corpus, such as before and after fine-tuning (Pande et al. 2021,
 * question 3): roles gained and lost by layer and by head, and the change of attention to [SEP] or
 * of another measure in every head, tested by paired t tests.
 */
import {h} from 'preact';
import {signed} from '../../../draw/chart.js';
import {changeColours, changeText, gainedLost} from './charts.js';
import {changesOf, isSignificant, movement} from './numbers.js';
import {Chart} from '../parts/plot.js';
import {HeadMap, headMapSvg} from '../parts/headmap.js';
import {Pick} from '../parts/pick.js';
import {placeName, placeOf, sheet} from '../parts/sheet.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {refusal} from '../roles/legend.js';
import {RoleMark} from '../roles/look.js';
import {askedOf, pickRoles, printP, shownRoles, showRoles} from '../roles/numbers.js';
import {Thresholds} from '../roles/thresholds.js';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {import('../study.js').StudyView} StudyView
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').On} On
 * @typedef {import('../../../state/state.js').State} State
 * @typedef {import('./numbers.js').Answer} Answer
 * @typedef {import('./numbers.js').Role} Role
 * @typedef {{state: State, data: Data, on: On, answer: Answer}} Props
 */

const three = (/** @type {number | null} */ value) => (value === null ? '–' : signed(value, 3));

/** @param {State} state @param {Answer} answer */
const measureIn = (state, {measures}) =>
    Math.max(0, measures.indexOf(setting(state, 'measure', 'sep')));
/** @param {readonly (number | null)[]} values */
const sizeOf = values => Math.max(1e-6, ...values.map(value => Math.abs(value ?? 0)));
/** @param {State} state @param {Answer} answer */
const rolesIn = (state, answer) => pickRoles(answer, shownRoles(state));

/** What is sayable of a head in a measure. @param {State} state @param {Answer} answer
 * @param {number} m @param {Data['t']} t */
const sayMeasure =
    ({oneBased}, answer, m, t) =>
    (/** @type {number} */ i) =>
        t.compare.sayMeasure({
            place: placeName(placeOf(i, answer.heads), oneBased),
            before: three(answer.before[m][i]),
            after: three(answer.after[m][i]),
            difference: three(answer.difference[m][i]),
            q: printP(answer.q[m][i]),
        });

/** What both maps of changes are drawn with. @param {Props} props
 * @param {readonly (number | null)[]} values @param {string} name */
const changeMap = ({state, data: {t, theme, width}, answer: {layers, heads}}, values, name) => ({
    ...{values, layers, heads, theme, width, t, name},
    label: name,
    scale: {low: 0, high: sizeOf(values), signed: true},
    oneBased: state.oneBased,
    rest: t.compare.rest,
});

/** @param {On} on @param {number} item of the corpus, -1 for none @param {number} i of a head
 * @param {number} heads */
function openItem(on, item, i, heads) {
    if (item >= 0) on.openItem(item, placeOf(i, heads));
}

/** @param {Props & {roles: Role[]}} props */
function RoleChanges(props) {
    const {state, data, on, answer, roles} = props;
    const {t, theme, width} = data;
    const {layers, heads} = answer;
    const changes = changesOf(roles, layers * heads);
    const chart = gainedLost({roles, layers, width, theme, t, oneBased: state.oneBased});
    const names = (/** @type {string[]} */ list) =>
        list.map(role => t.roles.names[role]).join(', ');
    const values = changes.map(({gained, lost}) => gained.length - lost.length);
    const first = (/** @type {number} */ i) =>
        roles.find(({gained, lost}) => gained[i] || lost[i]) ?? roles[0];
    return h(
        'section',
        null,
        h('h3', null, t.compare.roles),
        h(Chart, {...chart, label: chart.says, children: chart.tree}),
        roles.length > 0 &&
            h(HeadMap, {
                ...changeMap(props, values, t.compare.roleMap),
                scale: {low: 0, high: sizeOf([...values, 1]), signed: true},
                format: value => signed(value, 0),
                say: i =>
                    t.compare.sayRoles(
                        placeName(placeOf(i, heads), state.oneBased),
                        names(changes[i].gained),
                        names(changes[i].lost),
                        names(changes[i].kept),
                    ),
                onPick: i => openItem(on, first(i).item[i], i, heads),
                inside: i => h('span', {class: 'hm-text'}, changeText(changes[i])),
            }),
    );
}

/** @param {Props} props */
function Roles({state, data: {t, theme}, on, answer}) {
    const shown = shownRoles(state);
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
                    onChange: () =>
                        on.set(
                            showRoles(
                                state,
                                shown.includes(role.role)
                                    ? shown.filter(name => name !== role.role)
                                    : [...shown, role.role],
                            ),
                        ),
                }),
                h(RoleMark, {role: role.role, theme, off: !role.testable}),
                t.roles.names[role.role],
                role.testable
                    ? ` +${role.gained.filter(Boolean).length} \u2212${
                          role.lost.filter(Boolean).length
                      }`
                    : ` ${t.roles.notTested}`,
            ),
        ),
    );
}

/** @param {Props} props */
function Measures(props) {
    const {state, data, on, answer} = props;
    const {t} = data;
    const {heads, measures, alpha} = answer;
    const m = measureIn(state, answer);
    const values = answer.difference[m];
    const name = (/** @type {string} */ measure) => t.patterns.names[measure] ?? measure;
    const {up, down, same} = movement(answer, m);
    return h(
        'section',
        null,
        h('h3', null, t.compare.measures),
        h(Pick, {
            id: 'measure',
            className: 'field measure-of',
            label: t.patterns.measure,
            value: measures[m],
            options: measures.map(measure => ({value: measure, name: name(measure)})),
            onPick: value => on.set(withSetting(state, 'measure', value, 'sep')),
        }),
        h(
            'p',
            {role: 'status', class: 'hint'},
            t.compare.movement(up, down, same, alpha, answer.margin),
        ),
        h(HeadMap, {
            ...changeMap(props, values, t.compare.measureMap(name(measures[m]))),
            say: sayMeasure(state, answer, m, t),
            format: value => signed(value, 2),
            onPick: i => openItem(on, answer.item[m][i], i, heads),
            inside: i =>
                isSignificant(answer.q[m][i], alpha) ? h('span', {class: 'hm-text'}, '*') : null,
        }),
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

/** Attention to [SEP], layer by layer: a table with bars. @param {Props} props */
function SepLayers({state, data: {t, theme}, answer}) {
    const {before, after, difference, low, high, q} = answer.sep_of_layers;
    const most = sizeOf(difference);
    return h(
        'section',
        null,
        h('h3', null, t.compare.sep),
        h(StudyTable, {
            className: 'change-table',
            label: t.compare.sep,
            columns: [
                {name: t.map.layer},
                ...[
                    t.compare.before,
                    t.compare.after,
                    t.compare.difference,
                    t.roles.interval,
                    'q',
                ].map(numberColumn),
                {kind: 'wide'},
            ],
            rows: difference.map((value, i) => ({
                key: i,
                cells: [
                    i === answer.layers ? t.compare.all : i + (state.oneBased ? 1 : 0),
                    three(before[i]),
                    three(after[i]),
                    three(value),
                    `[${three(low[i])}, ${three(high[i])}]`,
                    printP(q[i]),
                    h(SignedBar, {value: value ?? 0, most, theme}),
                ],
            })),
        }),
    );
}

const cell = (/** @type {number | null} */ value) =>
    value === null ? '' : {value, text: String(Number(value.toPrecision(4)))};

/** Of the table: one row a head, with its change. @param {Role} role
 * @param {(index: number) => string} head its name @param {Data['t']} t */
const roleRows = (role, head, t) =>
    role.n.map((n, i) => [
        t.roles.names[role.role],
        head(i),
        n,
        cell(role.before[i]),
        cell(role.after[i]),
        cell(role.difference[i]),
        cell(role.p[i]),
        cell(role.q[i]),
        role.gained[i] ? t.compare.gained : role.lost[i] ? t.compare.lost : '',
    ]);

/** @param {Answer} answer @param {number} m the measure @param {(index: number) => string} head
 * @param {Data['t']} t */
const measureRows = (answer, m, head, t) =>
    answer.n[m].map((n, i) => [
        t.patterns.names[answer.measures[m]] ?? answer.measures[m],
        head(i),
        n,
        cell(answer.before[m][i]),
        cell(answer.after[m][i]),
        cell(answer.difference[m][i]),
        cell(answer.p[m][i]),
        cell(answer.q[m][i]),
        '',
    ]);

/** @type {StudyView} */
export const compareStudy = {
    id: 'compare',
    study: 'compare',
    options: state => ({direction: setting(state, 'direction', 'dependent')}),
    ask: askedOf,
    render(state, data, on) {
        const answer = /** @type {Answer} */ (data.answer);
        const props = {state, data, on, answer};
        return h(
            'div',
            {class: 'model-pair'},
            h('p', {class: 'hint'}, data.t.compare.which(data.modelName, data.otherName)),
            h(SepLayers, props),
            h(Measures, props),
            h(Thresholds, {state, t: data.t, on}),
            h(Roles, props),
            h(RoleChanges, {...props, roles: rolesIn(state, answer)}),
        );
    },
    svg(state, data, t) {
        const answer = /** @type {Answer} */ (data.answer);
        const {layers, heads} = answer;
        const {width, theme} = data;
        const m = measureIn(state, answer);
        const [changes, roles] = [answer.difference[m], rolesIn(state, answer)];
        const gains = changesOf(roles, layers * heads).map(
            ({gained, lost}) => gained.length - lost.length,
        );
        const drawn = {layers, heads, theme, t, width, oneBased: state.oneBased};
        return sheet({
            title: t.studies.compare.title,
            note: `${t.compare.before}: ${data.modelName}; ${t.compare.after}: ${data.otherName}; ${data.corpus.name}`,
            width,
            theme,
            blocks: [
                headMapSvg({
                    ...drawn,
                    values: changes,
                    scale: {low: 0, high: sizeOf(changes), signed: true},
                    name: t.compare.measureMap(
                        t.patterns.names[answer.measures[m]] ?? answer.measures[m],
                    ),
                }),
                {title: t.compare.roles, ...gainedLost({...drawn, roles})},
                headMapSvg({
                    ...drawn,
                    values: gains,
                    scale: {low: 0, high: sizeOf([...gains, 1]), signed: true},
                    name: t.compare.roleMap,
                    format: value => signed(value, 0),
                }),
            ],
        });
    },
    table(state, {answer: all}, t) {
        const answer = /** @type {Answer} */ (all);
        const head = (/** @type {number} */ i) =>
            placeName(placeOf(i, answer.heads), state.oneBased);
        return {
            caption: t.compare.caption,
            columns: [
                t.compare.what,
                t.map.head,
                t.roles.n,
                t.compare.before,
                t.compare.after,
                t.compare.difference,
                'p',
                'q',
                t.compare.change,
            ],
            rows: [
                ...answer.roles.flatMap(role => roleRows(role, head, t)),
                ...answer.measures.flatMap((_, m) => measureRows(answer, m, head, t)),
            ],
        };
    },
    describe(state, {answer}, t) {
        const {difference, before, after} = answer.sep_of_layers;
        const roles = rolesIn(state, answer);
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
    },
};
