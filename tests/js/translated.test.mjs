// translated - models/mini-de-en, a Marian, on the command line: what it writes for 100 numbers that it was never trained
// on is what generate() of transformers writes, and its heads align their words as well as by transformers in float64
// (tests/golden/translated.py). Most are right.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';

const root = new URL('../../', import.meta.url).pathname;
const headlight = process.env.HEADLIGHT ?? `${root}build/out/native/headlight`;
const folder = `${root}models/mini-de-en`;
const golden = `${root}tests/golden/translated`;
const {most, aer, diagonal, rows} = JSON.parse(readFileSync(`${golden}.json`, 'utf8'));

function run(args, input = '') {
    const {status, stdout, stderr} = spawnSync(headlight, args, {input, encoding: 'utf8'});
    return {status, stdout, stderr};
}
const answer = (...args) => {
    const {status, stdout, stderr} = run(args);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
};

test('what it writes is what generate() writes, and 95 of 100 numbers are right', () => {
    const input = rows.map(row => row.source).join('\n') + '\n';
    const {status, stdout, stderr} = run(
        ['run', folder, '--lines', '-', '--write', String(most), '--json'],
        input,
    );
    assert.equal(status, 0, stderr);
    const answers = stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line));
    assert.equal(answers.length, rows.length);
    let right = 0;
    for (const [i, {tokens, target}] of answers.entries()) {
        assert.deepEqual(
            tokens.map(token => token.id),
            rows[i].ids,
            rows[i].source,
        );
        assert.deepEqual(
            target.map(row => row.id),
            rows[i].written,
            rows[i].source,
        );
        const said = target.map(row => row.token).join('');
        right += said.replace('</s>', '').replaceAll('\u2581', ' ').trim() === rows[i].target;
    }
    assert.ok(right >= 95, `${right} are right`);
});

const table = ['study', 'alignment', folder, `${golden}.tsv`];
const columns = ['--columns', 'source,target,alignment'];

test('alignment error rates are those of transformers in float64', () => {
    const found = answer(...table, ...columns);
    assert.deepEqual(found.measures, ['says', 'reads']);
    for (const [shift, rates] of aer.entries())
        for (const [head, rate] of rates.entries())
            assert.ok(
                Math.abs(found.aer[shift][head] - rate) < 1e-6,
                `${shift} ${head}: ${found.aer[shift][head]}, not ${rate}`,
            );
    assert.ok(Math.abs(found.diagonal.aer - diagonal) < 1e-6);
    const least = Math.min(...aer.flat());
    assert.ok(Math.abs(found.best.aer - least) < 1e-6);
    assert.equal(found.best.less_diagonal < 0 && found.best.less_high < 0, true);
    for (const [shift, rates] of found.aer.entries())
        for (const [head, rate] of rates.entries()) {
            assert.ok(found.low[shift][head] <= rate && rate <= found.high[shift][head]);
            assert.ok(found.high[shift][head] - found.low[shift][head] < 0.2);
        }
});

// What is put before each source is no word of it: its links keep their numbers. (To this model "-" is unknown letters.)
test('a prefix goes before the source, and is no word of it', () => {
    const rows = readFileSync(`${golden}.tsv`, 'utf8').trimEnd().split('\n').slice(1, 31);
    const folderOf = `${root}build/out/test/`;
    mkdirSync(folderOf, {recursive: true});
    const shifted = rows.map(row => {
        const [source, target, links] = row.split('\t');
        const moved = links.replace(/(\d+)([-?])/g, (_, from, sign) => Number(from) + 2 + sign);
        return `ß ein ${source}\t${target}\t${moved}`;
    });
    const [plain, longer] = ['plain', 'longer'].map(name => `${folderOf}aligned_${name}.tsv`);
    writeFileSync(plain, rows.join('\n') + '\n');
    writeFileSync(longer, shifted.join('\n') + '\n');
    const numbered = ['--columns', '1,2,3'];
    const put = answer('study', 'alignment', folder, plain, ...numbered, '--set', 'prefix=ß ein ');
    const own = answer('study', 'alignment', folder, longer, ...numbered);
    // the same passes, in which only those two may be linked to where they are words
    assert.equal(put.sure, own.sure);
    assert.equal(put.words, own.words);
    assert.equal(put.tokens, own.tokens);
    assert.notDeepEqual(
        put.aer,
        answer('study', 'alignment', folder, plain, ...numbered).aer,
        'it changes the passes',
    );
    for (const [shift, rates] of put.aer.entries())
        for (const [i, rate] of rates.entries()) assert.ok(rate <= own.aer[shift][i] + 1e-9);
    assert.ok(put.best.aer < own.best.aer - 0.05);
    assert.match(
        run(['study', 'alignment', folder, plain, ...numbered, '--set', 'prefix=1']).stderr,
        /^state: the option prefix must be a text/,
    );
});

test('in parts the same bytes, as a table a row a shift and head', () => {
    const whole = run([...table, ...columns]).stdout;
    const parts = [1, 2, 3].map(i => `${root}build/out/test/alignment_${i}.json`);
    for (const [i, part] of parts.entries())
        assert.equal(run([...table, ...columns, '--shard', `${i + 1}/3`, '-o', part]).status, 0);
    assert.equal(run(['study', 'merge', ...parts]).stdout, whole);
    const [head, ...lines] = run([...table, ...columns, '--csv'])
        .stdout.trimEnd()
        .split('\n');
    assert.equal(head.trim(), 'shift,layer,head,aer,low,high');
    assert.equal(lines.length, 16);
});

test('a model of one stack has no alignment, and one of two no other study; a corpus needs targets', () => {
    const refused = (...args) => run(args).stderr;
    assert.match(
        refused('study', 'alignment', `${root}models/mini-gpt-en`, `${golden}.tsv`, ...columns),
        /^state: the study alignment is of models of two stacks \(T5, BART, Marian\)/,
    );
    assert.match(
        refused('study', 'patterns', folder, `${root}corpora/texts.txt`),
        /^state: other studies of a model of two stacks \(model_type "marian"\) are not there yet/,
    );
    assert.match(
        refused('study', 'alignment', folder, `${root}corpora/texts.txt`),
        /^state: the corpus has no targets; give a table of sources, targets and alignments/,
    );
    assert.match(
        refused(...table, '--columns', 'source,target,source', '--threads', '1'),
        /^text: line 2: the alignment has "neun", expected links like 0-0 or 1\?2/,
    );
});
