/* The menu of models (models/index.json): every entry says in every language what it is good for, and
 * model/models.js draws that as headings; a menu without headings (headlight.html) is a plain list. And how far
 * the reader has come in the lessons, as kept between visits, however odd what is found there. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {h} from 'preact';
import {allWords, LANGUAGES} from '../../web/words/languages.js';
import {isFinished, keepPlace, readPlaces} from '../../web/lessons/places.js';
import {MenuOptions, nameOf} from '../../web/model/models.js';
import {createSources} from '../../web/session/sources.js';
import {defaults} from '../../web/state/state.js';
import {stateProblems} from './lib/lessons.mjs';

const menu = JSON.parse(readFileSync(new URL('../../models/index.json', import.meta.url)));

for (const {code} of LANGUAGES) {
    test(`${code}: each model stands under what it is good for, those of one group together`, async () => {
        const t = await allWords(code);
        for (const {id, group} of menu) assert.ok(group?.[code], id);
        const html = renderToString(h(MenuOptions, {t, menu}));
        const order = [...html.matchAll(/<option value="([^"]+)"/g)].map(([, id]) => id);
        assert.deepEqual(
            order,
            menu.map(({id}) => id),
            'entries of one group are neighbours in the file',
        );
        const labels = [...html.matchAll(/<optgroup label="([^"]+)"/g)].map(([, label]) => label);
        assert.equal(new Set(labels).size, labels.length);
        assert.equal(labels.length, new Set(menu.map(({group}) => group[code])).size);
    });
}

test('what a model shows when it is chosen is a state, and what comes back after it the page’s own', () => {
    const entries = menu.filter(({shows}) => shows);
    assert.deepEqual(
        entries.map(({id}) => id),
        ['mini-de-en'],
    );
    for (const {id, shows, back} of entries) {
        assert.deepEqual(stateProblems(shows, id), []);
        for (const name of Object.keys(back)) assert.equal(back[name], defaults[name], name);
        assert.equal(back.part, 'encoder', 'links of other models do not name it');
    }
});

test('a link that names mini3-en shows mini4-en, and the menu says so in every language', async () => {
    const sourceOf = createSources(menu, '');
    assert.equal(sourceOf('mini3-en').url, sourceOf('mini4-en').url);
    const entry = menu.find(({id}) => id === 'mini3-en');
    for (const {code} of LANGUAGES)
        assert.match(nameOf(entry, await allWords(code)), /mini3-en.*mini4-en/);
});

test('a menu without groups is a plain list', async () => {
    const t = await allWords('en');
    const plain = menu.map(({group: _, ...entry}) => entry);
    const html = renderToString(h(MenuOptions, {t, menu: plain}));
    assert.ok(!html.includes('optgroup'));
    assert.equal([...html.matchAll(/<option /g)].length, menu.length);
});

test('a lesson’s place: from its second step on; what is finished stays finished; what is odd is no place', () => {
    const kept = new Map();
    globalThis.localStorage = {
        getItem: name => kept.get(name) ?? null,
        setItem: (name, value) => kept.set(name, value),
    };
    keepPlace('six', 0, 7);
    assert.deepEqual(readPlaces(), {}, 'only opened');
    keepPlace('six', 2, 7);
    keepPlace('six', 1, 7);
    assert.deepEqual(readPlaces(), {six: [1, 7]});
    keepPlace('six', 6, 7);
    keepPlace('six', 0, 7);
    assert.deepEqual(readPlaces(), {six: [6, 7]});
    assert.ok(isFinished(readPlaces().six));

    const [name] = kept.keys();
    for (const odd of ['{"six":[7,7],"two":"x","three":[1.5,3]}', '[]', 'null', '7']) {
        kept.set(name, odd);
        assert.deepEqual(readPlaces(), {}, odd);
    }
    kept.set(name, '{');
    keepPlace('two', 1, 3);
    assert.deepEqual(readPlaces(), {two: [1, 3]}, 'what cannot be read is written anew');

    globalThis.localStorage = undefined;
    keepPlace('two', 2, 3);
    assert.deepEqual(
        readPlaces(),
        {two: [2, 3]},
        'where nothing may be kept: until the page is left',
    );
    delete globalThis.localStorage;
});
