/* own - the author's title, note and marked links, as <head-light> shows them before it has a
 * model. Fetched where a tag has any of it: the first file has no room.
 */
import {h} from 'preact';
import {OwnText as Words} from '../figure/own_words.js';

export {marked} from '../views/head/over/marked.js';

const STYLES = {
    heading: {padding: '0 8px 6px', fontSize: '17px', fontWeight: 650, lineHeight: 1.3},
    note: {padding: '8px 8px 4px', fontSize: '14px', whiteSpace: 'pre-line'},
};

/** @param {Parameters<typeof Words>[0]} props */
export const OwnText = ({kind, state}) =>
    state[kind] && h('div', {style: STYLES[kind]}, h(Words, {kind, state}));
