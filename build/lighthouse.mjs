#!/usr/bin/env node
/* lighthouse - measures the built site with Lighthouse, on a desktop and on a phone (slow network
 * and processor simulated, Lighthouse's defaults), served as GitHub Pages does: node
 * build/lighthouse.mjs [ROUNDS] [#STATE]. Prints the four figures and the times, keeps the reports
 * in build/out/lighthouse, and fails below LEAST. Lighthouse and what it brings (200 packages) are
 * installed there, apart from the packages that build and test.
 *
 * Lighthouse counts by the clock, so that whatever else the machine does counts as well. Hence the
 * browser goes before other programs where the system allows it (root on Linux), the median of some
 * rounds counts, and each round is judged a second time "by processor time": the same trace, in which
 * a task of the page's thread lasts as long as it had the processor. On an idle machine both are the
 * same. It is the second that must reach LEAST.
 */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {copyFile, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {promisify} from 'node:util';
import {createStaticServer, listen} from './serve.mjs';

const VERSION = '12.8.2';
const FOLDER = 'build/out/lighthouse';
const TOOL = `${FOLDER}/node_modules/lighthouse/cli/index.js`;
const CHROMIUM = `${FOLDER}/chromium.sh`;
const LEAST = 95;
const FORMS = {desktop: ['--preset=desktop'], phone: []};
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const TIMES = {
    'first-contentful-paint': 'first paint',
    'largest-contentful-paint': 'largest paint',
    'speed-index': 'speed index',
    'total-blocking-time': 'blocked',
    'cumulative-layout-shift': 'shift',
};
const run = promisify(execFile);
const readJson = async path => JSON.parse(await readFile(path, 'utf8'));

async function install() {
    await mkdir(FOLDER, {recursive: true});
    // Its processes share the processor as one group, which is put before all others.
    const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
    await writeFile(
        CHROMIUM,
        `#!/bin/sh\n{ echo -20 >/proc/self/autogroup; } 2>/dev/null\nexec ${chromium} "$@"\n`,
        {mode: 0o755},
    );
    if (existsSync(TOOL)) return;
    await writeFile(`${FOLDER}/package.json`, '{"private": true}');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['install', ...quiet, `lighthouse@${VERSION}`], {cwd: FOLDER});
}

/** @param {string} url @param {string} form @param {string} gathered a folder
 * @param {string} mode -GA: gather there, then judge; -A: judge what is there */
async function lighthouse(url, form, gathered, mode) {
    const report = `${gathered}/report.json`;
    const flags = ['--output=json', `--output-path=${report}`, '--quiet'];
    const chrome = '--chrome-flags=--headless=new --no-sandbox --disable-gpu';
    await run('node', [TOOL, url, ...FORMS[form], ...flags, chrome, `${mode}=${gathered}`], {
        env: {...process.env, CHROME_PATH: CHROMIUM},
        timeout: 300_000,
    });
    return readJson(report);
}

/** The trace with the clock of each thread's processor time within a task: what the task waited for
 * the processor is left out. Changes the events. @param {object[]} events of a trace */
function byProcessorTime(events) {
    const tasks = new Map(); // of each thread the one that began last
    for (const event of events.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))) {
        const thread = `${event.pid} ${event.tid}`;
        const task = tasks.get(thread);
        if (event.tts === undefined) continue;
        if (!task || event.ts >= task.end) {
            if (event.name.endsWith('RunTask') && event.tdur !== undefined)
                tasks.set(thread, {ts: event.ts, tts: event.tts, end: event.ts + event.dur});
        } else event.ts = task.ts + event.tts - task.tts;
        if (event.dur !== undefined && event.tdur !== undefined) event.dur = event.tdur;
    }
}

/** @param {string} gathered what a run left there @param {string} to an empty folder */
async function gatherByProcessorTime(gathered, to) {
    await mkdir(to, {recursive: true});
    for (const file of ['artifacts.json', 'defaultPass.devtoolslog.json'])
        await copyFile(`${gathered}/${file}`, `${to}/${file}`);
    const trace = await readJson(`${gathered}/defaultPass.trace.json`);
    byProcessorTime(trace.traceEvents);
    await writeFile(`${to}/defaultPass.trace.json`, JSON.stringify(trace));
}

const scoreOf = ({categories}, id) => Math.round(100 * categories[id].score);
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** The report whose performance is the middle one. */
const middle = reports =>
    reports.find(
        report =>
            scoreOf(report, 'performance') ===
            median(reports.map(each => scoreOf(each, 'performance'))),
    );

/** @param {string} name @param {object[]} reports @returns {object} the middle one */
function say(name, reports) {
    const report = middle(reports);
    const scores = CATEGORIES.map(id => `${id} ${scoreOf(report, id)}`).join('  ');
    const rounds = reports.map(each => scoreOf(each, 'performance')).join(', ');
    const times = Object.entries(TIMES).map(
        ([id, what]) => `${what} ${report.audits[id].displayValue}`,
    );
    console.log(`${name}\n    ${scores}  (performance of the rounds: ${rounds})`);
    console.log(`    ${times.join(', ')}`);
    return report;
}

/** @param {string} url @param {string} form @param {number} rounds
 * @returns {Promise<boolean>} whether all four are high enough */
async function measure(url, form, rounds) {
    const byClock = [];
    const byProcessor = [];
    for (let round = 1; round <= rounds; round++) {
        const gathered = `${FOLDER}/${form}-${round}`;
        const processor = `${gathered}-processor`;
        await rm(gathered, {recursive: true, force: true});
        await mkdir(gathered, {recursive: true});
        byClock.push(await lighthouse(url, form, gathered, '-GA'));
        await gatherByProcessorTime(gathered, processor);
        byProcessor.push(await lighthouse(url, form, processor, '-A'));
    }
    say(`${form}, by the clock`, byClock);
    const report = say(`${form}, by processor time`, byProcessor);
    console.log(`    the machine's speed by the clock: ${report.environment.benchmarkIndex}`);
    for (const {id, title, score, displayValue = ''} of Object.values(report.audits)) {
        if (score !== null && score < 0.9) console.log(`    - ${id}: ${title} ${displayValue}`);
    }
    return CATEGORIES.every(id => scoreOf(report, id) >= LEAST);
}

const rounds = Number(process.argv[2] ?? 3);
if (!(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`lighthouse: ${process.argv[2]} is no number of rounds`);
await install();
const server = createStaticServer('build/out/site', {isolation: false});
const url = `http://127.0.0.1:${await listen(server, 9400, () => {})}/${process.argv[3] ?? ''}`;
let passed = true;
for (const form of Object.keys(FORMS)) passed = (await measure(url, form, rounds)) && passed;
server.closeAllConnections();
server.close();
if (!passed) console.error(`lighthouse: a figure is below ${LEAST}; the reports are in ${FOLDER}`);
process.exitCode = passed ? 0 : 1;
