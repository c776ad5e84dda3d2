/* question - the questions before a download: consent to another site, consent to the number of
 * bytes. Drawn where the figure will be; fetched when there is something to ask.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';

/** @typedef {{name: string, host?: string, bytes?: number}} Asked   name: of the model */

/** @param {{t: import('../base/shared.js').Texts, words: import('../words/languages.js').Dialogs['question'],
 *     asked: Asked, onYes: () => void, onNo: () => void}} props */
export function Question({t, words, asked: {name, host, bytes = 0}, onYes, onNo}) {
    const size = t.size(bytes);
    return h(
        'div',
        {class: 'notice question', role: 'alertdialog', 'aria-labelledby': 'question'},
        h(
            'p',
            {id: 'question'},
            host ? words.host : words.size(size),
            ' ',
            h('bdi', null, host ?? name),
            h('small', null, host ? words.hostWhy : words.sizeWhy),
        ),
        h(
            'div',
            null,
            buttonOf('main', {onClick: onYes}, host ? words.hostYes : words.sizeYes(size)),
            buttonOf('plain', {onClick: onNo}, words.no),
        ),
    );
}
