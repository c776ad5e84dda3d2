/* save - a picture made by a view as a file of the reader's. */

import {render} from 'preact';

export function saveSvg(picture, name) {
    const holder = document.createElement('div');
    render(picture, holder);
    const source = new XMLSerializer().serializeToString(holder.firstElementChild);
    const address = URL.createObjectURL(new Blob([source], {type: 'image/svg+xml'}));
    Object.assign(document.createElement('a'), {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}
