/* Many texts in one command (--lines; - is standard input): each line has what a command of its own gives, byte for byte,
 * with its number; what fails says where. Arrays of them in one safetensors file.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight, root} from './lib/model.mjs';
import {metadataOf, rawTensors} from './lib/safetensors.mjs';

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
    const rows = tables.map(([n, text]) => rowsOf(n, text));
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

/** Of a text, as one line, what a table of it has after its names of columns. */
const rowsOf = (n, table) =>
    table
        .trimEnd()
        .split('\n')
        .slice(1)
        .map(row => `${n},${row}\n`)
        .join('');

test('what takes many passes: one object a line, or one table', () => {
    const masked = ['The cat [MASK].', 'I went to the store.\tIt was [MASK].', '😀 [MASK].'];
    const pairs = ['The cat [MASK].\tThe dogs [MASK].', 'A man [MASK].\tThe men [MASK].'];
    const heads = '{"intervention": "decides", "parts": ["heads"]}';
    for (const [words, lines] of [
        [['decides', model], masked],
        [['intervene', model, heads], masked],
        [['patch', model], pairs],
        [
            ['lens', model],
            ['The cat [MASK].', 'It is'],
        ],
    ]) {
        const one = (line, ...more) => out([...words, ...more, '--', ...line.split('\t')]);
        const ask = (...more) => out([...words, ...more, '--lines', '-'], lines.join('\n'));
        const objects = lines.map((line, i) => {
            const said = one(line).replaceAll(/^\{(?!"kind)/gm, `{"line":${i + 1},`);
            return words[0] === 'lens' ? said : `${said.replaceAll('\n', '')}\n`;
        });
        assert.equal(ask(), objects.join(''));
        for (const line of ask().trimEnd().split('\n')) assert.ok(JSON.parse(line).line);
        const tables = lines.map(line => one(line, '--csv'));
        const [columns] = tables[0].split('\n');
        const rows = tables.map((table, i) => rowsOf(i + 1, table));
        assert.equal(ask('--csv'), `line,${columns}\n${rows.join('')}`);
    }
});

test('--dump: the numbers of all lines in one file that says of what they are', () => {
    const all = join(scratch, 'all.safetensors');
    const single = join(scratch, 'one.safetensors');
    const fine = ['--precision', 'fine', '--store', 'f32'];
    for (const words of [
        ['run', model],
        ['measure', model, 'pair', '--set', 'query=1', '--set', 'key=0'],
    ]) {
        out([...words, ...fine, '--lines', file, '--dump', all]);
        const tensors = rawTensors(readFileSync(all));
        const expected = {};
        const tokens = LINES.map((line, i) => {
            out([...words, ...fine, '--dump', single, '--', ...line.split('\t')]);
            for (const [name, tensor] of Object.entries(rawTensors(readFileSync(single))))
                expected[`line.${i + 1}.${name}`] = tensor;
            return JSON.parse(metadataOf(readFileSync(single)).tokens)[0];
        });
        assert.deepEqual(new Set(Object.keys(tensors)), new Set(Object.keys(expected)));
        for (const [name, tensor] of Object.entries(expected))
            assert.deepEqual(tensors[name], tensor, name);
        const {sha256, ...said} = metadataOf(readFileSync(all));
        assert.match(sha256, /^[0-9a-f]{64}$/);
        assert.deepEqual(said, {
            headlight: out(['--version']).trim().split(' ')[1],
            model: 'mini-en',
            store: 'f32',
            precision: 'fine',
            ...(words[0] === 'measure' && {measure: 'pair', arguments: 'query=1 key=0'}),
            tokens: JSON.stringify(tokens),
        });
    }
    const asked = JSON.parse(out(['intervene', model, '{"intervention": "decides"}', 'A [MASK].']));
    out(['measure', model, 'sieves', '--dump', single, 'A [MASK].']);
    assert.equal(metadataOf(readFileSync(single)).sha256, asked.identity.model.sha256);
});

test('--dump of what fails leaves a file as it was, and makes none', () => {
    const path = join(scratch, 'kept');
    const why = ['--set', 'layer=0', '--set', 'head=0', '--set', 'query=4', '--set', 'key=4'];
    const fails = ['measure', model, 'why', ...why, '--lines', '-', '--dump', path];
    assert.equal(call(fails, 'A\n').status, 1);
    assert.equal(existsSync(path), false);
    writeFileSync(path, 'mine');
    assert.equal(call(fails, 'A\n').status, 1);
    assert.equal(readFileSync(path, 'utf8'), 'mine');
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
        [['run', model, '--lines', file, '--ids', '2 3'], '', /^--lines goes without --ids/],
        [
            ['patch', model, '--lines', '-'],
            'The cat [MASK].\n',
            /^text: line 1: there is one text; the one it is patched from goes after a tab/,
        ],
        [
            ['measure', model, 'sieves', 'a', '--dump', join(scratch, 'no/x')],
            '',
            /^state: .*no\/x cannot be written/,
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
