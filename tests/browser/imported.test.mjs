/* Attention of the reader's own in Chromium: opened by the button and dropped on the page, its
 * parts, what is said of faults, the way back to the model, the tour on it, and hostile tokens. */
import assert from 'node:assert/strict';
import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {before, test} from 'node:test';
import {tensor, writeSafetensors} from '../js/lib/safetensors.mjs';
import {nothingForAxe} from './axe.mjs';
import {ARGS, launch, menu, pieces, show, shownHeads, useSite, until} from './page.mjs';

const SOURCE = ['The', 'cat', 'sleeps', '</s>'];
const TARGET = ['<pad>', 'Die', 'Katze'];
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const site = useSite();
let folder;
before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headlight-own-'));
});

/** Head 0 looks at key (query + 1), head 1 at all keys alike. */
const pair = (rows, keys) =>
    tensor(
        [2, rows, keys],
        [
            ...Array.from({length: rows * keys}, (_, i) =>
                i % keys === Math.min(Math.floor(i / keys) + 1, keys - 1) ? 1 : 0,
            ),
            ...Array.from({length: rows * keys}, () => 1 / keys),
        ],
    );
const both = () =>
    writeSafetensors(
        {
            'attention.0': pair(4, 4),
            'attention.1': pair(4, 4),
            'attention.2': pair(4, 4),
            'decoder.0': pair(3, 3),
            'cross.0': pair(3, 4),
            'cross.1': pair(3, 4),
        },
        {tokens: JSON.stringify(SOURCE), decoder_tokens: JSON.stringify(TARGET)},
    );

async function save(bytes, name = 'mine.safetensors') {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
}

async function open(page, path) {
    await (
        await menu(page, '.more-models')
    )
        .getByRole('button', {name: 'Load attention from Python…'})
        .click();
    await page.locator('dialog').waitFor();
    await page.setInputFiles('dialog input[type=file]', path);
}

const drop = (page, bytes, name) =>
    page.evaluate(
        ([data, fileName]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(data)], fileName));
            for (const type of ['dragenter', 'dragover', 'drop']) {
                document.body.dispatchEvent(
                    new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: transfer}),
                );
            }
        },
        [[...bytes], name],
    );

test('a file opened by the button is shown in the head view, with its layers and heads', async () => {
    const page = await site.open({hash: '#layer=5&heads=7'});
    await open(page, await save(both()));
    await until(
        () => pieces(page),
        now => same(now, SOURCE),
        'its tokens',
    );
    assert.equal(await page.locator('dialog').count(), 0, 'the help closes');
    assert.deepEqual(await pieces(page, 'key'), SOURCE);
    assert.equal(await page.locator('input[name=layer]').count(), 3);
    assert.deepEqual(await shownHeads(page), ['0', '1'], 'head 7 is not there, so all are shown');
    assert.match(
        await page.locator('.status').textContent(),
        /4 tokens read from mine\.safetensors/,
    );
    assert.equal(await page.locator('.results').count(), 0, 'no predictions');
    await page.hover('.column.query [data-index="1"]');
    await until(
        () => page.locator('.panel').textContent(),
        /cat looks at.*sleeps0\.63/,
        '(1 + 1/4) / 2',
    );
});

test('cross-attention: the decoder’s tokens look, the encoder’s are looked at', async () => {
    const page = await site.open();
    await open(page, await save(both()));
    await page.getByRole('radio', {name: 'cross-attention'}).check();
    await until(
        () => pieces(page),
        now => same(now, TARGET),
        'queries of the decoder',
    );
    assert.deepEqual(await pieces(page, 'key'), SOURCE);
    assert.equal(await page.locator('input[name=layer]').count(), 2);
    assert.equal(await page.locator('input[name=filter]').count(), 0, 'there is but one direction');
    await page.hover('.column.query [data-index="1"]');
    await until(
        () => page.locator('.panel').textContent(),
        /Die looks at.*sleeps0\.63.*: 1\.00/,
        'weights of the row',
    );
    await page.locator('.numbers summary').click();
    await until(() => page.locator('.numbers tbody tr').count(), 3, 'a row for each query');
    await page.getByRole('radio', {name: 'decoder', exact: true}).check();
    await until(
        () => pieces(page, 'key'),
        now => same(now, TARGET),
        'the decoder’s own',
    );
});

/** Tokens t0, t1 … of which each looks at one. */
function long(T) {
    const data = new Float32Array(T * T);
    for (let i = 0; i < T; i++) data[i * T + ((i * 7) % T)] = 1;
    const tokens = JSON.stringify(Array.from({length: T}, (_, i) => `t${i}`));
    return writeSafetensors({'attention.0': tensor([1, T, T], data)}, {tokens});
}

test('4,000 tokens: made in turns, laid out near the window only, found by key and by search', async () => {
    const T = 4000;
    const page = await site.open();
    await page.evaluate(() => {
        globalThis.made = [0]; // buttons that came in each turn
        const count = () => document.querySelectorAll('.column .token').length;
        let before = count();
        new MutationObserver(() => {
            const now = count();
            globalThis.made.push(now - before);
            before = now;
        }).observe(document.querySelector('.figure'), {childList: true, subtree: true});
    });
    await open(page, await save(long(T)));
    const made = () => page.evaluate(() => globalThis.made);
    const sum = list => list.reduce((all, one) => all + one, 0);
    const turns = await until(made, list => sum(list) > 1.99 * T - 100, 'all tokens');
    assert.ok(turns.length > 20 && Math.max(...turns) <= 1100, `${turns}`);
    const isLaidOut = row =>
        page.evaluate(
            at =>
                document
                    .querySelector(`.column.query [data-index="${at}"]`)
                    .checkVisibility({contentVisibilityAuto: true}),
            row,
        );
    assert.deepEqual([await isLaidOut(0), await isLaidOut(T - 1)], [true, false]);
    assert.ok(await page.evaluate(() => globalThis.find('t3210')), 'found as the browser finds');
    await page.focus('.column.query [data-index="0"]');
    await page.keyboard.press('End');
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), `t${T - 1}`);
    await until(() => isLaidOut(T - 1), Boolean, 'what has the focus is laid out');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    assert.equal(await focused(), `t${T - 2}`);
    await page.keyboard.press('Enter');
    await until(
        () => page.locator('.panel').textContent(),
        now => now.includes(`t${T - 2}`),
        'its numbers',
    );
    assert.equal(await page.locator('.token[aria-pressed="true"]').textContent(), `t${T - 2}`);
});

test('a screen reader has the tokens that are not laid out, too', async () => {
    const reading = await launch([...ARGS, '--force-renderer-accessibility']);
    const page = await (await reading.newContext()).newPage();
    await page.goto(`${site.url}#v=2`);
    await page.waitForSelector('.below', {state: 'attached'});
    await open(page, await save(long(700)));
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Accessibility.enable');
    await until(
        async () => (await cdp.send('Accessibility.getFullAXTree')).nodes,
        nodes =>
            nodes.filter(({role, name}) => role?.value === 'button' && name?.value === 't699')
                .length === 2,
        'the last token in both columns',
    );
    await reading.close();
});

test('the model view shows its heads, also of cross-attention; other views say what they lack', async () => {
    const page = await site.open({hash: '#view=model', ready: false});
    await page.locator('.figure').waitFor();
    await open(page, await save(both()));
    const heads = () => page.locator('.figure [data-side="head"]').count();
    await until(heads, 6, 'three layers of two heads');
    await page.getByRole('radio', {name: 'cross-attention'}).check();
    await until(heads, 4, 'two layers of two heads');
    await page.locator('.figure [data-side="head"]').first().click();
    await until(
        () => pieces(page),
        now => same(now, TARGET),
        'opened: the decoder looks',
    );
    assert.deepEqual(await pieces(page, 'key'), SOURCE);
    for (const id of ['neuron', 'steps', 'why', 'decides', 'next', 'change']) {
        await page.locator(`.views input[value="${id}"]`).check();
        await until(() => page.locator('.missing').count(), 1, id);
        assert.equal(await page.locator('.figure').count(), 0, id);
    }
    await page.locator('.views input[value="head"]').check();
    await until(
        () => pieces(page),
        now => same(now, TARGET),
        'the head view again',
    );
    await page.getByRole('button', {name: 'Back to the model'}).click();
    await page.locator('.views input[value="neuron"]').check();
    await page.locator('.figure').waitFor();
    assert.equal(await page.locator('.missing').count(), 0);
});

test('a file dropped on the page is opened', async () => {
    const page = await site.open();
    await drop(page, both(), 'dropped.safetensors');
    await until(
        () => pieces(page),
        now => same(now, SOURCE),
        'its tokens',
    );
    assert.equal(await page.locator('.drop').count(), 0);
});

test('dropped on the box that loads models: the box closes, and the file is shown', async () => {
    const page = await site.open();
    const more = await menu(page, '.more-models');
    await more.locator('.sheet > button').first().click();
    await page.locator('dialog[open] .named').waitFor();
    await drop(page, both(), 'dropped.safetensors');
    await until(
        () => pieces(page),
        now => same(now, SOURCE),
        'its tokens',
    );
    await page.locator('dialog[open]').waitFor({state: 'detached'});
});

test('the tour works on it: measures come from C', async () => {
    const page = await site.open({hash: '#tour=0'});
    await page.locator('.tour .found').waitFor();
    await open(page, await save(both()));
    await until(
        () => page.locator('.tour .found').textContent(),
        /L0·H0 shows it clearly.*0\.75/,
        'head 0',
    );
    await page.getByRole('radio', {name: 'cross-attention'}).check();
    await until(
        () => page.locator('.finding').textContent(),
        /cannot be measured here/,
        'not between two texts',
    );
});

test('a fault gives its sentence, and what was shown stays', async () => {
    const page = await site.open();
    const before = await pieces(page);
    await open(
        page,
        await save(writeSafetensors({'attention.0': pair(4, 4)}, {}), 'bad.safetensors'),
    );
    await page.locator('[role=alert]').waitFor();
    assert.match(await page.locator('[role=alert]').textContent(), /no 'tokens'/);
    assert.deepEqual(await pieces(page), before);
    await drop(page, Buffer.from('<!doctype html><title>not ours</title>'), 'page.html');
    await until(
        () => page.locator('[role=alert]').textContent(),
        /does not begin as a safetensors file/,
        'said',
    );
});

test('rows that do not sum to 1 are noted', async () => {
    const page = await site.open();
    await open(
        page,
        await save(
            writeSafetensors(
                {'attention.0': tensor([1, 2, 2], [0.5, 0.25, 0, 0]), other: tensor([1], [1])},
                {tokens: '["a", "b"]'},
            ),
            'odd.safetensors',
        ),
    );
    await until(
        () => page.locator('.imported').textContent(),
        now =>
            /attention\.0: 2 rows do not sum to 1 \(first: head 0, row 0, sum 0\.750\)/.test(now) &&
            /Not read: other/.test(now),
        'noted',
    );
});

test('back to the model by the button, and by typing a text', async () => {
    const page = await site.open();
    const path = await save(both());
    await open(page, path);
    await until(
        () => pieces(page),
        now => same(now, SOURCE),
        'its tokens',
    );
    await page.getByRole('button', {name: 'Back to the model'}).click();
    await until(
        () => pieces(page),
        now => now.includes('strawberries') || now.includes('##berries'),
        'the model’s',
    );
    await open(page, path);
    await until(
        () => pieces(page),
        now => same(now, SOURCE),
        'its tokens',
    );
    await show(page, 'a new text', '');
    await until(
        () => pieces(page),
        now => now.includes('new'),
        'computed',
    );
    assert.equal(await page.locator('.imported').count(), 0);
});

test('hostile tokens, names and file names stay text', async () => {
    const page = await site.open();
    const evil = '<img src=x onerror="window.pwn=1">';
    const tensors = {'attention.0': pair(2, 2), [evil]: tensor([1], [1])};
    await drop(
        page,
        writeSafetensors(tensors, {tokens: JSON.stringify([evil, '</script>\0'])}),
        `${evil}.safetensors`,
    );
    await until(
        () => pieces(page),
        now => now[0] === evil,
        'as text',
    );
    await page.locator('.numbers summary').click();
    await page.hover('.column.query [data-index="0"]');
    assert.equal(await page.evaluate(() => window.pwn), undefined);
    assert.equal(await page.locator('img').count(), 0);
});

test('the help: six lines to copy, keyboard, and focus comes back', async () => {
    const page = await site.open({permissions: ['clipboard-read', 'clipboard-write']});
    await (
        await menu(page, '.more-models')
    )
        .getByRole('button', {name: 'Load attention from Python…'})
        .focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', {name: /^Copy: BERT/}).click();
    await page.getByText('Copied').waitFor();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(code.split('\n').length, 6);
    assert.match(code, /^import json, safetensors\.torch, transformers\n/);
    await page.keyboard.press('Escape');
    await until(() => page.locator('dialog').count(), 0, 'closed');
    assert.match(
        await page.evaluate(() => document.activeElement.textContent),
        /Load attention from Python/,
    );
});

test('axe finds nothing', async () => {
    const page = await site.open({bypassCSP: true});
    await (
        await menu(page, '.more-models')
    )
        .getByRole('button', {name: 'Load attention from Python…'})
        .click();
    await page.locator('dialog').waitFor();
    await nothingForAxe(page);
    await page.setInputFiles('dialog input[type=file]', await save(both()));
    await page.locator('.imported').waitFor();
    await nothingForAxe(page);
});
