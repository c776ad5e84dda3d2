/* The site under a sub-path in the browser that BROWSER names: what a reader sees and does, from
 * the first figure to its files. The numbers are compared with those of the engine in Node, bit for
 * bit. tests/browser has more of each part, in Chromium only. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {numbersHere} from './numbers.mjs';
import {around, BROWSER, choose, start, until, VIEWS} from './place.mjs';

const A = 'I went to the store.';
const B = 'At the store, I bought fresh strawberries.';
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

let page;
around(
    async () => {
        page = await start();
    },
    () => page?.close(),
);

const pieces = (wanted, what = 'the tokens') =>
    until(
        () => page.pieces(),
        now => same(now, wanted),
        what,
    );

test(`${BROWSER}: the first figure; its numbers are those of the engine in Node, bit for bit`, async () => {
    await page.open();
    assert.equal((await page.pieces()).length, 16);
    for (const [text, textB, layer] of [
        [A, B, 0],
        ['The naïve café owner paid 12,50 €.', '', 3],
    ]) {
        await page.open(
            `#layer=${layer}&text=${encodeURIComponent(text)}&textB=${encodeURIComponent(textB)}`,
        );
        const {rows} = JSON.parse(
            await page.saved('.export [data-kind=json] button', 'application/json'),
        );
        assert.deepEqual(
            rows.map(row => row.slice(0, 8)),
            await numbersHere(text, textB, layer),
        );
    }
});

test(`${BROWSER}: the lines are painted`, async () => {
    await page.open('#layer=0&heads=6');
    const ink = () =>
        page.ask(() => {
            const canvas = document.querySelector('.canvas canvas.base');
            if (!canvas.width) return 0;
            const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            return data.filter((value, i) => i % 4 === 3 && value > 0).length;
        });
    await until(ink, now => now > 500, 'pixels with ink');
});

test(`${BROWSER}: a text and a pair are typed; Escape takes a draft back`, async () => {
    await page.open();
    await page.show('Cats sleep.', '');
    await pieces(['[CLS]', 'cats', 'sleep', '.', '[SEP]']);
    assert.equal(await page.count('.results'), 0, 'no next sentence without one');
    await page.show('Cats sleep.', 'Dogs [MASK].');
    await pieces(['[CLS]', 'cats', 'sleep', '.', '[SEP]', 'dogs', '[MASK]', '.', '[SEP]']);
    await page.there('.results');
    await until(() => page.text('.results'), /Next sentence/, 'what the model says of the pair');
    await page.fill('#text', 'half a thought');
    await page.press('Escape');
    assert.equal(await page.value('#text'), 'Cats sleep.');
    await choose(page, 'filter', 'ab');
    await pieces(['[CLS]', 'cats', 'sleep', '.', '[SEP]'], 'A as queries');
});

test(`${BROWSER}: every view is shown, with its table`, async () => {
    await page.open();
    for (const [view, css] of Object.entries(VIEWS)) {
        await choose(page, 'view', view);
        await page.there(css);
        await until(
            page.hash,
            now => (view === 'head' ? !now.includes('view=') : now.includes(`view=${view}`)),
            `${view} is in the address`,
        );
        await page.click('.numbers summary');
        await until(
            () => page.count('.numbers tbody tr'),
            now => now > 1,
            `${view} has numbers`,
        );
        assert.ok((await page.text('.figure')).length > 20, `${view} says something`);
        await page.click('.numbers summary');
    }
});

test(`${BROWSER}: Back and Forward go through the views`, async () => {
    await page.open();
    await choose(page, 'view', 'find');
    await until(page.hash, now => now.includes('view=find'), 'an entry of its own');
    await choose(page, 'view', 'change');
    await until(page.hash, now => now.includes('view=change'), 'another');
    await page.back();
    await page.there('.find-view');
    await page.back();
    await page.there('.column.query');
    await page.forward();
    await page.there('.find-view');
});

test(`${BROWSER}: a token is pointed at by mouse and walked to by keys, kept by Enter, let go by Escape`, async () => {
    await page.open('#layer=0&heads=6');
    await page.hover('.column.query [data-index="15"]');
    await until(
        () => page.text('.panel'),
        /straw looks at.*##berries(1\.00|>0\.99)/,
        'the numbers of a query',
    );
    await page.hover('.brand');
    await page.gone('.panel');
    await page.click('#textB');
    await page.ask(() => document.querySelector('.column.query .token').focus());
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp']) await page.press(key);
    await until(
        () => page.text('.panel h2'),
        now => now.startsWith('i is looked at by'),
        'the key in row 1',
    );
    await page.press('Enter');
    await page.click('#textB');
    assert.match(await page.text('.panel h2'), /^i is looked at by/);
    await until(page.hash, /picked=1/, 'in the link');
    await page.press('Escape'); // takes back a draft
    await page.ask(() => document.querySelector('.column.key .token').focus());
    await page.press('Escape');
    await page.gone('.panel');
});

/* Keys that Marionette presses do not turn Firefox's focus rings on (its first stops stay without
 * one until a field has had the keyboard), so there the rings are not asked for. */
test(`${BROWSER}: every control can be reached by Tab, and shows that it has the focus`, async () => {
    await page.open('#v=2');
    await page.there('.below'); // the model is here, nothing is drawn anew any more
    await page.ask(() => document.activeElement?.blur());
    const seen = new Set();
    for (let i = 0; i < 60; i++) {
        await page.press('Tab');
        seen.add(
            await page.ask(() => {
                const element = document.activeElement;
                if (!element || element === document.body) return 'end';
                const drawn = element.matches('input[type=radio]')
                    ? element.nextElementSibling
                    : (element.closest('label') ?? element);
                const {outlineStyle, borderBottomWidth} = getComputedStyle(drawn);
                const marked = outlineStyle !== 'none' || borderBottomWidth === '2px';
                return `${marked ? '' : 'unmarked '}${element.name || element.id || element.className || element.tagName}`;
            }),
        );
    }
    for (const name of ['text', 'textB', 'view', 'layer', 'chip', 'filter', 'model'])
        assert.ok([...seen].includes(name), `${name} in ${[...seen]}`);
    if (BROWSER !== 'firefox')
        assert.deepEqual(
            [...seen].filter(name => name.startsWith('unmarked')),
            [],
        );
});

test(`${BROWSER}: a lesson, the languages and the themes`, async () => {
    await page.open('#v=2&model=mini-en&lesson=patterns&step=0');
    await page.there('.tour .found');
    await page.click('.patterns li:nth-child(2) button');
    await until(() => page.text('.tour .found'), /L1·H0 shows it clearly/, 'the second pattern');
    await choose(page, 'lang', 'zh');
    await until(
        () => page.ask(() => document.documentElement.lang),
        now => now.startsWith('zh'),
        'in Chinese',
    );
    await until(
        () => page.text('.tour .found'),
        now => /第 1 层/.test(now) || /[\u4e00-\u9fff]{4}/.test(now),
        'the lesson too',
    );
    const paper = () => page.ask(() => getComputedStyle(document.documentElement).backgroundColor);
    await choose(page, 'theme', 'dark');
    await until(paper, 'rgb(21, 23, 28)', 'dark');
    await choose(page, 'theme', 'light');
    await until(paper, 'rgb(255, 255, 255)', 'light');
});

const EXPORTS = [
    ['svg', 'image/svg+xml', /^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/],
    ['png', 'image/png', /PNG/],
    ['csv', 'text/csv', /\r\n0,\[CLS\],/],
    ['json', 'application/json', /"madeWith": "Headlight"/],
    ['html', 'text/html', /<meta http-equiv="Content-Security-Policy"/],
];

test(`${BROWSER}: every kind of file is made`, async () => {
    await page.open();
    for (const [kind, type, content] of EXPORTS) {
        assert.match(await page.saved(`.export [data-kind=${kind}] button`, type), content);
        await until(
            () => page.text('.export .said'),
            now => now.includes('headlight-head'),
            'its name is said',
        );
    }
});
