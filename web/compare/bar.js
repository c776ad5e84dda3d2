/* bar - the captions of two figures side by side, on the page and in files, and the controls of the
 * second one: its layer and head, its text.
 */
import {h} from 'preact';
import {labelledSelect} from '../draw/select.js';
import {useEffect, useState} from 'preact/hooks';
import {headName} from '../draw/head_name.js';
import {shownName} from '../views/head/scene.js';
import {activeHeads, clampLayer, counted} from '../views/parts/select.js';
import {fitted, patchOf, writtenPatch} from './second.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {State} from '../state/state.js'
 * @import {Drawable} from '../figure/figure.js'
 * @import {Kind} from './second.js'
 * @typedef {import('../words/languages.js').Dialogs['beside']} Words
 */

const LONGEST = 90; // characters of a text in a caption

/** @param {Drawable} drawable @param {Shared['t']} t */
function headsSaid({state, data}, t) {
    const {model} = data;
    const heads = activeHeads(state.heads, model.heads);
    const count = counted(state);
    if (heads.length === 1 && state.mix === 'heads')
        return headName(count(clampLayer(state.layer, model)), count(heads[0]));
    const name = shownName(state, data, t);
    return name[0].toUpperCase() + name.slice(1);
}

/** @param {string[]} texts */
function textSaid(texts) {
    const text = texts.filter(Boolean).join(' / ');
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** @param {State} state */
const textsOf = ({text, textB}) => [text, textB].filter(Boolean);

/** What the model reads otherwise than it was typed. @param {Drawable} drawable @param {Words} words */
function changesSaid({state: {masked, replaced, swapped}, data}, words) {
    const named = (/** @type {readonly number[]} */ list) =>
        list.flatMap(index => data.pass.tokens[index]?.piece ?? []).join(', ');
    const said = [
        masked.length > 0 && words.masked(named(masked)),
        replaced.length > 0 && words.replaced(named(replaced.map(put => Number.parseInt(put, 10)))),
        swapped.length > 0 && words.swapped(named(swapped)),
    ];
    return said.filter(Boolean).join(', ') || words.typed;
}

/** The heads that a view shows, by name. @param {Drawable['view']} view @param {State} state
 * @param {Shared['t']} t */
function headsNamed({id, controls, idle}, state, t) {
    const count = counted(state);
    const has = (/** @type {string} */ control) =>
        controls.includes(control) && !idle?.(state).includes(control);
    if (id === 'model') {
        const [layer, head] = state.opened.split('.').map(Number);
        return [headName(count(layer), count(head))];
    }
    const heads = has('head') ? state.heads.slice(0, 1) : has('heads') ? state.heads : [];
    if (!has('layer')) return heads.map(head => `H${count(head)}`);
    if (!heads.length) return [t.layerName(count(state.layer))];
    return heads.map(head => headName(count(state.layer), count(head)));
}

/** A sentence where the second model has not all of what is asked for: what it lacks, and what is shown
 * instead. @param {Drawable} drawable of the second figure @param {State} asked @param {string} name of its
 *     model @param {Shared['t']} t @param {Words} words */
export function lackSaid({view, data: {model}}, asked, name, t, words) {
    const [wanted, had] = [asked, fitted(asked, model)].map(state => headsNamed(view, state, t));
    const lost = wanted.filter(one => !had.includes(one));
    const instead = had.filter(one => !wanted.includes(one));
    return lost.length ? words.lacks(name, model, lost.join(', '), instead.join(', ')) : '';
}

/** What each of the two figures is, by that in which they differ.
 * @param {Kind[]} kinds @param {(Drawable | null)[]} drawables @param {string[]} names of the models
 * @param {Shared['t']} t @param {Words} words @returns {string[]} */
export function captionsOf(kinds, drawables, names, t, words) {
    const texts = drawables.map(drawable => drawable && textsOf(drawable.state).join('\n'));
    const read = drawables.map(drawable => (drawable ? changesSaid(drawable, words) : ''));
    // Of one text, what the model reads in place of its words is all that tells the two apart.
    const alike = texts[0] === texts[1] && read[0] !== read[1];
    /** @type {Record<Kind, (drawable: Drawable, i: number) => string>} */
    const say = {
        model: (_, i) => names[i],
        view: ({view}) => t.viewTitles[view.id],
        head: drawable => headsSaid(drawable, t),
        without: ({state}) => words.without[state.without] ?? words.typed,
        text: ({state}, i) => textSaid(textsOf(state)) + (alike ? ` · ${read[i]}` : ''),
        token({state: {picked, side}, data}, i) {
            const pieces = picked.flatMap(index => data.pass.tokens[index]?.piece ?? []);
            if (i === 0) return words.all;
            return pieces.length ? words.of(side, pieces.join(', ')) : words.pick;
        },
    };
    return drawables.map((drawable, i) =>
        kinds
            .map(kind => (drawable ? say[kind](drawable, i) : kind === 'model' ? names[i] : ''))
            .filter(Boolean)
            .join(' · '),
    );
}

/** @param {{label: string, value: number, count: number, number: (i: number) => number | string, onChoose:
 *     (value: number) => void}} props */
const Select = ({label, value, count, number, onChoose}) =>
    labelledSelect(label, {
        ...{value, onChoose: i => onChoose(Number(i))},
        options: Array.from({length: count}, (_, i) => ({value: i, name: number(i)})),
    });

/** @typedef {Pick<Shared, 't' | 'state' | 'set'> & {words: Words, kinds: Kind[], drawable: Drawable | null}} Props */

/** Layer and head of the second figure. @param {Props} props */
function Head({t, state, set, words, drawable}) {
    const model = drawable?.data.model;
    if (!model) return null;
    const {layer, heads} = fitted({...state, ...patchOf(state)}, model);
    const put = (/** @type {Partial<State>} */ patch) =>
        set({beside: writtenPatch({...patchOf(state), layer, heads, ...patch})});
    const number = counted(state);
    return h(
        'div',
        {class: 'second-bar'},
        h(Select, {
            ...{label: t.layer, value: clampLayer(layer, model), count: model.layers, number},
            onChoose: (/** @type {number} */ value) => put({layer: value}),
        }),
        h(Select, {
            ...{label: words.head, value: activeHeads(heads, model.heads)[0]},
            ...{count: model.heads, number},
            onChoose: (/** @type {number} */ value) => put({heads: [value]}),
        }),
    );
}

/** To be written in. @param {HTMLInputElement | null} input */
function entered(input) {
    input?.focus();
    input?.select();
}

/** The text of the second figure. @param {Props} props */
function Text({state, set, words}) {
    const patch = patchOf(state);
    const asked = {text: state.text, textB: state.textB, ...patch};
    const [draft, setDraft] = useState({text: asked.text, textB: asked.textB});
    // As it is begun: another text is to be written here, which may be far below.
    const isNew = state.beside === writtenPatch({text: state.text, textB: state.textB});
    useEffect(() => setDraft({text: asked.text, textB: asked.textB}), [asked.text, asked.textB]);
    const send = (/** @type {Event} */ event) => {
        event.preventDefault();
        set({beside: writtenPatch(draft)});
    };
    const field = (/** @type {'text' | 'textB'} */ name, /** @type {string} */ label) =>
        h('input', {
            ...{type: 'text', id: `second-${name}`, 'aria-label': label, placeholder: label},
            ...{value: draft[name], autocomplete: 'off', spellcheck: false, dir: 'auto'},
            ref: isNew && name === 'text' ? entered : null,
            onInput: (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget}) =>
                setDraft({...draft, [name]: currentTarget.value}),
        });
    return h(
        'form',
        {class: 'second-bar text', onSubmit: send},
        field('text', words.text),
        (state.textB || asked.textB) && field('textB', words.textB),
        h('button', {type: 'submit', class: 'plain'}, words.show),
    );
}

/** What can be chosen of the second figure. @param {Props} props */
export const SecondHead = props => props.kinds.includes('head') && h(Head, props);
/** @param {Props} props */
export const SecondText = props => props.kinds.includes('text') && h(Text, props);
