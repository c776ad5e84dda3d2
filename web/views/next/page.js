/* page - the controls of the view of next words: a position, how words are drawn, and writing: a word by a press, or several one after the other.
 */
import {h} from 'preact';
import {useEffect} from 'preact/hooks';
import {buttonOf} from '../../draw/button.js';
import {percent} from '../../draw/scale.js';
import {Choice} from '../parts/choice.js';
import {termsIn} from '../parts/mark.js';
import {Writer} from '../parts/writer.js';
import {without, withMask, withWord} from '../change/numbers.js';
import {writtenOf} from '../needs.js';
import {changing, COLDEST, drawn, HOTTEST, MOST, pick} from './scene.js';

/**
 * @typedef {import('../../draw/blocks.js').Props} Props
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Word} Word
 */

const MANY = [5, 40]; // words that are written by one press
export const LOCAL = {
    all: false,
    left: 0,
    how: 'best',
    ended: false,
    temperature: 1,
    topK: MOST,
    topP: 1,
};

/** @param {string} text @param {() => void} onClick @param {Record<string, any>} [more] */
const button = (text, onClick, more) => buttonOf('plain', {onClick, ...more}, text);

/** Adds a word at the end: its id, since a text cut anew may have other tokens.
 * @param {Pick<Props, 'state' | 'on'>} props @param {number} id */
export const write = ({state, on}, id) =>
    on.set({written: [...writtenOf(state), id].join('.'), token: -1});

/** A press on a word: at the end it is written; at a mask it takes its place.
 * @param {Word} word @param {Props} props */
export function pressWord({id, piece}, props) {
    const {state, on, scene} = props;
    on.local({left: 0, ended: false});
    if (scene.kind === 'next') write(props, id);
    else on.set(withWord(state, scene.at, piece));
}

/** Can a press do anything with a word here? @param {Scene} scene */
export const canPress = ({kind, isEnd, isMask, isFull}) =>
    kind === 'next' ? isEnd && !isFull : isMask;

const SLIDERS = [
    {id: 'temperature', of: 'temperature', range: [COLDEST, HOTTEST, 0.1], digits: 1},
    {id: 'top-k', of: 'topK', range: [1, MOST, 1], digits: 0},
    {id: 'top-p', of: 'topP', range: [0.05, 1, 0.05], digits: 2},
];

/** @param {Props} props */
export const Sliders = ({data: {t}, on, look: {local}}) =>
    h(
        'div',
        {class: 'next-sliders'},
        SLIDERS.map(({id, of, range: [min, max, step], digits}) =>
            h(
                'div',
                {class: 'top-share', key: id},
                h('label', {for: id}, t.next[of]),
                h(
                    'output',
                    {for: id},
                    of === 'topK' && !changing(local) ? t.next.off : local[of].toFixed(digits),
                ),
                h('input', {
                    ...{type: 'range', id, min, max, step, value: local[of]},
                    'aria-describedby': `${id}-hint`,
                    onInput: (/** @type {{currentTarget: HTMLInputElement}} */ event) =>
                        on.local({[of]: Number(event.currentTarget.value)}),
                }),
                h('p', {class: 'hint', id: `${id}-hint`}, t.next[`${of}Hint`]),
            ),
        ),
    );

/** The next step of writing, once the words for it are there. @param {Props} props @param {number} chance 0..1 */
export function writeOn(props, chance) {
    const {state, data, scene, on, look} = props;
    const {left, how} = look.local;
    if (!left || scene.written !== writtenOf(state).length || !scene.isEnd) return;
    const word = how === 'best' ? scene.words[0] : pick(drawn(scene.words, look.local), chance);
    const ends = !word || data.model.ends?.includes(word.id);
    if (ends || scene.isFull) {
        on.local({left: 0, ended: ends});
        return;
    }
    on.local({left: left - 1, ended: false});
    write(props, word.id);
}

/** What has been written, and why it went no further. @param {Props} props */
function Status({state, data: {t, model}, scene, look: {local}}) {
    const {length} = writtenOf(state);
    const said = [
        length > 0 && t.next.written(length),
        length > 0 && !scene.joins && t.next.parts,
        local.ended && t.next.ended,
        scene.isFull && t.next.full(model.positions),
    ];
    return h('p', {class: 'hint', role: 'status'}, said.filter(Boolean).join(' '));
}

/** Writes on, stops, takes back. @param {Props} props */
function Buttons({state, data: {t}, scene, on, look: {local}}) {
    const ids = writtenOf(state);
    const cut = (/** @type {number} */ count) => {
        on.local({left: 0, ended: false});
        on.set({written: ids.slice(0, count).join('.'), token: -1});
    };
    const go = (/** @type {number} */ left) => {
        on.set({token: -1});
        on.local({left, ended: false});
    };
    return h(
        'p',
        {class: 'next-buttons in-line'},
        local.left
            ? button(t.next.stop, () => on.local({left: 0}), {class: 'main'})
            : MANY.map((count, i) =>
                  button(t.next.go(count), () => go(count), {
                      ...{key: count, class: i ? 'page' : 'main', disabled: scene.isFull},
                  }),
              ),
        ids.length > 0 && button(t.next.back, () => cut(ids.length - 1)),
        ids.length > 0 && button(t.next.clear, () => cut(0)),
    );
}

/** Writing on, and taking it back. @param {Props} props */
export function Writing(props) {
    const {data, scene, on, look} = props;
    const {t} = data;
    useEffect(() => writeOn(props, Math.random()), [data.pass, look.local.left]);
    if (scene.kind !== 'next') return h(Writer, {...props, says: t.next.writes});
    return h(
        'div',
        {class: 'next-writing'},
        h(Choice, {
            ...{name: 'next-how', legend: t.next.how, value: look.local.how},
            options: ['best', 'random'].map(value => ({value, label: t.next.hows[value]})),
            onChoose: how => on.local({how}),
        }),
        h(Buttons, props),
        h(Status, props),
        scene.written > 0 &&
            h('p', {class: 'next-plain'}, h('bdi', null, plainText(scene.tokens, scene.written))),
    );
}

/** The tokens that were written as plain text. @param {Scene['tokens']} tokens @param {number} count */
const plainText = (tokens, count) =>
    tokens
        .slice(-count)
        .map(({piece}) => piece.replace(/[␣▁]/g, ' ').replaceAll('⏎', '\n'))
        .join('');

/** Of a masked model: the word there is hidden from it, or put back. @param {Props} props */
export function Masking({state, data: {t, model}, scene, on}) {
    const {kind, at, isMask, tokens} = scene;
    if (kind !== 'masked' || model.special.mask < 0) return null;
    const isChanged =
        state.masked.includes(at) ||
        state.replaced.some((/** @type {string} */ one) => one.startsWith(`${at}:`));
    return h(
        'p',
        {class: 'next-buttons in-line'},
        !isMask &&
            button(
                t.next.mask(tokens[at].piece),
                () => on.set({...withMask(state, at), token: at}),
                {class: 'main'},
            ),
        isChanged && button(t.change.putBack, () => on.set(without(state, at))),
    );
}

/** Which of the words stands there, where the text goes on. @param {Scene} scene @param {Props['data']['t']} t */
function goesOn({kind, isEnd, at, words, tokens, actual}, t) {
    if (kind !== 'next' || isEnd || !words.length) return null;
    const {piece} = tokens[at + 1];
    const found = actual(at);
    const says = found
        ? t.next.goesOn(piece, words.indexOf(found) + 1, percent(found.probability))
        : t.next.goesOnBeyond(piece, words.length);
    return h('p', {key: 'there'}, says);
}

/** What the list shows, with its terms. @param {Props} props */
export const Asked = ({data: {t}, scene, on, look: {local}}) => [
    goesOn(scene, t),
    h(
        'p',
        {key: 'hint', class: 'hint'},
        termsIn(t, t.next.hint(canPress(scene), scene.kind, changing(local))),
    ),
    // a page with an engine, at the position that the view explains
    t.mark &&
        (scene.isMask || scene.isEnd) &&
        h(
            'p',
            {key: 'why'},
            button(t.viewTitles.decides, () => on.set({view: 'decides', ask: ''})),
        ),
];

/** More or fewer words of the list. @param {Props} props */
export const More = ({data: {t}, look: {local}, on, scene}) =>
    button(local.all ? t.next.fewer : t.next.more(Math.min(scene.words.length, local.topK)), () =>
        on.local({all: !local.all}),
    );
