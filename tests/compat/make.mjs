#!/usr/bin/env node
/* make - writes version4.json: links and tags (v=4), frames and figure files as this version of the
 * page writes them, each with what it means and what is drawn. It was run once, at 129b38d1 after
 * `make site`, and is kept to show where the record comes from; version1.json and version2.json were
 * written in the same way by what stood here before, at bb77647 and 6c27068. Run where the versions
 * are others it would record what is true of those and prove nothing: it refuses. For a new version:
 * STATES for what it brings, the numbers below, a new name.
 */
import {readFile, writeFile} from 'node:fs/promises';
import {startSite, until} from '../browser/page.mjs';
import {figure} from '../browser/host.mjs';
import {ATTRIBUTES, attributesFor, readAttribute} from '../../web/state/attributes.js';
import {defaults, defaultsOf, formatHash, parseHash, update} from '../../web/state/state.js';
import {SNIPPETS} from '../../web/save/snippets.js';

const BASE = 'https://example.org/headlight/';   // where tags and frames say that the site lies
const CAT = {text: 'The cat sat on the mat.', textB: ''};
const HUB = 'google/bert_uncased_L-2_H-128_A-2';
const NEW = 'mini2-en';

/** States, written as links by formatHash; and links as people type and cut them. Most name no model. */
const STATES = [
    {}, {layer: 2, heads: [1], picked: [10], token: 10}, {layer: 3, heads: [1], ...CAT}, {model: NEW, layer: 3}, {model: 'mini4-en', layer: 2, heads: [1]}, {model: 'mini-en', heads: [6]},
    {view: 'model'}, {view: 'heatmap', layer: 2, heads: [1], show: 'moved'}, {view: 'neuron', layer: 2, heads: [1], picked: [10], token: 10}, {view: 'steps', layer: 1, heads: [8], step: 2},
    {view: 'find', ask: 'previous'}, {view: 'change', off: ['2.1']}, {view: 'change', masked: [2]}, {view: 'decides', token: 10, masked: [2]}, {view: 'decides', token: 10, masked: [2], patch: "The dog didn't cross the street because it was too tired."},
    {view: 'why', layer: 2, heads: [1], picked: [10], token: 10, side: 'query'}, {model: 'mini-gpt-en', view: 'next', token: 3}, {model: 'mini-gpt-en', view: 'next', lens: true, written: '5.7', ...CAT},
    {compareWith: 'mini-en', heads: [2]}, {beside: 'layer=3&heads=5', layer: 1}, {precision: 'fine', layer: 2, heads: [5]}, {lang: 'zh', layer: 1, heads: [8]}, {show: 'moved', layer: 2, heads: [1]},
    {lesson: 'patterns', tour: 1}, {lesson: 'vector', tour: 0}, {desk: 'corpus'}, {desk: 'corpus', study: 'ask', asked: 'word=it'}, {desk: 'corpus', study: 'importance', corpus: 'texts'},
    {desk: 'corpus', study: 'induction', corpus: 'pairs'},
];
/** Not drawn: they are fetched from other hosts. */
const FOREIGN = [{model: HUB, layer: 1}];
const TYPED = ['#v=4', '#v=4&layer=2', '#heads=1&layer=2&v=4&unknown=1', '#v=4&text=Birds%20sing.&layer=1&text=second', '#v=4&lesson=patterns&step=0', '#v=4&model=../x&layer=2'];
const TAGS = [{layer: 2, heads: [1]}, {}, {model: NEW, view: 'model'}, {model: 'mini4-en', layer: 2, heads: [1], show: 'moved'}, {view: 'decides', token: 10, masked: [2]}, {view: 'why', layer: 2, heads: [1], picked: [10], token: 10},
    {...CAT, layer: 3, heads: [1]}, {textB: 'so', filter: 'ab'}];
const WITH_FIGURE = 1;   // of the tags, the first ones; the weights of the others would say the same
const FRAMES = [{layer: 1, heads: [3], text: 'Birds sing.'}, {model: NEW, view: 'steps', layer: 1, heads: [6], step: 3}];

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
    const byDefault = defaultsOf(attributes.get('v'));
    return update(byDefault, Object.fromEntries([...ATTRIBUTES].map(([name, row]) => [row.name, readAttribute(row, attributes.get(name) ?? null, byDefault)])));
};

if (!formatHash(defaults).startsWith('#v=4') || attributesFor(defaults)[0][1] !== '4') throw new Error('these are not version 4 of links and tags');
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
await writeFile('tests/compat/version4.json', `{\n "madeBy": "tests/compat/make.mjs at 129b38d1",\n "defaults": ${JSON.stringify(resolved(defaults))},\n ${
    Object.entries({links, tags, frames, figures: [file]}).map(([name, list]) => ` "${name}": ${rows(list)}`).join(',\n')}\n}\n`);
