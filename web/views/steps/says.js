/* says - chooses the sentences of words/<code>/views.js that explain a step: one of what it does to
 * the chosen token, with its numbers (leadOf), and why it is done, by the parts that the model's
 * layers have (saysOf).
 */
import {signed} from '../../draw/chart.js';
import {decimal} from '../../draw/scale.js';

/** @import {Texts} from '../view.js' */

/** @param {string} id @param {Texts} t @returns {{title: string, says: string, saysMatrix: string}} */
export const stageOf = (id, t) => t.steps.stages[/** @type {keyof typeof t.steps.stages} */ (id)];

/** What is said of the step that is shown: two are another matter where the block is not BERT's.
 * @param {Pick<import('./scene.js').Scene, 'id' | 'block'>} scene @param {Texts} t */
export function saysOf({id, block}, t) {
    const stage = stageOf(id, t);
    const {positions, types, embeddingNorm, normFirst, norm} = block;
    if (id === 'embed' && !(positions && types && embeddingNorm)) {
        const says = t.steps.embedding({positions, types, norm: embeddingNorm ? norm : ''});
        return {...stage, says, saysMatrix: says};
    }
    if (id === 'feed') {
        const says = t.steps.feed(block);
        return {...stage, says, saysMatrix: says};
    }
    if (id === 'output' && normFirst) {
        const says = block.parallel ? t.steps.outputBeside : t.steps.outputFirst;
        return {...stage, says, saysMatrix: says};
    }
    return stage;
}

/** Where the largest is. @param {ArrayLike<number>} values */
const largest = values =>
    Array.from(values).reduce((best, value, i) => (value > values[best] ? i : best), 0);

/** What the step does to the chosen token. `{token}` and `{key}` stand where `names` go; the key is the
 * one of the largest score or, from the softmax on, of the largest weight.
 * @param {import('./scene.js').Scene & {id: string}} scene @param {Texts} t */
export function leadOf(scene, t) {
    const {id, tokens, token, one, raw, scaled, maskedRow, a, T, D, E, d, named} = scene;
    const [products, scores] = [one(raw, T), one(scaled, T)];
    const best = largest(id === 'softmax' || id === 'weigh' ? a : products);
    const text = t.steps.leads[/** @type {keyof typeof t.steps.leads} */ (id)]({
        ...named,
        ...{position: token, tokens: T, seen: maskedRow.filter(Number.isFinite).length},
        ...{embedded: E, width: D, d, root: Math.sqrt(d).toFixed(3)},
        product: signed(products[best], 3),
        score: signed(scores[best], 3),
        weight: decimal(a[best]),
    });
    return {text, names: {token: tokens[token].piece, key: tokens[best].piece}};
}

/** The same as plain words. @param {import('./scene.js').Scene & {id: string}} scene @param {Texts} t */
export function leadWords(scene, t) {
    const {text, names} = leadOf(scene, t);
    return text.replace(
        /\{(token|key)\}/g,
        (_, name) => names[/** @type {'token' | 'key'} */ (name)],
    );
}
