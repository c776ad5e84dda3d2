/* shared - the types of what is handed from room to room: the state with what is computed and drawn of it,
 * the menu of models, the engine. Here, so that no room has to name app/ for them; nothing of the file is
 * fetched.
 */

/**
 * @typedef {import('../views/view.js').Texts} Texts
 * @typedef {ReturnType<typeof import('../engine/engine.js').createEngine>} Engine
 * @typedef {Pick<Engine, 'load' | 'run' | 'read' | 'adopt' | 'release' | 'holds' | 'close'> & Partial<Pick<Engine,
 *     'fill'>>} TextEngine   one text
 * @typedef {(options?: {threads?: boolean, has?: '' | '-full'}) => Engine} MakeEngine   threads:
 *     several may share a pass; has: '' studies, '-full' indexes too, which the page's own engine does not have
 * @typedef {(model: string) => import('../files/folder.js').ModelSource} SourceOf
 * @typedef {{layer: number, heads: number[], picked?: number[], token?: number,
 *     moved?: {layer: number, heads: number[]},
 *     role?: {texts: number, share: number, heads: number} | null,
 *     coref?: {items: number, share: number, best: {layer: number, head: number, share: number}},
 *     claims?: {all: number, found: number, missing: number}}} Begin   what a visit begins with: the head
 *     that answers the question on the default text, its word pinned, the head that switching it off changes most, and what it does over the corpora
 *     (build/first.mjs)
 * @typedef {Partial<import('../state/state.js').State>} Shows
 * @typedef {{[pattern: string]: [layer: number, head: number, share: number]}} Patterns   the head of a model that
 *     follows a pattern of "Find a head" most, where one does, on the first text of the six patterns
 * @typedef {{id: string, name?: string, names?: {[code: string]: string}, group?: {[code: string]: string}, url: string,
 *     files?: string[], bytes?: number, begin?: Begin, languages?: string[], masked?: number, similarity?: boolean, writes?: boolean, patterns?: Patterns, two?: boolean, shows?: Shows, back?: Shows, reads?: string}[]} SiteMenu   models/index.json;
 *     patterns: (build/first.mjs); names: in languages other than English; group: what the menu says above it, and above those that follow with the
 *     same; languages: that it reads; masked: percent of masked tokens that it finds, where the page says so; similarity: it makes embeddings of texts; writes: it predicts next words; two: it has two stacks; reads: all words that it has learnt, where they are few; shows: what is shown of
 *     it when it is chosen, since it reads no other texts; back: when another one is, and its text stands there still
 * @typedef {(SiteMenu[number] | {id: string, name?: string, names?: {[code: string]: string}, group?: {[code: string]: string}, files: File[], begin?: Begin, languages?: string[], patterns?: Patterns, shows?: Shows, back?: Shows})[]} Menu   the same, or
 *     what stands in the page itself
 * @typedef {ReturnType<typeof import('../state/store.js').createStore>['set']} Set
 * @typedef {{t: Texts, state: import('../state/state.js').State, set: Set, theme: string,
 *   shown: import('../session/session.js').Shown}} Shared   what most parts take; theme is 'light' or 'dark'
 */
export {};
