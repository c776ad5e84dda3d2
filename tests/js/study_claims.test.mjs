/* The study of published claims on the real tool: each claim has the number that the study it is
 * about gives, parts merge to the bytes of the whole, the table has the same rows, what a corpus
 * lacks is said; drawn whole in both languages. How a claim is measured: tests/c/test_claims.c.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {defaults} from '../../web/state/state.js';
import {studies as studyEn} from '../../web/words/en/studies.js';
import {studies as studyZh} from '../../web/words/zh/studies.js';
import {claimsStudy, expectedOf, hereOf, VERDICTS} from '../../web/views/study/claims/view.js';
import {root, run} from './lib/model.mjs';
import {inParts} from './lib/parts.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const model = join(root, 'models/mini-en');
const tuned = join(root, 'models/mini-en-sst2');
const corpus = name => join(root, 'corpora', name);
const study = (name, file, ...more) =>
    JSON.parse(run('study', name, model, corpus(file), '--set', 'limit=30', ...more));
const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));

const trees = study('claims', 'sentences.conllu', '--with', tuned);
const claimOf = (answer, id) => answer.claims.find(one => one.id === id);
const greatest = values => Math.max(...values.filter(value => value !== null));

test('each claim has the number of the study that it is about', () => {
    const [roles, patterns, parse] = ['roles', 'patterns', 'parse'].map(name =>
        study(name, 'sentences.conllu'),
    );
    const compare = study('compare', 'sentences.conllu', '--with', tuned);
    const meansOf = name => patterns.mean[patterns.measures.indexOf(name)];
    for (const [id, name] of [
        ['clarkNext', 'next'],
        ['clarkSep', 'sep'],
        ['clarkCls', 'cls'],
    ]) {
        const {value, layer, head, item} = claimOf(trees, id);
        assert.equal(value, greatest(meansOf(name)), id);
        assert.equal(meansOf(name)[layer * 8 + head], value, id);
        assert.equal(patterns.item[patterns.measures.indexOf(name)][layer * 8 + head], item, id);
    }
    const det = parse.relations.find(({relation}) => relation === 'det');
    const claim = claimOf(trees, 'parse.det');
    assert.deepEqual(
        [claim.value, claim.layer, claim.head, claim.against],
        [det.best.accuracy, det.best.layer, det.best.head, det.offset.accuracy],
    );
    assert.equal(claim.verdict, det.above_rule ? 'uncompared' : 'missing');
    const {has} = roles.roles.find(({role}) => role === 'delimiter');
    assert.ok(
        Math.abs(claimOf(trees, 'delimiterShare').value - has.filter(Boolean).length / 48) < 1e-6,
    );
    assert.equal(
        claimOf(trees, 'sepTuning').value,
        compare.sep_of_layers.difference.at(-1),
        'with the second model',
    );
    const coref = study('coref', 'pronouns.txt');
    const {value, against} = claimOf(study('claims', 'pronouns.txt'), 'coref');
    assert.deepEqual(
        [value, against],
        [coref.best.accuracy, greatest(Object.values(coref.baselines))],
    );
});

/** A sentence of the claims run by itself: its tokens, and the attention of each head. */
function passOf(text) {
    const file = join(scratch, 'pass.safetensors');
    const {a, b} = trees.texts[text];
    const said = run('run', model, a, b, '--precision', 'fine', '--json', '--dump', file);
    const {tokens} = JSON.parse(said);
    const n = tokens.length;
    const dump = readSafetensors(file);
    const heads = Array.from({length: 48}, (_, i) => {
        const {data} = dump.get(`layer.${Math.floor(i / 8)}.probs`);
        return (query, key) => data[((i % 8) * n + query) * n + key];
    });
    return {tokens, n, heads};
}

test('sentences are read off their own pass: strength of a pattern, weight of a link', () => {
    const first = passOf(0);
    const even = (first.n - 1) / first.n ** 2;
    const strengths = first.heads.map(at => {
        let next = 0;
        for (let i = 0; i + 1 < first.n; i++) next += at(i, i + 1) / first.n;
        return (next - even) / (1 - even);
    });
    const {value, layer, head, at} = claimOf(trees, 'next');
    assert.ok(Math.abs(value - Math.max(...strengths)) < 1e-6);
    assert.equal(strengths.indexOf(Math.max(...strengths)), layer * 8 + head);
    assert.ok(Math.abs(at - strengths[2 * 8]) < 1e-6, 'the published head, 2.0');

    const cat = passOf(1);
    const [it, noun] = ['it', 'cat'].map(word => cat.tokens.findIndex(({token}) => token === word));
    assert.ok(it > noun && noun > 0, 'both are one piece');
    const link = claimOf(trees, 'cat');
    const weights = cat.heads.map(head => head(it, noun));
    const stands = cat.heads.map(
        (head, i) =>
            Array.from(
                {length: cat.n},
                (_, key) => key === it || head(it, key) <= weights[i],
            ).every(Boolean) && weights[i] >= 2 / cat.n,
    );
    const best = stands.some(Boolean) ? weights.filter((_, i) => stands[i]) : weights;
    assert.ok(Math.abs(link.value - Math.max(...best)) < 1e-6);
    assert.equal(link.verdict, stands.some(Boolean) ? 'uncompared' : 'missing');
});

test('what a corpus or the models lack is said, and nothing else is without a number', () => {
    const lacking = (answer, why) =>
        answer.claims.filter(claim => claim.why === why).map(({id}) => id);
    const pairs = study('claims', 'pairs.tsv');
    assert.deepEqual(lacking(trees, 'mentions'), ['coref']);
    assert.deepEqual(lacking(trees, 'second'), []);
    assert.deepEqual(lacking(pairs, 'second'), ['sepTuning']);
    assert.equal(lacking(pairs, 'relations').length, 12, 'no trees');
    assert.deepEqual(lacking(pairs, 'language'), ['kedi', 'katze', 'germanNext']);
    for (const answer of [trees, pairs])
        for (const {id, verdict, why, value} of answer.claims) {
            assert.ok(VERDICTS.includes(verdict), id);
            assert.equal(why !== '', ['lacks', 'foreign'].includes(verdict), id);
            if (verdict !== 'foreign') assert.equal(value === null, verdict === 'lacks', id);
            assert.ok(!['agrees', 'differs'].includes(verdict), 'mini-en is no published model');
        }
});

test('beside random layers a claim is found only where these do not do the same', () => {
    const plain = study('claims', 'sentences.conllu');
    const drawn = study('claims', 'sentences.conllu', '--set', 'draws=5');
    const trusted = {true: 'found', false: 'chance'};
    for (const {id, study: of, verdict, value, random_layers: held} of drawn.claims) {
        const before = claimOf(plain, id);
        assert.equal(before.random_layers, null);
        assert.notEqual(before.verdict, 'found', 'nothing is, without them');
        assert.equal(before.value, value, 'the numbers stay');
        assert.notEqual(verdict, 'uncompared');
        if (before.verdict !== 'uncompared') assert.equal(verdict, before.verdict, id);
        else if (of !== 'parse') assert.equal(verdict, trusted[held === 0], id);
    }
    const {verdict, random_layers: held} = claimOf(drawn, 'pNear');
    assert.deepEqual([verdict, held], ['chance', 5], 'p-values are near 0 and 1 untrained, too');
    assert.equal(claimOf(drawn, 'next').verdict, 'found');
});

test('parts merge to the bytes of the whole, the sentences among them', () => {
    const args = ['claims', model, corpus('pairs.tsv'), '--set', 'limit=30'];
    const parts = inParts(scratch, 3, ...args);
    const whole = run('study', ...args);
    assert.equal(run('study', 'merge', ...parts.reverse()), whole);
    const first = JSON.parse(run('study', 'merge', parts[2], '--partial'));
    assert.equal(claimOf(first, 'next').why, 'text', 'the sentences are of the last part');
    assert.equal(claimOf(first, 'clarkNext').why, '');
    const {tokens, taken, steps} = JSON.parse(whole);
    assert.deepEqual([taken, steps], [30, 34]);
    assert.equal(
        tokens,
        study('roles', 'pairs.tsv').tokens,
        'sentences are no texts of the corpus',
    );
});

test('the table has a row a claim with the numbers of the answer', () => {
    const csv = run('study', 'claims', model, corpus('pairs.tsv'), '--set', 'limit=30', '--csv');
    const [names, ...rows] = csv
        .trimEnd()
        .split('\n')
        .map(line => line.split(','));
    const {claims} = study('claims', 'pairs.tsv');
    const cell = (row, name) => row[names.indexOf(name)];
    // the name of one model has a comma, and is quoted
    const plain = rows.filter(row => row.length === names.length);
    assert.equal(rows.length, claims.length);
    for (const row of plain) {
        const claim = claims.find(({id}) => id === cell(row, 'claim'));
        assert.deepEqual(
            [cell(row, 'verdict'), cell(row, 'value'), cell(row, 'reported_against')],
            [claim.verdict, String(claim.value ?? ''), String(claim.reported.against ?? '')],
        );
    }
    assert.ok(plain.length > 30);
});

test('every claim has its words in both languages', () => {
    for (const t of [studyEn, studyZh])
        for (const {id, relation, source, evidence, study: of, text, language} of trees.claims) {
            assert.ok(relation || t.claims.titles[id], id);
            for (const [table, key] of [
                ['sources', source],
                ['grades', evidence],
                ['lacks', of ?? 'text'],
            ])
                assert.ok(t.claims[table][key], `${id} ${key}`);
            assert.ok(text === null || trees.texts[text].a, id);
            assert.ok(language === null || t.claims.languages[language], id);
        }
    assert.equal(new Set(trees.claims.map(({id}) => id)).size, trees.claims.length);
});

test('what was published and what is here, in print', () => {
    const say = (id, oneBased = false) => expectedOf(claimOf(trees, id), oneBased, studyEn);
    assert.equal(say('parse.all', true), '34.5 % (26.3 %), L7·H6');
    assert.equal(say('parse.obj'), '86.8 % (40.0 %), L7·H9');
    assert.equal(say('coref'), '64 %, L4·H3');
    assert.equal(say('delimiterShare'), '67–73 %');
    assert.equal(say('clarkCls'), '0.66');
    assert.equal(say('clarkSepLayers'), '0.48–0.57 in layers 4–9, 0.2 in layer 3');
    assert.equal(say('clsEarly', true), 'layers 2–4 of 12', 'counted as the rest of the row');
    const here = (patch, oneBased = false) =>
        hereOf({...claimOf(trees, 'parse.det'), ...patch}, oneBased, studyEn);
    const known = {verdict: 'found', value: 0.5, layer: 1, head: 2, at: 0.25, against: 0.4};
    assert.equal(here(known, true), '50.0 % (L2·H3); 40.0 %');
    assert.equal(here({...known, same: true}), '25.0 %; 40.0 %', 'the published head on its model');
    assert.match(here({verdict: 'lacks'}), /CoNLL-U/);
    assert.match(here({verdict: 'foreign', language: 'tr'}), /Turkish/);
});

test('drawn whole in both languages and themes', () => {
    const on = {set() {}, openItem() {}, openWhere() {}, ask() {}, save() {}, load() {}};
    for (const [t, theme] of [
        [studyEn, 'light'],
        [studyZh, 'dark'],
    ]) {
        const data = {
            answer: trees,
            model: {layers: 6, heads: 8, vocab: 8192},
            modelName: 'mini-en',
            otherName: '',
            drawn: '',
            theme,
            width: 720,
            t,
            items: 30,
            corpus: {id: 'sentences', name: 'Sentences', format: 'conllu', items: 30, about: {}},
        };
        const svg = renderToString(h('div', null, claimsStudy.svg(defaults, data, t)));
        const page = renderToString(h('div', null, claimsStudy.render(defaults, data, on)));
        const table = claimsStudy.table(defaults, data, t);
        const said = claimsStudy.describe(defaults, data, t);
        assert.equal(table.rows.length, trees.claims.length);
        assert.equal(page.match(/class="claim is-/g).length, trees.claims.length, 'none is lost');
        for (const [what, text] of Object.entries({svg, page, said, table: JSON.stringify(table)}))
            assert.doesNotMatch(text, /undefined|NaN|null|Infinity/, what);
    }
});
