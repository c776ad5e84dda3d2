/* element - defines <head-light>; what it fetches later lies beside this script. A page that has
 * the element already keeps it.
 */
import {HeadLight} from './element/element.js';

HeadLight.base = new URL('./', import.meta.url);
if (!customElements.get('head-light')) customElements.define('head-light', HeadLight);
