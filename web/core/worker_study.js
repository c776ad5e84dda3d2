/* worker_study - the operations of studies over a corpus: a corpus or a part goes in, steps are run, the answer comes
 * out as text. A worker can hold several sessions, numbered slots: 0 is the one for texts and studies, 1 the second model of a
 * study that compares, further ones only hold parts to be asked. Not here: models (worker.js).
 */
/** @param {(slot?: number) => import('./wasm.js').Session} session @param {(slot: number) => void} drop closes one */
export function studyOperations(session, drop) {
    return {
        /** Keeps a corpus. @param {{bytes: Uint8Array}} args */
        corpus({bytes}) { session().loadText('corpus', bytes); },
        /** Adds a part to the study of a slot, or begins the study from it. @param {{text: string, slot?: number}} args */
        part({text, slot = 0}) { session(slot).loadText('part', new TextEncoder().encode(text)); },
        /** @param {{options: object, compared: boolean}} args compared: with the model in slot 1
         * @returns {{steps: number, items: number}} */
        studyBegin({options, compared}) {
            session().studyBegin(options, compared ? session(1) : null);
            const {steps, items} = JSON.parse(session().studyAnswer());
            return {steps, items};
        },
        /** @param {{first: number, count: number}} args */
        studyStep({first, count}) { session().studyStep(first, count); },
        /** @param {{ask: object, slot?: number}} args @returns {string} JSON */
        studyAnswer({ask, slot = 0}) { return session(slot).studyAnswer(ask); },
        /** Gives back the memory of a slot. @param {{slot: number}} args */
        drop({slot}) { drop(slot); },
    };
}
