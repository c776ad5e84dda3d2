/* `head-light figure`, the command of the package: pictures and pages of a model on the disk, and what it
 * refuses. Skips where the package has not been built (make npm). */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {views} from '../../web/views/index.js';
import {root} from './lib/model.mjs';
import {sentenceFiles} from './lib/sentence_folder.mjs';
import {tensor, writeSafetensors} from './lib/safetensors.mjs';

const COMMAND = `${root}build/out/npm/figure.js`;
const MODEL = `${root}models/mini-en`;
const skip = existsSync(COMMAND) ? false : `${COMMAND} is not there; run make npm`;
const TEXTS = ['I went to the store.', 'At the store, I bought fresh strawberries.'];
const folder = mkdtempSync(join(tmpdir(), 'headlight-figure-'));
after(() => rmSync(folder, {recursive: true}));

const run = (...args) => spawnSync(process.execPath, [COMMAND, ...args], {encoding: 'utf8'});

/** The file that a figure was written to. */
function figure(name, ...args) {
    const path = join(folder, name);
    const {status, stderr} = run('figure', MODEL, ...args, '-o', path);
    assert.equal(`${status} ${stderr}`, '0 ', args.join(' '));
    return readFileSync(path, 'utf8');
}
const wordsOf = svg =>
    svg
        .replace(/<title>.*?<\/title>/g, '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');

test('an SVG of every view, light and dark, in both languages', {skip}, () => {
    for (const {id} of views) {
        const svg = figure(`${id}.svg`, TEXTS[0], '--view', id);
        assert.match(svg, /^<svg [^>]*xmlns[\s\S]*<\/svg>\n$/, id);
        assert.match(wordsOf(svg), /^ ?I went to the store\. .* · mini-en/, id);
    }
    const begun = wordsOf(figure('begun.svg', ...TEXTS));
    assert.match(begun, /L0·H3, H6, H7: .*L0·H3 L0·H6 L0·H7 Weight/, 'the heads that speak most');
    const own = figure(
        'own.svg',
        TEXTS[0],
        '--layer',
        '1',
        '--head',
        '2,0',
        '--dark',
        '--lang',
        'zh',
        '--title',
        'A <b> title',
        '--note',
        'A note',
        '--width',
        '300',
    );
    assert.match(wordsOf(own), /^ ?A &lt;b> title 注意力：L1·H0, H2/);
    assert.match(wordsOf(own), /A note .*连线从左侧/);
    assert.match(
        own,
        /<rect width="468" height="\d+" fill="#15171c">/,
        'dark, no narrower than its words',
    );
});

test('a link brings the rest of the state: the same picture as with options', {skip}, () => {
    const options = figure('a.svg', ...TEXTS, '--layer', '2', '--head', '3');
    assert.equal(
        figure('b.svg', '--link', 'https://x.org/#v=2&model=mini-en&layer=2&heads=3'),
        options,
    );
    const masked = wordsOf(figure('c.svg', '--link', '#v=2&layer=2&heads=3&masked=2&off=0.1'));
    assert.match(masked, /switched off: L0·H1/);
    assert.match(masked, /\[MASK\]/);
});

test(
    'maps of what is moved, value zeroing, the lens and the split: pictures and numbers',
    {skip},
    async () => {
        const rowsOf = csv =>
            csv
                .trim()
                .split('\r\n')
                .map(line => line.split(','));
        const given = [TEXTS[0], '--view', 'heatmap', '--layer', '2', '--head', '1'];
        const {load} = await import('../../build/out/npm/node.js');
        const model = await load(MODEL);
        const result = await model.run(TEXTS[0]);
        const fine = await model.run(TEXTS[0], {precision: 'fine'}); // as what is predicted is
        const T = result.tokens.length;
        for (const [show, cells, name] of [
            [
                'moved',
                (await result.measure('moved_shares', {layer: 2})).data.subarray(T * T),
                /what is moved/,
            ],
            ['zeroing', (await result.measure('zeroing', {layer: 2})).data, /value zeroing/],
        ]) {
            const [, ...rows] = rowsOf(figure(`${show}.csv`, ...given, '--show', show));
            rows.forEach((row, i) =>
                assert.deepEqual(
                    row.slice(-T).map(Number),
                    [...cells.subarray(i * T, (i + 1) * T)],
                    `${show} ${i}`,
                ),
            );
            assert.match(wordsOf(figure(`${show}.svg`, ...given, '--show', show)), name);
        }
        const lens = await fine.lens('all', {top: 1});
        const lensed = JSON.parse(figure('lens.json', TEXTS[0], '--view', 'next', '--lens'));
        assert.deepEqual([lensed.text, lensed.rows.length], [TEXTS[0], model.info.layers * T]);
        assert.deepEqual(
            lensed.rows.map(([layer, position, , , probability, , rank]) => [
                layer,
                position,
                probability,
                rank,
            ]),
            Array.from({length: model.info.layers}, (_, layer) =>
                lens.map(({layers}, position) => [
                    layer,
                    position,
                    layers[layer].predictions[0].probability,
                    layers[layer].ranks[0],
                ]),
            ).flat(),
        );
        await model.dispose();
        const sentences = join(folder, 'sentences');
        cpSync(`${root}tests/golden/models/bert-tiny-random`, sentences, {recursive: true});
        mkdirSync(join(sentences, '1_Pooling'));
        for (const [file, body] of Object.entries(sentenceFiles('pooling_mode_mean_tokens')))
            writeFileSync(join(sentences, file), body);
        for (const ending of ['svg', 'csv', 'json']) {
            const out = join(folder, `split.${ending}`);
            const {status, stderr} = run('figure', sentences, 'a b', 'b', '--split', '-o', out);
            assert.equal(`${status} ${stderr}`, '0 ');
        }
        const {sum, rows} = JSON.parse(readFileSync(join(folder, 'split.json'), 'utf8'));
        const csv = rowsOf(readFileSync(join(folder, 'split.csv'), 'utf8'));
        assert.deepEqual(
            csv.slice(1).map(row => row.slice(1).map(Number)),
            rows.map(row => row.slice(1)),
        );
        const cells = rows.flatMap(row => row.slice(1));
        assert.ok(Math.abs(cells.reduce((all, cell) => all + cell, 0) - sum) < 1e-6 && sum <= 1);
        assert.match(
            readFileSync(join(folder, 'split.svg'), 'utf8'),
            /^<svg [^]*adds to the similar/,
        );
    },
);

test('a page holds its script, the picture for where none runs, and all layers', {skip}, () => {
    const page = figure('a.html', TEXTS[0], '--layer', '1');
    assert.match(page, /^<!doctype html>/);
    assert.match(page, /<div id="app"><svg/);
    assert.match(page, /script-src 'sha256-[\w+/=]+'/);
    const data = JSON.parse(
        /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)[1],
    );
    assert.deepEqual([data.view, data.state.layer, data.texts], ['head', 1, [TEXTS[0]]]);
    const layers = data.tensors.map(({name}) => name).filter(name => name.startsWith('attention.'));
    assert.equal(layers.length, 6);
});

test(
    'a page of What decides holds what it is drawn from: words, and the answer of all passes',
    {skip},
    () => {
        const page = figure(
            'decides.html',
            'The capital of France is [MASK].',
            '--view',
            'decides',
        );
        const {tensors} = JSON.parse(
            /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)[1],
        );
        const of = start => tensors.find(({name}) => name.startsWith(start)).answer;
        const [{words}] = of('predictions.masks');
        const {word, steps, effects} = of('asked.');
        assert.equal(word, words[0].piece);
        assert.deepEqual(steps, [effects.length, effects.length]);
    },
);

test('title and note stand in the page as well; marks of a link are drawn', {skip}, () => {
    const words = ['--title', 'A </script> title', '--note', 'one\ntwo\u202e'];
    const page = figure('own.html', TEXTS[0], '--layer', '1', ...words);
    const data = JSON.parse(
        /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)[1],
    );
    assert.deepEqual([data.state.heading, data.state.note], ['A </script> title', 'one\ntwo']);
    const marked = figure(
        'marked.svg',
        TEXTS[0],
        '--link',
        '#v=2&heads=6&marks=2.3%3Alook%20%3Cb%3E',
    );
    assert.match(marked, />look &lt;b><\/text>/);
    assert.doesNotMatch(marked, /<b>/);
});

test('a file of attention: every view that it is enough for, and its parts', {skip}, () => {
    const file = join(folder, 'given.safetensors');
    const weights = [0.5, 0.5, 0.25, 0.75];
    const tensors = {
        'attention.0': tensor([1, 2, 2], weights),
        'cross.0': tensor([1, 1, 2], weights.slice(0, 2)),
    };
    const metadata = {tokens: '["straw", "\\u0120berries"]', decoder_tokens: '["Beeren"]'};
    writeFileSync(file, writeSafetensors(tensors, {...metadata, mask: 'not JSON'}));
    const draw = (name, ...args) => {
        const path = join(folder, name);
        const {status, stderr} = run('figure', file, ...args, '-o', path);
        assert.equal(`${status} ${stderr}`, '0 ', args.join(' '));
        return readFileSync(path, 'utf8');
    };
    for (const view of ['head', 'heatmap', 'model', 'find'])
        assert.match(wordsOf(draw(`${view}.svg`, '--view', view)), / · given/, view);
    assert.match(wordsOf(draw('head.svg')), / straw berries straw berries /);
    assert.match(wordsOf(draw('cross.svg', '--part', 'cross')), / Beeren straw berries /);
    const page = draw('cross.html', '--part', 'cross');
    const [, data] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page);
    assert.deepEqual([JSON.parse(data).cross, JSON.parse(data).texts], [true, []]);

    const svg = join(folder, 'none.svg');
    for (const [args, status, said] of [
        [[file, 'a text', '-o', svg], 2, /has its tokens: give no text/],
        [
            [file, '--part', 'decoder', '-o', svg],
            1,
            /no attention of the decoder; it has encoder, cross/,
        ],
        [
            [file, '--view', 'neuron', '-o', svg],
            1,
            /--view neuron, which needs a model; it is for head, /,
        ],
        [[MODEL, 'a', '--part', 'cross', '-o', svg], 2, /--part is of a file of attention/],
    ]) {
        const result = run('figure', ...args);
        assert.match(result.stderr, said);
        assert.equal(result.status, status);
    }
    assert.ok(!existsSync(svg), 'nothing is written');
});

test('what is wrong is said in one line, with what to do', {skip}, () => {
    const svg = join(folder, 'x.svg');
    for (const [args, status, said] of [
        [['figure', MODEL, 'a'], 2, /-o needs a file that ends in \.svg, \.html, \.csv or /],
        [['figure', MODEL, 'a', '-o', 'a.png'], 2, /-o needs a file/],
        [['figure', MODEL, '-o', svg], 2, /a model and one or two texts/],
        [['figure', MODEL, 'a', '-o', svg, '--heads', '1'], 2, /there is no option --heads/],
        [['figure', MODEL, 'a', '-o', svg, '--view', 'x'], 2, /--view is x; one of head, /],
        [['figure', MODEL, 'a', '-o', svg, '--show', 'x'], 2, /--show is x; one of weight, /],
        [['figure', MODEL, 'a', '-o', svg, '--show', 'zeroing'], 2, /is of --view heatmap; the/],
        [['figure', MODEL, 'a', '-o', svg, '--lens'], 2, /--lens is of --view next; the view is h/],
        [['figure', MODEL, 'a', '-o', svg, '--split'], 2, /--split needs two texts/],
        [
            ['figure', MODEL, 'a', 'b', '-o', svg, '--split'],
            1,
            /^state: .*split needs a sentence-tr/,
        ],
        [['figure', MODEL, 'a', '-o', svg, '--width', '9'], 2, /--width is 9; 240 to 4000/],
        [['figure', MODEL, 'a', '-o', svg, '--lang'], 2, /--lang needs a value/],
        [
            ['figure', MODEL, 'a', '-o', svg, '--title', 'x'.repeat(201)],
            2,
            /--title has 201 characters; at most 200 were expected/,
        ],
        [['figure', MODEL, 'a', '-o', svg, '--note', 'x'.repeat(700)], 2, /--note has 700 char/],
        [
            ['figure', MODEL, 'a', '-o', svg, '--layer', '6'],
            1,
            /^state: --layer is 6; numbers from 0 to 5/,
        ],
        [['figure', MODEL, 'a', '-o', svg, '--head', '-1'], 1, /^state: --head is -1/],
        [['figure', '/nowhere', 'a', '-o', svg], 1, /^file: \/nowhere cannot be opened/],
        [
            ['figure', MODEL, 'a', '-o', '/nowhere/x.svg'],
            1,
            /^file: \/nowhere\/x\.svg cannot be written: there is no folder \/nowhere$/m,
        ],
        ...['javascript:1', 'javascript:1#v=2', 'https://example.org/', '#nonsense'].map(link => [
            ['figure', MODEL, 'a', '-o', svg, '--link', link],
            2,
            /^--link is (javascript:1|https:|#nonsense).*; a link of the page was expected/,
        ]),
        ...[
            ['layer=99', '99 in layer; 0 to 5'],
            ['layer=x', 'layer=x, which is no value of that'],
            ['heads=1,9', '9 in heads; 0 to 7'],
            ['off=0.8', '8 in off; 0 to 7'],
            ['zeroed=1.1.99', '99 in zeroed; 0 to'],
            ['without=q', 'without=q, which is no value of that'],
            ['token=3', '3 in token; 0 to 2'],
            ['masked=1,7', '7 in masked; 0 to 2'],
            ['replaced=5:a', '5 in replaced; 0 to 2'],
        ].map(([link, said]) => [
            ['figure', MODEL, 'a', '-o', svg, '--link', `#v=5&${link}`],
            2,
            new RegExp(`^--link has ${said}`),
        ]),
    ]) {
        const result = run(...args);
        assert.match(result.stderr, said);
        assert.equal(result.stderr.trimEnd().split('\n').length, 1, args.join(' '));
        assert.equal(result.status, status, args.join(' '));
    }
    assert.match(run('figure', '--help').stdout, /^usage: head-light figure MODEL TEXT/);
    const {version} = JSON.parse(readFileSync(`${root}web/package.json`, 'utf8'));
    assert.equal(run('--version').stdout, `head-light ${version}\n`);
    assert.deepEqual([run('draw').status, run().status], [2, 2]);
    assert.match(run('draw').stderr, /there is no command draw/);
    assert.ok(!existsSync(svg), 'nothing is written');
});

test('a picture for a column, without caption and cells', {skip}, () => {
    const made = (...options) => figure('column.svg', TEXTS[0], '--head', '2', ...options);
    assert.match(made('--size', 'column'), /<svg[^>]* width="84mm"/);
    const bare = made('--size', 'slide', '--no-caption', '--no-cells');
    assert.match(bare, /<svg[^>]* width="338.7mm" height="190.5mm"/);
    assert.doesNotMatch(wordsOf(bare), /Small cells|mini-en/);
    const ground = /<rect[^>]*fill="#15171c"[^>]*>(?:<\/rect>)?<g transform/;
    assert.match(made('--dark'), ground);
    assert.doesNotMatch(made('--dark', '--no-background'), ground);
    const {status, stderr} = run('figure', MODEL, TEXTS[0], '--size', 'wall', '-o', 'a.svg');
    assert.equal(status, 2);
    assert.match(stderr, /--size is wall; one of screen, column, slide, poster was expected/);
});

test(
    'validate: the JSON of a figure is a table; a fault is told with its place, and what is no JSON',
    {skip},
    () => {
        const path = join(folder, 'numbers.json');
        const table = JSON.parse(figure('numbers.json', TEXTS[0], '--head', '2'));
        assert.equal(run('validate', path).stdout, `${path}: table\n`);
        writeFileSync(path, JSON.stringify({...table, columns: table.columns.slice(1)}));
        const {status, stderr} = run('validate', path);
        assert.equal(status, 1);
        assert.match(stderr, /numbers\.json\.rows\[0\]: \d+ cells, but there are \d+ columns\n/);
        writeFileSync(path, '{');
        assert.match(run('validate', path).stderr, /^file: .*JSON/);
        assert.equal(run('validate').status, 2);
    },
);
