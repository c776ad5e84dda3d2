/* offline - the entry point of headlight.html, the page in one file (build/offline.mjs): it holds
 * program, styles and models as base64, in script elements of a type that no browser runs, so it
 * works from disk and makes no request. `headlight bundle` puts another model in place of those
 * shipped.
 */
import {createEngine, workerFromText} from './engine/engine.js';
import {loadInPage} from './engine/load_in_page.js';
import {boot} from './app/boot.js';
import {provideOwnTexts} from './shell/page_files.js';
import {mount} from './app/mount.js';

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
    const quick = /** @type {any} */ (Uint8Array).fromBase64; // browsers of 2025 and newer
    return quick
        ? quick.call(Uint8Array, text)
        : Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

/** A file of the page, which may stand in several elements one after the other. Their text is
 * dropped to save memory.
 * @param {string} name */
const take = name =>
    [...document.querySelectorAll('script[data-file]')]
        .filter(element => element.getAttribute('data-file') === name)
        .map(element => {
            element.remove();
            return fromBase64(element.textContent ?? '');
        });

/** @param {string} name @returns {Promise<string>} */
const takeText = name => new Blob(take(name)).text();

const model = JSON.parse(
    document.querySelector('script[data-file="model.json"]')?.textContent ?? 'null',
);
/** An entry of the menu. @param {string} id @param {string} folder its files' */
const entry = (id, folder) => ({
    id,
    name: id,
    files: model.files.map(
        (/** @type {string} */ name) => new File(take(`${folder}/${name}`), name),
    ),
});
/** Before the texts are taken, which are all that is left then. */
const menu = [
    {...entry(model.name, 'model'), begin: model.begin},
    ...(model.others ?? []).map((/** @type {string} */ id) => entry(id, id)),
];
const makeWorker = workerFromText(await takeText('worker.js'));
const wasmBytes = await new Blob(take('headlight.wasm')).arrayBuffer();
/** The rest is text: what goes into saved pages, the shipped corpora. */
const texts = new Map([['style.css', document.querySelector('style')?.textContent ?? '']]);
for (const element of document.querySelectorAll('script[type="text/plain"][data-file]')) {
    const name = element.getAttribute('data-file') ?? '';
    if (!texts.has(name)) texts.set(name, await takeText(name));
}
provideOwnTexts(texts);
document.getElementById('app')?.replaceChildren();
await mount(
    await boot({
        makeEngine: () => createEngine({makeWorker, wasmBytes, loadInPage}),
        menu,
        fallback: model.name,
        only: menu.map(({id}) => id),
    }),
);
