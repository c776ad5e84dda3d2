/* panel - one head: its mean, spread, number of texts, interval, p and q in each role, the
 * distribution of its scores in one of them, and a way to see it at work on the text where that
 * score is highest.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {headMark} from '../../parts/mark.js';
import {numberColumn, StudyTable} from '../parts/table.js';
import {scoreChart} from './charts.js';
import {refusal} from './legend.js';
import {RoleMark} from './look.js';
import {baselineOf, printP, printScore, withPublished} from './numbers.js';

/**
 * @import {Data, On} from '../study.js'
 * @import {Role} from './numbers.js'
 * @typedef {{data: Data, on: On, look: import('../../../draw/blocks.js').Look,
 *     scene: import('./view.js').Scene}} Props
 */

/** The row of a role. @param {Props} props @param {Role} role @param {boolean} chosen */
function cellsOf({data: {t, theme}, on, scene: {answer, chosen: head}}, role, chosen) {
    const beside = baselineOf(role);
    const {low, high, testable} = role;
    const sd = answer.sd === 'sample' ? role.sd_sample : role.sd;
    return [
        buttonOf(
            'plain role-pick',
            {'aria-pressed': chosen, onClick: () => on.set({role: role.role})},
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

/** @param {Props} props */
function Scores(props) {
    const {
        data: {t},
        on,
        look,
        scene: {chosen: head, place},
    } = props;
    const role = /** @type {Role} */ (props.scene.role);
    const block = scoreChart(role, head, look, t);
    const [name, item] = [t.roles.names[role.role], role.item[head]];
    if (!block) return h('p', {class: 'hint'}, t.roles.noScores(name));
    return h(
        'div',
        {class: 'role-scores'},
        h('h4', null, t.roles.scoresOf(name)),
        h(/** @type {any} */ (block.kind.Html), {block}),
        role.testable ? null : h('p', {class: 'hint'}, refusal(role, t)),
        item !== null &&
            item >= 0 &&
            buttonOf(
                'plain',
                {onClick: () => on.openItem(item, place(head))},
                t.roles.open(item + 1, printScore(role.max[head])),
            ),
    );
}

/** @param {Props} props */
export function Panel(props) {
    const {
        data: {t},
        scene: {answer, otherName, roles, chosen: head, role: chosen, place, name},
    } = props;
    const title = t.map.name(name(head));
    const own = roles.filter(({has}) => has[head]).map(({role}) => t.roles.names[role]);
    if (!chosen) return null;
    return h(
        'section',
        {class: 'role-panel', 'aria-label': title},
        h('h3', null, headMark(t, place(head), title)),
        h(
            'p',
            {role: 'status', class: 'hint'},
            own.length ? t.roles.hasRoles(own.join(t.comma)) : t.roles.hasNone,
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
                ...(answer.compared ? [numberColumn(t.roles.beside(otherName))] : []),
            ],
            rows: withPublished(roles).map(role => ({
                key: role.role,
                chosen: role.role === chosen.role,
                cells: cellsOf(props, role, role.role === chosen.role),
            })),
        }),
        h(Scores, props),
    );
}
