/* study_roles_numbers - `headlight study roles` against forty lines of Python that follow the
 * published definitions: on the reference attention (float64 dumps of bert-tiny-random), and on the
 * shipped model over the shipped sentences and pairs. And parts of a study, merged, against the
 * whole.
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
const tiny = join(root, 'tests/golden/models/bert-tiny-random');
const dump = name => join(root, `tests/golden/dumps/bert-tiny-random/${name}.safetensors`);
const shipped = join(root, 'models/mini-en');

const study = (name, model, corpus, ...more) =>
    JSON.parse(run('study', name, model, corpus, ...more));
const save = (name, text) => {
    const path = join(scratch, name);
    writeFileSync(path, text);
    return path;
};

const python = items =>
    JSON.parse(
        execFileSync('python3', [join(root, 'tests/js/lib/study_roles.py')], {
            input: JSON.stringify(items),
            encoding: 'utf8',
            maxBuffer: 1 << 26,
        }),
    );

/** What the reference wants of an item; its attention is dumped unless a dump is given. */
function itemOf(model, corpus, index, given) {
    const {a, b, words} = study('about', model, corpus, '--ask', `item=${index}`).item;
    const path = given ?? join(scratch, `${index}.safetensors`);
    const {tokens} = JSON.parse(
        run(
            'run',
            model,
            a,
            ...(b === undefined ? [] : [b]),
            '--precision',
            'fine',
            '--json',
            ...(given ? [] : ['--dump', path]),
        ),
    );
    return {dump: path, tokens, words};
}

function expectEqual(answer, expected, tolerance) {
    // the block score before it is divided by that of uniform attention
    const {published} = answer.roles[4];
    for (const {role, n, mean, sd, max, histogram} of [
        ...answer.roles,
        {...published, role: 'published'},
    ]) {
        const reference = expected[role];
        assert.deepEqual(n, Array(mean.length).fill(reference?.n ?? 0), role);
        if (!reference) continue;
        mean.forEach((value, head) => {
            const near = (got, want, what) =>
                assert.ok(
                    Math.abs(got - want) <= tolerance * (1 + Math.abs(want)),
                    `${role}, head ${head}, ${what}: ${got}, not ${want}`,
                );
            near(value, reference.mean[head], 'mean');
            near(sd[head], reference.sd[head], 'sd');
            near(max[head], reference.max[head], 'max');
            assert.equal(
                histogram[head].reduce((a, b) => a + b),
                reference.n,
            );
        });
    }
}

test('the reference attention of a sentence', () => {
    const rows = [
        'the 2 det',
        'cat 3 nsubj',
        'sat 0 root',
        'on 6 advmod',
        'the 6 det',
        '[MASK] 3 dobj',
        '. 3 punct',
    ];
    const lines = rows
        .map((row, i) => row.split(' '))
        .map(([form, governor, relation], i) =>
            [i + 1, form, '_', '_', '_', '_', governor, relation, '_', '_'].join('\t'),
        );
    const corpus = save(
        'sentence.conllu',
        `# text = the cat sat on the [MASK].\n${lines.join('\n')}\n\n`,
    );
    const answer = study('roles', tiny, corpus, '--store', 'f32');
    expectEqual(answer, python([itemOf(tiny, corpus, 0, dump('single'))]), 2e-5);
    assert.deepEqual(answer.relations_of.obj, ['dobj']);
    assert.deepEqual(answer.roles.map(({role, why}) => `${role} ${why}`).slice(4, 6), [
        'block pairs',
        'nsubj few',
    ]);
});

test('the reference attention of a pair', () => {
    const corpus = save(
        'pair.tsv',
        'the girl ran to a local pub.\tshe wanted to escape the noise!\n',
    );
    const answer = study('roles', tiny, corpus, '--store', 'f32');
    expectEqual(answer, python([itemOf(tiny, corpus, 0, dump('pair'))]), 2e-5);
    assert.ok(answer.roles[4].n[0] === 1 && answer.roles[5].why === 'relations');
});

for (const [file, items] of [
    ['sentences.conllu', 12],
    ['pairs.tsv', 5],
]) {
    test(`the shipped model on ${file}`, () => {
        const corpus = join(root, 'corpora', file);
        const answer = study(
            'roles',
            shipped,
            corpus,
            '--set',
            `limit=${items}`,
            '--set',
            'draw=first',
        );
        const read = Array.from({length: items}, (_, i) => itemOf(shipped, corpus, i));
        expectEqual(answer, python(read), 2e-5);
        const {mean} = answer.roles[0];
        assert.equal(mean.indexOf(Math.max(...mean)), 6, 'layer 0, head 6 looks at the next word');
    });
}

test('on long sentences local and syntactic roles overlap, as in the paper (42 to 89 %)', () => {
    const {tau, heads, roles} = study('roles', shipped, join(root, 'corpora/long.conllu'));
    const of = name => roles.find(({role}) => role === name);
    assert.equal(tau, 3);
    assert.ok(of('local').ceiling > 6, 'on the short ones it is 3.1');
    const having = name => of(name).has.flatMap((has, head) => (has ? [head] : []));
    const syntactic = new Set(['nsubj', 'obj', 'amod', 'advmod'].flatMap(having));
    const local = having('local');
    const both = local.filter(head => syntactic.has(head));
    assert.deepEqual(
        both.map(head => [Math.floor(head / heads), head % heads]),
        [
            [0, 6],
            [1, 4],
            [1, 5],
        ],
    );
    assert.equal(local.length, 4);
});

for (const name of ['roles', 'patterns', 'distances', 'compare']) {
    test(`${name}: however the corpus is cut, the parts merge to the bytes of the whole`, () => {
        const corpus = join(root, 'corpora/sentences.conllu');
        const settings = ['--set', 'limit=20', ...(name === 'compare' ? ['--with', 'random'] : [])];
        const whole = run('study', name, shipped, corpus, ...settings);
        for (const cuts of [2, 7]) {
            const parts = inParts(scratch, cuts, name, shipped, corpus, ...settings);
            assert.equal(run('study', 'merge', ...parts.reverse()), whole, `${cuts} parts`);
            assert.throws(() => run('study', 'merge', parts[0], parts[0]), /is in two parts/);
        }
    });
}

test('a threshold that no text lets a head reach is refused, another is not', () => {
    const corpus = save('short.txt', 'Yes.\nNo.\nGo!\n');
    const why = (...ask) =>
        Object.fromEntries(
            study('roles', shipped, corpus, ...ask).roles.map(({role, why}) => [role, why]),
        );
    assert.deepEqual([why().local, why().delimiter, why().cls], ['ceiling', 'ceiling', '']);
    assert.deepEqual([why('--ask', 'tau=1').local, why('--ask', 'tau=1').delimiter], ['', '']);
    for (const ask of ['tau=-1', 'alpha=2', 'correction=some', 'sd=1'])
        assert.throws(
            () => why('--ask', ask),
            /state: the option (tau|alpha|correction|sd) must be/,
            ask,
        );
    assert.throws(
        () => study('roles', shipped, corpus, '--set', 'direction=up'),
        /must be one of: dependent governor both/,
    );
});

test('two models: the same twice has not changed at all', () => {
    const corpus = join(root, 'corpora/sentences.conllu');
    const same = study('compare', shipped, corpus, '--with', shipped, '--set', 'limit=5');
    for (const {role, n, difference, p, gained, lost, changed} of same.roles) {
        assert.ok(
            [...gained, ...lost, ...changed].every(flag => flag === 0),
            role,
        );
        if (n[0] > 1) assert.ok(difference.every(x => x === 0) && p.every(x => x === 1), role);
    }
    assert.throws(
        () => study('compare', shipped, corpus),
        /compares two models; a second one is needed/,
    );
});

test('two models: means of both are those that each has alone', () => {
    const corpus = join(root, 'corpora/sentences.conllu');
    const tuned = join(root, 'models/mini-en-sst2');
    const settings = ['--set', 'limit=10'];
    const both = study('compare', shipped, corpus, '--with', tuned, ...settings);
    const [before, after_] = [shipped, tuned].map(model =>
        ['roles', 'patterns'].map(name => study(name, model, corpus, ...settings)),
    );
    both.roles.forEach((row, i) => {
        assert.deepEqual(row.before, before[0].roles[i].mean, row.role);
        assert.deepEqual(row.after, after_[0].roles[i].mean, row.role);
        assert.deepEqual(
            row.gained,
            row.has_after.map((has, head) => Number(has && !before[0].roles[i].has[head])),
            row.role,
        );
    });
    assert.deepEqual(both.measures, before[1].measures);
    assert.deepEqual(both.before, before[1].mean);
    assert.deepEqual(both.after, after_[1].mean);
    const sep = both.measures.indexOf('sep');
    const first = both.difference[sep].slice(0, 8).reduce((a, b) => a + b) / 8;
    assert.ok(Math.abs(both.sep_of_layers.difference[0] - first) < 2e-6);
});

test('the page says what the command line says, to the last digit', async () => {
    const {session} = await openModel(shipped, 'q8');
    for (const file of ['sentences.conllu', 'pairs.tsv']) {
        const corpus = join(root, 'corpora', file);
        session.loadText('corpus', readFileSync(corpus));
        for (const name of ['roles', 'patterns', 'distances']) {
            session.studyBegin({
                limit: 8,
                study: name,
                names: {model: basename(shipped), corpus: basename(corpus)},
            });
            session.studyStep(0, 8);
            const same =
                session.studyAnswer() ===
                run('study', name, shipped, corpus, '--set', 'limit=8').trimEnd();
            assert.ok(same, `${name} of ${file}`);
            assert.ok(
                session.studyAnswer({csv: true}) ===
                    run('study', name, shipped, corpus, '--set', 'limit=8', '--csv'),
                `${name} of ${file} as a table`,
            );
        }
    }
});

test('a second model stands beside the first: its own numbers, whole and from parts', () => {
    const tuned = join(root, 'models/mini-en-sst2');
    const corpora = {
        roles: 'pairs.tsv',
        patterns: 'pairs.tsv',
        parse: 'sentences.conllu',
        coref: 'pronouns.txt',
    };
    for (const [name, file] of Object.entries(corpora)) {
        const corpus = join(root, 'corpora', file);
        const [both, first, second] = [[shipped, '--with', tuned], [shipped], [tuned]].map(
            ([model, ...more]) => study(name, model, corpus, ...more, '--set', 'limit=12'),
        );
        const rows = {
            roles: answer => answer.roles,
            patterns: answer => [answer],
            parse: answer => answer.relations,
            coref: answer => [answer],
        }[name];
        assert.ok(rows(both).length);
        rows(both).forEach(({baseline, ...own}, i) => {
            assert.deepEqual(
                own.mean ?? own.accuracy,
                rows(first)[i].mean ?? rows(first)[i].accuracy,
                `${name}: the first model's numbers stay`,
            );
            for (const key of ['mean', 'sd', 'low', 'high', 'has', 'best', 'accuracy']) {
                if (key in baseline)
                    assert.deepEqual(baseline[key], rows(second)[i][key], `${name} ${i}: ${key}`);
            }
        });
        assert.notDeepEqual(
            rows(both)[0].baseline.mean ?? rows(both)[0].baseline.accuracy,
            rows(first)[0].mean ?? rows(first)[0].accuracy,
        );
        const args = [name, shipped, corpus, '--with', tuned, '--set', 'limit=12'];
        const parts = inParts(scratch, 2, ...args);
        assert.deepEqual(rows(study('merge', ...parts)), rows(both), `${name} from parts`);
        const random = study(name, shipped, corpus, '--with', 'random', '--set', 'limit=12');
        if (name === 'roles')
            assert.equal(
                rows(random).reduce(
                    (sum, {baseline}) => sum + baseline.has.filter(Boolean).length,
                    0,
                ),
                0,
                'random weights have no role',
            );
    }
});
