/* progress - the download of a model, drawn where the figure will be, and the sentence when something failed. */

import {h} from 'preact';

export function Progress({t, progress, name}) {
    const {done, total} = progress;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const percent = Math.floor(100 * share);
    const label = t.loading(name);
    const amount = done > 0 ? t.bytes(t.megabytes(done), total > 0 ? t.megabytes(total) : '') : t.preparing;
    return h('div', {class: 'progress'},
        h('p', {id: 'progress-label'}, label),
        h('div', {class: 'track', role: 'progressbar', 'aria-labelledby': 'progress-label', 'aria-valuemin': 0, 'aria-valuemax': 100,
            'aria-valuenow': total > 0 ? percent : null, 'aria-valuetext': amount}, h('i', {style: {width: `${100 * share}%`}})),
        h('p', {class: 'amount'}, h('span', null, amount), h('span', null, total > 0 ? `${percent} %` : '')));
}

/* The sentence comes from the engine, in English; it may quote file names, so it is text and nothing else. */
export function Notice({t, problem, kept, onRetry, onClose}) {
    return h('div', {class: 'notice', role: 'alert'},
        h('p', null, h('strong', null, t.problem), ' ', h('bdi', {lang: 'en'}, problem.message.replace(/\.?$/, '.')), ' ', kept && t.problemKept),
        h('div', null, h('button', {type: 'button', class: 'plain', onClick: onRetry}, t.retry),
            h('button', {type: 'button', class: 'plain', onClick: onClose}, t.close)));
}
