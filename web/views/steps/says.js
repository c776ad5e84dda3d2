/* says - which of the sentences of text/<code>/views.js explains a step, by the parts that the model's
 * layers have.
 */

/** @typedef {import('../view.js').Texts} Texts */

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
        const {outputFirst: says} = t.steps;
        return {...stage, says, saysMatrix: says};
    }
    return stage;
}
