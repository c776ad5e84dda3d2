/* progress - the download of a model, drawn where the figure will be, and the sentence when
 * something failed.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';

/** @typedef {import('./app.js').Texts} Texts */

/** @typedef {{done: number, total: number}} Amount   total 0: not known */

/** @param {Texts} t @param {Amount} progress */
function measure(t, {done, total}) {
    const share = total > 0 ? Math.min(1, done / total) : 0;
    return {
        share,
        percent: total > 0 ? Math.floor(100 * share) : undefined,
        amount:
            done > 0
                ? t.bytes(t.megabytes(done), total > 0 ? t.megabytes(total) : '')
                : t.preparing,
    };
}

/** While the figure of first.js stands there: a line or two.
 * @param {{t: Texts, progress: Amount | null}} props */
export function Coming({t, progress}) {
    if (!progress) return h('p', null, t.precomputed);
    const {percent, amount} = measure(t, progress);
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
                'aria-valuemin': 0,
                'aria-valuemax': 100,
                'aria-valuenow': percent,
                'aria-valuetext': amount,
            },
            t.coming,
            ' ',
            amount,
        ),
    );
}

/** @param {{t: Texts, progress: Amount, name: string}} props */
export function Progress({t, progress, name}) {
    const {share, percent, amount} = measure(t, progress);
    return h(
        'div',
        {class: 'progress'},
        h('p', {id: 'progress-label'}, t.loading(name)),
        h(
            'div',
            {
                class: 'track',
                role: 'progressbar',
                'aria-labelledby': 'progress-label',
                'aria-valuemin': 0,
                'aria-valuemax': 100,
                'aria-valuenow': percent,
                'aria-valuetext': amount,
            },
            h('i', {style: {width: `${100 * share}%`}}),
        ),
        h(
            'p',
            {class: 'amount'},
            h('span', null, amount),
            h('span', null, percent === undefined ? '' : `${percent} %`),
        ),
    );
}

/** The sentence comes from the engine, in English; it may quote file names, so it is text and
 * nothing else.
 * @param {{t: Texts, problem: {message: string}, kept: boolean, onRetry: () => void, onClose: () =>
 *     void}} props */
export function Notice({t, problem, kept, onRetry, onClose}) {
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
            kept && t.problemKept,
        ),
        h(
            'div',
            null,
            h('button', {type: 'button', class: 'plain', onClick: onRetry}, t.retry),
            h('button', {type: 'button', class: 'plain', onClick: onClose}, t.close),
        ),
    );
}

/** The address names a model that cannot be one; the figure is of the first model. Gone with the
 * next change of the address.
 * @param {{t: Texts, model: string}} props */
export function Refused({t, model}) {
    const [closed, close] = useState('');
    if (closed === model) return null;
    const [before, after] = t.refusedModel.split('#');
    return h(
        'div',
        {class: 'notice', role: 'alert'},
        h('p', null, before, h('bdi', null, model), after),
        h(
            'div',
            null,
            h('button', {type: 'button', class: 'plain', onClick: () => close(model)}, t.close),
        ),
    );
}
