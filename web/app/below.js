/* below - the parts below the figure: the model's answers, the way to a corpus, and the numbers as a
 * table. Fetched with the first computed figure.
 */
import {h} from 'preact';
import {Numbers} from '../figure/table.js';
import {useLazy, useWords} from '../shell/hooks.js';
import {askedPrecision} from '../views/needs.js';

/** @param {Pick<import('./app.js').Shared, 't' | 'set'>} props */
const ToDecides = ({t, set}) =>
    h(
        'button',
        {type: 'button', class: 'plain', onClick: () => set({view: 'decides'})},
        t.viewTitles.decides,
    );

/** @param {import('./app.js').Shared & {session: import('../session/session.js').Session, drawable:
 *     import('../figure/figure.js').Drawable}} props */
export function Below({t, set, shown, session, drawable: {view, state, data}}) {
    const {pass, model, fills} = data;
    const masks = fills.filter(
        ({index}) => state.masked.includes(index) || pass.tokens[index]?.id === model.special.mask,
    );
    const embeds = model.predicts?.includes('embedding') && pass.texts[1] !== '';
    const says =
        !view.predicts &&
        (masks.length > 0 || pass.prediction || pass.nextSentence || pass.sentenceOrder || embeds);
    const results = useLazy(() => import('../figure/results.js'), Boolean(says));
    const over = useLazy(() => import('../studies/over_corpus.js'), true);
    const dialogs = useWords(t.code, 'dialogs', true);
    const control = useLazy(() => import('../compare/control.js'), !shown.imported);
    return h(
        'div',
        {class: 'below'},
        says &&
            results &&
            h(results.Results, {
                t,
                pass,
                fills: masks,
                compare: embeds ? {session, model, precision: askedPrecision(state)} : null,
            }),
        !view.predicts &&
            (masks.length > 0 || pass.prediction?.task === 'labels') &&
            h('p', null, h(ToDecides, {t, set})),
        control && dialogs && h(control.Controls, {words: dialogs.beside, state, set}),
        over &&
            dialogs &&
            !shown.imported &&
            h(over.OverCorpus, {words: dialogs.remarks, state, set, model, pass}),
        h(Numbers, {view, state, data, t}),
    );
}
