/* search - indexes of corpora on the shipped models, and questions to them: against brute force in
 * plain Python (lib/search.py), in parts, natively and in wasm; labels that are shuffled claim
 * nothing; damaged and foreign files.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {load, openIndex} from '../../web/package/node.js';
import {headlight, root, run} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';
import {halfOf, shuffled, tensorsOf} from './lib/search.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const at = name => join(scratch, name);
const model = name => join(root, 'models', name);
const corpus = name => join(root, 'corpora', name);
const index = (file, ...args) => run('index', ...args, '-o', at(file), '--threads', '1');

index('trees', model('mini2-en'), corpus('sentences.conllu'), '--layers', '2,5');
index('causal', model('mini-gpt-en'), corpus('pronouns.txt'), '--layers', '1');
index('pairs', model('mini-en'), corpus('pairs.tsv'), '--layers', '0');

const ask = (file, question) =>
    JSON.parse(run('search', at(file), JSON.stringify(question), '--threads', '2'));

/** What plain Python answers to the same questions. */
function reference(file, questions) {
    const input = questions.map(question => JSON.stringify(question)).join('\n');
    const script = join(root, 'tests/js/lib/search.py');
    const lines = execFileSync('python3', [script, at(file)], {
        input,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
    });
    return lines
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
}

const near = (got, want, what, bound = 1e-9) =>
    assert.ok(Math.abs(got - want) <= bound, `${what}: ${got}, not ${want}`);

function compareRows(got, want, place) {
    assert.equal(got.length, want.length);
    for (const [i, row] of got.entries()) {
        const [token, key, value] = want[i];
        assert.equal(place(row, row.query ?? row.match), token, `row ${i}`);
        if (key !== null) assert.equal(place(row, row.key), key, `key of row ${i}`);
        const given = row.cosine ?? row.moved;
        if (given !== undefined) near(given, value, `value of row ${i}`, 1e-12);
    }
}

/** As an answer lists them: the smallest adjusted first, then the most frequent. */
const inOrder = bars =>
    [...bars].sort(
        (a, b) => (a.adjusted ?? 0) - (b.adjusted ?? 0) || b.count - a.count || a.order - b.order,
    );

function compareBars(got, want) {
    const what = `${want.of} ${want.by}`;
    for (const key of ['of', 'by', 'matches', 'sentences', 'others'])
        assert.equal(got[key], want[key], `${key} of ${what}`);
    assert.equal(got.count, want.bars.length, what);
    const all = new Map(want.bars.map(bar => [bar.label, bar]));
    for (const label of got.labels) {
        const bar = all.get(label.label);
        const name = `${what} ${label.label}`;
        const [share, low, high] = bar.interval;
        assert.equal(label.count, bar.count, name);
        near(label.base, bar.base, `base of ${name}`);
        near(label.share, share, `share of ${name}`);
        near(label.expected * want.matches, bar.expected, `expected of ${name}`, 1e-7);
        if (bar.base > 0) {
            near(label.low * label.base, low, `low of ${name}`, 1e-6);
            near(label.high * label.base, high, `high of ${name}`, 1e-6);
        } else assert.equal(label.lift, null, name);
        if (bar.p === null) assert.equal(label.p, null);
        else near(label.p, bar.p, `p of ${name}`);
        if (bar.p !== null) near(label.adjusted, bar.adjusted, `adjusted of ${name}`);
        const claim = label.count > bar.expected ? 'more' : 'less';
        assert.equal(label.claim, bar.p !== null && bar.adjusted < 0.05 ? claim : null, name);
    }
    if (want.by === 'words')
        assert.deepEqual(
            got.labels.map(({label, query, key}) => [label, `${query} → ${key}`]),
            want.bars.slice(0, 30).map(({label}) => [label, label]),
        );
    const least = inOrder(want.bars)[0];
    if (least?.p) near(got.labels[0].p, least.p, `first of ${what}`);
}

/** Answers of an index and of plain Python, side by side. */
function compare(file, questions) {
    for (const [i, want] of reference(file, questions).entries()) {
        const got = ask(file, questions[i]);
        assert.equal(got.matches, want.matches, JSON.stringify(questions[i]));
        compareRows(got.rows, want.rows, (row, it) => want.starts[row.sentence] + it.token);
        if (questions[i].bars !== 'none')
            assert.deepEqual(
                got.bars.filter(set => set.matches).map(({of, by}) => `${of} ${by}`),
                want.sets.map(({of, by}) => `${of} ${by}`),
            );
        for (const set of want.sets)
            compareBars(
                got.bars.find(({of, by}) => of === set.of && by === set.by),
                set,
            );
    }
}

test('an index holds what a pass of the sentence gives', () => {
    const it = tensorsOf(readFileSync(at('trees')));
    const text = readFileSync(corpus('sentences.conllu'), 'utf8').match(/# text = (.*)/)[1];
    run('run', model('mini2-en'), text, '--precision', 'fine', '--dump', at('dump'));
    const dump = readSafetensors(at('dump'));
    const [heads, layer, width] = [12, 2, 384];
    const tokens = dump.get('input_ids').data.length;
    assert.equal(it.get('sentences')[0], tokens);
    assert.deepEqual([...it.get('ids').subarray(0, tokens)], dump.get('input_ids').data);
    const args = ['--set', `layer=${layer}`, '--precision', 'fine'];
    const moved = JSON.parse(run('measure', model('mini2-en'), 'moved', text, ...args)).values;
    const maps = dump.get(`layer.${layer}.probs`).data;
    for (let i = 0; i < tokens; i++)
        for (let h = 0; h < heads; h++) {
            const row = (h * tokens + i) * tokens;
            const weights = [...maps.subarray(row, row + tokens)];
            const best = weights.indexOf(Math.max(...weights));
            const what = `token ${i}, head ${h}`;
            assert.equal(it.get(`keys.${layer}`)[i * heads + h], best - i, what);
            near(it.get(`weights.${layer}`)[i * heads + h] / 65535, weights[best], what, 1e-5);
            const half = halfOf(it.get(`moved.${layer}`)[i * heads + h]);
            near(half / moved[row + best], 1, `moved of ${what}`, 0.0006);
        }
    const unit = row => {
        const length = Math.hypot(...row);
        return row.map(x => x / length);
    };
    for (const [name, size, rows] of [
        ['hidden', width, tokens],
        ['context', width / heads, tokens * heads],
    ])
        for (let i = 0; i < rows; i++) {
            const cut = [i * size, (i + 1) * size];
            const given = unit([...dump.get(`layer.${layer}.${name}`).data.subarray(...cut)]);
            const scale = it.get(`${name}.${layer}.scale`)[i];
            const codes = [...it.get(`${name}.${layer}`).subarray(...cut)];
            const cosine = codes.reduce((sum, code, k) => sum + code * scale * given[k], 0);
            assert.ok(cosine > 0.998, `${name} ${i}: ${cosine}`);
            near(Math.hypot(...codes.map(code => code * scale)), 1, 'length', 1e-6);
        }
});

test('a token is none of its own neighbours, whatever they must be', () => {
    const [{sentence, match}] = ask('trees', {ask: 'find', word: 'it'}).rows;
    const {token, word, pos} = match;
    const its = {at: [sentence, token], rows: 2000, most: 5000};
    for (const question of [
        {ask: 'like', layer: 5},
        {ask: 'like', layer: 5, word},
        {ask: 'like', layer: 2, pos},
        {ask: 'context', layer: 2, heads: [1], word},
    ]) {
        const {rows, matches} = ask('trees', {...question, ...its});
        assert.ok(rows.length > 3 && (rows.length === matches || rows.length === 2000));
        const own = row => row.sentence === sentence && row.match.token === token;
        assert.ok(!rows.some(own), JSON.stringify(question));
    }
});

test('a row names the line of its sentence in the corpus, and a layer that is not given is the last', () => {
    for (const [file, name, question] of [
        ['trees', 'sentences.conllu', {ask: 'find', word: 'the'}],
        ['causal', 'pronouns.txt', {ask: 'find', word: 'the'}],
        ['pairs', 'pairs.tsv', {ask: 'find', word: 'the'}],
    ]) {
        const lines = readFileSync(corpus(name), 'utf8').split('\n');
        const {rows} = ask(file, {...question, rows: 200});
        assert.ok(rows.length > 20);
        for (const {line, text, text_b: textB} of rows) {
            const there = name.endsWith('conllu')
                ? lines.slice(line - 1, lines.indexOf('', line)).find(one => /^# text =/.test(one))
                : lines[line - 1];
            const bare = there.replaceAll(/\[([^|\]]+)\|[^\]]*\]/g, '$1'); // without marks of mentions
            assert.ok(bare.includes(text) && bare.includes(textB ?? ''), `${name}: ${line}`);
            if (name.endsWith('conllu')) assert.ok(line === 1 || lines[line - 2] === '');
        }
    }
    const near = {ask: 'like', at: [30, 4], rows: 5};
    const {rows, layer} = ask('trees', near);
    assert.equal(layer, 5);
    assert.deepEqual(rows, ask('trees', {...near, layer: 5}).rows);
    assert.notDeepEqual(rows, ask('trees', {...near, layer: 2}).rows);
});

test('a weight is one that is at least as large as asked, the largest too', () => {
    // of a causal model, the first query of each sentence has all of its weight on itself
    const {rows, index: about} = ask('causal', {
        ...{ask: 'head', layer: 1, head: 0, weight: 1, rows: 10000, bars: 'none'},
    });
    assert.ok(rows.every(({weight}) => weight === 1));
    const first = rows.filter(({query, key}) => query.token === 0 && key.token === 0);
    assert.equal(first.length, about.sentences);
});

test('words, neighbours and heads of a treebank are those of brute force', () => {
    compare('trees', [
        {ask: 'find', word: 'IT'},
        {ask: 'find', pos: 'ADJ', relation: 'amod', rows: 50},
        {ask: 'like', layer: 5, at: [0, 1]},
        {ask: 'like', layer: 2, at: [30, 4], most: 7, rows: 100},
        {ask: 'like', layer: 2, at: [3, 2], word: '[SEP]', most: 5},
        {ask: 'like', layer: 5, at: [0, 3], pos: 'NOUN'},
        {ask: 'context', layer: 5, at: [100, 3]},
        {ask: 'context', layer: 2, heads: [11, 3], at: [7, 1], rows: 40},
        {ask: 'head', layer: 3, head: 1, query: {word: 'it'}},
        {ask: 'head', layer: 1, head: 8, most: 300},
        {ask: 'head', layer: 1, head: 8, key: {pos: 'VERB'}, weight: 0.5},
        {ask: 'head', layer: 4, head: 2, query: {relation: 'nsubj'}, offset: [-3, 2]},
        {ask: 'head', layer: 4, head: 2, key: {word: '[CLS]'}, rows: 3},
        {ask: 'head', layer: 3, head: 1, governor: 'nsubj'},
        {ask: 'head', layer: 2, head: 5, dependent: 'any', query: {pos: 'VERB'}},
        {ask: 'head', layer: 2, head: 5, governor: 'any', weight: 0.2},
        {ask: 'find', word: '/^[a-f][^aeiou]?.+$/'},
        {ask: 'find', word: '/ing$|^re|o+k/', rows: 100},
        {ask: 'head', layer: 1, head: 8, query: {word: '/LY$/'}, rows: 60},
    ]);
});

test('every query of a head is compared with what chance and uniform attention would do', () => {
    compare('trees', [{ask: 'head', layer: 2, head: 5}]);
});

test('plain text has words only, and a causal model sees what is before', () => {
    compare('causal', [
        {ask: 'find', word: 'the'},
        {ask: 'like', layer: 1, at: [2, 3]},
        {ask: 'context', layer: 1, heads: [0], at: [5, 2]},
        {ask: 'head', layer: 2, head: 1},
    ]);
    const {bars} = ask('causal', {ask: 'head', layer: 2, head: 1});
    assert.equal(bars.find(({by}) => by === 'offset').tested, false);
});

test('pairs have two texts, and keys in both', () => {
    compare('pairs', [
        {ask: 'head', layer: 2, head: 3, weight: 0.2},
        {ask: 'like', layer: 0, at: [1, 2]},
        {ask: 'head', layer: 2, head: 3, sentence: 'same', query: {word: '/^./'}},
        {ask: 'head', layer: 2, head: 3, sentence: 'other'},
    ]);
    const {rows} = ask('pairs', {ask: 'head', layer: 2, head: 3, rows: 300});
    assert.ok(rows.every(({text, text_b}) => text && text_b));
    const question = 'head layer=2 head=3 rows=1';
    const [names, first] = run('search', at('pairs'), question, '--csv', 'rows').split('\n');
    assert.match(names, /^rank,sentence,line,text,text_b,/);
    assert.ok(first.includes(rows[0].text_b), first);
    assert.ok(rows.some(({query, key}) => query.part === 0 && key.part === 1));
});

test('what every head does over a corpus is what brute force counts', () => {
    for (const [file, question] of [
        ['trees', {ask: 'heads', layer: 1, head: 8}],
        ['causal', {ask: 'heads'}],
        ['pairs', {ask: 'heads', layer: 0, head: 0}],
    ]) {
        const [want] = reference(file, [question]);
        const got = ask(file, question);
        assert.equal(got.rows.length, want.rows.length);
        for (const [i, row] of want.rows.entries()) {
            assert.deepEqual(Object.keys(got.rows[i]).sort(), Object.keys(row).sort(), file);
            for (const [name, value] of Object.entries(row))
                near(got.rows[i][name], value, `${name} of row ${i} of ${file}`);
        }
    }
    const heads = ask('trees', {ask: 'heads', layer: 1, head: 8}).rows;
    assert.equal(heads.find(({layer, head}) => layer === 1 && head === 8).alike, 1);
    const table = run('search', at('trees'), 'heads', '--csv', 'rows').trim().split('\n');
    assert.equal(table.length, heads.length + 1);
    assert.match(table[0], /^layer,head,weight,moved,distance,previous,next,/);
});

test('parts that are merged are the bytes of one run', () => {
    const parts = [1, 2, 3].map(part => {
        const args = [model('mini2-en'), corpus('sentences.conllu'), '--layers', '2,5'];
        index(`part${part}`, ...args, '--shard', `${part}/3`);
        return at(`part${part}`);
    });
    index('merged', 'merge', ...parts);
    assert.ok(readFileSync(at('merged')).equals(readFileSync(at('trees'))));
    const failed = spawnSync(headlight, ['index', 'merge', parts[0], parts[2], '-o', at('no')]);
    assert.match(
        String(failed.stderr),
        /^state: part 2 begins at item 219 of the corpus, and the one before it ends at 109; give the parts in their order\n$/,
    );
    index('other', model('mini2-en'), corpus('sentences.conllu'), '--shard', '2/3');
    const mixed = spawnSync(headlight, ['index', 'merge', parts[0], at('other'), '-o', at('no')]);
    assert.match(
        String(mixed.stderr),
        /^state: part 2 is of another model, corpus or choice of layers/,
    );
});

test('labels that are shuffled within each sentence claim no more than the level allows', () => {
    // a family of tests at 5 %: of 60 questions with nothing to find, 3 are expected to claim something
    const questions = [0, 1, 2].flatMap(head => [
        {ask: 'head', layer: 3, head, most: 200},
        {ask: 'like', layer: 5, at: [head, 2]},
    ]);
    let claiming = 0;
    for (let seed = 1; seed <= 10; seed++) {
        writeFileSync(at('shuffled'), shuffled(readFileSync(at('trees')), seed));
        for (const question of questions) {
            const {bars} = ask('shuffled', question);
            const labelled = bars.filter(({by}) => by === 'pos' || by === 'relation');
            assert.ok(labelled.length >= 2);
            claiming += labelled.some(({labels}) => labels.some(({claim}) => claim));
        }
    }
    assert.ok(claiming <= 9, `${claiming} of 60 claim something`);
    const {bars} = ask('trees', questions[0]);
    assert.ok(
        bars.some(({labels}) => labels.some(({claim}) => claim)),
        'what is there is claimed',
    );
});

test('deciles and samples are drawn by the seed, from all ranks', () => {
    const question = {ask: 'head', layer: 3, head: 1, show: 'deciles', bars: 'none'};
    const {rows, matches} = ask('trees', question);
    assert.equal(rows.length, 20);
    for (let tenth = 0; tenth < 10; tenth++)
        for (const {rank} of rows.slice(2 * tenth, 2 * tenth + 2)) {
            assert.ok(
                rank > (matches * tenth) / 10 && rank <= Math.ceil((matches * (tenth + 1)) / 10),
            );
        }
    // not fewer than asked, as many of each tenth
    for (const [asked, each] of [
        [25, 3],
        [30, 3],
        [3, 1],
    ]) {
        const drawn = ask('trees', {...question, rows: asked}).rows.map(({rank}) => rank);
        const tenths = drawn.map(rank =>
            Array.from({length: 10}, (_, d) => Math.floor((matches * (d + 1)) / 10)).findIndex(
                end => rank <= end,
            ),
        );
        const wanted = Array.from({length: 10 * each}, (_, i) => Math.floor(i / each));
        assert.deepEqual(tenths, wanted, `${asked} rows`);
        assert.equal(new Set(drawn).size, drawn.length, 'none twice');
    }
    const ranks = (seed, more) =>
        ask('trees', {...question, show: 'random', seed, ...more}).rows.map(row => row.rank);
    assert.deepEqual(ranks(1), ranks(1));
    assert.notDeepEqual(ranks(1), ranks(2));
    assert.equal(ranks(1, {rows: 7}).length, 7);
    for (const show of ['random', 'deciles'])
        assert.deepEqual(
            ranks(1, {rows: 1000, most: 31, show}),
            Array.from({length: 31}, (_, i) => i + 1),
            `${show}: more than there are are all`,
        );
});

test('random layers stand beside, with the numbers of their own answer', () => {
    const args = [model('mini2-en'), corpus('sentences.conllu'), '--layers', '2,5'];
    index('random', ...args, '--random-layers', '1');
    for (const question of [
        {ask: 'head', layer: 2, head: 5, weight: 0.3},
        {ask: 'like', layer: 5, at: [0, 1]},
    ]) {
        const both = JSON.parse(
            run('search', at('trees'), '--beside', at('random'), JSON.stringify(question)),
        );
        assert.match(both.beside.model, /mini2-en, random layers of seed 1$/);
        const [own, other] = [ask('trees', question), ask('random', question)];
        assert.deepEqual(both.rows, own.rows);
        for (const set of both.bars.filter(({by}) => by === 'pos' || by === 'offset')) {
            const of = ({bars}) => bars.find(one => one.of === set.of && one.by === set.by);
            for (const {beside, ...label} of set.labels) {
                const same = one => one.label === label.label;
                assert.deepEqual(label, of(own).labels.find(same));
                const found = of(other).labels.find(same);
                assert.deepEqual(beside && {label: label.label, ...beside}, found ?? null);
            }
        }
    }
    // beside itself each label has its own numbers, also of two words of which others share the first
    const [queries, sides] = [[], new Set()];
    for (const question of [
        {ask: 'head', layer: 0, head: 1},
        {ask: 'head', layer: 1, head: 8, weight: 0.5},
        {ask: 'find', word: 'the'},
    ]) {
        const asked = ['--beside', at('trees'), JSON.stringify(question)];
        for (const {of, by, labels} of JSON.parse(run('search', at('trees'), ...asked)).bars)
            for (const {label, query, key: _, beside, ...own} of labels) {
                assert.deepEqual(beside, own, `${of} ${by} ${label}`);
                if (by === 'words') queries.push(query);
                if (by === 'pos') sides.add(of);
            }
    }
    assert.ok(new Set(queries).size < queries.length);
    assert.deepEqual([...sides].sort(), ['after', 'before', 'key', 'query']);
    const heads = {ask: 'heads', layer: 2, head: 5};
    const both = JSON.parse(
        run('search', at('trees'), '--beside', at('random'), JSON.stringify(heads)),
    );
    const [own, other] = [ask('trees', heads).rows, ask('random', heads).rows];
    for (const [i, {beside, ...row}] of both.rows.entries()) {
        assert.deepEqual(row, own[i]);
        assert.deepEqual({layer: row.layer, head: row.head, ...beside}, other[i]);
    }
    const {stderr} = spawnSync(headlight, [
        'search',
        at('trees'),
        'find word=it',
        '--beside',
        at('causal'),
    ]);
    assert.match(
        String(stderr),
        /^state: the index beside must be of the same items of the same corpus, in the same tokens\n$/,
    );
});

test('a question in words is the one in JSON, and its tables have its rows and bars', () => {
    const words = 'head layer=3 head=1 query.word=it key.pos=NOUN offset=-5:-1 weight=0.1 rows=3';
    const asked = JSON.parse(run('search', at('trees'), words));
    const question = {
        ask: 'head',
        layer: 3,
        head: 1,
        offset: [-5, -1],
        weight: 0.1,
        rows: 3,
        query: {word: 'it'},
        key: {pos: 'NOUN'},
    };
    assert.deepEqual(asked.question, question);
    assert.deepEqual(asked, ask('trees', question));
    const lines = run('search', at('trees'), words, '--csv', 'rows').trim().split('\n');
    assert.equal(lines.length, asked.rows.length + 1);
    assert.match(lines[0], /^rank,sentence,line,text,/);
    const bars = run('search', at('trees'), words, '--csv', 'bars').trim().split('\n');
    assert.equal(
        bars.length,
        asked.bars.reduce((sum, {labels}) => sum + labels.length, 1),
    );
});

test('what is damaged, foreign or not understood is refused with a sentence', () => {
    const whole = readFileSync(at('trees'));
    const refused = (bytes, pattern, question = '{"ask": "like", "layer": 5, "at": [0, 1]}') => {
        writeFileSync(at('damaged'), bytes);
        const {status, stderr, stdout} = spawnSync(headlight, ['search', at('damaged'), question]);
        assert.equal(String(stdout), '');
        assert.equal(status, 1);
        assert.match(String(stderr), pattern);
    };
    const flipped = where => Buffer.from(whole.map((byte, i) => (i === where ? byte ^ 4 : byte)));
    refused(whole.subarray(0, whole.length - 1), /is not complete, copy or build it again/);
    refused(whole.subarray(0, 3), /is not an index of a corpus, or not all of it/);
    refused(Buffer.alloc(0), /is not an index of a corpus, or not all of it/);
    const size = Number(whole.readBigUInt64LE(0));
    const header = JSON.parse(whole.subarray(8, 8 + size).toString());
    const [begin] = header['hidden.5'].data_offsets;
    refused(
        flipped(8 + size + begin + 300000),
        /this index is damaged: the bytes of hidden\.5 are not those/,
    );
    refused(
        Buffer.from('<!doctype html><title>Not found</title>'),
        /this is a web page \(HTML\), not an index/,
    );
    refused(
        readFileSync(join(model('mini-en'), 'model.safetensors')),
        /this safetensors file is not an index of a corpus/,
    );
    for (const [question, pattern] of [
        ['{}', /what is asked\? ask must be one of: find like context head heads/],
        ['{"ask": "guess"}', /ask must be one of: find like context head heads/],
        ['{"ask": "heads", "layer": 1}', /layer and head say together which head; give both/],
        ['{"ask": "heads", "csv": "bars"}', /the question heads has no bars; its table is rows/],
        ['{"ask": "find", "head": 1}', /the question find has no head; it takes: ask word/],
        [
            '{"ask": "find", "word": "strawberryish"}',
            /the corpus does not have the word strawberryish/,
        ],
        [
            '{"ask": "find", "pos": "NOUM"}',
            /no word of this corpus has the part of speech NOUM; there are: /,
        ],
        ['{"ask": "like", "layer": 3, "at": [0, 1]}', /no vectors of layer 3; it has those of: /],
        [
            '{"ask": "find", "word": "/(a/"}',
            /\( \) \{ \} are not known.*a pattern between slashes has/,
        ],
        ['{"ask": "find", "word": "/[b-a]/"}', /a range of letters goes backwards/],
        ['{"ask": "find", "word": "/[ab/"}', /a class of letters lacks its \]/],
        [`{"ask": "find", "word": "/${'a'.repeat(80)}/"}`, /a pattern is too long/],
        ['{"ask": "find", "word": "/zzqq/"}', /no word of this corpus fits the pattern \/zzqq\//],
        [
            '{"ask": "head", "layer": 1, "head": 0, "governor": "nsubjj"}',
            /no word of this corpus has the relation nsubjj; there are: /,
        ],
        [
            '{"ask": "head", "layer": 1, "head": 0, "sentence": "both"}',
            /sentence must be one of: any same other/,
        ],
        ['{"ask": "like"}', /which token\? Give at/],
        [
            '{"ask": "like", "at": [400, 0]}',
            /at names sentence 400, token 0; the index has 327 sentences/,
        ],
        ['{"ask": "head", "layer": 9, "head": 0}', /layer must be a whole number from 0 to 5/],
        ['{"ask": "head", "layer": 1}', /which head\? Give layer and head/],
        [
            '{"ask": "head", "layer": 1, "head": 0, "key": {"tag": "X"}}',
            /key has no tag; it takes: word pos relation/,
        ],
        ['{"ask"', /the question is not valid JSON/],
    ])
        refused(whole, pattern, question);
    const plain = spawnSync(headlight, ['search', at('causal'), 'find pos=NOUN']);
    assert.match(
        String(plain.stderr),
        /this index has words only, no parts of speech: its corpus is not in CoNLL-U/,
    );
});

test('the package builds the same bytes in a worker, and gives the same answers', async () => {
    const wasmUrl = pathToFileURL(join(root, 'build/out/wasm/headlight-full.wasm'));
    const native = readFileSync(at('causal'));
    const names = {model: 'mini-gpt-en', corpus: 'pronouns.txt'};
    const it = await load(model(names.model), {wasmUrl});
    const seen = [];
    const text = readFileSync(corpus(names.corpus), 'utf8');
    const onProgress = ({done, total}) => seen.push(done / total);
    const index = await it.index(text, {layers: [1], names, onProgress});
    assert.ok(native.equals(await index.save()));
    assert.equal(seen.at(-1), 1);
    const question = {ask: 'like', at: [2, 3], rows: 5};
    const {rows, bars} = await index.search(question);
    const expected = ask('causal', question);
    assert.deepEqual(
        rows,
        expected.rows.map(({text_b: textB, ...row}) => ({...row, ...(textB && {textB})})),
    );
    assert.deepEqual(bars, expected.bars);
    const lines = await index.search({...question, csv: 'rows'});
    assert.equal(lines, run('search', at('causal'), JSON.stringify({...question, csv: 'rows'})));
    await assert.rejects(index.search({ask: 'find', words: 1}), {
        category: 'state',
        message: /the question find has no words; it takes: ask word/,
    });
    await assert.rejects(it.index(text, {layer: 1}), {message: /index has no option 'layer'/});
    const cycle = {ask: 'find', word: 'a'};
    cycle.self = cycle;
    for (const wrong of [cycle, {ask: 'like', at: [2n, 3]}, {ask: 'find', word: () => {}}])
        await assert.rejects(index.search(wrong), {
            category: 'state',
            message: /^the question cannot be written as JSON \(.*; texts, numbers, lists/,
        });
    await assert.rejects(it.index(text, {names: {model: 1n}}), {
        message: /^what says how the corpus is read cannot be written as JSON/,
    });
    assert.equal((await index.search(question)).matches, expected.matches, 'all is still there');
    const last = await it.index('One. Two.');
    await it.dispose(); // while the worker still forgets what it built with
    await last.dispose();

    const opened = await openIndex(new Uint8Array(native), {wasmUrl});
    assert.deepEqual(opened.info.vectors, [1]);
    assert.equal((await opened.search(question)).matches, expected.matches);
    await opened.dispose();
    const [own, twin] = [new Uint8Array(native), new Uint8Array(native)];
    const both = await openIndex(own, {wasmUrl, beside: twin});
    const [{labels}] = (await both.search(question)).bars;
    assert.ok(labels.every(({count, beside}) => beside.count === count));
    await both.dispose();
    const others = new Uint8Array(readFileSync(at('pairs')));
    const unlike = openIndex(own, {wasmUrl, beside: others}).then(it => it.search(question));
    await assert.rejects(unlike, {message: /the index beside must be of the same items/});
    await assert.rejects(openIndex(own, {wasmUrl, beside: 'x'}), {
        message: /the index is "x"; a Uint8Array/,
    });
    const cut = new Uint8Array(native.subarray(0, native.length - 8));
    await assert.rejects(openIndex(cut, {wasmUrl}), {message: /is not complete/});
});
