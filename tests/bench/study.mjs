/* study - measures studies in the page: seconds for 1,000 sentences of UD English-EWT test on
 * mini-en (bar: 60 s), and the memory of the browser's page over 10,000 sentences of EWT train
 * (bar: flat once all workers have begun). Usage: node tests/bench/study.mjs [study, roles] [folder
 * of en_ewt]. Needs the built site and Chromium; Linux only (/proc).
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {startSite} from '../browser/page.mjs';

const [
    study = 'roles',
    data = new URL('../../../shared/data/ud/en_ewt', import.meta.url).pathname,
] = process.argv.slice(2);
const MB = 2 ** 20;
const BAR_SECONDS = 60;
const BAR_GROWTH = 1.1; // of the second half against the first
const SAMPLE_MS = 250;

/** pid -> [parent, command line] of every process. */
function processes() {
    const found = new Map();
    for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
        try {
            const parent = Number(
                readFileSync(`/proc/${pid}/stat`, 'utf8')
                    .replace(/^.*\)/s, '')
                    .trim()
                    .split(' ')[1],
            );
            found.set(Number(pid), [parent, readFileSync(`/proc/${pid}/cmdline`, 'utf8')]);
        } catch {
            // It has ended meanwhile.
        }
    }
    return found;
}

/** Bytes that the pages of our own browser have resident. */
function rendererBytes() {
    const all = processes();
    const isOurs = pid => {
        for (let at = pid; at > 1; at = all.get(at)?.[0] ?? 0) if (at === process.pid) return true;
        return false;
    };
    let bytes = 0;
    for (const [pid, [, line]] of all) {
        if (!line.includes('--type=renderer') || !isOurs(pid)) continue;
        const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
        bytes += resident ? Number(resident[1]) * 1024 : 0;
    }
    return bytes;
}

/** Runs the study on a corpus: seconds from the press to the results, and the memory along the way.
 */
async function measure(site, file, limit) {
    const page = await site.open({hash: '#desk=corpus', ready: false});
    await page.waitForSelector('.study-facts');
    await page.setInputFiles('.corpus-acts input[type="file"]', file);
    while (!/\(yours\)/.test(await page.locator('#corpus option:checked').textContent()))
        await page.waitForTimeout(50);
    await page.check(`.study-list input[value="${study}"]`);
    await page.selectOption('#limit', String(limit));
    const start = performance.now();
    await page.click('.run-row .main');
    const samples = [];
    let done = false;
    const finished = page
        .waitForSelector('.study-results .study-view', {timeout: 600000})
        .then(() => {
            done = true;
        });
    while (!done) {
        const share = await page.evaluate(() =>
            document
                .querySelector('.study-progress [role="progressbar"]')
                ?.getAttribute('aria-valuenow'),
        );
        if (share) samples.push({share: Number(share), bytes: rendererBytes()});
        await Promise.race([
            finished,
            new Promise(next => {
                setTimeout(next, SAMPLE_MS);
            }),
        ]);
    }
    const seconds = (performance.now() - start) / 1000;
    console.log(`  ${(await page.textContent('.study-results > .hint')).trim()}`);
    await page.context().close();
    // the bar of the model came before
    const loaded = samples.findLastIndex(({share}, i) => i > 0 && share < samples[i - 1].share);
    return {seconds, samples: samples.slice(Math.max(0, loaded))};
}

const file = name => {
    const path = join(data, name);
    if (!existsSync(path))
        throw new Error(
            `${path} is missing; give the folder of UD English-EWT as the second argument`,
        );
    return path;
};

const site = await startSite();
try {
    console.log(`${study}, 1,000 sentences of EWT test on mini-en, in the page`);
    const {seconds} = await measure(site, file('en_ewt-ud-test.conllu'), 1000);
    console.log(`  ${seconds.toFixed(1)} s (bar ${BAR_SECONDS} s)`);
    console.log(`${study}, 10,000 sentences of EWT train`);
    const long = await measure(site, file('en_ewt-ud-train.rebuilt.conllu'), 10000);
    const peak = (low, high) =>
        Math.max(
            ...long.samples
                .filter(({share}) => share >= low && share < high)
                .map(({bytes}) => bytes),
        );
    const [first, second] = [peak(10, 50), peak(50, 101)];
    for (const at of [10, 30, 50, 70, 90]) {
        const sample = long.samples.find(({share}) => share >= at);
        if (sample)
            console.log(
                `  at ${String(sample.share).padStart(3)} %: ${(sample.bytes / MB).toFixed(0)} MB`,
            );
    }
    console.log(
        `  ${long.seconds.toFixed(1)} s; peak of the first half ${(first / MB).toFixed(0)} MB, of the second ${(second / MB).toFixed(0)} MB`,
    );
    if (seconds > BAR_SECONDS || second > BAR_GROWTH * first) process.exitCode = 1;
} finally {
    await site.close();
}
