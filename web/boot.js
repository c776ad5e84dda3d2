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
 * everything: the page's own has no studies.
 * @type {import('./app/boot.js').MakeEngine} */
const makeEngine = ({threads = false, studies = false} = {}) =>
    createEngine({
        workerUrl: own('./worker.js'),
        wasmUrl: own(studies ? './headlight.wasm' : './headlight-page.wasm'),
        ...(RELAXED && {
            relaxedUrl: own(studies ? './headlight-relaxed.wasm' : './headlight-page-relaxed.wasm'),
        }),
        ...(threads && {
            threads: {
                helperUrl: own('./helper.js'),
                wasmUrl: own('./headlight-threads.wasm'),
                ...(RELAXED && {relaxedUrl: own('./headlight-relaxed-threads.wasm')}),
            },
        }),
    });

globalThis.headlightBoot ??= boot({makeEngine, menu: readMenu(), fallback: 'mini2-en'});
