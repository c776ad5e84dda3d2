/* unread - tokens that the model's vocabulary lacks: it reads [UNK] there, the same for each. What the
 * reader typed is known by the token's offsets in the text, and stands in the views with the mark beside it.
 */
import {remember} from '../draw/memo.js';

/**
 * @typedef {import('../session/session.js').Pass} Pass
 * @typedef {import('../worker/worker.js').Model} Model
 */

/** What was typed at a position, where the model reads [UNK]; else ''.
 * @param {Pass} pass @param {Model} model @param {number} position */
export function typedAt({tokens, texts}, model, position) {
    const {id, sentence, from, to} = tokens[position];
    return id === model.special?.unk ? (texts?.[sentence]?.slice(from, to) ?? '') : '';
}

/** The pass with the reader's own characters before each [UNK]. */
export const withTyped = remember((/** @type {Pass} */ pass, /** @type {Model} */ model) => ({
    ...pass,
    tokens: pass.tokens.map((token, i) => {
        const typed = typedAt(pass, model, i);
        return typed ? {...token, piece: `${typed} ${token.piece}`} : token;
    }),
}));
