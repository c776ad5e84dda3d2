/* worker_words - the vocabulary entries of words that are put in the place of tokens. Part of worker.js.
 */

/**
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Put} Put
 */

/** The vocabulary entry of a word: what the tokenizer makes of it if that is one piece, else the entry spelt so (##s).
 * Forgets the session's text. @param {import('./wasm.js').Session} session @param {Model} model @param {string} word */
function findWord(session, model, word) {
    session.tokenize(word, null);
    const ids = session.tokens().map(({id}) => id).slice(1, -1);
    if (ids.length === 1 && ids[0] !== model.special.unk) return {id: ids[0], pieces: [session.tokenText(ids[0])]};
    for (let id = 0; id < model.vocab; id++) if (session.tokenText(id) === word) return {id, pieces: [word]};
    return {id: -1, pieces: ids.map(session.tokenText)};
}

/** findWord that remembers: searching a vocabulary takes some hundredths of a second. */
export function createFinder() {
    /** @type {Map<string, {id: number, pieces: string[]}>} */
    const found = new Map();
    return {
        clear: () => found.clear(),
        /** @param {import('./wasm.js').Session} session @param {Model} model
         * @param {{position: number, word: string}[]} words @returns {Put[]} */
        find: (session, model, words) => words.map(({position, word}) => {
            const entry = found.get(word) ?? findWord(session, model, word);
            found.set(word, entry);
            return {position, word, ...entry};
        }),
    };
}
