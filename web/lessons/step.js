/* step - one step of a lesson: what it says, its equation, its question, the number that it is about,
 * and the part of the page that it works with (a search for a head, sieves, two figures).
 */
import {h} from 'preact';
import {AllAndOne} from './all_and_one.js';
import {Equation} from './equation.js';
import {titleOf} from './list.js';
import {Number, recounted} from './number.js';
import {Pattern} from './pattern.js';
import {Pick} from './pick.js';
import {Published} from './published.js';
import {Say} from './say.js';
import {Sieves} from './sieve.js';

/**
 * @typedef {import('../app/app.js').Shared} Shared
 * @typedef {import('./list.js').Said} Said
 * @typedef {{id?: string, title: Said, say: Said, text?: string, textB?: string, view?: string, state?: any,
 *     seen?: import('./seen.js').Seen, question?: Said, hint?: Said, check?: import('./pick.js').Check,
 *     pattern?: string, texts?: string[][], equation?: string, tool?: string, open?: {label: Said, state:
 *     any}, hub?: boolean, page?: any, stories?: string[],
 *     published?: {name: string, view?: string, state?: any, seen?: import('./seen.js').Seen}}} Step
 *   stories, page (what a browser test reads after `open`) and hub (the model is not a shipped one) are
 *   for tests and `npm run stories`; published: the attention of a published model for this figure, by its
 *   name in build/published.json; seen: of that model, where it is not the step's
 * @typedef {{steps: Step[], id: string, title: Said, next?: string, model?: string}} Lesson
 * @typedef {import('../words/languages.js').Lessons} Words
 * @typedef {Shared & {session: import('../session/session.js').Session, lesson: string, words: Words, step: Step, at: number, linked: {current: number}, answer:
 *     import('./pick.js').Answer | null, onAnswer: (answer: import('./pick.js').Answer) => void}} Props
 */

/** The button that takes the reader on. @param {{label: string, onClick: () => void}} props */
const Open = ({label, onClick}) =>
    h('p', null, h('button', {type: 'button', class: 'page', onClick}, label));

/** @param {Props} props */
export function StepBody({words, step, at, lesson, answer, onAnswer, linked, ...shared}) {
    const {t, set} = shared;
    const {say, seen, question, hint, check, pattern, texts, equation, tool, open, published} =
        step;
    const base = step.state?.oneBased ? 1 : 0;
    const again = (/** @type {string} */ text) => recounted(text, shared.state, base);
    const said = (/** @type {Said | undefined} */ text) =>
        text ? again(titleOf(text, t.code)) : '';
    const hidden = check && !answer;
    // Of a published model's step, what another model has is not its number.
    const numbered = seen && !hidden && !(step.hub && shared.shown.imported);
    return [
        h(Say, {key: 'say', text: titleOf(say, t.code), step, t, again}),
        equation && h(Equation, {key: 'equation', name: equation, words: words.player}),
        check &&
            h(Pick, {
                ...{key: 'pick', shared, words: words.player, check, answer, onAnswer},
                question: said(question),
                hint: said(hint),
            }),
        pattern &&
            texts &&
            h(Pattern, {
                ...{key: 'pattern', ...shared, words: words.pattern, linked},
                step: {pattern, texts},
            }),
        tool === 'sieves' &&
            h(Sieves, {key: `sieves${at}`, shared, words: words.sieves, begins: seen?.role}),
        numbered && h(Number, {key: 'seen', shared, words: words.player, seen}),
        published && h(Published, {key: 'published', shared, words, step, id: `${lesson}.${at}`}),
        tool === 'pair' && h(AllAndOne, {key: 'pair', shared, label: words.pattern.both}),
        open && h(Open, {key: 'open', label: said(open.label), onClick: () => set(open.state)}),
    ];
}
