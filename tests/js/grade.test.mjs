/* headlight grade: a row for each file of answers, what is right by most of them or by the key; what is no such
 * file, was changed by hand, is of other questions or there twice is refused by name, and the others are graded.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, test} from 'node:test';
import {isOwn, ownLesson, questionOf} from '../../web/lessons/own.js';
import {answersOf} from '../../web/lessons/worksheet.js';
import {formatHash, defaults, parseHash} from '../../web/state/state.js';
import {answered, asked} from './lib/class.mjs';
import {headlight} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-class-'));
after(() => rmSync(scratch, {recursive: true}));
let folders = 0;

/** A new folder of these files. @param {Record<string, string>} files */
function folderOf(files) {
    const folder = join(scratch, String(folders++));
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), {recursive: true});
        writeFileSync(join(folder, name), text);
    }
    return folder;
}

function grade(folder, ...more) {
    const {status, stdout, stderr} = spawnSync(headlight, ['grade', folder, ...more], {
        encoding: 'utf8',
    });
    return {status, rows: stdout.split('\n').slice(0, -1), said: stderr.split('\n').slice(0, -1)};
}

let second = 0;
/** A file, saved a second after the one before. */
const file = (answers, name, lesson = asked) =>
    answersOf(lesson, answers, name, new Date(2026, 10, 29, 12, 0, second++));
const right = {0: answered(3, 3), 1: answered(2, 2)};
const half = {0: answered(3, 3), 1: answered(5, 2)};
const open = {0: answered(1, 3)};

test('a row a file, with the questions that were missed; folders in the folder are read, hidden files are not', async () => {
    const folder = folderOf({
        'b.json': await file(half, 'Ben, "B"'),
        'a/answers.json': await file(right, 'Ada'),
        'c.json': await file(open, ''),
        '.DS_Store': 'x',
    });
    assert.deepEqual(grade(folder), {
        status: 0,
        said: [],
        rows: [
            'Ada: 2 of 2 right',
            'Ben, "B": 1 of 2 right; missed 2',
            'c: 0 of 2 right; missed 1, 2 (not answered: 2)',
            'question 1 (step 1, L0·H6, token 2): right in 2 of 3',
            'question 2 (step 2, L1·H3, token 8): right in 1 of 3',
        ],
    });
    assert.deepEqual(grade(folder, '--csv').rows, [
        'file,name,right,questions,missed,open',
        'a/answers.json,Ada,2,2,,',
        'b.json,"Ben, ""B""",1,2,2,',
        'c.json,c,0,2,1 2,2',
    ]);
});

test('no file is its own judge: most files say what is right, or the key', async () => {
    const lies = {0: answered(3, 3), 1: answered(5, 5)};
    const folder = folderOf({
        'a.json': await file(right, 'Ada'),
        'b.json': await file(half, 'Ben'),
        'c.json': await file(lies, 'Cem'),
    });
    const most = grade(folder);
    assert.match(most.rows[2], /^Cem: 1 of 2 right; missed 2$/);
    assert.match(
        most.said.join(),
        /^note: c\.json: question 2 was answered on another text, model/,
    );
    assert.equal(most.said.length, 1);
    const key = join(scratch, 'key.json');
    writeFileSync(key, await file(lies, 'Teacher'));
    assert.match(grade(folder, '--key', key).rows[2], /^Cem: 2 of 2 right$/);
    assert.match(grade(folder, '--key', key).rows[1], /^Ben: 2 of 2 right$/, 'by the key');
    writeFileSync(key, await file(open, 'Teacher'));
    const left = grade(folder, '--key', key);
    assert.deepEqual([left.status, left.rows], [1, []]);
    assert.match(
        left.said.join(),
        /key\.json leaves question 2 open; a key has an answer to each$/,
    );
});

test('an answer on another text or by another model counts as missed, with a note', async () => {
    const elsewhere = more => ({...right, 1: answered(2, 2, more)});
    const folder = folderOf({
        'a.json': await file(right, 'Ada'),
        'b.json': await file(right, 'Ben'),
        'c.json': await file(elsewhere({text: 'A dog.'}), 'Cem'),
        'd.json': await file(elsewhere({model: 'mini-en'}), 'Dana'),
    });
    const {rows, said, status} = grade(folder);
    assert.equal(status, 0);
    assert.deepEqual(rows.slice(2, 4), [
        'Cem: 1 of 2 right; missed 2',
        'Dana: 1 of 2 right; missed 2',
    ]);
    assert.equal(said.filter(line => /question 2 .* it counts as missed$/.test(line)).length, 2);
});

test('what does not belong is refused by name, and the others are graded', async () => {
    const ada = await file(right, 'Ada');
    const ben = await file(half, 'Ben');
    const folder = folderOf({
        'ada.json': ada,
        'ben.json': ben,
        'again.json': await file(half, 'Ada'),
        'copy.json': await answersOf(asked, half, 'Bert', JSON.parse(ben).saved),
        'hand.json': (await file(half, 'Hana')).replace('"picked":5', '"picked":2'),
        'more.json': `${(await file(half, 'Max')).trimEnd().slice(0, -1)},"name":"Moritz"}`,
        'none.json': (await file(half, 'Nora')).replace(/,"sum.*/, '}'),
        'lesson.json': await file(right, 'Lea', {...asked, id: 'attention'}),
        'other.json': await file(right, 'Otto', {
            ...ownLesson('ask-0.6.2-1.3.9', defaults),
            id: asked.id,
        }),
        'array.json': '[1, 2]',
        'cut.json': ada.slice(0, 200),
        'empty.json': '{"headlight":"answers"}',
        'essay.txt': 'The cat.',
    });
    const {status, rows, said} = grade(folder);
    assert.equal(status, 1);
    assert.deepEqual(
        rows.map(row => row.split(':')[0]),
        ['Ada', 'Ben', 'question 1 (step 1, L0·H6, token 2)', rows[3].split(':')[0]],
    );
    const WHY = {
        again: /: Ada has handed in ada\.json, too; keep one of them$/,
        array: / is no file of answers; expected what the page saves/,
        copy: /, by Bert, has the answers of ben\.json, saved in the same moment/,
        cut: / has no sum at its end/,
        empty: / has no sum at its end/,
        'essay.txt': / is no file of answers \(\.json\)$/,
        hand: / was changed by hand after the page had saved it: its SHA-256/,
        lesson: / is of the lesson "attention", unlike /,
        more: / was changed by hand after the page had saved it: more comes after its sum$/,
        none: / has no sum at its end/,
        other: / has other questions of the lesson "ask-0\.6\.2-1\.3\.8" than /,
    };
    for (const [name, why] of Object.entries(WHY)) {
        const start = `file: ${name.includes('.') ? name : `${name}.json`}`;
        const lines = said.filter(line => line.startsWith(start));
        assert.equal(lines.length, 1, `${name}: ${said.join('\n')}`);
        assert.match(lines[0].slice(start.length), why);
    }
    assert.equal(said.length, Object.keys(WHY).length, said.join('\n'));
});

test('names are inert: no formula for a spreadsheet, no control character for a terminal', async () => {
    const folder = folderOf({
        'a\u001b[31m.json': await file(right, '=HYPERLINK("x")'),
        'b.json': await file(half, 'B\u001b[2J'),
    });
    const {rows} = grade(folder, '--csv');
    assert.equal(rows[1], `a?[31m.json,"'=HYPERLINK(""x"")",2,2,,`);
    assert.doesNotMatch(rows.join(), /\u001b/);
});

test('a folder that is not there, one without answers, and wrong options end in a sentence', () => {
    const none = grade(join(scratch, 'nowhere'));
    assert.equal(none.status, 1);
    assert.match(
        none.said.join(),
        /nowhere cannot be opened .*; expected a folder of files of answers$/,
    );
    const empty = grade(folderOf({}));
    assert.deepEqual([empty.status, empty.rows], [1, []]);
    assert.match(
        empty.said.join(),
        /^file: there are no answers to grade; expected what the page saves/,
    );
    assert.equal(grade(scratch, '--key').status, 2);
    assert.match(
        grade(scratch, '--key', 'nothing.json').said.join(),
        /nothing\.json cannot be opened/,
    );
});

test('a figure of one head and one pinned token is a question of a link, and the next is added to it', () => {
    const shown = {...defaults, text: 'A & B', heads: [6], picked: [2]};
    const first = questionOf(shown);
    const {text, lesson, tour} = parseHash(formatHash(first));
    assert.deepEqual([text, tour, isOwn(lesson)], ['A & B', 0, true]);
    const second = questionOf({...shown, lesson, layer: 3, picked: [4]});
    assert.equal(second.lesson, `${lesson}-3.6.4`);
    const {steps} = ownLesson(second.lesson, second);
    assert.deepEqual(
        steps.map(({check, text: of, state}) => [check.head, check.query, of, state.layer]),
        [
            [[0, 6], 2, 'A & B', 0],
            [[3, 6], 4, 'A & B', 3],
        ],
    );
    assert.equal(questionOf({...shown, lesson}).lesson, lesson, 'it has that one');
    const other = questionOf({...shown, text: 'C', lesson}).lesson;
    assert.ok(isOwn(other) && !other.startsWith(lesson.split('-')[0]), 'of another text');
    let many = lesson;
    for (let layer = 0; layer < 40; layer++)
        many = questionOf({...shown, lesson: many, layer}).lesson;
    assert.equal(parseHash(formatHash({...first, lesson: many})).lesson, many, 'a link has room');
    for (const not of [{heads: []}, {heads: [1, 2]}, {picked: []}, {side: 'key'}, {view: 'model'}])
        assert.equal(questionOf({...shown, ...not}), null);
    for (const id of ['ask', 'ask-1.2', 'asked-1.2.3x', 'attention'])
        assert.equal(isOwn(id), false);
});
