/* view - the type of a view; nothing runs here. A view is pure: state and data in; what the picture
 * shows, its numbers and its sentence out. It touches no document, address, network or engine. What
 * the reader does comes back to the page through on.set, or through the attributes data-side and
 * data-index of an element that stands for a token (figure/figure.js then focuses that token).
 *
 *   state, data → scene → blocks           what it shows, at rest (draw/blocks.js)
 *                       → over             what pointing shows instead, or on top
 *                       → rows, say        the table and saved numbers, the sentence: whole, of the
 *                                          scene, never of what is left of it in the picture
 *
 * drawnView (draw/blocks.js) makes of such a description what the page uses. docs/adding.md shows one.
 */

/**
 * @typedef {import('../draw/marks/arcs.js').Attention} Attention
 * @typedef {import('preact').ComponentChild} Tree
 * @typedef {import('../words/languages.js').Page} Texts
 * @typedef {import('../worker/worker.js').Token} Token   sentence: 0, 1, or -1 for [CLS] and [SEP]
 * @typedef {import('../worker/worker.js').Model} Model
 * @typedef {import('../state/state.js').State} ViewState
 * @typedef {import('./needs.js').Need} Need
 * @typedef {{side: string, index: number}} Focus   a token of a column: side 'query' or 'key'
 * @import {Pass} from '../worker/worker.js'
 * @typedef {import('./needs.js').Fill} Fill
 * @import {Before} from './needs.js'
 * @typedef {{model: Model, pass: Pass, tensors: Map<string, Attention>, fills: Fill[], before:
 *     Before | null}} Computed
 *   tensors: what needs() has asked for, named by needName(); fills: words for [MASK]s, or for all
 *   positions (fillsAll); before: the pass without the changes, when a need is compared
 * @typedef {Computed & {theme: string, t: Texts, width: number, focus: Focus | null, pinned: Focus
 *     | null, menu?: import('../base/shared.js').Menu,
 *   cursor: Focus | null, peek: number, several: boolean, frozen: boolean}} ViewData   theme
 *       'light' or 'dark'; width in px; cursor: the
 *   tab stop; peek: the head to preview, -1 = none; several: presses add to the pinned tokens;
 *   frozen: there is no engine (a saved page), tokens cannot be masked
 * @typedef {import('../draw/plot.js').Painter} Painter
 * @typedef {{width: number, height: number, base: Painter, overlay: Painter | null}} CanvasProps
 * @typedef {{Canvas: import('preact').ComponentType<CanvasProps>, set: (patch: Partial<ViewState>)
 *     => void,
 *   several: (on: boolean) => void}} On   what the page lends to a view: a canvas in tiles; set changes
 *                                         the state;
 *   several: whether presses add to the pinned tokens
 * @typedef {{width: number, theme: string, focus: Focus | null, frame?: (parts: import('../draw/view.js').Parts) => Tree}} Look   of
 *     a static picture; frame: see pictureSvg
 * @typedef {{value: number, text: string}} Figure   a number as it is printed, and unrounded for
 *                                                   saved files (decimalCell)
 * @typedef {string | number | {text: string, user: true} | Figure} Cell   user: text of the reader
 *     or the vocabulary
 * @typedef {{caption: string, columns: string[], rows: Cell[][], word?: string}} Table   word: the one it is about
 *
 * @typedef {{needs: Need[], patch: (model: Model, tensors: Map<string, Attention>) =>
 *     Partial<ViewState>, after?: (model: Model, tensors: Map<string, Attention>) =>
 *     Partial<ViewState>, lends?: (keyof ViewState)[]}} Begin   needs: of the text shown; patch: the
 *     state to begin with; after: what follows from the view's first numbers; lends: fields of the
 *     patch that are given back when the reader leaves and has not changed them
 *
 * @typedef {object} View
 * @property {string} id
 * @property {string[]} controls   which of the shared controls it obeys: 'layer', 'heads' or 'head'
 *                                 (one), 'filter', 'show' (weights or what is moved)
 * @property {(state: ViewState, model: Model, t: Texts) => Partial<Parameters<typeof import('./parts/show.js').Show>[0]>} [shows]
 *   of the control 'show': maps that this view has besides, and what it says of them
 * @property {(state: ViewState) => string[]} [idle]   those of them that have no say in this state
 * @property {(state: ViewState) => boolean} [edits]   pinned tokens are part of the state, there
 *                                                     can be several, and a double
 *   press or M masks one
 * @property {(state: ViewState, model: Model) => Need[]} needs
 * @property {(state: ViewState, shown: {model: Model, tokens: Token[], imported: boolean}) => Begin |
 *     null} [begin]   where it begins when it is entered by its tab; null: where the reader is
 * @property {(state: ViewState, model: Model) => Need[]} [later]   what it shows as well, but is
 *     drawn without at first
 * @property {(state: ViewState, data: Pick<Computed, 'model' | 'pass' | 'tensors'>) =>
 *     import('./asked.js').DeepNeed[]} [deep]   the same, of measures that only an engine with all of them
 *     has, or of questions of many passes (session/deep.js)
 * @property {(state: ViewState) => boolean} [fillsAll]   words for every position, not only for
 *                                                        [MASK]s
 * @property {boolean} [wide]   takes the whole width of a figure in others' pages; how to read it stands above
 * @property {boolean} [broad]   and so on the page, where the window is wide
 * @property {boolean} [predicts]   it shows the model's predictions itself
 * @property {(state: ViewState, data: Computed & {theme: string}, on: Pick<On, 'set'>, t: Texts) =>
 *     Tree} [options]
 *   its own controls, below the shared ones
 * @property {(state: ViewState, data: ViewData, on: On) => Tree} render
 * @property {(state: ViewState) => Partial<ViewState> | null} [escape]   what Escape changes when
 *     no token is chosen
 * @property {(t: Texts) => string} pictured   what is on the picture, as the menu that saves it says
 * @property {(t: Texts, state: ViewState) => string[]} howTo   lines on how to read it
 * @property {(t: Texts) => string} [cells]   that of the cells beside the tokens, which is read without a press
 * @property {(state: ViewState, data: ViewData, t: Texts, on: On) => Tree} [panel]   numbers of the
 *     focused token
 * @property {(state: ViewState, data: Computed, t: Texts, on: On) => Tree} [beside]   what stands beside
 *     the picture in any case
 * @property {(state: ViewState, data: Computed, look: Look, t: Texts) => Tree} svg
 * @property {(state: ViewState, data: Computed, t: Texts) => Table} table
 * @property {(state: ViewState, data: Computed, t: Texts) => {id: string, table: Table}[]} [more]   tables of other
 *     parts of it, as files of their own; id: in the file's name and of the words (save.more)
 * @property {(state: ViewState, data: Computed, t: Texts) => string} describe   text alternative
 *
 * @typedef {{mark: 'box' | 'line', colour: string, opacity?: number, width?: number, name: string}} Sample
 * @typedef {{rows: {label: string, items: Sample[]}[], notes: string[]}} Legend   of a file: what colours and lines mean
 * @typedef {import('../words/languages.js').Dialogs['sheet']} FileWords
 * @typedef {import('../draw/blocks.js').Look} Drawn   how wide, in which theme, on the page or in a file
 * @typedef {Omit<View, 'render' | 'svg' | 'table' | 'describe'> & {
 *   scene: (state: ViewState, data: Computed) => any,
 *   blocks: (scene: any, look: Drawn, t: Texts) => (import('../draw/blocks.js').Block | false | null)[],
 *   over?: (scene: any, pointed: import('../draw/blocks.js').Pointed, look: Drawn, t: Texts) => Record<string, any> | null,
 *   rows: (scene: any, t: Texts) => Table,
 *   say: (scene: any, t: Texts) => string,
 *   at?: (scene: any, focus: Focus | null) => any,
 *   local?: any,
 *   frame?: (props: any) => Record<string, any>,
 *   sheet?: {font?: number, width?: number, title?: (scene: any, look: Drawn, t: Texts) => string,
 *     legend?: (scene: any, look: Drawn, t: Texts, seen: {state: ViewState, data: Computed, words: FileWords}) => Legend},
 * }} Described   a view as it is written. scene: worked out once, the same object as long as what is
 *   shown is the same; at: what the blocks follow besides (the query pointed at); local: what is
 *   opened within the view at first; frame: attributes of the element around all; sheet: of files
 */

export {};
