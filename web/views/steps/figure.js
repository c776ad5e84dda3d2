/* figure - the steps view as HTML: the stepper, the formula, a sentence or two, and the numbers of
 * the step. Arrow keys go on and back; what is pointed at is read out at the bottom.
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {signed} from '../../draw/chart.js';
import {valueAt} from '../../draw/matrix.js';
import {Legend} from '../parts/legend.js';
import {Matrix} from '../parts/matrix.js';
import {Rows} from '../parts/rows.js';
import {Vector} from '../parts/vector.js';
import {formulas, whole} from './formulas.js';
import {stepOf, STEPS, stepsScene} from './scene.js';
import {nameOf, partsOf} from './stages.js';

/**
 * @typedef {import('../view.js').Tree} Tree
 * @typedef {import('./stages.js').Part} Part
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData, on:
 *     import('../view.js').On}} Props
 * @typedef {Props & {scene: import('./scene.js').Scene, onRead: (read: Tree | null) => void}} Inside   onRead:
 *     what the
 *   reader points at, in words
 */

const MOST = 256;
const KEYS = new Map([
    ['ArrowRight', 1],
    ['ArrowLeft', -1],
]);

/** @param {Inside & {part: import('./stages.js').MatrixPart}} props */
function MatrixOf({part, scene, data: {t, theme, width}, on, onRead}) {
    const {grid, tokens} = part;
    const place = (
        /** @type {boolean} */ named,
        /** @type {number} */ index,
        /** @type {(n: number) => string} */ plain,
    ) => (named ? h('bdi', null, scene.tokens[index].piece) : plain(index));
    return h(Matrix, {
        on,
        theme,
        name: nameOf(part.label),
        note: part.note,
        grid,
        scale: part.scale,
        row: part.row,
        most: Math.min(MOST, width),
        pooled: t.steps.pooled,
        onPoint: spot =>
            onRead(
                spot && [
                    nameOf(part.label),
                    ', ',
                    place(tokens === 'rows' || tokens === 'both', spot.row, t.steps.row),
                    ', ',
                    place(tokens === 'columns' || tokens === 'both', spot.col, t.steps.column),
                    ': ',
                    h('b', null, signed(valueAt(grid, spot.row, spot.col), 4)),
                ],
            ),
    });
}

/** @param {Inside & {part: Part}} props */
function Shown(props) {
    const {
        part,
        scene,
        data: {t, theme, width},
        on,
        onRead,
    } = props;
    switch (part.kind) {
        case 'vector':
            return h(Vector, {
                on,
                theme,
                t,
                width,
                name: part.name,
                values: part.values,
                scale: part.scale,
                part: part.part,
                onPoint: i =>
                    onRead(
                        i === null
                            ? null
                            : [
                                  nameOf(part.label),
                                  ' ',
                                  `[${i}]: `,
                                  h('b', null, signed(part.values[i], 4)),
                              ],
                    ),
            });
        case 'rows':
            return [
                h(
                    'p',
                    {class: 'legends'},
                    part.columns.map(
                        column =>
                            column.kind === 'cells' &&
                            h(Legend, {
                                key: column.id,
                                name: column.title,
                                scale: column.scale,
                                theme,
                            }),
                    ),
                ),
                h(Rows, {
                    on,
                    theme,
                    width,
                    columns: part.columns,
                    onPoint: place => {
                        const column = part.columns.find(({id}) => id === place?.id);
                        onRead(
                            place && column?.kind === 'cells'
                                ? [
                                      column.title,
                                      ' ',
                                      h('bdi', null, scene.tokens[place.row].piece),
                                      ` [${place.col}]: `,
                                      h(
                                          'b',
                                          null,
                                          signed(valueAt(column.grid, place.row, place.col), 4),
                                      ),
                                  ]
                                : null,
                        );
                    },
                }),
            ];
        case 'equation':
            return h(
                'div',
                {class: 'equation'},
                part.items.map((item, i) =>
                    typeof item === 'string'
                        ? h('span', {key: i, class: 'operator'}, item)
                        : h(MatrixOf, {...props, key: i, part: item}),
                ),
            );
        default:
            return h('p', {class: 'soft'}, part.text);
    }
}

/** The whole computation; the parts of the present step stand out. @param {Props} props */
const Whole = ({state, data: {t}, on}) =>
    h(
        'p',
        {class: 'whole', role: 'group', 'aria-label': t.steps.whole},
        whole.map(({steps, tree}, i) => {
            if (!steps) return h('span', {key: i}, tree);
            const index = STEPS.findIndex(id => id === steps[0]);
            return h(
                'button',
                {
                    key: i,
                    type: 'button',
                    'aria-current': steps.includes(STEPS[stepOf(state)]) ? 'step' : undefined,
                    title: t.steps.stages[STEPS[index]].title,
                    onClick: () => on.set({step: index}),
                },
                tree,
            );
        }),
    );

/** @param {Props} props */
function Stepper({state, data: {t}, on}) {
    const step = stepOf(state);
    const go = (/** @type {number} */ to) =>
        on.set({step: Math.max(0, Math.min(STEPS.length - 1, to))});
    return h(
        'nav',
        {class: 'stepper', 'aria-label': t.steps.all},
        h(
            'button',
            {
                type: 'button',
                class: 'main',
                'aria-disabled': step === 0,
                onClick: () => go(step - 1),
            },
            t.steps.back,
        ),
        h(
            'button',
            {
                type: 'button',
                class: 'main',
                'aria-disabled': step === STEPS.length - 1,
                onClick: () => go(step + 1),
            },
            t.steps.next,
        ),
        h(
            'ol',
            null,
            STEPS.map((id, i) =>
                h(
                    'li',
                    {key: id},
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'toggle',
                            'aria-current': i === step ? 'step' : undefined,
                            onClick: () => go(i),
                        },
                        `${i + 1} ${t.steps.stages[id].title}`,
                    ),
                ),
            ),
        ),
    );
}

/** @param {Props & {chosen: number}} props */
function TokenChoice({
    data: {
        t,
        pass: {tokens},
    },
    on,
    chosen,
}) {
    const move = (/** @type {KeyboardEvent} */ event) => {
        const step = KEYS.get(event.key);
        const next =
            step && /** @type {Element} */ (event.target).parentElement?.children[chosen + step];
        if (!next) return;
        event.preventDefault();
        event.stopPropagation();
        on.set({token: chosen + step});
        /** @type {HTMLElement} */ (next).focus({focusVisible: true});
    };
    return h(
        'div',
        {class: 'token-choice'},
        h('span', {class: 'label', id: 'token-choice'}, t.steps.token),
        h(
            'div',
            {
                class: 'token-list',
                role: 'group',
                'aria-labelledby': 'token-choice',
                onKeyDown: move,
            },
            tokens.map((token, i) =>
                h(
                    'button',
                    {
                        key: i,
                        type: 'button',
                        class: 'toggle',
                        'aria-pressed': i === chosen,
                        tabIndex: i === chosen ? 0 : -1,
                        onClick: () => on.set({token: i}),
                    },
                    h('bdi', null, token.piece),
                ),
            ),
        ),
    );
}

/** @param {Props} props */
const Forms = ({state, data: {t}, on}) =>
    h(
        'fieldset',
        {class: 'choice forms'},
        h('legend', null, t.steps.form),
        h(
            'div',
            {class: 'picks'},
            /** @type {const} */ (['vectors', 'matrices']).map(value =>
                h(
                    'label',
                    {key: value, class: 'pick'},
                    h('input', {
                        type: 'radio',
                        name: 'form',
                        value,
                        checked: state.form === value,
                        onChange: () => on.set({form: value}),
                    }),
                    h('span', null, t.steps.forms[value]),
                ),
            ),
        ),
    );

/** @param {Props} props */
export function StepsFigure(props) {
    const {state, data, on} = props;
    const {t} = data;
    const step = stepOf(state);
    const scene = stepsScene(state, data);
    const parts = useMemo(
        () => partsOf(STEPS[step], state.form, scene, t),
        [scene, step, state.form, t],
    );
    const [read, onRead] = useState(/** @type {Tree | null} */ (null));
    const {title, says, saysMatrix} = t.steps.stages[STEPS[step]];
    const matrices = state.form === 'matrices';
    const move = (/** @type {KeyboardEvent} */ event) => {
        const by = KEYS.get(event.key);
        if (
            !by ||
            /** @type {Element} */ (event.target).matches('input') ||
            event.altKey ||
            event.ctrlKey ||
            event.metaKey ||
            event.shiftKey
        )
            return;
        event.preventDefault();
        on.set({step: Math.max(0, Math.min(STEPS.length - 1, step + by))});
    };
    return h(
        'div',
        {class: 'steps-view', onKeyDown: move},
        h(
            'div',
            {class: 'step-choices'},
            h(TokenChoice, {...props, chosen: scene.token}),
            h(Forms, props),
        ),
        h(Stepper, props),
        h(Whole, props),
        h(
            'div',
            {class: 'stage-text', 'aria-live': 'polite'},
            h(
                'h2',
                null,
                h('span', {class: 'soft'}, t.steps.nth(step + 1, STEPS.length)),
                ' ',
                title,
            ),
            h(
                'p',
                {class: 'formula'},
                formulas[STEPS[step]][matrices ? 'matrices' : 'vectors'](scene.d, t),
            ),
            h('p', null, matrices ? saysMatrix : says),
        ),
        parts.map((part, i) =>
            h(Shown, {...props, key: `${step} ${state.form} ${i}`, part, scene, onRead}),
        ),
        h(
            'div',
            {class: 'readout', role: 'group', 'aria-label': t.inside.readout},
            h('span', {class: 'sums'}, h('span', null, read ?? t.steps.point)),
        ),
    );
}
