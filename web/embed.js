/* embed - the script of embed.html: one <head-light> that fills the frame; its state and
 * precomputed figure come from the address, and the page around it is told its height. It listens
 * to no messages.
 */
import {readEmbed} from './state/store.js';
import {fillFrame} from './element/embed.js';

fillFrame(readEmbed);
