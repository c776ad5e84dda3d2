/* What links, tags, frames and figures of before drew (tests/compat), drawn again: a sample, with LONG=1
 * (make test-long) every link; and what a model's name that cannot be one does. What they mean, all
 * of them: tests/js/compat.test.mjs.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {startHost, visitor} from './host.mjs';
import {pieces, useSite, until} from './page.mjs';

const [record, second, fourth] = [1, 2, 4].map(version =>
    JSON.parse(readFileSync(`tests/compat/version${version}.json`, 'utf8')),
);
const BASE = 'https://example.org/headlight/'; // where the record says that the site lies
const SAMPLE = [
    '#layer=5&heads=0%2C3%2C7',
    '#layer=2&lang=zh',
    '#mix=rollout&lang=en',
    '#model=mini-en-sst2&text=A%20dull%20film.&textB=',
    '#view=model&opened=3.2',
    '#view=neuron&layer=2&heads=1&zeroed=2.1.5',
    '#view=find&from=2&to=4',
    '#view=change&masked=3&off=0.1%2C5.7',
    '#v=2&layer=2',
    '#v=2&model=mini2-en&compareWith=mini-en&view=heatmap&layer=2&heads=1',
    '#v=2&model=mini2-en&beside=layer%3D3%26heads%3D5&layer=1',
    '#v=2&model=mini2-en&tour=2&lesson=vector',
    '#v=2&model=mini2-en&desk=corpus&opened=3.2&study=parse',
    '#v=4&layer=2',
    '#v=4&view=decides&token=10&masked=2',
];
/** Words may change, and more may be said after them; numbers and tokens do not change. */
const numbers = text => text.match(/>?\d+(\.\d+)?/g) ?? [];
const saysStill = (now, drew) =>
    now.length === drew.length &&
    drew.every((said, i) => {
        const found = numbers(now[i]);
        return numbers(said).every((number, k) => number === found[k]);
    });

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

const links = [...record.links, ...second.links, ...fourth.links].filter(
    ({hash, draws}) => draws && (process.env.LONG || SAMPLE.includes(hash)),
);
for (const {hash, draws} of links) {
    test(`${hash} draws what it drew`, async () => {
        const page = await site.open({blank: true});
        await page.goto(site.url + hash);
        const value = selector => page.locator(selector).inputValue();
        const shown = () => page.locator('[id^=describe]').allTextContents();
        if (draws.study) {
            await until(() => value('input[name=study]:checked'), draws.study, hash);
            assert.equal(await value('#study-model'), draws.model);
        } else if (draws.lesson) {
            const lesson = page.locator('.lesson').first();
            const place = draws.lesson.replace(/ of .*/, '');
            await until(
                () => lesson.textContent(),
                text => text.startsWith(place),
                draws.lesson,
            );
        } else {
            const drew = draws.said.split(' | ');
            await until(shown, now => saysStill(now, drew), draws.said);
            assert.equal(await value('#model'), draws.model);
        }
    });
}

test('a tag and a frame of version 1 draw what they drew', async () => {
    const here = html => html.replaceAll(BASE, site.url);
    const {page} = await visit(here(record.tags[0].html));
    await page.locator('.token').first().waitFor();
    assert.equal((await pieces(page)).length, 19);
    assert.match(
        await page.locator('#describe').textContent(),
        /L0·H6, 19 tokens.*(0\.9\d|>0\.99|1\.00)/,
    );
    assert.equal(await page.evaluate(() => document.querySelector('head-light').model), 'mini-en');
    assert.match(
        await page.locator('.bar-row a').getAttribute('href'),
        /#v=5&model=mini-en&text=.*&textB=.*&heads=6$/,
    );
    const {page: framing} = await visit(here(record.frames[0].html));
    const frame = framing.frameLocator('iframe');
    await frame.locator('.token').first().waitFor();
    assert.match(await frame.locator('#describe').textContent(), /L1·H3, 5 tokens/);
});

test('a figure file of version 1 at a `src` draws what it drew', async () => {
    const {page} = await visit(
        `<script type="module" src="${site.url}element.js"></script><head-light src="a.json" layer="4" heads="1" text="Birds sing." text-b=""></head-light>`,
        {javaScriptEnabled: true},
    );
    await page.route('**/a.json', route => route.fulfill({json: record.figures[0]}));
    await page.reload();
    await page.locator('.token').first().waitFor();
    assert.deepEqual(
        (await pieces(page)).map(piece => piece.trim()),
        record.figures[0].tokens.map(([piece]) => piece),
    );
    assert.match(await page.locator('#describe').textContent(), /L4·H1, 5 tokens/);
});

test('a tag that changes its version keeps what it says', async () => {
    const {page} = await visit(
        `<script type="module" src="${site.url}element.js"></script><head-light layer="4" text="Birds sing."></head-light>`,
    );
    await page.waitForFunction(() => document.querySelector('head-light').state).catch(() => {});
    const seen = await page.evaluate(async () => {
        const element = document.querySelector('head-light');
        element.heads = [3];
        element.setAttribute('v', '2');
        await new Promise(done => {
            setTimeout(done, 20);
        });
        const {model, layer, heads, text} = element.state;
        return {model, layer, heads, text};
    });
    assert.deepEqual(seen, {model: 'mini2-en', layer: 4, heads: [3], text: 'Birds sing.'});
});

test('a name that no model can have is said, the page goes on with its model, and the text is kept', async () => {
    for (const [hash, locale] of [
        ['#model=..&text=kept', 'en-GB'],
        ['#v=2&model=.&text=kept', 'zh-CN'],
        ['#model=a%2Fb%2Fc&text=kept', 'en-GB'],
    ]) {
        const page = await site.open({hash, locale});
        assert.match(
            await page.locator('.notice').textContent(),
            locale === 'zh-CN' ? /“\.”.*org\/name/ : /“(\.\.|a\/b\/c)”.*org\/name/,
        );
        assert.equal(await page.inputValue('#text'), 'kept');
        assert.equal(
            await page.locator('#model').inputValue(),
            hash.startsWith('#v=2') ? 'mini2-en' : 'mini-en',
        );
        assert.ok(
            (await pieces(page)).includes('kept') || (await pieces(page)).join(' ').includes('ke'),
        );
        await page.locator('.notice button').click();
        assert.equal(await page.locator('.notice').count(), 0);
        await page.context().close();
    }
});

test('a visit writes nothing into the address; what is shared names version and model', async () => {
    const page = await site.open({hash: '', permissions: ['clipboard-read', 'clipboard-write']});
    const menu = await (await fetch(`${site.url}models/index.json`)).json();
    const [{id, begin}] = menu;
    const heads = `heads=${begin.heads.join('%2C')}`;
    const pinned = `token=${begin.token}&picked=${begin.picked}`;
    await page.waitForTimeout(600);
    assert.equal(await page.evaluate(() => location.hash), '');
    await page.locator('header .share button').click();
    await until(
        () => page.evaluate(() => navigator.clipboard.readText()),
        `${site.url}#v=5&model=${id}&layer=${begin.layer}&${heads}&${pinned}`,
        'the link',
    );
    await page.locator('input[name=layer]').nth(3).check();
    await until(
        () => page.evaluate(() => location.hash),
        `#v=5&model=${id}&layer=3&${heads}&${pinned}`,
        'the address',
    );
});
