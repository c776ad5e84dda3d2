/* roles - the functional roles of each head over a corpus (Pande et al. 2021, "The Heads
 * Hypothesis"): the map of coloured dots, roles per layer, combinations of roles, the p-values, and
 * one head in detail. Scores and tests: src/study/roles.c.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {setting} from '../study.js';
import {pChart, scoreChart} from './charts.js';
import {Layers, layersSvg} from './layers.js';
import {Legend, Refusals, refusal} from './legend.js';
import {RoleMap, roleMapSvg} from './map.js';
import {
    askedOf,
    chosenHead,
    chosenRole,
    intersections,
    pickRoles,
    printScore,
    rolesOfHeads,
    shownRoles,
    withPublished,
} from './numbers.js';
import {Panel} from './panel.js';
import {Thresholds} from './thresholds.js';
import {keyOf, UpSet, upsetSvg} from './upset.js';
import {Chart} from '../parts/plot.js';
import {PickSetting} from '../parts/pick.js';
import {placeName, placeOf, sheet} from '../parts/sheet.js';

/**
 * @typedef {import('../study.js').StudyView} StudyView
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').On} On
 * @typedef {import('../../../state/state.js').State} State
 * @typedef {import('./numbers.js').Answer} Answer
 * @typedef {import('./numbers.js').Role} Role
 */

const DIRECTIONS = /** @type {const} */ (['dependent', 'governor', 'both']);
const WIDEST = 560;

/** A head and what it does, in a sentence. @param {State} state @param {Data} data
 * @param {string[]} own @param {number} index */
function sayHead({oneBased}, {answer, t}, own, index) {
    const place = placeName(placeOf(index, answer.heads), oneBased);
    const means = own.map(
        name =>
            `${t.roles.names[name]} ${printScore(answer.roles.find((/** @type {any} */ one) => one.role === name).mean[index])}`,
    );
    return t.roles.say(place, means.join(', '));
}

/** The heads with their roles as dots; a combination that is lit up stands out.
 * @param {{state: State, data: Data, on: On, roles: Role[], chosen: number,
 *     lit: string | null, drawn: {layers: number, heads: number, theme: string, t: Data['t'],
 *     oneBased: boolean}}} props */
function MapOfRoles({state, data, on, roles, drawn, chosen, lit}) {
    const {t, width} = data;
    const {layers, heads} = drawn;
    const of = rolesOfHeads(roles, layers * heads);
    const group =
        lit === null ? undefined : intersections(of).find(one => keyOf(one.roles) === lit);
    return h(RoleMap, {
        ...drawn,
        of,
        width: width > 700 ? width - 300 : width,
        label: t.roles.map,
        chosen,
        lit: group ? new Set(group.heads) : null,
        say: index => sayHead(state, data, of[index], index),
        onPick: index => on.set({opened: `${Math.floor(index / heads)}.${index % heads}`}),
    });
}

/** @param {{data: Data, roles: Role[]}} props */
function PValues({data: {t, theme, width: available}, roles}) {
    const width = Math.min(WIDEST, available);
    const {tree, height, says} = pChart({roles, width, theme, t});
    return h(
        'section',
        null,
        h('h3', null, t.roles.pTitle),
        h('p', {class: 'hint'}, says),
        h(Chart, {width, height, label: says, children: tree}),
    );
}

/** @param {{state: State, data: Data, on: On}} props */
function Roles({state, data, on}) {
    const {t, theme} = data;
    const answer = /** @type {Answer} */ (data.answer);
    const {layers, heads} = answer;
    const [lit, setLit] = useState(/** @type {string | null} */ (null));
    const shown = shownRoles(state);
    const roles = pickRoles(answer, shown);
    const chosen = chosenHead(state, answer, roles);
    const drawn = {layers, heads, theme, t, oneBased: state.oneBased};
    return h(
        'div',
        {class: 'roles'},
        h(Thresholds, {state, data, on}),
        h(Refusals, {answer, shown, t}),
        h(
            'section',
            {class: 'role-main'},
            h(
                'div',
                null,
                h('h3', null, t.roles.map),
                h(MapOfRoles, {state, data, on, roles, drawn, chosen, lit}),
            ),
            h(Legend, {state, answer, otherName: data.otherName, shown, theme, t, on}),
        ),
        h(Panel, {state, data, on, roles, head: chosen}),
        h('section', null, h('h3', null, t.roles.perLayer), h(Layers, {...drawn, roles})),
        h(
            'section',
            null,
            h('h3', null, t.roles.overlap),
            h('p', {class: 'hint'}, t.roles.overlapHint),
            h(UpSet, {
                ...{roles, count: layers * heads, perLayer: heads, oneBased: state.oneBased},
                ...{theme, t, lit, onLight: setLit},
            }),
        ),
        h(PValues, {data, roles}),
    );
}

const cell = (/** @type {number | null} */ value) =>
    value === null ? '' : {value, text: String(Number(value.toPrecision(4)))};

/** Of the table: a role in each head. @param {Role} role
 * @param {number} heads @param {boolean} oneBased @param {Data['t']['roles']} t
 * @param {boolean} compared with random weights */
function rowsOf(role, heads, oneBased, t, compared) {
    const first = oneBased ? 1 : 0;
    return role.n.map((n, i) => [
        t.names[role.role],
        placeName(placeOf(i, heads), oneBased),
        Math.floor(i / heads) + first,
        (i % heads) + first,
        n,
        cell(role.mean[i]),
        cell(role.sd[i]),
        cell(role.sd_sample[i]),
        cell(role.low[i]),
        cell(role.high[i]),
        cell(role.t[i]),
        cell(role.p[i]),
        cell(role.q[i]),
        cell(role.ceiling),
        role.has[i] ? t.yes : role.testable ? t.no : t.notTested,
        ...(compared ? [cell(role.baseline?.mean[i] ?? null)] : []),
    ]);
}

/** @type {StudyView} */
export const rolesStudy = {
    id: 'roles',
    study: 'roles',
    options: state => ({direction: setting(state, 'direction', 'dependent')}),
    ask: askedOf,
    controls: (state, about, on, {roles: t}) =>
        about.words &&
        h(PickSetting, {
            id: 'direction',
            label: t.direction,
            options: DIRECTIONS.map(value => ({value, name: t.directions[value]})),
            ...{state, set: on.set, name: 'direction', fallback: 'dependent'},
        }),
    render: (state, data, on) => h(Roles, {state, data, on}),
    svg(state, data, t) {
        const {width, theme} = data;
        const answer = /** @type {Answer} */ (data.answer);
        const {layers, heads} = answer;
        const roles = pickRoles(answer, shownRoles(state));
        const head = chosenHead(state, answer, roles);
        const role = chosenRole(state, roles, head);
        const drawn = {layers, heads, theme, t, width, oneBased: state.oneBased};
        const scores = role && scoreChart({role, head, width: Math.min(WIDEST, width), theme, t});
        const place = placeName(placeOf(head, heads), state.oneBased);
        return sheet({
            title: t.studies.roles.title,
            note: t.roles.note(data.modelName, data.corpus.name, answer),
            width,
            theme,
            blocks: [
                {
                    title: t.roles.map,
                    ...roleMapSvg({...drawn, of: rolesOfHeads(roles, layers * heads)}),
                },
                {title: t.roles.perLayer, ...layersSvg({...drawn, roles})},
                {
                    title: t.roles.overlap,
                    ...upsetSvg({roles, count: layers * heads, theme, t, width}),
                },
                {
                    title: t.roles.pTitle,
                    ...pChart({roles, width: Math.min(WIDEST, width), theme, t}),
                },
                ...(scores && role
                    ? [
                          {
                              title: `${t.map.name(place)}: ${t.roles.scoresOf(t.roles.names[role.role])}`,
                              ...scores,
                          },
                      ]
                    : []),
            ],
        });
    },
    table(state, {answer, otherName}, {roles: t}) {
        const {heads} = /** @type {Answer} */ (answer);
        const rows = withPublished(
            pickRoles(/** @type {Answer} */ (answer), shownRoles(state)),
        ).flatMap(role => rowsOf(role, heads, state.oneBased, t, answer.compared));
        return {
            caption: t.caption,
            columns: [
                t.role,
                t.head,
                t.layer,
                t.headNumber,
                t.n,
                t.mean,
                t.sds.population,
                t.sds.sample,
                t.low,
                t.high,
                't',
                'p',
                'q',
                t.ceilingName,
                t.has,
                ...(answer.compared ? [otherName] : []),
            ],
            rows,
        };
    },
    describe(state, {answer}, t) {
        const roles = pickRoles(/** @type {Answer} */ (answer), shownRoles(state));
        const count = rolesOfHeads(roles, answer.layers * answer.heads).filter(
            list => list.length,
        ).length;
        const each = roles
            .filter(({testable, has}) => testable && has.some(Boolean))
            .map(({role, has}) => `${t.roles.names[role]} ${has.filter(Boolean).length}`);
        const refused = roles.filter(({why}) => why === 'ceiling').map(role => refusal(role, t));
        return [
            t.roles.describe(answer.tau, count, answer.layers * answer.heads, each.join(', ')),
            ...refused,
        ].join(' ');
    },
};
