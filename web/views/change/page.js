/* page - the controls around the pictures of "What changes": actions on the chosen token (mask it,
 * put another word there, put it back; it is state.token), what is changed altogether, what a press
 * on a head does.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../../draw/button.js';
import {Piece} from '../../draw/blocks/flow.js';
import {signed} from '../../draw/marks/signed.js';
import {decimal, percent} from '../../draw/scale.js';
import {Choice} from '../parts/choice.js';
import {UNCHANGED} from '../needs.js';
import {against, begunWith, BEST, forgetBegun, without, withMask, withWord} from './numbers.js';

/**
 * @typedef {import('./numbers.js').Spot} Spot
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../draw/blocks.js').Props} Props
 */

/** A press on a word chooses it, or lets it go. While the one change is the word that the view has masked
 * by itself, it masks the pressed word instead. @param {number} index @param {Props} props */
export function pressWord(index, {state, data: {pass}, on}) {
    const begun = begunWith(state, pass.tokens.length);
    const moves = begun?.masked.length && index !== state.token;
    forgetBegun();
    if (moves) on.set({masked: [index], token: index});
    else on.set({token: index === state.token ? -1 : index});
}

/** What was changed to begin with, by whom, and how to change another; and why B is not set against A. @param {Props} props */
export function Begun({state, data: {t, pass}, scene: {spots, isChanged}}) {
    const begun = begunWith(state, spots.length);
    const masked = begun?.masked.map(index => t.change.begun(spots[index]?.piece, begun.chosen));
    const two = state.textB && (begun || !isChanged) && against(pass.tokens, pass.tokens, 1);
    const said = [
        begun?.back ? [t.change.against] : (masked ?? []),
        two && !two.replaced ? [t.change.uneven(two.counts)] : [],
    ].flat();
    return said.length > 0 && h('p', {class: 'hint begun', role: 'status'}, said.join(' '));
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
    );
}

/** Words that could not be put in. @param {Props} props */
export const Refusals = ({data: {t}, scene: {spots}}) =>
    spots
        .filter((/** @type {Spot} */ {refused}) => refused)
        .map((/** @type {any} */ {index, refused: {word, pieces}}) => {
            const said = `${t.change.at(index)}: ${t.change.refused(word, pieces)}`;
            return h('p', {key: index, class: 'refused', role: 'status'}, said);
        });

/** What is changed, in a sentence. @param {import('./scene.js').Scene} scene @param {Texts} t */
export const changedSaid = ({isChanged, changed}, t) =>
    isChanged ? t.change.changed(changed) : t.change.nothing;

/** The head that has changed most: a press shows its map. The map goes with it where it was its map, and where the view
 * begins with B set against A. @param {{t: Texts, on: Props['on'], scene: import('./scene.js').Scene, begins: boolean}} props */
function Most({t, on, scene, begins}) {
    const {layer, head, moved} = scene.shifts.top;
    const isShown = isTop(scene);
    const goes = useRef(false);
    const numbers = scene.shifts.moved;
    useEffect(() => {
        if ((begins || goes.current) && !isShown && moved > 0) on.set({layer, heads: [head]});
    }, [numbers]);
    useEffect(() => void (goes.current = isShown), [numbers, isShown]);
    if (!scene.isChanged || moved <= 0) return null;
    const said = mostSaid(scene, t);
    return h(
        'p',
        {class: 'change-most'},
        isShown ? said : button(said, () => on.set({layer, heads: [head]})),
    );
}

/** Is the map that of the head that has changed most? @param {import('./scene.js').Scene} scene */
const isTop = ({chosen, shifts: {top}}) => chosen.layer === top.layer && chosen.head === top.head;

/** @param {import('./scene.js').Scene} scene @param {Texts} t */
export function mostSaid(scene, t) {
    const {of, map, names, shifts} = scene;
    const most = of(shifts.top, (layer, head) =>
        t.change.describe(layer, head, decimal(shifts.top.moved)),
    );
    const ends = [Math.floor(map.at / map.T), map.at % map.T].map(i => `“${names[i]}” ${i}`);
    return isTop(scene) && map.most > 0
        ? most + t.change.where(ends, signed(map.difference[map.at]))
        : most;
}

/** What is changed altogether, and how to undo it. @param {Props} props */
export function Summary({state, data: {t}, on, scene}) {
    const back = begunWith(state, scene.spots.length)?.back;
    return h(
        'div',
        {class: 'change-sum in-line'},
        h('p', {role: 'status'}, changedSaid(scene, t)),
        scene.isChanged && button(t.change.reset, () => on.set({...UNCHANGED, ...back})),
        h(Most, {t, on, scene, begins: Boolean(back)}),
    );
}

/** What a press on a head does: native radio buttons. @param {Props} props */
export const Modes = ({data: {t}, on, look: {local}}) =>
    h(Choice, {
        name: 'press',
        legend: t.change.press,
        options: ['show', 'off'].map(value => ({value, label: t.change.presses[value]})),
        value: local.press,
        onChoose: press => on.local({press}),
    });
