/* study_csv - `headlight study --csv` and the page's CSV: one tidy table, made from the answer in
 * C. Every number of it is the one of the JSON, read back by column name; layer and head are whole
 * numbers of their own; the page's engine writes the same bytes.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {root, run} from './lib/model.mjs';
import {inParts} from './lib/parts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const model = join(root, 'models/mini-en');
const corpus = name => join(root, 'corpora', name);
const study = (name, file, ...more) =>
    run('study', name, model, file, '--set', 'limit=12', ...more);

/** All names of columns that the tests have met. */
const met = new Set();

/** RFC 4180. @returns {Record<string, string>[]} */
function rowsOf(csv) {
    assert.match(csv, /^[a-z_,]+\n/, 'names in plain English, no byte order mark');
    assert.doesNotMatch(csv, /[\r\u2212]/);
    assert.ok(csv.endsWith('\n') && !csv.endsWith('\n\n'));
    const lines = csv
        .trimEnd()
        .split('\n')
        .map(line =>
            [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
                .slice(0, line.match(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g).length + 1)
                .map(([, cell]) =>
                    cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
                ),
        );
    const [names, ...rows] = lines;
    assert.equal(new Set(names).size, names.length);
    names.forEach(name => met.add(name));
    for (const row of rows) assert.equal(row.length, names.length, row.join());
    return rows.map(row => Object.fromEntries(row.map((cell, i) => [names[i], cell])));
}

const same = (cell, value, what) =>
    assert.ok(
        value === null || value === undefined
            ? cell === ''
            : cell === String(value) || Number(cell) === value,
        `${what}: ${cell}, not ${value}`,
    );

test('roles: a row a role and head, with intervals; the published block score and the second model beside', () => {
    const answer = JSON.parse(study('roles', corpus('pairs.tsv'), '--with', 'random'));
    const rows = rowsOf(study('roles', corpus('pairs.tsv'), '--with', 'random', '--csv'));
    const roles = answer.roles.flatMap(role =>
        role.published ? [role, {...role.published, role: 'block_published'}] : [role],
    );
    assert.equal(rows.length, roles.length * 48);
    rows.forEach((row, i) => {
        const [role, head] = [roles[Math.floor(i / 48)], i % 48];
        assert.deepEqual(
            [row.role, row.layer, row.head],
            [role.role, String(Math.floor(head / 8)), String(head % 8)],
        );
        for (const key of ['n', 'mean', 'sd', 'low', 'high', 't', 'p', 'q', 'has', 'item'])
            same(row[key], role[key][head], `${role.role} ${head} ${key}`);
        for (const key of ['even', 'ceiling', 'tau', 'testable', 'why'])
            same(row[key], role[key], `${role.role} ${key}`);
        same(row.baseline_mean, role.baseline?.mean[head], 'baseline');
    });
    assert.equal(
        new Set(rows.map(row => `${row.role} ${row.layer} ${row.head}`)).size,
        rows.length,
        'no two heads are one',
    );
});

test('patterns, two models: a row a measure and head', () => {
    const answer = JSON.parse(study('patterns', corpus('pairs.tsv')));
    rowsOf(study('patterns', corpus('pairs.tsv'), '--csv')).forEach((row, i) => {
        const [m, head] = [Math.floor(i / 48), i % 48];
        assert.deepEqual(
            [row.measure, Number(row.layer) * 8 + Number(row.head)],
            [answer.measures[m], head],
        );
        for (const key of ['n', 'mean', 'low', 'high', 'max'])
            same(row[key], answer[key][m][head], key);
        same(row.even, answer.even[m], 'even');
    });
    const other = ['--with', join(root, 'models/mini-en-sst2')];
    const two = JSON.parse(study('compare', corpus('pairs.tsv'), ...other));
    const rows = rowsOf(study('compare', corpus('pairs.tsv'), ...other, '--csv'));
    const next = rows.filter(({name}) => name === 'next');
    assert.equal(rows.length, (two.roles.length + two.measures.length) * 48);
    next.forEach((row, head) => {
        for (const key of ['before', 'after', 'difference', 'low', 'q'])
            same(row[key], two[key][two.measures.indexOf('next')][head], key);
        assert.equal(row.ceiling, '');
    });
});

test('importance and induction: a row a score and head', () => {
    for (const name of ['importance', 'induction']) {
        const args = [name, corpus('pairs.tsv'), '--with', 'random-layers'];
        const answer = JSON.parse(study(...args));
        const rows = rowsOf(study(...args, '--csv'));
        assert.equal(rows.length, answer.measures.length * 48);
        rows.forEach((row, i) => {
            const [m, head] = [Math.floor(i / 48), i % 48];
            assert.deepEqual(
                [row.measure, row.layer, row.head],
                [answer.measures[m], String(Math.floor(head / 8)), String(head % 8)],
            );
            for (const key of ['n', 'mean', 'sd', 'low', 'high', 'p', 'q', 'has'])
                same(row[key], answer[key][m][head], key);
            same(row.baseline_mean, answer.baseline.mean[m][head], 'baseline');
        });
    }
});

test('parsers: a row a relation; what a spreadsheet would take for a formula stays text', () => {
    const lines = ['The\t2\t=1+1', 'cat\t3\tnsubj', 'sat\t0\troot']
        .map((row, i) => row.split('\t'))
        .map(([form, governor, relation], i) =>
            [i + 1, form, '_', '_', '_', '_', governor, relation, '_', '_'].join('\t'),
        );
    const path = join(scratch, 'formula.conllu');
    writeFileSync(path, `# text = The cat sat\n${lines.join('\n')}\n\n`);
    const answer = JSON.parse(study('parse', path));
    const rows = rowsOf(study('parse', path, '--csv'));
    assert.deepEqual(
        rows.map(({relation}) => relation).sort(),
        answer.relations.map(({relation}) => relation).sort(),
    );
    rows.forEach((row, i) => {
        for (const key of ['layer', 'head', 'direction', 'accuracy', 'low', 'high'])
            same(row[`best_${key}`], answer.relations[i].best[key], key);
        same(row.offset_offset, answer.relations[i].offset.offset, 'offset');
        same(row.verdict, answer.relations[i].verdict, 'verdict');
    });
});

test('every study has a table, and a merged one is the whole one', () => {
    for (const [name, file] of [
        ['about', 'sentences.conllu'],
        ['distances', 'pairs.tsv'],
        ['coref', 'pronouns.txt'],
        ['probe', 'sentences.conllu'],
        ['labels', 'pairs.tsv'],
    ]) {
        assert.ok(rowsOf(study(name, corpus(file), '--csv')).length > 1, name);
    }
    const args = ['patterns', model, corpus('pairs.tsv'), '--set', 'limit=12'];
    assert.equal(
        run('study', 'merge', ...inParts(scratch, 2, ...args), '--csv'),
        run('study', ...args, '--csv'),
    );
});

test('docs/files.md explains every column', () => {
    const known = readFileSync(join(root, 'docs/files.md'), 'utf8').match(/`[a-z_…]+`/g);
    const explained = name =>
        known.some(one => {
            const text = one.slice(1, -1);
            return text.endsWith('…') ? name.startsWith(text.slice(0, -1)) : name === text;
        });
    assert.ok(met.size > 40, `${met.size} columns`);
    assert.deepEqual(
        [...met].filter(name => !explained(name)),
        [],
    );
});
