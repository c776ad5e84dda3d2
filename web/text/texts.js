/* texts - the two sentences, as lines one can write on. What is typed stays a draft, said to be not shown
 * yet, until Enter, the button or a tab of another view (figure/enter.js) shows it; Escape brings back the
 * text that is shown. Another text from elsewhere (an example, a lesson) takes its place: the list of
 * earlier texts then has what was typed. A text that failed stays as typed. A new text
 * begins without the changes of the one before; what is gone is said, with a way back.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {useLazy, useWords} from '../shell/hooks.js';
import {HEIGHT, useLayer} from '../shell/use_layer.js';
import {FRESH} from '../views/needs.js';
import {typed} from './draft.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('./draft.js').Pair} Pair
 */

/** @param {{id: string, label: string, placeholder?: string, value: string, onInput: (value: string)
 *     => void,
 *   onKeyDown: (event: KeyboardEvent) => void}} props */
function Line({id, label, placeholder, value, onInput, onKeyDown}) {
    const follow = (/** @type {{currentTarget: HTMLTextAreaElement}} */ event) =>
        onInput(event.currentTarget.value);
    return h(
        'div',
        {class: 'line'},
        h('label', {for: id}, label),
        h('textarea', {
            id,
            rows: 1,
            value,
            placeholder,
            spellcheck: false,
            autocomplete: 'off',
            dir: 'auto',
            'aria-describedby': 'text-hint',
            onInput: follow,
            onKeyDown,
        }),
    );
}

/** What is typed, until it is sent; empty: there was nothing to send.
 * @param {Pick<Shared, 'state' | 'set'>} shared */
function useDraft({state, set}) {
    const shown = {text: state.text, textB: state.textB};
    const [draft, write] = useState(shown);
    const [empty, setEmpty] = useState(false);
    const [last, setLast] = useState(/** @type {import('./remarks.js').Last | null} */ (null));
    const setDraft = (/** @type {Pair} */ next) => {
        write(next);
        setEmpty(false);
    };
    useEffect(() => setDraft(shown), [state.text, state.textB]);
    useEffect(() => void import('./given_text.js'), []);
    const isNew = draft.text !== state.text || draft.textB !== state.textB;
    const send = () => {
        if (!draft.text.trim()) return setEmpty(true);
        setLast({sent: draft, before: state});
        set({...draft, ...FRESH});
        // The keyboard leaves the screen, and on a phone the two lines shut.
        if (matchMedia('(pointer: coarse)').matches)
            /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    };
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
        // Safari ends a conversion before the Enter that confirms it, which then has this code
        if (event.isComposing || event.keyCode === 229) return;
        if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            send();
        }
    };
    useLayer(isNew, {
        height: HEIGHT.text,
        escape(target) {
            if (!target.matches('.texts textarea')) return false;
            setDraft(shown); // and what is pinned stays
            return true;
        },
    });
    Object.assign(typed, {draft, isNew, send});
    return {draft, setDraft, send, onKeyDown, empty, last, isNew};
}

/** @param {Shared} props */
export function Texts({t, state, set}) {
    const {draft, setDraft, send, onKeyDown, empty, last, isNew} = useDraft({state, set});
    const remarks = useLazy(() => import('./remarks.js'), last !== null);
    const asks = empty || !(draft.text + state.text).trim(); // also where a link has no text
    const words = useWords(t.code, 'dialogs', last !== null || isNew || asks)?.remarks;
    const onSubmit = (/** @type {Event} */ event) => {
        event.preventDefault();
        send();
    };
    return h(
        'form',
        {class: 'texts', onSubmit},
        h(Line, {
            id: 'text',
            label: t.textA,
            value: draft.text,
            onKeyDown,
            onInput: text => setDraft({...draft, text}),
        }),
        h(Line, {
            id: 'textB',
            label: t.textB,
            placeholder: t.textBNone,
            value: draft.textB,
            onKeyDown,
            onInput: textB => setDraft({...draft, textB}),
        }),
        h(
            'div',
            {class: 'send'},
            h('button', {type: 'submit', class: 'main'}, t.show),
            h(
                'p',
                {class: asks ? 'hint refused' : 'hint', id: 'text-hint', role: 'status'},
                words && (asks ? words.askText : isNew && words.showHint),
            ),
        ),
        last && remarks && words && h(remarks.Shed, {t, words, state, set, last}),
    );
}
