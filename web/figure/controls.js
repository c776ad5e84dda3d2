/* controls - the controls that choose what is shown of the computed attention: layer, heads, pairs, and
 * the view's own. The model it comes from is chosen at the figure (models.js).
 */
import {h} from 'preact';
import {loadedView} from '../views/index.js';
import {clampLayer, counted, FILTERS, filterRanges, startOfB} from '../views/parts/select.js';
import {Choice, optionsOf} from '../views/parts/choice.js';
import {Show} from '../views/parts/show.js';
import {Heads, OneHead} from './heads.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @typedef {Shared & {drawable: import('./figure.js').Drawable | null, layers?: number[],
 *   onPeek: (head: number) => void, One?: typeof Choice, only?: readonly string[]}} ControlProps   layers: that can be
 *   shown, if not all; One: how one of several is chosen; only: these controls, 'options' for the view's own
 */

/** @param {Shared & {One: typeof Choice}} props */
function Pairs({t, state, set, shown, One}) {
    const tokens = shown.pass?.tokens ?? [];
    const possible = startOfB(tokens) >= 0;
    const {filter} = filterRanges(tokens, state.filter);
    const hint =
        filter !== 'all' ? t.filterHint : shown.pass && !possible ? t.filterNeedsB : '\u00a0';
    const names = /** @type {(keyof typeof t.filters)[]} */ (FILTERS);
    return h(One, {
        name: 'filter',
        legend: t.filter,
        disabled: !possible,
        value: filter,
        hint,
        options: optionsOf(names, t.filters, t.filterNames),
        onChoose: value => set({filter: value}),
    });
}

/** @param {Shared & {layers?: number[], idle: boolean, One: typeof Choice}} props */
function Layers({t, state, set, shown, layers, idle, One}) {
    const {model} = shown;
    if (!model) return null;
    const number = counted(state);
    const count = model.whole ?? model.layers;
    const options = (layers ?? Array.from({length: count}, (_, layer) => layer)).map(layer => {
        const name = t.layerName(number(layer));
        const coming = layer >= model.layers;
        return {
            value: layer,
            label: number(layer),
            title: coming ? t.layerComing(name) : name,
            disabled: coming,
        };
    });
    return h(One, {
        name: 'layer',
        legend: t.layer,
        value: clampLayer(state.layer, model),
        options,
        disabled: idle,
        onChoose: layer => set({layer}),
    });
}

/** @param {string} key @param {import('preact').ComponentChild} inside */
const space = (key, inside) => h('div', {class: 'space', key}, inside);

/** The shared controls that the view obeys, and its own. Cross-attention has but one direction.
 * @param {ControlProps} props */
export function Controls({drawable, layers, onPeek, One = Choice, only, ...shared}) {
    const {
        t,
        state,
        set,
        shown: {model, imported},
    } = shared;
    const view = loadedView(state.view);
    const takes = (/** @type {string} */ control) => !only || only.includes(control);
    const has = (/** @type {string} */ control) =>
        takes(control) && view?.controls.includes(control);
    const isIdle = (/** @type {string} */ control) =>
        view?.idle?.(state).includes(control) ?? false;
    const seen = drawable?.view === view ? drawable : null;
    const maps = seen && view?.shows?.(state, seen.data.model, t); // its words are there
    return [
        has('show') && h(Show, {key: 'show', data: seen?.data ?? null, set, t, state, ...maps}),
        has('layer') && space('layer', h(Layers, {...shared, layers, One, idle: isIdle('layer')})),
        has('heads') &&
            space(
                'heads',
                model && h(Heads, {...shared, onPeek, count: model.heads, idle: isIdle('heads')}),
            ),
        has('head') &&
            !isIdle('head') &&
            space('head', model && h(OneHead, {...shared, count: model.heads})),
        has('filter') && imported?.part !== 'cross' && h(Pairs, {key: 'filter', One, ...shared}),
        takes('options') && seen && view?.options?.(state, seen.data, {set}, t),
    ];
}
