/* embed - the script of embed.html: one <head-light> that fills the frame; its state and
 * precomputed figure come from the address, and the page around it is told its height. It listens
 * to no messages.
 */
import {readEmbed} from './core/store.js';
import {fillFrame} from './ui/element/embed.js';

fillFrame(readEmbed);
