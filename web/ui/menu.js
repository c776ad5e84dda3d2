/* menu - a button that opens a short list below itself: a <details> that a press beside it, Escape
 * and (where wanted) a choice in it close. No ARIA menu: what stands in it are plain buttons, fields
 * and sentences.
 */
import {h} from 'preact';
import {useEffect, useRef} from 'preact/hooks';

/** @param {{label: import('preact').ComponentChild, name?: string, className?: string, children?:
 *     import('preact').ComponentChildren}} props   name: what is read out in place of the label */
export function Menu({label, name, className = '', children}) {
    const root = useRef(/** @type {HTMLDetailsElement | null} */ (null));
    useEffect(() => {
        const press = (/** @type {Event} */ {target}) => {
            if (root.current?.open && !root.current.contains(/** @type {Node} */ (target)))
                root.current.open = false;
        };
        document.addEventListener('pointerdown', press);
        return () => document.removeEventListener('pointerdown', press);
    }, []);
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape' || !root.current?.open) return;
        event.stopPropagation();
        root.current.open = false;
        root.current.querySelector('summary')?.focus();
    };
    return h(
        'details',
        {class: `menu ${className}`, ref: root, onKeyDown},
        h('summary', {'aria-label': name}, label),
        h('div', {class: 'sheet'}, children),
    );
}

/** Closes the menu in which a press happened. @param {Event} event */
export const closeMenu = ({currentTarget}) =>
    /** @type {Element} */ (currentTarget).closest('details')?.removeAttribute('open');
