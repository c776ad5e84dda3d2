/* boot - the part of the site's script that is inlined in the page (build/site.mjs), so that it
 * runs before any other script has arrived: the engine and the models lie beside the page. main.js
 * takes over what it has begun.
 */
import {ownFile, RELAXED} from './base/build.js';
import {createEngine} from './engine/engine.js';
import {boot} from './app/boot.js';

/** @returns {Promise<import('./app/app.js').Menu>} empty when there is none: models can still be
 *     named in the address */
async function readMenu() {
    try {
        const answer = await fetch('models/index.json');
        return answer.ok ? await answer.json() : [];
    } catch {
        return [];
    }
}

const own = (/** @type {string} */ name) => ownFile(name, import.meta.url);
/** Threads are for the texts one types; the workers of a study have a core each, and a file with
 * studies, or with indexes too: the page's own has neither.
 * @type {import('./app/boot.js').MakeEngine} */
const makeEngine = ({threads = false, has = '-page'} = {}) =>
    createEngine({
        workerUrl: own(`./worker${has === '-full' ? has : ''}.js`),
        wasmUrl: own(`./headlight${has}.wasm`),
        ...(RELAXED && {relaxedUrl: own(`./headlight${has}-relaxed.wasm`)}),
        ...(threads && {
            threads: {
                helperUrl: own('./helper.js'),
                wasmUrl: own('./headlight-threads.wasm'),
                ...(RELAXED && {relaxedUrl: own('./headlight-relaxed-threads.wasm')}),
            },
        }),
    });

globalThis.headlightBoot ??= boot({makeEngine, menu: readMenu(), fallback: 'mini4-en'});
