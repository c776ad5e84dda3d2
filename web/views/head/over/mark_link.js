/* mark_link - the hint while tokens are added, and the form that marks a link of the picture: the
 * reader chooses the other end of a token's link, writes what is to be seen there, and an arrow
 * says it in the picture, in files, links and <head-light> (state: marks; drawn by marked.js). And
 * the list of what is marked, each with a way to take it away.
 */
import {h} from 'preact';
import {select} from '../../../draw/select.js';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../../../draw/button.js';
import {readMarks, writeMark} from '../../../draw/marks/arrows.js';
import {MOST} from '../../../draw/own_text.js';
import {words as wordsOf} from '../../../words/languages.js';

/**
 * @import {ViewState} from '../../view.js'
 * @typedef {import('../../../words/languages.js').Dialogs['marks']} Words
 * @import {Selection} from '../scene.js'
 * @typedef {(patch: Partial<ViewState>) => void} Set
 */

const FEW = 5; // more arrows hide what they point at

/** The words of marks, once they are here. @param {string} code @returns {Words | null} */
export function useMarkWords(code) {
    const [words, setWords] = useState(/** @type {Words | null} */ (null));
    useEffect(() => {
        let latest = true;
        wordsOf(code, 'dialogs').then(({marks}) => {
            if (latest) setWords(marks);
        });
        return () => {
            latest = false;
        };
    }, [code]);
    return words;
}

/** What is marked. @param {{marks: readonly string[], pieceAt: (index: number) => string, words: Words,
 *     set: Set}} props */
export const MarkList = ({marks, pieceAt, words, set}) =>
    marks.length > 0 &&
    h(
        'ul',
        {class: 'mark-list', 'aria-label': words.list},
        readMarks(marks).map(({query, key, label}, i) =>
            h(
                'li',
                {key: marks[i]},
                h('bdi', null, pieceAt(query)),
                ' → ',
                h('bdi', null, pieceAt(key)),
                label && [' ', h('bdi', {class: 'hint'}, label)],
                buttonOf(
                    'x',
                    {
                        title: words.remove,
                        'aria-label': `${words.remove}: ${pieceAt(query)} → ${pieceAt(key)}`,
                        onClick: () => set({marks: marks.filter((_, at) => at !== i)}),
                    },
                    '×',
                ),
            ),
        ),
    );

/** Which link of the chosen token, and what stands there.
 * @param {{words: Words, from: string, isQuery: boolean, others: {index: number, piece: string}[], best: number, done:
 *     () => void, mark: (other: number, label: string) => void}} props */
function Form({words, from, isQuery, others, best, done, mark}) {
    const [other, setOther] = useState(best);
    const [label, setLabel] = useState('');
    const onSubmit = (/** @type {Event} */ event) => {
        event.preventDefault();
        mark(other, label);
    };
    const choice = select({
        ...{'aria-label': isQuery ? words.key : words.query, value: other},
        options: others.map(({index: value, piece: name}) => ({value, name})),
        onChoose: value => setOther(Number(value)),
    });
    const token = h('bdi', null, from);
    return h(
        'form',
        {class: 'mark-form', onSubmit},
        h('p', null, isQuery ? [token, ' → ', choice] : [choice, ' → ', token]),
        h('input', {
            ...{
                type: 'text',
                value: label,
                maxLength: MOST.label,
                autocomplete: 'off',
                dir: 'auto',
            },
            ...{'aria-label': words.label, placeholder: words.label},
            onInput: (/** @type {{currentTarget: {value: string}}} */ {currentTarget}) =>
                setLabel(currentTarget.value),
        }),
        h('button', {type: 'submit', class: 'main'}, words.mark),
        buttonOf('plain', {onClick: done}, words.cancel),
    );
}

/** In the panel of one token. @param {{state: ViewState, t: import('../../view.js').Texts, on: {set: Set}, scene: Selection, chosen:
 *     import('../scene.js').Chosen, best: number, several: boolean}} props   best: the row of its strongest
 *     partner; several: the next token that is pressed is added */
export function MarkLink({state, t, on: {set}, scene, chosen, best, several}) {
    const words = useMarkWords(t.code);
    const [open, setOpen] = useState(-1);
    if (!words) return null;
    const {marks} = state;
    const {tokens, rows, cols} = scene;
    const isQuery = chosen.side === 'query';
    const {index, piece} = tokens[chosen.indexes[0]];
    const place = (/** @type {number} */ at) =>
        tokens.find(unit => unit.index <= at && at <= unit.last)?.piece ?? String(at);
    const mark = (/** @type {number} */ other, /** @type {string} */ label) => {
        const [query, key] = isQuery ? [index, other] : [other, index];
        const rest = marks.filter(one => !one.startsWith(`${query}.${key}:`));
        set({marks: [...rest, writeMark({query, key, label})]});
        setOpen(-1);
    };
    const button = buttonOf('plain', {onClick: () => setOpen(index)}, words.open);
    const form = () =>
        h(Form, {
            ...{key: index, words, from: piece, isQuery, best: tokens[best]?.index ?? 0, mark},
            others: tokens.slice(...(isQuery ? cols : rows)),
            done: () => setOpen(-1),
        });
    return h(
        'div',
        {class: 'marking'},
        several && h('p', {class: 'adding', role: 'status'}, words.adding),
        open === index && chosen.indexes.length === 1
            ? form()
            : marks.length < FEW
              ? chosen.indexes.length === 1 && button
              : h('p', {class: 'hint'}, words.enough(FEW)),
        h(MarkList, {marks, pieceAt: place, words, set}),
    );
}
