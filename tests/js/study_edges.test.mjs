/* study_edges - the texts of a study, and their number: a limit draws at random, few texts are said
 * to be few, old line ends are read, differences of two models have a size beside their
 * significance, a probe of labels is tested on every text.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight, root, run} from './lib/model.mjs';
import {inParts} from './lib/parts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const shipped = join(root, 'models/mini-en'),
    pairs = join(root, 'corpora/pairs.tsv');
const set = options =>
    Object.entries(options).flatMap(([key, value]) => [
        '--set',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]);
const study = (name, corpus, options = {}, ...more) =>
    JSON.parse(run('study', name, shipped, corpus, ...set(options), ...more));
const file = (name, text) => {
    writeFileSync(join(scratch, name), text);
    return join(scratch, name);
};

test('a limit draws its texts at random, by a seed, and parts draw the same', () => {
    // Text i has i + 1 words: how many tokens there are says which texts were taken.
    const counting = file(
        'counting.txt',
        Array.from({length: 40}, (_, i) => 'the '.repeat(i + 1)).join('\n'),
    );
    const tokens = options => study('patterns', counting, {limit: 10, ...options}).tokens;
    assert.equal(tokens({draw: 'first'}), 55 + 20);
    const drawn = [1, 2, 3, 4, 5].map(seed => tokens({seed}));
    assert.equal(tokens({}), drawn[0], 'the seed is 1');
    assert.ok(new Set(drawn).size > 3, `${drawn}`);
    const mean = drawn.reduce((a, b) => a + b) / 5;
    assert.ok(
        mean > 150 && mean < 300,
        `10 of 40 texts have ${mean} tokens in the mean, not about 225`,
    );
    const args = ['patterns', shipped, counting, '--set', 'limit=10'];
    assert.equal(run('study', 'merge', ...inParts(scratch, 2, ...args)), run('study', ...args));
});

test('answers on fewer than 20 texts say that they are few', () => {
    assert.deepEqual(
        [19, 20].map(limit => study('patterns', pairs, {limit}).few),
        [true, false],
    );
    const {stderr} = spawnSync(
        headlight,
        ['study', 'patterns', shipped, pairs, '--set', 'limit=19'],
        {encoding: 'utf8'},
    );
    assert.match(stderr, /^note: fewer than 20 texts/m);
});

test('a file whose lines end in \\r alone is read', () => {
    const text =
        readFileSync(join(root, 'corpora/sentences.conllu'), 'utf8')
            .split('\n\n')
            .slice(0, 5)
            .join('\n\n') + '\n\n';
    const [old, now] = [file('old.conllu', text.replaceAll('\n', '\r')), file('now.conllu', text)];
    const strip = ({identity: _, ...answer}) => answer;
    assert.deepEqual(strip(study('about', old)), strip(study('about', now)));
    assert.equal(study('about', old).items, 5);
    assert.deepEqual(strip(study('about', file('lines.txt', 'One.\rTwo.\r'))).first, [
        {a: 'One.'},
        {a: 'Two.'},
    ]);
});

test("differences have a size: Cohen's d is t over the root of n, and a margin beside significance", () => {
    const tuned = ['--with', join(root, 'models/mini-en-sst2')],
        options = {limit: 25, draw: 'first'};
    const row = answer => answer.sep_of_layers;
    const plain = study('compare', pairs, options, ...tuned),
        none = study('compare', pairs, options, ...tuned, '--ask', 'margin=0');
    assert.equal(plain.margin, 0.2);
    row(plain).effect.forEach((effect, i) =>
        assert.ok(
            Math.abs(effect - row(plain).t[i] / Math.sqrt(row(plain).n[i])) < 1e-5,
            `layer ${i}`,
        ),
    );
    plain.changed.forEach((heads, m) =>
        heads.forEach((has, head) =>
            assert.equal(
                plain.clear[m][head],
                Number(has && Math.abs(plain.effect[m][head]) >= 0.2),
            ),
        ),
    );
    assert.deepEqual(none.clear, none.changed);
    const high = study('compare', pairs, options, ...tuned, '--ask', 'margin=50');
    assert.ok(
        high.clear.flat().every(one => one === 0) && high.changed.flat().some(one => one === 1),
    );
});

test('a probe of labels tests every text in every repeat, and keeps texts of one first sentence together', () => {
    const rows = Array.from(
        {length: 24},
        (_, i) =>
            `Sentence ${i >> 1} is ${i % 3 ? 'short' : 'a little longer than the others'}.\tB ${i}.\t${(i >> 1) % 2 ? 'yes' : 'no'}`,
    );
    const own = file(
        'groups.tsv',
        `sentence1\tsentence2\tlabel\n${rows.join('\n')}\n`.replaceAll(
            /is (short|a little[^.]*)\./g,
            'is here.',
        ),
    );
    const answer = study('labels', own, {measures: ['sep', 'next'], epochs: 5});
    assert.deepEqual(
        [answer.folds, answer.repeats, answer.groups, answer.test, answer.splits.count],
        [5, 4, 12, 24, 20],
    );
    assert.equal(
        answer.confusion.flat().reduce((a, b) => a + b),
        24,
    );
    assert.deepEqual(
        answer.classes.map(({items}) => items),
        [12, 12],
    );
    assert.equal(answer.majority, 0.5);
    const {least, most, mean, sd} = answer.splits;
    assert.ok(least <= mean && mean <= most && sd > 0 && Math.abs(mean - answer.accuracy) < 0.1);
    assert.notDeepEqual(
        study('labels', own, {measures: ['sep', 'next'], epochs: 5, seed: 2}).splits,
        answer.splits,
    );
    const one = file('one.tsv', 'sentence1\tsentence2\tlabel\nA.\tB.\tyes\nA.\tC.\tno\n');
    assert.throws(
        () => study('labels', one),
        /all texts with a label have the same first sentence/,
    );
});
