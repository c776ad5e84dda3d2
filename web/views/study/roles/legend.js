/* legend - the roles as switches, each with its mark, how many heads have it and its ceiling; and
 * in words why one cannot be tested. Two presets: the four wide roles of the article, and the fine
 * ones.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {RoleMark} from './look.js';
import {ALL, baselineOf, COARSE, FINE, showRoles, switchRole} from './numbers.js';

/**
 * @import {State} from '../../../state/state.js'
 * @import {Role} from './numbers.js'
 * @import {Words} from '../study.js'
 * @typedef {{state: State, scene: import('./view.js').Scene, data: {theme: string, t: Words}, on:
 *     Pick<import('../study.js').On, 'set'>}} Props
 */

/** @param {number} value */
const one = value => value.toFixed(1);

/** Why a role is not tested, in a sentence; '' when it is.
 * @param {Pick<Role, 'role' | 'ceiling' | 'tau' | 'testable' | 'why'>} role
 * @param {Words} t */
export function refusal({role, ceiling, tau, testable, why}, t) {
    if (testable) return '';
    const name = t.roles.names[role] ?? role;
    return why === 'ceiling'
        ? t.roles.refused.ceiling(name, one(ceiling ?? 0), String(tau))
        : (
              t.roles.refused[/** @type {'pairs' | 'relations' | 'few'} */ (why)] ??
              t.roles.refused.few
          )(name);
}

/** @param {Props & {role: Role}} props */
function Switch(props) {
    const {
        state,
        role: {role, ceiling, tau, testable, has, baseline},
        scene: {shown},
        data: {theme, t},
        on,
    } = props;
    const beside = testable && baselineOf({baseline});
    return h(
        'label',
        {class: 'role-switch'},
        h('input', {
            type: 'checkbox',
            checked: shown.includes(role),
            onChange: () => on.set(switchRole(state, role)),
        }),
        h(RoleMark, {role, theme, off: !testable}),
        h('span', {class: 'role-name'}, t.roles.names[role]),
        h(
            'span',
            {class: 'number'},
            testable ? has.filter(Boolean).length : t.roles.notTested,
            beside && ` (${beside.count})`,
        ),
        h(
            'small',
            {class: 'number'},
            ceiling === null ? '' : t.roles.ceilingOf(one(ceiling)),
            ceiling !== null && ceiling < tau && h('span', {class: 'hidden'}, ` ${t.roles.below}`),
        ),
    );
}

/** @param {Props} props */
export function Legend(props) {
    const {
        state,
        scene: {answer, otherName, shown},
        data: {t},
        on,
    } = props;
    const preset = (/** @type {'coarse' | 'fine' | 'all'} */ name, /** @type {string[]} */ roles) =>
        buttonOf(
            'plain',
            {
                'aria-pressed':
                    roles.length === shown.length && roles.every(role => shown.includes(role)),
                onClick: () => on.set(showRoles(state, roles)),
            },
            t.roles.presets[name],
        );
    return h(
        'fieldset',
        {class: 'role-legend'},
        h('legend', null, t.roles.legend(answer.compared ? otherName : '')),
        h(
            'div',
            {class: 'actions'},
            preset('fine', FINE),
            preset('coarse', COARSE),
            preset('all', ALL),
        ),
        answer.roles.map(role => h(Switch, {key: role.role, ...props, role})),
    );
}

/** @param {Pick<Props, 'scene' | 'data'>} props */
export function Refusals({scene: {roles}, data: {t}}) {
    const refused = roles.filter(({testable}) => !testable);
    if (!refused.length) return null;
    return h(
        'ul',
        {class: 'refusals'},
        refused.map(role => h('li', {key: role.role}, refusal(role, t))),
    );
}
