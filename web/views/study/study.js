/* study - the type of a view of a study over a corpus, and its settings in the state. It is described
 * as the views of one text are (views/view.js): scene, blocks, over, rows, say; its source is the
 * study's answer and not a pass. docs/adding.md shows one.
 */
import {FRESH} from '../needs.js';

/**
 * @typedef {import('../view.js').Tree} Tree
 * @import {Table} from '../view.js'
 * @typedef {import('../../state/state.js').State} State
 * @import {Model} from '../../worker/worker.js'
 * @typedef {import('../../words/languages.js').Studies} Words   what a study view says;
 *     words.page: those of the whole page
 * @typedef {{layer: number, head: number}} Place
 * @typedef {{name: string, count: number}} Counted
 * @typedef {{format: string, items: number, pairs: boolean, words: boolean, mentions: boolean,
 *   relations: Counted[], left_out?: {rows: number, why: string}, labels: Counted[], first: {a: string, b?: string}[]}} About   the answer
 *       of the study about
 * @typedef {{id: string, name: string, format: string, items: number, about: About}} Corpus   id:
 *     '' for one of the reader's
 * @typedef {{a: string, b?: string, label?: string, words: {sentence: number, from: number, to:
 *     number, governor: number, relation?: string,
 *   tag?: string}[], mentions: {sentence: number, from: number, to: number, entity: number, pronoun: boolean}[]}} Item   of
 *       a corpus, whole
 * @typedef {object} Data
 * @property {any} answer   of the view's study (src/study/); see STUDY in the README for its
 *                          members
 * @property {Model} model
 * @property {string} modelName
 * @property {string} otherName   of the second model, '' when there is none
 * @property {string} drawn   'random' or 'random-layers' where the second model is that, else ''
 * @property {Corpus} corpus   that the results are of
 * @property {number} items   of it that were run
 * @property {'' | 'built' | 'stopped'} [part]   of an index: it is still built, or was not to its end
 * @property {Record<string, any>} [beside]   answers of other studies of the same model and corpus, by study
 * @property {string} theme   'light' or 'dark'
 * @property {number} width   px; in svg too
 * @property {Words} t
 *
 * @typedef {object} On   what a view may do
 * @property {(patch: Partial<State>) => void} set
 * @property {(index: number, place: Place) => void} openItem   the item in the head view, with that
 *     head alone
 * @property {(score: (item: Item) => number, place: Place) => void} openWhere   the item with the
 *     highest score among the first
 *   hundreds; a negative score leaves it out
 * @property {(patch: Record<string, any>) => void} ask   members added to the view's ask, e.g.
 *                                                        {clusters: 5}
 * @property {(studies: string[]) => void} beside   other studies of the corpus, whose numbers come beside
 * @property {(name: string, ask: object) => void} save   the answer to an ask as a JSON file
 * @property {(file: File, read: (object: any) => Record<string, any>) => void} load   a JSON file;
 *     what `read` makes of it are the
 *   options of a new run; an error that it throws is said
 *
 * @typedef {object} StudyView
 * @property {string} id
 * @property {string} study
 * @property {(state: State, about: About) => Record<string, any>} [options]   what the study is run
 *     with, from the settings
 * @property {(state: State) => string} [first]   the first column of its CSV, in the rows of what is on
 *     screen: those come first
 * @property {(state: State) => Record<string, any>} [ask]   thresholds: answered at once, without a
 *                                                           new run
 * @property {(state: State, about: About, on: Pick<On, 'set' | 'load'>, t: Words) => Tree} [controls]   settings
 *     of a run, shown before it
 * @property {(state: State, data: Data, on: On) => Tree} render
 * @property {(state: State, data: Data, t: Words) => Tree} [svg]   a whole <svg> (parts/sheet.js)
 * @property {(state: State, data: Data, t: Words) => Table} table
 * @property {(state: State, data: Data, t: Words) => string} describe
 *
 * @import {Block, Look} from '../../draw/blocks.js'
 * @typedef {Omit<StudyView, 'study' | 'render' | 'svg' | 'table' | 'describe'> & {
 *   scene: (state: State, data: Data) => any,
 *   blocks: (scene: any, look: Look, t: Words) => (Block | false | null)[],
 *   over?: (scene: any, pointed: import('../../draw/blocks.js').Pointed, look: Look, t: Words) =>
 *       Record<string, any> | null,
 *   rows: (scene: any, t: Words) => Table,
 *   say: (scene: any, t: Words) => string,
 *   local?: any,
 *   sheet?: {title?: (scene: any, look: Look, t: Words) => string,
 *       note: (scene: any, t: Words) => string},
 * }} StudyDescribed   a view as it is written (drawnStudy of parts/sheet.js makes the StudyView of
 *   it). rows: all numbers; say: one or two sentences, the main result; sheet: of files, none without; its title is that of the study where none is given
 */

/** A setting of a run from the state, as text. @param {State} state @param {string} name
 * @param {string} fallback */
export function setting(state, name, fallback) {
    const found = state.settings.find(one => one.startsWith(`${name}:`));
    return found ? found.slice(name.length + 1) : fallback;
}

/** A text of the corpus in the head view: heads of a layer, all that they do. @param {{a: string, b?: string}} item
 * @param {{layer: number, heads: readonly number[]}} of */
export const inHeadView = ({a, b = ''}, {layer, heads}) => ({
    ...FRESH,
    ...{desk: /** @type {const} */ ('text'), view: 'head', text: a, textB: b, layer, heads},
    ...{filter: /** @type {const} */ ('all'), mix: /** @type {const} */ ('heads'), tour: -1},
});

/** Leads from a text to a study. One that is asked for again runs again, since the model may be another: it
 * counts as asked for where something of it differs (studies/control.js).
 * @param {(patch: Partial<State>) => void} set @param {Partial<State>} patch */
export function askCorpus(set, patch) {
    set({study: ''});
    set({desk: 'corpus', ...patch});
}

/** The settings with one changed; the default is left out.
 * @param {State} state @param {string} name @param {string} value @param {string} fallback */
export const withSetting = (state, name, value, fallback) => ({
    settings: [
        ...state.settings.filter(one => !one.startsWith(`${name}:`)),
        ...(value === fallback ? [] : [`${name}:${value}`]),
    ],
});
