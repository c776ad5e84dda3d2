/* says - a model's predictions, label or similarity below its figure (results.js), where it has any and
 * the view does not show them itself. Fetched then.
 */
import {h} from 'preact';
import {useLazy} from '../shell/hooks.js';
import {askedPrecision, compares} from '../views/needs.js';

/**
 * @import {Drawable} from './figure.js'
 * @import {Session} from '../session/session.js'
 */

/** The words at the tokens that are masked. @param {Drawable} drawable */
const masksOf = ({state, data: {pass, model, fills}}) =>
    fills.filter(
        ({index}) => state.masked.includes(index) || pass.tokens[index]?.id === model.special.mask,
    );

/** @param {Drawable} drawable */
export const canCompare = ({data: {model, pass}}) => compares(model, pass) ?? false;

/** @param {Drawable} drawable */
export function saysAnything(drawable) {
    const {view, data} = drawable;
    const {prediction, nextSentence, sentenceOrder} = data.pass;
    const said = masksOf(drawable).length > 0 || prediction || nextSentence || sentenceOrder;
    return !view.predicts && Boolean(said || canCompare(drawable));
}

/** @param {{t: import('../base/shared.js').Texts, drawable: Drawable, session: Session}} props */
export function Says({t, drawable, session}) {
    const says = saysAnything(drawable);
    const results = useLazy(() => import('./results.js'), says);
    const {state, data} = drawable;
    const compare = canCompare(drawable)
        ? {session, model: data.model, precision: askedPrecision(state, data.model)}
        : null;
    return (
        says &&
        results &&
        h(results.Results, {t, pass: data.pass, fills: masksOf(drawable), compare})
    );
}
