/* main - the entry point of the site: builds the page on what boot.js has started. Once the first
 * figure is there, the site is kept for use without a network.
 */
import {createInstaller} from './app/install.js';
import {precomputedShown} from './app/precomputed.js';
import {mount} from './app/mount.js';

// the first figure is drawn before the disk and the network are needed for what is kept
const AFTER_MS = 500;
const installer = createInstaller();
// where scripts in the page itself are not let run
if (!globalThis.headlightBoot) await import('./boot.js');
const session = await mount(
    await /** @type {Promise<import('./app/boot.js').Booted>} */ (globalThis.headlightBoot),
    {installer, first: precomputedShown},
);
const install = () => {
    if (!session.get().pass || session.get().precomputed) return;
    stop();
    setTimeout(() => installer.start(new URL('./sw.js', import.meta.url)), AFTER_MS);
};
const stop = session.subscribe(install);
install();
