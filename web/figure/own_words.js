/* own_words - title and note that the reader has given a figure, above and below it: on the page, in
 * saved pages, in <head-light>. They are fields of the state (heading, note); where they are written:
 * own_fields.js; in files save/sheet.js sets them. Fetched when there is one.
 */
import {h} from 'preact';
import {ownText} from '../draw/own_text.js';

/** @param {{kind: 'heading' | 'note', state: import('../state/state.js').State}} props */
export function OwnText({kind, state}) {
    const shown = ownText(state[kind], kind);
    if (!shown) return null;
    return h(kind === 'heading' ? 'h2' : 'p', {class: `own-${kind}`, dir: 'auto'}, shown);
}
