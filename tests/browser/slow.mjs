/* slow - SLOW=1: the pages of browser tests as on a busy machine, without its work: messages to and from workers,
 * frames and answers of the server come late. A test that then fails has asserted before what it wanted was
 * there, or has found a press that the page loses. Not in the helpers of a worker. */
import {basename} from 'node:path';

/** What waits for a study over a corpus, whose every sentence is a message, is as fast as ever. */
const WITHOUT = ['ask', 'experiments', 'phone', 'stories', 'study', 'study_roles'];
const LATE = {messages: 120, frames: 60, server: 60}; // ms

const isSlow =
    Boolean(process.env.SLOW) && !WITHOUT.includes(basename(process.argv[1] ?? '', '.test.mjs'));

/** In a page, before its scripts. @param {typeof LATE} late */
function delay({messages, frames}) {
    const {setTimeout: after, requestAnimationFrame: frame} = window;
    const waiting = new Set();
    let last = 0;
    window.requestAnimationFrame = call => {
        const id = ++last;
        waiting.add(id);
        after(() => frame(now => waiting.delete(id) && call(now)), frames);
        return id;
    };
    window.cancelAnimationFrame = id => waiting.delete(id);
    window.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', event => {
                if (!event.isTrusted) return;
                event.stopImmediatePropagation();
                const {data, ports} = event;
                const again = new MessageEvent('message', {data, ports});
                after(() => this.ended || this.dispatchEvent(again), messages);
            });
        }
        postMessage(...given) {
            after(() => super.postMessage(...given), messages);
        }
        terminate() {
            this.ended = true;
            super.terminate();
        }
    };
}

/** @param {import('playwright-core').BrowserContext} context */
export const slowPages = context => isSlow && context.addInitScript(delay, LATE);

/** @param {import('node:http').Server} server */
export function slowServer(server) {
    if (!isSlow) return;
    const [answer] = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (...asked) => setTimeout(answer, LATE.server, ...asked));
}
