/* tokens - the text of the change view as a row of buttons, and below it what can be done with the
 * chosen token: mask it, put another word there, put it back. The chosen token is state.token.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {percent} from '../../draw/scale.js';
import {UNCHANGED} from '../needs.js';
import {BEST, isChanged, spots} from './numbers.js';

/**
 * @typedef {import('./numbers.js').Spot} Spot
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {{state: ViewState, data: import('../view.js').ViewData, on:
 *     Pick<import('../view.js').On, 'set'>}} Props
 */

/** @param {{spot: Spot}} props */
const Name = ({spot: {piece, now}}) =>
    now === null
        ? h('bdi', null, piece)
        : [
              h('s', {key: 'was'}, h('bdi', null, piece)),
              ' ',
              h('bdi', {key: 'now', class: 'put'}, now),
          ];

/** The state without a change at a position. @param {ViewState} state @param {number} index */
const without = ({masked, replaced}, index) => ({
    masked: masked.filter(position => position !== index),
    replaced: replaced.filter(one => !one.startsWith(`${index}:`)),
});

/** @param {ViewState} state @param {number} index @param {string} word */
export function withWord(state, index, word) {
    const {masked, replaced} = without(state, index);
    return {
        masked,
        replaced: [...replaced, `${index}:${word}`].sort(
            (a, b) => parseInt(a, 10) - parseInt(b, 10),
        ),
    };
}

/** @param {ViewState} state @param {number} index */
const withMask = (state, index) => ({
    ...without(state, index),
    masked: [...without(state, index).masked, index].sort((a, b) => a - b),
});

/** @param {{onWord: (word: string) => void, t: Texts}} props */
function Word({onWord, t}) {
    const [draft, setDraft] = useState('');
    const word = draft.trim();
    const several = /\s/.test(word);
    const send = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (!word || several) return;
        onWord(word);
        setDraft('');
    };
    return h(
        'form',
        {class: 'put-word', onSubmit: send},
        h('label', {for: 'put'}, t.change.otherWord),
        h('input', {
            id: 'put',
            type: 'text',
            value: draft,
            maxLength: 64,
            autocomplete: 'off',
            spellcheck: false,
            autocapitalize: 'off',
            dir: 'auto',
            'aria-invalid': several,
            'aria-describedby': several ? 'put-problem' : undefined,
            onInput: (/** @type {{currentTarget: HTMLInputElement}} */ event) =>
                setDraft(event.currentTarget.value),
        }),
        h('button', {type: 'submit', class: 'plain'}, t.change.putIn),
        several && h('span', {class: 'said', id: 'put-problem'}, t.change.oneWord),
    );
}

/** @param {Props & {spot: Spot}} props */
function Editor({state, data, on, spot}) {
    const {t, model, fills} = data;
    const {index, now, refused} = spot;
    const words = fills.find(fill => fill.index === index)?.words.slice(0, BEST) ?? [];
    const put = (/** @type {string} */ word) => on.set(withWord(state, index, word));
    return h(
        'div',
        {class: 'editor', key: index},
        h('p', null, t.change.at(index), ' ', h('strong', null, h(Name, {spot}))),
        h(
            'div',
            {class: 'acts'},
            model.special.mask >= 0 &&
                now !== '[MASK]' &&
                h(
                    'button',
                    {type: 'button', class: 'plain', onClick: () => on.set(withMask(state, index))},
                    t.change.mask,
                ),
            (now !== null || refused) &&
                h(
                    'button',
                    {type: 'button', class: 'plain', onClick: () => on.set(without(state, index))},
                    t.change.putBack,
                ),
            h(Word, {onWord: put, t}),
        ),
        words.length > 0 &&
            h(
                'p',
                {class: 'offers'},
                t.change.offers,
                ' ',
                words.map(({id, piece, probability}) =>
                    h(
                        'button',
                        {key: id, type: 'button', class: 'plain', onClick: () => put(piece)},
                        h('bdi', null, piece),
                        ' ',
                        h('small', null, percent(probability)),
                    ),
                ),
            ),
        refused &&
            h(
                'p',
                {class: 'refused', role: 'status'},
                t.change.refused(refused.word, refused.pieces),
            ),
    );
}

/** What is changed altogether, and how to undo it. @param {Props & {list: Spot[]}} props */
function Summary({state, data: {t}, on, list}) {
    const changed = list.filter(({now}) => now !== null).length;
    const any = isChanged(state, list.length);
    return h(
        'div',
        {class: 'change-sum'},
        h(
            'p',
            {role: 'status'},
            any
                ? t.change.changed(changed, state.off.length, state.zeroed.length)
                : t.change.nothing,
        ),
        any &&
            h(
                'button',
                {type: 'button', class: 'plain', onClick: () => on.set(UNCHANGED)},
                t.change.reset,
            ),
    );
}

/** @param {Props} props */
export function Tokens({state, data, on}) {
    const {t} = data;
    const list = spots(state, data);
    const chosen = list[state.token];
    const refused = list.filter(spot => spot.refused && spot !== chosen);
    return h(
        'section',
        {class: 'change-text', 'aria-label': t.change.text},
        h(
            'div',
            {class: 'flow', role: 'group', 'aria-label': t.change.text},
            list.map(spot =>
                h(
                    'button',
                    {
                        key: spot.index,
                        type: 'button',
                        class: spot.now === null ? 'word' : 'word changed',
                        'aria-pressed': spot.index === state.token,
                        onClick: () =>
                            on.set({token: spot.index === state.token ? -1 : spot.index}),
                    },
                    h(Name, {spot}),
                ),
            ),
        ),
        chosen
            ? h(Editor, {state, data, on, spot: chosen})
            : h('p', {class: 'hint editor'}, t.change.pick),
        refused.map(
            ({index, refused: no}) =>
                no &&
                h(
                    'p',
                    {key: index, class: 'refused'},
                    t.change.at(index),
                    ': ',
                    t.change.refused(no.word, no.pieces),
                ),
        ),
        h(Summary, {state, data, on, list}),
    );
}
