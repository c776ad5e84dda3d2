/* main - the entry of the site: the engine and the models lie beside this script. Once the first figure is there, the site is
 * kept for use without a network.
 */
import {ownFile, RELAXED} from './core/build.js';
import {createEngine} from './core/engine.js';
import {createInstaller} from './core/install.js';
import {firstShown} from './ui/first.js';
import {start} from './ui/start.js';

/** @returns {Promise<import('./ui/app.js').Menu>} empty when there is none: models can still be named in the address */
async function readMenu() {
    try {
        const answer = await fetch('models/index.json');
        return answer.ok ? await answer.json() : [];
    } catch {
        return [];
    }
}

const own = (/** @type {string} */ name) => ownFile(name, import.meta.url);
/** Threads are for the texts one types; the workers of a study have a core each. @type {import('./ui/start.js').MakeEngine} */
const makeEngine = ({threads = false} = {}) => createEngine({workerUrl: own('./worker.js'), wasmUrl: own('./headlight.wasm'),
    ...RELAXED && {relaxedUrl: own('./headlight-relaxed.wasm')},
    ...threads && {crew: {memberUrl: own('./member.js'), wasmUrl: own('./headlight-threads.wasm'),
        ...RELAXED && {relaxedUrl: own('./headlight-relaxed-threads.wasm')}}}});
const installer = createInstaller();
const session = await start({makeEngine, menu: readMenu(), fallback: 'mini-en', installer, first: firstShown});
const stop = session.subscribe(() => {
    if (!session.get().pass || session.get().early) return;
    stop();
    installer.start(new URL('./sw.js', import.meta.url));
});
