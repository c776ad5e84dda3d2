#!/usr/bin/env node
/* make - writes version1.json: links, tags, frames and figure files as the version of November 2026
 * (bb77647) wrote them, each with what that version drew. It was run once, in a checkout of that
 * version after `make site` and with this folder put into it; it is kept to show where the record
 * comes from. Run anywhere else it would record what is true today and prove nothing: it refuses
 * where links have a version.
 */
import {readFile, writeFile} from 'node:fs/promises';
import {startSite, until} from '../browser/page.mjs';
import {figure} from '../browser/host.mjs';
import {ATTRIBUTES, readAttribute} from '../../web/core/attributes.js';
import {defaults, formatHash, parseHash, update} from '../../web/core/state.js';
import {SNIPPETS} from '../../web/ui/share/snippets.js';

const BASE = 'https://example.org/headlight/';   // where tags and frames say that the site lies

/** States, written as links by formatHash; and links as people type and cut them. */
const STATES = [
    {layer: 3}, {layer: 5, heads: [0, 3, 7]}, {layer: 0, heads: [6], token: 4, picked: [4]}, {text: 'Birds sing.', textB: ''},
    {text: 'a=b&c #100 % + ü 漢字 😀', textB: 'zweiter Satz'}, {textB: ''}, {lang: 'zh', layer: 2}, {lang: 'en', mix: 'rollout'},
    {mix: 'mean', level: 'words', specials: false}, {mix: 'layers', top: 40}, {filter: 'ab', oneBased: true, layer: 1},
    {picked: [2, 5], token: 5, side: 'key', layer: 4}, {masked: [2, 5], fillings: true, text: 'The cat sat on the mat.', textB: ''},
    {replaced: ['3:dog', '5:100%'], text: 'The cat sat on the mat.', textB: ''}, {model: 'mini-en-sst2', text: 'A dull film.', textB: ''},
    {model: 'mini-en', layer: 1, heads: [2]}, {precision: 'fine', layer: 2, heads: [5]}, {view: 'model'},
    {view: 'model', picture: 'heatmaps', keepLayers: [1, 2], keepHeads: [0, 2]}, {view: 'model', measure: 'sep', order: 'all', lang: 'zh'},
    {view: 'model', opened: '3.2'}, {view: 'neuron', layer: 0, heads: [6], picked: [3], token: 3}, {view: 'neuron', layer: 2, heads: [1], zeroed: ['2.1.5']},
    {view: 'steps', layer: 1, heads: [6], step: 3}, {view: 'steps', form: 'matrices', step: 5, layer: 4, heads: [0]},
    {view: 'find', from: 2, to: 4}, {view: 'find', mapColour: 'pattern', lang: 'zh'}, {view: 'change', off: ['0.1', '5.7'], masked: [3]},
    {view: 'change', replaced: ['2:house'], effects: true}, {tour: 2}, {desk: 'corpus'}, {desk: 'corpus', study: 'roles', tau: 2.5, correction: 'bh'},
    {desk: 'corpus', study: 'distances', corpus: 'pairs', settings: ['limit:20'], sd: 'sample', alpha: 0.01},
    {desk: 'corpus', study: 'patterns', otherModel: 'random', role: 'local', lang: 'zh'},
];
const TYPED = ['#layer=2', '#view=model&layer=x&heads=1,,2', '#text=Birds%20sing.&textB=&layer=1&text=second', '#heads=3,1,2&unknown=1', '#masked=3&specials=0&top=60',
    '#view=nothere&layer=1'];
const TAGS = [{layer: 0, heads: [6]}, {}, {text: 'Birds sing.', textB: '', layer: 4, heads: [1], theme: 'dark'}, {mix: 'rollout', text: 'Birds sing.', textB: ''},
    {model: 'mini-en-sst2', view: 'model', text: 'A dull film.', textB: ''}, {level: 'words', layer: 2, heads: [0, 3, 5], oneBased: true}];
const FRAMES = [{layer: 1, heads: [3], text: 'Birds sing.', textB: ''}, {view: 'steps', layer: 1, heads: [6], step: 3}];

const MENU = JSON.parse(await readFile('models/index.json', 'utf8'));
const resolved = state => ({...state, model: state.model || MENU[0].id});
/** What differs from the defaults of the record. */
const changes = state => Object.fromEntries(Object.entries(resolved(state))
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(resolved(defaults)[name])));

/** What the page says of its figure, and which tokens it shows. */
async function drawn(site, hash) {
    const page = await site.open({hash, ready: false});
    if (parseHash(hash).desk === 'corpus') {
        const radio = page.locator('input[name=study]:checked');
        await radio.waitFor({state: 'attached', timeout: 30000});
        const said = {study: await radio.getAttribute('value'), model: await page.locator('#study-model').inputValue()};
        await page.context().close();
        return said;
    }
    await page.waitForSelector('.below', {state: 'attached', timeout: 30000});
    await page.waitForTimeout(400);
    const said = await until(() => page.locator('#describe').textContent(), text => text.length > 0, `#describe of ${hash}`);
    const model = await page.locator('#model').inputValue();
    await page.context().close();
    return {model, said};
}

/** Attributes of a tag as the element reads them. */
const stateOfTag = html => {
    const attributes = new Map([.../<head-light([^>]*)>/.exec(html)[1].matchAll(/ ([\w-]+)="([^"]*)"/g)]
        .map(([, name, value]) => [name, value.replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n))]));
    return update(defaults, Object.fromEntries([...ATTRIBUTES].map(([name, row]) => [row.name, readAttribute(row, attributes.get(name) ?? null)])));
};

if (/\bv=/.test(formatHash(update(defaults, {layer: 1})))) throw new Error('this is no version 1: its links name a version');
const site = await startSite();
const links = [];
for (const hash of [...STATES.map(patch => formatHash(update(defaults, patch))), ...TYPED]) {
    links.push({hash, state: changes(parseHash(hash)), draws: await drawn(site, hash)});
    console.log(hash, JSON.stringify(links.at(-1).draws));
}
await site.close();
const tags = [];
for (const patch of TAGS) {
    // The picture inside is the reader's copy and not read again.
    const html = SNIPPETS.element(await figure(BASE, patch))[0].code.replace(/<svg.*<\/svg>\n/s, '');
    tags.push({html, state: changes(stateOfTag(html))});
}
const frames = [];
for (const patch of FRAMES) {
    const html = SNIPPETS.iframe(await figure(BASE, patch))[0].code;
    const hash = new URL(/src="([^"]*)"/.exec(html)[1].replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n))).hash;
    frames.push({html, state: changes(parseHash(hash.replace(/&?figure=[^&]*/, '')))});
}
const {figure: file} = await figure(BASE, {text: 'Birds sing.', textB: '', layer: 4, heads: [1]});
const rows = list => `[\n${list.map(row => `  ${JSON.stringify(row)}`).join(',\n')}\n ]`;
await writeFile('tests/compat/version1.json', `{\n "madeBy": "tests/compat/make.mjs at bb77647",\n "defaults": ${JSON.stringify(resolved(defaults))},\n${
    Object.entries({links, tags, frames, figures: [file]}).map(([name, list]) => ` "${name}": ${rows(list)}`).join(',\n')}\n}\n`);
