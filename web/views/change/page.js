/* page - the controls around the pictures of "What changes": actions on the chosen token (mask it,
 * put another word there, put it back; it is state.token), what is changed altogether, what a press
 * on a head does.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../../draw/button.js';
import {Piece} from '../../draw/blocks/flow.js';
import {decimal, percent} from '../../draw/scale.js';
import {Choice} from '../parts/choice.js';
import {UNCHANGED} from '../needs.js';
import {begunWith, BEST, forgetBegun, without, withMask, withWord} from './numbers.js';

/**
 * @typedef {import('./numbers.js').Spot} Spot
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../draw/blocks.js').Props} Props
 */

/** A press on a word chooses it, or lets it go. While the one change is the word that the view has masked
 * by itself, it masks the pressed word instead. @param {number} index @param {Props} props */
export function pressWord(index, {state, data: {pass}, on}) {
    const moves = begunWith(state, pass.tokens.length) && index !== state.token;
    forgetBegun();
    if (moves) on.set({masked: [index], token: index});
    else on.set({token: index === state.token ? -1 : index});
}

/** Which word was masked to begin with, by whom, and how to choose another. @param {Props} props */
export function Begun({state, data: {t, pass}, scene: {spots}}) {
    const begun = begunWith(state, pass.tokens.length);
    const spot = begun && spots[begun.index];
    return (
        spot &&
        h('p', {class: 'hint begun', role: 'status'}, t.change.begun(spot.piece, begun.chosen))
    );
}

/** @param {string} text @param {() => void} onClick */
const button = (text, onClick) => buttonOf('plain', {onClick}, text);

/** @param {{onWord: (word: string) => void, t: Texts}} props */
function Word({onWord, t}) {
    const [draft, setDraft] = useState('');
    const word = draft.trim();
    const several = /\s/.test(word);
    const send = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (!word || several) return;
        onWord(word);
        setDraft('');
    };
    return h(
        'form',
        {class: 'put-word', onSubmit: send},
        h('label', {for: 'put'}, t.change.otherWord),
        h('input', {
            id: 'put',
            type: 'text',
            value: draft,
            maxLength: 64,
            autocomplete: 'off',
            spellcheck: false,
            autocapitalize: 'off',
            dir: 'auto',
            'aria-invalid': several,
            'aria-describedby': several ? 'put-problem' : undefined,
            onInput: (/** @type {{currentTarget: HTMLInputElement}} */ event) =>
                setDraft(event.currentTarget.value),
        }),
        h('button', {type: 'submit', class: 'plain'}, t.change.putIn),
        several && h('span', {class: 'said', id: 'put-problem'}, t.change.oneWord),
    );
}

/** What the model predicts at the position; a press puts it there.
 * @param {{words: import('../view.js').Fill['words'], t: Texts, put: (word: string) => void}} props */
const Offers = ({words, t, put}) =>
    words.length > 0 &&
    h(
        'p',
        {class: 'offers'},
        t.change.offers,
        ' ',
        words.map(({id, piece, probability}, i) => [
            i > 0 && ' · ',
            buttonOf(
                'plain',
                {key: id, onClick: () => put(piece)},
                h('bdi', null, piece),
                '\u00a0',
                h('small', {class: 'unbroken'}, percent(probability)),
            ),
        ]),
    );

/** What can be done with the chosen token. @param {Props} props */
export function Editor({state, data: {t, model, fills}, on, scene: {spots}}) {
    const spot = /** @type {Spot | undefined} */ (spots[state.token]);
    if (!spot)
        return h(
            'p',
            {class: 'hint editor'},
            model.special.mask < 0 ? t.change.pickOnly : t.change.pick,
        );
    const {index, now, refused} = spot;
    const found = fills.find((/** @type {any} */ fill) => fill.index === index);
    const put = (/** @type {string} */ word) => on.set(withWord(state, index, word));
    return h(
        'div',
        {class: 'editor', key: index},
        h('p', null, t.change.at(index), ' ', h('strong', null, h(Piece, {word: spot}))),
        h(
            'div',
            {class: 'acts'},
            model.special.mask >= 0 &&
                now !== '[MASK]' &&
                button(t.change.mask, () => {
                    forgetBegun();
                    on.set(withMask(state, index));
                }),
            (now !== null || refused) &&
                button(t.change.putBack, () => on.set(without(state, index))),
            h(Word, {onWord: put, t}),
        ),
        h(Offers, {words: found?.words.slice(0, BEST) ?? [], t, put}),
        refused &&
            h(
                'p',
                {class: 'refused', role: 'status'},
                t.change.refused(refused.word, refused.pieces),
            ),
    );
}

/** Words that could not be put in at the other positions. @param {Props} props */
export const Refusals = ({state, data: {t}, scene: {spots}}) =>
    spots
        .filter((/** @type {Spot} */ {index, refused}) => refused && index !== state.token)
        .map((/** @type {any} */ {index, refused: {word, pieces}}) =>
            h(
                'p',
                {key: index, class: 'refused'},
                t.change.at(index),
                ': ',
                t.change.refused(word, pieces),
            ),
        );

/** What is changed, in a sentence. @param {import('./scene.js').Scene} scene @param {Texts} t */
export const changedSaid = ({isChanged, changed}, t) =>
    isChanged ? t.change.changed(changed) : t.change.nothing;

/** The head that has changed most: a press shows its map.
 * @param {{t: Texts, on: Props['on'], scene: import('./scene.js').Scene}} props */
function Most({t, on, scene}) {
    const {layer, head, moved} = scene.shifts.top;
    if (!scene.isChanged || moved <= 0) return null;
    const said = mostSaid(scene, t);
    const isShown = scene.chosen.layer === layer && scene.chosen.head === head;
    return h(
        'p',
        {class: 'change-most'},
        isShown ? said : button(said, () => on.set({layer, heads: [head]})),
    );
}

/** @param {import('./scene.js').Scene} scene @param {Texts} t */
export const mostSaid = ({of, shifts: {top}}, t) =>
    of(top, (layer, head) => t.change.describe(layer, head, decimal(top.moved)));

/** What is changed altogether, and how to undo it. @param {Props} props */
export const Summary = ({data: {t}, on, scene}) =>
    h(
        'div',
        {class: 'change-sum in-line'},
        h('p', {role: 'status'}, changedSaid(scene, t)),
        scene.isChanged && button(t.change.reset, () => on.set(UNCHANGED)),
        h(Most, {t, on, scene}),
    );

/** What a press on a head does: native radio buttons. @param {Props} props */
export const Modes = ({data: {t}, on, look: {local}}) =>
    h(Choice, {
        name: 'press',
        legend: t.change.press,
        options: ['show', 'off'].map(value => ({value, label: t.change.presses[value]})),
        value: local.press,
        onChoose: press => on.local({press}),
    });
