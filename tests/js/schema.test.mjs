/* docs/schema - every JSON that a command writes has a JSON Schema, which names all of its members and none that no
 * answer here has. ajv reads the schemas, strictly.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import {answersOf as handedIn} from '../../web/lessons/worksheet.js';
import {asked, answered} from './lib/class.mjs';
import {headlight, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const folder = join(root, 'docs/schema');
const schemas = Object.fromEntries(
    readdirSync(folder).map(name => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
);
const ajv = new Ajv2020({strict: true, strictTypes: false, strictRequired: false, allErrors: true});
for (const schema of Object.values(schemas)) ajv.addSchema(schema);

const model = name => join(root, 'models', name);
const golden = name => join(root, 'tests/golden/models', name);
const corpus = name => join(root, 'corpora', name);
const [en, gpt, feeling, tags] = ['mini-en', 'mini-gpt-en', 'mini2-en-sst2', 'mini2-en-pos'].map(
    model,
);
const sentence = model('all-minilm-l6-v2');
const trees = corpus('sentences.conllu');
const aligned = join(root, 'tests/golden/translated.tsv');
const lines = join(scratch, 'lines.txt');
const texts = join(scratch, 'texts.txt');
writeFileSync(lines, 'The cat [MASK].\nIt was late.\tIt [MASK].\n');
writeFileSync(
    texts,
    readFileSync(corpus('texts.txt'), 'utf8').split('\n').filter(Boolean).slice(0, 12).join('\n'),
);
const [index, random] = ['index', 'random'].map(name => join(scratch, name));
/** A model whose label is a number. */
const regression = join(scratch, 'regression');
cpSync(golden('bert-labels'), regression, {recursive: true});
const config = JSON.parse(readFileSync(join(regression, 'config.json'), 'utf8'));
config.problem_type = 'regression';
writeFileSync(join(regression, 'config.json'), JSON.stringify(config));
/** A model of two stacks, with words. */
const two = join(scratch, 'two');
cpSync(join(root, 'tests/golden/two/models/t5-own'), two, {recursive: true});
writeFileSync(join(two, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n');
const masked = 'The cat [MASK].';
const ask = (question, folder = en, ...text) => [
    ...['intervene', folder, JSON.stringify(question), ...(text.length ? text : [masked])],
];
const head = {changes: [['head', 1, 2]]};
const link = {layer: 2, head: 1, query: 2, key: 1};
const nouns = 'head layer=1 head=2 query.pos=NOUN offset=-3:-1';

/** By schema the commands whose answers it describes. @type {Record<string, string[][]>} */
const ANSWERS = {
    run: [
        ...[en, gpt, feeling, tags].map(folder => ['run', folder, '--json', masked, 'It was']),
        ['run', en, '--lines', lines],
        ['run', two, '--json', 'a a', 'a'],
        [
            'run',
            golden('bert-answers'),
            '--json',
            '--ids',
            '2 5 6 3 7 8 3',
            '--types',
            '0 0 0 0 1 1 1',
        ],
        ['run', golden('electra-discriminator'), '--json', '--ids', '2 5 6 3'],
    ],
    measure: [
        ['measure', en, 'sieves', masked],
        ['measure', two, 'patterns', 'a a', 'a'],
        ['measure', en, 'pair', '--set', 'query=1', '--set', 'key=0', '--lines', lines],
    ],
    info: [en, gpt, tags, sentence, two].map(folder => ['info', folder, '--json']),
    agree: [['agree', en]],
    next: [
        ['next', gpt, 'It was'],
        ['next', gpt, '--lines', lines],
    ],
    lens: [
        ['lens', en, masked],
        ['lens', gpt, '--lines', lines],
    ],
    similarity: [['similarity', sentence, 'a cat', 'a dog', 'a house', '--json']],
    why: [en, gpt].map(folder => [
        ...['why', folder, 'The cat sat on it.', '--layer', '2', '--head', '1'],
        ...['--query', '3', '--key', '2'],
    ]),
    direct: [
        ...[en, gpt, feeling, tags].map(folder => ['direct', folder, masked, '--json']),
        ['direct', en, masked, '--against', 'dog', '--word', 'man', '--json'],
        ['direct', golden('bert-answers'), 'a b', 'c d', '--json'],
        ['direct', en, '--json', '--lines', lines],
    ],
    intervention: [
        ['decides', en, '--lines', lines],
        ['decides', en, masked, '--against', 'dog', '--word', 'man', '--removed'],
        ['decides', en, masked, '--by', 'mean'],
        ['decides', gpt, 'The cat is'],
        ['decides', feeling, 'a good film'],
        ['decides', tags, 'a good film', '--at', '1'],
        ['decides', sentence, 'a good film', 'a film'],
        ['patch', en, 'The cat was [MASK].', 'The men was [MASK].'],
        ['patch', en, masked, masked],
        ['patch', en, masked, 'Two old dogs [MASK].', '--tokens', '2:3'],
        ask({intervention: 'agree'}, en, 'The old cat sat on the [MASK].'),
        ask({intervention: 'agree'}, gpt, 'The old cat sat on the mat and'),
        ask({intervention: 'agree'}, gpt, 'the cat'),
        ask({
            intervention: 'effect',
            changes: [
                ['head', 1, 2],
                ['mlp', 0],
            ],
            apart: true,
        }),
        ask({intervention: 'effect', ...head, moved: true}, en, masked, 'A dog.'),
        ask({intervention: 'effect', ...head}, feeling, 'a good film'),
        ask({intervention: 'effect'}, golden('bert-answers'), 'a b', 'c d'),
        ask({intervention: 'effect', ...head, measures: ['patterns']}),
        ask({intervention: 'effect'}, regression, 'a b'),
        ask({intervention: 'why_off', ...link}),
        ask({intervention: 'edge', layer: link.layer, head: link.head}),
        ask({intervention: 'edge_link', ...link}),
    ],
    search: [
        ...['find pos=NOUN', 'like of=the layer=3 most=10', 'context of=the layer=3 heads=0,3'],
        ...['top', 'deciles', 'random'].map(show => `${nouns} show=${show}`),
    ]
        .map(question => ['search', index, question])
        .concat([
            ['search', index, nouns, '--beside', random],
            ['search', index, 'like of=the layer=3', '--beside', random],
        ]),
    study: [
        ['about', en, trees],
        ['about', en, corpus('pairs.tsv')],
        ['roles', en, texts],
        ['roles', en, texts, '--with', 'random'],
        ['patterns', en, texts, '--with', 'random-layers'],
        ['distances', en, texts],
        ['compare', en, texts, '--with', model('mini-en-sst2')],
        ['importance', en, texts, '--with', 'random'],
        ['importance', feeling, texts, '--set', 'target=label'],
        ['induction', en, texts, '--with', 'random-layers'],
        ['parse', en, trees, '--with', 'random'],
        ['coref', en, corpus('pronouns.txt'), '--with', 'random'],
        ['probe', en, trees, '--with', 'random'],
        ['labels', feeling, corpus('pairs.tsv')],
        ['claims', en, trees, '--with', model('mini-en-sst2')],
        ['alignment', model('mini-de-en'), aligned, '--columns', 'source,target,alignment'],
    ].map(args => ['study', ...args]),
};

/** The answers of a command: one, or one a line. @returns {any[]} */
function answersOf(args) {
    const input = 'The cat sat on the [MASK] mat.\nA dog [MASK].\n'; // of agree
    const options = {input, encoding: 'utf8', maxBuffer: 1e9};
    const {status, stdout, stderr} = spawnSync(headlight, args, options);
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
    try {
        return [JSON.parse(stdout)];
    } catch {
        return stdout
            .trimEnd()
            .split('\n')
            .map(line => JSON.parse(line));
    }
}

/** The schema that a $ref names. @param {string} ref @param {any} root */
function named(ref, root) {
    const [file, path] = ref.split('#');
    const from = file ? schemas[file] : root;
    return [
        path
            .split('/')
            .slice(1)
            .reduce((at, name) => at[name], from),
        from,
    ];
}

/** Notes in `seen` which members of the schema a value has. */
function note(value, schema, root, seen) {
    if (!value || typeof value !== 'object') return;
    for (const one of [...(schema.allOf ?? []), ...(schema.anyOf ?? [])])
        note(value, one, root, seen);
    if (schema.$ref) note(value, ...named(schema.$ref, root), seen);
    if (Array.isArray(value)) value.forEach(one => note(one, schema.items ?? {}, root, seen));
    else
        for (const [name, one] of Object.entries(value)) {
            const inner = schema.properties?.[name] ?? schema.additionalProperties;
            if (inner) seen.add(inner) && note(one, inner, root, seen);
        }
}

/** The members that a schema names, each with where. */
function* members(schema, at) {
    if (!schema || typeof schema !== 'object') return;
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
        yield [`${at}.${name}`, inner];
    for (const [name, inner] of Object.entries(schema)) yield* members(inner, `${at}/${name}`);
}

const seen = new Set();
for (const [name, commands] of Object.entries(ANSWERS))
    test(`the answers of ${name} are as docs/schema/${name}.json says`, () => {
        if (name === 'search')
            for (const [file, more] of [
                [index, []],
                [random, ['--random-layers', '1']],
            ])
                answersOfIndex(file, more);
        const whole = ajv.getSchema(`${name}.json`);
        for (const args of commands)
            for (const answer of answersOf(args)) {
                const kind = answer.study ?? answer.intervention;
                const valid = kind ? ajv.getSchema(`${name}.json#/$defs/${kind}`) : whole;
                assert.ok(valid(answer), `${args.join(' ')}: ${ajv.errorsText(valid.errors)}`);
                note(answer, schemas[`${name}.json`], schemas[`${name}.json`], seen);
            }
    });

test('a file to hand in is as docs/schema/answers.json says', async () => {
    const valid = ajv.getSchema('answers.json');
    const file = JSON.parse(await handedIn(asked, {0: answered(2, 3)}, 'Ada'));
    assert.ok(valid(file), ajv.errorsText(valid.errors));
    note(file, schemas['answers.json'], schemas['answers.json'], seen);
    const {questions} = file;
    assert.deepEqual(
        questions.map(one => 'picked' in one),
        [true, false],
    );
    for (const change of [
        {sum: 'sha256:0'},
        {questions: [{...questions[1], picked: 1}]},
        {more: 1},
    ])
        assert.equal(valid({...file, ...change}), false);
});

function answersOfIndex(file, more) {
    const made = spawnSync(headlight, ['index', en, trees, '-o', file, '--layers', '3', ...more]);
    assert.equal(made.status, 0, `${made.stderr}`);
}

test('no schema names a member that no answer has', () => {
    const unseen = Object.entries(schemas).flatMap(([file, schema]) =>
        [...members(schema, file)].filter(([, inner]) => !seen.has(inner)).map(([at]) => at),
    );
    assert.deepEqual(unseen, []);
});

test('a member too many, one too few and one of another type are faults', () => {
    const valid = ajv.getSchema('intervention.json');
    const [answer] = answersOf(ask({intervention: 'why_off', ...link}));
    assert.ok(valid(answer));
    for (const change of [{more: 1}, {contrast: undefined}, {contrast: 'much'}, {effects: [{}]}])
        assert.equal(valid(JSON.parse(JSON.stringify({...answer, ...change}))), false);
});

test('each study and each question of many passes has its part of a schema', () => {
    const thereAre = args => {
        const {stderr} = spawnSync(headlight, args, {encoding: 'utf8'});
        return /there are: (.*)\n/.exec(stderr)[1].split(', ').sort();
    };
    for (const [name, none] of [
        ['study', ['study', 'none', en, texts]],
        ['intervention', ask({intervention: 'none'})],
    ]) {
        const kinds = schemas[`${name}.json`].anyOf.map(({$ref}) => $ref.split('/').pop());
        assert.deepEqual(kinds.sort(), thereAre(none));
    }
});
