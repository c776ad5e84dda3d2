/* Many texts in one command (--lines of run, measure and next; - is standard input): each line has what a command of its
 * own gives, byte for byte, with its number; what fails says where.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const model = join(root, 'models/mini-en');
const causal = join(root, 'models/mini-gpt-en');
const LINES = ['The cat [MASK].', 'I went to the store.\tIt was [MASK].', '', 'Straße 😀 [MASK].'];
const file = join(scratch, 'lines.txt');
writeFileSync(file, `${LINES.join('\n')}\n`);

const call = (args, input = '') => spawnSync(headlight, args, {input, encoding: 'utf8'});
function out(args, input) {
    const {status, stdout, stderr} = call(args, input);
    assert.equal(status, 0, stderr);
    return stdout;
}
/** What a command for each line gives. */
const each = args => LINES.map((line, i) => [i + 1, out(args(line.split('\t')))]);

test('run: a JSON object a line, from a file or standard input, also with the line ends of Windows', () => {
    const expected = each(texts => ['run', model, '--json', '--', ...texts])
        .map(([n, text]) => text.replace('{', `{"line":${n},`))
        .join('');
    assert.equal(out(['run', model, '--lines', file]), expected);
    assert.equal(out(['run', model, '--lines', '-'], LINES.join('\r\n')), expected);
    for (const line of expected.trimEnd().split('\n')) JSON.parse(line);
    const layer = ['--layer', '2', '--head', '1'];
    assert.match(out(['run', model, '--lines', file, ...layer]).split('\n')[3], /"layer":2/);
});

test('measure: JSON a line, or one table with the number of the line first', () => {
    const of = ['measure', model, 'pair', '--set', 'query=1', '--set', 'key=0'];
    const objects = each(texts => [...of, '--', ...texts]);
    assert.equal(
        out([...of, '--lines', file]),
        objects.map(([n, text]) => text.replace('{', `{"line":${n},`)).join(''),
    );
    const tables = each(texts => [...of, '--csv', '--', ...texts]);
    const rows = tables.flatMap(([n, text]) =>
        text
            .trimEnd()
            .split('\n')
            .slice(1)
            .map(row => `${n},${row}\n`),
    );
    const table = out([...of, '--csv', '--lines', '-'], LINES.join('\n'));
    assert.equal(table, `line,layer,head,value\n${rows.join('')}`);
});

test('next: the tokens that follow each line, in which a tab is a tab', () => {
    const lines = ['I went to', 'The\tcat'];
    const expected = lines
        .map((line, i) =>
            out(['next', causal, '--tokens', '3', line]).replaceAll('{', `{"line":${i + 1},`),
        )
        .join('');
    const said = out(['next', causal, '--tokens', '3', '--lines', '-'], lines.join('\n'));
    assert.equal(said, expected);
    assert.equal(said.trimEnd().split('\n').length, 6);
});

test('a line that fails is named; what stands before it has been written', () => {
    const why = ['--set', 'layer=0', '--set', 'head=0', '--set', 'query=4', '--set', 'key=4'];
    const lines = 'The cat sat.\nA\nThe dog sat.\n';
    for (const name of ['why', 'why_heads'])
        assert.match(
            call(['measure', model, name, ...why, '--lines', '-'], lines).stderr,
            /^state: line 2: there is no token 4; the text has 3 tokens\n$/,
        );
    const pair = ['measure', model, 'pair', '--set', 'query=1', '--set', 'key=5'];
    const {status, stdout, stderr} = call([...pair, '--lines', '-'], lines);
    assert.deepEqual([status, stdout.split('\n').length], [1, 2]);
    assert.match(stderr, /^state: line 2: there is no token 5; the text has 3 tokens\n$/);
    assert.match(
        call([...pair, 'A']).stderr,
        /^state: there is no token 5; the text has 3 tokens\n$/,
    );
    for (const [args, input, sentence] of [
        [['run', model, '--lines', join(scratch, 'none')], '', /^text: .*none cannot be opened/],
        [['run', model, '--lines', scratch], '', /^text: .* cannot be read; expected a file/],
        [
            ['run', model, '--lines', '-'],
            '',
            /^text: - is empty; expected a file with a text a line/,
        ],
        [['run', model, '--lines', file, 'a text'], '', /^usage: headlight run/],
        [
            ['run', model, '--lines', file, '--dump', 'x'],
            '',
            /^--lines goes without --ids and --dump/,
        ],
    ])
        assert.match(call(args, input).stderr, sentence);
});

test('- is standard input, for a corpus, a part and an answer, too', () => {
    const corpus = 'The cat sat.\nA dog sat.\nIt was late.\n';
    const path = join(scratch, 'corpus.txt');
    writeFileSync(path, corpus);
    const ask = (...args) => out(['study', 'roles', model, ...args], corpus);
    assert.equal(ask('-').replace('"name":"-"', '"name":"corpus.txt"'), ask(path));
    const [first, second] = ['1/2', '2/2'].map(shard => ask(path, '--shard', shard));
    writeFileSync(join(scratch, 'second'), second);
    assert.equal(out(['study', 'merge', join(scratch, 'second'), '-'], first), ask(path));
    assert.match(
        call(['study', 'roles', model, '-']).stderr,
        /^text: standard input is empty; expected/,
    );
});
