/* light - one colour a quantity: a symbol of an equation and what it stands for in the figure light
 * each other. What is pointed at, or has the keyboard, puts its quantity on the document as data-lit;
 * style.css says what that does to the others. In a figure the quantity is the class of-<quantity>
 * of a heading (draw/blocks/rows.js, the steps view), and of all that stands in its column.
 */
import {h} from 'preact';

const QUANTITIES = ['query', 'key', 'product', 'score', 'weight', 'value', 'output'];

/** @param {string | null} quantity */
export function light(quantity) {
    const {dataset} = document.documentElement;
    if (quantity) dataset.lit = quantity;
    else delete dataset.lit;
}

/** A symbol that lights its quantity. @param {string} quantity @param {string} name */
export const symbol = (quantity, name) =>
    h(
        'span',
        {
            class: `symbol of-${quantity}`,
            'data-quantity': quantity,
            tabIndex: 0,
            onPointerEnter: () => light(quantity),
            onPointerLeave: () => light(null),
            onFocus: () => light(quantity),
            onBlur: () => light(null),
        },
        name,
    );

/** Which quantity an element of the figure belongs to. @param {EventTarget | null} target */
function quantityAt(target) {
    const element = target instanceof Element ? target.closest('.figure [class*="of-"]') : null;
    const name = /(?:^|\s)of-(\w+)/.exec(element?.getAttribute('class') ?? '')?.[1];
    return name && QUANTITIES.includes(name) ? name : null;
}

/** The other way round: pointing at the figure lights the symbols. @returns {() => void} ends it */
export function followFigure() {
    const follow = (/** @type {Event} */ {target}) => {
        const inLesson = target instanceof Element && target.closest('.lesson');
        if (!inLesson) light(quantityAt(target));
    };
    document.addEventListener('pointerover', follow);
    return () => {
        document.removeEventListener('pointerover', follow);
        light(null);
    };
}
