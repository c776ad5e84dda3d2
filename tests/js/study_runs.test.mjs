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
    const jobs = [];
    const made = () => {
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
    };
    const studies = {
        async run({options}) {
            jobs.push(options);
            return made();
        },
    };
    /** What an index has so far is shown when the test says so, and the whole, unless it is cancelled. */
    const indexing = {
        run: ({onPart, signal}) =>
            new Promise((whole, fail) => {
                signal.addEventListener('abort', () => fail(new Error('cancelled')));
                jobs.push({part: onPart && (() => onPart(made())), whole: () => whole(made())});
            }),
    };
    let state = {...defaults, study: 'roles'};
    let shown = {corpus: null, results: [], said: 0};
    const runs = createRuns(
        {
            studies,
            indexing,
            store: {get: () => state},
            session: {get: () => ({progress: null}), source: () => ({url: 'https://host/m/'})},
            menu: [],
            sourceOf: () => null,
        },
        {get: () => shown, show: patch => (shown = {...shown, ...patch})},
    );
    return {
        handles,
        jobs,
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

test('what is asked while an answer is under way is answered after it', async t => {
    const page = setUp(t);
    await page.run(corpus('one'));
    const [handle] = page.handles;
    const answers = [];
    handle.answer = ({tau}) => new Promise(done => answers.push(() => done(tau)));
    for (const tau of [2, 4]) {
        page.set({tau});
        page.runs.refresh();
        await page.settle();
    }
    for (const answer of answers.splice(0)) {
        answer();
        await page.settle();
    }
    assert.equal(page.get().results[0].answer, 4);
});

test('an index that is still built answers for what there is; one that is cancelled stays marked', async t => {
    const page = setUp(t);
    const held = corpus('one');
    const kinds = () => page.get().results.map(({isPart}) => Boolean(isPart));
    const begin = async () => {
        const {length} = page.jobs;
        page.run(held);
        while (page.jobs.length === length) await page.settle(); // until its view has been fetched
        return page.jobs.at(-1);
    };
    page.set({study: 'ask', asked: 'find word=it'});
    const first = await begin();
    first.part();
    await page.settle();
    assert.deepEqual(kinds(), [true]);
    page.set({asked: 'find word=that'});
    first.part();
    page.set({asked: 'find word=this'});
    await page.settle();
    await page.settle();
    assert.equal(page.handles.at(-1).asked.at(-1).word, 'this', 'what is asked now, not then');
    page.runs.cancel();
    await page.settle();
    assert.deepEqual([kinds(), page.get().running], [[true], null]);
    const second = await begin();
    second.part();
    second.whole();
    await page.settle();
    assert.deepEqual(kinds(), [false]);
    const [whole] = page.get().results;
    const third = await begin();
    assert.equal(third.part, undefined, 'no part takes the place of a whole');
    page.runs.cancel();
    await page.settle();
    assert.equal(page.get().results[0], whole);
    assert.equal(whole.handle.closed, false);
});

test('beside an index a study takes no more items than are usual for it', async t => {
    const page = setUp(t);
    page.set({study: 'ask'});
    page.run({...corpus('one'), about: {items: 500}});
    for (const settings of [[], ['limit:30'], ['limit:0']]) {
        page.set({settings});
        await page.runs.beside(['importance', 'roles']);
    }
    assert.deepEqual(
        page.jobs.filter(({limit}) => limit !== undefined).map(({limit}) => limit),
        [100, 1000, 30, 30, 100, 0],
    );
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
