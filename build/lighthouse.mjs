#!/usr/bin/env node
/* lighthouse - measures the built site with Lighthouse, on a desktop and on a phone (slow network
 * and processor simulated), served as GitHub Pages does; prints the four figures and the times,
 * writes the reports to build/out/lighthouse, and fails below LEAST. Lighthouse and what it brings
 * (200 packages) are installed there, apart from the packages that build and test.
 */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {promisify} from 'node:util';
import {createStaticServer, listen} from './serve.mjs';

const VERSION = '12.8.2';
const FOLDER = 'build/out/lighthouse';
const TOOL = `${FOLDER}/node_modules/lighthouse/cli/index.js`;
const LEAST = 95;
const FORMS = {desktop: ['--preset=desktop'], phone: []};
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const TIMES = {
    'first-contentful-paint': 'first paint',
    'largest-contentful-paint': 'largest paint',
    'total-blocking-time': 'blocked',
    'cumulative-layout-shift': 'shift',
    'total-byte-weight': 'bytes',
};
const run = promisify(execFile);

async function install() {
    if (existsSync(TOOL)) return;
    await mkdir(FOLDER, {recursive: true});
    await writeFile(`${FOLDER}/package.json`, '{"private": true}');
    await run(
        'npm',
        [
            'install',
            '--ignore-scripts',
            '--no-audit',
            '--no-fund',
            '--loglevel=error',
            `lighthouse@${VERSION}`,
        ],
        {cwd: FOLDER},
    );
}

/** @param {string} url @param {string} form
 * @returns {Promise<boolean>} whether all four are high enough */
async function measure(url, form) {
    const report = `${FOLDER}/${form}.json`;
    await run(
        'node',
        [
            TOOL,
            url,
            ...FORMS[form],
            '--output=json',
            `--output-path=${report}`,
            '--quiet',
            '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
        ],
        {env: {...process.env, CHROME_PATH: process.env.CHROMIUM ?? '/usr/bin/chromium'}},
    );
    const {categories, audits} = JSON.parse(await readFile(report, 'utf8'));
    const scores = CATEGORIES.map(id => Math.round(100 * categories[id].score));
    console.log(`${form.padEnd(8)} ${CATEGORIES.map((id, i) => `${id} ${scores[i]}`).join('  ')}`);
    console.log(
        `         ${Object.entries(TIMES)
            .map(([id, name]) => `${name} ${audits[id].displayValue}`)
            .join(', ')}`,
    );
    for (const audit of Object.values(audits)) {
        if (audit.score !== null && audit.score < 0.9)
            console.log(`         - ${audit.id}: ${audit.title} ${audit.displayValue ?? ''}`);
    }
    return scores.every(score => score >= LEAST);
}

await install();
const server = createStaticServer('build/out/site', {isolation: false});
const url = `http://127.0.0.1:${await listen(server, 9400, () => {})}/`;
let passed = true;
for (const form of Object.keys(FORMS)) passed = (await measure(url, form)) && passed;
server.closeAllConnections();
server.close();
if (!passed) console.error(`lighthouse: a figure is below ${LEAST}; the reports are in ${FOLDER}`);
process.exitCode = passed ? 0 : 1;
