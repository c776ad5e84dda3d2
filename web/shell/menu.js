/* menu - a button that opens a short list below itself: a <details> that a press beside it, Escape (both:
 * topmost.js) and (where wanted) a choice in it close. No ARIA menu: what stands in it are plain
 * buttons, fields and sentences.
 */
import {h} from 'preact';
import {useEffect} from 'preact/hooks';

/** @param {{label: import('preact').ComponentChild, name?: string, className?: string, children?:
 *     import('preact').ComponentChildren}} props   name: what is read out in place of the label */
export function Menu({label, name, className = '', children}) {
    useEffect(() => {
        import('./topmost.js').then(({closeTopmost}) => closeTopmost());
    }, []);
    return h(
        'details',
        {class: `menu ${className}`},
        h('summary', {'aria-label': name}, label),
        h('div', {class: 'sheet'}, children),
    );
}

/** Closes the menu in which a press happened. @param {Event} event */
export const closeMenu = ({currentTarget}) =>
    /** @type {Element} */ (currentTarget).closest('details')?.removeAttribute('open');
