/* tour - the panel of the guided tour: what the pattern is, which head shows it most, how strongly.
 * When a step begins, or the text or the model changes, that head is opened in the head view; the
 * reader may then look elsewhere.
 */
import {h} from 'preact';
import {useEffect} from 'preact/hooks';
import {decimal} from '../draw/scale.js';
import {defaults} from '../core/state.js';
import {clampStep, example, findHead, STEPS} from '../views/tour.js';

/**
 * @typedef {import('./app.js').Shared} Shared
 * @typedef {import('../views/tour.js').Found} Found
 * @typedef {import('../text/languages.js').Dialogs['tour']} Words
 */

const BAR = 80;
const AGREEMENTS = ['copies', 'own']; // steps whose measure is no share of attention

/** @param {string} selector */
const focusOn = selector =>
    /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();

/** @param {Found} found @returns {Partial<import('../core/state.js').State>} */
const opened = found => ({view: 'head', layer: found.layer, heads: [found.head], filter: 'all'});

/** @param {Found} found @param {import('../core/state.js').State} state */
const isOpen = (found, {view, layer, heads}) =>
    view === 'head' && layer === found.layer && heads.length === 1 && heads[0] === found.head;

/** @param {Shared} shared @param {import('../views/tour.js').Step} step
 * @returns {Found | null | undefined} undefined: not yet */
function search({shown: {model, tensors}}, step) {
    const [measures, evens] = [tensors.get('measure.patterns'), tensors.get('measure.even')];
    return model && measures && evens ? findHead(step, model, measures, evens) : undefined;
}

/** Opens the head once for each step and computation. A link may name a step and another head: then
 * that is left as it is.
 * @param {Shared & {linked: {current: number}}} shared linked: the step of such a link until it has
 *     been shown, or -1
 * @param {Found | null | undefined} found */
function useOpening({state, set, linked, shown: {tensors}}, found) {
    const measures = tensors.get('measure.patterns');
    useEffect(() => {
        const asLinked = linked.current === state.tour;
        if (found !== undefined || !asLinked) linked.current = -1;
        if (found && !asLinked) set(opened(found));
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

/** @param {{words: Words, step: import('../views/tour.js').Step, found: Found, shared: Shared}}
 *     props */
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
        h('p', {class: verdict}, words.verdict(verdict, words.headName(layer, head))),
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
                null,
                words.strongest,
                ' ',
                piece(link.query),
                ` ${words.looksAt} `,
                piece(link.key),
                ' ',
                h('span', {class: 'number'}, decimal(link.weight)),
            ),
        !isOpen(found, state) &&
            h(
                'button',
                {type: 'button', class: 'plain', onClick: () => set(opened(found))},
                words.showHead,
            ),
    );
}

/** @param {Shared & {words: Words, step: import('../views/tour.js').Step, found: Found | null |
 *     undefined}} props */
function Finding({words, step, found, ...shared}) {
    const {
        state,
        set,
        shown: {tensors, busy, missing},
    } = shared;
    const text = words.steps[/** @type {keyof Words['steps']} */ (step.id)];
    const others = state.text !== defaults.text || state.textB !== defaults.textB;
    const waiting = busy || !tensors.has('measure.patterns');
    return h(
        'div',
        {'aria-live': 'polite', class: 'finding'},
        found
            ? h(Result, {words, step, found, shared})
            : h(
                  'p',
                  {class: 'none'},
                  found === null ? text.absent : missing || !waiting ? words.failed : words.looking,
              ),
        others &&
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    onClick: () => set({text: defaults.text, textB: defaults.textB, masked: []}),
                },
                words.sentences,
            ),
    );
}

/** @param {Shared & {words: Words, linked: {current: number}}} props */
export function Tour({words, ...shared}) {
    const {state, set} = shared;
    const at = clampStep(state.tour);
    const step = STEPS[at];
    const found = search(shared, step);
    useOpening(shared, found);
    useEffect(() => {
        if (!document.activeElement?.closest('.patterns')) return;
        focusOn('.tour h2');
        // On a phone the controls stand between the links and the panel.
        if (matchMedia('(max-width: 759px)').matches)
            document.querySelector('.tour')?.scrollIntoView();
    }, [state.tour]);
    const close = () => {
        focusOn('.patterns [aria-current]');
        set({tour: -1});
    };
    const go = (/** @type {number} */ to) =>
        to === STEPS.length ? close() : set({tour: Math.max(0, to)});
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === 'Escape') close();
        if (event.key === 'ArrowRight') go(Math.min(at + 1, STEPS.length - 1));
        if (event.key === 'ArrowLeft') go(at - 1);
    };
    const text = words.steps[/** @type {keyof Words['steps']} */ (step.id)];
    const last = at === STEPS.length - 1;
    return h(
        'section',
        {
            class: 'tour',
            'aria-labelledby': 'tour-title',
            'aria-describedby': 'tour-keys',
            onKeyDown,
        },
        h(
            'p',
            {class: 'place'},
            h('span', null, `${words.title} · ${words.place(at + 1, STEPS.length)}`),
            h(
                'button',
                {type: 'button', class: 'plain', onClick: close, 'aria-label': words.close},
                '×',
            ),
        ),
        h('h2', {id: 'tour-title', tabIndex: -1}, text.title),
        h('p', null, text.about),
        h(Finding, {...shared, words, step, found}),
        h(
            'div',
            {class: 'turn'},
            h(
                'button',
                {type: 'button', class: 'page', disabled: at === 0, onClick: () => go(at - 1)},
                words.back,
            ),
            h(
                'button',
                {type: 'button', class: 'page', onClick: () => go(at + 1)},
                last ? words.close : words.next,
            ),
        ),
        h('p', {class: 'hint'}, words.rule),
        h('p', {class: 'hidden', id: 'tour-keys'}, words.keys),
    );
}
