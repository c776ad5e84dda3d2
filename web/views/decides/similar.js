/* similar - a similarity in What decides, of a model that makes embeddings of texts: a token of either is
 * masked or removed, a head or an MLP is off in both. Each text has passes by itself, as sentence-transformers embeds
 * it; the number is the similarity of their embeddings.
 */
import {alike} from '../../base/alike.js';
import {deepName} from '../also.js';

/**
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Token} Token
 * @typedef {import('../also.js').DeepNeed} DeepNeed
 * @typedef {import('./scene.js').Effect} Effect
 * @typedef {import('../../worker/passes.js').Change} Change
 */

const SIDES = [0, 1];

/** Of one of the texts. @param {Computed['pass']} pass @param {number} side @param {DeepNeed} need @returns {DeepNeed} */
const of = ({texts}, side, need) => ({
    ...need,
    alone: true,
    source: {text: texts[side], textB: '', embeds: true},
});

/** @param {Computed['pass']} pass @param {number} side @param {Change} [also] */
const embedding = (pass, side, also) =>
    of(pass, side, {tensor: 'sentence_embedding', ...(also && {also})});

/** The embeddings that a change makes other ones; no change: those of the texts. @param {Computed['pass']} pass
 * @param {Effect} [effect] */
const pairOf = (pass, effect) =>
    SIDES.map(side =>
        embedding(
            pass,
            side,
            effect && (effect.text === undefined || effect.text === side)
                ? effect.change
                : undefined,
        ),
    );

/** The tokens of each text, as it is embedded; null: not there yet. @param {Pick<Computed, 'pass' | 'tensors'>} data
 * @returns {Token[][] | null} */
function tokensOf({pass, tensors}) {
    const all = SIDES.map(side => tensors.get(deepName(of(pass, side, {tokens: true}))));
    return all.every(Boolean) ? /** @type {any} */ (all) : null;
}

/** Is there a similarity to explain? @param {Pick<Computed, 'model' | 'pass'>} data */
export const compares = ({model, pass}) =>
    Boolean(model.predicts?.includes('embedding') && pass.texts[1]);

/** All that is wanted: what the first text makes, then the second, so that passes of one follow each other.
 * @param {Computed} data @param {(tokens: readonly Token[]) => Change[]} reads @param {Change[]} parts */
export function similarDeep(data, reads, parts) {
    const {pass} = data;
    const first = SIDES.flatMap(side => [of(pass, side, {tokens: true}), embedding(pass, side)]);
    const tokens = tokensOf(data);
    if (!tokens) return first;
    return [
        ...first,
        ...SIDES.flatMap(side =>
            [...reads(tokens[side]), ...parts].map(change => embedding(pass, side, change)),
        ),
    ];
}

/** Every change, with the similarity that it leaves. @param {Computed} data @param {(tokens: readonly Token[]) => Change[]} reads
 * @param {Change[]} parts @returns {{plain: number | null, effects: Effect[]}} */
export function similarEffects(data, reads, parts) {
    const {model, pass, tensors} = data;
    const read = (/** @type {Effect | undefined} */ effect) => {
        const [x, y] = pairOf(pass, effect).map(need => tensors.get(deepName(need))?.data);
        return x && y ? alike(x, y, model.similarity) : null;
    };
    const texts = tokensOf(data) ?? [];
    const changes = [
        ...texts.flatMap((tokens, text) =>
            reads(tokens).map(change => ({change, text, token: tokens[Number(change[1])]})),
        ),
        ...parts.map(change => ({change})),
    ];
    const plain = read(undefined);
    const effects = changes.map(effect => {
        const value = plain === null ? null : read({...effect, value: null});
        return {...effect, value: value === null || plain === null ? null : value - plain};
    });
    return {plain, effects};
}
