/* second - the state of the second of two figures side by side: that of the page, but for a few
 * fields. The field `beside` of the state names them as a link does ('layer=3&heads=5'); another
 * model stands in compareWith. Here is also where a change goes that is made in one of the two, and
 * which token of one figure is which of the other. Pure.
 */
import {FIELDS, readFields, update} from '../state/state.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {'model' | 'head' | 'text' | 'token' | 'view' | 'without'} Kind   what is not the same in the two
 * @typedef {{layers: number, whole?: number, heads: number}} Size   of a model; whole: layers, with those on their way
 * @typedef {Pick<import('../worker/worker.js').Token, 'piece'> &
 *     Partial<Pick<import('../worker/worker.js').Token, 'sentence' | 'from' | 'to'>>} Token
 * @typedef {((index: number, from: 0 | 1) => number) & {differs: boolean}} Across   of a token of one figure
 *     the position of the same token in the other, -1 for none; differs: their tokens are not the same
 */

/** In compareWith: the model itself, its layers drawn at random (control.js), as `study --with` has it. */
export const RANDOM = 'random-layers';

const PINS = /** @type {const} */ (['picked', 'side', 'token']);
/** What names positions in a text, and so is of one text alone. */
const PLACES = /** @type {const} */ (['masked', 'replaced', 'swapped']);
const TEXTS = /** @type {const} */ (['text', 'textB']);
const ROWS = new Map(
    FIELDS.filter(({name}) =>
        [...PINS, ...PLACES, ...TEXTS, 'layer', 'heads', 'view', 'without'].includes(name),
    ).map(row => [row.name, row]),
);

/** The fields in which the second figure is another one. @param {Pick<State, 'beside'>} state
 * @returns {Partial<State>} */
export function patchOf({beside}) {
    const named = [...new URLSearchParams(beside)].filter(([name]) => ROWS.has(name));
    /** @type {[string, any][]} */
    const found = Object.entries(readFields(named));
    const read = found.map(([name, value]) => {
        const {type, default: none} = /** @type {import('../state/fields.js').Field} */ (
            ROWS.get(name)
        );
        return [name, value !== undefined && type.check(value) ? value : none];
    });
    return Object.fromEntries(read);
}

/** @param {string} name of one of the rows @returns {(value: any) => string} */
const formatOf = name => ROWS.get(name)?.type.format ?? String;

/** The same as it stands in the state. @param {Partial<State>} patch */
export const writtenPatch = patch =>
    Object.entries(patch)
        .map(([name, value]) => `${name}=${encodeURIComponent(formatOf(name)(value))}`)
        .join('&');

/** Do the two read different texts? @param {Partial<State>} patch */
const hasText = patch => TEXTS.some(name => name in patch);

/** The same, asked of a model that may have fewer layers or heads: those numbers that it has, else its
 * last. Without this, none of the chosen heads would mean all of them (activeHeads).
 * @param {State} state @param {Size} model @returns {State} */
export function fitted(state, {layers, whole = layers, heads: count}) {
    const [layer, ...kept] = [
        Math.min(state.layer, whole - 1),
        ...state.heads.filter(head => head < count),
    ];
    const heads = state.heads.length > 0 && !kept.length ? [count - 1] : kept;
    const [, l, head] = /^(\d+)\.(\d+)$/.exec(state.opened) ?? [];
    const opened = l && `${Math.min(Number(l), whole - 1)}.${Math.min(Number(head), count - 1)}`;
    return update(state, {layer, heads, ...(opened && {opened})});
}

/** What the second figure is asked for. @param {State} state @returns {State} */
export function otherState(state) {
    const patch = patchOf(state);
    const none = hasText(patch) ? {masked: [], replaced: [], swapped: [], written: ''} : {};
    return update(state, {
        ...(state.compareWith && state.compareWith !== RANDOM && {model: state.compareWith}),
        ...{compareWith: '', beside: ''},
        ...none,
        ...patch,
    });
}

/** In what the two differ. @param {Pick<State, 'beside' | 'compareWith'>} state @param {boolean} [folder]   the
 *     second model is a folder of the reader's @returns {Kind[]} */
export function kindsOf({beside, compareWith}, folder = false) {
    const patch = patchOf({beside});
    const text = hasText(patch);
    /** @type {[Kind, boolean][]} */
    const kinds = [
        ['model', compareWith !== '' || folder],
        ['view', 'view' in patch],
        ['head', 'layer' in patch || 'heads' in patch],
        ['text', text],
        ['without', 'without' in patch],
        // Of another model's tokens, or another text's, what is pinned may be its own.
        ['token', 'picked' in patch && !text && compareWith === '' && !folder],
    ];
    return kinds.flatMap(([kind, is]) => (is ? [kind] : []));
}

/** Those before and after the part that differs. In that part a token is the one of the same piece that
 * stands there as often before: the first "her" is the first "her".
 * @param {readonly Token[]} one @param {readonly Token[]} two @returns {[number[], number[]]} of each token
 *     of one the position in the other, -1 for none */
function byPiece(one, two) {
    const isSame = (/** @type {number} */ i, /** @type {number} */ j) =>
        one[i].piece === two[j].piece; // ids may be those of two vocabularies
    const least = Math.min(one.length, two.length);
    let before = 0;
    while (before < least && isSame(before, before)) before++;
    let after = 0;
    while (after < least - before && isSame(one.length - 1 - after, two.length - 1 - after))
        after++;
    const there = one.map((_, i) => (i < before ? i : i + two.length - one.length));
    const back = two.map((_, i) => (i < before ? i : i + one.length - two.length));
    there.fill(-1, before, one.length - after);
    back.fill(-1, before, two.length - after);
    for (let j = before; j < two.length - after; j++) {
        const at = one.findIndex(
            ({piece}, i) =>
                i >= before && i < one.length - after && there[i] < 0 && piece === two[j].piece,
        );
        if (at >= 0) [there[at], back[j]] = [j, at];
    }
    return [there, back];
}

/** Of each token of one the token of the other that has the same characters, else the one in which it
 * begins. What has no characters ([CLS], a second [SEP]) is the same piece, as often before.
 * @param {readonly Token[]} one @param {readonly Token[]} two */
const byCharacters = (one, two) =>
    one.map(({sentence, from = 0, to = 0, piece}, i) => {
        const near = two.flatMap((token, j) => (token.sentence === sentence ? [j] : []));
        if (to > from) {
            const exact = near.find(j => two[j].from === from && two[j].to === to);
            const covers = near.find(j => (two[j].from ?? 0) <= from && from < (two[j].to ?? 0));
            return exact ?? covers ?? -1;
        }
        const nth = one.slice(0, i).filter(token => token.piece === piece).length;
        return two.flatMap((token, j) => (token.piece === piece ? [j] : []))[nth] ?? -1;
    });

/** Which token of one figure is which of the other. Of one text in two models' tokens: by its
 * characters.
 * @param {readonly Token[]} one @param {readonly Token[]} two @param {boolean} [sameText] @returns {Across} */
export function correspondence(one, two, sameText = false) {
    const isSame = one.length === two.length && one.every(({piece}, i) => piece === two[i].piece);
    const hasCharacters = one.some(({to}) => to) && two.some(({to}) => to);
    const [there, back] =
        sameText && hasCharacters && !isSame
            ? [byCharacters(one, two), byCharacters(two, one)]
            : byPiece(one, two);
    const across = (/** @type {number} */ index, /** @type {0 | 1} */ from) =>
        (from ? back : there)[index] ?? -1;
    return Object.assign(across, {differs: !isSame});
}

/** Positions in the other text, those that it has. @param {readonly number[]} list @param {0 | 1} from
 * @param {Across} across */
const carried = (list, from, across) =>
    list.map(index => across(index, from)).filter(index => index >= 0);

/** What is pinned in the second figure: its own token, or the page's where it has the same.
 * @param {State} seen of the second figure @param {State} state of the page @param {Across} across
 * @returns {State} */
export function withPins(seen, state, across) {
    if ('picked' in patchOf(state)) return seen;
    const picked = carried(seen.picked, 0, across);
    const token = seen.token < 0 ? -1 : across(seen.token, 0);
    return update(seen, {picked, token});
}

/** Where what is pinned goes. @param {Partial<State>} own of the second figure @param {0 | 1} from
 * @param {Partial<State>} pins @param {Across} across @returns {[Partial<State>, Partial<State>]} what becomes the
 *     page's and what the second figure's own */
function pinned(own, from, pins, across) {
    const {picked: _picked, side: _side, token: _token, ...rest} = own;
    if (!hasText(own) && !across.differs)
        return 'picked' in own ? [{}, {...own, ...pins}] : [pins, rest];
    if (from === 0) return [pins, rest];
    const {picked = [], token = -1} = pins;
    const there = carried(picked, 1, across);
    if (there.length < picked.length) return [{}, {...own, ...pins}];
    return [{...pins, picked: there, token: token < 0 ? -1 : across(token, 1)}, rest];
}

/** A change that the reader makes in one of the figures, as one of the page's state.
 * @param {State} state @param {0 | 1} from @param {Partial<State>} patch @param {Across} across
 * @returns {Partial<State>} */
export function changedIn(state, from, patch, across) {
    let own = patchOf(state);
    /** @type {Partial<State>} */
    let page = {};
    const isPin = (/** @type {string} */ name) => PINS.some(pin => pin === name);
    const isOwn = (/** @type {string} */ name) =>
        from === 1 && (name in own || (hasText(own) && PLACES.some(place => place === name)));
    const entries = Object.entries(patch).filter(([name]) => !isPin(name));
    const ofOwn = Object.fromEntries(entries.filter(([name]) => isOwn(name)));
    const rest = Object.fromEntries(entries.filter(([name]) => !isOwn(name)));
    const pins = Object.fromEntries(Object.entries(patch).filter(([name]) => isPin(name)));
    if (Object.keys(pins).length) [page, own] = pinned(own, from, pins, across);
    return {...rest, ...page, beside: writtenPatch({...own, ...ofOwn})};
}
