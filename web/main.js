/* main - puts the page together: state, engine, models, texts, and the tree in the document. */

import {h, render} from 'preact';
import {createEngine} from './core/engine.js';
import {createStore} from './core/store.js';
import {en} from './text/en.js';
import {zh} from './text/zh.js';
import {App} from './ui/app.js';
import {createSession} from './ui/session.js';

const DEFAULT_MODEL = 'mini-en';

async function readMenu() {
    try {
        const answer = await fetch('models/index.json');
        return answer.ok ? await answer.json() : [];
    } catch {
        return [];
    }
}

/* The same object for the same model, so that a change can be seen by comparing. '' is the first of the menu, and
 * a name that is not in the menu is looked for beside the others. */
function sources(menu) {
    const made = new Map();
    return model => {
        const id = model || menu[0]?.id || DEFAULT_MODEL;
        if (!made.has(id)) made.set(id, menu.find(entry => entry.id === id) ?? {url: `models/${id}/`});
        return made.get(id);
    };
}

const menu = await readMenu();
const store = createStore();
const engine = createEngine({workerUrl: new URL('./worker.js', import.meta.url), wasmUrl: new URL('./headlight.wasm', import.meta.url)});
const session = createSession({engine, store, sourceOf: sources(menu)});
store.subscribe(session.step);
render(h(App, {store, session, menu, texts: [en, zh], link: () => store.link()}), document.getElementById('app'));
session.step();
