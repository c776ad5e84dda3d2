/* refused - a study or a corpus that could not be read or run: the sentence of the engine, which is in
 * English and may quote the reader's file, so that it is text and nothing else.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';

/** @param {{words: import('../views/study/study.js').Words, message: string,
 *     onClose: () => void}} props */
export const Refused = ({words, message, onClose}) =>
    h(
        'div',
        {class: 'study-problem', role: 'alert'},
        h(
            'p',
            null,
            h('strong', null, words.problem),
            ' ',
            h('bdi', {lang: 'en'}, message.replace(/\.?$/, '.')),
        ),
        buttonOf('plain', {onClick: onClose}, words.close),
    );
