/* pattern - a step of the six patterns: which head of the loaded model shows the pattern most on this
 * text, how strongly, and an example. The head is opened in the head view and the example's token
 * pinned when the step begins, or when the text or the model changes. While the text is one of the
 * lesson's own, its others are tried until the model shows the pattern on one; a text of the reader's,
 * or of a link to the tour of before, stays.
 */
import {h} from 'preact';
import {useEffect, useRef} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {decimal} from '../draw/scale.js';
import {BarRow, table} from '../draw/table.js';
import {defaults} from '../state/state.js';
import {example, findHead, STEPS} from '../views/parts/six_patterns.js';
import {withSetting} from '../views/study/study.js';
import {AllAndOne} from './all_and_one.js';
import {begun} from './begin.js';
import {nameIn} from './number.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('../views/parts/six_patterns.js').Found} Found
 * @typedef {import('../views/parts/six_patterns.js').Step} Measured
 * @typedef {import('../words/languages.js').Lessons['pattern']} Words
 * @typedef {import('./begin.js').Asked} Asked
 * @typedef {{pattern: string, texts: string[][]}} Step
 */

const BAR = 80;
const AGREEMENTS = ['copies', 'own']; // steps whose measure is no share of attention

/** @param {Pick<Found, 'layer' | 'head'>} found @returns {Partial<import('../state/state.js').State>} */
const opened = ({layer, head}) => ({
    ...{view: 'head', layer, heads: [head], filter: 'all'},
    ...{beside: '', compareWith: ''},
});

/** @param {Pick<Found, 'layer' | 'head'>} found @param {import('../state/state.js').State} state */
const isOpen = (found, {view, layer, heads}) =>
    view === 'head' && layer === found.layer && heads.length === 1 && heads[0] === found.head;

/** @param {Shared} shared @param {Measured} step
 * @returns {Found | null | undefined} undefined: not yet */
function search({shown: {model, tensors}}, step) {
    const [measures, evens] = [tensors.get('measure.patterns'), tensors.get('measure.even')];
    return model && measures && evens ? findHead(step, model, measures, evens) : undefined;
}

const same = (/** @type {string[]} */ [a, b], /** @type {{text: string, textB: string}} */ state) =>
    a === state.text && b === state.textB;

/** Whether the text is the lesson's to change. @param {Step} step
 * @param {import('../state/state.js').State} state */
const isOurs = ({texts}, state) =>
    same([defaults.text, defaults.textB], state) ||
    ours.has(`${state.text}\n${state.textB}`) ||
    texts.some(pair => same(pair, state));
/** Texts that a step has put in place. @type {Set<string>} */
const ours = new Set();

/** Since when it is looked for: the step, or another text or model. What has been chosen later stays.
 * @param {Pick<Shared, 'state'> & {asked: Asked}} props @returns {number} by performance.now() */
function useSince({state: {tour, model, text, textB}, asked}) {
    const since = useRef({what: '', at: 0});
    const what = [tour, model, text, textB].join('\n');
    const {what: before} = since.current;
    if (what !== before) since.current = {what, at: before ? performance.now() : asked.current.at};
    return since.current.at;
}

/** Opens the head once for each step and computation, on the first text that shows the pattern.
 * @param {Shared & {linked: {current: number}, since: number, step: Step}} props
 * @param {Found | null | undefined} found @param {{current: boolean}} pins */
function useOpening({state, set, linked, since, step, shown: {tensors}}, found, pins) {
    const measures = tensors.get('measure.patterns');
    const tried = useRef({step: state.lesson === '' ? state.tour : -1, next: step.texts.length});
    useEffect(() => {
        if (found === undefined) return;
        const asLinked = linked.current === state.tour;
        linked.current = -1;
        if (asLinked) return;
        if (tried.current.step !== state.tour) {
            const next = isOurs(step, state) ? 0 : step.texts.length;
            tried.current = {step: state.tour, next};
            pins.current = true;
        }
        const {next} = tried.current;
        const shows = next > 0 && found && found.verdict !== 'none';
        if (!shows && next < step.texts.length) {
            tried.current.next++;
            const [text, textB] = step.texts[next];
            ours.add(`${text}\n${textB}`);
            if (!same([text, textB], state)) return set(begun({text, textB}), since);
            if (found?.verdict === 'none' && next + 1 < step.texts.length) {
                const [other, otherB] = step.texts[++tried.current.next - 1];
                ours.add(`${other}\n${otherB}`);
                return set(begun({text: other, textB: otherB}), since);
            }
        }
        if (found) set(opened(found), since);
    }, [state.tour, measures]);
}

/** @param {string} name @param {number} value @param {boolean} [strong] */
const bar = (name, value, strong) =>
    h(BarRow, {
        ...{name, number: decimal(value), strong},
        ...{room: BAR, width: BAR * Math.min(1, value)},
    });

/** The head's measure beside that of uniform attention and what counts as the pattern.
 * @param {{words: Words, found: Found, share: boolean}} props */
const Measures = ({words, found: {value, even, least}, share}) =>
    table({caption: words.measured(share ? 'share' : 'agreement')}, [
        bar(words.thisHead, value, true),
        bar(words.even, even),
        bar(words.mark, least),
    ]);

/** How much of the head's attention goes to [SEP], and how much to [CLS].
 * @param {{words: Words, found: Found, shown: Shared['shown']}} props */
function Delimiters({words, found: {layer, head}, shown: {tensors, model}}) {
    const part = (/** @type {string} */ measure) =>
        model
            ? decimal(
                  tensors.get('measure.patterns')?.data[
                      (model.patterns.indexOf(measure) * model.layers + layer) * model.heads + head
                  ] ?? 0,
              )
            : '';
    return words.delimiters(part('sep'), part('cls'));
}

/** The line of the picture that shows the pattern best.
 * @param {{words: Words, link: NonNullable<ReturnType<typeof example>>, pass: Shared['shown']['pass']}} props */
function Strongest({words, link, pass}) {
    const piece = (/** @type {number} */ index) => h('bdi', null, pass?.tokens[index].piece);
    return h(
        'p',
        {class: 'strongest', 'data-value': link.weight},
        words.strongest,
        ' ',
        piece(link.query),
        ` ${words.looksAt} `,
        piece(link.key),
        ' ',
        h('span', {class: 'number'}, decimal(link.weight)),
    );
}

/** Patterns that it takes two sentences to see. */
const OF_PAIRS = ['across', 'own'];

/** @param {{words: Words, step: Measured, found: Found, shared: Shared}} props */
function Result({words, step, found, shared: {state, set, shown}}) {
    const {layer, head, value, even, verdict} = found;
    const {pass, tensors} = shown;
    const share = !AGREEMENTS.includes(step.id);
    const link = pass && example(step, pass.tokens, tensors.get(`attention.${layer}`), head);
    return h(
        'div',
        {class: 'found'},
        h('p', {class: verdict}, words.verdict(verdict, nameIn([layer, head], state))),
        h(Measures, {words, found, share}),
        h(
            'p',
            {class: 'soft'},
            share && `${words.times((value / even).toFixed(1))} `,
            step.id === 'delimiter' && h(Delimiters, {words, found, shown}),
        ),
        link && h(Strongest, {words, link, pass}),
        h(Ways, {words, step, found, link, shared: {state, set}}),
    );
}

/** From the head found to where else it can be seen, and to the study of its pattern over many texts.
 * @param {{words: Words, step: Measured, found: Found, link: {query: number} | null | undefined, shared: Pick<Shared,
 *     'state' | 'set'>}} props */
function Ways({words, step, found: {layer, head}, link, shared: {state, set}}) {
    const at = link ? {token: link.query, picked: [link.query], side: 'query'} : {};
    const button = (/** @type {string} */ label, /** @type {any} */ patch) =>
        buttonOf('plain', {onClick: () => set(patch)}, label);
    const isNeuron = state.view === 'neuron';
    return h(
        'p',
        {class: 'ways'},
        !isOpen({layer, head}, state) && button(words.showHead, {...opened({layer, head}), ...at}),
        !isNeuron &&
            button(words.neuron, {view: 'neuron', layer, heads: [head], beside: '', ...at}),
        button(words.corpus, {
            ...{
                desk: 'corpus',
                study: 'patterns',
                corpus: OF_PAIRS.includes(step.id) ? 'pairs' : '',
            },
            ...withSetting(state, 'measure', step.measure, 'next'),
        }),
    );
}

/** Pins the token of the example once it is known. @param {Shared & {since: number}} shared
 * @param {{query: number} | null | undefined} link @param {{current: boolean}} pins */
function usePin({state, set, since}, link, pins) {
    useEffect(() => {
        if (!link || !pins.current || state.view !== 'head') return;
        pins.current = false;
        set({picked: [link.query], token: link.query, side: 'query'}, since);
    }, [link?.query, state.layer]);
}

/** The head that is found, opened and pinned. @param {Shared & {step: Step, linked: {current: number}, asked: Asked}} props
 * @param {Measured} measured @returns {Found | null | undefined} */
function useFound({step, linked, ...shared}, measured) {
    const {pass, tensors} = shared.shown;
    const pins = useRef(false);
    const found = search(shared, measured);
    const since = useSince(shared);
    useOpening({...shared, step, linked, since}, found, pins);
    const attention = found ? tensors.get(`attention.${found.layer}`) : undefined;
    const link =
        found && pass && isOpen(found, shared.state)
            ? example(measured, pass.tokens, attention, found.head)
            : null;
    usePin({...shared, since}, link, pins);
    return found;
}

/** Why there is no head: none shows the pattern, or it is not known (yet).
 * @param {{words: Words, pattern: string, known: boolean, shown: Shared['shown']}} props */
function Without({words, pattern, known, shown: {tensors, busy, missing}}) {
    const waiting = busy || !tensors.has('measure.patterns');
    const absent = words.absent[/** @type {keyof Words['absent']} */ (pattern)];
    return h(
        'p',
        {class: 'none'},
        known ? absent : missing || !waiting ? words.failed : words.looking,
    );
}

/** @param {Shared & {words: Words, step: Step, linked: {current: number}, asked: Asked}} props */
export function Pattern({words, step, linked, ...shared}) {
    const {state, set, shown} = shared;
    const measured = STEPS.find(({id}) => id === step.pattern) ?? STEPS[0];
    const found = useFound({...shared, step, linked}, measured);
    const [text, textB] = step.texts[0];
    return h(
        'div',
        {'aria-live': 'polite', class: 'finding'},
        found
            ? h(Result, {words, step: measured, found, shared})
            : h(Without, {words, pattern: step.pattern, known: found === null, shown}),
        !isOurs(step, state) &&
            buttonOf('plain', {onClick: () => set(begun({text, textB}))}, words.sentences),
        h(AllAndOne, {shared, label: words.both}),
        h('p', {class: 'hint'}, words.rule),
    );
}
