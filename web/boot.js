/* boot - the part of the site's script that is inlined in the page (build/site.mjs), so that it
 * runs before any other script has arrived: the engine and the models lie beside the page. main.js
 * takes over what it has begun.
 */
import {ownFile, RELAXED} from './base/build.js';
import {createEngine} from './engine/engine.js';
import {boot} from './app/boot.js';

/** @returns {Promise<import('./base/shared.js').Menu>} empty when there is none: models can still be
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
 * studies, or with indexes too, or with models of two stacks: the page's own has none of these.
 * @param {{threads?: boolean, has?: string}} [asked] */
const filesOf = ({threads = false, has = '-page'} = {}) => {
    const full = /full|two/.test(has) ? '-full' : '';
    return {
        workerUrl: own(`./worker${full}.js`),
        wasmUrl: own(`./headlight${has}.wasm`),
        ...(RELAXED && {relaxedUrl: own(`./headlight${has}-relaxed.wasm`)}),
        ...(threads && {
            threads: {
                helperUrl: own('./helper.js'),
                wasmUrl: own(`./headlight${full}-threads.wasm`),
                ...(RELAXED && {relaxedUrl: own(`./headlight${full}-relaxed-threads.wasm`)}),
            },
        }),
    };
};
/** @type {import('./base/shared.js').MakeEngine} */
const makeEngine = asked =>
    createEngine({
        ...filesOf(asked),
        full: filesOf({...asked, has: '-full'}),
        two: () => filesOf({has: '-two'}),
    });

globalThis.headlightBoot ??= boot({makeEngine, menu: readMenu(), fallback: 'mini4-en'});
