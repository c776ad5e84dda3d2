/* early - the part of the site's script that stands in the page itself (build/site.mjs), so that it runs before any other has come:
 * the engine and the models lie beside the page. main.js takes over what it has begun.
 */
import {ownFile, RELAXED} from './core/build.js';
import {createEngine} from './core/engine.js';
import {begin} from './ui/begin.js';

/** @returns {Promise<import('./ui/app.js').Menu>} empty when there is none: models can still be named in the address */
async function readMenu() {
    try {
        const answer = await fetch('models/index.json');
        return answer.ok ? await answer.json() : [];
    } catch {
        return [];
    }
}

const makeEngine = () => createEngine({workerUrl: ownFile('./worker.js', import.meta.url),
    wasmUrl: ownFile('./headlight.wasm', import.meta.url),
    ...RELAXED && {relaxedUrl: ownFile('./headlight-relaxed.wasm', import.meta.url)}});

globalThis.headlightBegun ??= begin({makeEngine, menu: readMenu(), fallback: 'mini-en'});
