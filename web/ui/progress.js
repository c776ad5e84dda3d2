/* progress - the download of a model, drawn where the figure will be, and the sentence when something failed.
 */
import {h} from 'preact';

/** @typedef {import('./app.js').Texts} Texts */

/** @param {{t: Texts, progress: {done: number, total: number}, name: string}} props total 0: not known */
export function Progress({t, progress: {done, total}, name}) {
    const known = total > 0;
    const share = known ? Math.min(1, done / total) : 0;
    const percent = Math.floor(100 * share);
    const amount = done > 0 ? t.bytes(t.megabytes(done), known ? t.megabytes(total) : '') : t.preparing;
    return h('div', {class: 'progress'},
        h('p', {id: 'progress-label'}, t.loading(name)),
        h('div', {class: 'track', role: 'progressbar', 'aria-labelledby': 'progress-label', 'aria-valuemin': 0,
            'aria-valuemax': 100, 'aria-valuenow': known ? percent : undefined, 'aria-valuetext': amount},
        h('i', {style: {width: `${100 * share}%`}})),
        h('p', {class: 'amount'}, h('span', null, amount), h('span', null, known ? `${percent} %` : '')));
}

/** The sentence comes from the engine, in English; it may quote file names, so it is text and nothing else.
 * @param {{t: Texts, problem: {message: string}, kept: boolean, onRetry: () => void, onClose: () => void}} props */
export function Notice({t, problem, kept, onRetry, onClose}) {
    return h('div', {class: 'notice', role: 'alert'},
        h('p', null, h('strong', null, t.problem), ' ',
            h('bdi', {lang: 'en'}, problem.message.replace(/\.?$/, '.')), ' ',
            kept && t.problemKept),
        h('div', null, h('button', {type: 'button', class: 'plain', onClick: onRetry}, t.retry),
            h('button', {type: 'button', class: 'plain', onClick: onClose}, t.close)));
}
