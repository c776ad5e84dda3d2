/* run - <head-light> beyond the first load: all views, the controls and, on request, the model,
 * which all figures on a page share (pool.js). It draws into the element's shadow tree with the
 * page's own parts; before the model it shows what the precomputed figure has. Fetched by a press
 * on a button of the element.
 */
import {h, render} from 'preact';
import {startAnywhere} from '../engine/anywhere.js';
import {ownFile} from '../base/build.js';
import {createEngine} from '../engine/engine.js';
import {elementWords} from '../words/element.js';
import {allWords, words as wordsIn} from '../words/languages.js';
import {LiveFigure} from './live.js';
import {LIVE_STYLE} from './live_style.js';
import {report} from './odd.js';
import {STYLE} from './style.js';
import {createClient} from './pool.js';
import {textAt} from './source.js';
import {canDraw} from './can_draw.js';
import {Loader} from '../session/loader.js';
import {createSession} from '../session/session.js';
import {NOTHING} from '../session/shown.js';
import {createSources} from '../session/sources.js';
import {keepTexts} from '../shell/translation.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Precomputed} from '../files/precomputed.js'
 * @typedef {{get: () => State, set: (patch: Partial<State>) => void, subscribe: (listener: () =>
 *     void) => () => void}} Store
 * @typedef {{signal: AbortSignal, base: URL, figure: Precomputed | null, bytes: number, code: string,
 *     root: ShadowRoot,
 *   onReady: () => void, onError: (message: string) => void}} Parts   signal: of the start of the tag
 * @typedef {Awaited<ReturnType<typeof makeLive>>} Live
 */

/** The page's own style, for a shadow tree. @param {URL} base */
const pageStyle = async base =>
    (await textAt(new URL('style.css', base))).replaceAll(':root', ':host');

/** @param {string[]} texts of style sheets, the later ones count more */
const sheetsOf = texts =>
    texts.map(text => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        return sheet;
    });

/** @param {URL} base @returns {Promise<import('../base/shared.js').SiteMenu>} */
async function menuOf(base) {
    const answer = await fetch(new URL('models/index.json', base)).catch(() => null);
    return answer?.ok ? answer.json() : [];
}

/** @param {URL} base @param {string} one of the .wasm files, for one thread @param {string} [full] */
const filesBeside = (base, one, full = '') => ({
    workerUrl: ownFile('worker-classic.js', base),
    wasmUrl: ownFile(`headlight${one}.wasm`, base),
    ...(globalThis.crossOriginIsolated && {
        threads: {
            wasmUrl: ownFile(`headlight${full}-threads.wasm`, base),
            helperUrl: ownFile('helper.js', base),
        },
    }),
});
/** @param {URL} base */
const engineBeside = base =>
    createEngine({
        ...filesBeside(base, '-page'),
        full: filesBeside(base, '-full', '-full'),
        two: () => ({
            workerUrl: ownFile('worker-full-classic.js', base),
            wasmUrl: ownFile('headlight-two.wasm', base),
        }),
        makeWorker: url => startAnywhere(/** @type {URL} */ (url)),
    });

/** What stands in the page already, as what a session shows. @param {Precomputed | null} figure */
function shownOf(figure) {
    const {model = null, pass = null, tensors = new Map()} = figure ?? {};
    const shown = Object.freeze({...NOTHING, model, pass, tensors});
    return {get: () => shown, subscribe: () => () => {}};
}

/** The box for the reader's own text has the focus and is in the window. @param {ShadowRoot} root */
function showText(root) {
    const text = root.querySelector('textarea');
    text?.focus({preventScroll: true});
    text?.closest('.texts')?.scrollIntoView({block: 'nearest'});
}

/** The state of a tag, which tells of each change by an event. @param {import('./element.js').HeadLight} tag
 * @returns {Store} */
const storeOf = tag => ({
    get: () => tag.state,
    set: tag.assign,
    subscribe(listener) {
        const told = (/** @type {Event} */ {target}) => target === tag && listener();
        tag.addEventListener('headlight-change', told);
        return () => tag.removeEventListener('headlight-change', told);
    },
});

/** The session with the events of its first figure and of its problems. @param {Parts & {store: Store}} parts
 * @param {import('../base/shared.js').SiteMenu} menu */
function openSession({base, store, figure, root, onReady, onError}, menu) {
    if (figure) report(/** @type {any} */ (root.host), figure); // without one it has been told
    const client = createClient(() => engineBeside(base));
    const session = createSession({
        engine: client,
        loader: new Loader(client),
        store,
        sourceOf: createSources(menu, 'mini4-en', {
            whole: url => new URL(url, base).href,
            asks: false, // the page that has the tag has chosen it, and the reader has pressed a button
        }),
    });
    let ready = false;
    let said = /** @type {object | null} */ (null);
    session.subscribe(() => {
        const {pass, problem} = session.get();
        if (pass && !ready) {
            if (root.activeElement?.matches('textarea')) showText(root); // more stands above it now
            onReady();
        }
        ready = Boolean(pass);
        if (problem && problem !== said) onError(problem.message);
        said = problem;
    });
    const end = store.subscribe(session.step);
    return {
        session,
        close() {
            end();
            session.close();
            client.close();
        },
    };
}

/** A box in the root of the element, with the styles of what it holds; closed, all is as before.
 * @param {ShadowRoot} root @param {string} style of the page */
function openBox(root, style) {
    const box = document.createElement('div');
    const before = root.adoptedStyleSheets;
    root.adoptedStyleSheets = sheetsOf([style, STYLE, LIVE_STYLE]);
    root.append(box);
    keepTexts(box);
    return {
        box,
        close() {
            render(null, box);
            box.remove();
            root.adoptedStyleSheets = before;
        },
    };
}

/** The page's words, and where a finger points, those for it. @param {string} code */
async function liveWords(code) {
    const isTouch = matchMedia('(pointer: coarse)').matches;
    const [all, touch] = await Promise.all([allWords(code), isTouch && wordsIn(code, 'touch')]);
    return touch ? touch.over(all) : all;
}

/** What each start of a tag is given, or waits for: a press and the tag itself may ask at the same time.
 * @type {WeakMap<AbortSignal, Promise<Live>>} */
const given = new WeakMap();

/** The same for all that ask in one start; anew after a failure. @param {Parts} parts @returns {Promise<Live>} */
export function createLive(parts) {
    const live = given.get(parts.signal) ?? makeLive(parts);
    given.set(parts.signal, live);
    live.catch(() => given.delete(parts.signal));
    return live;
}

/** @param {Parts} parts */
async function makeLive(parts) {
    const {base, figure, bytes, root} = parts;
    const store = storeOf(/** @type {any} */ (root.host));
    let {code} = parts;
    let [words, style, menu] = await Promise.all([liveWords(code), pageStyle(base), menuOf(base)]);
    const fixed = shownOf(figure);
    /** @type {ReturnType<typeof openSession> | null} */
    let opened = null;
    const {box, close} = openBox(root, style);
    const run = () => {
        opened ??= openSession({...parts, store}, menu);
        draw();
        opened.session.step();
        if (canDraw(store.get(), figure)) showText(root); // the button said "on your own text"
    };
    const same = {store, fixed, page: base, tag: root.host, bytes, onRun: run};
    const draw = () => {
        const session = opened?.session ?? null;
        render(h(LiveFigure, {...same, t: words, still: elementWords([code]), session}), box);
    };
    draw();
    return {
        run,
        /** @param {string} wanted code of a language */
        async speak(wanted) {
            code = wanted;
            words = await liveWords(code);
            if (box.isConnected) draw();
        },
        close() {
            opened?.close();
            close();
        },
    };
}
