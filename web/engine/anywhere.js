/* anywhere - starts a worker even where `new Worker(address)` is refused: in someone else's page,
 * in a frame with an opaque origin, under a strict policy. Tried in turn: the script by its
 * address, the script's text as a Blob, and the operations in the page itself, which then freezes
 * while a text is computed. For engine.js it is a worker like any other.
 */
import {reason} from '../base/errors.js';
import {trusted} from '../base/trusted.js';

/**
 * @import {WorkerLike} from './engine.js'
 * @typedef {Pick<Worker, 'postMessage' | 'terminate'> & {onmessage?: any, onerror?: any}} Started
 * @typedef {(url: string) => Started | Promise<Started>} Way
 */

/** A classic script from another origin would be refused only after the fact. @type {Way} */
function byAddress(url) {
    if (new URL(url).origin !== globalThis.origin)
        throw new Error('the script is of another origin');
    return new Worker(trusted(url));
}

/** @param {string} url @returns {Promise<Started>} */
async function byText(url) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
    const address = URL.createObjectURL(new Blob([await answer.text()], {type: 'text/javascript'}));
    const worker = new Worker(trusted(address));
    worker.addEventListener('message', () => URL.revokeObjectURL(address), {once: true});
    return worker;
}

/** @returns {Promise<Started>} */
async function inPage() {
    const {serve} = await import('../worker/worker.js');
    const {port1, port2} = new MessageChannel();
    serve(/** @type {any} */ (port2));
    return Object.assign(port1, {terminate: () => port1.close()});
}

/** A worker is given up for the next way when it fails before its first word; what was posted is
 * posted again, which the first requests allow, since they hand nothing over.
 * @implements {WorkerLike} */
class Anywhere {
    /** @type {WorkerLike['onmessage']} */
    onmessage = null;
    /** @type {WorkerLike['onerror']} */
    onerror = null;
    onmessageerror = null;
    /** @type {Started | null} */
    #worker = null;
    /** @type {any[]} */
    #first = [];
    #heard = false;
    #ended = false;
    /** @type {string} */
    #url;
    /** @type {Way[]} */
    #ways;

    /** @param {string} url @param {Way[]} ways */
    constructor(url, ways) {
        [this.#url, this.#ways] = [url, [...ways]];
        this.#next('');
    }

    /** @param {any} message @param {any} [transfer] */
    postMessage(message, transfer = []) {
        if (!this.#heard) this.#first.push(message);
        this.#worker?.postMessage(message, transfer);
    }

    terminate() {
        this.#ended = true;
        this.#worker?.terminate();
    }

    /** @param {string} why the way before has failed */
    async #next(why) {
        await null; // who makes this has set no listener yet
        const way = this.#ways.shift();
        if (!way)
            return this.onerror?.call(
                /** @type {any} */ (this),
                /** @type {any} */ ({message: why}),
            );
        try {
            const worker = await way(this.#url);
            if (this.#ended) return worker.terminate();
            worker.onmessage = (/** @type {any} */ event) => {
                [this.#heard, this.#first] = [true, []];
                this.onmessage?.call(/** @type {any} */ (this), event);
            };
            worker.onerror = (/** @type {any} */ event) => this.#failed(worker, event);
            this.#worker = worker;
            for (const message of this.#first) worker.postMessage(message);
        } catch (error) {
            if (!this.#ended) await this.#next(reason(error));
        }
    }

    /** @param {Started} worker @param {any} event */
    #failed(worker, event) {
        if (this.#ended || worker !== this.#worker) return;
        if (this.#heard) return void this.onerror?.call(/** @type {any} */ (this), event);
        event.preventDefault?.();
        worker.terminate();
        this.#worker = null;
        this.#next(event.message ?? '');
    }
}

/** @param {string | URL} url of worker-classic.js, absolute @param {Way[]} [ways]
 * @returns {WorkerLike} */
export const startAnywhere = (url, ways = [byAddress, byText, inPage]) =>
    /** @type {WorkerLike} */ (/** @type {unknown} */ (new Anywhere(String(url), ways)));
