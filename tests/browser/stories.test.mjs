/* The stories and figures of the articles (their list is STORIES), each told by a step of a lesson: its
 * link is opened, its number is read off the page and held against its bound, and what it is about is in the
 * window: at 1280 and 1440 px without scrolling, at 390 px within one swipe where there are two figures. Those that need
 * published models name the real ones; here a hub on this machine has a random checkpoint of their
 * layers and heads under that name, so that their links are followed to a number, whatever it is.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {HUB} from '../../web/base/model_names.js';
import {writeRandomModel} from '../bench/random_model.mjs';
import {startHub} from '../js/lib/hub.mjs';
import {isHere} from '../js/lib/lessons.mjs';
import {oneIn} from '../js/lib/sample.mjs';
import {startSite, until} from './page.mjs';
import {ARTICLES, go, isStory, linkOf, number, steps, tell, tellOnPhone} from './told.mjs';

/** The rows of the articles' stories; HUB of them name published models, and some of these a model that
 * comes with the page tells as well. */
const [STORIES, HUB_STORIES] = [36, 6];
const ofArticles = steps.filter(({lesson}) => ARTICLES.includes(lesson));

const VOCABULARY = [
    ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', '.', ','],
    ...new Set(
        steps.flatMap(({text = '', textB = ''}) => `${text} ${textB}`.match(/[\p{L}]+/gu) ?? []),
    ),
];
const folder = mkdtempSync(join(tmpdir(), 'headlight-stories-'));
let hub;
let site;
before(async () => {
    const shape = {layers: 12, heads: 12, hidden: 96, inner: 96, positions: 64};
    writeRandomModel(`${folder}/model`, {...shape, vocab: VOCABULARY.length}, 0.3);
    writeFileSync(`${folder}/model/vocab.txt`, VOCABULARY.join('\n'));
    writeFileSync(`${folder}/model/tokenizer_config.json`, '{"do_lower_case": false}');
    const files = Object.fromEntries(
        readdirSync(`${folder}/model`).map(name => [name, readFileSync(`${folder}/model/${name}`)]),
    );
    const named = [...new Set(steps.filter(({hub: one}) => one).map(({state}) => state.model))];
    hub = await startHub(Object.fromEntries(named.map(name => [name, {files}])));
    cpSync('build/out/site', `${folder}/site`, {recursive: true});
    for (const name of readdirSync(`${folder}/site`).filter(file => file.endsWith('.js'))) {
        const path = `${folder}/site/${name}`;
        const text = readFileSync(path, 'utf8');
        if (text.includes(HUB)) writeFileSync(path, text.replaceAll(HUB, hub.url));
    }
    site = await startSite(`${folder}/site`);
});
after(async () => {
    hub.close();
    await site.close();
    rmSync(folder, {recursive: true});
});

test('the articles’ stories are all there, each once a kind of model', () => {
    const told = published =>
        ofArticles
            .filter(({hub: one = false}) => one === published)
            .flatMap(({stories = []}) => stories);
    for (const list of [told(true), told(false)])
        assert.equal(new Set(list).size, list.length, 'one step a story');
    assert.equal(new Set([...told(true), ...told(false)]).size, STORIES);
    assert.equal(told(true).length, HUB_STORIES);
    assert.ok(told(false).length >= 30, 'on models that come with the page');
});

test('each lesson step of a model of the site opens by its link, shows a number within its bound, and its figure', async t => {
    const page = await site.open({hash: linkOf(steps[0]), width: 1440, height: 900});
    const ofSite = steps.filter(({seen, hub: published, check}) => seen && !published && !check);
    for (const step of oneIn(4, ofSite)) {
        if (!isHere(step)) {
            t.diagnostic(`${step.name}: ${step.state.model} is not here`);
            continue;
        }
        await tell(page, step);
        assert.equal(await page.locator('.problem').count(), 0, step.name);
    }
    await page.context().close();
});

test('on a phone the figure of a story and its pinned row are in sight; of two figures within one swipe', async () => {
    const page = await site.open({hash: linkOf(steps[0]), width: 390, height: 844});
    for (const step of oneIn(
        4,
        steps.filter(one => isStory(one) && !one.hub && isHere(one)),
    ))
        assert.ok((await tellOnPhone(page, step)) || step.state.beside, step.name);
    await page.context().close();
});

test('links to published models load them from the hub by name, and read their heads', async () => {
    const page = await site.open({hash: '#v=2&model=mini-en', width: 1400});
    for (const step of steps.filter(({hub: published}) => published)) {
        await go(page, linkOf(step));
        await number(page, step.name, Number.isFinite);
        const model = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('model');
        assert.equal(model ?? step.state.model, step.state.model);
        // The model before may have answered for the same text.
        await until(
            () => hub.requests.some(({path}) => path?.includes(step.state.model)),
            Boolean,
            `${step.name}: ${step.state.model} is asked for`,
        );
    }
    await page.context().close();
});

test('stories over a corpus open their study at its figure, and it says their number', async () => {
    const page = await site.open({hash: linkOf(steps[0]), width: 1440, height: 900});
    for (const step of ofArticles.filter(({page: read}) => read)) await tell(page, step);
    await page.context().close();
});
