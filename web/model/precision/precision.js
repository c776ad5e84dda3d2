/* precision - the panel that says in which precision the page computes, how near that is to float32
 * by measurement (precision/fidelity.js), and that compares on the reader's own text
 * (precision/compare.js). Fetched when first opened.
 */
import {h} from 'preact';
import {Choice} from '../../views/parts/choice.js';
import {precisionFor, precisionOf} from '../../views/needs.js';
import {Compare} from './compare.js';
import {FIDELITY} from './fidelity.js';
import {Facts, milliseconds, share, small} from './print.js';
import {Dialog} from '../../shell/dialog.js';

/**
 * @typedef {import('../../words/languages.js').Dialogs['precision']} Words
 * @typedef {import('../../app/app.js').Shared & {session: import('../../session/session.js').Session, makeEngine: () =>
 *     import('../../app/app.js').Engine}} Props
 * @typedef {typeof FIDELITY.pairs[number]} Pair
 */

const PRECISIONS = /** @type {const} */ (['fine', 'fast']);

/** Which of the two precisions of activations.
 * @param {{words: Words, value: 'fine' | 'fast', onChoose: (value: 'fine' | 'fast') => void}} props */
const Activations = ({words, value, onChoose}) =>
    h(Choice, {
        name: 'precision',
        legend: words.activations,
        className: 'unnamed',
        options: PRECISIONS.map(one => ({
            value: one,
            label: words.precisions[one],
            title: words.precisionHints[one],
        })),
        value,
        hint: words.precisionHints[value],
        onChoose,
    });

/** What computes, as terms and what they are. @param {Props & {words: Words}} props */
function Now({t, words, state, set, shown: {model, pass}}) {
    if (!model || !pass) return null;
    const precision = precisionOf(state, model);
    const store = /** @type {keyof Words['stores']} */ (model.store);
    return h(
        'section',
        null,
        h('h3', null, words.now),
        h(Facts, {
            rows: [
                [words.weights, words.stores[store] ?? store],
                store === 'q8' && [
                    words.activations,
                    h(Activations, {
                        words,
                        value: precision,
                        onChoose: value => set({precision: precisionFor(value, state, model)}),
                    }),
                ],
                [words.wasm, words.runsOn(pass.relaxed ?? false, pass.threads ?? 0)],
                [words.pass, words.took(milliseconds(pass.milliseconds), pass.tokens.length)],
                [
                    words.memory,
                    words.uses(
                        pass.memory ? t.megabytes(pass.memory) : '',
                        t.megabytes(model.weight_bytes),
                    ),
                ],
            ],
        }),
    );
}

/** One kind of exactness that the figures are against.
 * @param {{words: Words, exact: 'same' | 'f32', precision: string}} props */
function Against({words, exact, precision}) {
    const pairs = PRECISIONS.map(
        ours =>
            /** @type {Pair} */ (
                FIDELITY.pairs.find(pair => pair.exact === exact && pair.ours === ours)
            ),
    );
    const line = (/** @type {string} */ name, /** @type {(pair: Pair) => string} */ value) =>
        h(
            'tr',
            null,
            h('th', {scope: 'row'}, name),
            pairs.map(pair =>
                h(
                    'td',
                    {key: pair.ours, class: pair.ours === precision ? 'number on' : 'number'},
                    value(pair),
                ),
            ),
        );
    return h(
        'tbody',
        null,
        h(
            'tr',
            null,
            h('th', {scope: 'rowgroup', colSpan: 3, class: 'group'}, words.against[exact]),
        ),
        line(words.mean, pair => small(pair.mean)),
        line(words.p999, pair => small(pair.p999)),
        line(words.max, pair => small(pair.max)),
        line(words.changed, pair => share(pair.changed, pair.rows)),
        line(words.fillings, pair => share(pair.fillingChanges, pair.masks)),
    );
}

/** @param {{words: Words, code: string, precision: string}} props precision: '' when none of them is
 *     on */
function Measured({words, code, precision}) {
    return h(
        'section',
        null,
        h('h3', null, words.measured(FIDELITY.model)),
        h(
            'p',
            null,
            words.measuredOn(FIDELITY.sentences, FIDELITY.pairs[0].rows.toLocaleString(code)),
            ' ',
            h('code', null, `node tests/bench/fidelity.mjs ${FIDELITY.sentences} FLOATS`),
        ),
        h(
            'table',
            {class: 'fidelity'},
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    h('th', {scope: 'col'}, words.measure),
                    PRECISIONS.map(name =>
                        h('th', {key: name, scope: 'col', class: 'number'}, words.precisions[name]),
                    ),
                ),
            ),
            h(Against, {words, exact: 'same', precision}),
            h(Against, {words, exact: 'f32', precision}),
        ),
    );
}

/** @param {Props & {words: Words, onClose: () => void}} props */
export function PrecisionPanel({words, onClose, ...props}) {
    const {
        t,
        state,
        shown: {model},
    } = props;
    const rounds = model?.store === 'q8';
    const parts = (/** @type {() => void} */ close) => [
        h(Now, {...props, words}),
        h(Measured, {
            words,
            code: t.code,
            precision: rounds && model ? precisionOf(state, model) : '',
        }),
        rounds && h(Compare, {...props, words, close}),
        h(
            'p',
            {class: 'doing'},
            h('button', {type: 'button', class: 'plain', onClick: close}, words.close),
        ),
    ];
    const {title, close: closeName} = words;
    const dialog = {id: 'precision-title', className: 'precision', title, closeName, onClose};
    return h(Dialog, {...dialog, children: parts});
}
