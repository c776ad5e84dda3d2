/* Browsers that lack something, in Chromium: WebAssembly, its SIMD, workers, memory, an origin; and
 * other languages, number formats and clocks. Each lack gives its sentence beside the first figure,
 * which needs none of them. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {ARGS, launch, menu, pieces, show, until, useSite} from './page.mjs';

const site = useSite();

const alert = page => page.locator('[role=alert]').textContent();

/** A page of a browser started with these flags, closed after `use`. */
async function withFlags(flags, use) {
    const browser = await launch([...ARGS, ...flags]);
    try {
        const page = await browser.newPage();
        await page.goto(site.url);
        await use(page);
    } finally {
        await browser.close();
    }
}

/** A page whose worker begins with this script, or whose own does; nothing is visited yet. */
async function scripted({worker = '', page: first = ''}) {
    const page = await site.open({blank: true});
    if (first) await page.addInitScript(first);
    if (worker) {
        await page.context().route('**/worker.js*', async route => {
            const answer = await route.fetch();
            await route.fulfill({response: answer, body: `${worker};\n${await answer.text()}`});
        });
    }
    return page;
}

async function withScript(scripts) {
    const page = await scripted(scripts);
    await page.goto(site.url);
    return page;
}

async function said(page, sentence, tokens = 16) {
    assert.match(await alert(page), sentence);
    assert.equal((await pieces(page)).length, tokens, 'the first figure is there all the same');
}

test('without WebAssembly: a sentence', async () => {
    await withFlags(['--js-flags=--jitless'], page =>
        said(page, /no WebAssembly, or it is off; a browser of 2022 or newer/),
    );
});

test('a browser older than the scripts: a sentence', async () => {
    const page = await withScript({worker: 'delete Array.prototype.at'});
    await said(page, /no Array\.prototype\.at; a browser of 2022 or newer is needed/);
});

test('without SIMD: a sentence that names the browsers that have it', async () => {
    const page = await withScript({
        worker: `WebAssembly.compileStreaming = WebAssembly.compile = async () => {
        throw new WebAssembly.CompileError('Wasm SIMD unsupported'); }; WebAssembly.validate = () => false`,
    });
    await said(
        page,
        /cannot use headlight\.wasm \(Wasm SIMD unsupported\).*SIMD is needed: Chrome 91, Firefox 89, Safari 16\.4/,
    );
});

test('without workers: a sentence', async () => {
    await said(await withScript({page: 'delete window.Worker'}), /worker/);
});

test('a worker that is lost on the way: a sentence, and another try succeeds', async () => {
    const page = await withScript({});
    await page.waitForSelector('.below');
    await page.context().route('**/worker.js*', route => route.abort());
    await page.reload();
    await said(page, /worker could not be started or has stopped/);
    await page.context().unroute('**/worker.js*');
    await page.getByRole('button', {name: 'Try again'}).click();
    await page.waitForSelector('.below');
});

test('a worker that dies while idle: the next text is computed all the same, by a new one', async () => {
    const page = await withScript({
        worker: "new BroadcastChannel('die').onmessage = () => { throw new Error('gone'); }",
    });
    await page.waitForSelector('.below');
    await page.evaluate(() => new BroadcastChannel('die').postMessage(''));
    await until(
        () => page.workers().filter(worker => worker.url().includes('/worker.js')).length,
        0,
        'the worker is gone',
    );
    await show(page, 'Cats sleep.', '');
    await until(
        () => pieces(page),
        now => now.includes('cats'),
        'the new text',
    );
    assert.equal(await page.locator('[role=alert]').count(), 0);
});

/** As a browser ends one: no event tells. */
const END = "new BroadcastChannel('end').onmessage = () => close()";
const end = page => page.evaluate(() => new BroadcastChannel('end').postMessage(''));

test('a worker that is ended while idle: a new one is asked the same', async () => {
    const page = await withScript({worker: END});
    await page.waitForSelector('.below');
    await end(page);
    await show(page, 'Cats sleep.', '');
    await until(
        () => pieces(page),
        now => now.includes('cats'),
        'the new text',
    );
});

for (const [when, file] of [
    ['loads', 'model.safetensors'],
    ['starts', 'headlight-'],
]) {
    test(`a worker that is ended while it ${when}: a new one is asked the same`, async () => {
        const page = await scripted({worker: END});
        let [asked, ended] = [0, false];
        await page.context().route(`**/${file}*`, route => {
            asked++;
            return ended && route.continue(); // what the first one asks for does not come
        });
        await page.goto(`${site.url}#v=2&model=mini-en&text=Cats.&textB=`);
        await until(
            () => page.evaluate(() => navigator.locks.query()),
            ({pending}) => asked > 0 && pending.length > 0,
            'it asks, and the page waits for its lock',
        );
        const before = asked;
        ended = true;
        await end(page);
        await until(
            () => pieces(page),
            now => now.includes('cats'),
            'the text',
        );
        assert.ok(asked > before, 'by a new worker');
        assert.equal(await page.locator('[role=alert]').count(), 0);
    });
}

/** The site as a server gives it out that sends a policy with everything; and what the page said of
 * refusals. */
async function underPolicy(policy, use) {
    const page = await site.open({blank: true});
    await page.context().route('**/*', async route => {
        const answer = await route.fetch();
        const headers = {...answer.headers(), 'content-security-policy': policy};
        await route.fulfill({response: answer, headers});
    });
    await page.goto(`${site.url}#v=2&model=mini-en&text=Cats.&textB=`);
    await use(page);
    await page.context().close();
    return site.errors.splice(0);
}

test("with require-trusted-types-for 'script' the site runs, where its policy is allowed", async () => {
    for (const more of ['', "; trusted-types headlight 'allow-duplicates'"]) {
        const errors = await underPolicy(
            `require-trusted-types-for 'script'${more}`,
            async page => {
                await page.waitForSelector('.below');
                await show(page, 'Dogs sleep.', '');
                await until(
                    () => pieces(page),
                    now => now.includes('dogs'),
                    'a text of one’s own',
                );
                assert.equal(await page.locator('[role=alert]').count(), 0);
            },
        );
        assert.deepEqual(errors, []);
    }
});

test("a plain default-src 'self' is said with what the server must send", async () => {
    await underPolicy("default-src 'self'", async page =>
        assert.match(await alert(page), /policy does not allow WebAssembly; its server must send/),
    );
});

/** headlight.wasm whose memory may not grow: in section 5 the most is made as small as the least.
 */
function withoutGrowth(bytes) {
    const number = at => {
        // LEB128: its value and where it ends
        let [value, shift] = [0, 0];
        for (; ; at++, shift += 7) {
            value |= (bytes[at] & 127) << shift;
            if (bytes[at] < 128) return [value, at + 1];
        }
    };
    for (let at = 8; at < bytes.length;) {
        const [size, start] = number(at + 1);
        if (bytes[at] === 5) {
            const [least, middle] = number(start + 2); // after the count and the flag
            const [, end] = number(middle);
            for (let i = middle; i < end; i++)
                bytes[i] = ((least >> (7 * (i - middle))) & 127) | (i < end - 1 ? 128 : 0);
            return bytes;
        }
        at = start + size;
    }
    throw new Error('there is no memory section');
}

test('too little memory: a sentence', async () => {
    const page = await site.open({blank: true});
    await page.context().route('**/headlight*.wasm*', async route => {
        // its memory is made by the script: the other file then serves
        if (route.request().url().includes('-threads')) return route.abort();
        const answer = await route.fetch();
        await route.fulfill({response: answer, body: withoutGrowth(await answer.body())});
    });
    // the model fits in what there is at first, in pieces of any size; a long text does not
    await page.goto(`${site.url}#v=2&model=mini-en`);
    await page.waitForSelector('.below');
    await show(page, 'cat and dog '.repeat(150), '');
    await said(page, /MB are needed for .*more than is available .*shorter text/, 19);
    await show(page, 'Cats sleep.', '');
    await until(
        () => pieces(page),
        now => now.includes('cats'),
        'a short text goes on',
    );
});

test('in a frame without an origin: a sentence or a figure, never nothing', async () => {
    const page = await site.open({blank: true});
    await page
        .context()
        .route('**/host.html', route =>
            route.fulfill({
                contentType: 'text/html',
                body: '<iframe sandbox="allow-scripts" width="1200" height="800" src="./"></iframe>',
            }),
        );
    await page.goto(`${site.url}host.html`);
    await until(
        () => page.frames()[1].locator('.token, [role=alert], .late').first().isVisible(),
        Boolean,
        'something is there',
    );
});

for (const [locale, timezoneId] of [
    ['tr-TR', 'Europe/Istanbul'],
    ['de-DE', 'Pacific/Kiritimati'],
    ['ar-EG', 'Africa/Cairo'],
]) {
    test(`in ${locale} letters, numbers and files are as elsewhere`, async () => {
        const page = await site.open({locale, timezoneId, hash: '#lang=en'});
        assert.equal(
            await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone),
            timezoneId,
        );
        await show(page, 'TITANIC IS IN INDIA 1,5 1.5', '');
        await until(
            () => pieces(page),
            now => now.includes('india'),
            'I is lowered to i, as everywhere',
        );
        assert.ok((await pieces(page)).every(piece => !piece.includes('ı')));
        await page.hover('.column.query [data-index="1"]');
        assert.match(await page.locator('.panel').textContent(), /0\.\d\d/);
        const [download] = await Promise.all([
            page.waitForEvent('download'),
            (await menu(page, '.export')).getByRole('button', {name: 'CSV', exact: true}).click(),
        ]);
        const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
        const columns = new Set(lines.map(line => line.replace(/"[^"]*"/g, '').split(',').length));
        assert.equal(columns.size, 1, 'a point before the decimals, so commas only part cells');
        assert.match(lines[1], /,0\.\d{6,},/);
    });
}

test('a view whose script cannot be fetched is said so; what is shown stays, and the page reloaded has it', async () => {
    const page = await site.open({serviceWorkers: 'block'}); // it would have them
    const down = route => route.abort();
    await page.route(/\.js$/, down);
    await page.locator('.views input[value="neuron"]').check();
    await until(
        () => alert(page),
        /a part of this page could not be fetched .*; reload the page/,
        'said',
    );
    assert.ok(await page.locator('.head-view').isVisible());
    await until(() => page.url(), /view=neuron/, 'the link has the view');
    await page.unrouteAll();
    await page.reload();
    await page.locator('.neuron-view').waitFor();
    site.errors.length = 0; // the words of that view could not be fetched, either
});
