/* below - the parts below the figure: the model's answers, the way to a corpus, and the numbers as a
 * table. Fetched with the first computed figure.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {isTwo} from './stage.js';
import {nameOf} from '../model/models.js';
import {canCompare, Says} from '../figure/says.js';
import {Numbers} from '../figure/table.js';
import {useLazy, useWords} from '../shell/hooks.js';

/** @typedef {Pick<import('../base/shared.js').Shared, 't'> & {menu: import('../base/shared.js').Menu, onModel: (model: string) =>
 *     void}} Models */

/** What two texts' similarity rests on; other predictions have it above the figure (verdict.js).
 * @param {Pick<import('../base/shared.js').Shared, 't' | 'set'> & {words: {decides: string}}} props */
const ToDecides = ({t, set, words}) =>
    h(
        'p',
        null,
        words.decides,
        ' ',
        buttonOf('press', {onClick: () => set({view: 'decides'})}, t.viewTitles.decides),
    );

/** Of two texts, where the model makes no embeddings: the model of the menu that does.
 * @param {Models & {words: {ask: string}, drawable: import('../figure/figure.js').Drawable}} props */
function ToSimilar({t, menu, onModel, words, drawable: {data}}) {
    const entry = menu.find(one => 'similarity' in one && one.similarity);
    if (!entry || !data.pass.texts[1] || data.model.predicts?.includes('embedding')) return null;
    const choose = () => onModel(entry.id);
    return h('p', null, words.ask, ' ', buttonOf('plain', {onClick: choose}, nameOf(entry, t)));
}

/** @param {import('../base/shared.js').Shared & Models & {session: import('../session/session.js').Session, drawable:
 *     import('../figure/figure.js').Drawable, second: import('../model/models.js').Second | null}} props   second: what two
 *     figures say stands below each (compare/beside.js) */
export function Below({session, drawable, second, ...shared}) {
    const {t, set, shown, menu, onModel} = shared;
    const {view, state, data} = drawable;
    const over = useLazy(() => import('../studies/over_corpus.js'), true);
    const dialogs = useWords(t.code, 'dialogs', true);
    const control = useLazy(() => import('../compare/control.js'), !shown.imported);
    return h(
        'div',
        {class: 'below'},
        !isTwo({state: drawable.state, drawable, shown, second}) && h(Says, {t, drawable, session}),
        !view.predicts &&
            canCompare(drawable) &&
            dialogs &&
            h(ToDecides, {t, set, words: dialogs.said}),
        dialogs && h(ToSimilar, {t, menu, onModel, words: dialogs.similarity, drawable}),
        control &&
            dialogs &&
            !shown.imported &&
            h(control.Controls, {words: dialogs.beside, state, set}),
        over &&
            dialogs &&
            !shown.imported &&
            h(over.OverCorpus, {
                ...{words: dialogs.remarks, state, set},
                ...{model: data.model, pass: data.pass},
            }),
        h(Numbers, {view, state, data, t}),
    );
}
