#!/usr/bin/env node
/* make - writes version2.json: links (v=2), tags (v=3), frames and figure files as this version of
 * the page writes them, each with what it means and what is drawn. It was run once, at 6c27068 after
 * `make site`, and is kept to show where the record comes from; version1.json was written in the same
 * way by what stood here before, at bb77647. Run where the versions are others it would record what
 * is true of those and prove nothing: it refuses. For a new version: STATES for what it brings, the
 * numbers below, a new name.
 */
import {readFile, writeFile} from 'node:fs/promises';
import {startSite, until} from '../browser/page.mjs';
import {figure} from '../browser/host.mjs';
import {ATTRIBUTES, attributesFor, readAttribute, tagDefaults} from '../../web/state/attributes.js';
import {defaults, formatHash, parseHash, update} from '../../web/state/state.js';
import {SNIPPETS} from '../../web/save/snippets.js';

const BASE = 'https://example.org/headlight/';   // where tags and frames say that the site lies
const CAT = {text: 'The cat sat on the mat.', textB: ''};
const HUB = 'google/bert_uncased_L-2_H-128_A-2';
const NEW = 'mini2-en';

/** States, written as links by formatHash; and links as people type and cut them. */
const STATES = [
    {model: NEW, layer: 3}, {model: NEW, layer: 5, heads: [0, 3, 7]}, {model: 'mini-en', layer: 0, heads: [6], token: 4, picked: [4]},
    {model: NEW, text: 'Birds sing.', textB: ''}, {model: NEW, text: 'a=b&c #100 % + ü 漢字 😀', textB: 'zweiter Satz'}, {model: 'mini-en', lang: 'zh', layer: 2, textB: ''},
    {model: NEW, lang: 'en', mix: 'rollout'}, {model: NEW, mix: 'mean', level: 'words', specials: false}, {model: 'mini-gpt-en', mix: 'layers', top: 40, first: false},
    {model: NEW, filter: 'ab', oneBased: true, layer: 1}, {model: NEW, picked: [2, 5], token: 5, side: 'key', layer: 4},
    {model: NEW, masked: [2, 5], fillings: true, ...CAT}, {model: NEW, replaced: ['1:a,b', '3:dog', '5:100%'], ...CAT}, {model: 'mini2-en-sst2', text: 'A dull film.', textB: ''},
    {model: 'mini2-en-pos', layer: 1, heads: [2]}, {model: 'minilm-en', text: 'A man eats.', textB: 'Someone is eating.'}, {model: NEW, precision: 'fine', layer: 2, heads: [5]},
    {model: 'mini-en-sst2', precision: 'int8', layer: 2}, {model: NEW, compareWith: 'mini2-en-sst2', heads: [2]}, {model: NEW, view: 'heatmap', compareWith: 'mini-en', layer: 2, heads: [1]},
    {model: NEW, beside: 'layer=3&heads=5', layer: 1}, {model: NEW, beside: 'text=Birds%20sing.&textB=', heads: [1]}, {model: NEW, beside: 'view=heatmap', layer: 2, heads: [4]},
    {model: NEW, beside: 'picked=3&token=3', picked: [5], token: 5, ...CAT}, {model: NEW, heading: 'Who looks at whom?', note: 'a, b & c', marks: ['2.3:its subject', '5.1:one, two: 100 %'], ...CAT, heads: [1]},
    {model: NEW, view: 'heatmap', layer: 3, heads: [2]}, {model: NEW, view: 'model'}, {model: NEW, view: 'model', picture: 'heatmaps', keepLayers: [1, 2], keepHeads: [0, 2]},
    {model: NEW, view: 'model', measure: 'sep', order: 'all', lang: 'zh', gridSpecials: false}, {model: 'mini-gpt-en', view: 'model', gridFirst: false}, {model: NEW, view: 'model', opened: '3.2'},
    {model: 'mini-en', view: 'neuron', heads: [6], picked: [3], token: 3}, {model: NEW, view: 'neuron', layer: 2, heads: [1], zeroed: ['2.1.5'], effects: true},
    {model: NEW, view: 'neuron', layer: 1, heads: [3], queries: [2, 5]}, {model: NEW, view: 'steps', layer: 1, heads: [6], step: 3}, {model: NEW, view: 'steps', form: 'matrices', step: 5, layer: 4, heads: [0]},
    {model: NEW, view: 'find', from: 2, to: 4}, {model: NEW, view: 'find', ask: 'previous', mapColour: 'pattern', lang: 'zh'}, {model: NEW, view: 'change', off: ['0.1', '5.7'], masked: [3]},
    {model: NEW, view: 'change', replaced: ['2:house']}, {model: NEW, view: 'change', without: 'positions', layer: 1, heads: [0]}, {model: NEW, view: 'change', without: 'types'},
    {model: NEW, swapped: [2, 5], layer: 2, heads: [3], ...CAT},
    ...['attention', 'patterns', 'stepwise', 'inside', 'specialised', 'explanation', 'causal', 'vig1', 'vig2', 'chapter', 'vector', 'heads'].map((lesson, i) => ({model: NEW, lesson, tour: i % 4})),
    {model: 'mini-en', tour: 2}, {model: NEW, desk: 'corpus'}, {model: NEW, desk: 'corpus', study: 'roles', tau: 2.5, alpha: 0.01, correction: 'bh', role: 'local'},
    {model: NEW, desk: 'corpus', study: 'distances', corpus: 'pairs', settings: ['limit:20'], sd: 'sample'}, {model: NEW, desk: 'corpus', study: 'patterns', otherModel: 'random', lang: 'zh'},
    {model: NEW, desk: 'corpus', study: 'parse', opened: '3.2'}, {model: NEW, desk: 'corpus', study: 'coref', corpus: 'pronouns'},
    {model: NEW, desk: 'corpus', study: 'probe', settings: ['epochs:2', 'dim:16']}, {model: NEW, desk: 'corpus', study: 'labels', corpus: 'pairs'},
    {model: NEW, desk: 'corpus', study: 'compare', otherModel: 'mini-en'}, {model: NEW, desk: 'corpus', study: 'claims', corpus: 'long'},
];
/** Not drawn: they are fetched from other hosts. */
const FOREIGN = [{model: HUB, layer: 1}, {model: `${HUB}@refs/pr/1`, view: 'model'}, {model: 'https://example.org/m/', heads: [1]}, {model: NEW, compareWith: HUB}];
const TYPED = ['#v=2&layer=2', '#v=2&view=model&layer=x&heads=1,,2', '#v=2&text=Birds%20sing.&textB=&layer=1&text=second', '#heads=3,1,2&unknown=1&v=2', '#v=2&masked=3&specials=0&top=60&model=mini-en',
    '#v=2&view=nothere&layer=1', '#v=2&lesson=stepwise&step=2', '#v=2&model=../x&layer=2', '#v=2&swapped=5,2&without=both&zeroed=1.2'];
const TAGS = [{layer: 0, heads: [6]}, {}, {text: 'Birds sing.', textB: '', layer: 4, heads: [1], theme: 'dark'}, {mix: 'rollout', ...CAT},
    {model: NEW, view: 'model', text: 'A dull film.', textB: '', measure: 'sep', order: 'layer'}, {model: NEW, level: 'words', layer: 2, heads: [0, 3, 5], oneBased: true},
    {model: NEW, text: 'It <b>is</b> "so" & `{{x}}`.', textB: 'so', filter: 'ba'}, {model: NEW, view: 'heatmap', layer: 1, heads: [2], specials: false}, {model: NEW, view: 'neuron', layer: 2, heads: [1], zeroed: ['2.1.5']},
    {model: NEW, view: 'steps', form: 'matrices', step: 5}, {model: NEW, view: 'find', ask: 'sep'}, {model: NEW, view: 'find', from: 1, to: 2, mapColour: 'pattern'},
    {model: NEW, view: 'change', off: ['0.1'], masked: [3], ...CAT}, {model: NEW, swapped: [1, 2], without: 'types', ...CAT}, {model: NEW, replaced: ['3:a,b:c'], ...CAT},
    {model: NEW, beside: 'layer=3&heads=5', layer: 1}, {model: NEW, heading: 'One', note: 'two', marks: ['2.3:its subject']}, {model: HUB, layer: 1}, {model: 'https://example.org/m/', precision: 'int8'},
    {model: 'mini-gpt-en', first: false, top: 40, picked: [1, 2], token: 2, side: 'key'}];
const WITH_FIGURE = 4;   // of the tags, the first ones; the weights of the others would say the same
const FRAMES = [{layer: 1, heads: [3], text: 'Birds sing.', textB: ''}, {model: NEW, view: 'steps', layer: 1, heads: [6], step: 3}];

const MENU = JSON.parse(await readFile('models/index.json', 'utf8'));
const resolved = state => ({...state, model: state.model || MENU[0].id});
/** What differs from the defaults of the record. */
const changes = state => Object.fromEntries(Object.entries(resolved(state))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(resolved(defaults)[name])));

/** What the page says of its figure, and of which model; of a study, which it is. What a lesson shows is its own affair. */
async function drawn(site, hash) {
    const page = await site.open({blank: true}), {desk, lesson} = parseHash(hash);
    await page.goto(site.url + hash);
    try {
        if (desk === 'corpus') {
            const radio = page.locator('input[name=study]:checked');
            await radio.waitFor({state: 'attached', timeout: 30000});
            return {study: await radio.getAttribute('value'), model: await page.locator('#study-model').inputValue()};
        }
        await page.waitForSelector('.below', {state: 'attached', timeout: 30000});
        if (lesson) return {lesson: await until(async () => /^.* \d+ of \d/.exec(await page.locator('.lesson').first().textContent())?.[0], Boolean, hash)};
        const figures = hash.includes('beside=') || hash.includes('compareWith=') ? 2 : 1;
        let before;
        const said = await until(async () => {
            await page.waitForTimeout(500);
            return page.locator('[id^=describe]').allTextContents();
        }, now => now.length === figures && now.every(text => text.length > 0) && String(now) === before || !(before = String(now)), `#describe of ${hash}`, 30000);
        return {model: await page.locator('#model').inputValue(), said: said.join(' | ')};
    } finally {
        await page.context().close();
    }
}

/** Attributes of a tag as the element reads them. */
const stateOfTag = html => {
    const attributes = new Map([.../<head-light([^>]*)>/.exec(html)[1].matchAll(/ ([\w-]+)="([^"]*)"/g)]
        .map(([, name, value]) => [name, value.replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n))]));
    const byDefault = tagDefaults(attributes.get('v'));
    return update(byDefault, Object.fromEntries([...ATTRIBUTES].map(([name, row]) => [row.name, readAttribute(row, attributes.get(name) ?? null, byDefault)])));
};

if (!formatHash(defaults).startsWith('#v=2') || attributesFor(defaults)[0][1] !== '3') throw new Error('these are not version 2 of links and version 3 of tags');
const site = await startSite();
const links = [];
for (const hash of [...[...STATES, ...FOREIGN].map(patch => formatHash(update(defaults, patch))), ...TYPED]) {
    const foreign = /example|google/.test(hash);
    links.push({hash, state: changes(parseHash(hash)), ...!foreign && {draws: await drawn(site, hash)}});
    console.log(hash, JSON.stringify(links.at(-1).draws));
}
await site.close();
const tags = [];
for (const [i, patch] of TAGS.entries()) {
    // The picture inside is the reader's copy and not read again.
    const html = SNIPPETS.element(await figure(BASE, patch))[0].code.replace(/<svg.*<\/svg>\n/s, '');
    tags.push({html: i < WITH_FIGURE ? html : html.replace(/<script type="application\/json">.*?<\/script>\n/s, ''), state: changes(stateOfTag(html))});
}
const frames = [];
for (const patch of FRAMES) {
    const html = SNIPPETS.iframe(await figure(BASE, patch))[0].code;
    const hash = new URL(/src="([^"]*)"/.exec(html)[1].replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n))).hash;
    frames.push({html, state: changes(parseHash(hash.replace(/&?figure=[^&]*/, '')))});
}
const {figure: file} = await figure(BASE, {text: 'Birds sing.', textB: '', layer: 4, heads: [1]});
const rows = list => `[\n${list.map(row => `  ${JSON.stringify(row)}`).join(',\n')}\n ]`;
await writeFile('tests/compat/version2.json', `{\n "madeBy": "tests/compat/make.mjs at 6c27068",\n "defaults": ${JSON.stringify(resolved(defaults))},\n "tagDefaults": ${JSON.stringify(changes(tagDefaults('3')))},\n${
    Object.entries({links, tags, frames, figures: [file]}).map(([name, list]) => ` "${name}": ${rows(list)}`).join(',\n')}\n}\n`);
