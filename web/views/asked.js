/* asked - the wants of a view that only an engine with everything answers (`deep`, views/view.js): needs, questions of
 * many passes (headlight.h, "interventions"), the tokens of a text; and the names under which it finds the answers.
 */
import {needName} from './needs.js';

/**
 * @typedef {{question: {intervention: string, [member: string]: unknown}}} Question   of the state's text, unless it names others
 * @typedef {{tokensOf: string}} Cut
 * @typedef {import('./needs.js').Need | Question | Cut} DeepNeed
 * @typedef {{kind: string, layer?: number, head?: number, text?: 'A' | 'B', position?: number, token?: string,
 *     change: number | null, probability?: number, recovered?: number | null, into?: 'q' | 'k' | 'v', weight?: number, off?: string}} Effect   off: beside it, the change without it
 * @typedef {{word?: string, label?: string, against?: string, position?: number, start?: number, log_probability?: number |
 *     null, log_ratio?: number | null, probability?: number, score?: number, similarity?: number, from?: number | null, unchanged?: number,
 *     note?: string, readings?: string[], correlations?: (number | null)[][] | null, effects: Effect[], steps: [number, number],
 *     refused?: undefined} | {refused: string}} Answer   of a question, as far
 *     as it is known (hl_intervention_answer); refused: why there is none
 */

/** @param {DeepNeed} need @returns {need is Question} */
export const isQuestion = need => 'question' in need;

/** @param {DeepNeed} need @returns {need is Cut} */
export const isCut = need => 'tokensOf' in need;

/** @param {DeepNeed} need */
export function deepName(need) {
    if (isQuestion(need)) return `asked.${JSON.stringify(need.question)}`;
    return isCut(need) ? `tokens.${need.tokensOf}` : needName(need);
}

/** Has all of it been answered? @param {DeepNeed} need @param {any} answer */
const isThere = (need, answer) =>
    answer && (!isQuestion(need) || answer.refused || answer.steps[0] === answer.steps[1]);

/** What a view wants and has not: the next of it may follow from what comes. @param {import('./view.js').View['deep']} deep
 * @param {import('../state/state.js').State} state
 * @param {Pick<import('./view.js').Computed, 'model' | 'pass' | 'tensors'>} data @returns {DeepNeed[]} */
export const missingOf = (deep, state, data) =>
    (deep?.(state, data) ?? []).filter(need => !isThere(need, data.tensors.get(deepName(need))));

/** What is known of a question; undefined: nothing yet. @param {Map<string, any>} tensors @param {Question} question
 * @returns {Answer | undefined} */
export const answerOf = (tensors, question) => tensors.get(deepName(question));

/** The largest first: parts of an answer may come from two engines. @param {readonly Effect[]} effects */
export const bySize = effects =>
    [...effects].sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0));
