/* The first minute in Chromium: a finished figure before the model is there, which the model's own
 * replaces without a jump; the page without scripts, narrow, enlarged fourfold, in forced colours
 * and with reduced motion. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {pieces, shownHeads, useSite, until} from './page.mjs';

const site = useSite();

/** A page whose weights come when `go` is called; counts how often they are asked for. */
async function waiting(hash = '', options = {}) {
    const page = await site.open({blank: true, ...options});
    const held = {count: 0, go: () => {}};
    const gate = new Promise(done => {
        held.go = done;
    });
    await page.context().route('**/model.safetensors', async route => {
        held.count++;
        await gate;
        await route.continue().catch(() => {}); // given up meanwhile
    });
    await page.goto(site.url + hash);
    return {page, held};
}
const panel = page => page.locator('.panel').textContent();
const said = page => page.locator('.status').textContent();

test('before the model the figure is there, can be used, and stays where it is when the model comes', async () => {
    const {page, held} = await waiting();
    await page.waitForSelector('.token');
    await until(
        () => said(page),
        /computed in advance\. Loading the model: /,
        'said as soon as the worker asks for the model',
    );
    assert.equal(
        await page.locator('.below').count(),
        0,
        'no table and no files of rounded numbers',
    );
    const offered = () => page.locator('.tools .side-by-side, .tools .export').count();
    assert.equal(await offered(), 0, 'nothing is saved, nor stands beside, before the model');
    await page.hover('.column.query [data-index="1"]');
    await until(() => panel(page), /the looks at.*animal0\.[4-9]\d/, 'numbers');
    await page.click('.column.query [data-index="3"]');
    await until(
        () => panel(page),
        /^×didn looks at/,
        'the pinned token, not the one that was pointed at before',
    );
    const early = await panel(page);
    const place = () => page.locator('.column.query').boundingBox();
    const before = await place();
    await until(
        () => held.count,
        count => count > 0,
        'the weights are asked for',
    );
    await page.locator('input[name=layer]').nth(3).check(); // has to wait
    await page.locator('input[name=layer]').nth(2).check(); // the one that a visit begins with
    assert.equal(held.count, 1, 'what is pressed meanwhile does not begin the download anew');
    held.go();
    await page.waitForSelector('.below');
    assert.deepEqual(await place(), before, 'nothing has moved');
    await until(offered, 2, 'both menus');
    assert.match(await said(page), /16 tokens, computed in/);
    const title = await page.locator('.panel h2').textContent();
    assert.ok(early.startsWith(`×${title}`), 'the pinned token is still pinned');
    const rowsOf = text =>
        [...text.matchAll(/([a-z#]+)>?(\d\.\d\d)/g)].map(([, piece, number]) => [
            piece,
            Number(number),
        ]);
    const late = new Map(rowsOf(await panel(page)));
    assert.ok(rowsOf(early).length > 0);
    for (const [piece, number] of rowsOf(early))
        assert.ok(
            Math.abs(number - late.get(piece)) < 0.011,
            `${piece}: ${number} for ${late.get(piece)}`,
        );
});

test('a visit begins with the head that answers, a link with all; a view of one head keeps it', async () => {
    const menu = await (await fetch(`${site.url}models/index.json`)).json();
    const {layer, heads} = menu[0].begin;
    assert.equal(heads.length, 1);
    const visit = await site.open({hash: ''});
    assert.deepEqual(await shownHeads(visit), heads.map(String));
    await visit
        .locator('input[name=layer]')
        .nth(layer + 1)
        .check();
    await until(
        () => visit.url(),
        now => now.includes(`layer=${layer + 1}`) && now.includes(`heads=${heads.join('%2C')}`),
        'the link names them',
    );
    await visit.locator('.views input[value="neuron"]').check();
    await until(() => visit.url(), /view=neuron.*heads=\d+(&|$)/, 'one head, in the link');
    await visit.locator('.deciders').waitFor();
    const one = visit.url();
    await visit.locator('.views input[value="head"]').check();
    await visit.locator('.views input[value="steps"]').check();
    await visit.locator('.steps-view').waitFor();
    assert.deepEqual(
        /layer=\d+/.exec(visit.url())?.[0],
        /layer=\d+/.exec(one)?.[0],
        'one head is chosen: it stays',
    );
    const link = await site.open({hash: `#v=5&model=${menu[0].id}`});
    assert.equal((await shownHeads(link)).length, 12);
});

test('a layer or a text that is asked for early comes with the model', async () => {
    const {page, held} = await waiting();
    await page.waitForSelector('.token');
    await page.locator('input[name=layer]').nth(3).check();
    await page.fill('#text', 'Cats sleep.');
    await page.press('#text', 'Enter');
    assert.equal((await pieces(page)).length, 16, 'until then the figure stays');
    held.go();
    await until(
        () => pieces(page),
        now => now.includes('cats'),
        'the text',
    );
    assert.equal(held.count, 1);
});

test('of another text, view, change or model there is no figure beforehand', async () => {
    for (const hash of [
        '#v=5&text=Hello',
        '#v=5&textB=Hello',
        '#v=5&masked=3',
        '#v=5&view=model',
        '#v=5&off=0.1',
        '#v=5&model=other',
        '#v=5&tour=0',
    ]) {
        const {page, held} = await waiting(hash);
        await page.waitForSelector(
            hash === '#v=5&model=other' ? '[role=alert]' : '[role=progressbar]',
        );
        assert.equal(await page.locator('.token').count(), 0, hash);
        held.go();
        await page.context().close();
    }
});

test('a model that does not come is said beside the figure, which stays', async () => {
    const page = await site.open({blank: true});
    await page.context().route('**/models/mini4-en/*', route => route.abort());
    await page.goto(site.url);
    await page.locator('[role=alert]').waitFor();
    assert.equal((await pieces(page)).length, 16);
    assert.equal(await said(page), 'This figure was computed in advance.');
});

test('without scripts the page is a picture with its sentence', async () => {
    for (const [colorScheme, file] of [
        ['light', 'first-light.svg'],
        ['dark', 'first-dark.svg'],
    ]) {
        const page = await site.open({ready: false, javaScriptEnabled: false, colorScheme});
        const image = page.locator('img');
        assert.ok((await image.evaluate(element => element.currentSrc)).endsWith(file));
        assert.ok(
            await image.evaluate(element => element.complete && element.naturalWidth === 640),
        );
        assert.match(
            await image.getAttribute('alt'),
            /16 tokens\. Strongest link: \S+ looks at \S+, head \d/,
        );
        assert.match(await page.locator('.still').textContent(), /JavaScript and WebAssembly/);
    }
});

const sizes = page => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);

test('where the scripts cannot be had, the page says why', async () => {
    const page = await site.open({blank: true});
    await page.context().route('**/main.js*', route => route.abort());
    await page.goto(site.url);
    assert.equal(await page.locator('.late').isVisible(), false, 'not at once');
    await until(() => page.locator('.late').isVisible(), Boolean, 'after some seconds');
});

test('where the script that stands in the page does not run, the page comes all the same', async () => {
    const page = await site.open({blank: true});
    await page.route(site.url, async route => {
        const answer = await route.fetch();
        const html = await answer.text();
        const without = html.replace(/<script type="module" async>[^]*?<\/script>/, '');
        assert.ok(without.length < html.length);
        await route.fulfill({response: answer, body: without});
    });
    await page.goto(site.url);
    await page.waitForSelector('.below');
});

test('little is asked for before the model: the worker does not wait for the page, nor the page for a row of scripts', async () => {
    const page = await site.open({blank: true});
    const scripts = [];
    let before = ''; // what had been asked for when the weights were; nothing is drawn until then
    page.on('request', request => {
        const path = new URL(request.url()).pathname.slice(1);
        if (path.endsWith('.js')) scripts.push(path);
        if (path.endsWith('model.safetensors')) before ||= scripts.join(' ');
    });
    const weights = page.waitForRequest('**/model.safetensors');
    await page.context().route('**/page-*.js', async route => {
        await weights;
        await route.continue();
    });
    await page.goto(site.url, {waitUntil: 'commit'});
    await page.waitForSelector('.below');
    assert.ok(before.includes('worker.js') && before.split(' ').length <= 8, before);
});

test('the words are asked for before the page’s script is there, and only in the language that is read', async () => {
    const html = await readFile('build/out/site/index.html', 'utf8');
    const words = [...html.matchAll(/<link rel="words" hreflang="(\w+)" href="\.(\/[^"]+)">/g)];
    const cases = [
        {locale: 'en-GB', code: 'en'},
        {locale: 'zh-CN', code: 'zh'},
        {locale: 'fr-FR', code: 'en'},
        {locale: 'en-GB', hash: '#v=2&lang=zh', code: 'zh'},
    ];
    for (const {locale, hash = '', code} of cases) {
        const page = await site.open({blank: true, locale});
        const asked = new Set();
        page.on('request', request => asked.add(new URL(request.url()).pathname));
        const own = words.filter(([, of]) => of === code).map(([, , path]) => path);
        const first = Promise.all(own.map(path => page.waitForRequest(`**${path}`)));
        await page.route('**/main.js*', async route => {
            await first;
            await route.continue();
        });
        await page.goto(site.url + hash, {waitUntil: 'commit'});
        await page.waitForSelector('.token');
        assert.ok(own.length, code);
        const others = words.filter(([, of, path]) => of !== code && asked.has(path));
        assert.deepEqual(others, [], `${locale} ${hash}`);
        await page.context().close();
    }
});

test('on a phone nothing moves while all of it comes', async () => {
    const {page, held} = await waiting('', {width: 412, height: 823});
    await page.waitForSelector('.token');
    held.go();
    await page.waitForSelector('.below');
    const moved = await page.evaluate(
        () =>
            new Promise(done => {
                new PerformanceObserver((list, observer) => {
                    observer.disconnect();
                    done(list.getEntries().reduce((sum, {value}) => sum + value, 0));
                }).observe({type: 'layout-shift', buffered: true});
                setTimeout(() => done(0), 500);
            }),
    );
    assert.ok(moved < 0.01, `layout shift ${moved}`);
});

test('at 320 px, which is 1280 px enlarged fourfold, nothing is cut off and all can be reached', async () => {
    const page = await site.open({width: 320, height: 256});
    for (const id of [
        'head',
        'heatmap',
        'model',
        'neuron',
        'steps',
        'find',
        'why',
        'decides',
        'change',
    ]) {
        await page.locator(`.views input[value="${id}"]`).check();
        await page.locator('.figure').waitFor();
        const [wide, seen] = await sizes(page);
        assert.ok(wide <= seen, `${id}: ${wide} of ${seen} px`);
        assert.equal(
            await page.evaluate(
                () =>
                    getComputedStyle(document.querySelector('.rail')).position === 'sticky' &&
                    document.querySelector('.rail').offsetHeight > innerHeight / 2,
            ),
            false,
            `${id}: the controls do not cover the figure`,
        );
    }
});

test('text enlarged twofold by its own stays whole', async () => {
    const page = await site.open();
    await page.evaluate(() => {
        document.documentElement.style.fontSize = '32px';
    });
    const [wide, seen] = await sizes(page);
    assert.ok(wide <= seen, `${wide} of ${seen} px`);
});

test('in forced colours what is chosen can be told, and the lines keep their colours', async () => {
    const page = await site.open({forcedColors: 'active'});
    const styles = selector =>
        page
            .locator(selector)
            .first()
            .evaluate(element => {
                const {backgroundColor, borderColor, color} = getComputedStyle(element);
                return `${backgroundColor} ${borderColor} ${color}`;
            });
    for (const name of ['layer', 'view', 'filter', 'mix']) {
        assert.notEqual(
            await styles(`input[name=${name}]:checked + span`),
            await styles(`input[name=${name}]:not(:checked) + span`),
            name,
        );
    }
    await page.locator('.chip').nth(2).click();
    assert.notEqual(
        await styles('.chip[aria-pressed=false]'),
        await styles('.chip[aria-pressed=true]'),
    );
    assert.equal(
        await page
            .locator('.canvas')
            .first()
            .evaluate(element => getComputedStyle(element).forcedColorAdjust),
        'none',
    );
});

/** How long the lines of the first picture take to grow, as the page has it. */
const growing = page =>
    page
        .locator('.figure canvas')
        .first()
        .evaluate(canvas => {
            const {animationName, animationDuration} = getComputedStyle(canvas);
            return animationName === 'none' ? 0 : 1000 * parseFloat(animationDuration);
        });

test('with reduced motion nothing moves by itself; else the first lines grow for 0.4 s at most', async () => {
    const still = await site.open({hash: '', reducedMotion: 'reduce'});
    await still.waitForSelector('.token');
    assert.equal(await growing(still), 0);
    const lively = await site.open({hash: '', reducedMotion: 'no-preference'});
    await lively.waitForSelector('.token');
    const took = await growing(lively);
    assert.ok(took > 0 && took <= 400, `${took} ms`);
    const page = await site.open({reducedMotion: 'reduce'});
    for (const id of ['head', 'model', 'steps', 'change']) {
        await page.locator(`.views input[value="${id}"]`).check();
        await page.locator('.figure').waitFor();
        const moving = await page.evaluate(
            () =>
                document
                    .getAnimations()
                    .filter(({effect}) => effect.getComputedTiming().duration > 1).length,
        );
        assert.equal(moving, 0, id);
    }
    assert.equal(
        await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior),
        'auto',
    );
});

test('nothing is amiss for axe, before the model and in the picture', async () => {
    const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
    for (const options of [{}, {width: 320, height: 800}]) {
        const {page, held} = await waiting('', options);
        await page.waitForSelector('.token');
        await nothingForAxe(page, {rules});
        held.go();
        await page.context().close();
    }
});

const asked = page => page.locator('.lede').textContent();
/** Every word with its weight, as the answer says them. */
const weightsIn = text =>
    [...text.matchAll(/(\w+) (0\.\d\d)/g)].map(([, word, weight]) => [word, weight]);
/** What the panel says of the pinned word. */
const inPanel = async (page, word) =>
    new RegExp(`${word}(\\d\\.\\d\\d)`).exec(await panel(page))?.[1];

test('a visit asks one question and answers it with the numbers of the picture; the other word, back, another head', async () => {
    const page = await site.open({hash: ''});
    assert.equal(await page.locator('h1').textContent(), 'What does it mean?');
    const [[meant, most], [other]] = weightsIn(await asked(page));
    assert.deepEqual([meant, other], ['animal', 'street']);
    await until(() => inPanel(page, meant), most, 'the number of the panel');
    const answers = await page.evaluateHandle(() => {
        const seen = [];
        new MutationObserver(() =>
            seen.push(document.querySelector('.lede')?.textContent ?? ''),
        ).observe(document.querySelector('.intro') ?? document.body, {
            subtree: true,
            childList: true,
            characterData: true,
        });
        return seen;
    });
    await page.getByRole('button', {name: '“wide” instead of “tired”'}).click();
    const swapped = await until(
        () => asked(page),
        now => weightsIn(now).length === 4,
        'both answers',
    );
    for (const text of await answers.jsonValue())
        if (weightsIn(text).length === 4) assert.equal(text, swapped, 'no answer of the old text');
    assert.equal(weightsIn(swapped)[0][1], most, 'the first one stays');
    const [, , [again, weight]] = weightsIn(swapped);
    await until(() => inPanel(page, again), weight, 'the number of the panel');
    assert.match(swapped, again === meant ? /this head does not/ : /turns with the meaning/);
    assert.match(await page.locator('#text').inputValue(), /too wide\.$/);
    await page.getByRole('button', {name: '“wide” instead of “tired”'}).click();
    await until(
        () => asked(page),
        now => weightsIn(now).length === 2,
        'as it was',
    );
    await page.locator('.chip').nth(5).click();
    await page.locator('.lede').getByRole('button').click();
    await until(
        () => asked(page),
        now => weightsIn(now).length === 2,
        'the head again',
    );
    const before = await page.locator('.texts').boundingBox();
    await page.locator('.views input[value="model"]').check();
    await until(() => page.locator('h1').textContent(), /BERT/, 'no question');
    assert.deepEqual(await page.locator('.texts').boundingBox(), before, 'the text stays');
});

test('what this is stands in sight with the way into the first lesson; nothing moves with the other word', async () => {
    for (const width of [1280, 390, 320]) {
        const page = await site.open({hash: '', width, height: 800});
        const about = page.locator('.about');
        await until(
            () => about.textContent(),
            /^A small language model in this page, on your device/,
            'about',
        );
        const bottom = async () => (await page.locator('.figure').boundingBox()).y;
        const before = await bottom();
        await page.getByRole('button', {name: '“wide” instead of “tired”'}).click();
        await until(() => about.count(), 0, 'the answer has its place');
        assert.equal(await bottom(), before, `${width} px`);
        await page.getByRole('button', {name: 'Switch this head off'}).click();
        await until(() => page.locator('.lede').textContent(), /; without L2·H1 /, 'of that text');
        assert.equal(await bottom(), before, `${width} px, both pressed`);
        await page.getByRole('button', {name: 'Switch this head off'}).click();
        await page.getByRole('button', {name: '“wide” instead of “tired”'}).click();
        await about.getByRole('button', {name: 'New here? Ten minutes'}).click();
        await until(() => page.url(), /lesson=attention/, 'the first lesson');
    }
});

test('the role of the head is what the studies say of it, and the claims are theirs', async () => {
    const menu = await (await fetch(`${site.url}models/index.json`)).json();
    const {role, coref, claims} = menu[0].begin;
    const page = await site.open({hash: ''});
    const said = await until(() => page.locator('.role').textContent(), Boolean, 'the role');
    assert.ok(said.includes(`${Math.round(100 * role.share)} % of words`), said);
    assert.ok(said.includes(`${Math.round(100 * coref.share)} % of ${coref.items}`), said);
    await page.getByRole('button', {name: 'Published claims'}).click();
    const summary = await until(
        () => page.locator('.study-stage').textContent(),
        /published claims: .* not found here \d+/,
        'the study',
    );
    assert.ok(summary.includes(`${claims.all} published claims: `));
    assert.ok(summary.includes(` not found here ${claims.missing}`));
    assert.match(page.url(), /desk=corpus.*study=claims/);
});

test('the presses and the ways on lead where they say', async () => {
    const page = await site.open({hash: ''});
    const home = async () => {
        await page.goto('about:blank');
        await page.goto(site.url);
        await page.waitForSelector('.below', {state: 'attached'});
        await page.locator('.entrance').first().waitFor();
    };
    const address = (part, what) =>
        until(
            () => page.url(),
            now => part.test(now),
            what,
        );
    const press = name => page.getByRole('button', {name}).click();
    await home();
    assert.ok(
        await page
            .locator('.entrance img')
            .evaluateAll(images => images.length === 6 && images.every(image => image.width > 100)),
    );
    await page.locator('.entrance img').last().scrollIntoViewIfNeeded();
    await until(
        () =>
            page
                .locator('.entrance img')
                .evaluateAll(images => images.every(({naturalWidth}) => naturalWidth === 168)),
        Boolean,
        'the pictures are there',
    );
    await press('Switch this head off');
    const lede = page.locator('.lede');
    const told =
        /masked the model expects \w+ \d+\.\d %; without L2·H1 \w+ \d+\.\d %\. (The same|Another) word/;
    await until(() => lede.textContent(), told, 'with and without the head');
    await lede.getByRole('button', {name: 'What changes'}).click();
    await address(/view=change.*off=2\.1/, 'what changes');
    await home();
    await press('All heads');
    await address(/view=model/, 'all heads');
    await home();
    await press('Six patterns Next word');
    await page.locator('.lesson').first().waitFor();
    await home();
    await press('Find a head');
    await address(/view=find.*from=10.*to=2/, 'from it to animal');
    await home();
    await press('Step by step');
    await address(/view=steps/, 'step by step');
    await home();
    await press('Your own text');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
    assert.equal(await page.evaluate(() => getSelection().toString().length > 20), true);
    await press('Your own model');
    assert.equal(await page.locator('.more-models').evaluate(menu => menu.open), true);
});

test('the header is one row at 1280 px; in Chinese and dark nothing is amiss', async () => {
    for (const locale of ['en-GB', 'zh-CN']) {
        const page = await site.open({hash: '', locale, colorScheme: 'dark', width: 1280});
        assert.equal(await page.locator('.top').evaluate(({offsetHeight}) => offsetHeight), 48);
        await page.locator('.entrance').first().waitFor();
        await nothingForAxe(page, {rules: ['wcag2a', 'wcag2aa', 'wcag22aa', 'best-practice']});
        await page.context().close();
    }
});

test('on a phone the answer and the picture are in sight, and a link with a pinned token opens at its top', async () => {
    const phone = {width: 390, height: 844, hasTouch: true, isMobile: true};
    const page = await site.open({hash: '', ...phone});
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.match(await asked(page), /animal 0\.\d\d/);
    assert.equal(await page.locator('.panel').isVisible(), false, 'no sheet over the picture');
    const it = page.locator('.column.query [data-index="10"]');
    await it.tap();
    await page.locator('.panel').waitFor({state: 'visible'});
    assert.match(await page.locator('.panel h2').textContent(), /^×?it/);
    await it.tap();
    await page.locator('.panel').waitFor({state: 'detached'});
    await page.locator('.column.query [data-index="1"]').tap();
    await page.locator('.panel').waitFor({state: 'visible'});
    const link = await site.open({hash: '#v=2&layer=2&heads=3&picked=9&token=9', ...phone});
    await link.locator('.panel').waitFor();
    assert.equal(await link.evaluate(() => scrollY), 0);
});
