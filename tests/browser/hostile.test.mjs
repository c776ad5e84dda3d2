/* What means harm or lacks what the page needs, in Chromium: a model whose files are full of markup
 * and formulas, addresses of a megabyte, frames without an origin, browsers without WebAssembly,
 * SIMD, workers or memory, other languages and clocks. Hostile attention of the reader's own and
 * what is saved of it: own.test.mjs, export.test.mjs. */
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {cp, mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {readSafetensors, tensor, writeSafetensors} from '../js/lib/safetensors.mjs';
import {menu, pieces, show, useSite, until} from './page.mjs';

const TINY = 'tests/golden/models/bert-tiny-random';
const MARKUP = '<img/src=x/onerror=window.pwn=1>';
const HARM = [
    MARKUP,
    '</script><script>window.pwn=1</script>',
    '<svg/onload=window.pwn=1>',
    "=cmd|'/C\u00a0calc'!A0",
    '@SUM(1)',
    '+1+cmd',
    '{{window.pwn=1}}',
    '${window.pwn=1}',
    'javascript:window.pwn=1',
    ']]>',
    '\u202etxet',
    '__proto__',
    '"onfocus="window.pwn=1',
];

const site = useSite();
const folders = mkdtempSync(join(tmpdir(), 'headlight-hostile-'));
after(() => rmSync(folders, {recursive: true}));

const unharmed = async page => assert.equal(await page.evaluate(() => window.pwn), undefined);
const alert = page => page.locator('[role=alert]').textContent();

/** A folder with the small model; `change` gets its files by name and may change them. */
async function model(change) {
    const folder = await mkdtemp(join(folders, 'model-'));
    for (const name of ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'])
        await cp(`${TINY}/${name}`, join(folder, name));
    await change({
        json: async (name, edit) => {
            const value = JSON.parse(await readFile(join(folder, name), 'utf8'));
            edit(value);
            await writeFile(join(folder, name), JSON.stringify(value));
        },
        text: async (name, edit) =>
            writeFile(join(folder, name), edit(await readFile(join(folder, name), 'utf8'))),
        weights: async (metadata, edit = () => {}) => {
            const tensors = Object.fromEntries(
                [...readSafetensors(`${TINY}/model.safetensors`)].map(
                    ([name, {dtype, shape, data}]) => {
                        if (dtype === 'F32') edit(name, data);
                        return [
                            name,
                            {
                                dtype,
                                shape,
                                bytes:
                                    dtype === 'F32'
                                        ? Buffer.from(data.buffer)
                                        : Buffer.from(BigInt64Array.from(data, BigInt).buffer),
                            },
                        ];
                    },
                ),
            );
            await writeFile(join(folder, 'model.safetensors'), writeSafetensors(tensors, metadata));
        },
        add: (name, bytes) => writeFile(join(folder, name), bytes),
    });
    return folder;
}

async function opened(folder, hash = '') {
    const page = await site.open({hash});
    await page.setInputFiles('.models input[type=file]', folder);
    return page;
}

const HARMFUL = {
    'a vocabulary': ({text}) =>
        text('vocab.txt', lines =>
            lines
                .split('\n')
                .map((line, i) => (i < 5 || !line ? line : `${HARM[i % HARM.length]}${i}`))
                .join('\n'),
        ),
    'a config': ({json}) =>
        json('config.json', config =>
            Object.assign(config, {
                _name_or_path: MARKUP,
                architectures: [MARKUP],
                transformers_version: MARKUP,
                id2label: {0: MARKUP, 1: '=1+1'},
                [MARKUP]: MARKUP,
                __proto__: {x: 1},
            }),
        ),
    'a tokenizer_config': ({json}) =>
        json('tokenizer_config.json', config =>
            Object.assign(config, {additional_special_tokens: [MARKUP], name_or_path: MARKUP}),
        ),
    'metadata of the weights': ({weights}) =>
        weights({[MARKUP]: MARKUP, format: '</script><script>window.pwn=1</script>'}),
    'file names': ({add}) => add('<img src=x onerror=window.pwn=1>.txt', 'x'),
};

for (const [what, change] of Object.entries(HARMFUL)) {
    test(`${what} full of markup and formulas stays text in every view and every file`, async () => {
        const page = await opened(await model(change));
        await until(
            async () =>
                (await page.inputValue('#model')) === ' picked' ||
                (await page.locator('[role=alert]').count()) > 0,
            Boolean,
            'an answer',
        );
        assert.equal(
            await page.locator('[role=alert]').count(),
            0,
            await page.locator('[role=alert]').allTextContents().then(String),
        );
        await show(page, 'the dog [MASK] =cmd() .', 'a [MASK] =');
        await until(() => page.locator('.results').count(), 1, 'predictions');
        for (const id of ['heatmap', 'model', 'neuron', 'steps', 'find', 'change', 'head']) {
            await page.locator(`.views input[value="${id}"]`).check();
            await page.locator('.figure').waitFor();
            if (!(await page.locator('.numbers').evaluate(element => element.open)))
                await page.locator('.numbers summary').click();
            await page.locator('.numbers tbody tr').first().waitFor();
            await unharmed(page);
        }
        await page.locator('.more:not(.experiments) > summary').click();
        await page.locator('.more:not(.experiments) .switch').nth(1).click();
        await page.hover('.column.query [data-index="0"]');
        for (const name of ['SVG', 'PNG', 'CSV', 'JSON', 'Web page']) {
            const [download] = await Promise.all([
                page.waitForEvent('download'),
                (await menu(page, '.export')).getByRole('button', {name, exact: true}).click(),
            ]);
            const text = await readFile(await download.path(), 'utf8');
            if (name === 'CSV') assert.doesNotMatch(text, /(^|,)"?[=+@]/m, 'no formula in a cell');
            if (name === 'SVG' || name === 'Web page')
                assert.doesNotMatch(text, /<img|<svg\/|<script>window/, name);
        }
        assert.equal(await page.locator('img').count(), 0);
        await unharmed(page);
    });
}

test('weights that are not numbers give a sentence', async () => {
    for (const value of [NaN, Infinity]) {
        const page = await opened(
            await model(({weights}) =>
                weights({}, (name, data) => {
                    if (/word_embeddings/.test(name)) data[300] = value;
                }),
            ),
        );
        assert.match(await alert(page), /not.*finite|NaN|infinite/i);
        assert.equal((await pieces(page)).length, 16, 'the figure stays');
    }
});

test('attention that is all alike, one-hot, or of a single token is drawn; not numbers are refused', async () => {
    const page = await site.open();
    const open = (name, data, tokens) =>
        page.evaluate(
            ([bytes, file]) => {
                const transfer = new DataTransfer();
                transfer.items.add(new File([Uint8Array.from(bytes)], file));
                document.body.dispatchEvent(
                    new DragEvent('drop', {
                        bubbles: true,
                        cancelable: true,
                        dataTransfer: transfer,
                    }),
                );
            },
            [
                [...writeSafetensors({'attention.0': data}, {tokens: JSON.stringify(tokens)})],
                `${name}.safetensors`,
            ],
        );
    const cases = {
        even: [tensor([1, 3, 3], Array(9).fill(1 / 3)), ['a', 'b', 'c']],
        hot: [tensor([1, 2, 2], [1, 0, 1, 0]), ['a', 'b']],
        one: [tensor([2, 1, 1], [1, 1]), ['only']],
    };
    for (const [name, [data, tokens]] of Object.entries(cases)) {
        await open(name, data, tokens);
        await until(
            () => pieces(page),
            now => String(now) === String(tokens),
            name,
        );
        await page.hover('.column.query [data-index="0"]');
        assert.doesNotMatch(
            await page.locator('.panel').textContent(),
            /NaN|undefined|Infinity/,
            name,
        );
    }
    for (const value of [NaN, Infinity, -Infinity]) {
        await open('bad', tensor([1, 2, 2], [1, 0, value, 1]), ['a', 'b']);
        await until(() => page.locator('[role=alert]').count(), 1, 'refused');
        assert.match(await alert(page), /not finite numbers/);
        await page.locator('[role=alert] button').nth(1).click();
    }
    assert.deepEqual(await pieces(page), ['only']);
});

test('512 tokens and 144 heads of attention are drawn', async () => {
    const page = await site.open({hash: '#view=model', ready: false});
    await page.locator('.figure').waitFor();
    await page.evaluate(async () => {
        // made in the page: 151 MB
        const [layers, heads, T] = [12, 12, 512];
        const entries = Array.from({length: layers}, (_, i) => [
            `attention.${i}`,
            {
                dtype: 'F32',
                shape: [heads, T, T],
                data_offsets: [i * heads * T * T * 4, (i + 1) * heads * T * T * 4],
            },
        ]);
        const tokens = JSON.stringify(Array.from({length: T}, (_, i) => `t${i}`));
        const header = new TextEncoder().encode(
            JSON.stringify({__metadata__: {tokens}, ...Object.fromEntries(entries)}),
        );
        const size = new BigUint64Array([BigInt(header.length)]);
        const layer = new Float32Array(heads * T * T).fill(1 / T);
        const transfer = new DataTransfer();
        transfer.items.add(
            new File([size, header, ...Array(layers).fill(layer)], 'large.safetensors'),
        );
        document.body.dispatchEvent(
            new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: transfer}),
        );
    });
    await until(() => page.locator('.figure [data-side="head"]').count(), 144, '144 heads');
    await page.locator('.views input[value="head"]').check();
    await until(async () => (await pieces(page)).length, 512, '512 tokens');
});

test('each address of a model that can be none is said, also after one whose sentence was closed', async () => {
    const page = await site.open({hash: '#model=javascript:alert(1)'});
    for (const name of ['javascript:alert(1)', 'data:1']) {
        const notice = page.locator('[role=alert]', {hasText: name});
        await notice.locator('button').click();
        await until(() => page.locator('[role=alert]').count(), 0, 'closed');
        await page.evaluate(() => void (location.hash = '#model=data:1'));
    }
});

test('an address of a megabyte, of many fields or of nonsense gives the first figure', async () => {
    for (const hash of [
        `#text=${'a'.repeat(1e6)}`,
        `#${'layer=1&'.repeat(1e5)}`,
        '#%',
        '#text=%ff%fe',
        '#__proto__.x=1&constructor=1',
        '#layer=NaN&heads=-1&token=1e9',
        `#model=${encodeURIComponent('../../x')}`,
        '#model=javascript:alert(1)',
        `#lang=${encodeURIComponent(MARKUP)}`,
    ]) {
        const page = await site.open({hash});
        assert.equal((await pieces(page)).length, 19, hash.slice(0, 40));
        // a sentence on the name
        assert.equal(
            await page.locator('[role=alert]').count(),
            hash.startsWith('#model=') ? 1 : 0,
            hash.slice(0, 40),
        );
        await unharmed(page);
        await page.context().close();
    }
});
