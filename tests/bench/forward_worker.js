/* forward_worker - what tests/bench/chromium.mjs measures, in a worker, where threads may wait for
 * each other: every way of every length in turn, in rounds. Answers with [way][length]: the
 * milliseconds of each round, and the bits after the first.
 */
import {bits, open, pass, setText} from './forward_page.js';

async function measure({folder, ways, lengths, rounds}) {
    const opened = new Map();
    const keyOf = ({wasm, threads}) => `${wasm} ${threads}`;
    for (const way of ways)
        if (!opened.has(keyOf(way)))
            opened.set(keyOf(way), await open(way.wasm, folder, 'q8', way.threads));
    const result = ways.map(() => lengths.map(() => ({ms: [], bits: ''})));
    for (const [t, tokens] of lengths.entries()) {
        for (const one of opened.values()) setText(one, tokens);
        for (let round = -1; round < rounds; round++) {
            // the first warms up
            for (const [w, way] of ways.entries()) {
                const end = performance.now() + (round < 0 ? 1500 : 0);
                let best = Infinity;
                for (let i = 0; i < 4 || performance.now() < end; i++)
                    best = Math.min(best, pass(opened.get(keyOf(way)), way.precision));
                if (round >= 0) result[w][t].ms.push(best);
                else result[w][t].bits = await bits(opened.get(keyOf(way)), way.precision);
            }
        }
    }
    return result;
}

globalThis.onmessage = async ({data}) => {
    try {
        postMessage({result: await measure(data)});
    } catch (error) {
        postMessage({error: String(error)});
    }
};
