/* <head-light> in Chromium, in pages of another origin: drawn without a model, one model for all,
 * moved and removed, attributes by the thousand, sandboxes and strict policies, without script, in
 * print. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {figure, HOSTILE, snippet, startHost, visitor} from './host.mjs';
import {useSite, until} from './page.mjs';

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

const STORE = {text: 'I went to the store.', textB: 'At the store, I bought fresh strawberries.'};
const tag = patch => snippet('element', site.url, {...STORE, ...patch});
const tokens = (place, side = 'query') => place.locator(`.column.${side} .token`).allTextContents();
const models = requests => requests.filter(url => /\.safetensors|\.wasm|worker/.test(url));
const run = place => place.getByRole('button', {name: /7\.5 MB/}).click();

test('drawn and pointed at without a model: its script is all that is fetched', async () => {
    const {page, requests} = await visit(await tag({layer: 0, heads: [6]}));
    await page.locator('.token').first().waitFor();
    await page.locator('.column.query .token').nth(4).hover();
    await page.locator('.panel').waitFor();
    assert.match(await page.locator('.panel').textContent(), /^the looks atstore (0\.9\d|>0\.99)/);
    assert.deepEqual(requests.slice(1), [`${site.url}element.js`]);
    assert.match(await page.locator('.main').textContent(), /7\.5 MB/);
    assert.match(
        await page.locator('#describe').textContent(),
        /Strongest link: .* weight (0\.9\d|>0\.99|1\.00)/,
    );
});

test('nothing moves when it takes over, at any width', async () => {
    for (const width of [320, 400, 700, 1200]) {
        const {page} = await visit(
            `<p>before</p>${await tag({layer: 0, heads: [6]})}<p id="after">after</p>`,
            {width},
        );
        await page.locator('.token').first().waitFor();
        await page.waitForTimeout(300);
        const shift = await page.evaluate(
            () =>
                new Promise(done => {
                    new PerformanceObserver(list =>
                        done(list.getEntries().reduce((sum, {value}) => sum + value, 0)),
                    ).observe({type: 'layout-shift', buffered: true});
                    setTimeout(() => done(0), 300);
                }),
        );
        const {height, reserved} = await page.evaluate(() => {
            const element = document.querySelector('head-light');
            return {
                height: element.getBoundingClientRect().height,
                reserved: Number(element.querySelector('svg').getAttribute('height')),
            };
        });
        assert.equal(shift, 0, `layout shift at ${width} px`);
        assert.ok(
            Math.abs(height - reserved) <= 7,
            `${height} px where ${reserved} were reserved, at ${width} px`,
        );
        assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `no sideways scrolling at ${width} px`,
        );
    }
});

test('it starts when it is seen, not before', async () => {
    const {page} = await visit(`<div style="height:4000px"></div>${await tag({layer: 0})}`);
    await page.waitForTimeout(500);
    assert.equal(await page.locator('.token').count(), 0);
    await page.evaluate(() => document.querySelector('head-light').scrollIntoView());
    await page.locator('.token').first().waitFor();
});

test('two figures share one model, and each keeps its own text', async () => {
    const {page, requests} =
        await visit(`<div id="a">${await tag({text: 'Birds sing.', textB: '', layer: 4})}</div>
        <div id="b">${await tag({text: 'The cat sat on the mat.', textB: '', layer: 2})}</div>`);
    const [a, b] = [page.locator('#a'), page.locator('#b')];
    await run(a);
    await run(b);
    await a.locator('.status').getByText('computed in').waitFor();
    await b.locator('.status').getByText('computed in').waitFor();
    assert.equal(requests.filter(url => url.endsWith('model.safetensors')).length, 1);
    assert.equal(models(requests).filter(url => url.includes('headlight-page.wasm')).length, 1);
    // Reading more of the first after the second has run: its own numbers, as on a page of its own.
    await a.locator('input[name=layer]').nth(1).check();
    await b.locator('#text').fill('Dogs bark at night.');
    await b.locator('#text').press('Enter');
    await until(
        () => tokens(b),
        now => now.includes('bark') || now.includes('night'),
        'the new text',
    );
    await a.locator('input[name=layer]').nth(5).check();
    const said = await until(() => a.locator('#describe').textContent(), /L5·H/, 'layer 5');
    const alone = await site.open({hash: '#text=Birds%20sing.&textB=&layer=5'});
    assert.equal(
        said,
        await until(() => alone.locator('#describe').textContent(), /L5·H/, 'alone'),
    );
    assert.deepEqual(
        (await tokens(a)).slice(1, -1).join(' '),
        (await tokens(alone)).slice(1, -1).join(' '),
    );
});

test('attributes by the thousand are one change; what does not fit is as good as absent', async () => {
    const {page} = await visit(await tag({layer: 0, heads: [6]}));
    await page.locator('.token').first().waitFor();
    const seen = await page.evaluate(async text => {
        const element = document.querySelector('head-light');
        let changes = 0;
        element.addEventListener('headlight-change', () => {
            changes++;
        });
        for (let i = 0; i < 1000; i++) {
            element.setAttribute('token', String(i % 7));
            element.setAttribute('layer', String(i));
            element.setAttribute('text', text);
        }
        await new Promise(done => {
            setTimeout(done, 100);
        });
        const after = changes;
        const layer = element.state.layer;
        for (const bad of ['NaN', '-1', '1e3', '__proto__', '0x1', '']) {
            element.setAttribute('layer', bad);
            await null;
            await null;
            if (element.layer !== 0) return {bad};
        }
        for (const name of ['heads', 'view', 'theme', 'model', 'specials', 'off', 'replaced'])
            element.setAttribute(name, '"><svg onload=alert(1)>');
        await new Promise(done => {
            setTimeout(done, 50);
        });
        element.heads = [2, 1];
        element.layer = 'x';
        element.textB = {};
        return {
            after,
            layer,
            heads: element.heads.length,
            view: element.view,
            theme: element.theme,
            specials: element.specials,
            frozen: Object.isFrozen(element.state),
        };
    }, HOSTILE);
    assert.deepEqual(seen, {
        after: 1,
        layer: 999,
        heads: 0,
        view: 'head',
        theme: 'auto',
        specials: true,
        frozen: true,
    });
    assert.equal(await page.evaluate(() => window.pwn), undefined);
    assert.equal((await tokens(page)).length, 19, 'what was drawn last stays');
    await page.evaluate(() => {
        document.querySelector('head-light').layer = 99;
    });
    assert.equal((await tokens(page)).length, 19);
    assert.match(
        await page.locator('.main').textContent(),
        /Show the picture \(loads 7\.5 MB once\)/,
    );
});

test('a property that is a text is what the attribute would say, as frameworks set it, before the class and after', async () => {
    const {page} = await visit(
        `${await tag({layer: 0, heads: [6]})}<script>Object.assign(document.querySelector('head-light'), {heads: '1,3', gridSpecials: 'false'})</script>`,
    );
    await page.locator('.token').first().waitFor();
    const state = () => page.evaluate(() => document.querySelector('head-light').state);
    const heads = async wanted =>
        until(
            async () => (await state()).heads,
            now => String(now) === wanted,
            `heads ${wanted}`,
        );
    await heads('1,3');
    assert.equal((await state()).gridSpecials, false);
    await page.evaluate(() => {
        const one = document.querySelector('head-light');
        Object.assign(one, {heads: '8,9', layer: '3', text: '42', theme: 'neither'});
    });
    await heads('8,9');
    const {layer, text, theme} = await state();
    assert.deepEqual([layer, text, theme], [3, '42', 'auto']);
    await page.evaluate(() => {
        document.querySelector('head-light').heads = null;
    });
    await heads('8,9');
});

test('moved, removed while running, put back: it works, and is loaded once', async () => {
    const {page, requests} = await visit(
        `<div id="one">${await tag({text: 'Birds sing.', textB: '', layer: 1})}</div><div id="two"></div>`,
    );
    await page.locator('.token').first().waitFor();
    await page.evaluate(() => {
        document.querySelector('#two').append(document.querySelector('head-light'));
    });
    await page.locator('#two .token').first().waitFor();
    await run(page);
    await page.waitForTimeout(50);
    await page.evaluate(() => {
        window.kept = document.querySelector('head-light');
        window.kept.remove();
    });
    await page.waitForTimeout(400);
    await page.evaluate(() => document.querySelector('#one').append(window.kept));
    await page.locator('#one .token').first().waitFor();
    await run(page);
    await page.locator('.status').getByText('computed in').waitFor();
    await page.evaluate(() => {
        for (let i = 0; i < 50; i++)
            document.querySelector(i % 2 ? '#one' : '#two').append(window.kept);
    });
    await page.locator('#text').fill('The dog barked.');
    await page.locator('#text').press('Enter');
    await until(
        () => tokens(page),
        now => now.join(' ').includes('dog'),
        'still runs',
    );
    assert.equal(requests.filter(url => url.endsWith('model.safetensors')).length, 1);
});

test('events: ready without and with a model, error with a sentence', async () => {
    const {page} =
        await visit(`<script>window.said=[];for(const n of ['ready','error'])addEventListener('headlight-'+n,e=>said.push([n,e.detail]))</script>
        ${await tag({layer: 0})}<head-light id="bad"><p>kept</p><script type="application/json">{"headlight":1,"tokens":"__proto__"}</script></head-light>
        <head-light id="gone" src="nothing.json"></head-light><head-light id="js" src="javascript:alert(1)"></head-light>`);
    await page.locator('.token').first().waitFor();
    const said = await until(
        () => page.evaluate(() => window.said),
        now => now.length >= 4,
        'the events',
    );
    assert.deepEqual(said.find(([name]) => name === 'ready')[1], {live: false});
    const sentences = said
        .filter(([name]) => name === 'error')
        .map(([, {message}]) => message)
        .sort();
    assert.match(sentences[0], /answered 404/);
    assert.match(sentences[1], /src must be an address of http or https/);
    assert.match(sentences[2], /cannot be read \(.*\); make it anew/);
    assert.ok(await page.getByText('kept').isVisible(), 'what stands inside stays');
    await run(page.locator('head-light').first());
    await until(
        () => page.evaluate(() => window.said),
        now => now.some(([name, detail]) => name === 'ready' && detail.live),
        'live',
    );
});

test('hostile tokens and texts do nothing, in attributes, JSON and figure', async () => {
    const parts = await figure(site.url, {text: HOSTILE, textB: '</script>'});
    parts.figure.tokens[1][0] = HOSTILE;
    const {SNIPPETS} = await import('../../web/save/snippets.js');
    const {page} = await visit(SNIPPETS.element(parts)[0].code);
    await page.locator('.token').first().waitFor();
    assert.equal((await tokens(page))[1], HOSTILE);
    assert.equal(await page.evaluate(() => document.querySelector('head-light').text), HOSTILE);
    assert.deepEqual(await page.evaluate(() => [document.scripts.length, window.pwn]), [
        2,
        undefined,
    ]);
});

test('in a sandbox without an origin, in srcdoc: drawn, and the model runs', async () => {
    const inside = (await tag({text: 'Birds sing.', textB: '', layer: 1})).replace(
        /[&"]/g,
        c => `&#${c.charCodeAt(0)};`,
    );
    const {page} = await visit(
        `<iframe sandbox="allow-scripts" width="700" height="700" srcdoc="${inside}"></iframe>`,
    );
    const frame = page.frameLocator('iframe');
    await frame.locator('.token').first().waitFor();
    await run(frame);
    await frame.locator('.status').getByText('computed in').waitFor();
    await frame.locator('#text').fill('The dog barked.');
    await frame.locator('#text').press('Enter');
    await until(
        () => tokens(frame),
        now => now.join(' ').includes('dog'),
        'a text of one’s own',
    );
});

test('under strict policies: drawn and run, with a worker from text and with none', async () => {
    const origin = site.url.slice(0, -1);
    const policy = worker =>
        `default-src 'none'; script-src ${origin} 'wasm-unsafe-eval'; style-src 'none'; connect-src ${origin}; worker-src ${worker}`;
    for (const worker of ['blob:', "'none'"]) {
        const {page} = await visit(await tag({text: 'Birds sing.', textB: '', layer: 1}), {
            headers: {'content-security-policy': policy(worker)},
        });
        await page.locator('.token').first().waitFor();
        assert.equal(
            await page
                .locator('.columns')
                .evaluate(columns => columns.getBoundingClientRect().height),
            26 * (await tokens(page)).length,
        );
        assert.equal(
            await page
                .locator('.token')
                .first()
                .evaluate(token => getComputedStyle(token).lineHeight),
            '26px',
        );
        await run(page);
        await page.locator('.status').getByText('computed in').waitFor();
        await page.locator('#text').fill('The dog barked.');
        await page.locator('#text').press('Enter');
        await until(
            () => tokens(page),
            now => now.join(' ').includes('dog'),
            worker,
        );
    }
    // the policy has said so of the worker, and of nothing else
    const refused = site.errors.splice(0);
    assert.deepEqual(
        refused.filter(text => !/worker/i.test(text)),
        [],
    );
});

test('without script the picture stands there; in print the figure does, without buttons', async () => {
    const {page: still} = await visit(await tag({layer: 0, heads: [6]}), {
        javaScriptEnabled: false,
        width: 360,
    });
    assert.equal(await still.locator('svg text').filter({hasText: '##berries'}).count(), 2);
    const box = await still.locator('svg').boundingBox();
    assert.ok(box.width <= 360 && box.height > 500, JSON.stringify(box));
    const {page} = await visit(await tag({layer: 0, heads: [6]}));
    await page.locator('.token').first().waitFor();
    await page.emulateMedia({media: 'print'});
    assert.ok(await page.locator('.columns').isVisible());
    assert.ok(!(await page.locator('.main').isVisible()));
});

test('heads and layer without a model; other views by a press', async () => {
    const {page, requests} = await visit(await tag({layer: 0, heads: [6]}));
    await page.getByRole('button', {name: 'Heads and layer'}).click();
    await page.locator('.chip').nth(2).dblclick();
    await until(() => page.locator('#describe').textContent(), /head 2/, 'another head');
    assert.deepEqual(
        await page
            .locator('input[name=layer]')
            .evaluateAll(inputs => inputs.map(({value}) => value)),
        ['0'],
    );
    assert.deepEqual(models(requests), []);
    const other = await visit(await tag({view: 'neuron', text: 'Birds sing.', textB: ''}));
    await other.page.getByRole('button', {name: 'Show the picture (loads 7.5 MB once)'}).click();
    await other.page.locator('.rows-body').first().waitFor();
    await until(
        () => other.page.locator('head-light > svg').isVisible(),
        visible => !visible,
        'the picture gives way',
    );
});

test('language and theme: nearest lang, attribute theme, custom properties', async () => {
    const {page} = await visit(
        `<style>head-light{--headlight-page:rgb(1, 2, 3)}</style><div lang="zh-CN">${await tag({layer: 0, theme: 'dark'})}</div>`,
    );
    await page.locator('.token').first().waitFor();
    assert.match(await page.locator('.bar-row').textContent(), /换成你自己的文本：需下载 7\.5 MB/);
    assert.equal(
        await page.locator('.box').evaluate(box => getComputedStyle(box).backgroundColor),
        'rgb(1, 2, 3)',
    );
    assert.equal(
        await page.locator('.axis.query').evaluate(axis => getComputedStyle(axis).color),
        'rgb(183, 156, 242)',
    );
});

test('on a touch screen the figure speaks of what a finger can do', async () => {
    const page = await site.open({
        hash: 'embed.html#v=3&model=mini-en&layer=0&heads=6&text=Birds%20sing.',
        ready: false,
        ...{width: 390, height: 844, hasTouch: true, isMobile: true},
    });
    await page.locator('.main').first().tap();
    await page.locator('.status').getByText('computed in').waitFor();
    const how = await page.locator('.how').first().textContent();
    assert.match(how, /mask this one/);
    assert.doesNotMatch(how, /click|Point at|Shift/i);
});

test('axe finds nothing in figures, before and after the model', async () => {
    const {page} = await visit(
        `<main><h1>x</h1>${await tag({text: 'Birds sing.', textB: '', layer: 1})}</main>`,
    );
    await page.locator('.token').first().waitFor();
    await nothingForAxe(page, {place: 'main'});
    await run(page);
    await page.locator('.status').getByText('computed in').waitFor();
    await nothingForAxe(page, {place: 'main'});
});

test('compact: the picture and its caption, in the room that was reserved; the buttons where it needs the model', async () => {
    const {page} = await visit(
        await snippet('hugo', site.url, {layer: 0, heads: [6]}).then(code =>
            code.replace(/^.*\n|\n.*$/g, ''),
        ),
    );
    const reserved = await page.locator('head-light > svg').getAttribute('height');
    await page.locator('.token').first().waitFor();
    assert.match(await page.locator('.how').textContent(), /^Attention in L0·H6/);
    assert.equal(await page.locator('.bar-row').count(), 0);
    const {height} = await page.locator('head-light').boundingBox();
    assert.ok(Math.abs(height - reserved) <= 7, `${height} px where ${reserved} were reserved`);
    const {page: other} = await visit(
        (await tag({view: 'neuron'})).replace('<head-light', '$& compact'),
    );
    await other.getByRole('button', {name: /7\.5 MB/}).waitFor();
});

test('a tag of version 3 without text-b has one text; what is odd in it is told once in the console', async () => {
    const {page} = await visit('');
    const warnings = [];
    page.on('console', message => {
        if (message.type() === 'warning') warnings.push(message.text());
    });
    await page.setContent(
        `<script type="module" src="${site.url}element.js"></script>
        <head-light v="3" model="mini-en" text="Birds sing." head="2" layer="-1" class="wide"></head-light>`,
    );
    await run(page);
    await page.locator('.token').first().waitFor();
    assert.deepEqual(
        (await tokens(page)).map(one => one.trim()),
        ['[CLS]', 'birds', 'sing', '.', '[SEP]'],
    );
    await until(
        () => warnings.filter(text => text.startsWith('<head-light>')),
        all => all.length > 0,
        'the warning',
    );
    const [said, ...more] = warnings.filter(text => text.startsWith('<head-light>'));
    assert.match(
        said,
        /no attribute head; heads was perhaps meant.*layer="-1" is not read; a whole number from 0 to 9999 is accepted/,
    );
    assert.deepEqual(more, []);
});

test('a bare tag of version 4 runs a small model when it is seen; when="press", a picture inside and version 3 wait', async () => {
    const bare = more => `<head-light text="Birds sing." ${more}></head-light>`;
    const {page, requests} = await visit(
        `<script type="module" src="${site.url}element.js"></script>
        <div id="press">${bare('v="4" model="mini-en" when="press"')}</div>
        <div id="three">${bare('v="3" model="mini-en"')}</div>
        <div id="large">${bare('v="4" model="minilm-en"')}</div>
        <div id="inside"><head-light v="4" model="mini-en" text="Birds sing."><p>mine</p></head-light></div>`,
    );
    for (const id of ['press', 'three', 'large', 'inside'])
        await page.locator(`#${id} .main`).waitFor();
    await page.waitForTimeout(500);
    assert.equal(await page.locator('.token').count(), 0);
    assert.deepEqual(models(requests), []);
    await page.evaluate(() => {
        const space = '<div style="height:3000px"></div>';
        const tag = '<head-light v="4" model="mini-en" text="Birds sing."></head-light>';
        document.body.insertAdjacentHTML('beforeend', `${space}<div id="bare">${tag}</div>`);
    });
    await page.waitForTimeout(300);
    assert.deepEqual(models(requests), [], 'not before it is seen');
    await page.locator('#bare').scrollIntoViewIfNeeded();
    await page.locator('#bare .token').first().waitFor();
    assert.ok((await tokens(page.locator('#bare'))).some(text => text.includes('sing')));
});

test('the tag of README draws a figure of the site at once, without a model; another text runs it', async () => {
    const [readme] = /<head-light .*?<\/head-light>/.exec(await readFile('README.md', 'utf8'));
    const {page, requests} = await visit(
        `<script type="module" src="${site.url}element.js"></script>${readme}`,
    );
    await page.locator('.token').first().waitFor();
    assert.deepEqual(
        (await tokens(page)).map(one => one.trim()),
        ['[CLS]', 'i', 'went', 'to', 'the', 'store', '.', '[SEP]'],
    );
    await page.getByRole('button', {name: /^Run it on your own text/}).waitFor();
    assert.deepEqual(models(requests), []);
    await page.locator('head-light').evaluate(tag => {
        tag.setAttribute('layer', '3');
    });
    await until(() => page.locator('#describe').textContent(), /L3·H/, 'another layer');
    assert.deepEqual(models(requests), [], 'it has all layers');
    await page.locator('head-light').evaluate(tag => {
        tag.setAttribute('text', 'Birds sing.');
    });
    await page.locator('.column.query .token', {hasText: 'sing'}).waitFor();
    assert.equal(requests.filter(url => url.endsWith('model.safetensors')).length, 1);
});

test('a link inside is for readers without script: the tag draws; when="seen" draws over a picture, and a larger model', async () => {
    const inside = '<a href="https://example.org/">the figure</a>';
    const code = `<head-light v="5" model="mini-en" text="Birds sing.">${inside}</head-light>`;
    const {page} = await visit(
        `<script type="module" src="${site.url}element.js"></script><div id="link">${code}</div>
        <div id="picture">${code.replace(inside, '<img alt="mine">')}</div>
        <div id="seen">${code.replace('mini-en', 'minilm-en" when="seen').replace(inside, '<img alt="mine">')}</div>`,
    );
    for (const id of ['link', 'seen']) await page.locator(`#${id} .token`).first().waitFor();
    assert.ok(!(await page.getByText('the figure').isVisible()));
    assert.equal(await page.locator('#picture .token').count(), 0);
    assert.ok(await page.locator('#picture img').isVisible());
    const without = await visit(code, {javaScriptEnabled: false});
    assert.ok(await without.page.getByText('the figure').isVisible());
});

test('it is light or dark as the page around it: color-scheme, data-theme, changed while it stands', async () => {
    const {page} = await visit(await tag({layer: 0, heads: [6]}), {colorScheme: 'light'});
    await page.locator('.token').first().waitFor();
    const ink = () =>
        page
            .locator('.token')
            .first()
            .evaluate(one => getComputedStyle(one).color);
    const [LIGHT, DARK] = ['rgb(29, 31, 36)', 'rgb(230, 231, 234)'];
    const becomes = (code, colour) =>
        page.evaluate(code).then(() => until(ink, one => one === colour, code));
    assert.equal(await ink(), LIGHT);
    await becomes('document.documentElement.style.colorScheme = "dark"', DARK);
    await becomes('document.documentElement.dataset.theme = "light"', LIGHT);
    await becomes('document.body.dataset.theme = "dark"', DARK);
    await becomes('document.body.dataset.theme = "auto"', DARK);
    await becomes('document.documentElement.style.colorScheme = "light dark"', LIGHT);
    await page.emulateMedia({colorScheme: 'dark'});
    await until(ink, one => one === DARK, 'the browser’s, where the page leaves it open');
    await run(page); // also with the model
    await page.locator('.live .token').first().waitFor();
    await page.emulateMedia({colorScheme: 'light'});
    await until(ink, one => one === LIGHT, 'the browser’s');
    await becomes('document.documentElement.style.colorScheme = "dark"', DARK);
});

test('after "Run it on your own text" the box for it is in the window and has the focus, also once the model is there', async () => {
    for (const viewport of [
        {width: 900, height: 640},
        {width: 390, height: 640},
    ]) {
        const space = '<div style="height:900px"></div>';
        const {page} = await visit(`${space}${await tag({layer: 2, heads: [0]})}${space}`, {
            ...viewport,
        });
        await page.getByRole('button', {name: /^Run it on your own text/}).click();
        const box = page.locator('textarea').first();
        for (const when of ['at once', 'with the model']) {
            if (when === 'with the model')
                await page.locator('.status', {hasText: 'computed in'}).waitFor();
            await until(
                () =>
                    box.evaluate(text => {
                        const {top, bottom} = text.getBoundingClientRect();
                        const focused = text.getRootNode().activeElement === text;
                        return [focused, top >= 0 && bottom <= innerHeight];
                    }),
                ([focused, inside]) => focused && inside,
                `${when}, ${viewport.width} px`,
            );
        }
        await page.keyboard.press('Control+A');
        await page.keyboard.type('Birds sing.');
        await page.keyboard.press('Enter');
        await page.locator('.column.query .token', {hasText: 'sing'}).waitFor();
        await page.context().close();
    }
});

test('beside: one figure before the model, two with it, linked', async () => {
    const {page} = await visit(await tag({layer: 2, heads: [3], beside: 'layer=4&heads=1'}));
    assert.equal(await page.locator('.head-view').count(), 1);
    await run(page);
    await page.locator('.beside section + section .head-view').waitFor();
    await until(
        () => page.locator('.beside .two h2[data-letter]').allTextContents(),
        captions => captions.join() === 'L2·H3,L4·H1',
        'what each is, once the words are there',
    );
    await page.locator('.beside .second-bar').waitFor(); // it moves both down
    const boxes = await Promise.all(
        [0, 1].map(i => page.locator('.beside .head-view').nth(i).boundingBox()),
    );
    assert.equal(boxes[0].y, boxes[1].y);
    await page.locator('.beside section').first().locator('.token').nth(2).hover();
    await until(
        () => page.locator('.beside .mark.query').count(),
        2,
        'the token pointed at, in both',
    );
    // In a narrow window too: nothing of a figure lies over the page that it stands in.
    await page.setViewportSize({width: 390, height: 800});
    await page.locator('.beside section').first().locator('.token').nth(2).click();
    await page.locator('.beside .panel').nth(1).waitFor();
    assert.deepEqual(
        await page
            .locator('.how, .panel')
            .evaluateAll(parts => [...new Set(parts.map(part => getComputedStyle(part).position))]),
        ['static'],
    );
});

test('what heads move: the tag draws it once the model has run, and says so', async () => {
    const {page} = await visit(await tag({layer: 2, heads: [1], show: 'moved'}));
    const caption = () =>
        page
            .locator('.figure-caption')
            .textContent({timeout: 1000})
            .catch(() => '');
    await run(page.locator('head-light'));
    assert.match(await until(caption, /what is moved/, 'the caption'), /^L2·H1, what is moved/);
});

const inLesson = page => page.frameLocator('head-light iframe');
const stepOf = page => inLesson(page).locator('.lesson').getAttribute('data-step');
const lessonTag = (attributes, inside = '') =>
    `<script type="module" src="${site.url}element.js"></script><head-light v="4" ${attributes}>${inside}</head-light>`;

test('a lesson: its steps, an answer and the worksheet as in the page, in a frame as tall as it is', async () => {
    const {page} = await visit(lessonTag('lesson="attention" step="1"', '<a href="x">a link</a>'));
    const frame = inLesson(page);
    const token = name => frame.locator('.pick-tokens').getByRole('button', {name, exact: true});
    await token('sad').click();
    await frame.getByText(/sad gets <?0\.\d\d\. Most goes to was: 0\.[6-9]\d\./).waitFor();
    assert.ok(!(await page.getByText('a link').isVisible()), 'what is there without script');
    for (const hidden of ['.top', '.rail', '.tools', 'footer'])
        assert.ok(!(await frame.locator(hidden).first().isVisible()), hidden);
    assert.equal(await frame.getByRole('button', {name: 'End the lesson'}).count(), 0);
    const box = await page.locator('head-light iframe').boundingBox();
    const whole = await frame.locator('#app').evaluate(app => app.scrollHeight);
    assert.ok(box.height >= Math.min(1000, whole), `${box.height} px for ${whole}`);
    await frame.locator('.patterns button').last().click();
    const [file] = await Promise.all([
        page.waitForEvent('download'),
        frame.getByRole('button', {name: 'CSV', exact: true}).click(),
    ]);
    assert.match(await readFile(await file.path(), 'utf8'), /^\ufeff.*\r\n(?:.*\r\n)*.*sad,/);
    assert.ok(await frame.locator('.turn').getByRole('button', {name: 'Next'}).isDisabled());
    assert.match(
        await frame.locator('.place a').evaluate(link => link.href),
        /^http:[^?#]*\/#v=5&tour=5&lesson=attention&lang=en$/,
    );
});

test('attributes choose lesson, step, theme and language; one that is not there is refused with those that are', async () => {
    const {page} = await visit(lessonTag('lesson="causal" theme="dark" lang="zh-CN"'), {
        width: 390,
    });
    const warnings = [];
    page.on('console', message => warnings.push(message.text()));
    const frame = inLesson(page);
    await until(() => stepOf(page), 'causal.0', 'the lesson');
    assert.match(await page.locator('head-light iframe').getAttribute('title'), /只能往回看的模型/);
    assert.equal(await frame.locator('html[data-theme=dark]:lang(zh)').count(), 1);
    await until(
        () =>
            Promise.all(
                ['.lesson', '.figure'].map(part => frame.locator(part).first().boundingBox()),
            ),
        // neither is there while the frame is drawn anew
        ([lesson, stage]) => lesson && stage && lesson.y + lesson.height <= stage.y,
        'on a phone the lesson stands above its figure',
    );
    assert.ok(await frame.locator('html').evaluate(html => html.scrollWidth <= innerWidth));
    await page.evaluate(() => {
        const tag = document.querySelector('head-light');
        for (const [name, value] of [
            ['lesson', 'vig1'],
            ['step', '3'],
            ['theme', 'light'],
        ])
            tag.setAttribute(name, value);
    });
    await until(() => stepOf(page), 'vig1.3', 'another lesson');
    await frame.locator('html[data-theme=light]').waitFor();
    await nothingForAxe(page, {place: 'head-light'});
    await page.evaluate(() => document.querySelector('head-light').setAttribute('lesson', 'vig9'));
    await page.locator('head-light iframe').waitFor({state: 'detached'});
    await page.evaluate(() => {
        const tag = document.querySelector('head-light');
        tag.replaceWith(tag.cloneNode(true));
    });
    await until(
        () => warnings.join(),
        /lesson="vig9" is not read; attention, .*heads is accepted/,
        'the warning',
    );
    assert.equal(await page.locator('head-light iframe').count(), 0);
});
