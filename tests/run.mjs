#!/usr/bin/env node
/* run - runs suites of tests: all of them to the end, and what fails by chance is seen and stops nobody.
 *
 *     node tests/run.mjs SUITE [--at-once N] [--only PATTERN] [--patience SECONDS] FILE... [--alone FILE...]
 *     node tests/run.mjs --all TARGET...
 *
 * Of a suite each file is run by Node's own runner, N (1) at a time, those with most bytes first, since the last one to end
 * decides how long all take; those after --alone when nothing else runs. A file that fails is run once more, whole
 * and alone. If it passes then it is flaky: a line `flaky: FILE: TEST (error)` says so, a defect of the first rank. What
 * fails twice, or more than MOST_FLAKY flaky files, is a failure. --only: tests whose names fit. --patience: a file that
 * has not ended by then (PATIENCE) hangs, as when a browser never answers, and has failed: nobody waits for ever.
 *
 * --all runs targets of the Makefile one after the other, also after one that failed, and ends with what failed, the
 * flaky lines (also in build/out/test/flaky.txt) and a closing line for each suite.
 */
import {spawnSync} from 'node:child_process';
import {
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {run} from 'node:test';
import {tap} from 'node:test/reporters';

const OUT = 'build/out/test';
const RESULTS = `${OUT}/suites`; // a file a suite, for --all
const MOST_FLAKY = 3; // files
const PATIENCE = 600; // seconds; the longest file takes 210

/** @typedef {{file: string, passed: number, skipped: number, failures: {test: string, error: string}[]}} Done
 * @typedef {{suite: string, passed: number, failed: number, skipped: number, failures: string[], flaky: string[]}} Result */

/** @param {unknown} error of node:test, which wraps the one that was thrown */
const firstLine = error =>
    String(/** @type {any} */ (error)?.cause?.message ?? error)
        .trim()
        .split('\n')[0];

/** @typedef {{only: string, patience: number}} How */

/** One file, in a process of its own; what it says is printed when it ends. @param {string} file
 * @param {How} how @returns {Promise<Done>} */
async function runFile(file, {only, patience}) {
    const done = {file, passed: 0, skipped: 0, failures: /** @type {Done['failures']} */ ([])};
    const stream = run({
        files: [resolve(file)],
        concurrency: 1,
        timeout: 1000 * patience,
        ...(only && {testNamePatterns: [new RegExp(only)]}),
    });
    stream.on('test:pass', ({skip, details}) => {
        if (details?.type !== 'suite') done[skip === undefined ? 'passed' : 'skipped']++;
    });
    stream.on('test:fail', ({name, details}) => {
        done.failures.push({test: name, error: firstLine(details?.error)});
    });
    const said = [];
    for await (const part of stream.compose(tap)) said.push(part);
    process.stdout.write(said.join(''));
    return done;
}

/** Files by size, several at a time. @param {string[]} files @param {number} atOnce @param {How} how */
async function runFiles(files, atOnce, how) {
    const bySize = [...files].sort((a, b) => statSync(b).size - statSync(a).size);
    const all = /** @type {Done[]} */ ([]);
    const work = async () => {
        for (let file; (file = bySize.shift());) all.push(await runFile(file, how));
    };
    await Promise.all(Array.from({length: atOnce}, work));
    return all;
}

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((all, one) => all + one, 0);
const closing = (/** @type {Result} */ {suite, passed, failed, skipped}) =>
    `${suite}: ${passed} passed, ${failed} failed, ${skipped} skipped`;

/** Also what is no file of tests: a target of make that failed. @param {string[]} failures @param {string[]} flaky */
function sayEnd(failures, flaky) {
    for (const one of failures) console.log(`failed: ${one}`);
    for (const one of flaky) console.log(`flaky: ${one}`);
    if (flaky.length > MOST_FLAKY)
        console.log(`failed: ${flaky.length} flaky files, more than ${MOST_FLAKY}`);
    return failures.length > 0 || flaky.length > MOST_FLAKY ? 1 : 0;
}

/** What tests and browsers leave in the system's folder of temporary files goes when the suite ends. */
function ownTemporary() {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-tests-'));
    process.env.TMPDIR = folder;
    process.on('exit', () => rmSync(folder, {recursive: true, force: true, maxRetries: 5}));
}

/** @param {string} suite @param {How & {atOnce: number, files: string[], alone: string[]}} asked */
async function runSuite(suite, {atOnce, files, alone, ...how}) {
    ownTemporary();
    const first = [...(await runFiles(files, atOnce, how)), ...(await runFiles(alone, 1, how))];
    const flaky = [];
    const last = [];
    for (const done of first) {
        const again = done.failures.length ? await runFile(done.file, how) : done;
        const [{test, error} = {test: '', error: ''}] = done.failures;
        if (again !== done && !again.failures.length)
            flaky.push(`${done.file}: ${test} (${error})`);
        last.push(again);
    }
    const result = {
        suite,
        passed: sum(last.map(({passed}) => passed)),
        failed: sum(last.map(({failures}) => failures.length)),
        skipped: sum(last.map(({skipped}) => skipped)),
        failures: last.flatMap(({file, failures}) =>
            failures.map(({test, error}) => `${file}: ${test} (${error})`),
        ),
        flaky,
    };
    mkdirSync(RESULTS, {recursive: true});
    writeFileSync(`${RESULTS}/${suite}.json`, JSON.stringify(result));
    const code = sayEnd(result.failures, flaky);
    console.log(closing(result));
    return code;
}

/** @param {string[]} targets */
function runTargets(targets) {
    rmSync(RESULTS, {recursive: true, force: true});
    const ended = targets.map(target => ({
        target,
        code: spawnSync('make', ['--no-print-directory', target], {stdio: 'inherit'}).status,
    }));
    mkdirSync(RESULTS, {recursive: true});
    const results = readdirSync(RESULTS).map(name =>
        JSON.parse(readFileSync(`${RESULTS}/${name}`, 'utf8')),
    );
    const flaky = results.flatMap(one => one.flaky);
    writeFileSync(`${OUT}/flaky.txt`, flaky.map(line => `${line}\n`).join(''));
    const failed = ended.filter(({code}) => code !== 0).map(({target}) => `make ${target}`);
    const code = sayEnd([...failed, ...results.flatMap(one => one.failures)], flaky);
    for (const one of results) console.log(closing(one));
    return code;
}

/** @param {string[]} given */
function read([suite, ...given]) {
    const asked = {atOnce: 1, only: '', patience: PATIENCE, files: [], alone: []};
    let list = /** @type {string[]} */ (asked.files);
    for (let i = 0; i < given.length; i++) {
        if (given[i] === '--at-once') asked.atOnce = Number(given[++i]);
        else if (given[i] === '--only') asked.only = given[++i];
        else if (given[i] === '--patience') asked.patience = Number(given[++i]);
        else if (given[i] === '--alone') list = asked.alone;
        else list.push(given[i]);
    }
    return {suite, asked};
}

const given = process.argv.slice(2);
const {suite, asked} = read(given);
if (!suite || (suite !== '--all' && !asked.files.length)) {
    console.error('run: node tests/run.mjs SUITE FILE... or node tests/run.mjs --all TARGET...');
    process.exit(2);
}
process.exitCode = suite === '--all' ? runTargets(given.slice(1)) : await runSuite(suite, asked);
