#!/usr/bin/env node
/* notebook - the time from the call in a cell to the first line of its head view in JupyterLab: Headlight
 * and BertViz in turns, each in a notebook of its own, on random attention of 12 layers and 12 heads.
 * PYTHON: an interpreter with what tests/jupyter takes, and bertviz; ROUNDS (5). The clock is the machine's,
 * of both kernel and page. BertViz's first script is on the page before the call: without, its figure may
 * come before that script, and then shows nothing.
 */
import {cpus, loadavg} from 'node:os';
import {resolve} from 'node:path';
import {hasScripts, REQUIRE, serveScripts} from '../jupyter/bertviz.mjs';
import {openNotebook, runAll, startBrowser, startLab} from '../jupyter/lab.mjs';

const PYTHON = process.env.PYTHON ?? 'python3';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const stage = JSON.stringify(resolve('build/out/wheel/stage'));

const setup = (from, tokens) => `import sys, time, torch; sys.path.insert(0, ${stage})
from ${from} import head_view
torch.manual_seed(0)
attention = [torch.softmax(4 * torch.randn(1, 12, ${tokens}, ${tokens}), -1) for _ in range(12)]
tokens = [f"t{i}" for i in range(${tokens})]`;
const early = `from IPython.display import HTML, display\ndisplay(HTML(${JSON.stringify(REQUIRE)}))`;
const CALL = 'print("CALLED", time.time())\nhead_view(attention, tokens)';

/** Notes when the first line is there, of either package. */
const watch = () => {
    const painted = canvas => {
        const {width, height} = canvas;
        if (!width || !height) return false;
        const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
        return data.some((value, i) => i % 4 === 3 && value > 0);
    };
    const isThere = () =>
        document.querySelector('.jp-OutputArea-output svg line') !== null ||
        [...document.querySelectorAll('.head-light-place > div')].some(({shadowRoot}) =>
            [...(shadowRoot?.querySelectorAll('.figure canvas') ?? [])].some(painted),
        );
    const look = () => {
        if (isThere()) window.firstLine = Date.now();
        else requestAnimationFrame(look);
    };
    look();
};

async function measured(lab, from, tokens, name) {
    const {browser, context} = await startBrowser();
    try {
        await serveScripts(context);
        await lab.write(name, [
            from === 'bertviz' ? `${setup(from, tokens)}\n${early}` : setup(from, tokens),
            CALL,
        ]);
        const page = await openNotebook(context, lab, name);
        await page.evaluate(watch);
        await runAll(page);
        await page.waitForFunction(() => window.firstLine, null, {timeout: 120000});
        const said = await page.locator('.jp-CodeCell').nth(1).innerText();
        const called = Number(/CALLED (\S+)/.exec(said)?.[1]) * 1000;
        return (await page.evaluate(() => window.firstLine)) - called;
    } finally {
        await browser.close();
    }
}

if (!hasScripts()) throw new Error('BertViz takes scripts from npm, which cannot be had here');
const lab = await startLab(PYTHON);
console.log(`${cpus()[0].model}, ${cpus().length} cores`);
try {
    for (const tokens of [64, 128]) {
        const times = {head_light: [], bertviz: []};
        for (let round = 0; round < ROUNDS; round++)
            for (const from of Object.keys(times))
                times[from].push(
                    await measured(lab, from, tokens, `${from}-${tokens}-${round}.ipynb`),
                );
        for (const [from, all] of Object.entries(times)) {
            const sorted = all.map(Math.round).sort((a, b) => a - b);
            const median = sorted[Math.floor(sorted.length / 2)];
            console.log(`${tokens} tokens, ${from}: ${median} ms (${sorted.join(', ')})`);
        }
        console.log(`load ${loadavg()[0].toFixed(1)}`);
    }
} finally {
    await lab.close();
}
