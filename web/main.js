/* main - puts the page together: state, engine, models, texts, and the tree in the document.
 */
import {h, render} from 'preact';
import {createEngine} from './core/engine.js';
import {createStore} from './core/store.js';
import {codeFor, loadWords} from './text/languages.js';
import {App} from './ui/app.js';
import {firstShown} from './ui/first.js';
import {createSession} from './ui/session.js';

/** @typedef {import('./ui/app.js').Menu} Menu */

const DEFAULT_MODEL = 'mini-en';

/** @returns {Promise<Menu>} empty when there is none: models can still be named in the address */
async function readMenu() {
    try {
        const answer = await fetch('models/index.json');
        return answer.ok ? await answer.json() : [];
    } catch {
        return [];
    }
}

/** '' is the first model of the menu; a name that is not in the menu is looked for beside the others. The same
 * object for the same model, so that a change can be seen by comparing. @param {Menu} menu */
function sources(menu) {
    /** @type {Map<string, import('./core/files.js').ModelSource>} */
    const made = new Map();
    return (/** @type {string} */ model) => {
        const id = model || menu[0]?.id || DEFAULT_MODEL;
        const source = made.get(id) ?? menu.find(entry => entry.id === id) ?? {url: `models/${id}/`};
        made.set(id, source);
        return source;
    };
}

const store = createStore();
const [menu, words] = await Promise.all([readMenu(), loadWords(codeFor([store.get().lang, ...navigator.languages]))]);
const makeEngine = () => createEngine({workerUrl: new URL('./worker.js', import.meta.url),
    wasmUrl: new URL('./headlight.wasm', import.meta.url)});
const sourceOf = sources(menu);
const session = createSession({engine: makeEngine(), store, sourceOf,
    first: firstShown(store.get(), store.get().model || menu[0]?.id)});
store.subscribe(session.step);
render(h(App, {store, session, menu, words, makeEngine, sourceOf}), /** @type {Element} */ (document.getElementById('app')));
session.step();
