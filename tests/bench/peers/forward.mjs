/* forward - milliseconds of a forward pass that delivers every attention map, in Chromium with one thread: Headlight, LiteRT.js and
 * onnxruntime-web on the same random weights. A fresh browser and page for each configuration, interleaved in rounds; the ratios are
 * those of one round. `node tests/bench/peers/forward.mjs [--models "base mini"] [--rounds 4] [--add] [--check] [--tree FOLDER]`
 * --add: to the rounds of earlier runs; --check: only compares the outputs; --tree: Headlight of another working tree.
 */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';
import {createStaticServer, listen} from '../../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../../browser/page.mjs';
import {root} from '../../js/lib/model.mjs';
import {drawIds, install, LENGTHS, MODELS, PEERS, prepare} from './prepare.mjs';
import {median, save} from './report.mjs';

const CHECK_LENGTH = 32;
const {values: asked} = parseArgs({options: {models: {type: 'string', default: MODELS.join(' ')}, rounds: {type: 'string', default: '4'},
    add: {type: 'boolean'}, check: {type: 'boolean'}, tree: {type: 'string', default: root}}});
const RAW = join(root, 'build/out/bench/peers/rounds.json');

/** Serves a folder with the headers of cross-origin isolation. */
async function serve(folder) {
    const server = createStaticServer(folder);
    const url = `http://127.0.0.1:${await listen(server, 20000 + Math.floor(Math.random() * 20000), () => {})}`;
    return {url, close() { server.closeAllConnections(); server.close(); }};
}

/** name -> [kind, options] of what is compared; those of f32 only serve the check. */
function configurations(model, tree) {
    const wasm = {plain: '/build/out/wasm/headlight.wasm', relaxed: '/build/out/wasm/headlight-relaxed.wasm'};
    const {folder} = model, ours = (file, precision, store = 'q8') => ['ours', {tree, wasm: wasm[file], folder, store, precision}];
    const relaxed = existsSync(join(asked.tree, wasm.relaxed));
    const timed = {
        ...relaxed ? {'Headlight fast': ours('relaxed', 'fast'), 'Headlight fine': ours('relaxed', 'fine')} : {},
        'Headlight fine, plain SIMD': ours('plain', 'fine'),
        'LiteRT.js q8': ['litert', {file: `${folder}%.tflite`, input: `${folder}embedded.f32`, hidden: model.hidden}],
        'onnxruntime-web q8': ['ort', {file: `${folder}q8.onnx`, layers: model.layers}],
    };
    const exact = {'onnxruntime-web f32': ['ort', {file: `${folder}f32.onnx`, layers: model.layers}],
        'Headlight f32': ours('plain', 'fine', 'f32')};
    return {timed, exact};
}

/** Calls a function of page.js in a fresh browser. */
async function inPage(url, name, ...args) {
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    try {
        const page = await browser.newPage();
        await page.goto(`${url}/tests/bench/peers/page.html`);
        if (!await page.evaluate(() => crossOriginIsolated)) throw new Error('the page is not cross-origin isolated');
        const value = await page.evaluate(async ([called, given]) => (await import('/tests/bench/peers/page.js'))[called](...given), [name, args]);
        return {value, version: browser.version()};
    } finally {
        await browser.close();
    }
}

/** How far each is from onnxruntime-web on f32. Those on f32 must agree; the others must be nearer to it than its rows are to even ones. */
async function check(url, name, {timed, exact}) {
    const ids = drawIds(CHECK_LENGTH);
    const maps = {};
    for (const [which, [kind, options]] of Object.entries({...exact, ...timed})) maps[which] = (await inPage(url, 'attention', kind, options, ids)).value;
    const truth = maps['onnxruntime-web f32'];
    const distance = map => {
        if (map.length !== truth.length) throw new Error(`${map.length} weights, not ${truth.length}`);
        const differences = map.map((value, i) => Math.abs(value - truth[i]));
        return {mean: differences.reduce((a, b) => a + b) / map.length, max: differences.reduce((a, b) => Math.max(a, b))};
    };
    const even = distance(truth.map(() => 1 / CHECK_LENGTH));
    console.log(`${name}, T = ${CHECK_LENGTH}: |difference| of attention to onnxruntime-web f32: mean, max`);
    const rows = {};
    for (const [which, map] of Object.entries({...maps, 'even attention': null})) {
        rows[which] = map ? distance(map) : even;
        console.log(`  ${which.padEnd(28)} ${rows[which].mean.toExponential(2)}  ${rows[which].max.toExponential(2)}`);
        const bar = which in exact ? 1e-6 : even.mean / 10;
        if (map && !(rows[which].mean <= bar)) throw new Error(`${which} computes another model: the mean difference may be ${bar}`);
    }
    return rows;
}

/** One round: every configuration has its turn, another one first each time. */
async function runRound(url, model, {timed}, round) {
    const names = Object.keys(timed), texts = LENGTHS.map(T => drawIds(T));
    const row = {};
    let browser = '';
    for (let i = 0; i < names.length; i++) {
        const which = names[(i + round) % names.length], [kind, options] = timed[which];
        const {value, version} = await inPage(url, 'time', kind, options, texts);
        browser = version;
        row[which] = value.map(times => ({median: median(times), min: Math.min(...times)}));
        console.log(`  ${which.padEnd(28)} ${row[which].map(({median: ms}) => ms.toFixed(2).padStart(8)).join(' ')}`);
    }
    return {browser, row};
}

/** Of all rounds: median of medians, minimum, and the median of the ratios to what leads the list. */
function summarise(rounds) {
    const names = Object.keys(rounds[0]), first = names[0];
    return names.map(which => ({name: which, ...Object.fromEntries(LENGTHS.map((T, t) => {
        const at = (round, key) => round[which][t][key];
        return [T, {median_ms: median(rounds.map(round => at(round, 'median'))), min_ms: Math.min(...rounds.map(round => at(round, 'min'))),
            ratio: median(rounds.map(round => at(round, 'median') / round[first][t].median)),
            min_ratio: Math.min(...rounds.map(round => at(round, 'min'))) / Math.min(...rounds.map(round => round[first][t].min))}];
    }))}));
}

function print(model, rows, rounds) {
    console.log(`\n${model}, ${rounds} rounds: ms, median (least); times the time of ${rows[0].name}, median (by least)\n`);
    console.log(`| | ${LENGTHS.map(T => `T = ${T}`).join(' | ')} |\n|---|${LENGTHS.map(() => '---|').join('')}`);
    for (const row of rows) {
        const cells = LENGTHS.map(T => {
            const {median_ms: ms, min_ms: least, ratio, min_ratio: leastRatio} = row[T], digits = least < 10 ? 2 : least < 100 ? 1 : 0;
            const times = row === rows[0] ? '' : `; ${ratio.toFixed(2)} (${leastRatio.toFixed(2)})`;
            return `${ms.toFixed(digits)} (${least.toFixed(digits)})${times}`;
        });
        console.log(`| ${row.name} | ${cells.join(' | ')} |`);
    }
}

install();
const server = await serve(root), tree = asked.tree === root ? server : await serve(asked.tree);
const raw = asked.add && existsSync(RAW) ? JSON.parse(readFileSync(RAW, 'utf8')) : {};
try {
    for (const name of asked.models.split(' ')) {
        const model = prepare(name), which = configurations(model, tree.url);
        raw[name] ??= {rounds: []};
        if (asked.check || !raw[name].check) raw[name].check = await check(server.url, name, which);
        for (let round = 0; !asked.check && round < Number(asked.rounds); round++) {
            console.log(`${name}, round ${raw[name].rounds.length + 1}, ms at T = ${LENGTHS.join(', ')}`);
            const {browser, row} = await runRound(server.url, model, which, raw[name].rounds.length);
            raw[name].rounds.push(row);
            raw.browser = browser;
        }
        mkdirSync(join(root, 'build/out/bench/peers'), {recursive: true});
        writeFileSync(RAW, JSON.stringify(raw));
    }
} finally {
    server.close();
    if (tree !== server) tree.close();
}
const models = Object.fromEntries(MODELS.filter(name => raw[name]?.rounds.length).map(name => {
    const rows = summarise(raw[name].rounds);
    print(name, rows, raw[name].rounds.length);
    return [name, {rounds: raw[name].rounds.length, check: raw[name].check, rows}];
}));
if (Object.keys(models).length) save('forward', raw.browser, {peers: PEERS, models});
