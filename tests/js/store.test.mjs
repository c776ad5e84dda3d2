/* The store: who is told, and what is written into the address, when. Time is node's mock clock.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {defaults} from '../../web/state/state.js';
import {createStore} from '../../web/state/store.js';

/** A window with a history like a browser's, as far as the store sees it. */
function createBrowser(hash = '') {
    const entries = [hash];
    let at = 0;
    let listener = null;
    const log = [];
    const hashOf = url => (url.includes('#') ? url.slice(url.indexOf('#')) : '');
    return {
        log,
        entries,
        location: {
            pathname: '/x/',
            search: '?q=1',
            get hash() {
                return entries[at];
            },
            get href() {
                return `https://host/x/?q=1${entries[at]}`;
            },
        },
        history: {
            pushState(_, __, url) {
                entries.splice(++at, Infinity, hashOf(url));
                log.push(`push ${url}`);
            },
            replaceState(_, __, url) {
                entries[at] = hashOf(url);
                log.push(`replace ${url}`);
            },
        },
        addEventListener(type, f) {
            assert.equal(type, 'popstate');
            listener = f;
        },
        removeEventListener(type, f) {
            if (listener === f) listener = null;
        },
        go(delta) {
            at += delta;
            listener?.();
        },
        listens: () => listener !== null,
    };
}

function setUp(t, hash) {
    t.mock.timers.enable({apis: ['setTimeout']});
    const browser = createBrowser(hash);
    return {browser, store: createStore({browser}), wait: () => t.mock.timers.tick(400)};
}

test('a visit without a link begins with what the site proposes, a link does not', t => {
    const begin = {layer: 2, heads: [1, 4]};
    const {store, browser, wait} = setUp(t, '');
    store.setFirst('mini', begin);
    assert.deepEqual([store.get().layer, [...store.get().heads]], [2, [1, 4]]);
    assert.match(store.link(), /model=mini.*layer=2&heads=1,4|layer=2&heads=1%2C4/);
    assert.deepEqual(browser.log, [], 'nothing is written until something changes');
    store.set({view: 'model'});
    wait();
    assert.match(browser.log[0], /^push .*layer=2.*heads=1/);
    browser.go(-1);
    assert.deepEqual([store.get().layer, [...store.get().heads]], [2, [1, 4]], 'back to the visit');
    const link = createStore({browser: createBrowser('#v=5')});
    link.setFirst('mini', begin);
    assert.deepEqual([link.get().layer, link.get().heads.length], [0, 0]);
});

test('starts from the hash and tells listeners of changes only', t => {
    const {store} = setUp(t, '#layer=3');
    const seen = [];
    const end = store.subscribe(state => seen.push(state.layer));
    store.set({layer: 3});
    store.set({layer: 4});
    end();
    store.set({layer: 5});
    assert.deepEqual(seen, [4]);
    assert.equal(store.get().layer, 5);
});

test('typing is written once, in place, with path and query kept', t => {
    const {store, browser, wait} = setUp(t);
    for (const heading of ['a', 'ab', 'abc']) store.set({heading});
    assert.deepEqual(browser.log, []);
    wait();
    assert.deepEqual(browser.log, ['replace /x/?q=1#v=5&heading=abc']);
});

test('each text that is shown is a step, also where one follows at once; what was due before is of the one left', t => {
    const {store, browser, wait} = setUp(t, '#v=5');
    store.set({layer: 2});
    store.set({text: 'a'});
    store.set({layer: 3});
    store.set({text: 'b', textB: 'c'});
    store.set({view: 'model'});
    store.set({patch: 'd'});
    wait();
    assert.deepEqual(browser.entries, [
        '#v=5&layer=2',
        '#v=5&text=a&layer=3',
        '#v=5&view=model&text=b&textB=c&layer=3',
        '#v=5&view=model&text=b&textB=c&patch=d&layer=3',
    ]);
    browser.go(-2);
    assert.deepEqual([store.get().text, store.get().layer], ['a', 3]);
});

/** The clock stands still until it is moved on: a choice and what it asks for may have the same time. */
function withClock(t) {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    return () => now++;
}

test('what comes late leaves what has been chosen since, also where that was so already', t => {
    const {store, browser, wait} = setUp(t, '#v=5&layer=1&picked=4&token=4');
    const tick = withClock(t);
    const late = {
        ...{text: 'late', textB: '', view: 'model', desk: 'text', layer: 5, heads: [6], top: 40},
        ...{picked: [7], token: 7, side: 'key'},
    };
    const after = (...chosen) => {
        const asked = tick();
        tick();
        for (const patch of chosen) store.set(patch);
        store.set(late, asked);
        const {text, view, desk, layer, heads, picked, side} = store.get();
        const seen = [text, view, desk, layer, String(heads), String(picked), side].join(' ');
        store.set({text: 'own', view: 'steps', desk: 'text', layer: 1, heads: [], top: 25});
        store.set({picked: [4], token: 4, side: 'query'});
        return seen;
    };
    const whole = 'late model text 5 6 7 key';
    assert.equal(after(), whole);
    assert.equal(after({desk: 'corpus'}), 'late model corpus 5 6 7 key');
    assert.equal(after({view: 'steps'}), 'late steps text 5 6 7 key', 'chosen once more');
    assert.equal(after({heads: [2]}), 'late model text 1 2 7 key', 'a head is one of its layer');
    assert.equal(
        after({text: 'mine'}),
        'mine model text 5 6 4 query',
        'tokens are those of a text',
    );
    assert.equal(after({picked: [2]}), whole, 'pinned in the text before');
    late.text = 'own';
    assert.equal(after({token: 2}), 'own model text 5 6 4 query', 'pinned in this text');
    wait();
    const asked = tick();
    tick();
    browser.go(0);
    store.set(late, asked);
    assert.equal(store.get().view, 'steps', 'the way back has chosen all');
});

test('what comes of itself is no step, nor is what it had set when the next one comes', t => {
    const {store, browser, wait} = setUp(t, '#v=5');
    store.set({tour: 0, lesson: 'a'});
    wait();
    store.set({text: 'of the lesson', view: 'model'}, 1e9);
    wait();
    store.set({layer: 2});
    wait();
    const first = '#v=5&view=model&text=of%20the%20lesson&layer=2&tour=0&lesson=a';
    assert.deepEqual(browser.entries, ['#v=5', first]);
    store.set({view: 'steps'}, 1e9, true);
    wait();
    assert.equal(browser.entries.length, 3, 'unless it says that it is one');
});

test('1000 changes in 10 seconds are at most 25 writes', t => {
    const {store, browser} = setUp(t);
    for (let i = 1; i <= 1000; i++) {
        store.set({layer: i % 12});
        t.mock.timers.tick(10);
    }
    assert.ok(browser.log.length >= 20 && browser.log.length <= 25, String(browser.log.length));
});

test('a change that is undone at once is not written', t => {
    const {store, browser, wait} = setUp(t);
    store.set({layer: 2});
    store.set({layer: 0});
    wait();
    assert.deepEqual(browser.log, []);
});

test('another view is a step: back and forward restore it', t => {
    const {store, browser, wait} = setUp(t);
    store.set({layer: 2});
    wait();
    store.set({view: 'model'});
    wait();
    store.set({layer: 5});
    wait();
    assert.deepEqual(browser.entries, ['#v=5&layer=2', '#v=5&view=model&layer=5']);
    const seen = [];
    store.subscribe(state => seen.push(`${state.view} ${state.layer}`));
    browser.go(-1);
    browser.go(1);
    assert.deepEqual(seen, [`${defaults.view} 2`, 'model 5']);
    wait();
    assert.equal(browser.log.length, 3, 'going back writes nothing');
});

test('going back drops a write that is still due', t => {
    const {store, browser, wait} = setUp(t, '#layer=1');
    store.set({view: 'model'});
    wait();
    store.set({layer: 9});
    browser.go(-1);
    wait();
    assert.equal(store.get().layer, 1);
    assert.equal(browser.entries[0], '#layer=1');
});

test('what is not in links survives going back', t => {
    const {store, browser, wait} = setUp(t);
    store.set({view: 'model'});
    wait();
    store.set({theme: 'dark'});
    browser.go(-1);
    assert.equal(store.get().theme, 'dark');
});

test('a history that refuses does not stop the page', t => {
    const {store, browser, wait} = setUp(t);
    browser.history.replaceState = () => {
        throw new Error('SecurityError');
    };
    store.set({layer: 2});
    wait();
    assert.equal(store.get().layer, 2);
});

test('a figure with initial values leaves the address alone', () => {
    const store = createStore({
        initial: {layer: 4, heads: [1]},
        browser: new Proxy(
            {},
            {
                get() {
                    throw new Error('touched');
                },
            },
        ),
    });
    store.set({view: 'model'});
    assert.equal(store.get().layer, 4);
    assert.equal(store.get().view, 'model');
    store.close();
});

test('the link is of the state now, also before it is written', t => {
    const {store} = setUp(t, '#v=5&model=mini-en&layer=1');
    store.set({layer: 2, heads: [0, 3]});
    assert.equal(store.link(), 'https://host/x/?q=1#v=5&model=mini-en&layer=2&heads=0%2C3');
    assert.equal(createStore({initial: {layer: 1}}).link(), '');
});

test('close ends the listening and the writing', t => {
    const {store, browser, wait} = setUp(t);
    store.set({layer: 2});
    store.close();
    wait();
    assert.deepEqual(browser.log, []);
    assert.equal(browser.listens(), false);
});

test('an entry that is gone back to is what is written: the same again is no new entry', t => {
    const {browser, store, wait} = setUp(t, '#layer=3');
    store.set({view: 'steps'});
    wait();
    store.set({layer: 2}); // due, but dropped by going back
    browser.go(-1);
    wait();
    assert.equal(store.get().layer, 3);
    const {length} = browser.log;
    store.set({layer: 5});
    store.set({layer: 3});
    wait();
    assert.equal(browser.log.length, length, browser.log.join());
});

test('what was due before a step belongs to the entry that is left, as the way back shows', t => {
    const {browser, store, wait} = setUp(t, '#v=2');
    store.set({layer: 2, heads: [3]});
    store.set({view: 'model'});
    wait();
    assert.equal(browser.entries.length, 2);
    browser.go(-1);
    assert.deepEqual([store.get().view, store.get().layer, store.get().heads], ['head', 2, [3]]);
    store.set({view: 'find'});
    store.set({view: 'model'});
    wait();
    assert.equal(browser.entries.length, 2, 'two steps at once are one');
});
