/* experiments - ablation of positions, segments and order, to find what a head depends on: the model runs without its
 * position or its segment embeddings, or with two positions exchanged; beside each of three heads (next word, previous
 * word, own sentence) how much of its attention does so on this text, before and now: the measure that "find a head"
 * ranks by, beside that of uniform attention; and what the model says at its end, before and now. A head is the one that
 * does most of it before. What the model does not have is said, not offered. Fetched when it is opened.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Folded} from '../draw/folded.js';
import {headName} from '../draw/head_name.js';
import {decimal} from '../draw/scale.js';
import {select} from '../draw/select.js';
import {table} from '../draw/table.js';
import {Tables} from '../views/change/predictions.js';
import {wordNeeds} from '../views/needs.js';
import {headMark} from '../views/parts/mark.js';
import {counted} from '../views/parts/select.js';
import {findHead, STEPS} from '../views/parts/six_patterns.js';
import {inputOf} from '../session/compute.js';
import {useWords} from '../shell/hooks.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {Session} from '../session/session.js'
 * @import {Model} from '../worker/worker.js'
 * @typedef {import('../words/languages.js').Words['dialogs']['experiments']} Words
 * @typedef {{id: string, layer: number, head: number, even: number, before: number, now: number}} Measured
 * @typedef {Pick<import('../views/view.js').Computed, 'pass' | 'fills' | 'before'>} Output   what the
 *     model says, before and now
 * @typedef {Shared & {session: Session, words: Words}} Props
 */

const IDS = ['next', 'previous', 'own'];

/** What the model has of each, as far as it says what it is made of. @param {Model} model */
export function hasOf({block, types}) {
    const table = (block?.position_rows ?? 0) > 0;
    const rotary = (block?.rotary ?? 0) > 0;
    return {positions: table ? 'table' : rotary ? 'rotary' : 'none', types: types > 1};
}

/** @param {Shared['state']} state */
const isOn = ({without, swapped}) => without !== '' || swapped.length === 2;

/** The three heads without the experiment and with it, which is the pass that is shown; the other changes that are on stay.
 * @param {Session} session @param {Model} info @param {Shared['state']} state @param {Output['pass']} pass @param {AbortSignal} signal
 * @returns {Promise<{found: Measured[], output: Output}>} */
async function measuredOf(session, info, state, pass, signal) {
    const words = wordNeeds(info, {all: false, compared: true});
    const want = [{measure: 'patterns'}, {measure: 'even'}, ...words];
    const now = await session.read(want, {signal});
    const [was, before] = isOn(state)
        ? await without(session, inputOf({...state, without: '', swapped: []}, info), want, signal)
        : [pass, now];
    const found = STEPS.filter(({id}) => IDS.includes(id)).flatMap(step => {
        const found = findHead(step, info, before[0], before[1]);
        if (!found) return [];
        const {layer, head, value, even} = found;
        const row = info.patterns.indexOf(step.measure) * info.layers * info.heads;
        const after = now[0].data[row + layer * info.heads + head];
        return [{id: step.id, layer, head, even, before: value, now: after}];
    });
    const ago = {...was, prediction: was.prediction ?? null, fills: before[2] ?? []};
    return {found, output: {pass, fills: now[2] ?? [], before: ago}};
}

/** A pass of its own, in the precision of the one that is shown. @param {Session} session
 * @param {import('../worker/passes.js').Input} input @param {import('../worker/passes.js').Want[]} want @param {AbortSignal} signal
 * @returns {Promise<[Output['pass'], any[]]>} */
async function without(session, input, want, signal) {
    const {engine, model} = session.beside();
    const run = engine.run({model, input, keep: ['attention', 'hidden'], want}, {signal});
    try {
        return [await run.facts, await Promise.all(run.answers)];
    } finally {
        engine.release({pass: run.pass});
    }
}

/** The numbers of the text that is shown. @param {Props} props */
function useMeasured({session, state, shown}) {
    const [found, setFound] = useState(
        /** @type {{found: Measured[], output: Output | null} | null} */ (null),
    );
    const {model, pass} = shown;
    useEffect(() => {
        const ends = new AbortController();
        if (model && pass)
            measuredOf(session, model, state, pass, ends.signal).then(
                one => !ends.signal.aborted && setFound(one),
                () => !ends.signal.aborted && setFound({found: [], output: null}),
            );
        return () => ends.abort();
    }, [pass]);
    return found;
}

/** @param {Pick<Props, 't' | 'state' | 'words'> & {found: Measured[]}} props */
function Table({t, state, words, found}) {
    const count = counted(state);
    const columns = [words.pattern, words.head, words.before, ...(isOn(state) ? [words.now] : [])];
    return table(
        {class: 'experiment-numbers', caption: words.caption, columns},
        found.map(({id, layer, head, even, before, now}) =>
            h(
                'tr',
                {key: id, 'data-pattern': id},
                h(
                    'th',
                    {scope: 'row'},
                    words.patterns[id],
                    h('small', null, ` ${words.even(decimal(even))}`),
                ),
                h('td', null, headMark(t, {layer, head}, headName(count(layer), count(head)))),
                h('td', {class: 'number'}, decimal(before)),
                isOn(state) && h('td', {class: 'number now'}, decimal(now)),
            ),
        ),
    );
}

/** Why two positions cannot change places. @param {number[]} own that can @param {number[]} pair
 * @param {Words} words */
const whyNot = (own, [a, b], words) =>
    own.length < 2 ? words.swapFew : a === b ? words.swapSame : '';

/** One of the two. @param {{at: number, pair: number[], own: number[], tokens: {piece: string}[], words: Words,
 *     put: (at: number, value: number) => void}} props */
const Place = ({at, pair, own, tokens, words, put}) =>
    select({
        ...{'aria-label': words.place(at), value: pair[at]},
        options: own.map(i => ({value: i, name: `${i} ${tokens[i].piece}`})),
        onChoose: value => put(at, Number(value)),
    });

/** Two positions that change places. @param {Props} props */
function Swap({state, set, shown, words}) {
    const tokens = shown.pass?.tokens ?? [];
    const own = tokens.flatMap(({special}, i) => (special ? [] : [i]));
    const [a = own[0] ?? 0, b = own[own.length - 1] ?? 0] = state.swapped;
    const isOn = state.swapped.length === 2;
    const [pair, setPair] = useState([a, b]);
    const put = (/** @type {number} */ at, /** @type {number} */ value) => {
        const next = at ? [pair[0], value] : [value, pair[1]];
        setPair(next);
        if (isOn && next[0] !== next[1]) set({swapped: [...next].sort((x, y) => x - y)});
    };
    const why = whyNot(own, pair, words);
    const select = (/** @type {number} */ at) => h(Place, {at, pair, own, tokens, words, put});
    return h(
        'div',
        {class: 'swap'},
        h(
            'label',
            null,
            h('input', {
                type: 'checkbox',
                checked: isOn,
                disabled: !isOn && why !== '',
                'aria-describedby': why ? 'swap-why' : undefined,
                onChange: () => set({swapped: isOn ? [] : [...pair].sort((x, y) => x - y)}),
            }),
            ` ${words.swap}`,
        ),
        h('span', null, select(0), ' ↔ ', select(1)),
        why && h('p', {class: 'hint', id: 'swap-why'}, why),
    );
}

/** @param {import('../views/change/predictions.js').Said} said */
const Said = said => h('div', {class: 'change-says'}, h(Tables, said));

/** @param {Props} props */
function Inside(props) {
    const {t, state, set, shown, words} = props;
    const {found = null, output = null} = useMeasured(props) ?? {};
    const views = useWords(t.code, 'views', true);
    if (!shown.model) return null;
    const has = hasOf(shown.model);
    const toggle = (/** @type {'positions' | 'types'} */ name, /** @type {string} */ label) =>
        h(
            'label',
            {key: name},
            h('input', {
                type: 'checkbox',
                checked: state.without === name,
                onChange: () => set({without: state.without === name ? '' : name}),
            }),
            ` ${label}`,
        );
    const on = isOn(state);
    return h(
        'div',
        {class: 'experiments-inside'},
        has.positions === 'none'
            ? h('p', {class: 'hint'}, words.noPositions)
            : [
                  toggle('positions', words[has.positions === 'rotary' ? 'rotary' : 'positions']),
                  h(Swap, {key: `swap${shown.pass?.tokens.length}`, ...props}),
              ],
        has.types ? toggle('types', words.types) : h('p', {class: 'hint'}, words.noTypes),
        h('p', {class: 'hint'}, words.lookFor),
        found && h(Table, {t, state, words, found}),
        found && !found.some(({id}) => id === 'own') && h('p', {class: 'hint'}, words.needsB),
        on && output && views && h(Said, {...output, model: shown.model, t: {...t, ...views}}),
    );
}

/** @param {Omit<Props, 'words'>} props */
export function Experiments(props) {
    const words = useWords(props.t.code, 'dialogs', true)?.experiments;
    if (!words) return null;
    return h(Folded, {
        class: 'more experiments',
        label: words.label,
        inside: () => h(Inside, {...props, words}),
    });
}
