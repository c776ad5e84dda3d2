/* Figures in a real JupyterLab: BertViz's own examples with one import line changed, on tiny random
 * models; the saved notebook where it is not trusted, and as nbconvert's page; a widget from both sides.
 * No request leaves the machine. PYTHON names the interpreter; without what it takes, this is skipped.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {LIMIT} from '../browser/page.mjs';
import {hasScripts, REQUIRE, serveScripts} from './bertviz.mjs';
import {openNotebook, runAll, startBrowser, startLab} from './lab.mjs';

const PYTHON = process.env.PYTHON ?? 'python3';
const STAGE = resolve('build/out/wheel/stage');
const wanted = 'torch, transformers, jupyterlab, nbconvert, ipykernel, anywidget, numpy';
const has = modules => {
    try {
        execFileSync(PYTHON, ['-c', `import ${modules}`], {stdio: 'ignore'});
        return true;
    } catch {
        return false;
    }
};
const skip = has(wanted)
    ? false
    : `${PYTHON} lacks one of ${wanted}: pip install -r python/tests/requirements.txt`;

/** @type {Awaited<ReturnType<typeof startLab>>} */
let lab;
let models = '';
before(async () => {
    if (skip) return;
    lab = await startLab(PYTHON);
    models = join(lab.folder, 'models');
    execFileSync(PYTHON, ['python/tests/tiny.py', models], {stdio: 'ignore', env: lab.env});
});
after(() => lab?.close());

const SETUP = `import sys; sys.path.insert(0, ${JSON.stringify(STAGE)})
from transformers import AutoTokenizer, AutoModel, utils
utils.logging.set_verbosity_error(); utils.logging.disable_progress_bar()`;
const BERT = () => `${SETUP}
tokenizer = AutoTokenizer.from_pretrained("${models}/bert")
model = AutoModel.from_pretrained("${models}/bert", output_attentions=True)
inputs = tokenizer.encode("The cat sat on the mat", return_tensors='pt')
outputs = model(inputs)
attention = outputs.attentions
tokens = tokenizer.convert_ids_to_tokens(inputs[0])`;
const T5 = () => `tokenizer = AutoTokenizer.from_pretrained("${models}/t5")
model = AutoModel.from_pretrained("${models}/t5", output_attentions=True)
encoder_input_ids = tokenizer("she sees the small elephant .", return_tensors="pt", add_special_tokens=True).input_ids
decoder_input_ids = tokenizer("the cat sat on the red mat", return_tensors="pt", add_special_tokens=True).input_ids
outputs = model(input_ids=encoder_input_ids, decoder_input_ids=decoder_input_ids)
encoder_text = tokenizer.convert_ids_to_tokens(encoder_input_ids[0])
decoder_text = tokenizer.convert_ids_to_tokens(decoder_input_ids[0])
from head_light import head_view
head_view(
    encoder_attention=outputs.encoder_attentions,
    decoder_attention=outputs.decoder_attentions,
    cross_attention=outputs.cross_attentions,
    encoder_tokens=encoder_text,
    decoder_tokens=decoder_text
)`;
const HEAD = 'from head_light import head_view\nhead_view(attention, tokens, heads=[1])';
const STRONGEST = `a = attention[0][0, 1].detach()
for q in range(len(tokens)): print("LINE", tokens[q], tokens[int(a[q].argmax())], f"{float(a[q].max()):.2f}")`;

/** The figures of a page, once they are drawn. */
const figures = async (page, count) => {
    await page.waitForFunction(
        count =>
            [...document.querySelectorAll('.head-light-place > div')].filter(host =>
                host.shadowRoot?.querySelector('.figure .column'),
            ).length >= count,
        count,
    );
    return page.locator('.head-light-place');
};

/** The table of numbers of a figure, as rows of text. */
const numbersOf = async figure => {
    const more = figure.getByRole('button', {name: 'More'});
    if ((await more.getAttribute('aria-expanded')) === 'false') await more.click();
    if (!(await figure.locator('details.numbers[open]').count()))
        await figure.locator('details.numbers summary').click();
    await figure.locator('details.numbers tbody tr').first().waitFor();
    return figure
        .locator('details.numbers tbody tr')
        .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent)));
};

test('examples of BertViz, in JupyterLab', {skip, timeout: 3 * LIMIT}, async t => {
    const {browser, context, outside} = await startBrowser();
    t.after(() => browser.close());
    await lab.write('examples.ipynb', [BERT(), HEAD, STRONGEST, T5()]);
    const page = await openNotebook(context, lab, 'examples.ipynb');
    await runAll(page);
    const shown = await figures(page, 2);

    const printed = await page.locator('.jp-CodeCell').nth(2).locator('.jp-OutputArea').innerText();
    const lines = [...printed.matchAll(/LINE (\S+) (\S+) (\S+)/g)].map(([, ...line]) => line);
    assert.equal(lines.length, 8);
    const rows = await numbersOf(shown.nth(0));
    for (const [query, key, weight] of lines)
        assert.ok(
            rows.some(
                row =>
                    row.includes(query) &&
                    row.includes(key) &&
                    row.some(cell => Math.abs(Number(cell) - Number(weight)) < 0.006),
            ),
            `${query} -> ${key} ${weight} is among ${JSON.stringify(rows.slice(0, 4))}`,
        );

    await shown.nth(0).locator('.help').click();
    await shown.nth(0).getByText('Press to pin it').waitFor();
    assert.equal(
        await shown.nth(0).getByText('mask it').count(),
        0,
        'there is no model to mask for',
    );
    await shown.nth(1).locator('select[name="part"]').selectOption('cross');
    const keys = shown.nth(1).locator('.column.key .token');
    await keys.filter({hasText: 'elephant'}).first().waitFor();
    assert.equal(
        await shown.nth(1).locator('select[name="view"] option[value="find"]').count(),
        0,
        'of two texts, no measures',
    );
    await shown.nth(0).locator('select[name="view"]').selectOption('find');
    await shown.nth(0).locator('.figure svg, .figure canvas').first().waitFor();
    assert.deepEqual(outside, []);
    await page.keyboard.press('Control+s');
    await eventually(async () => {
        const saved = readFileSync(join(lab.folder, 'examples.ipynb'), 'utf8');
        const bundles = saved.split('id=\\"head-light-').filter(part => part.length > 200000);
        assert.equal(bundles.length, 1, 'one bundle');
    });
});

/** Tries again what fails until the limit is reached. @param {() => Promise<void>} check */
async function eventually(check) {
    for (const end = Date.now() + LIMIT; ; await new Promise(done => setTimeout(done, 250)))
        try {
            return await check();
        } catch (error) {
            if (Date.now() > end) throw error;
        }
}

/** For each query the strongest key and its weight, of a figure's table. @param {string[][]} rows */
const strongestOf = rows =>
    rows.map(row => {
        const at = row.findIndex(cell => /^>?[01]\.\d+$/.test(cell));
        return [row[at - 2], row[at - 1], Number(row[at].replace('>', ''))];
    });

/** The same of BertViz's lines, of the one head that is on. @param {import('playwright-core').Locator} svg */
const strongestLines = svg =>
    svg.evaluate(one => {
        const [left, right] = ['left', 'right'].map(side =>
            [...one.querySelectorAll(`#${side} text`)].map(text => text.textContent.trim()),
        );
        const lines = [...one.querySelectorAll('#attention line')].map(line => ({
            query: Number(line.getAttribute('left-token-index')),
            key: Number(line.getAttribute('right-token-index')),
            weight: Number(line.getAttribute('stroke-opacity')),
        }));
        return left.map((query, i) => {
            const own = lines.filter(line => line.query === i);
            const most = own.reduce((a, b) => (b.weight > a.weight ? b : a));
            return [query, right[most.key], Math.round(100 * most.weight) / 100];
        });
    });

test(
    "BertViz's own figure of the same call shows the same strongest lines",
    {
        skip:
            skip ||
            (has('bertviz') ? false : `${PYTHON} lacks bertviz: pip install bertviz`) ||
            (hasScripts() ? false : 'the scripts that BertViz loads cannot be had from npm'),
        timeout: 3 * LIMIT,
    },
    async t => {
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        await serveScripts(context);
        const both = call => [
            call,
            `import bertviz\nbertviz.${call.replace(/^[^]*?(?=head_view\()/, '')}`,
        ];
        const t5 = T5().replace(/\n\)$/, ', heads=[1]\n)');
        // before its own call: else its first figure comes before the script that it needs
        const early = `${BERT()}\nfrom IPython.display import HTML, display\ndisplay(HTML(${JSON.stringify(REQUIRE)}))`;
        await lab.write('both.ipynb', [early, ...both(HEAD), ...both(t5)]);
        const page = await openNotebook(context, lab, 'both.ipynb');
        await runAll(page);
        const shown = await figures(page, 2);
        const theirs = page.locator('.jp-OutputArea-output svg:has(#attention)');
        await theirs.nth(1).waitFor();
        const same = async (number, part) => {
            const expected = await strongestLines(theirs.nth(number));
            const found = strongestOf(await numbersOf(shown.nth(number)));
            assert.ok(expected.length > 5);
            assert.deepEqual(
                found.map(([query, key]) => [query, key]),
                expected.map(([query, key]) => [query, key]),
                part,
            );
            found.forEach(([, , weight], i) =>
                assert.ok(Math.abs(weight - expected[i][2]) < 0.011, part),
            );
        };
        await same(0, 'self-attention');
        await same(1, 'encoder');
        for (const [part, label] of [
            ['decoder', 'Decoder'],
            ['cross', 'Cross'],
        ]) {
            await shown.nth(1).locator('select[name="part"]').selectOption(part);
            await page
                .locator('.jp-CodeCell')
                .nth(4)
                .locator('select#filter')
                .selectOption({label});
            await page.waitForTimeout(500);
            await same(1, part);
        }
        mkdirSync('build/out/jupyter', {recursive: true});
        for (const cell of [1, 2, 3, 4])
            await page
                .locator('.jp-CodeCell')
                .nth(cell)
                .locator('.jp-OutputArea')
                .screenshot({path: `build/out/jupyter/${cell}.png`});
        assert.deepEqual(outside, [], 'nothing but the three scripts of BertViz, which are here');
    },
);

test(
    'the saved notebook: a still picture where it is not trusted',
    {skip, timeout: 3 * LIMIT},
    async t => {
        const other = await startLab(PYTHON);
        t.after(other.close);
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        await other.write(
            'saved.ipynb',
            JSON.parse(readFileSync(join(lab.folder, 'examples.ipynb'), 'utf8')),
        );
        const page = await openNotebook(context, other, 'saved.ipynb');
        const still = page.locator('.head-light-place img').first();
        await still.scrollIntoViewIfNeeded();
        await page.waitForFunction(
            () => document.querySelector('.head-light-place img')?.naturalWidth > 100,
        );
        assert.equal(await page.locator('.head-light-place > div').count(), 0);
        assert.deepEqual(outside, []);
    },
);

test(
    'Notebook 7, and two figures side by side of which one follows the other',
    {
        skip: skip || (has('notebook') ? false : `${PYTHON} lacks notebook: pip install notebook`),
        timeout: 3 * LIMIT,
    },
    async t => {
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        const make = layer => `figure(attention, tokens, layer=${layer}, heads=[0])`;
        const call = `from head_light import compare, figure\ncompare(${make(0)}, ${make(1)})`;
        await lab.write('seven.ipynb', [BERT(), call]);
        const page = await openNotebook(context, lab, 'seven.ipynb', 'notebooks');
        await runAll(page);
        const shown = await figures(page, 2);
        const layer = figure => shown.nth(figure).locator('select[name="layer"]');
        assert.deepEqual([await layer(0).inputValue(), await layer(1).inputValue()], ['0', '1']);
        await shown.nth(0).locator('.column.query .token').filter({hasText: 'mat'}).first().click();
        await shown
            .nth(1)
            .locator('.token[aria-pressed="true"]')
            .filter({hasText: 'mat'})
            .first()
            .waitFor();
        assert.equal(await layer(1).inputValue(), '1', 'each keeps the layer it was made with');
        await layer(1).selectOption('0');
        await layer(1).selectOption('1');
        await eventually(async () => assert.equal(await layer(0).inputValue(), '1'));
        assert.deepEqual(outside, []);
    },
);

test('the saved notebook as a page of nbconvert', {skip, timeout: 3 * LIMIT}, async t => {
    const folder = lab.folder;
    execFileSync(PYTHON, ['-m', 'nbconvert', '--to', 'html', 'examples.ipynb'], {
        cwd: folder,
        stdio: 'ignore',
    });
    const {browser, context, outside} = await startBrowser();
    t.after(() => browser.close());
    const page = await context.newPage();
    await page.goto(`file://${folder}/examples.html`);
    const shown = await figures(page, 2);
    assert.equal((await numbersOf(shown.nth(0))).length, 8, 'a row for each query');
    // nbconvert's own template asks for these in every page
    assert.deepEqual(
        outside.filter(url => !/\/(require\.js|mathjax)\//.test(url)),
        [],
    );
});

test(
    'a widget: what Python sets is shown, what the reader chooses is read',
    {skip, timeout: 3 * LIMIT},
    async t => {
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        await lab.write('widget.ipynb', [
            BERT(),
            `from head_light import figure
w = figure(attention, tokens, heads=[0]).widget()
said = []
for name in ("layer", "heads", "token"):
    w.observe(lambda change: said.append(f"{change.name}={change.new}"), name)
w`,
            'w.layer, w.token = 1, 2',
            'print("now", w.layer, w.heads, w.token, " ".join(said))',
        ]);
        const page = await openNotebook(context, lab, 'widget.ipynb');
        await runAll(page);
        const cell = page.locator('.jp-CodeCell').nth(1);
        const there = {state: 'attached'};
        const layer = cell.locator('select[name="layer"]');
        await eventually(async () => assert.equal(await layer.inputValue(), '1'));
        const pressed = cell.locator('.token[aria-pressed="true"]');
        await pressed.filter({hasText: 'cat'}).first().waitFor(there);
        await layer.selectOption('0');
        await cell.locator('.chips button').nth(1).click();
        await cell.locator('.column.query .token').filter({hasText: 'mat'}).first().click();
        const last = page.locator('.jp-CodeCell').nth(3);
        await last.locator('.cm-content').click();
        // until what was chosen has come to Python
        await eventually(async () => {
            await page.keyboard.press('Control+Enter');
            await page.waitForTimeout(1000);
            assert.match(
                await last.innerText(),
                /now 0 \[0, 1\] 6 .*layer=0 .*heads=\[0, 1\] .*token=6/,
            );
        });
        assert.deepEqual(outside, []);
    },
);

test(
    "a model that the page runs: a folder's, and one of the hub",
    {skip, timeout: 3 * LIMIT},
    async t => {
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        const folder = resolve('models/mini2-en');
        /** @type {string[]} */
        const asked = [];
        const commit = 'a'.repeat(40);
        const headers = {'access-control-allow-origin': '*'};
        const siblings = readdirSync(folder).map(rfilename => ({
            rfilename,
            size: statSync(join(folder, rfilename)).size,
        }));
        await context.route(/^https:\/\/huggingface\.co\//, route => {
            const {pathname} = new URL(route.request().url());
            if (pathname.startsWith('/api/models/some/model/revision/'))
                return route.fulfill({json: {sha: commit, siblings}, headers});
            const name = pathname.replace(`/some/model/resolve/${commit}/`, '');
            asked.push(name);
            return route.fulfill({body: readFileSync(join(folder, name)), headers});
        });
        await lab.write('page.ipynb', [
            `import sys; sys.path.insert(0, ${JSON.stringify(STAGE)})\nfrom head_light import show`,
            `show(${JSON.stringify(folder)}, "The cat sat.", layer=1, heads=[2])`,
            'show("some/model", "The cat sat.", layer=1, heads=[2])',
        ]);
        const page = await openNotebook(context, lab, 'page.ipynb');
        await runAll(page);
        const shown = await figures(page, 2);
        const rows = await numbersOf(shown.nth(0));
        assert.ok(rows.length > 4 && rows.flat().includes('cat'), JSON.stringify(rows));
        assert.deepEqual(await numbersOf(shown.nth(1)), rows, 'the same model, the same numbers');
        assert.ok(asked.includes('config.json') && asked.includes('model.safetensors'), `${asked}`);
        await shown.nth(0).locator('.help').click();
        await shown.nth(0).getByText('mask it').waitFor();
        const before = await shown.nth(0).locator('.column.query .token').count();
        await shown.nth(0).locator('textarea').first().fill('The cat sat on the red mat.');
        await shown.nth(0).getByRole('button', {name: 'Show', exact: true}).click();
        await eventually(async () =>
            assert.ok((await shown.nth(0).locator('.column.query .token').count()) > before),
        );
        assert.deepEqual(outside, []);
    },
);
