/* menu - a button that opens a short list below itself: a <details> that a press beside it, Escape and
 * (where wanted) a choice in it close. It ends within the window: what is longer is scrolled in it.
 * No ARIA menu: it has plain buttons, fields and sentences.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {layers} from './layers.js';
import {HEIGHT, useLayer} from './use_layer.js';

/** @param {{label: import('preact').ComponentChild, name?: string, className?: string, children?:
 *     import('preact').ComponentChildren}} props   name: what is read out in place of the label */
export function Menu({label, name, className = '', children}) {
    const root = useRef(/** @type {any} */ (null));
    // A layer also while it is shut: on a busy machine `toggle` comes after a key that was pressed later.
    const isOpen = () => root.current.open;
    useLayer(true, {
        height: HEIGHT.menu,
        over: isOpen,
        back: isOpen,
        escape() {
            const {current: menu} = root;
            if (!menu.open) return false;
            menu.open = false;
            menu.firstChild.focus();
            return true;
        },
        pressed(target) {
            if (!root.current.contains(target)) root.current.open = false;
        },
    });
    const onToggle = () => {
        const {current: menu} = root;
        layers.changed();
        if (!menu.open) return;
        const sheet = menu.lastChild;
        const {top} = sheet.getBoundingClientRect();
        sheet.style.maxHeight = `max(280px, ${innerHeight - top - 8}px)`;
        sheet.scrollIntoView({block: 'nearest'});
    };
    return h(
        'details',
        {ref: root, class: `menu ${className}`, onToggle},
        h('summary', {'aria-label': name}, label),
        h('div', {class: 'sheet'}, children),
    );
}

/** Closes the menu in which a press happened. @param {Event} event */
export const closeMenu = ({currentTarget}) =>
    /** @type {Element} */ (currentTarget).closest('details')?.removeAttribute('open');
