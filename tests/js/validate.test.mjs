/* `head-light validate` and the schema of saved JSON files: what the page writes passes, each kind of fault is
 * told with its place, and the schema says what every member is. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {encodeFigure} from '../../web/files/precomputed_write.js';
import {FORMATS} from '../../web/save/attention.js';
import {aboutOf, jsonOf} from '../../web/save/texts.js';
import {validate} from '../../web/save/validate.js';
import {loadView, views} from '../../web/views/index.js';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const schema = JSON.parse(await readFile('web/save/saved.schema.json', 'utf8'));
const faults = value => validate(value, schema).faults;

/** The JSON that Save writes of a view. */
async function tableOf(golden, id, t = en) {
    const view = await loadView(id);
    const {state, data} = await golden(view, {text: 'the cat sat.', view: id, off: ['0.1']});
    const {pass} = data;
    const about = aboutOf({t, source: {model: 'bert-tiny-random'}, view, state, data, pass});
    return JSON.parse(jsonOf(view.table(state, data, t), about));
}

const tokens = ['a', 'b'].map((piece, id) => ({
    ...{piece, id, type: 0, from: 0, to: 0, sentence: 0, word: id, special: false},
}));
const map = new Float32Array([0.25, 0.75, 1, 0]);
async function attention(of = 'attention') {
    const source = {model: 'm', tokens, layers: 2, heads: 1, of, read: async () => map};
    return JSON.parse(await new Blob(await FORMATS.json.make(source)).text());
}
const figure = () =>
    JSON.parse(
        JSON.stringify(
            encodeFigure({
                model: {layers: 1, heads: 1, special: {mask: 4}},
                ...{pass: {tokens, texts: ['a b']}, id: 'm', name: 'm', bytes: 9},
                tensors: [['attention.0', {data: map, shape: [1, 2, 2]}]],
            }),
        ),
    );

test('what the page saves of every view passes, and so do two tables', {skip}, async () => {
    const golden = await openGolden('bert-tiny-random');
    for (const {id} of views)
        for (const t of [en, zh])
            assert.deepEqual(validate(await tableOf(golden, id, t), schema), {
                ...{kind: 'table', faults: []},
            });
    const two = [await tableOf(golden, 'head'), await tableOf(golden, 'heatmap')];
    assert.deepEqual(validate(two, schema), {kind: 'two tables', faults: []});
    two[1].rows[0].pop();
    assert.match(faults(two)[0], /^\[1\]\.rows\[0\]: \d+ cells, but there are \d+ columns$/);
});

test('attention of all layers, what is moved, and the figure of a tag pass', async () => {
    for (const of of ['attention', 'moved'])
        assert.deepEqual(validate(await attention(of), schema), {kind: 'attention', faults: []});
    assert.deepEqual(validate(figure(), schema), {kind: 'figure', faults: []});
});

test('a fault is told with its place', async () => {
    const maps = await attention();
    const short = structuredClone(maps);
    short.attention[1][0].pop();
    const uneven = structuredClone(maps);
    uneven.attention[1].push(uneven.attention[1][0]);
    const negative = structuredClone(maps);
    negative.attention[0][0][1][0] = -1;
    const cut = figure();
    cut.weights['attention.0'].u8 = 'AAAA';
    const study = {madeWith: 'Headlight', study: 'roles', model: 'm', corpus: 'c'};
    for (const [value, fault] of [
        [short, /^\.attention\[1\]\[0\]: not 2 × 2/],
        [uneven, /^\.attention\[1\]: 2 heads, but layer 0 has 1$/],
        [negative, /^\.attention\[0\]\[0\]\[1\]\[0\]: at least 0 was expected$/],
        [{...maps, hash: 'md5:1'}, /^\.hash: a text that fits/],
        [{...maps, tokens: [1, 'b']}, /^\.tokens\[0\]: string was expected, not integer$/],
        [cut, /^\.weights\.attention\.0: not 1 maps of 2 × 2$/],
        [{...figure(), headlight: 2}, /^\.headlight: 1 was expected$/],
        [study, /^: options is missing, asked is missing, answers is missing$/],
        [
            {...study, options: {}, asked: [], answers: {}},
            /^\.asked: object was expected, not array/,
        ],
        [{columns: [], rows: []}, /^: madeWith is missing, caption is missing$/],
        [[], /none of the files/],
        [null, /none of the files/],
        ['x', /none of the files/],
    ])
        assert.match(faults(value)[0] ?? '', fault);
});

test('the schema is of words that the validator knows, and every property is explained or plain', () => {
    const known = [
        ...['$schema', 'title', '$defs', '$ref', 'anyOf', 'description', 'properties', 'items'],
        ...['additionalProperties', 'type', 'required', 'const', 'enum', 'pattern'],
        ...['minimum', 'maximum', 'minItems', 'maxItems'],
    ];
    const walk = one => {
        for (const [word, value] of Object.entries(one)) {
            assert.ok(known.includes(word), word);
            if (word === '$ref') assert.ok(schema.$defs[value.replace('#/$defs/', '')], value);
            if (['properties', '$defs'].includes(word)) Object.values(value).forEach(walk);
            if (word === 'anyOf') value.forEach(walk);
            if (['items', 'additionalProperties'].includes(word)) walk(value);
        }
    };
    walk(schema);
});
