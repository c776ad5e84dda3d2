/* studies - the numbers of every study before a change and after it: not a test by itself (nothing
 * is committed of its corpora), but the tool that says whether a change moved numbers that it was
 * not meant to move.
 *   node tests/golden/studies.mjs record HEADLIGHT FILE     runs them all with that binary
 *                                                           (HEADLIGHT: build/out/native/headlight
 *                                                           of any version)
 *   node tests/golden/studies.mjs compare BEFORE AFTER      compares two records number by number:
 *                                                           (study, item of the list, path, number)
 * Corpora and models: those of the repository, and those of DATA (default ../shared/data; what is
 * not there is left out and said). A number that is in one record only is told apart from one that
 * differs; names that have changed stand in `renamed`.
 */
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const data = process.env.DATA ?? join(root, '../shared/data');
const model = join(root, 'models/mini-en'), tuned = join(root, 'models/mini-en-sst2');
const own = name => join(root, 'corpora', name), shared = name => join(data, name);

/** Path of a number in an old answer -> in a new one; null: it is no longer there. */
const renamed = [
];
/** Studies whose numbers are meant to change, with the entry of the issue that says so. */
const changed = {
    roles: 'issue 11, entry 20: the block role is decided by its corrected score', compare: 'issue 11, entry 20',
    labels: 'issue 11, entry 26: folds in place of one split',
    coref: 'issue 11, entry 22: head words, held-out scores, nearest means before',
};

const trees = own('sentences.conllu'), pairs = own('pairs.tsv'), pronouns = own('pronouns.txt');
const [pud, german, gap] = [shared('ud/en_pud/en_pud-ud-test.conllu'), shared('ud/de_pud/de_pud-ud-test.conllu'), shared('coref/gap/gap-development.tsv')];
const [sst, mrpc, qnli] = [shared('glue/SST-2/dev.tsv'), shared('glue/MRPC/test.tsv'), shared('glue/QNLI/dev.tsv')];

/** name, study, corpus, options, more of the command line. */
const list = [
    ['about trees', 'about', trees, {}], ['about pairs', 'about', pairs, {}], ['about pronouns', 'about', pronouns, {}], ['about gap', 'about', gap, {}],
    ['roles trees', 'roles', trees, {limit: 40}], ['roles pairs', 'roles', pairs, {limit: 40}], ['roles mrpc', 'roles', mrpc, {limit: 30}],
    ['roles sst', 'roles', sst, {limit: 30}, '--ask', 'tau=2', '--ask', 'correction=bh', '--ask', 'sd=sample'],
    ['roles pud f32', 'roles', pud, {limit: 20, direction: 'governor'}, '--store', 'f32'],
    ['patterns pairs', 'patterns', pairs, {limit: 40}], ['patterns pud', 'patterns', pud, {limit: 30}],
    ['patterns moved', 'patterns', pairs, {limit: 40, show: 'moved'}],
    ['importance pairs', 'importance', pairs, {limit: 20}], ['importance sst', 'importance', sst, {limit: 20}], ['induction', 'induction', pairs, {limit: 40}],
    ['distances trees', 'distances', trees, {limit: 30}], ['distances qnli', 'distances', qnli, {limit: 20}],
    ['compare pairs', 'compare', pairs, {limit: 40}, '--with', tuned], ['compare sst', 'compare', sst, {limit: 40}, '--with', tuned],
    ['parse trees', 'parse', trees, {limit: 60}], ['parse pud', 'parse', pud, {limit: 40, from: 'first'}], ['parse german', 'parse', german, {limit: 40}],
    ['coref pronouns', 'coref', pronouns, {}], ['coref gap', 'coref', gap, {limit: 100}],
    ['probe trees', 'probe', trees, {limit: 100}], ['probe words', 'probe', trees, {limit: 60, kind: 'words', epochs: 2}],
    ['probe random', 'probe', trees, {limit: 60, train_items: 45}, '--with', 'random'], ['probe pud', 'probe', pud, {limit: 80, seed: 4, punct: true}],
    ['labels sst', 'labels', sst, {limit: 120}], ['labels some', 'labels', sst, {limit: 60, measures: ['entropy', 'sep'], heads: [[0, 0], [2, 1]]}],
];

function record(headlight, file) {
    const found = {};
    for (const [name, study, corpus, options, ...more] of list) {
        if (!existsSync(corpus)) { console.log(`left out: ${name}: ${corpus} is not there`); continue; }
        // Older versions took the first N texts and knew no other way.
        const settings = Object.entries({...options, ...options.limit ? {draw: 'first'} : {}}).flatMap(([key, value]) =>
            ['--set', `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`]);
        found[name] = JSON.parse(execFileSync(headlight, ['study', study, model, corpus, ...settings, ...more], {encoding: 'utf8', maxBuffer: 1 << 28}));
    }
    writeFileSync(file, JSON.stringify(found));
    console.log(`${Object.keys(found).length} answers of studies in ${file}`);
}

/** Every number, boolean and string of an answer by its path. */
function flat(value, path = '', out = new Map()) {
    if (value && typeof value === 'object') for (const key of Object.keys(value)) flat(value[key], `${path}/${key}`, out);
    else out.set(path, value);
    return out;
}

function newPath(study, path) {
    for (const [of, from, to] of renamed) if ((!of || of === study) && from.test(path)) return to === null ? null : path.replace(from, to);
    return path;
}

function compare(beforeFile, afterFile) {
    const [before, after] = [beforeFile, afterFile].map(file => JSON.parse(readFileSync(file, 'utf8')));
    let bad = 0;
    for (const [name, old] of Object.entries(before)) {
        if (!after[name]) { console.log(`${name}: not in ${afterFile}`); bad++; continue; }
        const now = flat(after[name]), differs = [], gone = [];
        for (const [path, value] of flat(old)) {
            if (/^\/options\//.test(path)) continue;
            const to = newPath(old.study, path);
            if (to === null) continue;
            if (!now.has(to)) gone.push(path);
            else if (now.get(to) !== value) differs.push(`${path} ${value} -> ${now.get(to)}`);
        }
        const meant = changed[old.study];
        if (differs.length + gone.length && !meant) bad++;
        console.log(`${name}: ${differs.length} differ, ${gone.length} gone${meant && differs.length + gone.length ? ` (meant: ${meant})` : ''}`);
        for (const one of [...differs, ...gone.map(path => `${path} is gone`)].slice(0, meant ? 0 : 8)) console.log(`    ${one}`);
    }
    console.log(bad ? `${bad} answers have changed that were not meant to` : 'no number has changed that was not meant to');
    process.exitCode = bad ? 1 : 0;
}

const [what, first, second] = process.argv.slice(2);
if (what === 'record' && second) record(first, second);
else if (what === 'compare' && second) compare(first, second);
else { console.error('usage: studies.mjs record HEADLIGHT FILE | compare BEFORE AFTER'); process.exitCode = 2; }
