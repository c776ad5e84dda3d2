/* pick - the text of the find view as a row of buttons: the first press chooses the query, the
 * second the key.
 */
import {h} from 'preact';
import {pressToken, shownPair} from './numbers.js';

/**
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: Pick<import('../view.js').On, 'set'>}} Props
 */

/** @param {Props} props */
export function Pick({state, data: {t, pass}, on}) {
    const {query, key} = shownPair(state, pass.tokens.length);
    const part = (/** @type {number} */ index) =>
        [index === query ? 'query' : '', index === key ? 'key' : ''].join(' ').trim();
    const piece = (/** @type {number | null} */ index) =>
        h('bdi', null, index === null ? '…' : pass.tokens[index].piece);
    return h(
        'section',
        {class: 'find-text', 'aria-label': t.find.text},
        h(
            'p',
            {class: 'asked', role: 'status'},
            h('span', {class: 'query'}, piece(query)),
            ` ${t.find.looksAt} `,
            h('span', {class: 'key'}, piece(key)),
            key !== null &&
                h(
                    'button',
                    {type: 'button', class: 'plain', onClick: () => on.set({from: key, to: query})},
                    t.find.swap,
                ),
        ),
        h('p', {class: 'hint'}, key === null ? t.find.pickKey : t.find.pick),
        h(
            'div',
            {class: 'flow', role: 'group', 'aria-label': t.find.text},
            pass.tokens.map((token, index) => {
                const role = part(index);
                return h(
                    'button',
                    {
                        key: index,
                        type: 'button',
                        class: `word ${role}`,
                        'aria-pressed': role !== '',
                        onClick: () => on.set(pressToken(state, index)),
                    },
                    h('bdi', null, token.piece),
                );
            }),
        ),
    );
}
