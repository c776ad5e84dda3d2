/* The study views without a browser, on small fixed answers of the shape that src/study writes:
 * what they draw, their tables, pictures and sentences, in both languages; and how heads are walked
 * on a map.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {defaults, formatHash, parseHash, update} from '../../web/state/state.js';
import {readOf, snapshot} from './lib/snapshot.mjs';
import {en} from './lib/words.mjs';
import {studies as studyEn} from '../../web/words/en/studies.js';
import {studies as studyZh} from '../../web/words/zh/studies.js';
import {columnsOf} from '../../web/studies/corpora.js';
import {save} from '../../web/studies/save.js';
import {studies} from '../../web/views/study/index.js';
import {readPlaces} from '../../web/views/study/labels/view.js';
import {fullScale} from '../../web/views/study/parts/headmap.js';
import {layerMeans} from '../../web/views/study/parts/plot.js';
import {setting, withSetting} from '../../web/views/study/study.js';

const model = {layers: 2, heads: 2};
const about = {
    study: 'about',
    format: 'conllu',
    items: 12,
    pairs: false,
    words: true,
    mentions: true,
    first: [{a: 'A <b>cat</b> sat.'}, {a: 'One.', b: 'Two.'}],
    relations: [
        {name: 'nsubj', count: 9},
        {name: 'nmod:poss', count: 3},
    ],
    labels: [
        {name: 'good', count: 2},
        {name: 'bad', count: 1},
    ],
};
const four = (...values) => values;
const rate = (accuracy, low, high) => ({accuracy, low, high});
const VERDICTS = [
    'better than random layers',
    'not better than random layers',
    'not better than the rule',
    'not compared with random layers',
];
/** As src/study/chance.c writes it. */
const judged = (verdict, random = null) => ({
    above_rule: verdict !== VERDICTS[2],
    better: [true, false, false, null][VERDICTS.indexOf(verdict)],
    verdict,
    random_layers: random && {
        draws: 5,
        best: 2,
        accuracy: random,
        difference: 0.044,
        low: -0.05,
        high: 0.13,
    },
});
const relation = (name, several, n) => ({
    relation: name,
    several,
    n,
    accuracy: [four(0.5, 0.25, null, 0), four(0.125, 0.75, 0, 0)],
    best: {layer: 0, head: 1, direction: 1, ...rate(0.75, 0.5, 0.9)},
    other: {layer: 0, head: 0, direction: 0, ...rate(0.5, 0.35, 0.65)},
    offset: {offset: -1, ...rate(0.5, 0.3, 0.7)},
    p: 0.01,
    ...judged(several ? VERDICTS[0] : VERDICTS[1], 0.3),
});

/** As src/study/held_out.c writes it. */
const heldOut = (measures, rule, more = {}) => {
    const all = list => measures.map(() => list);
    return {
        ...{measures, n: all(four(8, 8, 8, 8)), mean: all(four(0.25, -0.125, null, 0.5))},
        ...{sd: all(four(0.1, 0.1, null, 0)), low: all(four(0.1, -0.2, null, null))},
        ...{high: all(four(0.4, 0, null, null)), q: all(four(0.01, 0.5, null, 0.2))},
        has: all(four(1, 0, 0, 0)),
        scores: measures.map((score, i) => ({
            ...{score, rule, p: i ? 0.0001 : 0.02},
            chosen: [
                {layer: 0, head: 1},
                {layer: 1, head: 1},
            ],
            held_out: {n: 8, mean: 0.375, low: 0.25, high: 0.5},
            ...judged(VERDICTS[i % 2], 0.3),
        })),
        ...more,
    };
};

const answers = {
    about,
    importance: heldOut(['probability', 'loss'], 0, {
        ...{target: 'words', texts: 8, words: 12, left_out: 0, mean_p: 0.45, mean_ln_p: -2},
    }),
    induction: heldOut(['induction', 'duplicate', 'previous'], 0.02),
    patterns: {
        measures: ['next', 'entropy', 'entropy_cls'],
        n: [four(3, 3, 3, 0), four(3, 3, 3, 3), four(3, 3, 3, 3)],
        mean: [four(0.5, 0.25, 0.75, null), four(1, 2, 0.5, 1.5), four(1, 1, 1, 1)],
        sd: [four(0.1, 0.1, null, null), four(0, 0, 0, 0), four(0, 0, 0, 0)],
        max: [four(0.6, 0.3, 0.8, null), four(1, 2, 1, 2), four(1, 1, 1, 1)],
        item: [four(0, 1, 2, null), four(0, 1, 2, 0), four(0, 0, 0, 0)],
        even: [0.125, 2.5, 2.5],
    },
    parse: {
        words: 40,
        relations: [
            relation('all', true, 40),
            relation('nmod', true, 8),
            relation('nmod:poss', false, 3),
            relation('obj', false, 0),
        ],
    },
    coref: {
        n: 8,
        accuracy: four(0.5, 0.25, null, 0),
        best: {layer: 0, head: 0, ...rate(0.5, 0.2, 0.8)},
        baselines: {nearest: 0.4, first: 0.3, random: 0.25},
        chosen: [
            {layer: 0, head: 0},
            {layer: 1, head: 1},
        ],
        held_out: {n: 8, ...rate(0.45, 0.2, 0.7)},
        rule: 'nearest',
        p: 0.099,
        ...judged(VERDICTS[2]),
    },
    probe: {
        kind: 'attention',
        train: 10,
        test: 2,
        epochs: 1,
        words: 20,
        weights: {toGovernor: four(0.5, -0.25, 0, 1), toDependent: four(0, 0, -1, 0), root: [1, 2]},
        uas: {
            probe: 0.5,
            low: 0.3,
            high: 0.7,
            right_branching: 0.4,
            left_branching: 0.1,
            best_offset: {offset: 1, uas: 0.4},
            random: 0.2,
        },
        relations: [
            {
                relation: 'nsubj',
                n: 9,
                uas: 0.5,
                low: 0.2,
                high: 0.8,
                right_branching: 0.4,
                left_branching: 0,
                best_offset: {offset: 1, uas: 0.4},
                random: 0.1,
            },
        ],
        curve: [
            {step: 1, loss: 2, uas: 0.25},
            {step: 2, loss: 1, uas: 0.5},
        ],
    },
    labels: {
        measures: ['next', 'entropy'],
        chosen: [
            [0, 1],
            [1, 0],
        ],
        folds: 3,
        repeats: 4,
        groups: 3,
        test: 3,
        accuracy: 0.75,
        low: 0.5,
        high: 0.9,
        majority: 0.5,
        splits: {count: 12, mean: 0.7, sd: 0.1, least: 0.5, most: 1},
        p: 0.25,
        ...judged(VERDICTS[3]),
        classes: [
            {name: 'good', items: 2},
            {name: 'bad', items: 1},
        ],
        confusion: [
            [1, 0],
            [0, 0],
        ],
        curve: [{step: 1, loss: 1, accuracy: 0.5}],
        weights: [four(0.5, -0.25, 0.125, 0), four(-0.5, 0.25, 0, 0)],
    },
};

const dataOf = (id, t, more = {}) => ({
    answer: answers[id],
    answers,
    passes: [],
    model,
    modelName: 'tiny',
    otherName: '',
    drawn: '',
    theme: 'light',
    width: 600,
    t,
    items: 12,
    corpus: {id: 'sentences', name: 'Sentences', format: 'conllu', items: 12, about},
    ...more,
});
const on = Object.fromEntries(
    ['set', 'openItem', 'openWhere', 'ask', 'beside', 'save', 'load'].map(name => [name, () => {}]),
);
const mine = Object.keys(answers);

test('every study has a title', () => {
    for (const {id} of studies)
        assert.ok(studyEn.studies[id]?.title && studyZh.studies[id]?.says, id);
    assert.ok(en.modes.corpus);
});

test('each study draws itself, a table, a picture and a sentence, in both languages and themes', async () => {
    for (const id of mine) {
        const view = await studies.find(entry => entry.id === id).load();
        assert.equal(view.id, id);
        const shown = dataOf(id, studyEn);
        assert.equal(view.scene(defaults, shown), view.scene(defaults, shown), 'worked out once');
        for (const [t, theme] of [
            [studyEn, 'light'],
            [studyZh, 'dark'],
        ]) {
            const data = dataOf(id, t, {theme});
            const html = renderToString(view.render(defaults, data, on));
            assert.doesNotMatch(html, /undefined|NaN|\[object/, id);
            const {columns, rows, caption} = view.table(defaults, data, t);
            assert.ok(caption && rows.length, id);
            for (const row of rows) assert.equal(row.length, columns.length, id);
            assert.doesNotMatch(view.describe(defaults, data, t), /undefined|NaN/);
            if (!view.svg) continue;
            const svg = renderToString(view.svg(defaults, data, t));
            assert.match(svg, /^<svg xmlns/);
            assert.doesNotMatch(svg, /undefined|NaN|var\(--/, id);
        }
    }
});

test('what each study says of a fixed answer, to the word: its sentence, its table, its picture and every cell', async () => {
    for (const id of mine) {
        const view = await studies.find(entry => entry.id === id).load();
        const data = dataOf(id, studyEn);
        await snapshot(`study_${id}.html`, readOf(view, defaults, data, on));
    }
});

test('coreference shows its test: held-out score, p, and whether that is better', async () => {
    const view = await studies.find(entry => entry.id === 'coref').load();
    const says = (t, answer = {}) =>
        view.describe(defaults, dataOf('coref', t, {answer: {...answers.coref, ...answer}}), t);
    assert.match(
        says(studyEn),
        /best head \(L0·H0, L1·H1\) finds the antecedent of 45\.0 % of 8 pronouns; that is not above “Nearest mention before it” \(McNemar’s test, p = 0\.099\)\. Not better than the rule\.$/,
    );
    assert.match(
        says(studyEn, {p: 0.0004, rule: 'first', ...judged(VERDICTS[0], 0.3)}),
        /that is above “First mention” \(McNemar’s test, p < 0\.001\)\. Better than random layers: the best of 5 untrained models \(.*\) reaches 30\.0 %, a difference of \+?4\.4 percentage points \(95 %: .5\.0 to \+?13\.0\)\.$/,
    );
    assert.match(says(studyZh), /45\.0 %.*并不高于“之前最近的指称”（McNemar 检验，p = 0\.099）/);
    assert.equal(
        says(studyEn, {held_out: {n: 0, accuracy: null}, chosen: [], p: null}),
        studyEn.coref.untested,
    );
    assert.ok(
        renderToString(view.render(defaults, dataOf('coref', studyEn), on)).includes(
            studyEn.coref.held,
        ),
    );
    assert.deepEqual(
        [view.options(defaults), view.options({...defaults, settings: ['mention:last']})],
        [{mention: 'head'}, {mention: 'last'}],
    );
});

test('what is better is said in the words of the command line, in both languages', async () => {
    for (const verdict of VERDICTS) {
        assert.equal(studyEn.judged.verdicts[verdict], verdict, 'as src/study/chance.c has it');
        assert.match(studyZh.judged.verdicts[verdict], /随机层|规则/);
    }
    for (const id of ['labels', 'parse', 'coref', 'importance', 'induction']) {
        const entry = studies.find(one => one.id === id);
        const view = await entry.load();
        assert.equal(entry.judges, true);
        for (const [verdict, random] of [
            [VERDICTS[0], 0.3],
            [VERDICTS[1], 0.3],
            [VERDICTS[3], null],
        ])
            for (const t of [studyEn, studyZh]) {
                const one = judged(verdict, random);
                const answer = {
                    ...answers[id],
                    ...one,
                    options: random ? {draws: 5} : {},
                    relations: answers.parse.relations.map(row => ({...row, ...one})),
                    scores: answers[id].scores?.map(row => ({...row, ...one})),
                };
                const data = dataOf(id, t, {answer});
                const says = view.describe(defaults, data, t);
                const words = t.judged.verdicts[verdict];
                assert.ok(says.includes(words.slice(1)), says);
                assert.equal(says.includes('30.0'), random !== null, says);
                const drawn = renderToString(view.render(defaults, data, on));
                assert.equal(drawn.includes(t.judged.best), random !== null, id);
            }
    }
});

test('a file of a study says what it is of, with a second model and without, and is called after it', async t => {
    const made = [];
    const link = {click: () => made.at(-1).push(link.download)};
    globalThis.document = /** @type {any} */ ({createElement: () => link});
    t.after(() => delete globalThis.document);
    t.mock.timers.enable({apis: ['setTimeout']});
    t.mock.method(URL, 'createObjectURL', blob => void made.push([blob]));
    for (const study of mine)
        for (const otherName of ['', 'another']) {
            const data = dataOf(study, studyEn);
            const result = {
                ...{answer: data.answer, study, modelName: 'tiny', otherName, asked: '{"tau":3}'},
                options: '{"limit":9}',
            };
            const name = await save('json', {data, result, words: studyEn, state: defaults});
            const [blob, called] = made.at(-1);
            assert.deepEqual([name, called], Array(2).fill(`headlight-${study}-sentences.json`));
            assert.deepEqual(JSON.parse(await blob.text()), {
                ...{madeWith: 'Headlight', study, model: 'tiny'},
                ...(otherName && {otherModel: otherName}),
                ...{corpus: 'Sentences', corpusFormat: 'conllu', corpusItems: 12},
                ...{options: {limit: 9}, asked: {tau: 3}, answers: {[study]: data.answer}},
            });
        }
});

test('the probe names the baseline that it is compared with', async () => {
    const view = await studies.find(entry => entry.id === 'probe').load();
    for (const t of [studyEn, studyZh])
        for (const drawn of Object.values(t.drawn)) {
            const data = dataOf('probe', t, {otherName: drawn.name});
            assert.ok(
                renderToString(view.render(defaults, data, on)).includes(t.probe.on(drawn.name)),
                drawn.name,
            );
            assert.ok(view.table(defaults, data, t).columns.includes(t.probe.on(drawn.name)));
        }
});

test('a corpus without relations, mentions or labels says what it lacks', () => {
    const bare = {...about, relations: [], labels: [], mentions: false};
    const lacks = Object.fromEntries(studies.map(({id, missing: of = () => ''}) => [id, of(bare)]));
    assert.deepEqual(
        [lacks.about, lacks.patterns, lacks.parse, lacks.coref, lacks.probe, lacks.labels],
        ['', '', 'relations', 'mentions', 'relations', 'labels'],
    );
    for (const key of Object.values(lacks).filter(Boolean))
        assert.ok(studyEn.missing[key] && studyZh.missing[key], key);
    assert.ok(studies.filter(({id}) => mine.includes(id)).every(({missing: of}) => !of?.(about)));
});

test('an item of the corpus never becomes markup', async () => {
    const view = await studies[0].load();
    assert.match(
        renderToString(view.render(defaults, dataOf('about', studyEn), on)),
        /A &lt;b>cat/,
    );
});

test('the relation that is chosen is told from its group, and stands in the link', async () => {
    const view = await studies.find(({id}) => id === 'parse').load();
    const of = state => view.describe(state, dataOf('parse', studyEn), studyEn);
    assert.match(of(defaults), /^all: L0·H1 finds 75\.0 %/);
    const group = update(defaults, withSetting(defaults, 'relation', 'nmod-all', ''));
    assert.match(of(group), /^nmod and nmod:…/);
    assert.match(
        of(
            parseHash(
                formatHash(update(defaults, withSetting(defaults, 'relation', 'nmod.poss', ''))),
            ),
        ),
        /^nmod:poss/,
    );
    assert.deepEqual(update(group, withSetting(group, 'relation', '', '')).settings, []);
    assert.equal(setting(group, 'relation', 'x'), 'nmod-all');
});

test('heads as parsers: both directions say who looks at whom, with their intervals', async () => {
    const view = await studies.find(({id}) => id === 'parse').load();
    const chosen = way => update(defaults, withSetting(defaults, 'way', way, ''));
    const [from, to] = ['0', '1'].map(chosen);
    // the fixture's best head looks from governors: 75 % of 40
    for (const [t, looks] of [
        [studyEn, [/words that look at their governor/, /words that their governor looks at/]],
        [studyZh, [/最关注其支配词的词/, /最关注这个词的正是其支配词/]],
    ])
        for (const [way, state] of [from, to].entries()) {
            const data = dataOf('parse', t);
            const drawn = renderToString(view.render(state, data, on));
            assert.match(drawn, looks[way]);
            assert.doesNotMatch(drawn, looks[1 - way]);
            const said = view.describe(state, data, t);
            assert.ok(said.includes(t.parse.direction[1]) && said.includes('50–90'), said);
            // of the other direction 20 of 40, in the sentence, in the table
            const [, other] = said.split(t.parse.direction[0]);
            assert.match(other, /L0·H0.*50\.0 %.*35–65/, said);
            assert.match(drawn, /id="parse-relation"/);
            assert.match(drawn, /50\.0 % \(35–65\)/);
        }
});

test('fields of the studies survive a link, and forged values are as good as absent', () => {
    const state = update(defaults, {
        desk: 'corpus',
        study: 'roles',
        corpus: 'pairs',
        tau: 2.5,
        alpha: 0.01,
        correction: 'bh',
        sd: 'sample',
        settings: ['limit:300'],
    });
    assert.deepEqual(parseHash(formatHash(state)), state);
    assert.deepEqual(
        parseHash('#v=5&desk=elsewhere&tau=1e9&alpha=2&settings=a:b:c,<&sd=x'),
        defaults,
    );
});

test('small helpers', () => {
    assert.deepEqual(layerMeans([1, 3, null, 5, null, null], 3), [2, 5, null]);
    assert.deepEqual(
        [fullScale([null]), fullScale([0.1, 0.5]), fullScale([4, 5]), fullScale([0.1, 0.2], 0.4)],
        [
            {low: 0, high: 1},
            {low: 0, high: 0.5},
            {low: 4, high: 5},
            {low: 0, high: 0.4},
        ],
    );
    assert.deepEqual(
        [
            readPlaces('2.0, 3.5', false),
            readPlaces('L2·H0, l3.h5', false),
            readPlaces('1.1；2.2', true),
            readPlaces('', false),
            readPlaces('layer 2', false),
        ],
        ['2.0-3.5', '2.0-3.5', '0.0-1.1', '', null],
    );
    const bytes = text => new TextEncoder().encode(text);
    assert.deepEqual(
        [
            columnsOf(bytes('a\tb c\r\n1\t2')),
            columnsOf(bytes('one line')),
            columnsOf(bytes('a\tb')),
            columnsOf(bytes('a\tb\r1\t2')),
            columnsOf(bytes('"a, ""b""",c\n')),
            columnsOf(bytes('a;b')),
            columnsOf(bytes('{"text": "x", "label": 1}\n')),
            columnsOf(bytes('{"text": \n')),
        ],
        [
            ['a', 'b c'],
            [],
            ['a', 'b'],
            ['a', 'b'],
            ['a, "b"', 'c'],
            ['a', 'b'],
            ['text', 'label'],
            [],
        ],
    );
});
