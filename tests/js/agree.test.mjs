/* The measure `depends` against those that it is made of, on golden models of three families; and the command
 * `headlight agree`: rank correlations of lines as worked out here from the readings and from runs with each
 * token masked or left out; its means; lines too short; models without words.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, openModel, root} from './lib/model.mjs';

const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a}, not ${b}`);
const golden = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));

/** The same by other measures. @param {any} pass @param {any} model @param {number} T @param {number} query */
function readings(pass, {layers, heads}, T, query) {
    const rows = Array.from({length: 4}, () => new Float64Array(T));
    for (let l = 0; l < layers; l++) {
        const maps = [pass.tensor('attention', l).data, pass.measure('moved_shares', [l])];
        const zeroed = pass.measure('zeroing', [l]);
        for (let j = 0; j < T; j++) {
            for (let h = 0; h < heads; h++)
                for (const [n, map] of maps.entries())
                    rows[n][j] += map[(h * T + query) * T + j] / (layers * heads);
            rows[2][j] += zeroed[query * T + j] / layers;
        }
    }
    rows[3] = pass
        .measure('rollout')
        .slice(-T * (T - query))
        .slice(0, T);
    return [...rows, Float64Array.from({length: T}, (_, j) => -Math.abs(query - j))];
}

for (const name of ['bert-width-24', 'gpt2-next', 'llama-next'])
    test(`${name}: readings are those of the measures`, async () => {
        const folder = join(root, 'tests/golden/models', name);
        const {session, model} = await openModel(folder, 'f32');
        session.useIds(golden(`dumps/${name}/inputs.json`).inputs[0].input_ids.slice(0, 9), null);
        const pass = session.run({precision: 'fine', keep: model.tensors.map(one => one.name)});
        const T = session.tokens().length;
        for (const query of [0, T - 2]) {
            const found = pass.measure('depends', [query]);
            for (const [r, row] of readings(pass, model, T, query).entries())
                for (const [j, value] of row.entries())
                    near(found[r * T + j], value, 2e-6, `${r}, ${j}`);
        }
        assert.throws(() => pass.measure('depends', [T]), /no position/);
        pass.release();
    });

const LETTER = /^␣?[a-z]/i;
const agree = (model, lines, ...args) =>
    spawnSync(headlight, ['agree', model, ...args], {input: lines.join('\n'), encoding: 'utf8'});

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function spearman(a, b) {
    const ranks = of =>
        Array.from(of, x => {
            const less = Array.from(of).filter(y => y < x).length;
            return less + (Array.from(of).filter(y => y === x).length - 1) / 2;
        });
    const [x, y] = [ranks(a), ranks(b)];
    const mean = (x.length - 1) / 2;
    const sum = (u, v) => u.reduce((all, _, i) => all + (u[i] - mean) * (v[i] - mean), 0);
    return sum(x, y) / Math.sqrt(sum(x, x) * sum(y, y));
}

/** What a line's readings and changes of ln p are, by runs from the start. */
async function lineOf(folder, text, place) {
    const {session, model} = await openModel(folder, 'q8');
    session.tokenize(text, null);
    const tokens = session.tokens();
    const causal = model.special.mask < 0;
    const ids = tokens.map(({id}) => id);
    const isWord = ({id, word}, i) =>
        LETTER.test(session.tokenText(id)) &&
        word !== tokens[i - 1]?.word &&
        word !== tokens[i + 1]?.word;
    const position = causal ? tokens.findLastIndex(isWord) - 1 : place;
    let word = ids[causal ? position + 1 : position];
    if (word === model.special.mask) {
        // of a [MASK] in the line, the most probable word
        const pass = session.run({precision: 'fine', keep: []});
        [word] = pass.predictions(position, 1).ids;
        pass.release();
    }
    const lnp = without => {
        const at = position - (causal && without >= 0);
        if (causal)
            session.useIds(
                ids.filter((_, i) => i <= position && i !== without),
                null,
            );
        else
            session.change(
                [position, without].filter(i => i >= 0).map(i => ['token', i, model.special.mask]),
            );
        const pass = session.run({precision: 'fine', keep: model.tensors.map(one => one.name)});
        const [value] = pass.measure('log_probability', [at, word]);
        const depends = without < 0 && pass.measure('depends', [position]);
        pass.release();
        return {value, depends};
    };
    const plain = lnp(-1);
    const T = plain.depends.length / 5;
    const at = tokens.flatMap(({sentence}, i) =>
        sentence >= 0 && i !== position && i < T && ids[i] !== model.special.mask ? [i] : [],
    );
    const changes = at.map(i => Math.abs(lnp(i).value - plain.value));
    return Array.from({length: 5}, (_, r) =>
        spearman(
            at.map(i => plain.depends[r * T + i]),
            changes,
        ),
    );
}

for (const name of ['mini-en', 'mini-gpt-en'])
    test(`${name}: correlations of each line, and their means`, async () => {
        const folder = join(root, 'models', name);
        const lines = [
            'The old dog slept by the warm fire.',
            'Go.',
            'She gave her book to a kind friend.',
        ];
        const {stdout, stderr} = agree(folder, lines, '--csv');
        assert.equal(stderr, '');
        const [head, ...rows] = stdout
            .trim()
            .split('\n')
            .map(row => row.split(','));
        assert.equal(head.join(), 'line,position,tokens,weight,moved,zeroed,rollout,nearness');
        assert.deepEqual(
            rows.map(([line]) => line),
            ['1', '3'],
            'the second is too short',
        );
        const causal = name.includes('gpt');
        const all = [];
        for (const row of rows) {
            const expected = await lineOf(folder, lines[row[0] - 1], 5);
            assert.ok(causal || row[1] === '5', 'a word in the middle');
            all.push(expected);
            for (const [r, value] of expected.entries()) near(row[3 + r], value, 1e-5, head[3 + r]);
        }
        const whole = JSON.parse(agree(folder, lines).stdout);
        assert.deepEqual([whole.lines, whole.skipped], [2, 1]);
        for (const [r, {reading, n, mean, sd}] of whole.with_decided.entries()) {
            const [a, b] = all.map(one => one[r]);
            assert.deepEqual([reading, n], [head[3 + r], 2]);
            near(mean, (a + b) / 2, 1e-4, reading);
            near(sd, Math.abs(a - b) / Math.SQRT2, 1e-4, reading);
            near(whole.correlations[r][5], mean, 1e-9, reading);
        }
    });

test('signs are no words, in either way to choose one; a second [MASK] is not masked', async () => {
    const lines = [
        'He was “ kind ” to her .',
        'She gave her book to a kind friend …',
        'She gave her book to a kind friend.”',
        'The [MASK] of France is [MASK] today.',
    ];
    const rows = name => {
        const {stdout} = agree(join(root, 'models', name), lines, '--csv');
        return stdout
            .trim()
            .split('\n')
            .slice(1)
            .map(row => row.split(','));
    };
    const [masked, causal] = [rows('mini-en'), rows('mini-gpt-en')];
    const place = row => Number(row[1]);
    for (const [i, line] of lines.entries())
        for (const [name, row] of [
            ['mini-en', masked[i]],
            ['mini-gpt-en', causal[i]],
        ]) {
            const {session, model} = await openModel(join(root, 'models', name), 'q8');
            session.tokenize(line, null);
            const at = place(row) + (name === 'mini-gpt-en');
            const {id} = session.tokens()[at];
            const isWord = id === model.special.mask || LETTER.test(session.tokenText(id));
            assert.ok(isWord, `${name}, ${line}: ${session.tokenText(id)}`);
            const expected = await lineOf(join(root, 'models', name), line, place(row));
            for (const [r, value] of expected.entries())
                near(row[3 + r], value, 1e-5, `${line}, ${r}`);
        }
    assert.equal(masked[3][2], '6', 'the other six tokens of the text');
});

test('a [MASK] of the line is taken; what cannot be compared is refused', async () => {
    const folder = join(root, 'models/mini-en');
    const line = 'The capital of France is [MASK].';
    const [, row] = agree(folder, [line], '--csv').stdout.split('\n');
    assert.match(row, /^1,6,6,/);
    const expected = await lineOf(folder, line, 6);
    const found = row.split(',').slice(3);
    for (const [r, value] of expected.entries()) near(found[r], value, 1e-5, `[MASK], ${r}`);
    const {stdout} = agree(folder, ['The dog slept.', 'The dog slept here.'], '--csv');
    const [, ...rows] = stdout.trim().split('\n');
    assert.equal(rows.length, 1, 'three tokens beside the word are too few');
    assert.match(rows[0], /^2,\d,4,/);
    const none = agree(folder, ['Go.']);
    assert.match(
        none.stderr,
        /^text: no line can be compared; each needs a word to predict and 4 tokens/,
    );
    assert.equal(none.status, 1);
    const labels = agree(join(root, 'models/mini2-en-sst2'), ['A film.']);
    assert.match(labels.stderr, /predicts no words/);
    const fast = agree(folder, [line], '--precision', 'fast');
    assert.match(fast.stderr, /^state: the precision is fast; this is computed in fine/);
});

test('a reading that is the same for all tokens has no correlation: null, and no number of lines', () => {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
    try {
        // values of 0 are moved by no head, and nothing turns without them
        cpSync(join(root, 'models/mini-en'), folder, {recursive: true});
        const file = join(folder, 'model.safetensors');
        const bytes = readFileSync(file);
        const start = 8 + Number(bytes.readBigUInt64LE());
        const header = JSON.parse(bytes.subarray(8, start).toString());
        for (const [name, {data_offsets: at}] of Object.entries(header))
            if (/self\.value\.(weight|bias)$/.test(name))
                bytes.fill(0, start + at[0], start + at[1]);
        writeFileSync(file, bytes);
        const line = 'The old dog slept by the warm fire.';
        const whole = JSON.parse(agree(folder, [line]).stdout);
        assert.equal(whole.lines, 1);
        for (const row of whole.with_decided)
            assert.deepEqual([row.n, row.mean, row.sd], [0, null, null], row.reading);
        const none = [1, 2, 5]; // moved, zeroed, decided
        whole.correlations.forEach((row, a) =>
            row.forEach((r, b) =>
                assert.equal(r === null, none.includes(a) || none.includes(b), `${a}, ${b}`),
            ),
        );
        assert.deepEqual(agree(folder, [line], '--csv').stdout.split('\n')[1], '1,5,8,,,,,');
        const asked = ['intervene', folder, '{"intervention": "agree"}', line];
        const {correlations} = JSON.parse(spawnSync(headlight, asked, {encoding: 'utf8'}).stdout);
        assert.deepEqual(
            correlations.map(row => row.map(r => r === null)),
            whole.correlations.map(row => row.map(r => r === null)),
        );
    } finally {
        rmSync(folder, {recursive: true});
    }
});
