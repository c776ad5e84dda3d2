/* select - the heads that are on and the tokens that are paired: pure rules on the page's state.
 * `heads` in the state is a sorted list; the empty list means all heads.
 */

/** The heads that are on, as a list; heads that the model does not have are ignored.
 * @param {readonly number[]} heads @param {number} count H @returns {number[]} */
export function activeHeads(heads, count) {
    const known = heads.filter(head => head < count);
    return known.length ? known : Array.from({length: count}, (_, head) => head);
}

/** Turns one head on or off; the last one stays on.
 * @param {readonly number[]} heads @param {number} head @param {number} count H */
export function toggleHead(heads, head, count) {
    const on = activeHeads(heads, count);
    if (on.includes(head)) return on.length === 1 ? on : on.filter(other => other !== head);
    const more = [...on, head].sort((a, b) => a - b);
    return more.length === count ? [] : more;
}

/** Shows one head alone; if it is alone already, all again.
 * @param {readonly number[]} heads @param {number} head @param {number} count H */
export function soloHead(heads, head, count) {
    const on = activeHeads(heads, count);
    return on.length === 1 && on[0] === head ? [] : [head];
}

/** All off but one, which stays on. @param {readonly number[]} heads @param {number} count H */
export const fewestHeads = (heads, count) => activeHeads(heads, count).slice(0, 1);

export const FILTERS = ['all', 'aa', 'ab', 'ba', 'bb'];

/** Index of the first token of sentence B, or -1 without one. [CLS] A [SEP] is A, B [SEP] is B.
 * @param {readonly {sentence: number}[]} tokens */
export const startOfB = tokens => tokens.findIndex(token => token.sentence === 1);

/** [from, to) of queries (rows) and keys (cols) that a pair filter leaves; 'all' when there is no B.
 * @param {readonly {sentence: number, crossing?: boolean}[]} tokens @param {string} wanted */
export function filterRanges(tokens, wanted) {
    const whole = [0, tokens.length];
    const start = startOfB(tokens);
    const filter = tokens[0]?.crossing ? 'ab' : wanted;
    if (start < 0 || !/^[ab][ab]$/.test(filter)) return {filter: 'all', rows: whole, cols: whole};
    const part = (/** @type {string} */ sentence) =>
        sentence === 'a' ? [0, start] : [start, tokens.length];
    return {filter, rows: part(filter[0]), cols: part(filter[1])};
}

/** Counts layers and heads from 0 or from 1, as the reader has chosen: for every number the page
 * says.
 * @param {{oneBased?: boolean}} state @returns {(index: number) => number} */
export const counted =
    ({oneBased}) =>
    index =>
        oneBased ? index + 1 : index;

/** A press on a token: pins it alone, or adds it to those of its side; pressed again it is let go.
 * @param {{picked: readonly number[], side: string}} state
 * @param {{side: string, index: number}} spot
 * @param {boolean} add @returns {{picked: number[], side: string, token: number}} */
export function pick({picked, side}, spot, add) {
    const mates = side === spot.side ? picked : [];
    const others = add ? mates.filter(index => index !== spot.index) : [];
    const off = mates.includes(spot.index) && (add || mates.length === 1);
    const next = off ? others : [...others, spot.index].sort((a, b) => a - b);
    return {picked: next, side: spot.side, token: off ? (next[0] ?? -1) : spot.index};
}

/** Masks all of the positions, or gives all of them back if they are masked already.
 * @param {readonly number[]} masked @param {readonly number[]} positions */
export const toggleMask = (masked, positions) =>
    positions.every(index => masked.includes(index))
        ? masked.filter(index => !positions.includes(index))
        : [...new Set([...masked, ...positions])].sort((a, b) => a - b);

/** @param {number} layer @param {{layers: number}} model */
export const clampLayer = (layer, model) => Math.min(Math.max(0, layer), model.layers - 1);

/** Does a query see itself and what stands before it only? Of the first layer: no model mixes them.
 * @param {Pick<import('../../worker/worker.js').Model, 'per_layer'>} model */
export const isCausal = ({per_layer: layers}) => layers?.[0]?.mask.startsWith('causal') ?? false;

/** Which keys a query of a layer sees, [from, to); null where it sees all, or where that is not known
 * (attention from a file). As arch_visible of src/model/arch.h.
 * @param {Pick<import('../../worker/worker.js').Model, 'per_layer'>} model @param {number} layer
 * @returns {((query: number, tokens: number) => [number, number]) | null} */
export function visibleKeys({per_layer: layers}, layer) {
    const {mask, window} = layers?.[layer] ?? {mask: 'all', window: 0};
    if (mask === 'causal') return query => [0, query + 1];
    if (mask === 'causal_window') return query => [Math.max(0, query + 1 - window), query + 1];
    if (mask !== 'window') return null;
    return (query, tokens) => [Math.max(0, query - window), Math.min(tokens, query + window + 1)];
}
