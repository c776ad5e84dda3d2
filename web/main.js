/* main - the entry of the site: the page around what early.js has begun. Once the first figure is
 * there, the site is kept for use without a network.
 */
import {createInstaller} from './core/install.js';
import {firstShown} from './ui/first.js';
import {start} from './ui/start.js';

// the first figure is drawn before the disk and the network are needed for what is kept
const AFTER_MS = 500;
const installer = createInstaller();
// where scripts in the page itself are not let run
if (!globalThis.headlightBegun) await import('./early.js');
const session = await start(
    await /** @type {Promise<import('./ui/begin.js').Begun>} */ (globalThis.headlightBegun),
    {installer, first: firstShown},
);
const install = () => {
    if (!session.get().pass || session.get().early) return;
    stop();
    setTimeout(() => installer.start(new URL('./sw.js', import.meta.url)), AFTER_MS);
};
const stop = session.subscribe(install);
install();
