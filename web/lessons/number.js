/* number - the number that a step is about, with its bound, and for one token's weights the words that
 * it lies between. It is read from the model's own attention of this moment (seen.js); while attention from a
 * file is shown, the model's last number stays.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {headName} from '../draw/head_name.js';
import {decimal} from '../draw/scale.js';
import {headMark} from '../views/parts/mark.js';
import {spelled} from '../views/parts/spelled.js';
import {counted} from '../views/parts/select.js';
import {titleOf} from './list.js';
import {holds, readSeen, ROLES} from './seen.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('./seen.js').Seen} Seen
 * @typedef {import('../words/languages.js').Lessons['player']} Words
 */

/** What a number is read from: the pass that is shown. @param {Shared['shown']} shown
 * @returns {import('./seen.js').Source} */
export const sourceOf = ({pass, tensors, fills, model}) => ({
    tokens: pass?.tokens ?? [],
    tensor: name => {
        const tensor = tensors.get(name);
        return tensor && tensor.shape.at(-2) === pass?.tokens.length ? tensor : undefined;
    },
    fills,
    model,
    measure: (name, of = 'patterns') => {
        const at = (of === 'sieves' ? ROLES : (model?.patterns ?? [])).indexOf(name);
        const all = tensors.get(`measure.${of}`);
        if (!model || !all || at < 0) return null;
        const size = model.layers * model.heads;
        return all.data.subarray(at * size, (at + 1) * size);
    },
});

/** Is what is computed of the text of this moment, and of its kind of attention? @param {Pick<Shared, 'state' | 'shown'>} shared */
export const isOfText = ({state: {text, textB, part}, shown: {pass, precomputed, imported}}) => {
    const {texts = []} = imported?.two ?? pass ?? {};
    return !precomputed && String([texts, imported?.part ?? part]) === String([text, textB, part]);
};

/** The name of a head wherever a lesson names one. @param {readonly number[]} head layer, head
 * @param {import('../state/state.js').State} state */
export const nameIn = ([layer, head], state) =>
    headName(counted(state)(layer), counted(state)(head));

/** A lesson's sentence with its heads and layers as the reader counts them. @param {string} text
 * @param {Pick<import('../state/state.js').State, 'oneBased'>} state
 * @param {number} [base] from which the sentence counts */
export function recounted(text, state, base = 0) {
    const count = (/** @type {string} */ number) => counted(state)(+number - base);
    return text
        .replace(/L(\d+)·H(\d+)/g, (_, layer, head) => headName(count(layer), count(head)))
        .replace(/(\blayer |第 )(\d+)(?= 层|[^·\d]|$)/gi, (_, word, layer) => word + count(layer));
}

/** What a step says, `title` or `say`, with heads and layers as the reader counts them.
 * @param {Pick<import('./step.js').Step, 'title' | 'say' | 'state'>} step @param {'title' | 'say'} what
 * @param {import('../state/state.js').State} state @param {string} code of the language */
export const saidIn = (step, what, state, code) =>
    recounted(titleOf(step[what], code), state, step.state?.oneBased ? 1 : 0);

/** The step of "Step by step" that computes it. @type {Record<string, number>} */
const COMPUTED = {score: 2, scaled: 3, weight: 4};

/** @param {{shared: Shared, words: Words, seen: Seen}} props */
export function Number({shared: {t, shown, state}, words, seen}) {
    const last = useRef(/** @type {import('preact').VNode | null} */ (null));
    if (shown.imported && !shown.imported.two) return last.current;
    const value = isOfText({state, shown}) ? readSeen(sourceOf(shown), seen) : null;
    if (value === null && (shown.problem || shown.question)) return null; // of its model
    if (value === null) return h('p', {class: 'seen-number soft'}, words.waiting);
    const piece = (/** @type {number} */ at) => h('bdi', null, shown.pass?.tokens[at]?.piece);
    const {kind, head, query, keys = [], word} = seen;
    const from = seen.from ?? (query === undefined ? null : piece(query));
    const to = seen.to ?? word ?? keys.map((key, i) => [i > 0 && ' + ', piece(key)]);
    const bound = seen.atLeast ?? seen.atMost ?? 0;
    const comes = state.view === 'steps' ? (COMPUTED[kind] ?? 0) : 0;
    const soft = {class: 'seen-number soft', 'data-value': value};
    if (state.step < comes) return h('p', soft, words.comes(comes + 1));
    return (last.current = h(
        'p',
        {class: 'seen-number', 'data-value': value, 'data-kind': kind},
        h('strong', null, decimal(value)),
        ' ',
        h(
            'span',
            null,
            words.seen(
                kind,
                from,
                to,
                seen.neurons ?? [],
                spelled(
                    words.roles[seen.role ?? seen.measure ?? ''] ?? '',
                    shown.pass?.tokens ?? [],
                ),
            ),
        ),
        head && [' · ', headMark(t, {layer: head[0], head: head[1]}, nameIn(head, state))],
        !holds(value, seen) && h('em', null, ` ${words.unlike(decimal(bound))}`),
    ));
}
