/* corpus_files - files as they are published, as a corpus of a study and of an index: the answer says as what they
 * were read, rows that are none are left out with a note, and what cannot be told is asked about. In an index a
 * token that several words share has what all of them are. How each format is read: tests/c/test_corpus_tables.c.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight, openModel, root, run} from './lib/model.mjs';
import {inParts} from './lib/parts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-corpora-'));
after(() => rmSync(scratch, {recursive: true}));
const model = join(root, 'models/mini-en');
const made = (name, text) => {
    writeFileSync(join(scratch, name), text);
    return join(scratch, name);
};
const study = (name, file, ...more) =>
    spawnSync(headlight, ['study', name, model, file, ...more], {encoding: 'utf8'});
const times = (count, text) => Array.from({length: count}, text).join('');

const QQP = made(
    'qqp.tsv',
    `id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n${times(10, (_, i) => `${i}\t${i}\t${i}\tHow old is the cat?\tWhat is its age?\t1\n`)}"\tWas he real?\t0\n11\t1\t2\tWho sat?\tWho was sitting?\t0\n`,
);
const COLA = made(
    'cola.tsv',
    times(6, (_, i) => `gj04\t${i % 2}\t${i % 2 ? '' : '*'}\tThe cat sat.\n`),
);
const REVIEWS = made(
    'reviews.csv',
    'review,sentiment\n"A dull, ""great"" film.",negative\n"I loved it,\nreally.",positive\n',
);

test('one row that is none: left out, with a note that names the line; the rest is read', () => {
    const {stdout, stderr, status} = study('patterns', QQP);
    assert.equal(status, 0);
    const answer = JSON.parse(stdout);
    assert.deepEqual([answer.items, answer.format], [11, 'tsv']);
    assert.equal(answer.left_out.rows, 1);
    assert.match(answer.left_out.why, /^line 12 of the corpus has 3 columns; 6 were expected/);
    assert.match(
        stderr,
        /^note: left out of the corpus: 1 row; line 12 of the corpus has 3 columns/m,
    );
    const index = spawnSync(headlight, ['index', model, QQP, '-o', join(scratch, 'qqp.index')], {
        encoding: 'utf8',
    });
    assert.equal(index.status, 0);
    assert.match(index.stderr, /^note: left out of the corpus: 1 row; line 12/m);
    const merged = run('study', 'merge', ...inParts(scratch, 2, 'patterns', model, QQP));
    assert.equal(merged, stdout, 'parts carry it');
});

test('what is not told by the file is asked, and read as it is said', () => {
    for (const [file, said, columns, texts, labels] of [
        [
            COLA,
            /^text: the corpus looks like a table .* 4,,2: the text/,
            '4,,2',
            ['The cat sat.'],
            ['0', '1'],
        ],
        [
            REVIEWS,
            /it begins "review,sentiment"; say which column it is/,
            'review,,sentiment',
            ['A dull, "great" film.', 'I loved it,\nreally.'],
            ['negative', 'positive'],
        ],
    ]) {
        const asked = study('patterns', file);
        assert.deepEqual([asked.status, asked.stdout], [1, '']);
        assert.match(asked.stderr, said);
        const answer = JSON.parse(study('about', file, '--columns', columns).stdout);
        assert.deepEqual([...new Set(answer.first.map(({a}) => a))], texts);
        assert.deepEqual(answer.labels.map(({name}) => name).sort(), labels);
        assert.equal(JSON.parse(study('about', file, '--format', 'lines').stdout).format, 'lines');
    }
});

test('the answer of every study says as what the corpus was read, natively and in wasm', async () => {
    for (const [name, file, format] of [
        ['about', 'sentences.conllu', 'conllu'],
        ['roles', 'pairs.tsv', 'tsv'],
        ['coref', 'pronouns.txt', 'coref'],
        ['induction', 'pairs.tsv', 'tsv'],
    ]) {
        const {stdout} = study(name, join(root, 'corpora', file), '--set', 'limit=4');
        assert.equal(JSON.parse(stdout).format, format, name);
    }
    const {session} = await openModel(model, 'q8');
    session.loadText('corpus', readFileSync(QQP));
    session.studyBegin({study: 'about'});
    const {format, left_out: out} = JSON.parse(session.studyAnswer({}));
    assert.deepEqual([format, out.rows], ['tsv', 1]);
});

const word = (id, form, tag, head, relation, misc = '_') =>
    `${id}\t${form}\t_\t${tag}\t_\t_\t${head}\t${relation}\t_\t${misc}\n`;
const FRENCH = `# text = Le chat du voisin.
${word(1, 'Le', 'DET', 2, 'det')}${word(2, 'chat', 'NOUN', 0, 'root')}${word('3-4', 'du', '_', '_', '_')}${word(3, 'de', 'ADP', 5, 'case')}${word(4, 'le', 'DET', 5, 'det')}${word(5, 'voisin', 'NOUN', 2, 'nmod', 'SpaceAfter=No')}${word(6, '.', 'PUNCT', 2, 'punct')}
`;

test('an index: a token of several words is found as each of them', () => {
    const file = made(
        'du.conllu',
        `${FRENCH}${FRENCH.replace('Le chat', 'Un chat').replace('\tLe\t', '\tUn\t')}`,
    );
    const index = join(scratch, 'du.index');
    run('index', model, file, '-o', index);
    const found = question =>
        JSON.parse(run('search', index, question)).rows.map(({match}) => match.word);
    assert.deepEqual(found('find pos=ADP'), ['du', 'du']);
    assert.deepEqual(found('find pos=DET').sort(), ['du', 'du', 'le', 'un']);
    assert.deepEqual(found('find relation=case'), ['du', 'du']);
    assert.deepEqual(found('find relation=det').length, 4);
    const [row] = JSON.parse(run('search', index, 'find word=du')).rows;
    assert.deepEqual([row.match.pos, row.match.relation], ['ADP+DET', 'case+det']);
    const parts = [1, 2].map(part => {
        run('index', model, file, '-o', `${index}${part}`, '--shard', `${part}/2`);
        return `${index}${part}`;
    });
    run('index', 'merge', ...parts, '-o', `${index}m`);
    assert.ok(readFileSync(`${index}m`).equals(readFileSync(index)), 'in parts, too');
});
