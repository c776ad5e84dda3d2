/* direct - direct logit attribution (measure/direct.c): of every golden model with words or labels each row is that of
 * transformers in float64, by autograd (tests/golden/direct.py); the rows sum to the difference of the pass's own logits;
 * what is off has no row; what is refused; the command.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {asked} from './lib/asked.mjs';
import {loadFolder, root, run} from './lib/model.mjs';

const read = path => JSON.parse(readFileSync(join(root, 'tests/golden', path), 'utf8'));
const REFERENCE = read('direct.json');
const TOKENS = 12; // as tests/golden/direct.py
const ROWS = ['word', 'position', 'segment', 'biases', 'head', 'rest', 'rounding', 'logit'];
const TEXT = 'The teacher read the book, and then the teacher read the';
const sum = list => list.reduce((all, x) => all + x, 0);

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const golden = name => join(root, 'tests/golden/models', name);

async function ran(folder, store, {input_ids: ids, token_type_ids: types}, changes = []) {
    const opened = await openModel(folder, store);
    opened.session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
    opened.session.change(changes);
    opened.run('fine');
    return opened;
}

function directOf({pass, model}, place) {
    const of = name => Array.from(pass.measure(name, place));
    const [rows, mlps, heads] = ['direct', 'direct_mlps', 'direct_heads'].map(of);
    const named = Object.fromEntries(ROWS.map((name, i) => [name, rows[i]]));
    const terms = [...rows.slice(0, ROWS.indexOf('rounding')), ...mlps, ...heads];
    assert.deepEqual([mlps.length, heads.length], [model.layers, model.layers * model.heads]);
    return {...named, mlps, heads, sources: of('direct_sources'), size: sum(terms.map(Math.abs))};
}

/** Only the file with everything has it. */
const openModel = async (folder, store) => {
    const file = readFileSync(join(root, 'build/out/wasm/headlight-full.wasm'));
    return loadFolder(folder, store, await instantiate(file));
};

const pearson = lists => {
    const [x, y] = lists.map(list => list.map(one => one - sum(list) / list.length));
    const dot = (a, b) => sum(a.map((one, i) => one * b[i]));
    return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
};

const near = (ours, theirs, most, what) =>
    assert.ok(Math.abs(ours - theirs) <= most, `${what}: ${ours}, not ${theirs}`);

let checked = 0;
for (const [name, answers] of Object.entries(REFERENCE))
    test(`${name}: each row is that of transformers`, async context => {
        const opened = await ran(golden(name), 'f32', read(`dumps/${name}/inputs.json`).inputs[0]);
        const T = opened.session.tokens().length;
        let most = 0;
        for (const {asked, mlps, heads, largest, sources, ...rows} of answers) {
            const ours = directOf(opened, asked);
            const compare = (x, y, what) => {
                near(x, y, 1e-5 * (1 + ours.size), `${name} ${asked} ${what}`);
                most = Math.max(most, Math.abs(x - y) / ours.size);
                checked++;
            };
            for (const [row, value] of Object.entries(rows)) compare(ours[row], value, row);
            mlps.forEach((value, l) => compare(ours.mlps[l], value, `MLP ${l}`));
            heads.flat().forEach((value, n) => compare(ours.heads[n], value, `head ${n}`));
            const first = (largest[0] * opened.model.heads + largest[1]) * T;
            assert.equal(sources.length, T);
            sources.forEach((value, t) => compare(ours.sources[first + t], value, `from ${t}`));
            near(ours.rounding, 0, 1e-5 * ours.size, 'the sum is the logit');
            ours.heads.forEach((head, n) =>
                near(
                    sum(ours.sources.slice(n * T, (n + 1) * T)),
                    head,
                    1e-6 * ours.size,
                    'sources',
                ),
            );
        }
        context.diagnostic(`largest difference: ${most.toExponential(1)} of the sizes`);
    });

test('every family that predicts words, and labels of each kind, was compared', () => {
    const {models, computed} = read('models.json');
    const bare = new Set(['bert-tiny-bare', 'bert-one-head', 'bert-512']);
    const wanted = models.filter(
        ({name, refused, family}) =>
            !refused &&
            computed.includes(family) &&
            !bare.has(name) &&
            !name.startsWith('bert-tiny'),
    );
    assert.deepEqual(
        wanted.map(({name}) => name).filter(name => !REFERENCE[name]),
        [],
    );
    assert.ok(checked > 1500, `${checked}`);
});

for (const [name, store] of [
    ['mini-gpt-en', 'q8'],
    ['mini2-en', 'q8'],
    ['mini2-en-sst2', 'f32'],
])
    test(`${name} in ${store}: the rows sum to the logits of the pass`, async () => {
        const opened = await openModel(join(root, 'models', name), store);
        const {session} = opened;
        session.tokenize(TEXT, null);
        const pass = opened.run('fine');
        const at = session.tokens().length - 1;
        const asked = name.endsWith('sst2') ? [0, 1, 0] : [at, 300, 301];
        const found = directOf(opened, asked);
        const tensor = {'mini-gpt-en': 'lm_logits', 'mini2-en': 'mlm_logits'}[name];
        const logits = pass.tensor(tensor ?? 'label_logits', 0).data;
        const V = tensor ? logits.length / session.tokens().length : 0;
        const [x, y] = asked.slice(1).map(id => logits[asked[0] * V + id]);
        near(found.logit, x - y, 1e-5 * (1 + found.size), 'the difference of two logits');
        const mean = directOf(opened, [...asked.slice(0, 2), -1]);
        const row = logits.subarray(asked[0] * V, V ? (asked[0] + 1) * V : undefined);
        near(mean.logit, x - sum(Array.from(row)) / row.length, 1e-5 * (1 + mean.size), 'mean');
        for (const one of [found, mean])
            near(one.rounding, 0, (store === 'f32' ? 1e-5 : 0.02) * one.size, 'rounding');
    });

test('what is off has no row, and what it was is gone from the number', async () => {
    const input = {input_ids: [5, 9, 7, 11, 6, 8, 12, 10], token_type_ids: null};
    for (const name of ['gpt2-next', 'gpt-neox-next', 'bert-tiny-random']) {
        const opened = await ran(golden(name), 'f32', input, [
            ['head', 1, 0],
            ['mlp', 1],
        ]);
        const found = directOf(opened, [5, 20, 21]);
        assert.equal(found.heads[opened.model.heads], 0);
        assert.equal(found.mlps[1], 0);
        assert.notEqual(found.mlps[0], 0);
        near(found.rounding, 0, 1e-5 * found.size, name);
    }
    // without the last MLP of a model whose norms come first nothing changes below but the σ of the last norm
    const [plain, off] = await Promise.all(
        [[], [['mlp', 1]]].map(async changes =>
            directOf(await ran(golden('gpt2-next'), 'f32', input, changes), [5, 20, 21]),
        ),
    );
    const held = plain.word / off.word;
    assert.ok(Math.abs(held - 1) > 1e-3, `${held}`);
    near(off.position * held, plain.position, 1e-5, 'position');
    off.heads.forEach((x, n) => near(x * held, plain.heads[n], 1e-5, `head ${n}`));
});

for (const [name, mask] of [
    ['mini-gpt-en', false],
    ['mini2-en', true],
])
    test(`${name}: rows of heads beside their exact effects, ten texts`, async context => {
        const {session, model} = await openModel(join(root, 'models', name), 'f32');
        const [{layers: L, heads: H}, late] = [model, [[], []]];
        const all = [[], []];
        const texts = readFileSync(join(root, 'corpora/texts.txt'), 'utf8').split('\n');
        for (const line of texts.filter(line => line.split(' ').length > 8).slice(0, 10)) {
            const words = line.replace(/[".,]/g, '').split(' ').slice(0, 8);
            session.tokenize(
                mask ? `${words.with(5, '[MASK]').join(' ')}.` : words.join(' '),
                null,
            );
            const pass = session.run({precision: 'fine', keep: ['*'], over: null});
            const tokens = session.tokens();
            const at = mask
                ? tokens.findIndex(({id}) => id === model.special.mask)
                : tokens.length - 1;
            const [word, against] = pass.predictions(at, 2).ids;
            const rows = Array.from(pass.measure('direct_heads', [at, word, against]));
            pass.release();
            const exact = new Array(L * H);
            const question = {intervention: 'decides', at, word, against, parts: ['heads']};
            for (const one of asked(session, question).effects)
                exact[one.layer * H + one.head] = -one.change;
            [rows, exact].forEach((list, i) => {
                all[i].push(...list);
                late[i].push(...list.slice((L - 2) * H));
            });
        }
        const [every, last] = [all, late].map(pearson);
        context.diagnostic(`Pearson: ${every.toFixed(2)}, last two layers ${last.toFixed(2)}`);
        assert.ok(every > 0.3 && last > 0.6, `${every} ${last}`);
    });

test('labels that may each hold are numbers of their own', async () => {
    const folder = join(scratch, 'many');
    cpSync(golden('bert-labels'), folder, {recursive: true});
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    config.problem_type = 'multi_label_classification';
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    const [input] = read('dumps/bert-labels/inputs.json').inputs;
    const alone = directOf(await ran(folder, 'f32', input), [0, 2, -1]);
    const opened = await ran(golden('bert-labels'), 'f32', input);
    const all = Array.from(opened.pass.tensor('label_logits', 0).data);
    near(alone.logit, all[2], 1e-6, 'a logit by itself');
    near(alone.rounding, 0, 1e-5 * alone.size, 'rounding');
    near(directOf(opened, [0, 2, -1]).logit, all[2] - sum(all) / 3, 1e-6, 'less the mean');
});

test('refused: models without logits, of two stacks; words, labels and positions that are not there', async () => {
    const input = {input_ids: [5, 6, 7, 8], token_type_ids: null};
    const refuses = async (name, asked, why) => {
        const {pass} = await ran(golden(name), 'f32', input);
        for (const measure of ['direct', 'direct_mlps', 'direct_heads', 'direct_sources'])
            assert.throws(() => pass.measure(measure, asked), why, `${name} ${measure}`);
    };
    await refuses('bert-one-head', [0, 1, -1], /predicts neither words nor labels, so that there/);
    await refuses('gpt2-next', [4, 1, -1], /no word or label 1 at position 4; the text has 4 tok/);
    await refuses('gpt2-next', [0, 99999, -1], /no word or label 99999 at position 0/);
    await refuses('gpt2-next', [0, 1, 99999], /no word or label 99999 at position 0/);
    await refuses('gpt2-next', [0, 1, -2], /there is no word -2; ids count from 0/);
    await refuses('bert-labels', [0, 3, -1], /no word or label 3 .*there are 3 of these/);
    await refuses('bert-answers', [1, 0, 1], /set against the mean of all tokens, not against/);
    const all = join(root, 'models/all-minilm-l6-v2');
    const set = (...values) =>
        ['query', 'word', 'against'].flatMap((name, i) => ['--set', `${name}=${values[i]}`]);
    assert.throws(
        () => run('measure', all, 'direct', TEXT, ...set(0, 1, -1)),
        /state: this model predicts neither words nor labels/,
    );
    assert.throws(
        () => run('measure', join(root, 'models/mini-de-en'), 'direct', TEXT, ...set(0, 1, -1)),
        /state: direct of a model of two stacks is not measured yet/,
    );
});

test('the command: the target of decides, the parts of the measures, in words their sum', async () => {
    const text = 'The capital of France is [MASK].';
    const folder = join(root, 'models/mini2-en');
    const args = ['direct', folder, text, '--word', 'paris', '--against', 'london'];
    const json = JSON.parse(run(...args, '--json', '--store', 'f32'));
    assert.deepEqual(
        [json.word, json.against, json.position, json.tokens[6]],
        ['paris', 'london', 6, '[MASK]'],
    );
    const opened = await openModel(folder, 'f32');
    opened.session.tokenize(text, null);
    opened.run('fine');
    const ids = ['paris', 'london'].map(word => opened.session.findWord(word)[0]);
    const found = directOf(opened, [6, ...ids]);
    near(json.logit, found.logit, 1e-5, 'the number');
    for (const {part, layer, head, logit, sources} of json.parts) {
        const ours =
            part === 'head'
                ? found.heads[layer * opened.model.heads + head]
                : part === 'mlp'
                  ? found.mlps[layer]
                  : {...found, 'output biases': found.head, 'rest of the output head': found.rest}[
                        part
                    ];
        near(logit, ours, 1e-5, part);
        if (sources) near(sum(sources), logit, 1e-4, 'sources');
    }
    const {parts} = json;
    assert.equal(parts.length, 4 + 2 + 6 + 72);
    assert.ok(parts.every(({logit}, i) => !i || Math.abs(logit) <= Math.abs(parts[i - 1].logit)));
    const said = run(...args, '--store', 'f32')
        .trimEnd()
        .split('\n');
    assert.equal(said[0], 'paris at 6 ([MASK]), its logit less that of london: +1.5459');
    assert.match(said[1], /^ {4}\+0\.7951 {2}head L5·H7 {3}from 4 france \+0\.507, 2 capital/);
    const numbers = said.slice(1, -1).map(line => Number(line.trim().split(' ')[0]));
    near(sum(numbers), 1.5459, 1e-3, 'the rows and the others');
    assert.match(
        said.at(-1),
        /^ {4}\+1\.5459 {2}sum of the direct effects; rounding [-+]\d\.\de-0[67]$/,
    );
    const [names, ...rows] = run(...args, '--csv', '--store', 'f32')
        .trimEnd()
        .split('\n');
    assert.equal(names, 'part,layer,head,logit');
    assert.equal(rows.length, parts.length);
    assert.equal(rows[0], 'head,5,7,0.795098');
});

test('the command: labels, answers, what is replaced; what decides refuses is refused', () => {
    const first = (...args) => run('direct', ...args).split('\n')[0];
    const en = join(root, 'models/mini2-en');
    assert.match(
        first(join(root, 'models/mini2-en-sst2'), 'A good film.', '--against', 'negative'),
        /^label positive, its logit less that of negative: \+/,
    );
    // a label of which one holds, alone: its number is less the mean, as the measure's
    for (const [name, of] of [
        [golden('bert-labels'), 'label \\w+'],
        [golden('bert-token-labels'), 'label \\S+'],
        [join(root, 'models/mini2-en-sst2'), 'label positive'],
    ])
        assert.match(
            first(name, 'A good film.'),
            RegExp(`^${of}, its logit less the mean of all: `),
        );
    assert.match(
        first(golden('bert-answers'), 'a b', 'c d'),
        /^the answer starts at \d \(.\), its logit less the mean of all tokens: /,
    );
    assert.match(first(golden('electra-discriminator'), 'a b'), /^label original, its logit: /);
    assert.match(
        first(en, 'The cat is [MASK].'),
        / at 4 \(\[MASK\]\), its logit less the mean of all: /,
    );
    const sides = ['replaced', 'original'].map(word =>
        Number(
            first(golden('electra-discriminator'), 'a b', '--at', '1', '--word', word).split(
                ': ',
            )[1],
        ),
    );
    assert.equal(sides[0], -sides[1]);
    const refused = (why, ...args) => assert.throws(() => run('direct', ...args), why);
    refused(/state: no prediction was found to explain; put \[MASK\]/, en, 'No mask.');
    refused(/text: zzqq is no single entry of the vocabulary/, en, 'A [MASK].', '--word', 'zzqq');
    refused(/is set against itself/, en, 'A [MASK].', '--word', 'cat', '--against', 'cat');
    refused(/there is no position 9/, en, 'A [MASK].', '--at', '9');
    refused(/state: the precision is fast; /, en, 'A [MASK].', '--precision', 'fast');
    refused(/predicts neither words nor labels/, join(root, 'models/all-minilm-l6-v2'), TEXT);
    refused(/two stacks/, join(root, 'models/mini-de-en'), 'zwei');
    const [answers, labels] = ['bert-answers', 'bert-labels'].map(golden);
    refused(/--word is not taken here: the model says where/, answers, 'a', 'b', '--word', 'b');
    refused(/--against is not taken here/, answers, 'a', 'b', '--against', 'b');
    refused(/--at is not taken here: the label is that of the whole/, labels, 'a b', '--at', '1');
    refused(/two forms of one answer/, labels, 'a b', '--csv', '--json');
    const long = Array(120).fill('the').join(' ');
    const cut = /^cut off: the last \d+ tokens of text A$/;
    assert.match(first(golden('gpt2-next'), long), cut);
});
