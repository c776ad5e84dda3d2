/* The figure of a notebook, in a page that the Python package has saved: layer, heads and help in one row above the
 * picture, all of it in one screen; more at a press. Needs python3 with NumPy (the wheel is made by make test-python).
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {test} from 'node:test';
import {until, useSite} from './page.mjs';

const site = useSite();
const PYTHON = process.env.PYTHON ?? 'python3';
const stage = resolve('build/out/wheel/stage');
const skip =
    (!existsSync(stage) && 'make wheel has not been run') ||
    (spawnSync(PYTHON, ['-c', 'import numpy']).status !== 0 && `${PYTHON} has no NumPy`);

const FIGURE = `
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from head_light import figure
from head_light.figures import attention_figure
tokens = "[CLS] the animal didn ' t cross the street because it was too tired . [SEP]".split()
rows = np.random.default_rng(0).dirichlet(np.full(16, 0.2), size=(6, 12, 16)).astype(np.float32)
lengths = np.zeros((12, 16), np.float32)
lengths[:, 2] = 3  # nothing but "animal" is moved
if sys.argv[3:]:
    more = {f"lengths.{i}": lengths for i in range(6)}
    attention_figure({"encoder": rows}, {"tokens": tokens}, view="heatmap", layer=1, more=more).save(sys.argv[2])
else:
    figure([layer[None] for layer in rows], tokens).save(sys.argv[2])
`;

/** The figure in a page. @param {string[]} more */
async function opened(...more) {
    const path = join(mkdtempSync(join(tmpdir(), 'notebook-')), 'figure.html');
    execFileSync(PYTHON, ['-c', FIGURE, stage, path, ...more]);
    const page = await site.open({hash: '', width: 900, ready: false});
    await page.goto(`file://${path}`);
    return page;
}

test(
    '16 tokens and 12 heads within 500 px; help, more controls and another view at a press',
    {skip},
    async () => {
        const page = await opened();
        await page.locator('.token').first().waitFor();
        const height = () =>
            page
                .locator('.box.live')
                .evaluate(box => Math.round(box.getBoundingClientRect().height));
        await until(height, now => now > 400 && now <= 500, 'one screen');
        const row = await page.locator('.cell-row').boundingBox();
        assert.ok(row.height <= 40, `${row.height} px of controls`);
        await page.locator('select[name="layer"]').selectOption('3');
        await page
            .locator('.cell-row .chip')
            .nth(2)
            .click({modifiers: ['Shift']});
        await until(() => page.locator('.chip[aria-pressed="true"]').count(), 1, 'one head');
        const numbers = page.locator('details.numbers');
        assert.equal(await numbers.count(), 0);
        await page.getByRole('button', {name: 'More'}).click();
        await numbers.waitFor();
        assert.ok(await page.getByText('Rollout').isVisible());
        await page.getByRole('button', {name: 'How to read this picture'}).click();
        await until(() => page.locator('.how').allTextContents(), /A line runs from/, 'help');
        assert.equal(await numbers.count(), 0, 'in its place');
        await page.locator('select[name="view"]').selectOption('heatmap');
        await page.locator('.heatmap-view').waitFor();
        assert.equal(await page.locator('select[name="layer"]').inputValue(), '3');
    },
);

test('what heads move, where lengths were sent along: by a press, and back', {skip}, async () => {
    const page = await opened('lengths');
    const moved = page.getByRole('radio', {name: 'Moved', exact: true});
    await page.locator('.heatmap-view').waitFor();
    await page.getByRole('button', {name: 'More'}).click();
    const told = () => page.locator('.heatmap-view').innerText();
    assert.doesNotMatch(await told(), /animal 2: 1\.0/);
    await moved.check();
    await until(told, /looks at\s+animal\s+2: 1\.0/, 'its share is all there is');
    assert.ok(await moved.isChecked());
    assert.equal(await page.getByRole('radio', {name: 'Together'}).count(), 0);
    await page.locator('select[name="view"]').selectOption('model');
    await until(() => page.locator('.model-view').count(), 1, 'the model view');
    await until(() => page.locator('.box.live').innerText(), /Moved \(share\)/, 'of the same');
    await page.getByRole('radio', {name: 'Weight', exact: true}).check();
    await until(
        async () => /Moved \(share\)/.test(await page.locator('.box.live').innerText()),
        false,
        'weights',
    );
});
