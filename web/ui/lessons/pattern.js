/* pattern - a step of the six patterns: which head of the loaded model shows the pattern most on this
 * text, how strongly, and an example. The head is opened in the head view and the example's token
 * pinned when the step begins, or when the text or the model changes. While the text is one of the
 * lesson's own, its others are tried until the model shows the pattern on one; a text of the reader's,
 * or of a link to the tour of before, stays.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {decimal} from '../../draw/scale.js';
import {defaults} from '../../core/state.js';
import {example, findHead, STEPS} from '../../views/six_patterns.js';
import {begun} from './begin.js';
import {headName} from './number.js';
import {Pair} from './pair.js';

/**
 * @typedef {import('../app.js').Shared} Shared
 * @typedef {import('../../views/six_patterns.js').Found} Found
 * @typedef {import('../../views/six_patterns.js').Step} Measured
 * @typedef {import('../../text/languages.js').Lessons['pattern']} Words
 * @typedef {{pattern: string, texts: string[][]}} Step
 */

const BAR = 80;
const AGREEMENTS = ['copies', 'own']; // steps whose measure is no share of attention

/** @param {Pick<Found, 'layer' | 'head'>} found @returns {Partial<import('../../core/state.js').State>} */
const opened = found => ({view: 'head', layer: found.layer, heads: [found.head], filter: 'all'});

/** @param {Pick<Found, 'layer' | 'head'>} found @param {import('../../core/state.js').State} state */
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
 * @param {import('../../core/state.js').State} state */
const isOurs = ({texts}, state) =>
    same([defaults.text, defaults.textB], state) ||
    ours.has(`${state.text}\n${state.textB}`) ||
    texts.some(pair => same(pair, state));
/** Texts that a step has put in place. @type {Set<string>} */
const ours = new Set();

/** Opens the head once for each step and computation, on the first text that shows the pattern.
 * @param {Shared & {linked: {current: number}, step: Step}} props
 * @param {Found | null | undefined} found @param {{current: boolean}} pins */
function useOpening({state, set, linked, step, shown: {tensors}}, found, pins) {
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
            if (!same([text, textB], state)) return set({...begun({text, textB})});
            if (found?.verdict === 'none' && next + 1 < step.texts.length) {
                const [other, otherB] = step.texts[++tried.current.next - 1];
                ours.add(`${other}\n${otherB}`);
                return set({...begun({text: other, textB: otherB})});
            }
        }
        if (found) set(opened(found));
    }, [state.tour, measures]);
}

/** @param {{name: string, value: number, strong?: boolean}} props */
const Bar = ({name, value, strong}) =>
    h(
        'tr',
        {class: strong ? 'strong' : undefined},
        h('th', {scope: 'row'}, name),
        h(
            'td',
            null,
            h(
                'span',
                {class: 'bar', style: {width: `${BAR}px`}, 'aria-hidden': true},
                h('i', {style: {width: `${BAR * Math.min(1, value)}px`}}),
            ),
        ),
        h('td', {class: 'number'}, decimal(value)),
    );

/** @param {{words: Words, step: Measured, found: Found, shared: Shared}} props */
function Result({
    words,
    step,
    found,
    shared: {
        state,
        set,
        shown: {pass, tensors, model},
    },
}) {
    const {layer, head, value, even, least, verdict} = found;
    const share = !AGREEMENTS.includes(step.id);
    const link = pass && example(step, pass.tokens, tensors.get(`attention.${layer}`), head);
    const part = (/** @type {string} */ measure) =>
        model
            ? decimal(
                  tensors.get('measure.patterns')?.data[
                      (model.patterns.indexOf(measure) * model.layers + layer) * model.heads + head
                  ] ?? 0,
              )
            : '';
    const piece = (/** @type {number} */ index) => h('bdi', null, pass?.tokens[index].piece);
    return h(
        'div',
        {class: 'found'},
        h('p', {class: verdict}, words.verdict(verdict, headName([layer, head], state))),
        h(
            'table',
            null,
            h('caption', null, words.measured(share ? 'share' : 'agreement')),
            h(
                'tbody',
                null,
                h(Bar, {name: words.thisHead, value, strong: true}),
                h(Bar, {name: words.even, value: even}),
                h(Bar, {name: words.mark, value: least}),
            ),
        ),
        h(
            'p',
            {class: 'soft'},
            share && `${words.times((value / even).toFixed(1))} `,
            step.id === 'delimiter' && words.delimiters(part('sep'), part('cls')),
        ),
        link &&
            h(
                'p',
                {class: 'strongest', 'data-value': link.weight},
                words.strongest,
                ' ',
                piece(link.query),
                ` ${words.looksAt} `,
                piece(link.key),
                ' ',
                h('span', {class: 'number'}, decimal(link.weight)),
            ),
        h(Ways, {words, found, link, shared: {state, set}}),
    );
}

/** From the head found to where else it can be seen.
 * @param {{words: Words, found: Found, link: {query: number} | null | undefined, shared: Pick<Shared,
 *     'state' | 'set'>}} props */
function Ways({words, found: {layer, head}, link, shared: {state, set}}) {
    const at = link ? {token: link.query, picked: [link.query], side: 'query'} : {};
    const button = (/** @type {string} */ label, /** @type {any} */ patch) =>
        h('button', {type: 'button', class: 'plain', onClick: () => set(patch)}, label);
    const isNeuron = state.view === 'neuron';
    return h(
        'p',
        {class: 'ways'},
        !isOpen({layer, head}, state) && button(words.showHead, {...opened({layer, head}), ...at}),
        !isNeuron && button(words.neuron, {view: 'neuron', layer, heads: [head], ...at}),
    );
}

/** Pins the token of the example once it is known. @param {Shared} shared
 * @param {{query: number} | null | undefined} link @param {{current: boolean}} pins */
function usePin({state, set}, link, pins) {
    useEffect(() => {
        if (!link || !pins.current || state.view !== 'head') return;
        pins.current = false;
        set({picked: [link.query], token: link.query, side: 'query'});
    }, [link?.query, state.layer]);
}

/** @param {Shared & {words: Words, step: Step, linked: {current: number}}} props */
export function Pattern({words, step, ...shared}) {
    const {state, set, shown} = shared;
    const [both, setBoth] = useState(false);
    const pins = useRef(false);
    const measured = STEPS.find(({id}) => id === step.pattern) ?? STEPS[0];
    const found = search(shared, measured);
    useOpening({...shared, step}, found, pins);
    const {pass, tensors, busy, missing} = shown;
    const attention = found ? tensors.get(`attention.${found.layer}`) : undefined;
    const link =
        found && pass && isOpen(found, state)
            ? example(measured, pass.tokens, attention, found.head)
            : null;
    usePin(shared, link, pins);
    const waiting = busy || !tensors.has('measure.patterns');
    const absent = words.absent[/** @type {keyof Words['absent']} */ (step.pattern)];
    const others = !isOurs(step, state);
    return h(
        'div',
        {'aria-live': 'polite', class: 'finding'},
        found
            ? h(Result, {words, step: measured, found, shared})
            : h(
                  'p',
                  {class: 'none'},
                  found === null ? absent : missing || !waiting ? words.failed : words.looking,
              ),
        others &&
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    onClick: () => set(begun({text: step.texts[0][0], textB: step.texts[0][1]})),
                },
                words.sentences,
            ),
        state.picked.length > 0 &&
            state.view === 'head' &&
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    'aria-pressed': both,
                    onClick: () => setBoth(!both),
                },
                words.both,
            ),
        both && state.view === 'head' && h(Pair, {shared, words}),
        h('p', {class: 'hint'}, words.rule),
    );
}
