/* precision - the panel that says in which precision the page computes, how near that is to float32
 * by measurement (fidelity.js), and that computes the reader's own text again in float32
 * (recompute.js) and says what differs. Fetched when first opened. What was found stays as long as
 * the pass that it is of, also while the panel is closed.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../../draw/button.js';
import {exact as digits} from '../../draw/scale.js';
import {Choice, optionsOf} from '../../views/parts/choice.js';
import {counted} from '../../views/parts/select.js';
import {precisionFor, precisionOf} from '../../views/needs.js';
import {FIDELITY} from './fidelity.js';
import {Moved, recompute} from './recompute.js';
import {Dialog} from '../../shell/dialog.js';
import {Track} from '../progress.js';

/**
 * @typedef {import('../../words/languages.js').Dialogs['precision']} Words
 * @import {Result} from './recompute.js'
 * @typedef {import('../../base/shared.js').Shared & {session: import('../../session/session.js').Session, makeEngine: () =>
 *     import('../../base/shared.js').Engine}} Props
 * @typedef {Props & {words: Words, close: () => void}} Part
 */

const PRECISIONS = /** @type {const} */ (['fine', 'fast']);
const CHANGES_SHOWN = 6;

/** @type {WeakMap<object, Result>} by pass */
const found = new WeakMap();

/** Two digits, without an exponent, as differences span six powers of ten: 0.0000079.
 * @param {number} value >= 0 */
export function small(value) {
    if (value === 0) return '0';
    const decimals = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(value))));
    return value.toFixed(decimals);
}

/** Some of all in per cent, and never a false zero or hundred. @param {number} some
 * @param {number} all */
export function share(some, all) {
    const percent = all ? (100 * some) / all : 0;
    if (some > 0 && percent < 0.01) return '<0.01\u00a0%';
    if (some < all && percent > 99.99) return '>99.99\u00a0%';
    return `${percent.toFixed(some === 0 || percent === 100 ? 0 : percent >= 1 ? 1 : 2)}\u00a0%`;
}

/** @param {number} value */
const milliseconds = value => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** Terms and what they are. @param {{rows: ([string, import('preact').ComponentChild] | false)[]}} props */
const Facts = ({rows}) =>
    h(
        'dl',
        {class: 'facts'},
        rows.map(
            row => row && [h('dt', {key: row[0]}, row[0]), h('dd', {key: `${row[0]} is`}, row[1])],
        ),
    );

/** What computes, and which of the two precisions of activations. @param {Part} props */
function Now({t, words, state, set, shown: {model, pass}}) {
    if (!model || !pass) return null;
    const value = precisionOf(state, model);
    const activations = h(Choice, {
        name: 'precision',
        legend: words.activations,
        className: 'unnamed',
        options: optionsOf(PRECISIONS, words.precisions, words.precisionHints),
        value,
        hint: words.precisionHints[value],
        onChoose: one => set({precision: precisionFor(one, state, model)}),
    });
    const store = /** @type {keyof Words['stores']} */ (model.store);
    const memory = pass.memory ? t.megabytes(pass.memory) : '';
    return h(
        'section',
        null,
        h('h3', null, words.now),
        h(Facts, {
            rows: [
                [words.weights, words.stores[store] ?? store],
                store === 'q8' && [words.activations, activations],
                [words.wasm, words.runsOn(pass.relaxed ?? false, pass.threads ?? 0)],
                [words.pass, words.took(milliseconds(pass.milliseconds), pass.tokens.length)],
                [words.memory, words.uses(memory, t.megabytes(model.weight_bytes))],
            ],
        }),
    );
}

/** What the rounding of a precision costs, on the sentences of the bench.
 * @param {{words: Words, code: string, precision: 'fine' | 'fast'}} props */
function Measured({words, code, precision}) {
    const {model, sentences, rows} = FIDELITY;
    return h(
        'section',
        null,
        h('h3', null, words.measured(model, words.precisions[precision])),
        h(
            'p',
            null,
            words.measuredOn(sentences, rows.toLocaleString(code)),
            ' ',
            h('code', null, `node tests/bench/fidelity.mjs ${sentences} FLOATS`),
        ),
        /** @type {const} */ (['same', 'f32']).map(exact => {
            const {mean, max, changed, fillings} = FIDELITY[exact][precision];
            const of = [share(changed, rows), share(fillings, sentences)];
            const apart = words.apart(small(mean), small(max), of[0], of[1]);
            return h('p', {key: exact}, words.against[exact], ' ', apart);
        }),
    );
}

/** Opens the head view at the place that differs most. @param {Part & {result: Result}} props */
function Worst({result: {comparison, pass}, words, state, set, close}) {
    if (!comparison.worst) return null;
    const {layer, head, query, key, ours, exact} = comparison.worst;
    const number = counted(state);
    const place = {
        ...{layer: number(layer), head: number(head)},
        ...{query: pass.tokens[query].piece, key: pass.tokens[key].piece},
        ...{ours: digits(ours), exact: digits(exact)},
    };
    const onClick = () => {
        close();
        set({
            ...{desk: 'text', view: 'head', layer, heads: [head], mix: 'heads', level: 'pieces'},
            ...{filter: 'all', specials: true, side: 'query', picked: [query], token: query},
        });
    };
    return buttonOf('plain', {onClick}, h('bdi', {translate: true}, words.worstAt(place)));
}

/** The words that float32 predicts instead. @param {{result: Result, words: Words}} props */
const Changes = ({result: {changes, pass}, words}) =>
    h(
        'ul',
        null,
        changes.slice(0, CHANGES_SHOWN).map(({index, ours, exact}) => {
            const at = {index, piece: pass.tokens[index].piece, ours, exact};
            return h('li', {key: index}, h('bdi', {translate: true}, words.changeAt(at)));
        }),
        changes.length > CHANGES_SHOWN && h('li', null, words.more(changes.length - CHANGES_SHOWN)),
    );

/** @param {Part & {result: Result}} props */
function Comparison(props) {
    const {result, words, t} = props;
    const {comparison, codes, precision, changes, words: count, pass, milliseconds: ms} = result;
    const took = milliseconds(ms);
    const some = (/** @type {number} */ part, /** @type {number} */ all) =>
        words.ofAll(part.toLocaleString(t.code), all.toLocaleString(t.code), share(part, all));
    return h(
        'div',
        {class: 'comparison'},
        h(
            'p',
            null,
            words.compared(words.precisions[precision], pass.tokens.length, took),
            ' ',
            words.codes[codes ? 'true' : 'false'],
        ),
        h(Facts, {
            rows: [
                [words.mean, small(comparison.mean)],
                [words.max, h(Worst, props)],
                [words.rowsChanged, some(comparison.changed, comparison.rows)],
                count !== null && [
                    words.wordsChanged,
                    [some(changes.length, count), h(Changes, {result, words})],
                ],
            ],
        }),
    );
}

/** @param {Part} props */
function useRecompute({session, makeEngine, state, words}) {
    const [step, setStep] = useState(/** @type {import('./recompute.js').Step | null} */ (null));
    const [said, setSaid] = useState({sentence: '', error: ''});
    const running = useRef(/** @type {AbortController | null} */ (null));
    useEffect(() => () => running.current?.abort(), []);
    const run = async () => {
        const {signal} = (running.current = new AbortController());
        setSaid({sentence: '', error: ''});
        setStep({phase: 'load', done: 0, total: 0});
        try {
            const result = await recompute({session, makeEngine, state, signal, onStep: setStep});
            found.set(result.pass, result);
        } catch (error) {
            if (signal.aborted) setSaid({sentence: words.cancelled, error: ''});
            else if (error instanceof Moved) setSaid({sentence: words.moved, error: ''});
            else setSaid({sentence: words.failed, error: /** @type {Error} */ (error).message});
        }
        setStep(null);
    };
    return {step, said, run, cancel: () => running.current?.abort()};
}

/** @param {Part} props */
function Recompute(props) {
    const {
        t,
        words,
        shown: {pass, model, busy},
    } = props;
    const {step, said, run, cancel} = useRecompute(props);
    const result = pass && found.get(pass);
    if (!pass || !model) return null;
    const {phase = 'load', done = 0, total = 0} = step ?? {};
    const loaded = done ? t.bytes(t.megabytes(done), total ? t.megabytes(total) : '') : '';
    const amount = phase === 'load' ? loaded : words.amount(done, total);
    const press = step
        ? {class: 'plain', onClick: cancel}
        : {class: 'main', onClick: run, disabled: busy};
    const name = step ? words.cancel : result ? words.again : words.run;
    return h(
        'section',
        {'aria-busy': step !== null},
        h('h3', null, words.here),
        h('p', null, words.about, ' ', words.needs(t.megabytes(4 * model.parameters))),
        step &&
            h(Track, {
                'aria-label': words.steps[phase](''),
                share: total ? done / total : undefined,
                amount: amount || undefined,
            }),
        step && h('p', null, words.steps[phase](amount)),
        h('p', {class: 'doing'}, h('button', {type: 'button', ...press}, name)),
        h(
            'p',
            {class: 'said', role: 'status'},
            said.sentence,
            said.error && [' ', h('bdi', {lang: 'en'}, said.error), ' ', words.failedHelp],
        ),
        result && !step && h(Comparison, {...props, result}),
    );
}

/** @param {Props & {words: Words, onClose: () => void}} props */
export function PrecisionPanel({onClose, ...props}) {
    const {
        t,
        words,
        state,
        shown: {model},
    } = props;
    const rounds = model?.store === 'q8';
    const parts = (/** @type {() => void} */ close) => [
        h(Now, {...props, close}),
        rounds && h(Measured, {words, code: t.code, precision: precisionOf(state, model)}),
        rounds && h(Recompute, {...props, close}),
        h('p', {class: 'doing'}, buttonOf('plain', {onClick: close}, words.close)),
    ];
    const {title, close: closeName} = words;
    const dialog = {id: 'precision-title', className: 'precision', title, closeName, onClose};
    return h(Dialog, {...dialog, children: parts});
}
