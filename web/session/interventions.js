/* interventions - questions about one text that take many passes (headlight.h), as promises on an engine's link:
 * the page's first script has none of them.
 */

const [SOON, LATE] = [50, 200]; // ms that the passes of one message take: a signal is seen between two
const MOST = 64; // passes in one message
const SHOWN_MS = 250; // what is known so far is told so often

/** @typedef {{at: number}} Queue   the first pass that nobody runs yet
 * @typedef {{question: object, input?: import('../worker/passes.js').Input, settings?: object, queue?: Queue,
 *     signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void,
 *     onAnswer?: (answer: string) => void}} Asked   input: the text that is asked about, where the question names
 *     none; settings: of the answer; queue: shared with other engines that are asked the same; onAnswer: what is known so
 *     far, at first without a pass */

/** The last one of a link: a model's session has one at a time, the next one waits, whoever asks.
 * @type {WeakMap<object, Promise<unknown>>} */
const lasts = new WeakMap();

/** @param {ReturnType<typeof import('../engine/engine.js').createEngine>['link']} link */
export function createInterventions(link) {
    /** @param {number} model @param {Asked} asked */
    async function run(model, asked) {
        const {question, input, settings = {}, queue = {at: 0}, signal} = asked;
        const call = {signal};
        const total = await link.call('interveneBegin', {model, question, input}, call);
        const answer = () => link.call('interveneAnswer', {model, settings}, call);
        let [size, shown, done] = [1, -SHOWN_MS, 0];
        const tell = async () => {
            if (!asked.onAnswer || performance.now() - shown < SHOWN_MS) return;
            asked.onAnswer(await answer());
            shown = performance.now();
        };
        try {
            asked.onAnswer?.(await answer());
            while (queue.at < total) {
                const first = queue.at;
                const count = Math.min(size, total - first);
                queue.at += count;
                const before = performance.now();
                await link.call('interveneStep', {model, first, count}, call);
                const took = performance.now() - before;
                if (took < SOON) size = Math.min(MOST, 2 * size);
                if (took > LATE) size = Math.max(1, size >> 1);
                asked.onProgress?.({done: (done += count), total});
                await tell();
            }
            return await answer();
        } finally {
            link.call('interveneEnd', {model}).catch(() => {}); // nor is it there where the worker ended
        }
    }

    /** The answer as text. @param {number} model @param {Asked} asked @returns {Promise<string>} */
    return (model, asked) => {
        const answer = Promise.resolve(lasts.get(link)).then(() => run(model, asked));
        lasts.set(
            link,
            answer.catch(() => {}),
        );
        return answer;
    };
}
