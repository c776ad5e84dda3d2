/* main - the entry point of the site: builds the page on what boot.js has started; a site is also
 * kept for use without a network (app/update.js).
 */
import {precomputedShown} from './app/precomputed.js';
import {mount} from './app/mount.js';

// where scripts in the page itself are not let run
if (!globalThis.headlightBoot) await import('./boot.js');
await mount(
    await /** @type {Promise<import('./app/boot.js').Booted>} */ (globalThis.headlightBoot),
    {site: true, first: precomputedShown},
);
