/* own_fields - the fields for a figure's title and note, and the list of marked links: in the menu
 * Save and in the dialog Share. Fields of the state (heading, note, marks), so they travel in
 * links, saved files and <head-light>. Fetched after the first picture.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {MOST, overlong, ownText} from '../draw/own_text.js';
import {MarkList, useMarkWords} from '../views/head/over/mark_link.js';
import {useWords} from '../shell/hooks.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @typedef {import('../words/languages.js').Dialogs['own']} Words
 * @typedef {'heading' | 'note'} Kind
 */

/** What is typed stays as it is typed; the state has what fits.
 * @param {Pick<Shared, 'state' | 'set'> & {kind: Kind, id: string, words: Words}} props */
function Field({kind, id, state, set, words}) {
    const [typed, setTyped] = useState(state[kind]);
    const value = ownText(typed, kind) === ownText(state[kind], kind) ? typed : state[kind];
    const over = overlong(value, kind);
    const onInput = (/** @type {{currentTarget: {value: string}}} */ {currentTarget}) => {
        setTyped(currentTarget.value);
        set({[kind]: ownText(currentTarget.value, kind)});
    };
    return [
        h('label', {for: id}, words[kind]),
        h(kind === 'heading' ? 'input' : 'textarea', {
            ...{id, value, onInput, dir: 'auto', autocomplete: 'off'},
            ...(kind === 'note' && {rows: 2}),
            'aria-describedby': over ? `${id}-over` : undefined,
        }),
        over > 0 &&
            h(
                'p',
                {id: `${id}-over`, class: 'too-long', role: 'status'},
                words.over(MOST[kind], over),
            ),
    ];
}

/** @param {Shared & {of: string}} props   of: the id of the place */
export function OwnFields({of, t, state, set, shown}) {
    const words = useWords(t.code, 'dialogs', true)?.own;
    const marks = useMarkWords(t.code);
    if (!words || !marks) return null;
    const field = (/** @type {Kind} */ kind) =>
        h(Field, {key: kind, kind, id: `${of}-${kind}`, state, set, words});
    const pieceAt = (/** @type {number} */ at) => shown.pass?.tokens[at]?.piece ?? String(at);
    return h(
        'fieldset',
        {class: 'own-fields'},
        h('legend', {class: 'hint'}, words.legend),
        field('heading'),
        field('note'),
        h(MarkList, {marks: state.marks, pieceAt, words: marks, set}),
    );
}
