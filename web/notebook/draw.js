/* draw - puts a figure into a place of a notebook's page: a shadow tree with the page's own parts, on
 * attention that Python has computed, or on a model that runs here. What stood in the place, a still
 * picture, stays until the figure is there.
 */
import {h, render} from 'preact';
import {isId} from '../base/model_names.js';
import {allWords, codeFor, words as wordsIn} from '../words/languages.js';
import {views} from '../views/index.js';
import {LIVE_STYLE} from '../element/live_style.js';
import {STYLE} from '../element/style.js';
import {Loader} from '../session/loader.js';
import {createSession} from '../session/session.js';
import {createSources} from '../session/sources.js';
import {keepTexts} from '../shell/translation.js';
import {NotebookFigure} from './figure.js';
import {openSource} from './source.js';
import {createStore, createTheme} from './store.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Engine} from './source.js'
 * @typedef {{state: Partial<State>, name: string, lang?: string, height?: number, files?: {name: string, size: number}[],
 *     hub?: boolean}} Spec
 *   what Python says of a figure: its state, what it is called, its height in px; files: of a model's
 *   folder, which the bytes are; hub: the model is state.model, from the hub; else the bytes are attention
 * @typedef {{style: string, shared: () => Engine, makeEngine: () => import('../base/shared.js').Engine}} Parts
 *   style: the page's sheet; shared: the engine of all figures without a model
 */

const SHEET = `
:host{display:block;background:transparent;container-type:inline-size}
.live{padding:4px 8px;border-radius:4px}
.live .notice{margin:8px 0}
.cell-row{display:flex;flex-wrap:wrap;gap:2px 14px;align-items:center;font-size:13px}
.cell-open{display:flex;gap:12px;margin-inline-start:auto}
.cell-row .compact{display:block;color:var(--soft);white-space:nowrap}
.cell-row .heads{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:center}
.cell-row .label-row{display:contents}
.cell-row .label-row>:not(.label){order:1}
.cell-row .chips{gap:2px}
.cell-row .chip{min-width:24px;width:24px;height:24px;min-height:24px;padding:0}
.cell-row :is(select,.help){min-height:26px;height:26px}
.cell-row :is(.hint,.compact:has(:disabled)),.live .figure-caption:empty{display:none}
.live .axis small{display:inline;margin-inline-start:5px}
.live .axes{height:26px}
.live .head-view .player{top:-26px}
.live .how,.live .how:not(.hint){height:auto;max-height:none;overflow:visible}
.live .stage .aside,.live .stage.wide .aside{height:auto;max-height:200px;padding:0}
@container (min-width:700px){.live .stage:has(.aside){grid-template-columns:minmax(0,1fr) 200px}
.live .stage .aside{max-height:440px}}
.cell-more{font-size:14px}
.cell-more .lens{margin:10px 0}`;

/** @param {string} style */
function sheetOf(style) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync([style.replaceAll(':root', ':host'), STYLE, LIVE_STYLE, SHEET].join('\n'));
    return sheet;
}

/** @param {Spec} spec @param {Uint8Array<ArrayBuffer>} bytes */
function filesOf({files = []}, bytes) {
    let at = 0;
    return files.map(({name, size}) => new File([bytes.subarray(at, (at += size))], name));
}

/** A name without an organisation is one of the hub: a notebook has no menu. @param {Spec} spec
 * @param {Uint8Array<ArrayBuffer>} bytes @returns {ReturnType<typeof createSources>} */
export function sourcesOf(spec, bytes) {
    const {model = ''} = spec.state;
    if (spec.hub && !isId(model)) return createSources([], '', {asks: false});
    const source = spec.hub ? {hub: model} : {files: filesOf(spec, bytes)};
    return () => source;
}

/** A model that runs in the page. @param {Spec} spec @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Parts} parts @param {import('./store.js').Store} store */
function openModel(spec, bytes, {makeEngine}, store) {
    const engine = makeEngine();
    const session = createSession({
        ...{engine, store, loader: new Loader(engine)},
        sourceOf: sourcesOf(spec, bytes),
    });
    const end = store.subscribe(session.step);
    return {
        ...session,
        views: () => views.map(({id}) => id),
        close() {
            end();
            session.close();
            engine.close();
        },
    };
}

/** A box of its own style in the place; the still picture goes when the figure is drawn.
 * @param {HTMLElement} place @param {Spec} spec @param {string} style */
function openBox(place, {height}, style) {
    const host = document.createElement('div');
    const root = host.attachShadow({mode: 'open'});
    root.adoptedStyleSheets = [sheetOf(style)];
    const box = document.createElement('div');
    if (height) Object.assign(box.style, {maxHeight: `${height}px`, overflow: 'auto'});
    root.append(box);
    keepTexts(box);
    const still = [...place.childNodes];
    place.append(host);
    return {box, onDrawn: () => still.forEach(node => node.remove())};
}

/** The words where there is no model, so that no token can be masked. @param {import('../base/shared.js').Texts} t
 * @param {{point: string}} words @returns {import('../base/shared.js').Texts} */
const withoutMasks = (t, {point}) => ({
    ...t,
    head: {...t.head, howTo: t.head.howTo.map((line, i) => (i === 1 ? point : line))},
});

/** @param {HTMLElement} place @param {Spec} spec @param {Uint8Array<ArrayBuffer>} bytes @param {Parts} parts */
export async function draw(place, spec, bytes, parts) {
    const runs = Boolean(spec.files || spec.hub);
    const store = createStore(spec.state, runs);
    const code = codeFor([spec.lang ?? '', ...navigator.languages]);
    const opening = runs
        ? openModel(spec, bytes, parts, store)
        : openSource(new File([bytes], spec.name), parts.shared(), store);
    const [source, all, dialogs] = await Promise.all([
        opening,
        allWords(code),
        wordsIn(code, 'dialogs'),
    ]);
    const {box, onDrawn} = openBox(place, spec, parts.style);
    const theme = createTheme(store);
    const t = runs ? all : withoutMasks(all, dialogs.imported);
    const props = {t, words: dialogs.imported, store, source, theme, writes: runs, onDrawn};
    render(h(NotebookFigure, props), box);
    source.step();
    return {
        store,
        source,
        close() {
            render(null, box);
            source.close();
        },
    };
}

/** Puts the sentence where the figure would be. @param {HTMLElement} place @param {unknown} error */
export function fail(place, error) {
    const said = document.createElement('p');
    said.setAttribute('role', 'alert');
    said.textContent = `Headlight: ${error instanceof Error ? error.message : error}`;
    place.append(said);
}
