/* caption - one line above the lines: what is shown where it is not simply the heads that are on,
 * what is left out, and the way back from masks. Its place is always kept, so that nothing moves
 * when it changes.
 */
import {h} from 'preact';
import {counted} from '../select.js';
import {canMask} from './column.js';
import {named} from './mix.js';
import {selection} from './scene.js';

/** What is shown, in words, with the numbers as the reader counts.
 * @param {import('../view.js').ViewState} state
 * @param {{model: import('../view.js').Model}} data @param {import('../view.js').Texts} t */
export function shownName(state, {model}, t) {
    const {mix, layer, heads} = named(state, model);
    const count = counted(state);
    return t.head.shown({mix, layer: count(layer), heads: heads.map(count)});
}

/** @param {{state: import('../view.js').ViewState, data: import('../view.js').ViewData, on:
 *     import('../view.js').On}} props */
export function Caption({state, data, on}) {
    const {t, model} = data;
    const {mix, top} = selection(state, data);
    const masked = canMask(model)
        ? state.masked.filter(index => index < data.pass.tokens.length).length
        : 0;
    const notes = [
        mix !== 'heads' && shownName(state, data, t),
        top < 100 && t.head.topNote(top),
        state.level === 'words' && t.head.wordsNote,
        !state.specials && t.head.specialsNote,
    ].filter(Boolean);
    return h(
        'p',
        {class: 'figure-caption'},
        notes.join(' · '),
        masked > 0 &&
            h(
                'span',
                {class: 'unmask'},
                notes.length > 0 && ' · ',
                t.head.maskedNote(masked),
                ' ',
                !data.frozen &&
                    h(
                        'button',
                        {type: 'button', class: 'plain', onClick: () => on.set({masked: []})},
                        t.head.unmaskAll,
                    ),
            ),
    );
}
