/* What the page around a figure does to it: printing while the figure is away from the window, the
 * host's own style, a server of the site that lets nobody read, a policy of trusted types. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {createServer} from 'node:http';
import {after, before, test} from 'node:test';
import {snippet, startHost, visitor} from './host.mjs';
import {pieces, useSite, until} from './page.mjs';

const site = useSite();
let host;
let visit;
before(async () => {
    host = await startHost();
    visit = visitor(site, host);
});
after(async () => {
    host.close();
});

const tag = patch => snippet('element', site.url, patch);

/** Pixels that are not empty, of all base canvases: when the browser asks to be ready for print, and
 * before and after that. */
const watchPrinting = (page, root) =>
    page.evaluate(selector => {
        const inked = () => {
            const place = document.querySelector(selector);
            return [...(place.shadowRoot ?? place).querySelectorAll('canvas.base')].map(canvas =>
                canvas.width && canvas.height
                    ? canvas
                          .getContext('2d')
                          .getImageData(0, 0, canvas.width, canvas.height)
                          .data.filter((value, i) => i % 4 === 3 && value > 0).length
                    : 0,
            );
        };
        window.inked = inked;
        addEventListener('beforeprint', () => {
            window.printed = inked();
        });
    }, root);

for (const [name, root, open] of [
    [
        'the page',
        'main',
        async () => {
            const page = await site.open({
                hash: `#layer=1&text=${encodeURIComponent('the cat sat on the mat and '.repeat(14))}`,
            });
            await until(
                async () => (await pieces(page)).length,
                length => length > 80,
                'a tall figure',
            );
            return page;
        },
    ],
    [
        'a tag',
        'head-light',
        async () => {
            const {page} = await visit(
                `${await tag({layer: 0, heads: [6]})}<div style="height:6000px"></div>`,
            );
            await page.locator('.token').first().waitFor();
            return page;
        },
    ],
]) {
    test(`printed or saved as PDF, ${name} has the lines of what is away from the window`, async () => {
        const page = await open();
        await watchPrinting(page, root);
        await until(
            () => page.evaluate(() => window.inked()),
            inked => inked.some(count => count > 100),
            'drawn where it is seen',
        );
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        await until(
            () => page.evaluate(() => window.inked()),
            inked => inked.includes(0),
            'away from the window nothing is kept',
        );
        const pdf = await page.pdf();
        assert.ok(pdf.length > 5000);
        const printed = await page.evaluate(() => window.printed);
        assert.ok(
            printed.length && printed.every(count => count > 100),
            `pixels in print: ${printed}`,
        );
        await until(
            () => page.evaluate(() => window.inked()),
            inked => inked.includes(0),
            'afterwards it is as before',
        );
    });
}

test('the host’s own style does not reach the words of a figure', async () => {
    const style =
        'letter-spacing:4px;text-transform:uppercase;word-spacing:9px;text-indent:40px;text-shadow:2px 2px red;font:italic 700 40px serif;' +
        'white-space:pre;-webkit-text-fill-color:red;line-height:3;text-align:right;cursor:wait;hyphens:auto;font-variant:small-caps;word-break:break-all';
    const {page} = await visit(
        `<div id="plain">${await tag({layer: 0, heads: [6]})}</div><div style="${style}">${await tag({layer: 0, heads: [6]})}</div>`,
    );
    await page.locator('head-light').last().locator('.token').first().waitFor();
    const look = place =>
        place.evaluate(element => {
            const computed = getComputedStyle(element);
            return Object.fromEntries(
                [
                    'letterSpacing',
                    'textTransform',
                    'wordSpacing',
                    'textIndent',
                    'textShadow',
                    'font',
                    'whiteSpace',
                    'lineHeight',
                    'textAlign',
                    'cursor',
                    'hyphens',
                    'fontVariant',
                    'wordBreak',
                    'webkitTextFillColor',
                    'height',
                    'visibility',
                ].map(name => [name, computed[name]]),
            );
        });
    for (const part of ['.figure-caption', '.axis span', '.token bdi', '.bar-row', '.how']) {
        assert.deepEqual(
            await look(page.locator('head-light').last().locator(part).first()),
            await look(page.locator('#plain').locator(part).first()),
            part,
        );
    }
    await page.evaluate(() => {
        document.querySelector('#plain').style.visibility = 'hidden';
    });
    assert.equal(
        (await look(page.locator('#plain .box'))).visibility,
        'hidden',
        'hidden with what it stands in',
    );
});

test('a server that lets nobody read (no CORS): the element says so', async () => {
    /** The site again, on a server that lets others read all but the names in `silent`. */
    const silent = new Set();
    const server = createServer(async (request, response) => {
        const name = request.url.slice(1).split('?')[0];
        const body = await readFile(`build/out/site/${name}`).catch(() => null);
        const type =
            {js: 'text/javascript', css: 'text/css'}[name.split('.').pop()] ?? 'application/json';
        response
            .writeHead(body ? 200 : 404, {
                'content-type': type,
                ...(!silent.has(name) && {'access-control-allow-origin': '*'}),
            })
            .end(body ?? '');
    });
    await new Promise(done => {
        server.listen(0, '127.0.0.1', done);
    });
    const url = `http://127.0.0.1:${server.address().port}/`;
    const said = async (name, html, press) => {
        silent.clear();
        silent.add(name);
        const {page} = await visit(html);
        if (press) {
            await page.locator('.token').first().waitFor();
            await page.locator('.main').click();
        }
        await until(
            () => page.locator('.said').allTextContents(),
            ([text = '']) => text.includes(url) && /CORS: Access-Control-Allow-Origin/.test(text),
            name,
        );
        await page.context().close();
    };
    try {
        const html = await snippet('element', url, {layer: 0, heads: [6]});
        await said('element-run.js', html, true);
        await said('style.css', html, true);
        await said(
            'models/index.json',
            `<script type="module" src="${url}element.js"></script><head-light src="${url}models/index.json"></head-light>`,
            false,
        );
    } finally {
        server.closeAllConnections();
        server.close();
    }
});

test('where scripts must come by trusted types, the figure is drawn and the model runs', async () => {
    const origin = site.url.slice(0, -1);
    for (const more of ['', "; trusted-types 'none'"]) {
        const policy = `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; style-src 'none'; connect-src ${origin}; worker-src blob:; require-trusted-types-for 'script'${more}`;
        const {page} = await visit(await tag({text: 'Birds sing.', textB: '', layer: 1}), {
            headers: {'content-security-policy': policy},
        });
        await page.locator('.token').first().waitFor();
        await page.getByRole('button', {name: /7\.5 MB/}).click();
        await page.locator('.status').getByText('computed in').waitFor();
        await page.locator('#text').fill('The dog barked.');
        await page.locator('#text').press('Enter');
        await until(
            () => pieces(page),
            now => now.join(' ').includes('dog'),
            `a text of one’s own under${more || ' one policy'}`,
        );
        const workers = page.workers().length;
        assert.equal(workers, more ? 0 : 1, 'in a worker, unless no policy may be made');
        await page.context().close();
    }
    const refused = site.errors.splice(0);
    assert.deepEqual(
        refused.filter(text => !/trusted|worker/i.test(text)),
        [],
    );
});

test('the Enter that confirms a conversion is none, also as Safari tells it', async () => {
    const page = await site.open();
    await page.fill('#text', 'Cats sleep');
    /** @param {object} more whether the page has taken the key */
    const taken = more =>
        page.locator('#text').evaluate((field, given) => {
            const event = new KeyboardEvent('keydown', {
                key: 'Enter',
                bubbles: true,
                cancelable: true,
            });
            for (const [name, value] of Object.entries(given))
                Object.defineProperty(event, name, {value});
            return !field.dispatchEvent(event);
        }, more);
    assert.equal(await taken({isComposing: true}), false);
    assert.equal(await taken({keyCode: 229}), false);
    assert.equal(await taken({keyCode: 13}), true);
});
