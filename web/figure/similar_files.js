/* similar_files - buttons that save the numbers of a similarity: the cells of two texts, or those of
 * several.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {downloadText, written} from '../save/files.js';
import {textOf} from '../save/pairs.js';

/** @import {Matrix} from '../save/pairs.js' */

const KINDS = /** @type {const} */ (['csv', 'json', 'svg']);
const TYPES = {csv: 'text/csv', json: 'application/json', svg: 'image/svg+xml'};

/** @param {(typeof KINDS)[number]} kind @param {Matrix} matrix */
function save(kind, matrix) {
    const text = textOf(kind, matrix);
    downloadText(
        kind === 'svg' ? written(text) : text,
        TYPES[kind],
        `headlight-${matrix.id}.${kind}`,
    );
}

/** @param {{label: string, matrix: Matrix}} props */
export const Files = ({label, matrix}) =>
    h(
        'p',
        {class: 'files'},
        h('span', {class: 'hint'}, label),
        KINDS.map(kind => [
            ' ',
            buttonOf('plain', {key: kind, onClick: () => save(kind, matrix)}, `.${kind}`),
        ]),
    );
