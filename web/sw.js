/* sw - the service worker of the site: after one visit it has cached everything that the page may
 * request, so that the page works offline. A version is kept whole or not at all: every file is
 * compared with the hash that the build has written into this script, in a cache of its own, and
 * serves from the next load on. A page that is open goes on with the files of its version (?v= of
 * base/build.js names it). Names of caches begin with "headlight" and the path of the site, because
 * the sites of one host share them. From the second visit on it also isolates the page, whose
 * threads may then share memory. At the root of a host all of the host's other sites are in its
 * scope: what is not a file of this site goes through unchanged.
 */

const worker = /** @type {any} */ (globalThis);
const {version, files} = HEADLIGHT_SITE;
const SCOPE = new URL(worker.registration.scope);
const PREFIX = `headlight ${SCOPE.pathname} `;
const HASH = 'x-headlight-sha256';
// Where the host isolates the page, a worker without these headers is refused.
const ALONG = ['content-type', 'cross-origin-opener-policy', 'cross-origin-embedder-policy'];
const EMBEDDER = {'cross-origin-embedder-policy': 'require-corp'};
const ISOLATING = {'cross-origin-opener-policy': 'same-origin', ...EMBEDDER};

/** @param {string} path */
const urlOf = path => new URL(path, SCOPE).href;
/** The address without what does not name a file. @param {string} url */
const bare = url => url.split(/[?#]/)[0];
const OWN = new Set(files.map((/** @type {{path: string}} */ {path}) => urlOf(path)));

/** @param {ArrayBuffer} bytes */
async function sha256(bytes) {
    const hash = await crypto.subtle.digest('SHA-256', bytes);
    return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The caches of other versions of this site. */
const others = async () =>
    (await caches.keys()).filter(name => name.startsWith(PREFIX) && name !== PREFIX + version);

/** The same file from another version, if it has not changed since. @param {string} path
 * @param {string} hash
 * @param {string[]} names of caches */
async function unchanged(path, hash, names) {
    for (const cacheName of names) {
        const found = await caches.match(urlOf(path), {cacheName});
        if (found?.headers.get(HASH) === hash) return found;
    }
    return null;
}

/** @param {string} path @param {string} hash */
async function download(path, hash) {
    const answer = await fetch(urlOf(path), {cache: 'no-cache'});
    const bytes = await answer.arrayBuffer();
    const found = await sha256(bytes);
    if (!answer.ok || found !== hash) {
        throw new Error(
            `${path} (status ${answer.status}) is not the file of version ${version}; another one is being published`,
        );
    }
    // No validator (ETag) goes along: files/cache.js would make a second copy of a model.
    const along = ALONG.flatMap(name =>
        answer.headers.has(name) ? [[name, answer.headers.get(name) ?? '']] : [],
    );
    return new Response(bytes, {
        headers: {
            [HASH]: hash,
            'content-length': String(bytes.byteLength),
            ...Object.fromEntries(along),
        },
    });
}

async function install() {
    const older = await others();
    const cache = await caches.open(PREFIX + version);
    const keep = async (/** @type {{path: string, hash: string}} */ {path, hash}) =>
        cache.put(
            urlOf(path),
            (await unchanged(path, hash, older)) ?? (await download(path, hash)),
        );
    try {
        await Promise.all(files.map(keep));
    } catch (error) {
        await caches.delete(PREFIX + version);
        throw error;
    }
}

/** Deletes other versions, unless a page may still be of one, or one is coming. */
async function tidy() {
    const names = await others();
    const pages = await worker.clients.matchAll({type: 'window'});
    const {installing, waiting} = worker.registration;
    if (!pages.length && !installing && !waiting)
        await Promise.all(names.map(name => caches.delete(name)));
}

/** @param {Request} request */
async function find(request) {
    const url = new URL(request.url);
    const asked = url.searchParams.get('v');
    url.search = url.hash = '';
    const path = url.href === SCOPE.href ? urlOf('index.html') : url.href;
    const names = [PREFIX + version, ...(await others())].filter(
        name => !asked || name.startsWith(PREFIX + asked),
    );
    for (const cacheName of names) {
        const found = await caches.match(path, {cacheName});
        if (found) return found;
    }
    return null;
}

/** @param {Request} request */
async function kept(request) {
    try {
        if (request.mode === 'navigate') await tidy();
        return await find(request);
    } catch {
        return null; // the browser's storage is of no use
    }
}

/** What a host of plain files cannot send: the headers that isolate the page, for the page itself at
 * the top of a tab, and the one without which its workers are refused. Pages in frames and all
 * others stay as they are, and so do other people's workers.
 * @param {Request} request @param {boolean} own a file of this site
 * @returns {Record<string, string>} */
function headersFor({destination, url}, own) {
    const isPage = [SCOPE.href, urlOf('index.html')].includes(bare(url));
    return destination === 'worker' && own
        ? EMBEDDER
        : destination === 'document' && isPage
          ? ISOLATING
          : {};
}

/** @param {Request} request */
async function answer(request) {
    const copy = await kept(request);
    const found = copy ?? (await fetch(request));
    const more = Object.entries(headersFor(request, copy !== null || OWN.has(bare(request.url))));
    if (!more.length || !found.ok) return found; // a redirect or an error passes as it is
    const headers = new Headers(found.headers);
    for (const [name, value] of more) headers.set(name, value);
    return new Response(found.body, {status: found.status, statusText: found.statusText, headers});
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) =>
    event.waitUntil(tidy().then(() => worker.clients.claim())),
);
worker.addEventListener('message', (/** @type {any} */ event) => {
    if (event.data === 'use') event.waitUntil(worker.skipWaiting());
});
worker.addEventListener('fetch', (/** @type {any} */ event) => {
    const {request} = event;
    const ours = request.method === 'GET' && request.url.startsWith(SCOPE.href);
    if (ours) event.respondWith(answer(request));
});
