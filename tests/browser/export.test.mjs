/* Saving in Chromium: each kind of file is downloaded and looked into, with hostile tokens; the
 * saved page is opened from disk and used; the link. */
import assert from 'node:assert/strict';
import {mkdtemp, readFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {before, test} from 'node:test';
import {LONG} from '../js/lib/sample.mjs';
import {tensor, writeSafetensors} from '../js/lib/safetensors.mjs';
import {nothingForAxe} from './axe.mjs';
import {inkedRows, menu, pieces, show, useSite, until} from './page.mjs';

const HOSTILE = [
    '<script>window.pwn=1</script>',
    '</script><img src=x onerror="window.pwn=1">',
    ']]><svg onload="window.pwn=1">',
    '<!--',
    '\0\x01\x1b',
    '=1+1',
    '\ufffe',
    '-',
    '"',
    '&amp;',
];

const site = useSite();
let folder;
before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headlight-export-'));
});

/** Presses a button of the row and gives the file's name, path and text. */
async function saved(page, name) {
    const place = await menu(page, '.export');
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        place.getByRole('button', {name, exact: true}).click(),
    ]);
    const path = join(folder, `${Date.now()}-${download.suggestedFilename()}`);
    await download.saveAs(path);
    return {name: download.suggestedFilename(), path, text: await readFile(path, 'utf8')};
}

/** The page with tokens that mean harm, as attention of the reader's own. */
async function hostilePage() {
    const page = await site.open();
    const count = HOSTILE.length;
    const bytes = writeSafetensors(
        {
            'attention.0': tensor([1, count, count], Array(count * count).fill(1 / count)),
            'attention.1': tensor([1, count, count], Array(count * count).fill(1 / count)),
        },
        {tokens: JSON.stringify(HOSTILE)},
    );
    await page.evaluate(
        data => {
            const transfer = new DataTransfer();
            transfer.items.add(
                new File(
                    [Uint8Array.from(data)],
                    '</title><script>window.pwn=1</script>.safetensors',
                ),
            );
            document.body.dispatchEvent(
                new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}),
            );
        },
        [...bytes],
    );
    await until(
        () => pieces(page),
        now => now[0] === HOSTILE[0],
        'the tokens',
    );
    return page;
}

test('the menu ends within the window and moves no page; what was saved is said in whole', async () => {
    for (const height of [900, 640]) {
        const page = await site.open({hash: '', width: 1440, height});
        await page.locator('.presses').waitFor(); // the first visit's words are above the menu
        const place = await menu(page, '.export');
        const bottom = of => of.evaluate(one => one.getBoundingClientRect().bottom);
        const sheet = place.locator('> .sheet');
        await until(
            () => bottom(sheet),
            now => now > 0 && now <= height,
            `${height} px`,
        );
        assert.equal(await page.evaluate(() => scrollY), 0);
        await saved(page, 'SVG');
        const said = place.locator('.said', {hasText: 'Saved as'});
        await said.waitFor();
        assert.ok((await bottom(said)) <= (await bottom(sheet)), `${height} px`);
        assert.equal(await page.evaluate(() => scrollY), 0);
        await page.context().close();
    }
});

test('files are named by view, layer and heads; the row says what was saved', async () => {
    const page = await site.open({hash: '#layer=1&heads=0'});
    const svg = await saved(page, 'SVG');
    assert.equal(svg.name, 'headlight-head-layer-1-head-0.svg');
    assert.match(svg.text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.match(svg.text, /##berries/);
    await page.getByText('Saved as headlight-head-layer-1-head-0.svg').waitFor();
    const csv = await saved(page, 'CSV');
    assert.match(csv.text, /^\ufeffmodel,text,text_b,layer,heads,No\.,Query,/);
    assert.match(csv.text, /\r\n"mini-en, English",I went to the store\.,"[^"]+",1,0,0,\[CLS\],/);
    assert.match(csv.text, /,0\.\d{6,}/, 'numbers are not rounded');
    const json = JSON.parse((await saved(page, 'JSON')).text);
    assert.deepEqual(
        [json.view, json.layer, json.heads, json.tokens.length, json.text],
        ['head', 1, [0], 19, 'I went to the store.'],
    );
    assert.equal(json.rows.length, 19);
    assert.equal(typeof json.rows[0][3], 'number');
});

test('the attention of all layers is saved for other programs', async () => {
    const page = await site.open({hash: '#layer=1&heads=0'});
    const csv = await saved(page, '.csv');
    assert.equal(csv.name, 'headlight-attention.csv');
    const rows = csv.text.trimEnd().split('\r\n');
    assert.equal(rows.length, 1 + 6 * 8 * 19 * 19);
    assert.match(rows[1], /^0,0,0,\[CLS\],0,\[CLS\],0\.\d/);
    const json = JSON.parse((await saved(page, '.json')).text);
    const last = json.attention[5][7][18][17];
    assert.equal(Number(rows.at(-2).split(',').at(-1)), last);
    const npy = await readFile((await saved(page, '.npy')).path);
    assert.equal(npy.readFloatLE(npy.length - 8), Math.fround(last));
    assert.equal(npy.length % 64, (4 * 6 * 8 * 19 * 19) % 64);
    for (const [name, bytes] of [
        ['.safetensors', 4],
        ['float16', 2],
    ]) {
        const body = await readFile((await saved(page, name)).path);
        assert.equal(body.length, 8 + Number(body.readBigUInt64LE()) + bytes * 6 * 8 * 19 * 19);
    }
});

test('PNG has twice the size of the SVG, less for texts too long for any canvas', async () => {
    const page = await site.open({hash: '#layer=1&heads=0'});
    const size = async path => {
        const bytes = await readFile(path);
        assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
        return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    };
    const sizeOfSvg = ({text}) => / width="(\d+)" height="(\d+)"/.exec(text).slice(1).map(Number);
    const twice = async () => sizeOfSvg(await saved(page, 'SVG')).map(px => 2 * px);
    const short = await twice();
    assert.ok(
        short[0] > 1280 && short[1] > 2 * (19 * 26 + 28),
        'the picture, and what is around it',
    );
    assert.deepEqual(await size((await saved(page, 'PNG')).path), short);
    await show(page, Array(400).fill('cat').join(' '), '');
    await until(
        () => pieces(page),
        now => now.length === 256,
        '256 tokens',
    );
    const long = await twice();
    assert.ok(long[1] > 2 * (256 * 26 + 28), 'all of its rows');
    assert.deepEqual(await size((await saved(page, 'PNG')).path), long);
});

test('a picture for a column or a slide, without caption and cells; two figures in both columns', async () => {
    const page = await site.open({hash: '#layer=1&heads=0'});
    await saved(page, 'SVG'); // the menu is open
    const look = page.locator('.picture-look');
    await look.getByLabel('Size').selectOption('column');
    assert.match((await saved(page, 'SVG')).text, / width="84mm" .*Small cells outside/);
    for (const box of await look.locator('input').all()) await box.uncheck();
    const {text} = await saved(page, 'SVG');
    assert.match(text, /<svg[^>]* width="84mm"/);
    assert.doesNotMatch(text, /Small cells outside|A line runs from/);
    await look.getByLabel('Size').selectOption('slide');
    const slide = await readFile((await saved(page, 'PNG')).path);
    assert.deepEqual([slide.readUInt32BE(16), slide.readUInt32BE(20)], [1920, 1080]);
    const [LIGHT, DARK] = ['#ffffff', '#15171c'];
    const behind = async paper => {
        await look.getByLabel('Background').selectOption(paper);
        return /<rect[^>]*fill="(#\w+)"[^>]*>(?:<\/rect>)?<g transform/.exec(
            (await saved(page, 'SVG')).text,
        )?.[1];
    };
    assert.deepEqual(
        [await behind('page'), await behind('dark'), await behind('light'), await behind('none')],
        [LIGHT, DARK, LIGHT, undefined],
    );
    const two = await site.open({hash: '#layer=1&heads=0&beside=layer%3D2%26heads%3D1'});
    await two.locator('.beside .columns').nth(1).waitFor();
    await saved(two, 'SVG');
    await two.locator('.picture-look').getByLabel('Size').selectOption('column');
    assert.match((await saved(two, 'SVG')).text, /<svg[^>]* width="174mm"/);
});

test('hostile tokens: the SVG is well-formed XML without them as markup, also when it stands in a page', async () => {
    const page = await hostilePage();
    const {text} = await saved(page, 'SVG');
    const seen = await page.evaluate(source => {
        const xml = new DOMParser().parseFromString(source, 'image/svg+xml');
        const html = new DOMParser().parseFromString(`<body>${source}`, 'text/html');
        return [xml, html].map(doc => [
            doc.querySelector('parsererror')?.textContent ?? '',
            doc.querySelectorAll('script, img, [onload], [onerror]').length,
            doc.querySelectorAll('text title').length,
        ]);
    }, text);
    assert.deepEqual(seen, [
        ['', 0, 2 * HOSTILE.length],
        ['', 0, 2 * HOSTILE.length],
    ]);
    assert.match((await saved(page, 'PNG')).text, /PNG/);
    const {text: csv} = await saved(page, 'CSV');
    assert.match(csv, /'=1\+1/);
    assert.doesNotMatch(csv, /(^|,)=/m);
    assert.equal(JSON.parse((await saved(page, 'JSON')).text).tokens[0], HOSTILE[0]);
});

test('the saved page works from disk, without network: pointing, layers, heads, the table', async () => {
    const page = await site.open({hash: '#layer=0&heads=6'});
    const {path, name} = await saved(page, 'Web page');
    assert.equal(name, 'headlight-head-layer-0-head-6.html');
    const figure = await site.open({ready: false});
    await figure.goto('about:blank'); // what the page of before still asks for does not count
    const requests = [];
    figure.on('request', request => requests.push(request.url()));
    await figure.goto(pathToFileURL(path).href);
    await figure.waitForSelector('.token');
    assert.equal((await pieces(figure)).length, 19);
    await figure.hover('.column.query [data-index="15"]');
    await until(
        () => inkedRows(figure, 'overlay', 'query'),
        now => String(now) === '15',
        'its lines only',
    );
    assert.match(await figure.locator('.panel').textContent(), /straw looks at.*##berries/);
    await figure.locator('input[name=layer]').nth(4).check();
    await figure.locator('.chip').nth(2).dblclick();
    await figure.locator('.numbers summary').click();
    await until(() => figure.locator('.numbers caption').textContent(), /L4·H2/, 'another layer');
    await figure.getByRole('radio', {name: 'A→B'}).check();
    await until(
        () => pieces(figure),
        now => now.length === 8,
        'pairs',
    );
    assert.match(
        await figure.locator('.below').textContent(),
        /Model: mini-en.*Text: I went to the store\. \/ At the store/,
    );
    assert.deepEqual(
        requests.filter(url => !url.startsWith('file:') && !url.startsWith('data:')),
        [],
    );
});

test('the saved page without script shows the picture', async () => {
    const page = await site.open({hash: '#layer=0&heads=6'});
    const {path} = await saved(page, 'Web page');
    const still = await site.open({ready: false, javaScriptEnabled: false});
    await still.goto(pathToFileURL(path).href);
    assert.equal(await still.locator('#app svg text').filter({hasText: '##berries'}).count(), 2);
});

test('hostile tokens stay text in the saved page, and its policy stops any other script', async () => {
    const page = await hostilePage();
    const {path, text} = await saved(page, 'Web page');
    assert.equal(text.match(/<script/gi).length, 2, 'its data and its script');
    const figure = await site.open({ready: false});
    await figure.goto(pathToFileURL(path).href);
    await figure.waitForSelector('.token');
    assert.deepEqual(await pieces(figure), HOSTILE);
    assert.equal(await figure.evaluate(() => window.pwn), undefined);
    assert.equal(await figure.locator('img').count(), 0);
    await figure.locator('input[name=layer]').nth(1).check();
    assert.equal(
        await figure.evaluate(() => {
            const script = document.createElement('script');
            script.textContent = 'window.pwn = 2';
            document.body.append(script);
            return window.pwn;
        }),
        undefined,
    );
    site.errors.length = 0; // the policy has just said so, as it should
});

test('every view can be saved as picture, table and page', async () => {
    const page = await site.open({hash: '#masked=5'});
    const ids = await page
        .locator('.views input')
        .evaluateAll(inputs => inputs.map(({value}) => value));
    const some = LONG ? ids : ids.filter(id => ['head', 'model', 'steps'].includes(id));
    for (const id of some.length ? some : ['head']) {
        if (ids.length) await page.locator(`.views input[value="${id}"]`).check();
        await until(
            () => page.evaluate(() => document.location.hash),
            now => id === 'head' || now.includes(`view=${id}`),
            id,
        );
        await page.waitForTimeout(700);
        const svg = await saved(page, 'SVG');
        assert.match(svg.name, new RegExp(`^headlight-${id}`));
        assert.equal(
            await page.evaluate(
                source =>
                    new DOMParser()
                        .parseFromString(source, 'image/svg+xml')
                        .querySelector('parsererror')?.textContent ?? '',
                svg.text,
            ),
            '',
            `${id}: the SVG is well-formed`,
        );
        assert.ok((await saved(page, 'PNG')).text.length > 1000, id);
        assert.ok((await saved(page, 'CSV')).text.split('\r\n').length > 2, id);
        assert.ok(JSON.parse((await saved(page, 'JSON')).text).rows.length > 0, id);
        const {path} = await saved(page, 'Web page');
        const figure = await site.open({ready: false});
        await figure.goto(pathToFileURL(path).href);
        await figure.locator('.figure').waitFor();
        assert.ok((await figure.locator('.figure').textContent()).length > 20, id);
        await figure.context().close();
    }
});

test('the link is copied; attention of one’s own has none, and nothing to share by an address', async () => {
    const page = await site.open({
        hash: '#layer=1&heads=0',
        permissions: ['clipboard-read', 'clipboard-write'],
    });
    await (await menu(page, '.export')).getByRole('button', {name: 'Copy link'}).click();
    await page.locator('.export .said').getByText('Link copied').waitFor();
    assert.equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        `${site.url}#v=5&model=mini-en&text=I%20went%20to%20the%20store.&textB=${encodeURIComponent('At the store, I bought fresh strawberries.')}&layer=1&heads=0`,
    );
    const mine = await hostilePage();
    assert.equal(await mine.getByRole('button', {name: 'Share…'}).count(), 0);
    assert.match(await mine.locator('.export').textContent(), /A link cannot carry your file/);
});

test('where the page may not copy, the text is there to be copied', async () => {
    const page = await site.open();
    await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    });
    await (await menu(page, '.export')).getByRole('button', {name: 'Copy link'}).click();
    assert.match(await page.locator('.export textarea.code').inputValue(), /^http/);
});

test('axe finds nothing in a saved page', async () => {
    const page = await site.open({locale: 'zh-CN'});
    const {path} = await saved(page, '网页');
    for (const colorScheme of ['light', 'dark']) {
        const figure = await site.open({ready: false, colorScheme, bypassCSP: true});
        await figure.goto(pathToFileURL(path).href);
        await figure.waitForSelector('.token');
        assert.equal(await figure.evaluate(() => document.documentElement.lang), 'zh');
        await nothingForAxe(figure);
    }
});
