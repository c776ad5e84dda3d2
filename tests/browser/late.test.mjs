/* What comes late in Chromium: the model's answers and a lesson's files are held up, and what the reader has
 * chosen in between stays. And the way back, which each text that was shown is a step of.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pieces, show, until, useSite} from './page.mjs';

const site = useSite();
const address = page => new URLSearchParams(new URL(page.url()).hash.slice(1));
const isIn = (page, name, wanted) =>
    until(() => address(page).get(name), wanted, `${name} in the link`);
const tab = (page, view) => page.locator(`.views input[value=${view}]`);
const chip = (page, name) =>
    page.locator('.example-chips').getByRole('button', {name, exact: true});
/** Until nothing is on its way. */
const settled = page =>
    until(
        () => page.evaluate(() => document.querySelector('.figure')?.ariaBusy),
        busy => busy !== 'true',
        'the figure',
    );

/** A page whose answers of the worker wait until `go` is called. @param {string} hash */
async function held(hash) {
    const page = await site.open({blank: true});
    await page.addInitScript(() => {
        const waiting = [];
        window.hold = false;
        window.go = () => {
            window.hold = false;
            for (const send of waiting.splice(0)) send();
        };
        window.Worker = class extends Worker {
            postMessage(...given) {
                if (window.hold) waiting.push(() => super.postMessage(...given));
                else super.postMessage(...given);
            }
        };
    });
    await page.goto(site.url + hash);
    await page.waitForSelector('.below', {state: 'attached'});
    return {
        page,
        hold: () => page.evaluate(() => void (window.hold = true)),
        go: () => page.evaluate(() => window.go()),
    };
}

/** Holds a script of a page back until `go` is called; isAsked: once the page wants it. */
async function holdScript(page, pattern) {
    let go;
    const kept = new Promise(done => {
        go = done;
    });
    let asked;
    const isAsked = new Promise(done => {
        asked = done;
    });
    await page.route(pattern, async route => {
        asked();
        await kept;
        await route.continue();
    });
    return {go, isAsked};
}

/** A page with a lesson that has been pressed, whose steps do not come until `go` is called. */
async function lessonHeld() {
    const page = await site.open({hash: '#v=5&model=mini4-en&lang=en', own: true});
    const {go, isAsked} = await holdScript(page, /\/inside-\w+\.js$/);
    await page.getByRole('button', {name: 'Lessons', exact: true}).click();
    await page.locator('.offer-panel').getByRole('button', {name: 'How a head does it'}).click();
    await isAsked;
    return {page, go};
}

test('while a lesson is on its way: the corpus, another view, another head, an own text stay', async () => {
    const list = [
        [page => page.locator('input[name=desk][value=corpus]').check(), 'desk', 'corpus'],
        [page => tab(page, 'heatmap').check(), 'view', 'heatmap'],
        [page => page.locator('.chip').nth(3).click(), 'heads', null],
        [page => show(page, 'Birds sing.', ''), 'text', 'Birds sing.'],
    ];
    for (const [choose, field, value] of list) {
        const {page, go} = await lessonHeld();
        await choose(page);
        const wanted = value ?? (await until(() => address(page).get(field), Boolean, field));
        await isIn(page, field, wanted);
        go();
        // the rest of what the step sets
        await isIn(page, ...(field === 'text' ? ['view', 'neuron'] : ['token', '1']));
        assert.equal(address(page).get(field), wanted);
    }
});

test('while a view that begins somewhere is on its way, an example is pressed: that is shown', async () => {
    const {page, hold, go} = await held(
        '#v=5&model=mini4-en&lang=en&text=Birds sing.&picked=1&token=1',
    );
    await chip(page, 'it → cat').waitFor();
    await hold();
    await tab(page, 'find').check();
    await chip(page, 'it → cat').click();
    await go();
    await until(
        () => pieces(page),
        now => now[6] === 'it',
        'the example',
    );
    await settled(page);
    await until(() => tab(page, 'head').isChecked(), true, 'the view of the example');
});

test('a tab whose script comes late leaves the example that was pressed since', async () => {
    const page = await site.open({
        hash: '#v=5&model=mini4-en&lang=en&text=Birds sing.&picked=1&token=1',
        own: true,
    });
    const {go, isAsked} = await holdScript(page, /\/enter-\w+-?\w*\.js/);
    await tab(page, 'find').check();
    await isAsked;
    await chip(page, 'it → cat').click();
    await until(
        () => pieces(page),
        now => now[6] === 'it',
        'the example',
    );
    const entered = page.waitForResponse(/\/enter-/);
    go();
    await entered;
    await until(() => tab(page, 'head').isChecked(), true, 'the view of the example');
    await settled(page);
    assert.equal(address(page).get('view') ?? 'head', 'head');
});

test('an answer that is pressed before its numbers are there counts once they are', async () => {
    const {page, hold, go} = await held('#v=5&lang=en&lesson=attention&tour=0');
    await page.locator('.seen-number[data-value]').waitFor();
    await hold();
    await page.getByRole('button', {name: 'Next', exact: true}).click();
    await page.locator('.pick-tokens').getByRole('button', {name: 'was', exact: true}).click();
    await go();
    await page.getByText(/^Right: /).waitFor();
    await isIn(page, 'picked', '2');
});

test('What changes gives the head back as well as the word', async () => {
    const page = await site.open({hash: '#v=5&model=mini-en&layer=3&heads=5'});
    const {text} = Object.fromEntries(address(page));
    await tab(page, 'change').check();
    await until(
        () => address(page),
        now => now.has('masked') && now.get('layer') + now.get('heads') !== '35',
        'another head',
    );
    await tab(page, 'head').check();
    await isIn(page, 'masked', null);
    await isIn(page, 'layer', '3');
    await isIn(page, 'heads', '5');
    assert.equal(address(page).get('text') ?? undefined, text);
});

test('each text that was typed and shown is a step of the way back', async () => {
    const page = await site.open({hash: '#v=5&model=mini-en&lang=en'});
    const isShown = text =>
        until(
            async () => [await page.inputValue('#text'), (await pieces(page)).join(' ')],
            ([typed, shown]) => typed === text && shown.includes(text.toLowerCase().slice(0, 5)),
            text,
        );
    const first = await page.inputValue('#text');
    for (const text of ['Birds sing.', 'Snow falls.', 'Trees grow.']) {
        await show(page, text, '');
        await isShown(text);
    }
    await page.locator('.column.query .token').nth(1).click();
    await isIn(page, 'picked', '1');
    for (const text of ['Snow falls.', 'Birds sing.', first]) {
        await page.goBack();
        await isShown(text);
    }
    for (const text of ['Birds sing.', 'Snow falls.', 'Trees grow.']) {
        await page.goForward();
        await isShown(text);
    }
    await isIn(page, 'picked', '1');
});

test('the way back leads out of a lesson, whose step has come late', async () => {
    const {page, go} = await lessonHeld();
    await isIn(page, 'lesson', 'inside');
    go();
    await isIn(page, 'view', 'neuron');
    await page.goBack();
    await page.locator('.lesson').waitFor({state: 'detached'});
    await settled(page);
    assert.equal(await tab(page, 'head').isChecked(), true);
});
