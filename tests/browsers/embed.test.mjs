/* embed.html and the gallery in the browser that BROWSER names: a figure in a frame on another
 * origin, drawn before any model, with the model after a press, in a frame without an origin too;
 * hostile addresses. tests/browser/element.test.mjs has more, in Chromium. Where the site has no
 * embed.html there is nothing to test. */
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {test} from 'node:test';
import {around, BROWSER, SITE, start, until} from './place.mjs';

const SKIP = existsSync(`${SITE}/embed.html`) ? false : 'the site has no embed.html';
const HOSTILE = '<img src=x onerror="parent.postMessage(1,\'*\');window.pwn=1">';

let page;
let host;
let body = '';
around(
    async () => {
        if (SKIP) return;
        page = await start();
        host = createServer((_, response) =>
            response.writeHead(200, {'content-type': 'text/html; charset=utf-8'}).end(body),
        );
        await new Promise(done => {
            host.listen(0, '127.0.0.1', done);
        });
    },
    async () => {
        host?.close();
        host?.closeAllConnections();
        await page?.close();
    },
);

/** A page of another origin with embed.html in a frame; the window then looks into the frame. */
async function visit(hash, attributes = '') {
    body = `<!doctype html><html lang="en"><title>host</title><script>window.said = [];
        addEventListener('message', ({data}) => window.said.push(data));</script>
        <iframe id="frame" ${attributes} width="800" height="700" src="${page.url}embed.html#${hash}"></iframe>`;
    await page.goto('about:blank');
    await page.goto(`http://127.0.0.1:${host.address().port}/`);
    await page.there('#frame');
    await page.enter('#frame');
    await until(
        () =>
            page.ask(() =>
                Boolean(
                    document
                        .querySelector('head-light')
                        ?.shadowRoot?.querySelector('.main, .token'),
                ),
            ),
        Boolean,
        'the element',
    );
}

const texts = css =>
    page.ask(
        selector =>
            [...document.querySelector('head-light').shadowRoot.querySelectorAll(selector)].map(
                ({textContent}) => textContent,
            ),
        css,
    );
const press = css =>
    page.ask(
        selector => document.querySelector('head-light').shadowRoot.querySelector(selector).click(),
        css,
    );
const tokens = () => texts('.column.query .token');

async function runs() {
    await press('.main');
    await until(async () => (await texts('.status')).join(' '), /computed in/, 'the model has run');
    assert.deepEqual(await tokens(), ['[CLS]', 'birds', 'sing', '.', '[SEP]']);
}

test(
    `${BROWSER}: embed.html in a frame tells its height and runs the model after a press`,
    {skip: SKIP},
    async () => {
        await visit(`text=${encodeURIComponent('Birds sing.')}&textB=&layer=1`);
        await until(
            async () => (await texts('.main')).join(' '),
            /7\.5 MB/,
            'what a press fetches, once the menu of models is here',
        );
        assert.ok(!page.asked.some(path => path.includes('.safetensors')), 'no model before that');
        await runs();
        await page.leave();
        const said = await until(
            () => page.ask(() => window.said),
            now => now.length > 0,
            'a height',
        );
        assert.ok(
            said.every(
                ({type, height}) => type === 'headlight-size' && height > 100 && height < 4000,
            ),
            JSON.stringify(said),
        );
    },
);

// WebKit takes 'self' in the policy of such a frame for nothing at all (Chromium and Firefox: for
// where the page comes from), so it loads no script there; in a page's own frame of that kind,
// <head-light> works instead.
const OPAQUE =
    BROWSER === 'webkit' && "WebKit loads nothing by 'self' in a frame without an origin";
test(`${BROWSER}: embed.html in a frame without an origin`, {skip: SKIP || OPAQUE}, async () => {
    await visit(
        `text=${encodeURIComponent('Birds sing.')}&textB=&layer=1`,
        'sandbox="allow-scripts"',
    );
    await runs();
    await page.leave();
});

test(`${BROWSER}: embed.html with hostile addresses`, {skip: SKIP}, async () => {
    for (const hash of [
        `text=${encodeURIComponent(HOSTILE)}`,
        'figure=%25%25%25',
        'layer=NaN&heads=x&__proto__=1&view=%3Cimg%3E',
        `text=${'a'.repeat(50000)}`,
    ]) {
        await visit(hash.replaceAll('"', '&quot;'));
        assert.equal(await page.ask(() => window.pwn), null);
        await page.leave();
        assert.ok(
            (await page.ask(() => window.said)).every(({type}) => type === 'headlight-size'),
            hash.slice(0, 40),
        );
    }
});

for (const language of ['', '-zh']) {
    test(
        `${BROWSER}: gallery${language}.html shows every way, each drawn`,
        {skip: SKIP || !existsSync(`${SITE}/gallery${language}.html`)},
        async () => {
            await page.open('', {address: `gallery${language}.html`, there: 'head-light'});
            for (let i = 0; i < (await page.count('head-light')); i++) {
                await page.ask(n => document.querySelectorAll('head-light')[n].scrollIntoView(), i);
                await until(
                    () =>
                        page.ask(
                            n =>
                                document
                                    .querySelectorAll('head-light')
                                    [n].shadowRoot?.querySelectorAll('.token, .main').length ?? 0,
                            i,
                        ),
                    now => now > 0,
                    `figure ${i}`,
                );
            }
        },
    );
}
