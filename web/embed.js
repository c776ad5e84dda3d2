/* embed - the script of embed.html: one <head-light> that fills the frame, its state and its
 * precomputed figure from the address, and its height told to the page around it. It listens to no
 * messages.
 */
import {readEmbed} from './core/store.js';
import {fillFrame} from './ui/element/embed.js';

fillFrame(readEmbed);
