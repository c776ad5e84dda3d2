/* The size of web/ (build/lines.mjs): in which row each file counts, and that growth is refused in each.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {firstVisit, roomOf, sized, verdict} from '../../build/lines_of.mjs';

const FILES = [
    {path: 'web/main.js', lines: 10, bytes: 100},
    {path: 'web/worker/worker.js', lines: 20, bytes: 200},
    {path: 'web/views/head/view.js', lines: 30, bytes: 300},
    {path: 'web/words/en/page.js', lines: 40, bytes: 400},
    {path: 'web/lessons/data/causal.json', lines: 50, bytes: 0},
    {path: 'web/style.css', lines: 60, bytes: 0},
    {path: 'web/package/x.d.ts', lines: 70, bytes: 0},
];
const VISIT = new Set(['web/main.js', 'web/worker/worker.js', 'web/words/en/page.js']);

test('each file counts in its own row: no line leaves by becoming words, data or a style', () => {
    const {whole, rooms} = sized(FILES, VISIT);
    assert.deepEqual(whole, {
        'JavaScript, lines': 60,
        'JavaScript, bytes minified': 600,
        'words, lines': 40,
        'styles, lines': 60,
        'data (JSON), lines': 50,
        'types (.d.ts), lines': 70,
        'shim (worker, engine), lines': 20,
        'first visit, files': 3,
        'first visit, lines': 70,
        'first visit, bytes minified': 700,
    });
    assert.deepEqual(rooms.views, {lines: 30, bytes: 300});
    assert.equal(roomOf('web/main.js'), '(entries)');
});

test('growth of any kind is refused by name, and what has gone is shown', () => {
    const record = sized(FILES, VISIT);
    assert.deepEqual(verdict(record, record).over, []);
    for (const [i, file] of FILES.entries()) {
        const grown = FILES.map((one, j) => (j === i ? {...file, lines: file.lines + 1} : one));
        const {over, table} = verdict(sized(grown, VISIT), record);
        assert.ok(over.length >= 1, file.path);
        assert.match(over[0], /, 1 more than build\/lines.json allows/);
        assert.match(table, /\+1\b/);
    }
    for (const [row, count] of Object.entries(record.whole)) {
        const {[row]: _, ...whole} = record.whole;
        const {over} = verdict(record, {...record, whole}); // a row that the record has not yet
        assert.deepEqual(over, [`${row}: ${count}, ${count} more than build/lines.json allows`]);
    }
    const {over, table} = verdict(sized(FILES.slice(0, -2), VISIT), record);
    assert.deepEqual(over, []);
    assert.match(table, /styles, lines +0 {2}−60/);
});

test('what moves from a room to another is shown and not refused', () => {
    const moved = FILES.map((one, i) => (i === 2 ? {...one, path: 'web/draw/view.js'} : one));
    const {over, table} = verdict(sized(moved, VISIT), sized(FILES, VISIT));
    assert.deepEqual(over, []);
    assert.match(table, /views\/, lines +0 {2}−30/);
    assert.match(table, /draw\/, lines +30 {2}\+30/);
});

test('a first visit is all that is imported at once, and nothing that a press fetches', () => {
    const entry = (...imports) => ({imports: imports.map(([path, kind]) => ({path, kind}))});
    const inputs = Object.fromEntries(firstVisit.entries.map(path => [path, entry()]));
    inputs['web/main.js'] = entry(
        ['web/a.js', 'import-statement'],
        ['web/late.js', 'dynamic-import'],
        ['web/node_modules/x.js', 'import-statement'],
    );
    inputs['web/a.js'] = entry(
        ['web/b.js', 'import-statement'],
        ['web/main.js', 'import-statement'],
    );
    for (const path of ['web/b.js', 'web/late.js', 'web/node_modules/x.js']) inputs[path] = entry();
    assert.deepEqual(
        [...firstVisit.closure(inputs)].sort(),
        [...firstVisit.entries, 'web/a.js', 'web/b.js'].sort(),
    );
});
