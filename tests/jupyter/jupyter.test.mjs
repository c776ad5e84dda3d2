/* Figures in a real JupyterLab: BertViz's own examples with one import line changed, on tiny random
 * models; the saved notebook where it is not trusted, and as nbconvert's page; a widget from both sides.
 * No request leaves the machine. PYTHON names the interpreter; without what it takes, this is skipped.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {openNotebook, runAll, startBrowser, startLab} from './lab.mjs';

const PYTHON = process.env.PYTHON ?? 'python3';
const STAGE = resolve('build/out/wheel/stage');
const wanted = 'torch, transformers, jupyterlab, nbconvert, ipykernel, anywidget, numpy';
const has = () => {
    try {
        execFileSync(PYTHON, ['-c', `import ${wanted}`], {stdio: 'ignore'});
        return true;
    } catch {
        return false;
    }
};
const skip = has()
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
        {timeout: 60000},
    );
    return page.locator('.head-light-place');
};

/** The table of numbers of a figure, as rows of text. */
const numbersOf = async figure => {
    await figure.locator('details.numbers summary').click();
    await figure.locator('details.numbers tbody tr').first().waitFor();
    return figure
        .locator('details.numbers tbody tr')
        .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent)));
};

test('examples of BertViz, in JupyterLab', {skip, timeout: 300000}, async t => {
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

    await shown.nth(1).locator('input[name="part"][value="cross"]').check();
    const keys = shown.nth(1).locator('.column.key .token');
    await keys.filter({hasText: 'elephant'}).first().waitFor();
    assert.equal(
        await shown.nth(1).getByText('Find a head').count(),
        0,
        'of two texts, no measures',
    );
    await shown.nth(0).locator('input[name="view"][value="find"]').check();
    await shown.nth(0).locator('.figure svg, .figure canvas').first().waitFor();
    assert.deepEqual(outside, []);
    await page.keyboard.press('Control+s');
    await page.waitForTimeout(2000);
    const saved = readFileSync(join(lab.folder, 'examples.ipynb'), 'utf8');
    assert.equal(
        saved.split('id=\\"head-light-').filter(part => part.length > 200000).length,
        1,
        'one bundle',
    );
});

test(
    'the saved notebook: a still picture where it is not trusted',
    {skip, timeout: 120000},
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

test('the saved notebook as a page of nbconvert', {skip, timeout: 120000}, async t => {
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
    {skip, timeout: 300000},
    async t => {
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        await lab.write('widget.ipynb', [
            BERT(),
            'from head_light import figure\nw = figure(attention, tokens).widget()\nw',
            'w.layer = 1',
            'print("layer", w.layer, "heads", w.heads)',
        ]);
        const page = await openNotebook(context, lab, 'widget.ipynb');
        await runAll(page);
        const cell = page.locator('.jp-CodeCell').nth(1);
        await cell
            .locator('input[name="layer"][value="1"]:checked')
            .waitFor({state: 'attached', timeout: 60000});
        await cell.locator('input[name="layer"][value="0"]').check();
        const last = page.locator('.jp-CodeCell').nth(3);
        await page.waitForTimeout(1000);
        await last.locator('.cm-content').click();
        await page.keyboard.press('Control+Enter');
        await last.getByText('layer 0').waitFor({timeout: 20000});
        assert.deepEqual(outside, []);
    },
);
