/* lesson - the script of lesson.html, beside those of the page: one lesson with its figure in someone's frame. The
 * theme comes from the address, as in embed.html, and the page around it is told its height.
 */
import {readEmbed} from './state/store.js';
import {tellHeight} from './element/embed.js';

// boot.js has made it already, or main.js is about to
while (!globalThis.headlightBoot) await new Promise(done => setTimeout(done, 20));
const {store} = await /** @type {NonNullable<typeof globalThis.headlightBoot>} */ (
    globalThis.headlightBoot
);

/** An address that names no lesson means the first. */
const follow = () => {
    const {theme, tour} = readEmbed().state;
    store.set({theme, tour: Math.max(0, tour)});
};
follow();
addEventListener('hashchange', follow);
if (parent !== globalThis.window)
    tellHeight(/** @type {Element} */ (document.getElementById('app')));
