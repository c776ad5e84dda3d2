/* progress - the progress of a download, in the figure's place or in a line below it: bytes, speed,
 * time left, and that the figure above was computed in advance; and the sentence when something
 * failed.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';

/** @import {Texts} from '../base/shared.js' */

/** @typedef {{done: number, total: number, failures?: number, layers?: number, whole?: number}} Amount   total
 *     0: not known; layers: that are there, of the whole model's */

const WINDOW_MS = 5000; // the rate is that of the last seconds
const LEAST_MS = 1000;

/** Bytes a second over the last seconds, 0 while it cannot be said. Adds what has been done by now.
 * @param {{at: number, done: number}[]} samples the oldest first @param {number} done
 * @param {number} now in milliseconds */
function rateOf(samples, done, now) {
    const last = samples.at(-1);
    if (last && done < last.done) samples.length = 0; // another download
    if (done > (last?.done ?? 0)) samples.push({at: now, done});
    while (samples.length > 2 && now - samples[1].at > WINDOW_MS) samples.shift();
    const [first] = samples;
    return first && now - first.at >= LEAST_MS
        ? (1000 * (done - first.done)) / (now - first.at)
        : 0;
}

/** Whole ones, undefined when the share is not known. @param {number | undefined} share */
const percentOf = share => (share === undefined ? share : Math.floor(100 * share));

/** @param {Texts} t @param {Amount} progress */
function measure(t, {done, total}) {
    const share = total ? Math.min(1, done / total) : undefined;
    return {
        share,
        amount:
            done > 0 ? t.bytes(t.megabytes(done), total ? t.megabytes(total) : '') : t.preparing,
    };
}

/** While the figure of first.js stands there: a line or two.
 * @param {{t: Texts, progress: Amount | null}} props */
export function Coming({t, progress}) {
    if (!progress) return h('p', null, t.precomputed);
    const {share, amount} = measure(t, progress);
    return h(
        'p',
        null,
        t.precomputed,
        ' ',
        h(
            'span',
            {
                role: 'progressbar',
                'aria-label': t.coming,
                'aria-valuenow': percentOf(share),
                'aria-valuetext': amount,
            },
            t.coming,
            ' ',
            amount,
        ),
    );
}

/** @param {import('../state/state.js').State} state */
const changed = ({masked, replaced, off, zeroed}) =>
    [masked, replaced, off, zeroed].some(list => list.length);

/** On the figure that was computed in advance: what the reader has asked for meanwhile needs the model.
 * @param {{t: Texts, state: import('../state/state.js').State, drawable:
 *     import('../figure/figure.js').Drawable | null, progress: Amount | null}} props */
export function Awaited({t, state, drawable, progress}) {
    if (!drawable) return null;
    const [text, textB = ''] = drawable.data.pass.texts ?? [];
    const other = state.text !== text || state.textB !== textB;
    const waits = other || drawable.state !== state || changed(state);
    if (!waits) return null;
    const {amount} = measure(t, progress ?? {done: 0, total: 0});
    return h('p', {class: 'progress awaited', role: 'status'}, t.awaited(other, amount));
}

/** The bar that fills. @param {{'aria-label'?: string, 'aria-labelledby'?: string, share: number |
 *     undefined, amount?: string}} props   share: undefined: not known */
export const Track = ({share, amount, ...named}) =>
    h(
        'div',
        {
            class: 'track',
            role: 'progressbar',
            ...named,
            'aria-valuenow': percentOf(share),
            'aria-valuetext': amount,
        },
        h('i', {style: {width: `${100 * (share ?? 0)}%`}}),
    );

/** @param {{t: Texts, onCancel: () => void}} props */
const Cancel = ({t, onCancel}) =>
    buttonOf('x', {'aria-label': t.cancel, title: t.cancel, onClick: onCancel}, '×');

/** @param {{t: Texts, progress: Amount, name: string, above?: boolean, onCancel?: (() => void) |
 *     null}} props   above: of what the figure shows already, as far as it is there */
export function Progress({t, progress, name, above = false, onCancel}) {
    const {share, amount} = measure(t, progress);
    const samples = useRef(/** @type {{at: number, done: number}[]} */ ([]));
    const {done, total, failures = 0, layers, whole} = progress;
    const rate = rateOf(samples.current, done, performance.now());
    const left = rate > 0 && total > done ? (total - done) / rate : 0;
    return h(
        'div',
        {class: above ? 'progress above' : 'progress'},
        h('p', {id: 'progress-label'}, t.loading(name)),
        h(Track, {'aria-labelledby': 'progress-label', share, amount}),
        h(
            'p',
            {class: 'amount'},
            h('span', null, amount),
            h('span', null, share !== undefined && `${percentOf(share)} %`),
        ),
        h(
            'p',
            {class: 'amount'},
            h('span', null, rate > 0 && t.rate(t.megabytes(rate))),
            h('span', null, left >= 1 && t.left(left)),
        ),
        h(
            'p',
            {class: 'hint', role: 'status'},
            failures > 0 ? t.again(failures) : layers && whole && t.layersThere(layers, whole),
        ),
        onCancel && h(Cancel, {t, onCancel}),
    );
}

/** What went wrong, if anything did. The sentence comes from the engine, in English; it may quote file names, so it
 * is text and nothing else.
 * @param {{t: Texts, shown: Pick<import('../session/session.js').Shown, 'problem' | 'pass'>, session:
 *     {step: () => unknown, dismiss: () => void} | null, onModel?: (model: string) => void}} props
 *     onModel: loads another */
export function Notice({t, shown: {problem, pass}, session, onModel}) {
    if (!problem || !session) return null;
    const instead = problem.about?.model;
    return h(
        'div',
        {class: 'notice', role: 'alert'},
        h(
            'p',
            null,
            h('strong', null, t.problem),
            ' ',
            h('bdi', {lang: 'en'}, problem.message.replace(/\.?$/, '.')),
            ' ',
            pass && t.problemKept,
        ),
        h(
            'div',
            null,
            instead &&
                onModel &&
                buttonOf('plain', {onClick: () => onModel(instead)}, t.loadInstead(instead)),
            buttonOf('plain', {onClick: session.step}, t.retry),
            buttonOf('plain', {onClick: session.dismiss}, t.close),
        ),
    );
}
