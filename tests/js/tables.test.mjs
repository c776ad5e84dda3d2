/* tables - every --csv of the command line that has texts is read back by the rules of RFC 4180, and its texts
 * are those of the JSON: of a model whose tokens are a quote, a comma, line breaks and a formula. Patterns have
 * their names. What the page saves of a table from C is guarded against formulas, and only that.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {guardedCsv} from '../../web/save/texts.js';
import {root, run} from './lib/model.mjs';
import {sentenceFiles} from './lib/sentence_folder.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-tables-'));
after(() => rmSync(scratch, {recursive: true}));

const HARD = ['\n', '=1+1', '"', ',', '"",\r\n', ' a ', "'@"];
const TEXT = `a \n b =1+1 c "",\r\n d " , e  a  '@`;

/** A golden model whose entries 5, 6 and 190 on are tokens that are hard for a table. */
function hardModel(name) {
    const folder = join(scratch, name);
    cpSync(join(root, 'tests/golden/models', name), folder, {recursive: true});
    const path = join(folder, 'tokenizer.json');
    const tokenizer = JSON.parse(readFileSync(path, 'utf8'));
    const {vocab} = tokenizer.model;
    HARD.forEach((content, i) => {
        if (content.length === 1 && vocab[content] !== undefined) return;
        const id = 190 + i;
        delete vocab[Object.keys(vocab).find(key => vocab[key] === id)];
        vocab[content] = id;
        const how = {single_word: false, lstrip: false, rstrip: false, normalized: false};
        tokenizer.added_tokens.push({id, content, ...how, special: false});
    });
    writeFileSync(path, JSON.stringify(tokenizer));
    for (const [file, bytes] of Object.entries(sentenceFiles('pooling_mode_mean_tokens', []))) {
        mkdirSync(dirname(join(folder, file)), {recursive: true});
        writeFileSync(join(folder, file), bytes);
    }
    return folder;
}

/** Rows of cells; strict: a quote stands only where RFC 4180 has one, rows are of one length. */
function cellsOf(csv) {
    const rows = [[]];
    let at = 0;
    while (at < csv.length) {
        const [whole, quoted, plain, end] =
            /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n)/.exec(csv.slice(at)) ?? [];
        assert.ok(whole, `no cell begins at ${JSON.stringify(csv.slice(at, at + 40))}`);
        rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
        at += whole.length;
        if (end === '\n' && at < csv.length) rows.push([]);
    }
    for (const row of rows) assert.equal(row.length, rows[0].length, JSON.stringify(row));
    return rows;
}

const columnOf = ([names, ...rows], name) => rows.map(row => row[names.indexOf(name)]);

const folder = hardModel('bert-tiny-random');
const pieces = (...args) => JSON.parse(run('run', folder, ...args, '--json')).tokens;
const TOKENS = pieces(TEXT).map(({token}) => token);

test('the model has the tokens that are hard', () => {
    for (const token of HARD) assert.ok(TOKENS.includes(token), JSON.stringify(token));
});

test('decides, patch, why: each row is one of the JSON, with its token', () => {
    const link = ['--layer', '2', '--head', '1', '--query', '3', '--key', '5'];
    for (const [list, args] of [
        ['effects', ['decides', folder, `${TEXT} [MASK]`]],
        ['effects', ['decides', folder, `${TEXT} [MASK]`, '--removed']],
        ['parts', ['why', folder, TEXT, ...link]],
    ]) {
        const rows = cellsOf(run(...args, '--csv'));
        const of = JSON.parse(run(...args))[list];
        assert.equal(rows.length, of.length + 1);
        assert.deepEqual(
            columnOf(rows, 'token'),
            of.map(({token}) => token ?? ''),
        );
        for (const token of HARD) assert.ok(columnOf(rows, 'token').includes(token));
    }
    const patch = ['patch', folder, `${TEXT} [MASK]`, `z ${TEXT.slice(2)} [MASK]`];
    assert.ok(columnOf(cellsOf(run(...patch, '--csv')), 'token').includes('=1+1'));
});

test('lens and similarity --split: their tokens come back', () => {
    const rows = cellsOf(run('lens', folder, TEXT, '--csv'));
    const lines = run('lens', folder, TEXT).trim().split('\n').map(JSON.parse);
    assert.deepEqual(
        columnOf(rows, 'final'),
        lines.map(({final}) => final),
    );
    for (const i of [1, 5])
        assert.deepEqual(
            columnOf(rows, `token_${i}`),
            lines.map(({top}) => top[i - 1].token),
        );
    for (const at of [0, 1, TOKENS.length - 1])
        assert.deepEqual(
            run('lens', folder, TEXT, '--at', `${at}`).trim().split('\n').map(JSON.parse),
            lines.filter(({position}) => position === at),
        );
    const split = cellsOf(run('similarity', folder, TEXT, 'a , b', '--split'));
    const [other, count] = [pieces('a , b').map(({token}) => token), TOKENS.length];
    assert.deepEqual(
        columnOf(split, 'token'),
        TOKENS.flatMap(token => other.map(() => token)),
    );
    assert.deepEqual(
        columnOf(split, 'other').slice(0, count),
        [...Array(count).keys()].map(i => other[i % other.length]),
    );
});

test('measure: patterns have their names, wherever they are a column', () => {
    for (const name of ['patterns', 'moved_patterns', 'even']) {
        const rows = cellsOf(run('measure', folder, name, TEXT, '--csv'));
        const names = [...new Set(columnOf(rows, 'pattern'))];
        assert.equal(names.length, 18);
        assert.deepEqual(names.slice(0, 4), ['entropy', 'next', 'previous', 'self']);
        const {values} = JSON.parse(run('measure', folder, name, TEXT));
        assert.deepEqual(columnOf(rows, 'value').map(Number), values);
    }
});

test('a table of an index has the texts as they are; the page guards them, and leaves numbers', () => {
    const [corpus, index] = [join(scratch, 'formulas.txt'), join(scratch, 'formulas.index')];
    writeFileSync(corpus, '=1+1 , "a"\n-b c\n');
    run('index', folder, corpus, '-o', index);
    const table = run('search', index, 'find word=a', '--csv', 'rows');
    assert.deepEqual(columnOf(cellsOf(table), 'text'), ['=1+1 , "a"']);
    const saved = guardedCsv('a,b\n-0.5,"=1+1 , ""a"""\n-x,1e-05\n"\'=",+3\n＝x,"a, =b"\n');
    assert.deepEqual(cellsOf(saved).slice(1), [
        ['-0.5', `'=1+1 , "a"`],
        ["'-x", '1e-05'],
        ["''=", '+3'],
        ["'＝x", 'a, =b'],
    ]);
    assert.equal(guardedCsv(table).replace("'", ''), table);
    assert.notEqual(guardedCsv(table), table);
});
