/* say - the find view's answer about a pattern: the head that follows it most on this text, the
 * share of its attention, and a verdict (views/parts/six_patterns.js).
 */
import {decimal} from '../../draw/scale.js';
import {verdictOf} from '../parts/six_patterns.js';
import {spelled} from '../parts/spelled.js';

/**
 * @import {Texts} from '../view.js'
 * @import {Scene} from './scene.js'
 * @typedef {{layer: number, head: number, weight: string, even: string}} Best   even: a clause
 * @typedef {{even: string, tokens: number, pairs: number, most: string}} Even   tokens, pairs: 0 where none
 *     are said; most: what a pure pattern gives where that is less than 1, else ''
 */

/** Where attention goes, by the model's names of its tokens. @param {Pick<Scene, 'ask' | 'tokens'>} scene
 * @param {Texts} t */
const goalOf = ({ask, tokens}, t) =>
    spelled(t.find.goals[/** @type {keyof typeof t.find.goals} */ (ask)], tokens);

/** What is asked: every token looks at the previous one, say. @param {Pick<Scene, 'ask' | 'tokens'>} scene
 * @param {Texts} t */
export const patternAsked = (scene, t) => t.find.patternAsked(goalOf(scene, t));

/** The same as a question. @param {Pick<Scene, 'ask' | 'tokens'>} scene @param {Texts} t */
export const patternQuestion = (scene, t) => t.find.patternQuestion(goalOf(scene, t));

/** @param {string} pattern '' for none @param {Pick<Scene, 'tokens'>} scene @param {Texts} t */
export const patternName = (pattern, scene, t) =>
    spelled(
        t.find.patterns[/** @type {keyof typeof t.find.patterns} */ (pattern || 'none')],
        scene.tokens,
    );

const ALMOST_ALL = 0.995; // from here on two digits say 1

/** What uniform attention gives, and to how many tokens it goes: every one of the text, special ones too, or
 * 0 where a query does not see all. Of a pattern it is the share of all pairs of tokens that fit it (the
 * first token has no previous one): `pairs`, 0 where not every query counts. `most`: where one token has none.
 * @param {Pick<Scene, 'ask' | 'tokens' | 'ranked' | 'seesAll'>} scene @returns {Even} */
export function evenOf({ask, tokens: {length}, ranked, seesAll}) {
    const even = ranked?.[0]?.even ?? 0;
    const pairs = ask ? Math.round(even * length ** 2) : 0;
    const most = ask === 'previous' || ask === 'next' ? 1 - 1 / length : 1;
    return {
        ...{even: decimal(even), tokens: seesAll ? length : 0, pairs: seesAll ? pairs : 0},
        most: most < ALMOST_ALL ? decimal(most) : '',
    };
}

/** Whether no head does it, by the strongest. @param {import('./numbers.js').Ranked} best */
export const isNone = ({weight, even}) => verdictOf(weight, even) === 'none';

/** Of a pattern that no head follows: the model of the menu for texts of the same language in which one does most, and that
 * head; null where there is none, or one here. @param {Pick<Scene, 'ask' | 'ranked'>} scene
 * @param {string} model the one in use @param {import('../../base/shared.js').Menu} menu */
export function elsewhere({ask, ranked}, model, menu) {
    if (!ranked?.length || ranked[0].even <= 0 || !isNone(ranked[0])) return null;
    const {id: here, languages: own = []} = menu.find(({id}) => id === model) ?? menu[0] ?? {};
    const found = menu.flatMap(({patterns, ...entry}) =>
        entry.id !== here && patterns?.[ask] && entry.languages?.some(code => own.includes(code))
            ? [{entry, layer: patterns[ask][0], head: patterns[ask][1], share: patterns[ask][2]}]
            : [],
    );
    return found.sort((a, b) => b.share - a.share)[0] ?? null;
}

/** Which head does it most, and how much that is.
 * @param {Pick<Scene, 'ask' | 'tokens' | 'ranked' | 'seesAll' | 'of' | 'taken'>} scene @param {Texts} t */
export function answer(scene, t) {
    const {ranked, of} = scene;
    const [best] = ranked ?? [];
    if (!best || best.even <= 0) return t.find.noneHere;
    const verdict = verdictOf(best.weight, best.even);
    const said = of(best, (layer, head) =>
        t.find[verdict]({
            ...{layer, head},
            ...{weight: decimal(best.weight), even: t.find.ifAlike(evenOf(scene))},
        }),
    );
    const {taken} = scene;
    return verdict === 'none' && taken?.count
        ? `${said}${t.find.taken({...taken, piece: patternName(taken.pattern, scene, t)})}`
        : said;
}
