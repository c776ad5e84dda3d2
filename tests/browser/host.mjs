/* host - for browser tests of what stands in other people's pages: a server of another origin that
 * gives out pages made by the test, with the headers it wants; and figures as the Share dialog
 * would hand them out. */
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {allWords} from '../../web/words/languages.js';
import {SNIPPETS} from '../../web/save/snippets.js';
import {figureOf, openModel} from '../../build/figure.mjs';

const en = await allWords('en');

export const HOSTILE =
    '<img src=x onerror="window.pwn=1"></script><script>window.pwn=2</script>{{ site }}';

/** {url, page(body, headers) -> address, close}: each page has an address of its own. */
export async function startHost() {
    const pages = new Map();
    const server = createServer((request, response) => {
        const page = pages.get(request.url.split('?')[0]);
        if (!page) return response.writeHead(404).end();
        response
            .writeHead(200, {'content-type': 'text/html; charset=utf-8', ...page.headers})
            .end(page.body);
    });
    await new Promise(done => {
        server.listen(0, '127.0.0.1', done);
    });
    const url = `http://127.0.0.1:${server.address().port}/`;
    return {
        url,
        page(body, headers = {}) {
            const path = `/${pages.size}.html`;
            pages.set(path, {
                body: `<!doctype html><html lang="en"><head><title>host</title></head><body>${body}</body></html>`,
                headers,
            });
            return url.slice(0, -1) + path;
        },
        close() {
            server.closeAllConnections();
            server.close();
        },
    };
}

let opened;
/** A figure of mini-en as the snippets take it. */
export async function figure(base, patch = {}) {
    opened ??= openModel('models/mini-en', 'build/out/wasm/headlight.wasm');
    const menu = JSON.parse(await readFile('models/index.json', 'utf8'));
    const {bytes} = menu.find(({id}) => id === 'mini-en');
    return figureOf(await opened, patch, {t: en, base, name: 'mini-en', bytes});
}

/** The text of a kind for a state. */
export const snippet = async (kind, base, patch) =>
    SNIPPETS[kind](await figure(base, patch))[0].code;

/** Opens pages of the host, with all their requests; errors of a page end the test with those of the
 * site. */
export const visitor =
    (site, host) =>
    async (body, {headers, ...options} = {}) => {
        const page = await site.open({...options, blank: true});
        const requests = [];
        page.on('request', request => requests.push(request.url()));
        await page.goto(host.page(body, headers));
        return {page, requests};
    };
