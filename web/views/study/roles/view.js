/* roles - the functional roles of each head over a corpus (Pande et al. 2021, "The Heads
 * Hypothesis"): the map of coloured dots, roles per layer, combinations of roles, the p-values, and
 * one head in detail. Scores and tests: src/study/kinds/roles.c.
 */
import {h} from 'preact';
import {page} from '../../../draw/blocks.js';
import {headMark} from '../../parts/mark.js';
import {headMap} from '../parts/headmap.js';
import {box, hint, section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {common, drawnStudy, numberCell} from '../parts/sheet.js';
import {setting} from '../study.js';
import {pChart, scoreChart} from './charts.js';
import {roleLayers} from './layers.js';
import {Legend, Refusals, refusal} from './legend.js';
import {disc} from './look.js';
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
import {keyOf, upset} from './upset.js';

/**
 * @import {Data, Words} from '../study.js'
 * @import {Look} from '../../../draw/blocks.js'
 * @import {State} from '../../../state/state.js'
 * @import {Answer, Role} from './numbers.js'
 * @typedef {ReturnType<typeof scene>} Scene
 */

const DIRECTIONS = /** @type {const} */ (['dependent', 'governor', 'both']);
const LEGEND = 300; // px beside the map

/** The roles that are shown, the roles of each head, the head and role looked at.
 * @param {State} state @param {Data} data */
function scene(state, data) {
    const answer = /** @type {Answer} */ (data.answer);
    const {layers, heads} = answer;
    const shown = shownRoles(state);
    const roles = pickRoles(answer, shown);
    const chosen = chosenHead(state, answer, roles);
    return {
        ...{...common(state, data), answer, layers, heads, shown, roles, chosen},
        of: rolesOfHeads(roles, layers * heads),
        role: chosenRole(state, roles, chosen),
    };
}

/** A head and what it does, in a sentence. @param {Scene} scene @param {number} index @param {Words} t */
function sayHead({roles, name}, index, t) {
    const means = roles
        .filter(({has}) => has[index])
        .map(({role, mean}) => `${t.roles.names[role]} ${printScore(mean[index])}`);
    return t.roles.say(name(index), means.join(t.comma));
}

/** The heads with their roles as dots (the article's), and what these are. @param {Scene} shown @param {Look} look
 * @param {Words} t */
function mapOfRoles(shown, {width}, t) {
    const {of, heads, name, chosen} = shown;
    const given = {
        ...{id: 'map', name: t.roles.map, rest: t.roles.rest, chosen, atOnce: true},
        ...{least: 20, most: width > 700 ? width - LEGEND : width},
        mark: {
            class: 'role-cell',
            paint: (
                /** @type {number} */ index,
                /** @type {number} */ radius,
                /** @type {string} */ theme,
            ) => disc({roles: of[index], radius, theme}),
            title: (/** @type {number} */ index) => `${name(index)}: ${of[index].join(t.comma)}`,
        },
        say: (/** @type {number} */ index) => sayHead(shown, index, t),
        onPick: (/** @type {number} */ index, /** @type {any} */ on) =>
            on.set({opened: `${Math.floor(index / heads)}.${index % heads}`}),
    };
    return section(t.roles.map, [headMap(shown, given, t)]);
}

/** The scores of the head in the role, in a file. @param {Scene} scene @param {Look} look
 * @param {Words} t */
function scores({role, chosen, name}, look, t) {
    const title = `${t.map.name(name(chosen))}: ${role ? t.roles.scoresOf(t.roles.names[role.role]) : ''}`;
    return look.file && role !== undefined && section(title, [scoreChart(role, chosen, look, t)]);
}

/** @param {Scene} shown @param {Look} look @param {Words} t */
function blocks(shown, look, t) {
    const {roles, layers, heads, oneBased, name, place} = shown;
    const {says, block: pValues} = pChart(roles, look, t);
    return [
        page(Thresholds),
        page(Refusals),
        box([mapOfRoles(shown, look, t), page(Legend)], 'role-main'),
        page(Panel),
        section(t.roles.perLayer, [roleLayers({roles, layers, heads, oneBased, t})]),
        section(t.roles.overlap, [
            hint(t.roles.overlapHint),
            upset({
                ...{roles, count: layers * heads, t},
                headOf: i => headMark(t, place(i), name(i)),
            }),
        ]),
        section(t.roles.pTitle, [hint(says), pValues]),
        scores(shown, look, t),
    ];
}

/** The heads of the combination that is lit. @param {Scene} scene
 * @param {{local: {lit: string | null}}} pointed */
function over({of}, {local: {lit}}) {
    const found = intersections(of).find(({roles}) => keyOf(roles) === lit);
    return found ? {map: {lit: new Set(found.heads)}} : null;
}

/** Of the table: a role in each head. @param {Role} role @param {Scene} scene
 * @param {Words['roles']} t */
function rowsOf(role, {answer: {compared}, oneBased, name, place}, t) {
    const first = oneBased ? 1 : 0;
    const {mean, sd, sd_sample: sample, low, high, p, q, baseline} = role;
    return role.n.map((n, i) => [
        t.names[role.role],
        name(i),
        place(i).layer + first,
        place(i).head + first,
        n,
        ...[mean, sd, sample, low, high, role.t, p, q].map(of => numberCell(of[i])),
        numberCell(role.ceiling),
        role.has[i] ? t.yes : role.testable ? t.no : t.notTested,
        ...(compared ? [numberCell(baseline?.mean[i] ?? null)] : []),
    ]);
}

/** @param {Scene} shown @param {Words} words */
function rows(shown, {roles: t}) {
    const {answer, roles, otherName} = shown;
    return {
        caption: t.caption,
        columns: [
            ...[t.role, t.head, t.layer, t.headNumber, t.n, t.mean, t.sds.population],
            ...[t.sds.sample, t.low, t.high, 't', 'p', 'q', t.ceilingName, t.has],
            ...(answer.compared ? [otherName] : []),
        ],
        rows: withPublished(roles).flatMap(role => rowsOf(role, shown, t)),
    };
}

/** @param {Scene} scene @param {Words} t */
function say({answer: {tau}, roles, of}, t) {
    const each = roles
        .filter(({testable, has}) => testable && has.some(Boolean))
        .map(({role, has}) => `${t.roles.names[role]} ${has.filter(Boolean).length}`);
    const refused = roles.filter(({why}) => why === 'ceiling').map(role => refusal(role, t));
    const count = of.filter(list => list.length).length;
    return [t.roles.describe(tau, count, of.length, each.join(t.comma)), ...refused].join(' ');
}

export const rolesStudy = drawnStudy({
    id: 'roles',
    options: state => ({direction: setting(state, 'direction', 'dependent')}),
    ask: askedOf,
    controls: (state, about, on, {roles: t}) =>
        about.words &&
        h(PickSetting, {
            id: 'direction',
            label: t.direction,
            ...{options: DIRECTIONS, names: t.directions, fallback: 'dependent'},
            ...{state, set: on.set, name: 'direction'},
        }),
    ...{scene, blocks, over, rows, say},
    local: {lit: null},
    sheet: {note: ({modelName, corpus, answer}, t) => t.roles.note(modelName, corpus, answer)},
});
