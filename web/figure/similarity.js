/* similarity - on the page: how similar sentence A and sentence B are to a sentence-transformers
 * model, the number of engine/similarity.js. Neither the pair that the figure shows nor what has been
 * changed in it counts.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {similarityOf} from '../engine/similarity.js';
import {signed} from '../draw/chart.js';
import {useWords} from '../shell/hooks.js';
import {useFound} from '../shell/use_found.js';
import {lazy} from '../views/parts/lazy.js';

/**
 * @typedef {{session: Pick<import('../session/session.js').Session, 'beside'>, model: import('../session/session.js').Model,
 *     precision: import('../worker/passes.js').Input['precision']}} Compare
 */

const Why = lazy(() => import('./why_similar.js').then(module => module.Why));

/** Computed anew for other texts, which call off what is under way.
 * @param {Compare & {texts: string[], code: string}} props */
export function Similarity({session, model, precision, texts, code}) {
    const words = useWords(code, 'dialogs', true)?.similarity;
    const [open, setOpen] = useState(false);
    const found = useFound(
        signal =>
            similarityOf({...session.beside(), kind: model.similarity}, texts, precision, signal),
        [session, model, precision, ...texts],
    );
    if (!words) return null;
    const kind = model.similarity ?? 'cosine';
    const number = found?.found;
    const value = found?.why ?? (number === undefined ? words.coming : signed(number, 4));
    return h(
        'div',
        {class: 'similarity'},
        h('h2', null, words.title),
        h('p', {class: 'hint'}, words.says[kind]),
        h('p', null, words.kinds[kind], ' ', h('output', null, value)),
        open
            ? h(Why, {session, model, precision, texts, words: words.why})
            : buttonOf('plain', {onClick: () => setOpen(true)}, words.why.ask),
    );
}
