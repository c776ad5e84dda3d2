/* The studies of roles, distances and two models without a browser: counts, combinations, refusals
 * by hand; and real answers of the command-line tool over a shipped corpus drawn
 * whole, as page, picture, table and sentence, in both languages.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {defaults} from '../../web/state/state.js';
import {studies as studyEn} from '../../web/words/en/studies.js';
import {studies as studyZh} from '../../web/words/zh/studies.js';
import {compareStudy} from '../../web/views/study/compare/view.js';
import {byLayer, changesOf, movement} from '../../web/views/study/compare/numbers.js';
import {distancesStudy} from '../../web/views/study/distances/view.js';
import {clustersOf, extremes, orderOf} from '../../web/views/study/distances/numbers.js';
import {rolesStudy} from '../../web/views/study/roles/view.js';
import {refusal} from '../../web/views/study/roles/legend.js';
import {scoreChart} from '../../web/views/study/roles/charts.js';
import {
    askedOf,
    countsByLayer,
    intersections,
    printP,
    pValues,
    rolesOfHeads,
    scoreBins,
    shownRoles,
    showRoles,
    withPublished,
} from '../../web/views/study/roles/numbers.js';
import {alongSlider} from '../../web/views/study/roles/thresholds.js';
import {root} from './lib/model.mjs';

const role = (name, has, more = {}) => ({
    role: name,
    has,
    testable: true,
    why: '',
    ceiling: 10,
    p: has.map(one => (one ? 0.001 : 0.999)),
    ...more,
});

test('roles by layer, of heads, and combinations: the most heads first, none last, each head once', () => {
    const roles = [role('local', [1, 1, 0, 0, 0, 1]), role('sep', [0, 1, 1, 0, 0, 1])];
    assert.deepEqual(countsByLayer(roles[0].has, 3), [2, 0, 1]);
    const of = rolesOfHeads(roles, 6);
    assert.deepEqual(of, [['local'], ['local', 'sep'], ['sep'], [], [], ['local', 'sep']]);
    const sets = intersections(of);
    assert.deepEqual(sets, [
        {roles: ['local', 'sep'], heads: [1, 5]},
        {roles: ['local'], heads: [0]},
        {roles: ['sep'], heads: [2]},
        {roles: [], heads: [3, 4]},
    ]);
    assert.equal(
        sets.reduce((sum, {heads}) => sum + heads.length, 0),
        6,
    );
});

test('p-values: bins hold all of them, 1 included, and untested ones are left out', () => {
    const found = pValues([{p: [0, 0.04, 0.5, 0.96, 1]}, {p: [null, null]}], 20);
    assert.equal(found.count, 5);
    assert.equal(
        found.counts.reduce((a, b) => a + b, 0),
        5,
    );
    assert.deepEqual(
        [found.counts[0], found.counts[10], found.counts[19], found.low, found.high],
        [2, 1, 2, 0.4, 0.4],
    );
    assert.deepEqual(pValues([{p: [null]}]), {
        counts: new Array(20).fill(0),
        count: 0,
        low: 0,
        high: 0,
    });
    assert.deepEqual(
        [printP(0.0499), printP(0.00049), printP(0), printP(null)],
        ['0.050', '5e\u22124', '<1e\u2212300', '–'],
    );
});

test('score bins are cut to what is there and to the marks', () => {
    const counts = new Array(40).fill(0);
    counts[17] = 3; // from 2^0.25
    assert.deepEqual(scoreBins(counts, [1, 3]), {from: 0, to: 2, counts: [0, 3, 0, 0, 0, 0, 0, 0]});
    assert.equal(scoreBins(new Array(40).fill(0), []), null);
});

test('uniform attention is drawn where it is: at ln n for the published block score, at 1 for the role', () => {
    const histogram = [Array.from({length: 40}, (_, i) => (i === 23 ? 4 : 0))];
    const drawn = (even, tau) =>
        renderToString(
            scoreChart(
                {...role('block', [1]), n: [4], mean: [5], histogram, even, tau, ceiling: 6},
                0,
                {width: 500, theme: 'light'},
                studyEn,
            ).tree,
        );
    const at = tree => Number(tree.match(/M([\d.]+) 20V/)[1]); // its mark is the highest
    assert.match(drawn(3.31, 3), />even 3\.31</);
    assert.match(drawn(1, 1.25), />even</);
    assert.ok(at(drawn(3.31, 3)) > at(drawn(1, 3)));
    const block = {...role('block', [0]), published: {...role('', [1]), even: 3.31}};
    assert.deepEqual(
        withPublished([block]).map(one => [one.role, one.has[0]]),
        [
            ['block', 0],
            ['block_published', 1],
        ],
    );
    assert.deepEqual(askedOf({...defaults, settings: ['tau_block:1.5']}).tau_block, 1.5);
});

test('a ceiling below the threshold is refused with both numbers; other reasons have their own words', () => {
    const say = (why, ceiling, t = studyEn) =>
        refusal(role('local', [0], {testable: false, why, ceiling, tau: 3.5}), t);
    assert.match(say('ceiling', 3.105), /local: not tested.*3\.1.*τ is 3\.5/);
    assert.match(say('pairs', null), /pairs of sentences/);
    assert.match(say('relations', null), /no such relations/);
    assert.match(say('few', 3), /fewer than two/);
    assert.equal(refusal(role('local', [1]), studyEn), '');
    assert.match(say('ceiling', 3.105, studyZh), /3\.1.*3\.5/);
    assert.deepEqual([alongSlider(0.5), alongSlider(10), alongSlider(99)], [0, 1, 1]);
});

test('which roles are shown is a setting that fits the address and survives being empty', () => {
    const all = showRoles(defaults, [
        'local',
        'delimiter',
        'cls',
        'sep',
        'block',
        'nsubj',
        'obj',
        'amod',
        'advmod',
        'syntactic',
    ]);
    assert.ok(
        all.settings.every(one => /^\w{1,24}:[\w.-]{1,64}$/.test(one)),
        all.settings.join(),
    );
    assert.equal(shownRoles({...defaults, ...all}).length, 10);
    assert.deepEqual(shownRoles({...defaults, ...showRoles(defaults, [])}), []);
    assert.deepEqual(
        showRoles(defaults, shownRoles(defaults)).settings,
        [],
        'the default is not written',
    );
});

test('clusters begin with their middle head and together hold every head once', () => {
    const mean = [
        [0, 0.1, 0.6, 0.5],
        [0.1, 0, 0.5, 0.4],
        [0.6, 0.5, 0, 0.2],
        [0.5, 0.4, 0.2, 0],
    ];
    const answer = {mean, clusters: [0, 0, 1, 0], medoids: [1, 2], kinds: ['next', '', '', 'sep']};
    const clusters = clustersOf(answer);
    assert.deepEqual(
        clusters.map(({members}) => members),
        [[1, 0, 3], [2]],
    );
    assert.deepEqual(clusters[0].kinds, ['next', 'sep']);
    assert.equal(clusters[0].inside, 0.25);
    assert.deepEqual(orderOf(answer), {order: [0, 1, 3, 2], begins: [0, 3], numbers: [1, 2]});
    const turned = {...answer, clusters: [1, 1, 0, 1], medoids: [2, 1]};
    assert.deepEqual(orderOf(turned).numbers, [2, 1], 'as the list of clusters numbers them');
    assert.deepEqual(extremes(mean), {
        near: {a: 0, b: 1, value: 0.1},
        far: {a: 0, b: 2, value: 0.6},
    });
});

test('roles gained and lost by layer and head, and heads that moved', () => {
    const roles = [
        {
            role: 'sep',
            gained: [0, 1, 0, 0],
            lost: [1, 0, 0, 0],
            has_before: [1, 0, 0, 1],
            has_after: [0, 1, 0, 1],
        },
    ];
    assert.deepEqual(byLayer(roles, 2), {gained: [1, 0], lost: [1, 0]});
    assert.deepEqual(changesOf(roles, 4)[3], {gained: [], lost: [], kept: ['sep']});
    const rows = {
        difference: [[1, -1, 1, -1]],
        q: [[0.01, 0.01, 0.5, null]],
        alpha: 0.05,
        margin: 0.2,
    };
    assert.deepEqual(movement({...rows, effect: [[1, -0.2, 1, -1]]}, 0), {up: 1, down: 1, same: 2});
    assert.deepEqual(
        movement({...rows, effect: [[0.1, -0.3, 1, -1]]}, 0),
        {up: 0, down: 1, same: 3},
        'significant, but of no size',
    );
});

const tool = `${root}build/out/native/headlight`;
const skip = existsSync(tool) ? false : 'build/out/native/headlight is not there; run make native';
const runStudy = (study, corpus, ...more) =>
    JSON.parse(
        execFileSync(
            tool,
            [
                'study',
                study,
                `${root}models/mini-en`,
                `${root}corpora/${corpus}`,
                '--set',
                'limit=24',
                ...more,
            ],
            {maxBuffer: 1 << 28},
        ),
    );
const nothing = () => {};
const on = {
    set: nothing,
    openItem: nothing,
    openWhere: nothing,
    ask: nothing,
    save: nothing,
    load: nothing,
};

/** All that a view makes of an answer, in one language; nothing of it may say undefined or NaN. */
function drawnWith(view, answers, t, theme) {
    const answer = answers[view.study];
    const data = {
        answer,
        model: {layers: answer.layers, heads: answer.heads, vocab: 8192, patterns: []},
        modelName: 'mini-en',
        otherName: 'other',
        theme,
        width: 720,
        t,
        corpus: {
            id: 'sentences',
            name: 'Sentences',
            format: 'conllu',
            items: 24,
            about: {words: true},
        },
    };
    const state = {...defaults, role: ''};
    const svg = renderToString(h('div', null, view.svg(state, data, t)));
    const page = renderToString(h('div', null, view.render(state, data, on)));
    const table = view.table(state, data, t);
    assert.ok(
        table.rows.length && table.rows.every(row => row.length === table.columns.length),
        `${view.id}: a cell for every column`,
    );
    const said = view.describe(state, data, t);
    for (const [what, text] of Object.entries({svg, page, said, table: JSON.stringify(table)})) {
        assert.doesNotMatch(text, /undefined|NaN|Infinity/, `${view.id} ${what}`);
    }
    assert.match(svg, /^<div><svg [^>]*xmlns=/);
    return {svg, page, table, said};
}

test('real answers are drawn whole in both languages and themes', {skip}, () => {
    const answers = {
        roles: runStudy('roles', 'sentences.conllu'),
        distances: runStudy('distances', 'sentences.conllu'),
        compare: runStudy('compare', 'sentences.conllu', '--with', `${root}models/mini-en-sst2`),
    };
    for (const [t, theme] of [
        [studyEn, 'light'],
        [studyZh, 'dark'],
    ]) {
        for (const view of [rolesStudy, distancesStudy, compareStudy])
            drawnWith(view, answers, t, theme);
    }
    const {table, page} = drawnWith(rolesStudy, answers, studyEn, 'light');
    assert.equal(
        table.rows.length,
        9 * 48,
        'eight roles of 48 heads, and the block score as published',
    );
    assert.equal(page.match(/role="gridcell"/g).length, 48);
    const heads = answers.roles.roles
        .find(({role: name}) => name === 'sep')
        .has.filter(Boolean).length;
    assert.equal(
        page.match(/class="hidden">L\d·H\d: [^<]*\[SEP\] \d/g)?.length ?? 0,
        heads,
        'the map names the heads that have the role',
    );
});
