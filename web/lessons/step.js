/* step - one step of a lesson: what it says, its equation, its question, the number that it is about,
 * and the part of the page that it works with (a search for a head, sieves, two figures).
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {AllAndOne} from './all_and_one.js';
import {Equation} from './equation.js';
import {titleOf} from './list.js';
import {Number, recounted} from './number.js';
import {Pattern} from './pattern.js';
import {isThere, Pick} from './pick.js';
import {Published} from './published.js';
import {Say} from './say.js';
import {Sieves} from './sieve.js';
import {Toy} from './toy.js';
import {defaults} from '../state/state.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('./list.js').Said} Said
 * @typedef {{id?: string, title: Said, say: Said, text?: string, textB?: string, view?: string, state?: any,
 *     seen?: import('./seen.js').Seen, question?: Said, hint?: Said, check?: import('./pick.js').Check,
 *     pattern?: string, texts?: string[][], equation?: string, tool?: string, switch?: {label: Said, state:
 *     any}, otherwise?: Partial<Step>, hub?: boolean, page?: any, figure?: string, stories?: string[],
 *     published?: {name: string, view?: string, state?: any, seen?: import('./seen.js').Seen}}} Step
 *   switch: the part of the state that makes the difference; otherwise: what the step is where the site does not
 *   have its model; figure: the part of a study that it is about, as a selector; stories, page (what a browser test
 *   reads of the study) and hub (the model is not a shipped one) are for tests and `npm run stories`; published: the attention of a published model for this figure, by its
 *   name in build/published.json; seen: of that model, where it is not the step's
 * @typedef {{steps: Step[], id: string, title: Said, next?: string, model?: string}} Lesson
 * @typedef {import('../words/languages.js').Lessons} Words
 * @typedef {Shared & {session: import('../session/session.js').Session, lesson: string, words: Words, step: Step, at: number, linked: {current: number}, asked: import('./begin.js').Asked, answer:
 *     import('./pick.js').Answer | null, onAnswer: (answer: import('./pick.js').Answer) => void}} Props
 */

/** What the step is about, as a switch that is pressed and can be released, to see the figure without it.
 * @param {{label: string, on: Record<string, any>} & Pick<Shared, 'state' | 'set'>} props */
function Switch({label, on, state, set}) {
    const pressed = Object.entries(on).every(
        ([name, value]) => String(/** @type {any} */ (state)[name]) === String(value),
    );
    const off = Object.fromEntries(
        Object.keys(on).map(name => [name, /** @type {any} */ (defaults)[name]]),
    );
    const onClick = () => set(pressed ? off : on);
    return h('p', null, buttonOf('toggle', {'aria-pressed': pressed, onClick}, label));
}

/** @param {Props} props */
export function StepBody({words, step, at, lesson, answer, onAnswer, linked, ...shared}) {
    const {t, set, state} = shared;
    const {say, seen, question, hint, check, pattern, texts, equation, tool, published} = step;
    const base = step.state?.oneBased ? 1 : 0;
    const again = (/** @type {string} */ text) => recounted(text, shared.state, base);
    const said = (/** @type {Said | undefined} */ text) =>
        text ? again(titleOf(text, t.code)) : '';
    const hidden = check && !answer;
    // Of a published model's step, what another model has is not its number.
    const numbered = seen && !hidden && !(step.hub && shared.shown.imported);
    return [
        h(Say, {key: 'say', text: titleOf(say, t.code), step, t, again}),
        tool === 'toy' && h(Toy, {key: 'toy', words: words.toy}),
        equation && h(Equation, {key: 'equation', name: equation, words: words.player}),
        check &&
            h(Pick, {
                ...{key: `pick${at}`, shared, words: words.player, check, answer, onAnswer},
                question: said(question),
                hint: isThere(shared.shown, check) ? said(hint) : words.pattern.failed,
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
        step.switch &&
            h(Switch, {
                ...{key: 'switch', state, set},
                ...{label: said(step.switch.label), on: step.switch.state},
            }),
    ];
}
