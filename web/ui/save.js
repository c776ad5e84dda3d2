/* save - a picture made by a view as a file of the reader's.
 */
import {render} from 'preact';

/** @param {import('preact').ComponentChild} picture an svg element @param {string} name of the file */
export function saveSvg(picture, name) {
    const holder = document.createElement('div');
    render(picture, holder);
    const source = new XMLSerializer().serializeToString(/** @type {Element} */ (holder.firstElementChild));
    const address = URL.createObjectURL(new Blob([source], {type: 'image/svg+xml'}));
    Object.assign(document.createElement('a'), {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
