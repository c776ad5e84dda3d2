/* install - makes the site work offline: registers the service worker (sw.js) and reports when it
 * has fetched a newer version of the site. It does nothing in frames, which would register the site
 * for whoever embeds it, nor where there are no service workers (file:, plain http, private
 * windows): the page then works as without.
 */
import {trusted} from '../base/trusted.js';
import {createShown} from '../session/shown.js';

/**
 * @typedef {Pick<ServiceWorkerContainer, 'register' | 'controller' | 'addEventListener'>} Container
 */

/** @returns {Container | undefined} */
function ownContainer() {
    try {
        return globalThis.top === globalThis.self ? globalThis.navigator?.serviceWorker : undefined;
    } catch {
        return undefined; // a frame of an opaque origin may not even look
    }
}

/** Calls `ready` when the worker has fetched its version; the very first version is no update.
 * @param {Container | undefined} container @param {ServiceWorker | null} worker
 * @param {(worker: ServiceWorker) => void} ready */
function follow(container, worker, ready) {
    const look = () => {
        if (worker?.state === 'installed' && container?.controller) ready(worker);
    };
    worker?.addEventListener('statechange', look);
    look();
}

/** @param {Container | undefined} [container] */
export function createInstaller(container = ownContainer()) {
    const {get, show, subscribe} = createShown({
        waiting: /** @type {ServiceWorker | null} */ (null),
    });
    const ready = (/** @type {ServiceWorker} */ waiting) => show({waiting});
    return {
        /** Whether a newer version is here and waits. */
        get: () => get().waiting !== null,
        subscribe,
        /** @param {string | URL} url of sw.js */
        async start(url) {
            try {
                const registration = await container?.register(trusted(url));
                follow(container, registration?.waiting ?? registration?.installing ?? null, ready);
                registration?.addEventListener('updatefound', () =>
                    follow(container, registration.installing, ready),
                );
            } catch (error) {
                console.info(`Headlight is not kept for use without a network: ${error}`);
            }
        },
        /** Lets the newer version take over, then calls `reload`: this page's own files are the old
         * ones.
         * @param {() => void} reload */
        use(reload) {
            const {waiting} = get();
            // another tab has done so already
            if (waiting?.state !== 'installed') return reload();
            container?.addEventListener('controllerchange', reload, {once: true});
            waiting.postMessage('use');
        },
    };
}
