/* sieves - the sieves of one text (the measures `sieves` and `sieve`) against their definition, by what each query
 * of a layer sees, of every golden model; and against the study of roles on a corpus of that text. The page's
 * numbers are these.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {readSeen, ROLES} from '../../web/lessons/seen.js';
import {factsOf} from '../../web/cards/facts.js';
import {needName} from '../../web/views/needs.js';
import {goldenCases, inputsOf} from './lib/golden.mjs';
import {openModel, root, run} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const TOKENS = 14;

const sum = list => list.reduce((all, x) => all + x, 0);
const near = (a, b, what) =>
    assert.ok(
        Object.is(a, b) || Math.abs(a - b) <= 1e-5 * (1 + Math.abs(b)),
        `${what}: ${a}, not ${b}`,
    );
const SEES = {
    all: () => true,
    causal: (query, key) => key <= query,
    window: (query, key, window) => Math.abs(query - key) <= window,
    causal_window: (query, key, window) => key <= query && query - key < window,
};

/** Of given tokens: role -> does a key belong to a query? */
function belonging(tokens, {cls, sep}) {
    const [opens, closes] = [cls, sep].map(wanted => tokens.map(({id}) => id === wanted));
    const pair = [0, 1].every(wanted => tokens.some(({sentence}) => sentence === wanted));
    const own = query =>
        tokens[query].sentence < 0 ? Number(closes[query]) : tokens[query].sentence;
    return {
        local: (i, j) => Math.abs(i - j) <= 2,
        delimiter: (_, j) => opens[j] || closes[j],
        cls: (_, j) => opens[j],
        sep: (_, j) => closes[j],
        block: (i, j) => pair && tokens[j].sentence === own(i),
    };
}

const entropy = row => -sum(row.map(a => (a > 0 ? a * Math.log(a) : 0)));

/** Scores of a head's queries; null where the query sees no key of the role. */
function queriesOf(role, belongs, sees, row, T) {
    const seen = i => [...Array(T).keys()].filter(j => sees(i, j));
    const even = sum(Array.from({length: T}, (_, i) => Math.log(seen(i).length))) / T;
    return Array.from({length: T}, (_, i) => {
        const keys = seen(i).filter(j => belongs(i, j));
        const weights = row(i);
        const inside = sum(keys.map(j => weights[j])) / keys.length;
        const times = role === 'block' ? entropy(weights) / even : 1;
        return keys.length ? inside * seen(i).length * times : null;
    });
}

function compare(opened, what) {
    const {pass, model, session} = opened;
    const {layers: L, heads: H} = model;
    const tokens = session.tokens();
    const T = tokens.length;
    const roles = belonging(tokens, model.special);
    const scores = pass.measure('sieves');
    let met = 0;
    for (let l = 0; l < L; l++) {
        const {mask, window} = model.per_layer[l];
        const sees = (i, j) => SEES[mask](i, j, window);
        const {data} = pass.tensor('attention', l);
        for (let h = 0; h < H; h++) {
            const row = i => Array.from(data.subarray((h * T + i) * T, (h * T + i + 1) * T));
            const parts = pass.measure('sieve', [l, h]);
            ROLES.forEach((role, r) => {
                const own = queriesOf(role, roles[role], sees, row, T);
                const known = own.filter(one => one !== null);
                const score = known.length ? sum(known) / known.length : NaN;
                near(scores[(r * L + l) * H + h], score, `${what}, L${l}·H${h}, ${role}`);
                met += known.length > 0;
                own.forEach((one, i) => {
                    const cells = Array.from({length: T}, (_, j) => parts[(r * T + i) * T + j]);
                    const inside = cells.flatMap((x, j) => (Number.isNaN(x) ? [] : [j]));
                    const wanted = cells.flatMap((_, j) =>
                        sees(i, j) && roles[role](i, j) ? [j] : [],
                    );
                    assert.deepEqual(inside, wanted, `${what}: keys of ${role}, query ${i}`);
                    near(sum(inside.map(j => cells[j])), one ?? 0, `${what}: ${role}, query ${i}`);
                });
            });
        }
    }
    return met;
}

const cases = goldenCases(scratch).filter(({runs, absent}) => runs && !absent);
for (const golden of new Map(cases.map(one => [one.name, one])).values())
    test(`${golden.name}: scores of the roles are those of what each query sees`, async () => {
        const opened = await openModel(golden.folder, 'f32');
        const {input_ids: ids, token_type_ids: types} = inputsOf(golden)[0];
        opened.session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
        opened.run('fine');
        assert.ok(compare(opened, golden.name) > 0);
    });

const PAIR = ['The cat sat on the mat.', 'It was very tired, I think.'];
const OPENED = [
    ['models/mini2-en', ...PAIR],
    ['models/mini-gpt-en', PAIR[0], null],
    ['models/mini2-en', PAIR[1], null],
    ['tests/golden/models/roberta-masked', ...PAIR],
    ['tests/golden/models/modernbert-masked', ...PAIR],
    ['tests/golden/models/qwen3-next', PAIR[0], null],
];
for (const [folder, a, b] of OPENED)
    test(`${folder}: with [CLS] and [SEP] as the tokenizer adds them, and as the study has it`, async () => {
        const opened = await openModel(join(root, folder), 'q8');
        opened.session.tokenize(a, b);
        opened.run('fine');
        assert.ok(compare(opened, folder) > 0);
        const {pass, model} = opened;
        const scores = pass.measure('sieves');
        const size = model.layers * model.heads;
        const corpus = join(scratch, `${folder.replaceAll('/', '-')}${b ? 'pair' : ''}.tsv`);
        writeFileSync(corpus, `${[a, b].filter(Boolean).join('\t')}\n`);
        const {roles} = JSON.parse(run('study', 'roles', join(root, folder), corpus));
        for (const [r, role] of ROLES.entries()) {
            const {mean, n} = roles.find(one => one.role === role);
            for (let i = 0; i < size; i++)
                near(scores[r * size + i], n[i] ? mean[i] : NaN, `${role}, head ${i}`);
        }
    });

test('the page: the card of a head and a lesson say what C has', async () => {
    const opened = await openModel(join(root, 'models/mini-gpt-en'), 'q8');
    opened.session.tokenize(PAIR[0], null);
    opened.run('fine');
    const {pass, model} = opened;
    const tensor = ({measure, args = []}) => ({data: pass.measure(measure, args)});
    const collect = async needs => new Map(needs.map(need => [needName(need), tensor(need)]));
    const shown = {model, pass: {tokens: opened.session.tokens()}};
    const scores = pass.measure('sieves');
    const size = model.layers * model.heads;
    for (let i = 0; i < size; i++) {
        const place = {layer: Math.floor(i / model.heads), head: i % model.heads};
        const {roles} = await factsOf({collect}, shown, place, 3);
        assert.deepEqual(roles.map(({role}) => role).sort(), ['delimiter', 'local'], 'no pair');
        for (const {role, score, has} of roles) {
            assert.equal(score, scores[ROLES.indexOf(role) * size + i]);
            assert.equal(has, score >= 3);
            const measure = (name, of) =>
                pass
                    .measure(of)
                    .subarray(ROLES.indexOf(name) * size, (ROLES.indexOf(name) + 1) * size);
            const seen = {kind: 'sieve', head: [place.layer, place.head], role};
            assert.equal(readSeen({tokens: shown.pass.tokens, model, measure}, seen), score);
        }
    }
});
