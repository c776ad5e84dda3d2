/* Sharing in Chromium: embed.html in frames and what it tells the page around it, the Share dialog,
 * and that what it hands out works in a page of another origin. */
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {SIZER} from '../../web/save/snippets.js';
import {HOSTILE, snippet, startHost, visitor} from './host.mjs';
import {menu, useSite, until} from './page.mjs';

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

const models = requests => requests.filter(url => /\.safetensors|\.wasm|worker/.test(url));

test('embed.html: drawn from its address, and its height is told; only the frame itself is believed', async () => {
    const frame = (await snippet('iframe', site.url, {layer: 0, heads: [6]})).replace(
        /height="\d+"/,
        'height="300"',
    );
    const {page, requests} = await visit(
        `${frame}<iframe id="other" srcdoc="<p>other</p>"></iframe>${SIZER}`,
    );
    const inside = page.frameLocator('iframe').first();
    await inside.locator('.token').first().waitFor();
    const height = () => page.evaluate(() => Number(document.querySelector('iframe').height));
    const told = await until(height, value => value > 600, 'the height it tells');
    assert.deepEqual(models(requests), []);
    await page.evaluate(() => {
        for (const data of [
            {type: 'headlight-size', height: 100},
            {type: 'headlight-size', height: NaN},
            null,
            'x',
            {type: 'x'},
        ]) {
            window.postMessage(data, '*');
            document
                .querySelector('#other')
                .contentWindow.eval(`parent.postMessage(${JSON.stringify(data)}, '*')`);
        }
        document
            .querySelector('#other')
            .contentWindow.eval(
                `for (let i = 0; i < 1e5; i++) parent.postMessage({type: 'headlight-size', height: 9e9}, '*')`,
            );
    });
    await page.waitForTimeout(1500);
    assert.equal(await height(), told);
    const clamped = await page.frames().find(frame => frame.url().includes('embed.html'));
    for (const [value, expected] of [
        [1e12, 4000],
        [3, 100],
        [NaN, 100],
        [{}, 100],
        ['500', 500],
        [-5, 500],
    ]) {
        await clamped.evaluate(
            height => parent.postMessage({type: 'headlight-size', height}, '*'),
            value,
        );
        await until(height, expected, String(value));
    }
});

test('embed.html with hostile addresses says what is wrong, or shows what there is', async () => {
    const open = async hash => {
        const page = await site.open({ready: false});
        await page.goto('about:blank');
        await page.goto(`${site.url}embed.html#${hash}`);
        await page.locator('.main').waitFor();
        return page;
    };
    const messages = async hash => await (await open(hash)).locator('.said').textContent();
    assert.match(await messages('figure=%%%'), /cannot be read/);
    assert.match(
        await messages(`figure=${Buffer.from('{"headlight":2}').toString('base64url')}`),
        /cannot be read \(version\)/,
    );
    const large = await open(`text=${'a'.repeat(1e6)}`);
    assert.match(await large.locator('.blank').textContent(), /I went to the store/);
    const img = await open(
        `text=${encodeURIComponent(HOSTILE)}&layer=NaN&heads=x&__proto__=1&view=%3Cimg%3E`,
    );
    assert.ok((await img.locator('.blank').textContent()).startsWith(HOSTILE));
    assert.equal(await img.evaluate(() => window.pwn), undefined);
    // The size is in the menu of the site, which comes after the words.
    await until(
        () => img.locator('.main').textContent(),
        'Show the picture (loads 7.5 MB once)',
        'the button with the size',
    );
    await img.locator('.main').click();
    await img.locator('.status').getByText('computed in').waitFor();
});

/** The Share dialog of the page, open. */
async function dialog(hash, options) {
    const page = await site.open({
        hash,
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
    });
    await (await menu(page, '.export')).getByRole('button', {name: /…$/}).click();
    await page.locator('dialog .code').first().waitFor();
    return page;
}

test('each form can be copied; frame and element work elsewhere with hostile texts', async () => {
    const page = await dialog(`#text=${encodeURIComponent(HOSTILE)}&textB=&layer=1&heads=2`);
    const kinds = await page
        .locator('dialog input[name=share]')
        .evaluateAll(inputs => inputs.map(({value}) => value));
    assert.deepEqual(kinds, [
        'link',
        'iframe',
        'element',
        'markdown',
        'html',
        'jekyll',
        'hugo',
        'quarto',
        'mdx',
        'jupyter',
    ]);
    const codes = {};
    for (const kind of kinds) {
        await page.locator(`dialog input[value=${kind}]`).check();
        assert.ok((await page.locator('.share-kind > p').first().textContent()).length > 20, kind);
        assert.equal(
            await page.locator('.share-kind').getByText('Access-Control-Allow-Origin').count(),
            ['element', 'jekyll', 'hugo', 'quarto', 'mdx'].includes(kind) ? 1 : 0,
            kind,
        );
        if (kind === 'html') continue;
        await page.locator('dialog .snippet .main').first().click();
        await page.locator('dialog .said').getByText('Copied').waitFor();
        codes[kind] = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(codes[kind], await page.locator('dialog .code').first().inputValue());
    }
    assert.equal(
        codes.link,
        (await page.evaluate(() => document.location.href))
            .replace('#', '#v=5&model=mini-en&')
            .replace('&textB=', ''),
    );
    const typed = await page.locator('.column.query .token').allTextContents();
    const elsewhere = await visit(`${codes.element}${codes.iframe}`);
    await elsewhere.page.locator('head-light .token').first().waitFor();
    assert.deepEqual(
        await elsewhere.page.locator('head-light .column.query .token').allTextContents(),
        typed,
    );
    await elsewhere.page.locator('iframe').scrollIntoViewIfNeeded();
    await elsewhere.page.frameLocator('iframe').locator('.token').first().waitFor();
    assert.deepEqual(
        await elsewhere.page
            .frameLocator('iframe')
            .locator('.column.query .token')
            .allTextContents(),
        typed,
    );
    assert.equal(await elsewhere.page.evaluate(() => window.pwn), undefined);
    assert.deepEqual(models(elsewhere.requests), []);
});

test('in a lesson it is handed out as a whole, and its figure without it', async () => {
    const page = await dialog('#v=5&lesson=vig1&step=3');
    const code = async kind => {
        await page.locator(`dialog input[value=${kind}]`).check();
        return page.locator('dialog .code').first().inputValue();
    };
    assert.doesNotMatch(await code('link'), /lesson|tour/);
    const tag = await code('lesson');
    assert.match(tag, /<head-light v="5" lesson="vig1" step="3">/);
    const frame = await page.locator('dialog .code').nth(1).inputValue();
    for (const [way, place] of [
        [tag, 'head-light iframe'],
        [frame, 'iframe'],
    ]) {
        const elsewhere = await visit(way);
        await elsewhere.page.frameLocator(place).locator('[data-step="vig1.3"] h2').waitFor();
    }
});

test('the dialog saves picture and page; Escape closes it; a view that needs the model is shared without weights', async () => {
    const page = await dialog('#view=neuron&text=Birds%20sing.&textB=', {locale: 'zh-CN'});
    await page.locator('dialog input[value=markdown]').check();
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', {name: '保存图片'}).click(),
    ]);
    assert.match(
        await page.locator('dialog .code').inputValue(),
        new RegExp(`\\]\\(${download.suggestedFilename()}\\)`),
    );
    await page.locator('dialog input[value=element]').check();
    assert.doesNotMatch(await page.locator('dialog .code').inputValue(), /application\/json/);
    await page.keyboard.press('Escape');
    await until(() => page.locator('dialog').count(), 0, 'closed');
});

test('the gallery shows each form working, in both languages, and fetches no model by itself', async () => {
    for (const name of ['gallery.html', 'gallery-zh.html']) {
        const page = await site.open({hash: name, ready: false, width: 900});
        const requests = [];
        page.on('request', request => requests.push(request.url()));
        await page.reload();
        for (const id of ['element', 'dark', 'shared']) {
            await page.locator(`#${id}`).scrollIntoViewIfNeeded();
            await page.locator(`#${id} .token`).first().waitFor();
        }
        for (const id of ['frame', 'sandbox', 'policy']) {
            await page.locator(`#${id}`).scrollIntoViewIfNeeded();
            const inside = page.frameLocator(`#${id} iframe`);
            await inside.locator('.token').first().waitFor();
            assert.match(
                await inside.locator('.box').first().innerText(),
                name === 'gallery.html' ? /Query/ : /查询/,
                `${id} speaks the language of its page`,
            );
        }
        await page.locator('#bare').scrollIntoViewIfNeeded();
        assert.ok(await page.frameLocator('#bare iframe').locator('svg').isVisible());
        assert.ok(
            await page
                .locator('#markdown img')
                .evaluate(image => image.decode().then(() => image.naturalWidth > 0)),
        );
        const picture = await fetch(await page.locator('#markdown img').evaluate(({src}) => src));
        assert.match(
            await picture.text(),
            name === 'gallery.html' ? />Query</ : />查询</,
            'the picture has the words of its page',
        );
        await page.locator('#model').scrollIntoViewIfNeeded();
        await page.locator('#model .main').waitFor();
        assert.deepEqual(models(requests), []);
    }
});
