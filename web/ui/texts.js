/* texts - the two sentences, as lines one can write on. What is typed stays a draft until Enter or the button;
 * Escape brings back the text that is shown. A text that failed stays as typed. */

import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';

function Line({id, label, placeholder, value, onInput, onKeyDown}) {
    return h('div', {class: 'line'},
        h('label', {for: id}, label),
        h('textarea', {id, rows: 1, value, placeholder, spellcheck: false, autocomplete: 'off', dir: 'auto', 'aria-describedby': 'text-hint',
            onInput: event => onInput(event.currentTarget.value), onKeyDown}));
}

export function Texts({t, state, set}) {
    const [draft, setDraft] = useState({text: state.text, textB: state.textB});
    const restore = () => setDraft({text: state.text, textB: state.textB});
    useEffect(restore, [state.text, state.textB]);
    const onKeyDown = event => {
        if (event.isComposing) return;
        if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            set(draft);
        } else if (event.key === 'Escape') restore();
    };
    const line = (name, label, placeholder) => h(Line, {id: name, label, placeholder, value: draft[name], onKeyDown,
        onInput: value => setDraft({...draft, [name]: value})});
    return h('form', {class: 'texts', onSubmit: event => { event.preventDefault(); set(draft); }},
        line('text', t.textA), line('textB', t.textB, t.textBNone),
        h('div', {class: 'send'},
            h('button', {type: 'submit', class: 'main'}, t.show), h('p', {class: 'hint', id: 'text-hint'}, t.showHint)));
}
