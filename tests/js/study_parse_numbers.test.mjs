/* study_parse_numbers - heads as parsers, coreference and probes on the shipped model and corpora:
 * against plain Python, natively and in wasm (the same bytes), cut and merged; what a probe has
 * learned, saved and loaded.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {after, test} from 'node:test';
import {openModel, root, run} from './lib/model.mjs';
import {inParts} from './lib/parts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const shipped = join(root, 'models/mini-en');
const corpora = {
    trees: join(root, 'corpora/sentences.conllu'),
    pronouns: join(root, 'corpora/pronouns.txt'),
};

/** Mentions of several words of which not the last one is the head, and pronouns before what they
 * stand for. */
const MENTIONS = [
    '[The girl in the red hat|1] met [a boy|2] and [she|1*] smiled .',
    '[Ben Smith , the old doctor|1] saw [Anna|2] before [he|1*] left .',
    '[The mother of my friend|1] told [the man who lives here|2] that [he|2*] was late .',
    "[She|1*] laughed when [Anna's|1] friend met [my mother-in-law|2] .",
    '[The house|1] that [[his|2*] father|3] built belongs to [Tom|2] now .',
    '[John Smith Jr.|1] and [the director of "It"|2] said [he|2*] knew .',
];
const mixed = join(scratch, 'mentions.txt');
writeFileSync(
    mixed,
    `${MENTIONS.join('\n')}\n${readFileSync(corpora.pronouns, 'utf8').split('\n').filter(Boolean).slice(0, 30).join('\n')}\n`,
);

const study = (name, corpus, ...more) => JSON.parse(run('study', name, shipped, corpus, ...more));
const near = (got, want, what) =>
    assert.ok(Math.abs(got - want) < 1e-6, `${what}: ${got}, not ${want}`);

/** The first items of a corpus as plain Python counts them. */
function reference(corpus, items) {
    const read = Array.from({length: items}, (_, index) => {
        const {a, b, words, mentions} = study('about', corpus, '--ask', `item=${index}`).item;
        const dump = join(scratch, `${index}.safetensors`);
        const {tokens} = JSON.parse(
            run(
                'run',
                shipped,
                a,
                ...(b === undefined ? [] : [b]),
                '--precision',
                'fine',
                '--json',
                '--dump',
                dump,
            ),
        );
        return {a, b, dump, tokens, words, mentions};
    });
    const script = join(root, 'tests/js/lib/study_parse.py');
    return JSON.parse(
        execFileSync('python3', [script], {
            input: JSON.stringify(read),
            encoding: 'utf8',
            maxBuffer: 1 << 26,
        }),
    );
}

test('heads as parsers are those of plain Python', () => {
    const answer = study('parse', corpora.trees, '--set', 'limit=25', '--set', 'draw=first'),
        expected = reference(corpora.trees, 25).relations;
    const rows = answer.relations.filter(row => !row.several);
    assert.deepEqual(
        rows.map(row => row.relation).sort(),
        Object.keys(expected)
            .filter(name => name !== 'root')
            .sort(),
    );
    for (const {relation, n, accuracy, best, other, offset} of rows) {
        const {n: count, right, offsets} = expected[relation];
        assert.equal(n, count, relation);
        accuracy.forEach((heads, back) =>
            heads.forEach((share, head) =>
                near(share, right[back][head] / n, `${relation} ${back} ${head}`),
            ),
        );
        near(best.accuracy, Math.max(...right.flat()) / n, `best head for ${relation}`);
        near(offset.accuracy, Math.max(...offsets) / n, `best offset for ${relation}`);
        assert.equal(offset.offset, [-3, -2, -1, 1, 2][offsets.indexOf(Math.max(...offsets))]);
        // the best of each direction; the first of those that are equal
        for (const one of [best, other]) {
            const most = Math.max(...right[one.direction]);
            near(one.accuracy, most / n, `${relation}: ${one.direction}`);
            const first = right[one.direction].indexOf(most);
            assert.equal(one.layer * answer.heads + one.head, first, relation);
            assert.ok(one.low <= one.accuracy && one.accuracy <= one.high);
        }
        assert.equal(other.direction, 1 - best.direction);
    }
    const words = Object.values(expected).reduce((sum, {n}) => sum + n, 0);
    assert.deepEqual([answer.words, answer.left_out], [words, 0]);
});

test('the antecedents that heads choose are those of plain Python', () => {
    const expected = reference(mixed, MENTIONS.length + 30).coref;
    for (const way of ['head', 'mean', 'last', 'sum']) {
        const answer = study('coref', mixed, '--set', `mention=${way}`),
            {
                resolved,
                rules,
                held_out: {n, right, chosen, rule, p},
            } = expected[way];
        assert.deepEqual([answer.n, answer.mention, answer.rule], [n, way, rule]);
        answer.accuracy.forEach((share, head) =>
            near(share, resolved[head] / n, `${way}: head ${head}`),
        );
        near(answer.best.accuracy, Math.max(...resolved) / n, `${way}: best head`);
        near(answer.baselines.nearest, rules[0] / n, 'nearest');
        near(answer.baselines.first, rules[1] / n, 'first');
        assert.deepEqual(
            answer.chosen.map(({layer, head}) => layer * answer.heads + head),
            chosen,
            `${way}: chosen`,
        );
        near(answer.held_out.accuracy, right / n, `${way}: held out`);
        near(answer.p, p, `${way}: p`);
        assert.equal(
            answer.above_rule,
            answer.held_out.accuracy > Math.max(...rules) / n && answer.p < 0.05,
        );
    }
    assert.equal(study('coref', mixed).mention, 'head');
});

const labelled = join(scratch, 'labelled.tsv');
writeFileSync(
    labelled,
    'sentence\tlabel\n' +
        Array.from({length: 24}, (_, i) =>
            i % 2
                ? `Is this the ${i}th question?\tquestion\n`
                : `This is the ${i}th answer.\tanswer\n`,
        ).join(''),
);

const cases = [
    ['parse', corpora.trees, {limit: 20}],
    ['coref', corpora.pronouns, {limit: 20}],
    ['probe', corpora.trees, {limit: 40, epochs: 2, seed: 3}],
    ['probe', corpora.trees, {limit: 30, kind: 'words'}],
    [
        'labels',
        labelled,
        {
            measures: ['punctuation', 'entropy'],
            heads: [
                [0, 0],
                [2, 1],
            ],
        },
    ],
];

test('the same bytes natively and in wasm', async () => {
    const {session} = await openModel(shipped, 'q8');
    for (const [name, corpus, options] of cases) {
        const settings = Object.entries(options).flatMap(([key, value]) => [
            '--set',
            `${key}=${JSON.stringify(value).replace(/^"|"$/g, '')}`,
        ]);
        const native = study(
            name,
            corpus,
            ...settings,
            ...(name === 'probe' ? ['--ask', 'weights=true'] : []),
        );
        session.loadText('corpus', readFileSync(corpus));
        session.studyBegin({
            ...options,
            study: name,
            names: {model: basename(shipped), corpus: basename(corpus)},
        });
        session.studyStep(0, native.steps);
        const inside = session.studyAnswer(name === 'probe' ? {weights: true} : {});
        assert.deepEqual(
            {...(typeof inside === 'string' ? JSON.parse(inside) : inside), options: 0},
            {...native, options: 0},
            name,
        );
    }
});

for (const name of ['parse', 'coref']) {
    test(`${name}: however the corpus is cut, the parts merge to the bytes of the whole`, () => {
        const corpus = corpora[name === 'parse' ? 'trees' : 'pronouns'],
            settings = ['--set', 'limit=20'];
        const whole = run('study', name, shipped, corpus, ...settings);
        for (const cuts of [2, 7]) {
            const parts = inParts(scratch, cuts, name, shipped, corpus, ...settings);
            assert.equal(run('study', 'merge', ...parts.reverse()), whole, `${cuts} parts`);
        }
    });
}

test('a probe has no parts', () => {
    assert.throws(
        () => run('study', 'probe', shipped, corpora.trees, '--set', 'limit=4', '--shard', '1/2'),
        /probe trains in order; it has no parts/,
    );
});

test('weights of a probe, saved and loaded, score the same', () => {
    const settings = ['--set', 'limit=40', '--set', 'train_items=30'];
    const first = study('probe', corpora.trees, ...settings, '--ask', 'weights=true');
    const again = study(
        'probe',
        corpora.trees,
        ...settings,
        '--set',
        `weights=${JSON.stringify(first.trained)}`,
        '--ask',
        'weights=true',
    );
    assert.deepEqual([again.steps, again.test, again.epochs], [10, 10, 0]);
    for (const key of ['uas', 'relations', 'weights', 'trained'])
        assert.deepEqual(again[key], first[key], key);
});
