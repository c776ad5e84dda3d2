/* What is open over the page (shell/layers.js) and what closes it (shell/dismiss.js), with a document
 * made up: Escape and the back gesture close one layer, the topmost; a press beside what lies over the
 * page is for that alone. The page itself is looked at by tests/browser/kept.test.mjs and phone.test.mjs.
 */
import assert from 'node:assert/strict';
import {beforeEach, test} from 'node:test';

class FakeElement {
    /** @param {string[]} within selectors of itself and of what it is in */
    constructor(...within) {
        this.within = within;
    }
    closest(selectors) {
        return selectors.split(', ').some(one => this.within.includes(one)) ? this : null;
    }
    getBoundingClientRect = () => ({left: 10, top: 10, right: 90, bottom: 90});
}
const heard = {};
const hear = (type, listener) => (heard[type] ??= new Set()).add(listener);
const watchers = new Set();
Object.assign(globalThis, {
    Element: FakeElement,
    addEventListener: hear,
    document: {
        body: new FakeElement('body'),
        addEventListener: (type, listener) => hear(`${type} on the page`, listener),
        activeElement: new FakeElement('body'),
    },
    CloseWatcher: class {
        constructor() {
            watchers.add(this);
        }
        destroy() {
            watchers.delete(this);
        }
    },
});
const {HEIGHT, closeLayer, layers, openLayer} = await import('../../web/shell/layers.js');
const {listen} = await import('../../web/shell/dismiss.js');
listen(layers);
beforeEach(() => layers.clear());

/** What has happened to an event that is heard. */
function send(type, target, more = {}) {
    const done = [];
    const event = {
        ...{target, composedPath: () => [target], ...more},
        preventDefault: () => done.push('prevented'),
        stopPropagation: () => done.push('stopped'),
    };
    for (const listener of heard[type]) listener(event);
    return done.sort().join(' ');
}
const escape = (target = document.body, more = {}) =>
    send('keydown', target, {key: 'Escape', ...more});

/** Opens layers that write down what closes them, and go. */
function opened(...heights) {
    const closed = [];
    for (const [i, name] of heights.entries()) {
        const layer = {
            height: HEIGHT[name],
            native: name === 'dialog',
            card: name === 'card',
            back: () => name === 'menu',
            over: () => HEIGHT[name] >= HEIGHT.menu,
            escape() {
                closed.push(name + i);
                if (name === 'figure') return undefined;
                closeLayer(layer);
                return true;
            },
        };
        openLayer(layer);
    }
    return closed;
}

test('Escape closes one layer, the topmost, however they were opened', () => {
    const closed = opened('menu', 'card', 'text', 'lesson', 'menu', 'help', 'list');
    const done = Array.from({length: 7}, () => escape());
    assert.deepEqual(closed, ['card1', 'menu4', 'menu0', 'list6', 'help5', 'text2', 'lesson3']);
    assert.ok(done.every(said => said === 'prevented stopped'));
    assert.equal(escape(), '', 'nothing is left: it is not ours');
});

test('nothing closes: another key, and Escape that ends a composition', () => {
    const closed = opened('menu');
    assert.equal(send('keydown', document.body, {key: 'Enter'}), '');
    assert.equal(escape(document.body, {isComposing: true}), '');
    assert.equal(escape(document.body, {keyCode: 229}), '', 'as Safari tells it');
    assert.deepEqual(closed, []);
});

test('a dialog is left to the browser, and nothing below it hears of Escape', () => {
    const closed = opened('figure', 'menu', 'dialog');
    assert.equal(escape(), 'stopped');
    assert.deepEqual(closed, ['dialog2']);
});

test('all figures hear of Escape when nothing above takes it, and others do as well', () => {
    const closed = opened('figure', 'figure');
    assert.equal(escape(), '');
    assert.deepEqual(closed.sort(), ['figure0', 'figure1']);
});

test('Escape that was pressed before there was anybody to hear it closes as well', () => {
    const closed = opened('figure');
    const event = {type: 'keydown', key: 'Escape', composedPath: () => [], target: document.body};
    listen(layers, event);
    assert.deepEqual(closed, ['figure0']);
});

test('who writes is said; what declines lets the next one have it', () => {
    const closed = opened('lesson');
    openLayer({height: HEIGHT.help, escape: (_, writing) => !writing});
    escape(new FakeElement('textarea'));
    assert.deepEqual(closed, ['lesson0']);
});

test('the back gesture closes one layer; there is one watcher while any layer wants it', () => {
    const closed = opened('menu', 'menu');
    assert.equal(watchers.size, 1);
    assert.equal(escape(), 'prevented stopped');
    assert.equal(watchers.size, 1, 'one menu is left');
    const [watcher] = watchers;
    watchers.clear(); // the browser closes it
    watcher.onclose();
    assert.deepEqual(closed, ['menu1', 'menu0']);
    assert.equal(watchers.size, 0);
});

test('a layer that is shut is passed over, and watched for as soon as it is open', () => {
    let open = false;
    openLayer({height: HEIGHT.menu, back: () => open, escape: () => open && !(open = false)});
    assert.equal(watchers.size, 0);
    assert.equal(escape(), '');
    open = true; // the browser tells of it later
    assert.equal(escape(), 'prevented stopped');
    open = true;
    layers.changed();
    assert.equal(watchers.size, 1);
});

test('a press beside what lies over the page does not reach the figure, unless it is on a token', () => {
    const released = [];
    openLayer({released: () => released.push('figure')});
    const press = target => [
        send('pointerdown', target),
        send('pointerdown on the page', target),
        send('click', target),
    ];
    const [nothing, token] = [new FakeElement('main'), new FakeElement('[data-index]')];
    press(nothing);
    assert.equal(released.length, 1);
    opened('menu');
    assert.equal(press(nothing)[2], 'stopped');
    assert.equal(press(token)[2], '');
    assert.equal(released.length, 1);
});

test('a press that begins and ends beside a dialog closes it; one that begins in it, or below a card, does not', () => {
    let shut = 0;
    const dialog = Object.assign(new FakeElement('dialog'), {close: () => shut++});
    openLayer({height: HEIGHT.dialog, over: () => true, dialog: () => dialog});
    const [inside, outside] = [
        {clientX: 50, clientY: 50},
        {clientX: 5, clientY: 50},
    ];
    const press = (from, to) => {
        send('pointerdown', dialog, from);
        send('click', dialog, to);
    };
    press(inside, outside);
    press(outside, inside);
    assert.equal(shut, 0);
    press(outside, outside);
    assert.equal(shut, 1);
    opened('card');
    press(outside, outside);
    assert.equal(shut, 1);
});
