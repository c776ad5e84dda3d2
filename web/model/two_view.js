/* two_view - above the controls, where the model has an encoder and a decoder: which attention is shown, the target (given, or what the
 * model has written, with a way from one to the other), and what each row of the decoder reads and says.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {Choice} from '../views/parts/choice.js';

/**
 * @import {Dialogs} from '../words/languages.js'
 * @import {Written} from '../session/two.js'
 * @import {Part} from '../files/imported.js'
 */

const SPACE = /[▁␣\u0120]/g; // of tokenizers

/** The target as it reads. @param {Written} two */
const textOf = ({rows}) =>
    rows
        .filter(({special}) => !special)
        .map(({piece}, i) =>
            piece.startsWith('##')
                ? piece.slice(2)
                : /^[▁␣\u0120]/.test(piece) || !i
                  ? piece
                  : ` ${piece}`,
        )
        .join('')
        .replace(SPACE, ' ')
        .trim();

/** @param {{words: Dialogs['two'], two: Written}} props */
const Rows = ({words, two}) =>
    h(
        'details',
        null,
        h('summary', null, words.rows),
        h('p', {class: 'hint'}, words.shift),
        h(
            'ol',
            {class: 'reads', translate: false},
            two.rows.map(({read, piece}, i) =>
                h(
                    'li',
                    {key: i},
                    h('bdi', null, read.piece),
                    ' → ',
                    h('bdi', {class: 'hint'}, piece),
                ),
            ),
        ),
    );

/** @param {import('../base/shared.js').Shared & {words: Dialogs['two'], partName: (part: Part) => string, part: string, two: Written,
 *     parts: Part[], shownPart: Part}} props */
export function TwoPanel({words, partName, part, two, parts, shownPart, state, set}) {
    const text = textOf(two);
    return h(
        'div',
        {class: 'imported two'},
        h(Choice, {
            name: 'part',
            legend: part,
            options: parts.map(one => ({value: one, label: partName(one), title: words.of(one)})),
            value: parts.find(one => one === state.part) ?? shownPart,
            onChoose: value => set({part: /** @type {any} */ (value)}),
        }),
        h('p', {class: 'hint'}, words.of(shownPart)),
        h(
            'p',
            null,
            two.written ? words.written : words.given,
            ' ',
            buttonOf(
                'plain',
                {
                    onClick: () => set({textB: two.written ? text : ''}),
                    disabled: two.written && !text,
                },
                two.written ? words.keep : words.write,
            ),
        ),
        h(Rows, {words, two}),
    );
}
