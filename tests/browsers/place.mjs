/* place - shared by the cross-browser tests: the built site under a sub-path, without the headers
 * of isolation, as GitHub Pages serves it; one window of the browser that BROWSER names; and the
 * questions asked of the page. The server adds one script to each page, which notes errors and
 * breaches of its security policy, and a page that holds another one in a narrow frame. */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {after, before} from 'node:test';
import {createStaticServer} from '../../build/serve.mjs';
import {until} from '../browser/page.mjs';
import {BROWSER, launch} from './launch.mjs';

export {BROWSER, until};
export const SITE = process.env.SITE ?? 'build/out/site';
const BASE = '/headlight';
/** Each view, and what is there when it is, and was not before. */
export const VIEWS = {
    model: '.model-view canvas',
    neuron: '.neuron-view',
    steps: '.steps-view',
    find: '.find-view',
    change: '.change-view',
    head: '.head-view .column',
};
const WATCH = `window.seenErrors = [];
// the one excepted says only that sizes were observed in two frames instead of one
addEventListener('error', event => {
    if (!/ResizeObserver loop/.test(event.message)) window.seenErrors.push(String(event.message));
});
addEventListener('unhandledrejection', event => window.seenErrors.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', event => window.seenErrors.push(event.violatedDirective + ' ' + event.blockedURI));`;

/** Pages of the test itself, below the site's own. */
const own = url => {
    const {pathname, searchParams} = new URL(url, 'http://x');
    if (pathname === '/watch.js') return ['text/javascript', WATCH];
    if (pathname !== '/frame.html') return null;
    const [page, hash = ''] = (searchParams.get('page') ?? '').split('#');
    return [
        'text/html',
        `<!doctype html><meta charset="utf-8"><title>host</title><body style="margin:0">
        <iframe id="frame" style="border:0" width="${Number(searchParams.get('width'))}" height="800" src="${encodeURI(page)}#${hash.replace(/"/g, '')}"></iframe>`,
    ];
};

function send(response, [type, body]) {
    response.writeHead(200, {'content-type': `${type}; charset=utf-8`}).end(body);
}

/** @returns {Promise<{url: string, asked: string[], close: () => void}>} asked: paths that were
 *     asked for */
function serve() {
    assert.ok(existsSync(`${SITE}/index.html`), `${SITE} is missing; make site builds it`);
    const files = createStaticServer(SITE, {isolation: false});
    const asked = [];
    const server = createServer((request, response) => {
        asked.push(request.url);
        if (!request.url.startsWith(`${BASE}/`)) return response.writeHead(404).end();
        request.url = request.url.slice(BASE.length);
        const [path] = request.url.split('?');
        const made = own(request.url);
        if (made) return send(response, made);
        const page = `${SITE}${path.endsWith('/') ? `${path}index.html` : path}`;
        if (!page.endsWith('.html') || !existsSync(page))
            return files.emit('request', request, response);
        send(response, [
            'text/html',
            readFileSync(page, 'utf8').replace(
                '<script',
                '<script src="/headlight/watch.js"></script><script',
            ),
        ]);
    });
    return new Promise(done => {
        server.listen(0, '127.0.0.1', () =>
            done({
                url: `http://127.0.0.1:${server.address().port}${BASE}/`,
                asked,
                close: () => {
                    server.closeAllConnections();
                    server.close();
                },
            }),
        );
    });
}

/** What is asked of a page again and again.
 * @param {ReturnType<typeof import('./webdriver.mjs').windowOf>} window */
export function questions(window) {
    const count = selector => window.ask(css => document.querySelectorAll(css).length, selector);
    const texts = selector =>
        window.ask(
            css => [...document.querySelectorAll(css)].map(element => element.textContent),
            selector,
        );
    return {
        count,
        texts,
        text: async selector => (await texts(selector)).join(' '),
        value: selector => window.ask(css => document.querySelector(css)?.value, selector),
        /** Without the words that the model predicts there. */
        pieces: (side = 'query') =>
            window.ask(
                css =>
                    [...document.querySelectorAll(css)].map(token => {
                        const copy = token.cloneNode(true);
                        for (const word of copy.querySelectorAll('.filling')) word.remove();
                        return copy.textContent;
                    }),
                `.column.${side} .token`,
            ),
        hash: () => window.ask(() => decodeURIComponent(location.hash)),
        there: selector =>
            until(
                () => count(selector),
                now => now > 0,
                `${selector} is there`,
            ),
        gone: selector => until(() => count(selector), 0, `${selector} is gone`),
        errors: () => window.ask(() => window.seenErrors ?? []),
    };
}

/** Presses one of the page's radio buttons; where it stands in a closed menu, opens that first. */
export async function choose(window, name, value) {
    const css = `input[name=${name}][value="${value}"]`;
    const menu = `details:not([open]):has(${css})`;
    if (await window.ask(selector => document.querySelector(selector) !== null, menu))
        await window.click(`${menu} > summary`);
    await window.click(css);
}

/** In the page: the next file of this type that it would save is kept as window.saved, as text. */
function keepSaved(wanted) {
    const make = URL.createObjectURL;
    window.saved = null;
    URL.createObjectURL = blob => {
        if (blob.type.startsWith(wanted)) {
            blob.text().then(text => {
                window.saved = text;
            });
            URL.createObjectURL = make;
        }
        return make.call(URL, blob);
    };
}

/** The text of the file of this type that the page would save when `selector` is pressed. */
export async function savedBy(window, selector, type) {
    await window.ask(keepSaved, type);
    // null until the model's figure is there
    const open = await until(
        () => window.ask(() => document.querySelector('details.export')?.open ?? null),
        now => now !== null,
        'the menu of files',
    );
    if (!open) await window.click('.export > summary');
    await window.click(selector);
    return until(
        () => window.ask(() => window.saved),
        now => now !== null,
        `${selector} saves a file`,
    );
}

/** Before and after all tests of a file; the end waits for the beginning, which Node 22 does not do
 * where no test of the file is chosen: then a browser would come after all is over, and stay.
 * @param {() => Promise<void>} begin @param {() => unknown} end */
export function around(begin, end) {
    let begun = Promise.resolve();
    before(() => (begun = begin()));
    after(() => begun.catch(() => {}).then(end));
}

/** The site and a window. `open` loads a page anew; errors of the page before are asserted to be
 * none. */
export async function start() {
    const server = await serve();
    const window = await launch().catch(error => {
        server.close();
        throw error;
    });
    const page = {...window, ...questions(window), url: server.url, asked: server.asked};
    const clean = async () =>
        assert.deepEqual(
            await page.errors(),
            [],
            'the page threw no error and kept its security policy',
        );
    return {
        ...page,
        async open(hash = '', {address = 'index.html', there = '.token'} = {}) {
            await clean();
            await window.goto('about:blank'); // else only the hash would change
            await window.goto(server.url + address.replace(/^index\.html$/, '') + hash);
            if (there) await page.there(there);
            return page;
        },
        async show(text, textB) {
            await window.fill('#textB', textB);
            await window.fill('#text', text);
            await window.press('Enter');
        },
        saved: (selector, type) => savedBy(window, selector, type),
        async close() {
            await clean().finally(window.end).finally(server.close);
            assert.deepEqual(
                server.asked.filter(
                    path => !path.startsWith(`${BASE}/`) && path !== '/favicon.ico',
                ),
                [],
                'nothing was asked for outside of the sub-path',
            );
        },
    };
}
