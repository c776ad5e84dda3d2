/* Runs of studies on the page (studies/runs.js) with studies that answer at once: which results
 * stand side by side, which are closed, and what is asked anew. Time is node's mock clock.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {defaults} from '../../web/state/state.js';
import {createRuns, otherOf} from '../../web/studies/runs.js';

const model = {layers: 1, heads: 1};
const corpus = name => ({name, bytes: new Uint8Array(0), options: {}, about: {items: 3}});

/** The page around the runs. */
function setUp(t) {
    t.mock.timers.enable({apis: ['setTimeout']});
    const handles = [];
    const studies = {
        async run() {
            const handle = {
                model,
                workers: 1,
                asked: [],
                closed: false,
                answer: async ask => handle.asked.push(ask),
                close: () => (handle.closed = true),
            };
            handles.push(handle);
            return handle;
        },
    };
    let state = {...defaults, study: 'roles'};
    let shown = {corpus: null, results: [], said: 0};
    const runs = createRuns(
        {
            studies,
            store: {get: () => state},
            session: {get: () => ({progress: null}), source: () => ({url: 'https://host/m/'})},
            menu: [],
            sourceOf: () => null,
        },
        {get: () => shown, show: patch => (shown = {...shown, ...patch})},
    );
    return {
        handles,
        runs,
        get: () => shown,
        set: patch => (state = {...state, ...patch}),
        run(held, extra = {}) {
            shown = {...shown, corpus: held};
            return runs.run(extra);
        },
        /** What is due is asked and answered. */
        async settle() {
            t.mock.timers.tick(1000);
            await new Promise(setImmediate);
        },
    };
}

test('a new result takes the place of the same study on the same corpus, which is closed', async t => {
    const page = setUp(t);
    const [one, two] = [corpus('one'), corpus('two')];
    await page.run(one);
    await page.run(two);
    assert.deepEqual(
        page.get().results.map(({held}) => held.name),
        ['two', 'one'],
        'two corpora stand side by side',
    );
    await page.run(one);
    assert.deepEqual(
        page.get().results.map(({held}) => held.name),
        ['one', 'two'],
    );
    assert.deepEqual(
        page.handles.map(({closed}) => closed),
        [true, false, false],
    );
    assert.equal(page.get().said, 3);
});

test('eight results are kept; the oldest is closed when there are more', async t => {
    const page = setUp(t);
    for (let i = 0; i < 10; i++) await page.run(corpus(`corpus ${i}`));
    assert.equal(page.get().results.length, 8);
    assert.deepEqual(
        page.handles.map(({closed}) => closed),
        Array.from({length: 10}, (_, i) => i < 2),
    );
});

test('a threshold or what a view adds is asked once, of the study that is shown', async t => {
    const page = setUp(t);
    await page.run(corpus('one'));
    const [{asked}] = page.handles;
    assert.equal(asked.length, 1);
    page.runs.refresh();
    await page.settle();
    assert.equal(asked.length, 1, 'nothing is new');

    page.runs.ask(page.get().results[0], {clusters: 5});
    await page.settle();
    assert.equal(asked.length, 2);
    assert.equal(asked[1].clusters, 5);
    page.runs.refresh();
    await page.settle();
    assert.equal(asked.length, 2, 'what was added is not new again');

    page.set({tau: 2});
    page.runs.refresh();
    page.runs.refresh(); // soon after one another: one question
    await page.settle();
    assert.equal(asked.length, 3);
    assert.deepEqual([asked[2].tau, asked[2].clusters], [2, 5]);

    page.set({tau: 4, study: 'distances'});
    page.runs.refresh();
    await page.settle();
    assert.equal(asked.length, 3, 'another study is shown');
});

test('a model is compared with what was made from it, by its name, unless another is chosen', () => {
    const sourceOf = id => sources[id];
    const sources = Object.fromEntries(
        ['one', 'two', 'two-tuned', 'one-tuned'].map(id => [id, {url: id}]),
    );
    const menu = Object.keys(sources).map(id => ({id}));
    const other = (shown, otherModel = '') =>
        otherOf(
            {...defaults, study: 'compare', otherModel},
            {menu, sourceOf, session: {source: () => shown}},
            null,
        );
    assert.equal(other(sources.one), sources['one-tuned']);
    assert.equal(other(sources['two-tuned']), sources.two);
    assert.equal(other({url: 'elsewhere'}), sources.one);
    assert.equal(other(sources.one, 'two'), sources.two);
});
