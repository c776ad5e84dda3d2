/* forward - milliseconds of a forward pass that delivers every attention map, in Chromium with one
 * thread: Headlight, LiteRT.js and onnxruntime-web on the same random weights. A fresh browser and
 * page for each configuration, interleaved in rounds. Besides the clock it reads what processor
 * time the page's thread has used (Linux), which other work on the machine disturbs least. Usage:
 * `node tests/bench/peers/forward.mjs [--models "base mini"] [--rounds 4] [--lengths "16 128 512"]
 * [--add] [--check] [--tree FOLDER]` --add: to the rounds of earlier runs, of the same lengths;
 * --check: only compares the outputs; --tree: Headlight of another working tree.
 */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {chromium} from 'playwright-core';
import {anyPort, createStaticServer, listen} from '../../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../../browser/page.mjs';
import {root} from '../../js/lib/model.mjs';
import {drawIds, install, LENGTHS as ALL_LENGTHS, MODELS, PEERS, prepare} from './prepare.mjs';
import {median, save} from './report.mjs';

const CHECK_LENGTH = 32,
    WARM_FIRST_MS = 2500,
    WARM_MS = 500,
    PASSES_MS = 400;
const {values: asked} = parseArgs({
    options: {
        models: {type: 'string', default: MODELS.join(' ')},
        rounds: {type: 'string', default: '4'},
        lengths: {type: 'string', default: ALL_LENGTHS.join(' ')},
        add: {type: 'boolean'},
        check: {type: 'boolean'},
        tree: {type: 'string', default: root},
    },
});
const LENGTHS = asked.lengths.split(' ').map(Number);
const RAW = join(root, `build/out/bench/peers/rounds-${asked.models.replace(' ', '-')}.json`);

/** Serves a folder with the headers of cross-origin isolation. */
async function serve(folder) {
    const server = createStaticServer(folder);
    const url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}`;
    return {
        url,
        close() {
            server.closeAllConnections();
            server.close();
        },
    };
}

/** name -> [kind, options] of what is compared; those of f32 only serve the check. */
function configurations(model, tree) {
    const wasm = {
        plain: '/build/out/wasm/headlight.wasm',
        relaxed: '/build/out/wasm/headlight-relaxed.wasm',
    };
    const {folder} = model,
        ours = (file, precision, store = 'q8') => [
            'ours',
            {tree, wasm: wasm[file], folder, store, precision},
        ];
    const relaxed = existsSync(join(asked.tree, wasm.relaxed));
    const timed = {
        ...(relaxed
            ? {'Headlight fast': ours('relaxed', 'fast'), 'Headlight fine': ours('relaxed', 'fine')}
            : {}),
        'Headlight fine, plain SIMD': ours('plain', 'fine'),
        'LiteRT.js q8': [
            'litert',
            {file: `${folder}%.tflite`, input: `${folder}embedded.f32`, hidden: model.hidden},
        ],
        'onnxruntime-web q8': ['ort', {file: `${folder}q8.onnx`, layers: model.layers}],
    };
    const exact = {
        'onnxruntime-web f32': ['ort', {file: `${folder}f32.onnx`, layers: model.layers}],
        'Headlight f32': ours('plain', 'fine', 'f32'),
    };
    return {timed, exact};
}

/** A fresh browser with an engine open in a page of its own; call: a function of page.js, cpu: what
 * the page's thread has used, ms. */
async function openPage(url, [kind, options]) {
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    const page = await browser.newPage();
    await page.goto(`${url}/tests/bench/peers/page.html`);
    if (!(await page.evaluate(() => crossOriginIsolated)))
        throw new Error('the page is not cross-origin isolated');
    const call = (name, ...args) =>
        page.evaluate(
            async ([called, given]) =>
                (await import('/tests/bench/peers/page.js'))[called](...given),
            [name, args],
        );
    await call('open', kind, options);
    const {processInfo} = await (
        await browser.newBrowserCDPSession()
    ).send('SystemInfo.getProcessInfo');
    // all but the page's are idle
    const renderers = processInfo.filter(({type}) => type === 'renderer');
    const used = () =>
        renderers.reduce(
            (sum, {id}) =>
                sum +
                Number(readFileSync(`/proc/${id}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
            0,
        );
    return {
        call,
        cpu: () => used() / 1e6,
        version: browser.version(),
        close: () => browser.close(),
    };
}

/** How far each is from onnxruntime-web on f32. Those on f32 must agree; the others must be nearer
 * to it than its rows are to even ones. */
async function check(url, name, {timed, exact}) {
    const ids = drawIds(CHECK_LENGTH);
    const maps = {};
    for (const [which, how] of Object.entries({...exact, ...timed})) {
        const page = await openPage(url, how);
        maps[which] = await page.call('attention', ids);
        await page.close();
    }
    const truth = maps['onnxruntime-web f32'];
    const distance = map => {
        if (map.length !== truth.length)
            throw new Error(`${map.length} weights, not ${truth.length}`);
        const differences = map.map((value, i) => Math.abs(value - truth[i]));
        return {
            mean: differences.reduce((a, b) => a + b) / map.length,
            max: differences.reduce((a, b) => Math.max(a, b)),
        };
    };
    const even = distance(truth.map(() => 1 / CHECK_LENGTH));
    console.log(
        `${name}, T = ${CHECK_LENGTH}: |difference| of attention to onnxruntime-web f32: mean, max`,
    );
    const rows = {};
    for (const [which, map] of Object.entries({...maps, 'uniform attention': null})) {
        rows[which] = map ? distance(map) : even;
        console.log(
            `  ${which.padEnd(28)} ${rows[which].mean.toExponential(2)}  ${rows[which].max.toExponential(2)}`,
        );
        const bar = which in exact ? 1e-6 : even.mean / 10;
        if (map && !(rows[which].mean <= bar))
            throw new Error(`${which} computes another model: the mean difference may be ${bar}`);
    }
    return rows;
}

/** Of each length: milliseconds of a pass by the clock, median and least, and the processor's time
 * of the page's thread a pass. */
async function timeLengths(page) {
    const row = [];
    for (const [t, T] of LENGTHS.entries()) {
        await page.call('prepare', drawIds(T), t ? WARM_MS : WARM_FIRST_MS);
        const before = page.cpu(),
            times = await page.call('passes', PASSES_MS);
        row.push({
            cpu: (page.cpu() - before) / times.length,
            median: median(times),
            min: Math.min(...times),
        });
    }
    return row;
}

/** One round: every configuration has its turn, another one first each time. */
async function runRound(url, {timed}, round) {
    const names = Object.keys(timed),
        row = {};
    let browser = '';
    for (let i = 0; i < names.length; i++) {
        const which = names[(i + round) % names.length];
        const page = await openPage(url, timed[which]);
        row[which] = await timeLengths(page);
        browser = page.version;
        await page.close();
        console.log(
            `  ${which.padEnd(28)} ${row[which].map(({cpu, min}) => `${cpu.toFixed(2)} (${min.toFixed(2)})`.padStart(17)).join(' ')}`,
        );
    }
    return {browser, row};
}

/** Of all rounds: medians and minima, and the ratios to what leads the list: of processor time the
 * median over the rounds, of the clock by minima. */
function summarise(rounds) {
    const names = Object.keys(rounds[0]),
        first = names[0];
    return names.map(which => ({
        name: which,
        ...Object.fromEntries(
            LENGTHS.map((T, t) => {
                const all = (key, name = which) => rounds.map(round => round[name][t][key]),
                    least = (key, name) => Math.min(...all(key, name));
                return [
                    T,
                    {
                        cpu_ms: median(all('cpu')),
                        cpu_min_ms: least('cpu'),
                        median_ms: median(all('median')),
                        min_ms: least('min'),
                        ratio: median(all('cpu').map((ms, i) => ms / all('cpu', first)[i])),
                        min_ratio: least('min') / least('min', first),
                    },
                ];
            }),
        ),
    }));
}

function print(model, rows, rounds) {
    console.log(
        `\n${model}, ${rounds} rounds: processor ms a pass, median (least by the clock); ratio to ${rows[0].name}, median (of the least)\n`,
    );
    console.log(
        `| | ${LENGTHS.map(T => `T = ${T}`).join(' | ')} |\n|---|${LENGTHS.map(() => '---|').join('')}`,
    );
    for (const row of rows) {
        const cells = LENGTHS.map(T => {
            const {cpu_ms: ms, min_ms: least, ratio, min_ratio: leastRatio} = row[T],
                digits = least < 10 ? 2 : least < 100 ? 1 : 0;
            const times = row === rows[0] ? '' : `; ${ratio.toFixed(2)} (${leastRatio.toFixed(2)})`;
            return `${ms.toFixed(digits)} (${least.toFixed(digits)})${times}`;
        });
        console.log(`| ${row.name} | ${cells.join(' | ')} |`);
    }
}

install();
const server = await serve(root),
    tree = asked.tree === root ? server : await serve(asked.tree);
const raw = asked.add && existsSync(RAW) ? JSON.parse(readFileSync(RAW, 'utf8')) : {};
const keep = () => writeFileSync(RAW, JSON.stringify(raw));
try {
    for (const name of asked.models.split(' ')) {
        const model = prepare(name),
            which = configurations(model, tree.url);
        raw[name] ??= {rounds: []};
        if (asked.check || !raw[name].check) raw[name].check = await check(server.url, name, which);
        keep();
        for (let round = 0; !asked.check && round < Number(asked.rounds); round++) {
            console.log(
                `${name}, round ${raw[name].rounds.length + 1}, processor ms a pass (least by the clock) at T = ${LENGTHS.join(', ')}`,
            );
            const {browser, row} = await runRound(server.url, which, raw[name].rounds.length);
            raw[name].rounds.push(row);
            raw.browser = browser;
            keep();
        }
    }
} finally {
    server.close();
    if (tree !== server) tree.close();
}
const models = Object.fromEntries(
    asked.models
        .split(' ')
        .filter(name => raw[name]?.rounds.length)
        .map(name => {
            const rows = summarise(raw[name].rounds);
            print(name, rows, raw[name].rounds.length);
            return [name, {rounds: raw[name].rounds.length, check: raw[name].check, rows}];
        }),
);
for (const [name, figures] of Object.entries(models))
    save(`forward_${name}`, raw.browser, {peers: PEERS, ...figures});
