/* control - controls of a figure: the same picture of layers drawn at random over the model's own
 * embeddings, or of the same words in another order. What is in there as well is no result of training, or not
 * of the order. A press below the figure puts one beside it (second.js). Fetched after the first picture.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {MOST} from '../session/sources.js';
import {viewHas} from '../views/index.js';
import {patchOf, RANDOM, writtenPatch} from './second.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {ModelSource as Source} from '../files/folder.js'
 */

/** @type {WeakMap<Source, Source>} */
const drawn = new WeakMap();

/** The model with its layers drawn at random. It is read a second time; a large one is asked for again.
 * @param {Source} source @returns {Source} */
export function randomLayers(source) {
    const made = drawn.get(source) ?? {...source, most: MOST, random: 'layers'};
    drawn.set(source, made);
    return made;
}

const MARK = /(\[[A-Z]+\]|<\/?\w+>)/; // [MASK] is one word

/** Words and what is between them. @param {string} text @returns {{piece: string, word: boolean}[]} */
const piecesOf = text =>
    text.split(MARK).flatMap((part, i) => {
        if (i % 2) return {piece: part, word: true};
        const found = new Intl.Segmenter(undefined, {granularity: 'word'}).segment(part);
        return Array.from(found, ({segment, isWordLike = false}) => ({
            piece: segment,
            word: isWordLike,
        }));
    });

/** @param {string} text */
const wordsOf = text => piecesOf(text).flatMap(({piece, word}) => (word ? [piece] : []));

/** Are these the same words in another order? @param {string} one @param {string} two */
export const isShuffled = (one, two) =>
    one !== two && wordsOf(one).sort().join('\n') === wordsOf(two).sort().join('\n');

/** Its words in another order; spaces and punctuation stay. The text itself where there is no other order.
 * @param {string} text @param {() => number} [random] */
export function shuffled(text, random = Math.random) {
    const words = wordsOf(text);
    if (new Set(words).size < 2) return text;
    for (;;) {
        const left = [...words];
        const made = piecesOf(text).map(({piece, word}) =>
            word ? left.splice(Math.floor(random() * left.length), 1)[0] : piece,
        );
        if (made.join('') !== text) return made.join('');
    }
}

/** Below the figure. @param {Pick<Shared, 'state' | 'set'> & {words:
 *     import('../words/languages.js').Dialogs['beside']}} props */
export function Controls({words, state: {text, textB, compareWith, beside, view}, set}) {
    const button = (
        /** @type {string} */ label,
        /** @type {() => Partial<Shared['state']>} */ patch,
    ) => buttonOf('plain', {onClick: () => set(patch())}, label);
    const order = () => ({text: shuffled(text), textB: shuffled(textB)});
    const again = isShuffled(text, patchOf({beside}).text ?? text);
    const has = !viewHas(view, 'places') && (shuffled(text) !== text || shuffled(textB) !== textB);
    const random = compareWith === RANDOM;
    return h(
        'p',
        {class: 'controls-beside'},
        `${words.control} `,
        !random && button(words.random, () => ({compareWith: RANDOM, beside: ''})),
        ' ',
        has &&
            button(again ? words.shuffledAgain : words.shuffled, () => ({
                compareWith: '',
                beside: writtenPatch(order()),
            })),
        ' ',
        (random || again) && button(words.end, () => ({compareWith: '', beside: ''})),
    );
}
