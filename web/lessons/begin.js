/* begin - the state that an example, a lesson's step or a figure of an article begins with: its text
 * and what it names, and nothing that was pinned, masked, switched off or narrowed down before. Pure.
 */
import {UNCHANGED} from '../views/needs.js';
import {defaults} from '../state/state.js';

/** @typedef {import('../state/state.js').State} State
 * @typedef {{model?: string, language?: string, causal?: boolean}} Made   causal: it shows what only a GPT does, and is offered
 *     where one is shown; model, language: the model whose layers and heads an example names, and the
 *     language of its text: where it has these, it is offered to readers of that language only
 * @typedef {{current: {step: string, at: number}}} Asked   when the step was asked for, by performance.now()
 */

/** The models whose layers and heads the examples name; a reader of English comes to the first. */
const MODELS = ['mini4-en', 'mini2-en'];

/** What a new text begins without. */
const SHED = /** @type {const} */ ([
    ...['token', 'picked', 'side', 'filter', 'from', 'to', 'opened'],
    ...['heading', 'note', 'marks', 'written'],
]);
/** What a new question begins with at its default, if it does not say otherwise. */
const LOOK = /** @type {const} */ ([
    ...['compareWith', 'beside', 'view', 'layer', 'heads', 'mix', 'show', 'level', 'top'],
    ...['specials', 'first', 'fillings', 'keepLayers', 'keepHeads', 'measure', 'order'],
    ...['effects', 'step', 'form', 'desk', 'part'],
]);

/** @param {readonly (keyof State)[]} names @returns {Partial<State>} */
const atDefault = names => Object.fromEntries(names.map(name => [name, defaults[name]]));

/** Another text under the same view and heads. @param {string} text @param {string} textB
 * @returns {Partial<State>} */
export const withOther = (text, textB) => ({...atDefault(SHED), ...UNCHANGED, text, textB});

/** @param {{text?: string, textB?: string, view?: string, state?: Partial<State>}} what without a
 *     text: the one that is shown stays @returns {Partial<State>} */
export const begun = ({text, textB, view, state}) => ({
    ...atDefault([...SHED, ...LOOK]),
    ...UNCHANGED,
    ...(text !== undefined && {text, textB: textB ?? ''}),
    ...(view !== undefined && {view}),
    ...state,
});

/** The examples for readers of this language and this kind of model. @template {Made} E @param {readonly E[]} examples
 * @param {readonly {id: string}[]} menu @param {string} code of the page's language
 * @param {boolean} [looksBack] the model that is shown */
export const examplesHere = (examples, menu, code, looksBack = false) =>
    examples.filter(({model, language, causal}) =>
        causal ? looksBack : !model || (language === code && menu.some(({id}) => id === model)),
    );

/** What a press on an example sets. Its layer, heads and pinned tokens are those of one model: another
 * one may do other things there and read the text as other tokens, so it begins without them.
 * @param {{text: string, textB: string, state: Partial<State>}} example @param {boolean} theirs the model
 *     is the one that the examples were made with @returns {Partial<State>} */
export function pressed({text, textB, state}, theirs) {
    const {layer: _, heads: _heads, picked: _picked, token: _token, ...general} = state;
    return {...begun({text, textB, state: theirs ? state : general}), tour: -1, lesson: ''};
}

/** What a press on an example sets, and its own model where the one that is shown reads another language.
 * @param {Made & Parameters<typeof pressed>[0]} example @param {string} now the id of the model that is
 *     shown; '' = the reader's own folder @param {readonly {id: string, languages?: string[]}[]} menu
 * @returns {Partial<State>} */
export function pressedHere({model, language = 'en', ...example}, now, menu) {
    const languages = menu.find(({id}) => id === now)?.languages ?? [language];
    const made = model ? [model] : MODELS;
    const chosen = languages.includes(language) ? now : made[0];
    return {...pressed(example, made.includes(chosen)), ...(chosen !== now && {model: chosen})};
}
