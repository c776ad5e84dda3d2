/* Lessons as data: nothing in them that the page does not know, both languages, states that are valid,
 * and every number and every answer that they promise against the shipped model; what reads those
 * numbers against a plain reckoning.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {TOY} from '../../web/lessons/toy.js';
import {begun, examplesHere, pressed, pressedHere, withOther} from '../../web/lessons/begin.js';
import {withText} from '../../web/text/history.js';
import {LESSONS, lessonsHere, stepsHere, titleOf} from '../../web/lessons/list.js';
import {headsOf} from '../../web/lessons/say.js';
import {recounted, saidIn} from '../../web/lessons/number.js';
import {holds, readSeen} from '../../web/lessons/seen.js';
import {markdownOf, tableOf as worksheet} from '../../web/lessons/worksheet.js';
import {csvOf} from '../../web/save/texts.js';
import {defaults, update} from '../../web/state/state.js';
import {lessons as words} from '../../web/words/en/lessons.js';
import {checkStep, examples, lessonProblems, lessons, stateProblems} from './lib/lessons.mjs';
import {headlight, root} from './lib/model.mjs';
import {storiesOf, TABLE, table} from './lib/stories.mjs';

test('an example keeps its heads and pinned token for its own model only', () => {
    const example = {
        ...{text: 'it', textB: ''},
        state: {view: 'head', layer: 3, heads: [1], picked: [6], token: 6},
    };
    const [own, other] = [pressed(example, true), pressed(example, false)];
    assert.deepEqual([own.layer, own.heads, own.picked, own.token], [3, [1], [6], 6]);
    assert.deepEqual([other.layer, other.heads, other.picked, other.token], [0, [], [], -1]);
    assert.deepEqual([other.view, other.text], ['head', 'it']);
});

test('an example in Chinese is offered to who reads it, where its model is, and takes the model along', () => {
    const menu = [
        {id: 'mini4-en', languages: ['en']},
        {id: 'mini2-en', languages: ['en']},
        {id: 'mini-zh', languages: ['zh']},
    ];
    const [cat, fish] = [
        {text: 'it', textB: '', state: {layer: 3}},
        {text: '鱼', textB: '', state: {layer: 4}, model: 'mini-zh', language: 'zh'},
    ];
    assert.deepEqual(examplesHere([cat, fish], menu, 'zh'), [cat, fish]);
    assert.deepEqual(examplesHere([cat, fish], menu, 'en'), [cat]);
    assert.deepEqual(examplesHere([cat, fish], menu.slice(0, 2), 'zh'), [cat]);
    const back = {...cat, model: 'mini-gpt-en', causal: true};
    assert.deepEqual(examplesHere([cat, back], menu, 'zh', true), [cat, back], 'a GPT is shown');
    assert.deepEqual(examplesHere([cat, back], menu, 'zh', false), [cat]);
    const asked = (example, now) => {
        const {model, layer} = pressedHere(example, now, menu);
        return [model, layer];
    };
    for (const id of ['mini4-en', 'mini2-en'])
        assert.deepEqual(asked(cat, id), [undefined, 3], 'made with both');
    assert.deepEqual(asked(cat, 'mini-zh'), ['mini4-en', 3], 'back to the model of its language');
    assert.deepEqual(asked(fish, 'mini2-en'), ['mini-zh', 4]);
    assert.deepEqual(asked(fish, 'mini-zh'), [undefined, 4]);
    assert.deepEqual(asked(fish, ''), [undefined, 0], 'a folder of the reader’s stays');
    assert.deepEqual(asked(fish, 'org/name'), [undefined, 0], 'and a model of the hub');
});

test('every lesson is in the list and every one of the list is there', () => {
    assert.deepEqual(LESSONS.map(({id}) => id).sort(), Object.keys(lessons).sort());
    for (const {title, minutes} of LESSONS) assert.ok(title.en && title.zh && minutes > 0);
    assert.equal(titleOf({en: 'a', zh: 'b'}, 'zh'), 'b');
    assert.equal(titleOf({en: 'a', zh: 'b'}, 'xx'), 'a');
});

for (const [id, lesson] of Object.entries(lessons)) {
    test(`${id}: only known fields, valid states, both languages`, () =>
        assert.deepEqual(lessonProblems(lesson, id), []));
    test(`${id}: its numbers and its answers are those of the models`, async () => {
        for (const [i, step] of lesson.steps.entries()) await checkStep(step, `${id}[${i}]`);
    });
}

test('a lesson names heads and layers as the reader counts them', () => {
    const said = 'L0·H6 and L10·H3 of layer 0; 第 0 层; BERT, 12 heads, 0.5';
    assert.equal(recounted(said, defaults), said);
    assert.equal(
        recounted(said, update(defaults, {oneBased: true}), 1),
        said,
        'a step that counts so',
    );
    assert.equal(
        recounted(said, update(defaults, {oneBased: true})),
        'L1·H7 and L11·H4 of layer 1; 第 1 层; BERT, 12 heads, 0.5',
    );
    const step = {title: {en: 'L0·H6 at work', zh: 'L0·H6'}, say: {en: said, zh: said}};
    const counts = update(defaults, {oneBased: true});
    assert.equal(saidIn(step, 'title', counts, 'en'), 'L1·H7 at work', 'its title, too');
    assert.equal(saidIn({...step, state: {oneBased: true}}, 'title', counts, 'zh'), 'L0·H6');
});

test('rank correlations that a lesson names are those of `headlight agree` over the corpus of texts', () => {
    const {model, steps} = lessons.explanation;
    const corpus = readFileSync(`${root}corpora/texts.txt`, 'utf8').split('\n');
    const {stdout} = spawnSync(headlight, ['agree', `${root}models/${model}`], {
        input: corpus.slice(0, 100).join('\n'),
        encoding: 'utf8',
    });
    const {with_decided: found, lines, skipped} = JSON.parse(stdout);
    const numbers = [lines, ...found.map(({mean}) => mean.toFixed(2)), 100, skipped].map(String);
    for (const said of Object.values(steps.at(-1).say)) {
        const named = said.match(/\d+(\.\d+)?/g).filter(number => number !== '1');
        assert.deepEqual(named, numbers);
    }
});

test('alignment error rates that a lesson names are those of transformers over 100 numbers', () => {
    const golden = `${root}tests/golden/translated.json`;
    const {aer, diagonal, rows} = JSON.parse(readFileSync(golden, 'utf8'));
    const [says, reads] = aer;
    const [first, second] = [says.slice(0, 4), says.slice(4)];
    const two = numbers => numbers.map(number => number.toFixed(2));
    const [a, b, c, d] = [1, 2, 0, 3].map(head => second[head]);
    assert.deepEqual(two([c]), two([d]), '“each other head”');
    const named = [
        ...[String(rows.length), ...two([a, b, c])],
        ...two([Math.min(...first), Math.max(...first), diagonal, Math.min(...reads)]),
    ];
    for (const said of Object.values(lessons.cross.steps[4].say)) {
        const numbers = said.match(/\d\.\d+|\b\d{3}\b/g);
        assert.deepEqual(numbers, named, said);
    }
});

test('docs/stories.md is what `node tests/stories.mjs --table` writes: 36 stories, each by a link', () => {
    assert.equal(storiesOf().length, 36);
    assert.equal(readFileSync(root + TABLE, 'utf8'), table(), 'node tests/stories.mjs --table');
});

test('what does not belong into a lesson is named', () => {
    const said = {en: 'a', zh: 'b'};
    const step = {title: said, say: said, text: 'a'};
    const found = patch => lessonProblems({steps: [{...step, ...patch}]}, 'x');
    assert.deepEqual(found({}), []);
    assert.match(found({sya: said})[0], /^x\.steps\[0\]\.sya is no field; expected one of title/);
    assert.match(found({say: {en: 'only'}})[0], /say does not fit/);
    assert.match(found({state: {layr: 1}})[0], /state\.layr is no field of the state/);
    assert.match(found({state: {layer: -1}})[0], /state\.layer cannot be -1/);
    assert.match(found({seen: {kind: 'weight'}})[0], /seen has no bound/);
    assert.match(found({check: {kind: 'pick'}})[0], /check\.side is missing/);
    assert.match(found({text: undefined})[0], /has no text/);
    assert.match(lessonProblems({steps: [], next: 'nowhere'}, 'x')[0], /next does not fit/);
});

test('a lesson of a model that the site does not have is not offered', () => {
    const ids = menu => lessonsHere(menu).map(({id}) => id);
    assert.ok(
        ids(OURS).includes('causal') && ids(OURS).includes('cross') && !ids(OURS).includes('vig1'),
    );
    assert.deepEqual(
        ids(OURS).filter(id => id !== 'causal' && id !== 'cross'),
        ids([{id: 'mini2-en', url: ''}]),
    );
});

test('examples have both languages and valid states', () => {
    for (const {id, label, text, state} of examples) {
        assert.ok(label.en && label.zh && text, id);
        assert.deepEqual(stateProblems(state, id), []);
    }
});

test('what begins sheds what was pinned, masked, switched off and narrowed down', () => {
    const before = update(defaults, {
        picked: [1],
        masked: [2],
        off: ['0.1'],
        without: 'types',
        swapped: [1, 2],
        top: 40,
        layer: 3,
        heads: [2],
        view: 'find',
        oneBased: true,
        lang: 'zh',
    });
    const step = {text: 'a', state: {layer: 1}};
    const after = update(before, begun(step));
    assert.deepEqual(
        {...after},
        {...defaults, text: 'a', textB: '', layer: 1, oneBased: true, lang: 'zh'},
    );
    const other = update(before, withOther('c', 'd'));
    assert.deepEqual([other.view, other.layer, other.top], ['find', 3, 40]);
    assert.deepEqual([other.picked, other.masked, other.off, other.without], [[], [], [], '']);
});

test('the history has the latest text first, each once, at most eight, and no empty one', () => {
    let list = [];
    for (let i = 0; i < 12; i++) list = withText(list, [`text ${i % 10}`, '']);
    assert.deepEqual(list.slice(0, 3), [
        ['text 1', ''],
        ['text 0', ''],
        ['text 9', ''],
    ]);
    assert.equal(list.length, 8);
    assert.equal(withText(list, ['  ', '']), list);
});

// two heads, four tokens: [CLS] a b [SEP]
const tokens = [
    {piece: '[CLS]', type: 0, sentence: -1},
    {piece: 'a', type: 0, sentence: 0},
    {piece: 'b', type: 0, sentence: 0},
    {piece: '[SEP]', type: 0, sentence: -1},
];
const rows = [
    [0.1, 0.2, 0.3, 0.4],
    [0.25, 0.25, 0.25, 0.25],
    [0, 0, 0, 1],
    [0.7, 0.1, 0.1, 0.1],
];
const attention = {
    shape: [2, 4, 4],
    data: Float64Array.from([...Array(16).fill(0.25), ...rows.flat()]),
};
const source = {tokens, tensor: name => (name === 'attention.0' ? attention : undefined)};
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}, not ${b}`);

test('numbers are read from the head, the query and the keys that are named', () => {
    const read = seen => readSeen(source, {head: [0, 1], ...seen});
    near(read({kind: 'weight', query: 0, keys: [2, 3]}), 0.7);
    near(read({kind: 'share', keys: [3]}), (0.4 + 0.25 + 1 + 0.1) / 4);
    near(read({kind: 'next'}), (0.25 + 1) / 2);
    near(read({kind: 'own'}), 1);
    assert.equal(read({kind: 'weight', query: 9, keys: [1]}), null, 'another text');
    assert.equal(read({kind: 'weight', head: [3, 1], query: 0, keys: [1]}), null, 'not here');
    assert.ok(holds(0.5, {atLeast: 0.5}) && !holds(0.5, {atMost: 0.4}));
});

test('scores are q · k of the head, of a group’s keys too, and divided by √d', () => {
    const vectors = (heads, of) => ({
        shape: [heads, 4, 2],
        data: Float32Array.from({length: heads * 8}, (_, i) => of(i)),
    });
    const both = {'q.0': vectors(2, i => i), 'k.0': vectors(1, i => 10 * i)};
    const read = kind =>
        readSeen({tokens, tensor: name => both[name]}, {kind, head: [0, 1], query: 1, keys: [2]});
    near(read('score'), 10 * 40 + 11 * 50);
    near(read('scaled'), (10 * 40 + 11 * 50) / Math.SQRT2);
});

test('a worksheet has a row a question, with nothing that a spreadsheet or Markdown would run', () => {
    const answer = {picked: 1, weight: 0.25, best: 2, most: 0.5, pieces: ['=a|b', '<c>']};
    const said = text => ({en: text, zh: text});
    const asks = (text, head) => ({question: said(text), check: {head}});
    const lesson = {
        title: said('Attention'),
        steps: [
            {text: 'A cat.', textB: 'It sat.'},
            asks('Where?', [1, 4]),
            {text: '=It did.'},
            {},
            asks('And now?', [0, 2]),
        ],
    };
    const made = worksheet(lesson, {1: {...answer, text: '-Mine'}}, words.worksheet, 'en');
    assert.match(
        csvOf(made),
        /\r\n2,'-Mine,L1·H4,Where\?,'=a\|b,0\.25,<c>,0\.50,no\r\n5,'=It did\.,L0·H2,And now\?,,,,,not answered/,
    );
    const lines = markdownOf(made, words.worksheet, new Date(2026, 10, 26)).split('\n');
    assert.match(lines[2], /^Name: _+ Date: 2026-11-26$/);
    assert.equal(lines[4], '0 of 2 questions right');
    assert.equal(lines[8], '| 2 | -Mine | L1·H4 | Where? | =a\\|b | 0.25 | \\<c> | 0.50 | no |');
    const open = worksheet(lesson, {}, words.worksheet, 'en');
    assert.deepEqual(open.rows[0][1], {text: 'A cat. | It sat.', user: true});
    let rows = 0;
    for (const [id, {steps}] of Object.entries(lessons)) {
        const all = worksheet({title: said(id), steps}, {}, words.worksheet, 'en');
        for (const [number, sentence] of all.rows) {
            const {text, textB} = steps.slice(0, number).findLast(one => one.text !== undefined);
            const shown = [text, textB].filter(Boolean).join(' | ');
            assert.equal(sentence.text, shown, `${id}, step ${number}`);
            rows++;
        }
    }
    assert.ok(rows > 5, `${rows}`);
});

const MENU = ['mini2-en', 'mini-en', 'mini2-en-sst2', 'mini2-en-pos', 'mini-gpt-en', 'mini-de-en'];
const OURS = MENU.map(id => ({id, url: ''}));

test('steps of a model that the site does not have are left out, and keep the places of the others', () => {
    for (const [id, lesson] of Object.entries(lessons)) {
        const own = lesson.steps.filter(
            step => step.state?.model === 'minilm-en' && !step.otherwise,
        );
        const without = stepsHere(lesson, OURS);
        assert.equal(without.steps.length, lesson.steps.length - own.length, id);
        const places = step => lesson.steps.indexOf(step);
        assert.ok(
            without.steps.every((step, i) => step.hub || step.otherwise || places(step) === i),
            `${id}: links to steps keep their numbers`,
        );
        const all = stepsHere(lesson, [...OURS, {id: 'minilm-en', url: ''}]);
        assert.deepEqual(all.steps, lesson.steps);
    }
});

test('a head that a text names is one of the model that is shown, not the article’s', () => {
    const text = 'Article: BERT-base L0·H0. Here L0·H3, then L2·H8.';
    const at = name => text.indexOf(name);
    const seen = {kind: 'own', head: [0, 3]};
    const place = headsOf({seen}, text);
    assert.equal(place({layer: 0, head: 0}, at('L0·H0')), null);
    assert.deepEqual(place({layer: 2, head: 8}, at('L2·H8')), {layer: 2, head: 8});
    const own = headsOf({seen}, '文章：看 L0·H3。');
    assert.deepEqual(own({layer: 0, head: 3}, 5), {layer: 0, head: 3}, 'the step’s own');
    assert.equal(own({layer: 0, head: 4}, 5), null);
    assert.equal(headsOf({seen, hub: true}, text)({layer: 0, head: 3}, at('L0·H3')), null);
    const counted = headsOf({seen, state: {oneBased: true}}, 'Head L1·H4.');
    assert.deepEqual(counted({layer: 1, head: 4}, 5), {layer: 0, head: 3}, 'counted from 1');
});

test('the toy of attention is what its numbers give by hand', () => {
    const times = (a, b) =>
        a.map(row => b[0].map((_, j) => row.reduce((sum, x, i) => sum + x * b[i][j], 0)));
    const printed = rows => rows.map(row => row.map(value => Number(value).toFixed(2)));
    const rowsOf = line => line.filter(part => typeof part !== 'string').map(({rows}) => rows);
    const softmax = rows =>
        rows.map(row => {
            const parts = row.map(Math.exp);
            return parts.map(part => part / parts.reduce((a, b) => a + b));
        });
    const lines = TOY.map(rowsOf);
    const products = lines.slice(0, 4);
    for (const [a, b, product] of products) assert.deepEqual(times(a, b), product);
    const [[X, W, Q], [, , K], [, , V], [q, transposed, scores], [scaled, weights], [A, v, Z]] =
        lines;
    assert.deepEqual([X.length, X[0].length, W.length, W[0].length], [2, 4, 4, 3]);
    assert.deepEqual([q, v, A], [Q, V, weights]);
    assert.deepEqual(
        transposed,
        K[0].map((_, i) => K.map(row => row[i])),
    );
    const exact = scores.map(row => row.map(score => score / Math.sqrt(Q[0].length)));
    assert.deepEqual(scaled, printed(exact));
    assert.deepEqual(weights, printed(softmax(exact)));
    assert.deepEqual(Z, printed(times(softmax(exact), V)));
    assert.deepEqual(
        Z,
        printed(
            times(
                A.map(row => row.map(Number)),
                V,
            ),
        ),
        'also from what is printed',
    );
});

test('each of the six patterns of the article has its pair of pictures: all tokens, and one', () => {
    const patterns = lessons.vig1.steps.filter(({title}) => /^Pattern [1-6]: /.test(title.en));
    const withPin = patterns.filter(({state: {picked, beside}}) => picked?.length || beside);
    const first = withPin.filter(
        ({title}, i) => i === withPin.findIndex(one => one.title.en[8] === title.en[8]),
    );
    assert.deepEqual(
        first.map(({title, tool}) => [title.en[8], tool]),
        ['1', '2', '3', '4', '5', '6'].map(n => [n, 'pair']),
    );
});
