/* view - what a view is, as types; nothing runs here. A view is pure: state and data in, a tree out. It touches no
 * document, address, network or engine; what the reader does comes back to ui/ through data-* attributes.
 * To add one: write views/<v>.js with such an object and name it in views/index.js.
 */

/**
 * @typedef {import('../draw/arcs.js').Attention} Attention
 * @typedef {import('preact').ComponentChild} Tree
 * @typedef {typeof import('../text/en.js').en} Texts
 * @typedef {{piece: string, sentence: number, special: boolean}} Token   sentence: 0, 1, or -1 for [CLS] and [SEP]
 * @typedef {{layers: number, heads: number}} Model
 * @typedef {{layer: number, heads: readonly number[], filter: string}} ViewState   what views read of core/state.js
 * @typedef {{side: string, index: number}} Focus   a token of a column: side 'query' or 'key'
 * @typedef {{model: Model, pass: {tokens: Token[]}, tensors: Map<string, Attention>}} Computed
 *   tensors: what needs() has asked for, by 'name.layer'
 * @typedef {Computed & {theme: string, t: Texts, width: number, focus: Focus | null, pinned: Focus | null,
 *   cursor: Focus | null}} ViewData   theme 'light' or 'dark'; width in px; cursor: the tab stop
 * @typedef {{count: number, paint: (context: CanvasRenderingContext2D, band: number[],
 *   begin: number, end: number) => void}} Painter
 *   paints marks begin..end of count that cross the band top..bottom; a new object means: draw again
 * @typedef {{width: number, height: number, base: Painter, overlay: Painter | null}} CanvasProps
 * @typedef {{Canvas: import('preact').ComponentType<CanvasProps>}} On   what ui/ lends to a view
 * @typedef {{width: number, theme: string, focus: Focus | null}} Look   of a static picture
 * @typedef {string | number | {text: string, user: true}} Cell   user: text of the reader or the vocabulary
 * @typedef {{caption: string, columns: string[], rows: Cell[][]}} Table
 *
 * @typedef {object} View
 * @property {string} id
 * @property {(t: Texts) => string} title
 * @property {(state: ViewState, model: Model) => {tensor: string, layer: number}[]} needs
 * @property {(state: ViewState, data: Computed) => boolean} ready   whether the tensors are those of the state
 * @property {(state: ViewState, data: ViewData, on: On) => Tree} render
 * @property {(t: Texts) => string[]} howTo   lines on how to read it
 * @property {(state: ViewState, data: ViewData, t: Texts) => Tree} panel   numbers of the focused token
 * @property {(state: ViewState, data: Computed, look: Look, t: Texts) => Tree} svg
 * @property {(state: ViewState, data: Computed, t: Texts) => Table} table
 * @property {(state: ViewState, data: Computed, t: Texts) => string} describe   text alternative
 */

export {};
