/* similarity - how alike sentence A and sentence B are to a sentence-transformers model: the cosine
 * of their embeddings (Reimers and Gurevych 2019), which the engine pools. Each sentence has a pass
 * of its own, of the model as it is: neither the pair that the figure shows nor what has been
 * changed in it counts.
 */
import {h} from 'preact';
import {useEffect, useMemo, useState} from 'preact/hooks';
import {useWords} from './hooks.js';

/**
 * @typedef {{session: Pick<import('./session.js').Session, 'beside'>, model: import('./session.js').Model,
 *     precision: import('../core/passes.js').Input['precision']}} Compare
 * @typedef {ReturnType<import('./session.js').Session['beside']>} Beside
 */

const EMBEDDING = [{tensor: 'sentence_embedding'}];

/** As hl_similarity has it. @param {Float32Array} x @param {Float32Array} y */
export function cosineOf(x, y) {
    let [product, ofX, ofY] = [0, 0, 0];
    for (let i = 0; i < x.length; i++) {
        product += x[i] * y[i];
        ofX += x[i] * x[i];
        ofY += y[i] * y[i];
    }
    return ofX > 0 && ofY > 0 ? Math.fround(product / Math.sqrt(ofX * ofY)) : 0;
}

/** One text after the other, the second in the place of the first: the figure's tensors stay.
 * @param {Pick<Beside, 'model'> & {engine: Pick<Beside['engine'], 'run' | 'release'>}} beside
 * @param {string[]} texts two @param {Compare['precision']} precision @param {AbortSignal} signal
 * @returns {Promise<number>} */
export async function similarityOf({engine, model}, texts, precision, signal) {
    /** @type {number[]} */
    const passes = [];
    const vectors = [];
    try {
        for (const text of texts) {
            const input = {text, textB: '', precision, changes: [], words: []};
            const run = engine.run({model, input, want: EMBEDDING, over: passes[0]}, {signal});
            passes.push(run.pass);
            vectors.push((await run.answers[0]).data);
        }
    } finally {
        for (const pass of passes) engine.release({pass});
    }
    return cosineOf(vectors[0], vectors[1]);
}

/** Computed anew for other texts, which call off what is under way.
 * @param {Compare & {texts: string[], code: string}} props */
export function Similarity({session, model, precision, texts, code}) {
    const words = useWords(code, 'dialogs', true)?.similarity;
    const asked = useMemo(() => ({}), [session, model, precision, ...texts]);
    const [last, setLast] = useState(
        /** @type {{asked: object, cosine?: number, why?: string} | null} */ (null),
    );
    const found = last?.asked === asked ? last : null; // never that of other texts
    useEffect(() => {
        const controller = new AbortController();
        const {signal} = controller;
        const show = (/** @type {{cosine?: number, why?: string}} */ value) => {
            if (!signal.aborted) setLast({asked, ...value});
        };
        similarityOf(session.beside(), texts, precision, signal).then(
            cosine => show({cosine}),
            error => show({why: error.message}),
        );
        return () => controller.abort();
    }, [asked]);
    if (!words) return null;
    const value = found?.why ?? found?.cosine?.toFixed(4) ?? words.coming;
    return h(
        'div',
        {class: 'similarity'},
        h('h2', null, words.title),
        h('p', {class: 'hint'}, words.says),
        h('p', null, words.cosine, ' ', h('output', null, value)),
    );
}
