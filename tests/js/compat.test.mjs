/* What has been published stays readable (tests/compat): links, tags, frames and figure files without
 * `v` (version1.json), links of v=2 and tags of v=3 (version2.json), and both of v=4 (version4.json)
 * mean what they meant, whatever the defaults are today; new ones say their version and their model. The pictures themselves are
 * tests/browser/compat.test.mjs.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {ATTRIBUTES, attributesFor, readAttribute} from '../../web/state/attributes.js';
import {isModel, placeOf} from '../../web/base/model_names.js';
import {decodeFigure} from '../../web/files/precomputed.js';
import {encodeFigure} from '../../web/files/precomputed_write.js';
import {
    defaults,
    defaultsOf,
    FIELDS,
    formatHash,
    parseHash,
    refusedModel,
    update,
} from '../../web/state/state.js';
import {createStore, readEmbed} from '../../web/state/store.js';
import {version1} from '../../web/state/version1.js';
import {LESSONS} from '../../web/lessons/list.js';
import {SNIPPETS} from '../../web/save/snippets.js';
import {agree} from '../../web/session/session.js';
import {createSources} from '../../web/session/sources.js';
import {views} from '../../web/views/index.js';
import {studies} from '../../web/views/study/index.js';
import {lessons} from './lib/lessons.mjs';
import {root} from './lib/model.mjs';

const [record, second, fourth] = [1, 2, 4].map(version =>
    JSON.parse(readFileSync(`${root}tests/compat/version${version}.json`, 'utf8')),
);
const menu = JSON.parse(readFileSync(`${root}models/index.json`, 'utf8'));
const PAGE = 'https://blog.example/posts/a.html';

/** The old fields of a state: a newer version may have more. */
const old = (state, {defaults: fields} = record) =>
    Object.fromEntries(Object.keys(fields).map(name => [name, state[name]]));
const decoded = value => value.replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n));
const attributesOf = html =>
    new Map(
        [.../<head-light([^>]*)>/.exec(html)[1].matchAll(/ ([\w-]+)="([^"]*)"/g)].map(
            ([, name, value]) => [name, decoded(value)],
        ),
    );

/** A tag as the element reads it. */
const stateOfTag = attributes => {
    const byDefault = defaultsOf(attributes.get('v'));
    return update(
        byDefault,
        Object.fromEntries(
            [...ATTRIBUTES].map(([name, row]) => [
                row.name,
                readAttribute(row, attributes.get(name) ?? null, byDefault, PAGE),
            ]),
        ),
    );
};

/** Fields of links; of the state before, part has come into them since. */
const IN_LINKS = FIELDS.filter(({name, inUrl}) => inUrl && name !== 'part').map(({name}) => name);

test('the record has 40 links over all views, both languages and the corpus desk', () => {
    assert.equal(record.links.length, 40);
    const states = record.links.map(({state}) => ({...record.defaults, ...state}));
    for (const view of ['head', 'model', 'neuron', 'steps', 'find', 'change'])
        assert.ok(
            states.some(state => state.view === view),
            view,
        );
    for (const name of IN_LINKS) {
        if (!Object.hasOwn(record.defaults, name) || name === 'model') continue;
        assert.ok(
            record.links.some(({state}) => Object.hasOwn(state, name)),
            `a link with ${name}`,
        );
    }
});

test('the frozen table is what the version before had', () => {
    assert.deepEqual({...version1}, record.defaults);
    assert.ok(Object.isFrozen(version1.heads));
    assert.deepEqual(old(defaultsOf(null)), record.defaults);
    for (const version of ['1', '', 'x', '-2', '1.5', '99999'])
        assert.equal(defaultsOf(version), defaultsOf(null), version);
    for (const version of ['5', '9999']) assert.equal(defaultsOf(version), defaults, version);
    const before = ['2', '3'].map(version => old(defaultsOf(version), second));
    assert.deepEqual(before[0], second.defaults);
    assert.deepEqual(before[1], {...second.defaults, ...second.tagDefaults});
    assert.notEqual(defaults.text, second.defaults.text, 'another text begins today');
    assert.deepEqual(old(defaultsOf('4'), fourth), fourth.defaults);
    assert.notEqual(menu[0].id, fourth.defaults.model, 'another model is the first today');
    for (const {model = 'mini-en'} of record.links.map(({state}) => state))
        assert.ok(
            menu.some(({id}) => id === model),
            `${model} is in the menu`,
        );
    assert.equal(
        JSON.parse(readFileSync(`${root}corpora/index.json`, 'utf8'))[0].id,
        'sentences',
        'what corpus "" means: see version1.js',
    );
});

test('the record of links of v=2 and tags of v=3 has all views, studies, lessons and fields', () => {
    assert.ok(second.links.length >= 40 && second.tags.length >= 20);
    const has = (list, name, value) =>
        assert.ok(
            list.some(({state}) => ({...second.defaults, ...state})[name] === value),
            `${name} ${value}`,
        );
    const later = ['next', 'decides', 'why']; // than the record
    for (const {id} of views) if (!later.includes(id)) has(second.links, 'view', id);
    const laterStudies = ['ask', 'importance', 'induction'];
    for (const {id} of studies.slice(1))
        if (!laterStudies.includes(id)) has(second.links, 'study', id);
    for (const {id} of LESSONS) if (id !== 'cross') has(second.links, 'lesson', id);
    for (const name of IN_LINKS.filter(name => Object.hasOwn(second.defaults, name)))
        assert.ok(
            second.links.some(({state}) => Object.hasOwn(state, name)),
            `a link with ${name}`,
        );
});

for (const of of [record, second, fourth]) {
    for (const {hash, state} of of.links) {
        test(`${hash.slice(0, 80)} means what it meant`, () => {
            const read = parseHash(hash);
            assert.deepEqual(old(read, of), {...of.defaults, ...state});
            assert.deepEqual(parseHash(formatHash(read)), read, 'and is written anew as the same');
        });
    }

    for (const {html, state} of of.tags) {
        test(`${/<head-light[^>]*>/.exec(html)[0].slice(0, 80)} means what it meant, its figure too`, () => {
            assert.deepEqual(old(stateOfTag(attributesOf(html)), of), {...of.defaults, ...state});
            const json = /<script type="application\/json">(.*?)<\/script>/s.exec(html)?.[1];
            if (of === record) assert.equal(json !== undefined, (state.view ?? 'head') === 'head');
            if (json) assert.ok(decodeFigure(json).tensors.size >= 1);
        });
    }

    for (const {html, state} of of.frames) {
        test(`a frame of ${JSON.stringify(state).slice(0, 60)} means what it meant`, () => {
            const address = new URL(decoded(/src="([^"]*)"/.exec(html)[1]));
            const {figure, state: read} = readEmbed({location: {hash: address.hash}});
            assert.deepEqual(old(read, of), {...of.defaults, ...state});
            if ((state.view ?? 'head') !== 'head') return;
            const {name} = decodeFigure(Buffer.from(figure, 'base64url').toString());
            assert.equal(name, 'mini-en');
        });
    }
}

test('lessons of links are there, and have the step', () => {
    for (const {lesson, tour = 0} of [...second.links, ...fourth.links].map(({state}) => state))
        if (lesson) assert.ok(tour < lessons[lesson].steps.length, `${lesson} ${tour}`);
});

test('a figure file is read, with the weights that it had', () => {
    const newer = decodeFigure(JSON.stringify(second.figures[0]));
    assert.deepEqual([newer.name, newer.pass.texts[0]], ['mini-en', 'Birds sing.']);
    const {tensors, pass, name, id} = decodeFigure(JSON.stringify(record.figures[0]));
    assert.deepEqual([name, id, pass.texts[0]], ['mini-en', '', 'Birds sing.']);
    assert.deepEqual(newer.tensors.get('attention.4').shape, [8, 5, 5]);
    const {data, shape} = tensors.get('attention.4');
    assert.deepEqual(shape, [8, 5, 5]);
    const sums = Array.from({length: 40}, (_, row) =>
        data.subarray(row * 5, row * 5 + 5).reduce((a, b) => a + b),
    );
    assert.ok(sums.every(sum => Math.abs(sum - 1) < 1e-5));
    assert.equal(
        Buffer.from(data.map(weight => Math.round(255 * weight)))
            .toString('base64')
            .slice(0, 12),
        Buffer.from(record.figures[0].weights['attention.4'].u8, 'base64')
            .map(x => x)
            .toString('base64')
            .slice(0, 12),
    );
});

test('what is written now says v=5 and names its model: link, tag, frame, figure', () => {
    const state = update(defaults, {model: 'mini-en', layer: 3});
    assert.equal(formatHash(state), '#v=5&model=mini-en&layer=3');
    assert.deepEqual(attributesFor(state), [
        ['v', '5'],
        ['model', 'mini-en'],
        ['layer', '3'],
    ]);
    assert.deepEqual(old(stateOfTag(new Map(attributesFor(state)))), old(state));
    const figure = encodeFigure({
        model: {layers: 1, heads: 1, special: {mask: 4}},
        pass: {tokens: [], texts: []},
        tensors: [],
        id: 'mini-en',
        name: 'mini-en, English',
        bytes: 1,
    });
    assert.deepEqual([figure.v, figure.model.id], [2, 'mini-en']);
    const parts = {
        base: 'https://x.org/',
        state,
        title: 't',
        file: 'a.svg',
        svg: '<svg height="1">',
        rows: 0,
        figure,
    };
    for (const kind of Object.keys(SNIPPETS).filter(name => !['html', 'lesson'].includes(name))) {
        const [{code}] = SNIPPETS[kind](parts);
        assert.match(
            decoded(code).replaceAll('\\"', '"'),
            /[#?& ]v="?5"?[ &].*model="?mini-en/s,
            kind,
        );
    }
});

test('other defaults change no old link: the defaults of today are not asked for it', () => {
    for (const version of [2, 3, 4])
        assert.equal(parseHash(`#v=${version}&layer=3`).model, 'mini2-en', 'their menu’s first');
    assert.equal(parseHash('#v=5&layer=3').model, '', 'the first of the menu');
    assert.equal(parseHash('#layer=3').model, 'mini-en');
    assert.deepEqual(
        parseHash('#v=7&layer=3&news=1'),
        parseHash('#v=5&layer=3'),
        'a newer link is read as far as it goes',
    );
    for (const [hash, only, model] of [
        ['#layer=3', ['own'], ''],
        ['#v=4&layer=3', ['own', 'mini-en'], ''],
        ['#layer=3', ['own', 'mini-en'], 'mini-en'],
        ['#v=4&layer=3', ['mini2-en', 'mini-en'], 'mini2-en'],
        ['#v=2&model=named&layer=3', ['own'], 'named'],
    ])
        assert.equal(
            parseHash(hash, defaults, only).model,
            model,
            `${hash}: the page that is one file has its own models`,
        );
});

const browserOf = hash => ({
    location: {hash, pathname: '/', search: '', href: `https://host/${hash}`},
    history: {},
    addEventListener() {},
    removeEventListener() {},
});

test('the page names the model that comes first, and leaves the address alone for it', t => {
    t.mock.timers.enable({apis: ['setTimeout']});
    const store = createStore({browser: browserOf('')});
    assert.equal(store.get().model, '');
    store.setFirst('newest');
    // history is empty: a write would throw and be swallowed, so look at the link
    t.mock.timers.tick(1000);
    assert.equal(store.link(), 'https://host/#v=5&model=newest');
    const linked = createStore({browser: browserOf('#layer=2')});
    linked.setFirst('newest');
    assert.equal(linked.get().model, 'mini-en', 'an old link is of the old model');
    const alone = createStore({browser: browserOf('#layer=2'), only: ['of-the-page']});
    alone.setFirst('of-the-page');
    assert.equal(alone.get().model, 'of-the-page');
});

test('names of models: ids, the hub, addresses; folders are none', () => {
    for (const good of [
        '',
        'mini-en',
        'a.b_c-1',
        '...',
        'google/bert_uncased_L-2_H-128_A-2',
        'org/name@v1.0',
        'org/name@refs/pr/1',
        'https://example.org/m/',
        'http://localhost:8000',
    ]) {
        assert.ok(isModel(good), good);
    }
    for (const bad of [
        '.',
        '..',
        '../x',
        './x',
        'x/..',
        'a/b/c',
        'a/',
        '/a',
        'a b',
        'org/name@',
        'org/name@../..',
        'javascript:alert(1)',
        'https://',
        'https://user@host/',
        'https://a b',
        'file:///etc/passwd',
        '<b>',
        'a'.repeat(65),
        `https://x/${'a'.repeat(3000)}`,
        5,
        null,
        ['a'],
    ]) {
        assert.ok(!isModel(bad), String(bad));
    }
    for (const bad of ['.', '..', 'a/b/c']) {
        assert.equal(refusedModel(`#v=2&text=kept&model=${encodeURIComponent(bad)}`), bad);
        assert.deepEqual(
            [parseHash(`#model=${bad}&text=kept`).model, parseHash(`#model=${bad}&text=kept`).text],
            ['mini-en', 'kept'],
        );
    }
    assert.equal(refusedModel('#layer=2'), '');
    assert.equal(placeOf('mini-en'), null);
    for (const [text, hub] of [
        ['org/name', 'org/name'],
        ['org/name@refs/pr/1', 'org/name@refs/pr/1'],
        ['https://huggingface.co/org/name', 'org/name'],
        ['https://huggingface.co/org/name/', 'org/name'],
        ['https://huggingface.co/org/name/tree/main', 'org/name'],
        ['https://huggingface.co/org/name/tree/refs%2Fpr%2F1', 'org/name@refs/pr/1'],
        ['https://huggingface.co/org/name/resolve/v1/config.json', 'org/name@v1'],
    ]) {
        assert.deepEqual(placeOf(text), {hub}, text);
    }
    for (const url of [
        'https://huggingface.co/org',
        'https://huggingface.co/datasets/org/name',
        'https://huggingface.co/org/name/discussions/1',
        'https://huggingface.co/org/name/tree/%zz',
        'https://huggingface.co.evil.org/org/name',
    ]) {
        assert.deepEqual(placeOf(url), {url});
    }
    const sourceOf = createSources(menu, 'mini-en', {whole: url => `https://site/${url}`});
    assert.equal(sourceOf('mini-en').url, 'https://site/models/mini-en/');
    assert.equal(sourceOf('mini-en').most, undefined, 'the site’s own are not asked about');
    assert.equal(sourceOf(''), sourceOf(menu[0].id));
    assert.deepEqual(sourceOf('org/name'), {hub: 'org/name', most: 50e6, foreign: false});
    const other = {url: 'https://x.org/m/', most: 50e6, foreign: true};
    assert.deepEqual(sourceOf('https://x.org/m/'), other);
    agree(sourceOf('https://x.org/m/'), {host: 'x.org'});
    assert.deepEqual(sourceOf('https://x.org/m/'), {...other, foreign: false});
    agree(sourceOf('https://x.org/m/'), {bytes: 6e7});
    assert.equal(sourceOf('https://x.org/m/').most, Infinity);
    assert.deepEqual(createSources(menu, 'mini-en', {asks: false})('org/name'), {hub: 'org/name'});
});

test('a tag’s model: in version 1 all that is no id is an address; since then org/name is the hub’s', () => {
    const read = (value, version) =>
        stateOfTag(new Map([['model', value], ...(version ? [['v', version]] : [])])).model;
    assert.equal(read('../models/x/'), 'https://blog.example/models/x/');
    assert.equal(read('models/x/'), 'https://blog.example/posts/models/x/');
    assert.equal(read('models/x', '2'), 'models/x');
    assert.equal(read('./models/x/', '2'), 'https://blog.example/posts/models/x/');
    assert.equal(read('/models/x/', '2'), 'https://blog.example/models/x/');
    assert.equal(read('https://x.org/m/', '2'), 'https://x.org/m/');
    for (const bad of ['..', '.', 'javascript:alert(1)']) assert.equal(read(bad), 'mini-en', bad);
});

test('a figure that is no object anywhere is refused with a sentence', () => {
    const [good] = record.figures;
    for (const change of [
        {model: null},
        {model: 5},
        {weights: null},
        {weights: 'x'},
        {tokens: null},
        {texts: null},
        {model: {...good.model, id: 5}},
    ]) {
        assert.throws(
            () => decodeFigure(JSON.stringify({...good, ...change})),
            /^(?!TypeError).*cannot be read \(\w+\); make it anew/s,
            JSON.stringify(change),
        );
    }
});
