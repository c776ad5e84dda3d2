/* dialog - a <dialog> over the page, with its × and its title: Escape, ×, the back gesture and a press
 * beside it close it, and the focus goes back to where it was. What is in it gets the function that
 * closes it.
 */
import {h} from 'preact';
import {useLayoutEffect, useRef} from 'preact/hooks';
import {HEIGHT, useLayer} from './use_layer.js';

/** @param {{id: string, title: string, closeName: string, className?: string, onClose: () => void,
 *   drop?: boolean, children: (close: () => void) =>
 *   import('preact').ComponentChildren}} props   id: of its title; closeName: what × is called; drop: it
 *     closes when something is dropped on it */
export function Dialog({id, title, closeName, className = '', onClose, drop, children}) {
    const root = useRef(/** @type {HTMLDialogElement | null} */ (null));
    useLayoutEffect(() => root.current?.showModal(), []);
    // closed, it is drawn still until its event has come: the next Escape is not for it
    const isOpen = () => root.current?.open === true;
    useLayer(true, {
        height: HEIGHT.dialog,
        over: isOpen,
        native: true,
        escape: isOpen,
        dialog: () => root.current,
    });
    const close = () => root.current?.close();
    return h(
        'dialog',
        {
            ...{ref: root, class: `dialog ${className}`, 'aria-labelledby': id, onClose},
            ...(drop && {onDrop: close}),
        },
        h('button', {type: 'button', class: 'x', 'aria-label': closeName, onClick: close}, '×'),
        h('h2', {id}, title),
        children(close),
    );
}
