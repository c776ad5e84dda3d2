/* own - a teacher's questions in a link: lesson=ask1k2-3.1.5-2.0.4 asks, of the link's text and model (of which 1k2
 * is a check), which token token 5 attends to most in L3·H1, then token 4 in L2·H0. "Share…" writes it. Pure.
 */
import {defaults} from '../state/state.js';

/** @typedef {import('../state/state.js').State} State */

const OWN = /^ask\w*(?:-\d+\.\d+\.\d+)+$/;
const MOST = 64; // characters of a lesson's id in a link (state/fields.js)

/** @param {string} en @param {string} zh */
const said = (en, zh) => ({en, zh});

/** @param {string} id */
export const isOwn = id => OWN.test(id);

/** @param {string} id @param {State} link @returns {any} a lesson */
export const ownLesson = (id, {text, textB, model}) => ({
    ...{id, model, title: said('Questions', '问题')},
    steps: Array.from(id.matchAll(/(\d+)\.(\d+)\.(\d+)/g), ([, ...place]) => {
        const [layer, head, query] = place.map(Number);
        return {
            ...{text, textB, view: 'head', state: {layer, heads: [head]}},
            title: said('Where does it look?', '它看哪里？'),
            say: said('Think first, then press a token.', '先想一想，再点一个词元。'),
            question: said(
                `Which token does the marked one attend to most in L${layer}·H${head}?`,
                `在 L${layer}·H${head} 里，标出的词元最关注哪个词元？`,
            ),
            check: {kind: 'pick', side: 'key', query, head: [layer, head], accept: [], atLeast: 0},
        };
    }),
});

/** A head and a pinned token as one question more, if a link has room for it. @param {State} state */
export function questionOf({view, layer, heads, picked, side, lesson, model, text, textB}) {
    if (view !== 'head' || heads.length !== 1 || picked.length !== 1 || side !== 'query')
        return null;
    let check = 0;
    for (const sign of text + textB + model) check = (31 * check + sign.charCodeAt(0)) % 1e6;
    const first = `ask${check.toString(36)}`;
    const before = lesson.startsWith(`${first}-`) ? lesson : first;
    const more = `-${layer}.${heads}.${picked}`;
    const fits = !`${before}-`.includes(`${more}-`) && before.length + more.length <= MOST;
    return {...defaults, model, text, textB, tour: 0, lesson: fits ? before + more : before};
}
