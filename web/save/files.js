/* files - hands a file over to the reader, and a picture as the text of one.
 */
import {render} from 'preact';
import {inert} from './texts.js';

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
    const address = URL.createObjectURL(blob);
    Object.assign(document.createElement('a'), {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** @param {string} text @param {string} type @param {string} name */
export const downloadText = (text, type, name) =>
    download(new Blob([text], {type: `${type};charset=utf-8`}), name);

/** @param {any} tree of an SVG @returns {string} well-formed XML, also when tokens hold characters that XML
 *     forbids */
export function written(tree) {
    const holder = document.createElement('div');
    render(tree, holder);
    return inert(
        new XMLSerializer().serializeToString(/** @type {Element} */ (holder.firstElementChild)),
    );
}
