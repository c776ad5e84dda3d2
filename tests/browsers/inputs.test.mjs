/* What comes from outside, in the browser that BROWSER names: files of the reader's, hostile texts,
 * addresses that are wrong, narrow windows. */
import assert from 'node:assert/strict';
import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {tensor, writeSafetensors} from '../js/lib/safetensors.mjs';
import {around, BROWSER, choose, start, until, VIEWS} from './place.mjs';

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

let page;
let folder;
around(
    async () => {
        page = await start();
        folder = await mkdtemp(join(tmpdir(), 'headlight-browsers-'));
    },
    () => page?.close(),
);

const pieces = (wanted, what = 'the tokens') =>
    until(
        () => page.pieces(),
        now => same(now, wanted),
        what,
    );
const alert = sentence =>
    until(
        () => page.text('[role=alert]'),
        now => sentence.test(now),
        `${sentence} is said`,
    );

/** Files as if dropped on the page: of the site (by address) or given. */
const drop = files =>
    page.ask(async list => {
        const transfer = new DataTransfer();
        for (const {name, url, bytes} of list) {
            transfer.items.add(
                new File(
                    [url ? await (await fetch(url)).arrayBuffer() : Uint8Array.from(bytes)],
                    name,
                ),
            );
        }
        for (const type of ['dragenter', 'dragover', 'drop']) {
            document.body.dispatchEvent(
                new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: transfer}),
            );
        }
    }, files);

test(`${BROWSER}: a model's files are dropped on the page and used`, async () => {
    await page.open();
    await drop(
        ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'].map(name => ({
            name,
            url: `models/mini-en/${name}`,
        })),
    );
    await until(() => page.value('#model'), ' picked', 'a model of the reader’s');
    await page.show('Cats sleep.', '');
    await pieces(['[CLS]', 'cats', 'sleep', '.', '[SEP]']);
    await drop([
        {name: 'config.json', bytes: [...Buffer.from('{}')]},
        {name: 'vocab.txt', bytes: [65]},
    ]);
    await alert(/config/);
    await pieces(['[CLS]', 'cats', 'sleep', '.', '[SEP]'], 'the figure stays');
});

test(`${BROWSER}: attention of the reader's own is opened by the button`, async () => {
    await page.open();
    const ofModel = await page.pieces();
    assert.ok(ofModel.length > 10);
    const file = join(folder, 'mine.safetensors');
    await writeFile(
        file,
        writeSafetensors(
            {'attention.0': tensor([1, 2, 2], [1, 0, 0.5, 0.5])},
            {tokens: '["<img src=x onerror=window.pwn=1>", "b"]'},
        ),
    );
    await page.click('.more-models > summary');
    await page.click('.models .sheet > button:last-of-type');
    await page.there('dialog[open]');
    await page.choose('dialog input[type=file]', file);
    await pieces(['<img src=x onerror=window.pwn=1>', 'b']);
    await page.gone('dialog[open]');
    await page.hover('.column.query [data-index="0"]');
    await until(
        () => page.text('.panel'),
        now => now.includes('1.00'),
        'its weight',
    );
    assert.equal(await page.ask(() => window.pwn), null);
    await page.click('.imported button');
    await pieces(ofModel, 'back to the model');
});

const HOSTILE = '<img src=x onerror="window.pwn=1"> </textarea><script>window.pwn=1</script>';

test(`${BROWSER}: texts cannot become markup, in the page or in what it saves`, async () => {
    await page.open();
    await page.show(HOSTILE, '=cmd|x ${window.pwn=1} ]]> \u202e\u0301 👩‍👩‍👧');
    await until(
        () => page.pieces(),
        now => now.includes('<'),
        'the tokens',
    );
    for (const view of Object.keys(VIEWS)) {
        await choose(page, 'view', view);
        await page.there(VIEWS[view]);
    }
    const svg = await page.saved('.export [data-kind=svg] button', 'image/svg+xml');
    const left = await page.ask(text => {
        const tree = new DOMParser().parseFromString(text, 'image/svg+xml');
        return [...tree.querySelectorAll('script, img, foreignObject, parsererror')].map(
            ({localName}) => localName,
        );
    }, svg);
    assert.deepEqual(left, [], 'well-formed, and nothing that runs');
    assert.equal(await page.ask(() => window.pwn), null);
});

const BAD = [
    '%E0%A4%A',
    'layer=NaN',
    'layer=-3&heads=99,x',
    'layer=99&view=nothing',
    '__proto__=1&constructor=2&layer=2',
    'tour=999',
    'view=find&from=999&to=500',
    `text=${'a'.repeat(2000)}`,
    'opened=9.9&view=model',
    'replaced=99:%25%25,1:&masked=400',
    'lang=xx&theme=<b>',
    `x=${'y'.repeat(200000)}`,
];

test(`${BROWSER}: a bad address gives a figure all the same`, async () => {
    for (const hash of BAD) {
        await page.open(`#${hash}`, {there: '.figure'});
        await until(
            () => page.text('.figure'),
            now => now.length > 20,
            hash.slice(0, 40),
        );
        assert.equal(await page.count('[role=alert]'), 0, hash.slice(0, 40));
    }
    await page.open('#model=nothere&text=kept', {there: '[role=alert]'});
    await alert(/config\.json is not in .*models\/nothere\//);
    assert.equal(await page.value('#text'), 'kept');
    await page.ask(() => {
        location.hash = '';
    });
    await page.there('.token');
    await page.gone('[role=alert]');
});

test(`${BROWSER}: at 320 px nothing is cut off in any view`, async () => {
    for (const view of Object.keys(VIEWS)) {
        await page.open('', {
            address: `frame.html?width=320&page=${encodeURIComponent(`./#view=${view}`)}`,
            there: '#frame',
        });
        await page.enter('#frame');
        await page.there(VIEWS[view]);
        await page.there('.numbers');
        const [wide, seen] = await page.ask(() => [
            document.documentElement.scrollWidth,
            innerWidth,
        ]);
        assert.ok(wide <= seen && seen === 320, `${view}: ${wide} of ${seen} px`);
        assert.deepEqual(await page.errors(), []);
        await page.leave();
    }
});
