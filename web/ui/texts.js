/* texts - the two sentences, as lines one can write on. What is typed stays a draft until Enter or
 * the button; Escape brings back the text that is shown. A text that failed stays as typed.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';

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

/** What is typed, until it is sent. @param {Pick<import('./app.js').Shared, 'state' | 'set'>} shared */
function useDraft({state, set}) {
    const shown = {text: state.text, textB: state.textB};
    const [draft, setDraft] = useState(shown);
    useEffect(() => setDraft(shown), [state.text, state.textB]);
    const send = () => {
        set({...draft, masked: [], replaced: [], picked: [], token: -1});
        // The keyboard leaves the screen, and on a phone the two lines shut.
        if (matchMedia('(pointer: coarse)').matches)
            /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    };
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
        if (event.isComposing) return;
        if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            send();
        } else if (event.key === 'Escape') setDraft(shown);
    };
    return {draft, setDraft, send, onKeyDown};
}

/** @param {import('./app.js').Shared} props */
export function Texts({t, state, set}) {
    const {draft, setDraft, send, onKeyDown} = useDraft({state, set});
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
            h('p', {class: 'hint', id: 'text-hint'}, t.showHint),
        ),
    );
}
