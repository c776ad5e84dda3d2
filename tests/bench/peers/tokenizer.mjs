/* tokenizer - Headlight's tokenizer (wasm) against @huggingface/tokenizers (JavaScript), in one
 * page of Chromium, in turns, on English paragraphs with the vocabulary of bert-base-uncased; the
 * ids must be the same. Skipped without the shared data. `node tests/bench/peers/tokenizer.mjs
 * [MEGABYTES] [ROUNDS]`
 */
import {execSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {anyPort, createStaticServer, listen} from '../../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../../browser/page.mjs';
import {root, shared} from '../../js/lib/model.mjs';
import {install} from './prepare.mjs';
import {median, save} from './report.mjs';

const BAR = 10;
const MB = 1e6;
const [megabytes = '2', rounds = '7'] = process.argv.slice(2);
const corpus = join(shared, 'corpus/en.txt.xz'),
    vocabulary = join(shared, 'data/vocab/bert-base-uncased/tokenizer.json');

async function main() {
    install(['@huggingface/tokenizers']);
    const bytes = Number(megabytes) * MB;
    const lines = execSync(`xz -dc ${corpus} 2>/dev/null | head -c ${bytes}`, {
        encoding: 'utf8',
        maxBuffer: 2 * bytes,
    }).split('\n');
    const texts = lines.slice(0, -1).filter(line => line.trim());
    const copy = 'build/out/bench/peers/tokenizer.json';
    mkdirSync(join(root, 'build/out/bench/peers'), {recursive: true});
    copyFileSync(vocabulary, join(root, copy));
    const server = createStaticServer(root);
    const url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}`;
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    try {
        const page = await browser.newPage();
        await page.goto(`${url}/tests/bench/peers/page.html`);
        const result = await page.evaluate(
            async given => (await import('/tests/bench/peers/tokenizer_page.js')).compare(...given),
            [`/${copy}`, texts, Number(rounds)],
        );
        return {
            ...result,
            texts: texts.length,
            megabytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / MB,
            browser: browser.version(),
        };
    } finally {
        await browser.close();
        server.closeAllConnections();
        server.close();
    }
}

if (existsSync(corpus) && existsSync(vocabulary)) {
    const {times, tokens, other, example, texts, megabytes: size, browser} = await main();
    const rate = list => ({
        median_mb_s: (size / median(list)) * 1000,
        max_mb_s: (size / Math.min(...list)) * 1000,
    });
    const [ours, peers] = times.map(rate),
        ratio = median(times[0].map((ms, round) => times[1][round] / ms));
    console.log(
        `${size.toFixed(1)} MB, ${texts} paragraphs, ${tokens} tokens; paragraphs with other ids: ${other}${example && `, the first: ${example.slice(0, 200)}`}`,
    );
    for (const [name, one] of [
        ['Headlight (wasm)', ours],
        ['@huggingface/tokenizers', peers],
    ]) {
        console.log(
            `  ${name.padEnd(24)} ${one.median_mb_s.toFixed(1)} MB/s median, ${one.max_mb_s.toFixed(1)} most`,
        );
    }
    console.log(`  ${ratio.toFixed(1)} times as fast (bar ${BAR})`);
    save('tokenizer', browser, {
        megabytes: size,
        tokens,
        other_ids: other,
        headlight: ours,
        huggingface: peers,
        ratio,
    });
    if (ratio < BAR) process.exitCode = 1;
} else {
    console.log(`skipped: ${existsSync(corpus) ? vocabulary : corpus} is not here`);
}
