/* options - the model view's own controls: lines or heat maps, a measure and the order by it, which
 * layers and heads are kept, which tokens are shown. Kept ones are chosen like the heads of the head
 * view: a click toggles, a double-click or Shift+Enter keeps one alone. And those of an opened head.
 */
import {h} from 'preact';
import {select} from '../../draw/select.js';
import {buttonOf} from '../../draw/button.js';
import {headColour, inkOn} from '../../draw/colour.js';
import {Choice, optionsOf} from '../parts/choice.js';
import {Hide} from '../parts/hide.js';
import {activeHeads, counted, soloHead, toggleHead} from '../parts/select.js';

/**
 * @import {ViewState} from '../view.js'
 * @typedef {{state: ViewState, model: import('../view.js').Model, theme: string, set: (patch:
 *     Partial<ViewState>) => void,
 *   t: import('../view.js').Texts}} Props
 * @typedef {{id: string, label: string, kept: readonly number[], count: number, number: (index:
 *     number) => number,
 *   name: (index: number) => string, colour: (index: number) => string | null, all: string,
 *   onKeep: (kept: number[]) => void, hint?: string}} KeepProps
 */

const PICTURES = /** @type {const} */ (['lines', 'heatmaps']);
const ORDERS = /** @type {const} */ (['model', 'layer', 'all']);

/** The two clicks of a double-click have toggled twice, so that nothing has changed when it arrives.
 * @param {{index: number} & KeepProps} props */
function Chip({index, kept, count, number, name, colour, onKeep}) {
    const ink = colour(index);
    const shown = activeHeads(kept, count).includes(index);
    const filled = ink ? {background: ink, borderColor: ink, color: inkOn(ink)} : undefined;
    return buttonOf(
        ink ? 'chip' : 'chip neutral',
        {
            'aria-pressed': shown,
            'aria-label': name(number(index)),
            style: shown || !ink ? filled : {borderColor: ink},
            onClick: () => onKeep(toggleHead(kept, index, count)),
            onDblClick: () => onKeep(soloHead(kept, index, count)),
            onKeyDown: (/** @type {KeyboardEvent} */ event) => {
                if (event.key !== 'Enter' || !event.shiftKey) return;
                event.preventDefault();
                onKeep(soloHead(kept, index, count));
            },
        },
        number(index),
    );
}

/** @param {KeepProps} props */
function Keep(props) {
    const {id, label, count, all, onKeep, hint} = props;
    return h(
        'div',
        {role: 'group', 'aria-labelledby': `${id}-label`, 'aria-describedby': 'keep-hint'},
        h(
            'div',
            {class: 'label-row'},
            h('span', {class: 'label', id: `${id}-label`}, label),
            buttonOf('plain', {onClick: () => onKeep([])}, all),
        ),
        h(
            'div',
            {class: 'chips'},
            Array.from({length: count}, (_, index) => h(Chip, {key: index, ...props, index})),
        ),
        hint && h('p', {class: 'hint', id: 'keep-hint'}, hint),
    );
}

/** @param {Props} props */
function Measure({state, model, set, t}) {
    const known = model.patterns.filter(name => t.modelView.measures[name]);
    return h(
        'div',
        {class: 'measure-choice'},
        h('label', {for: 'measure'}, t.modelView.measure),
        select({
            id: 'measure',
            value: known.includes(state.measure) ? state.measure : '',
            onChoose: measure => set({measure}),
            options: [
                {value: '', name: t.modelView.noMeasure},
                ...known.map(value => ({value, name: t.modelView.measures[value]})),
            ],
        }),
    );
}

/** @param {Props} props */
function Order({state, model, set, t: {modelView: words}}) {
    const measured = model.patterns.includes(state.measure);
    return h(Choice, {
        name: 'order',
        legend: words.order,
        value: measured ? state.order : 'model',
        disabled: !measured,
        hint: measured ? '\u00a0' : words.orderNeeds,
        onChoose: order => set({order}),
        options: optionsOf(ORDERS, words.orders, words.orderTitles),
    });
}

/** @param {Props} props */
const Kept = ({state, model, theme, set, t}) => [
    h(Keep, {
        ...{id: 'keep-layers', label: t.modelView.keepLayers, kept: state.keepLayers},
        ...{count: model.layers, number: counted(state), all: t.headsAll},
        name: t.layerName,
        colour: () => null,
        onKeep: keepLayers => set({keepLayers}),
    }),
    h(Keep, {
        ...{id: 'keep-heads', label: t.modelView.keepHeads, kept: state.keepHeads},
        ...{count: model.heads, number: counted(state), all: t.headsAll},
        name: t.headChip,
        colour: head => headColour(head, theme),
        hint: t.headsHint,
        onKeep: keepHeads => set({keepHeads}),
    }),
];

/** @param {Props} props */
const Hidden = ({state: {gridSpecials, gridFirst}, model, set, t}) =>
    h(
        'div',
        null,
        h(Hide, {
            ...{specials: gridSpecials, first: gridFirst, model, t},
            set: ({specials = gridSpecials, first = gridFirst}) =>
                set({gridSpecials: specials, gridFirst: first}),
        }),
    );

/** @param {Props} props */
export function Options(props) {
    const {state, set, t} = props;
    const words = t.modelView;
    return h(
        'div',
        {class: 'model-options'},
        h(Choice, {
            name: 'picture',
            legend: words.picture,
            value: state.picture,
            onChoose: picture => set({picture}),
            options: optionsOf(PICTURES, words.pictures, words.pictures),
        }),
        h(Measure, props),
        h(Order, props),
        h(Kept, props),
        h(Hidden, props),
    );
}

/** One of the layers or heads of the model: of an opened head. @param {Props & {name: string, legend:
 *     string, value: number, count: number, titleOf: (index: number) => string, onChoose: (index:
 *     number) => void}} props */
function Picker({state, name, legend, value, count, titleOf, onChoose}) {
    const number = counted(state);
    return h(Choice, {
        ...{name, legend, value, onChoose},
        options: Array.from({length: count}, (_, index) => ({
            value: index,
            label: number(index),
            title: titleOf(number(index)),
        })),
    });
}

/** Of an opened head: which it is, and which of its tokens are shown.
 * @param {Props & {place: import('./numbers.js').Place}} props */
export function OpenedOptions({place: {layer, head}, ...props}) {
    const {model, set, t} = props;
    return h(
        'div',
        {class: 'model-options'},
        h(Picker, {
            ...{...props, name: 'opened-layer', legend: t.layer, titleOf: t.layerName},
            ...{value: layer, count: model.layers},
            onChoose: index => set({opened: `${index}.${head}`}),
        }),
        h(Picker, {
            ...{...props, name: 'opened-head', legend: t.modelView.head, titleOf: t.headChip},
            ...{value: head, count: model.heads},
            onChoose: index => set({opened: `${layer}.${index}`}),
        }),
        h(Hidden, props),
    );
}
