/* panel - one head: its mean, spread, number of texts, interval, p and q in each role, the
 * distribution of its scores in one of them, and a way to see it at work on the text where that
 * score is highest.
 */
import {h} from 'preact';
import {headMark} from '../../parts/mark.js';
import {Chart} from '../parts/plot.js';
import {placeName, placeOf} from '../parts/sheet.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {scoreChart} from './charts.js';
import {refusal} from './legend.js';
import {RoleMark} from './look.js';
import {baselineOf, chosenRole, printP, printScore, withPublished} from './numbers.js';

/**
 * @typedef {import('../../../state/state.js').State} State
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').On} On
 * @typedef {import('./numbers.js').Role} Role
 * @typedef {{state: State, data: Data, on: On, roles: readonly Role[], head: number}} Props
 */

const WIDEST = 560;

/** The row of a role. @param {Props} props @param {Role} role @param {boolean} chosen */
function cellsOf({data: {answer, t, theme}, on, head}, role, chosen) {
    const beside = baselineOf(role);
    const {low, high, testable} = role;
    const sd = answer.sd === 'sample' ? role.sd_sample : role.sd;
    return [
        h(
            'button',
            {
                type: 'button',
                class: 'plain role-pick',
                'aria-pressed': chosen,
                onClick: () => on.set({role: role.role}),
            },
            h(RoleMark, {role: role.role, theme, off: !testable}),
            t.roles.names[role.role],
        ),
        printScore(role.mean[head]),
        printScore(sd[head]),
        role.n[head],
        low[head] === null ? '–' : `[${printScore(low[head])}, ${printScore(high[head])}]`,
        printP(role.p[head]),
        printP(role.q[head]),
        !testable ? t.roles.notTested : role.has[head] ? t.roles.yes : t.roles.no,
        ...(!answer.compared
            ? []
            : beside && beside.mean !== null
              ? [`${printScore(beside.mean)} (≤ ${printScore(beside.most)})`]
              : ['']),
    ];
}

/** @param {Props & {role: Role}} props */
function Scores({data, on, role, head}) {
    const {answer, t, theme, width: room} = data;
    const width = Math.min(WIDEST, room);
    const chart = scoreChart({role, head, width, theme, t});
    const place = placeOf(head, answer.heads);
    const [name, item] = [t.roles.names[role.role], role.item[head]];
    if (!chart) return h('p', {class: 'hint'}, t.roles.noScores(name));
    return h(
        'div',
        {class: 'role-scores'},
        h('h4', null, t.roles.scoresOf(name)),
        h(Chart, {
            width,
            height: chart.height,
            label: t.roles.scoresSay(name, printScore(role.mean[head]), role.n[head]),
            children: chart.tree,
        }),
        role.testable ? null : h('p', {class: 'hint'}, refusal(role, t)),
        item !== null &&
            item >= 0 &&
            h(
                'button',
                {type: 'button', class: 'plain', onClick: () => on.openItem(item, place)},
                t.roles.open(item + 1, printScore(role.max[head])),
            ),
    );
}

/** @param {Props} props */
export function Panel(props) {
    const {state, data, roles, head} = props;
    const {answer, t} = data;
    const chosen = chosenRole(state, roles, head);
    const place = placeName(placeOf(head, answer.heads), state.oneBased);
    const own = roles.filter(({has}) => has[head]).map(({role}) => t.roles.names[role]);
    if (!chosen) return null;
    return h(
        'section',
        {class: 'role-panel', 'aria-label': t.map.name(place)},
        h('h3', null, headMark(t, placeOf(head, answer.heads), t.map.name(place))),
        h(
            'p',
            {role: 'status', class: 'hint'},
            own.length ? t.roles.hasRoles(own.join(', ')) : t.roles.hasNone,
        ),
        h(StudyTable, {
            className: 'role-table',
            label: t.roles.tests,
            columns: [
                {name: t.roles.role},
                ...[
                    ...[t.roles.mean, t.roles.sdShort, t.roles.n, t.roles.interval],
                    ...['p', 'q'],
                ].map(numberColumn),
                {name: t.roles.has},
                ...(answer.compared ? [numberColumn(t.roles.beside(data.otherName))] : []),
            ],
            rows: withPublished(roles).map(role => ({
                key: role.role,
                chosen: role.role === chosen.role,
                cells: cellsOf(props, role, role.role === chosen.role),
            })),
        }),
        h(Scores, {...props, role: chosen}),
    );
}
