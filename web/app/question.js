/* question - the answer to the first screen's question, from the picture that is shown, the same with the
 * other word, three presses, and what the head does over the corpora that come with the page. Fetched
 * with the first figure.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {headName} from '../draw/head_name.js';
import {decimal, percent} from '../draw/scale.js';
import {headMark} from '../views/parts/mark.js';
import {counted} from '../views/parts/select.js';
import {useFound} from '../shell/use_found.js';
import {QUESTION, TEXTS} from '../lessons/question.js';

/**
 * @import {Props} from './intro.js'
 * @import {Begin} from '../base/shared.js'
 * @import {First as Words} from '../words/languages.js'
 * @typedef {Props & {begin: Begin, words: Words}} Asked
 * @typedef {{key: string, weight: number}[]} Answer   the strongest first
 */

/** What the word asked about gives the words that may be meant, in the picture that is shown; null
 * where that is of other heads. @param {Props['drawable']} drawable @param {Begin} begin
 * @returns {Answer | null} */
function answerOf(drawable, {layer, heads: [head]}) {
    if (drawable?.state.layer !== layer || String(drawable.state.heads) !== String(head))
        return null;
    const {tokens} = drawable.data.pass;
    const weights = drawable.data.tensors.get(`attention.${layer}`)?.data;
    const at = (/** @type {string} */ word) => tokens.findIndex(({piece}) => piece === word);
    const row = (head * tokens.length + at(QUESTION.word)) * tokens.length;
    return weights
        ? QUESTION.answers
              .map(key => ({key, weight: weights[row + at(key)]}))
              .sort((a, b) => b.weight - a.weight)
        : null;
}

/** @param {Answer} answer @param {string} comma */
const said = (answer, comma) =>
    answer.flatMap(({key, weight}, i) => [
        i ? comma : '',
        h(i ? 'span' : 'strong', {key, class: 'answer-word'}, `${key} ${decimal(weight)}`),
    ]);

/** What this is, for who sees it for the first time, and the first lesson. @param {Pick<Asked, 'words' | 'set'>} props */
const About = ({words: {about}, set}) =>
    h(
        'p',
        {class: 'about'},
        about.model,
        h('span', null, about.lines),
        about.end,
        buttonOf('plain', {onClick: () => set({lesson: 'attention', tour: 0})}, about.lesson),
    );

/** What the model expects in place of the word asked about, with this head and without it (C: effect), and the way
 * to what changes then. @param {Asked & {name: any}} props */
function Without({t, words, state, set, session, drawable, begin, name}) {
    const {
        layer,
        heads: [head],
        moved,
    } = begin;
    const pass = drawable?.data.pass;
    const at = pass?.tokens.findIndex(({piece}) => piece === QUESTION.word) ?? -1;
    const question = {intervention: 'effect', changes: [['head', layer, head]], top: 1};
    const found = useFound(
        signal => session.ask(question, {...state, masked: [at]}, signal),
        [pass?.texts[0]],
    );
    /** @type {{word: string, before: number, after: number}[]} */
    const [best, other = best] = found?.found?.words[0]?.words ?? [];
    const number = (/** @type {string} */ word, /** @type {number} */ p) =>
        h('strong', null, `${word} ${percent(p)}`);
    const onClick = () => set({view: 'change', off: [`${layer}.${head}`], ...moved});
    if (!best) return h('span', {role: 'status'}, found?.why ?? words.waits);
    return [
        words.without(number(best.word, best.before), name, number(other.word, other.after)),
        other === best ? words.stays : words.turns,
        ' ',
        buttonOf('plain', {onClick}, t.viewTitles.change),
    ];
}

/** The answer with the text's own word, then with the other.
 * @param {Asked & {name: any, isOff: boolean}} props */
function Answers({isOff, ...props}) {
    const {t, words, state, set, drawable, begin, name} = props;
    const before = useRef(/** @type {Answer | null} */ (null));
    const answer = answerOf(drawable, begin);
    const swapped = drawable?.data.pass.texts?.[0] === TEXTS[1]; // of the picture, not what is asked
    if (answer && !swapped) before.current = answer;
    const own = before.current;
    const {layer, heads, picked, token} = begin;
    const isPinned = answer !== null && String(state.picked) === String(picked);
    const back = () => set({layer, heads, picked, token});
    const count = counted(state);
    const plain = headName(count(layer), count(heads[0])); // no button in a button
    const line = h(
        'p',
        {class: `lede${isPinned ? ' pinned' : ''}${swapped || isOff ? ' swapped' : ''}`},
        answer
            ? [
                  own && words.answer(name, said(own, t.comma)),
                  swapped &&
                      !isOff && [
                          ' ',
                          words.swapped(
                              QUESTION.swap[1],
                              said(answer, t.comma),
                              answer[0].key === QUESTION.answers[0],
                          ),
                      ],
                  isOff && [' ', h(Without, props)],
              ]
            : drawable && buttonOf('plain', {onClick: back}, words.back(plain)),
    );
    return [line, !swapped && !isOff && h(About, {words, set})];
}

/** @param {Asked & {isOff: boolean, setOff: (isOff: boolean) => void}} props */
function Presses({words, state, set, begin, isOff, setOff}) {
    const [word, other] = QUESTION.swap;
    const isOn = state.text === TEXTS[1];
    const {layer, heads, picked, token} = begin;
    const press = (/** @type {string} */ label, /** @type {() => void} */ onClick, more = {}) =>
        buttonOf('press', {key: label, onClick, ...more}, label);
    return h(
        'div',
        {class: 'presses'},
        press(
            words.swap(other, word),
            () => set({text: TEXTS[isOn ? 0 : 1], layer, heads, picked, token}),
            {'aria-pressed': isOn},
        ),
        press(words.off, () => setOff(!isOff), {'aria-pressed': isOff}),
        press(words.all, () => set({view: 'model'})),
    );
}

/** What the head does over the corpora that come with the page, beside its picture. @param {Asked & {name:
 *     any}} props */
function Role({t, state, drawable, begin, words, name}) {
    const {role, coref} = begin;
    if (!coref) return null;
    const {layer, head, share} = coref.best;
    const count = counted(state);
    const best = headMark(t, {layer, head}, headName(count(layer), count(head)));
    return h(
        'p',
        // of another head it keeps its place, so that nothing below moves
        {class: 'role', style: answerOf(drawable, begin) ? '' : 'visibility: hidden'},
        role && words.role(name, role),
        ' ',
        words.coref(coref, best, share),
    );
}

/** All but the question itself. @param {Asked} props */
export function Question(props) {
    const {t, state, begin} = props;
    const count = counted(state);
    const {layer, heads} = begin;
    const [head] = heads;
    const parts = {...props, name: headMark(t, {layer, head}, headName(count(layer), count(head)))};
    const [isOff, setOff] = useState(false);
    return [h(Answers, {...parts, isOff}), h(Presses, {...props, isOff, setOff}), h(Role, parts)];
}
