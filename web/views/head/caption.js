/* caption - one line above the lines: what is shown where it is not simply the heads that are on,
 * what is left out, and the way back from masks. Its place is always kept, so that nothing moves
 * when it changes.
 */
import {h} from 'preact';
import {isMoved} from '../needs.js';
import {canMask, pinnedRows, restLinks, selection, shownName} from './scene.js';

/** What is shown where that is not simply the heads that are on, and what is left out.
 * @param {import('../view.js').ViewState} state @param {import('../view.js').Computed} data
 * @param {import('../view.js').Texts} t */
export function notesOf(state, data, t) {
    const chosen = selection(state, data);
    const {mix, top} = chosen;
    const carried = Math.round(100 * restLinks(chosen).carried);
    return [
        (mix !== 'heads' || isMoved(state)) && shownName(state, data, t),
        top < 100 && t.head.topNote(top),
        !pinnedRows(chosen, state).length && carried < 60 && t.head.carriedNote(carried),
        state.level === 'words' && t.head.wordsNote,
        !state.specials && t.head.specialsNote,
        !state.first && t.head.firstNote,
    ].filter(Boolean);
}

/** @param {{state: import('../view.js').ViewState, data: import('../view.js').ViewData, on:
 *     import('../view.js').On}} props */
export function Caption({state, data, on}) {
    const {t, model} = data;
    const masked = canMask(model)
        ? state.masked.filter(index => index < data.pass.tokens.length).length
        : 0;
    const notes = notesOf(state, data, t);
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
