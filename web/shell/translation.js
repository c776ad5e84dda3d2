/* translation - another program that changes the page's words, as a browser's translation does. It puts
 * an element in the place of a text; Preact holds the text still, and would change, move or take away what nobody
 * sees. Here such a text comes back, empty, behind what stands for it, and with the next that becomes of the text
 * what stood for it goes. Tokens, numbers, names of heads and pictures say that they are not to be translated.
 */
import {options} from 'preact';

const PLAIN = /^(?:[LH]\d+|\[[A-Z]+\]|\P{L})+$/u; // numbers, signs, names of heads and of added tokens
const GIVEN = /^(?:bdi|mark|code|pre)$/; // what the reader has typed, and what a model makes of it

/** Whether nobody may translate it. A sentence in a <bdi> has a lang attribute, or says that it is one.
 * @param {any} type @param {any} props */
const isOurs = (type, {children, lang, translate, xmlns}) =>
    type === 'svg'
        ? !xmlns // a file says so itself
        : !translate &&
          ((GIVEN.test(type) && !lang) ||
              typeof children === 'number' ||
              (typeof children === 'string' && PLAIN.test(children)));

/** In capitals it is an attribute to Preact; as a property it would be true for every word.
 * @param {import('preact').VNode<any>} vnode */
const mark = ({type, props}) => {
    if (typeof type === 'string' && isOurs(type, props))
        props[type === 'svg' ? 'translate' : 'TRANSLATE'] = 'no';
};

/** Texts that are empty: what they said, and what stands for them, right before each.
 * @type {WeakMap<Node, {said: string, instead: ChildNode}>} */
const covered = new WeakMap();
/** What stands for a text, and the text. @type {WeakMap<Node, Node>} */
const standing = new WeakMap();

/** @param {Node} text of ours @param {boolean} [back] it says again what it said */
function uncover(text, back) {
    const {said, instead} = covered.get(text) ?? {};
    covered.delete(text);
    instead?.remove();
    if (back) text.nodeValue = said ?? '';
}

/** What another program has put in the place of a text, at once or in two steps.
 * @param {MutationRecord} record @param {Set<Node>} fresh what was added meanwhile */
const insteadOf = ({addedNodes: [added], previousSibling, nextSibling}, fresh) =>
    /** @type {ChildNode | undefined} */ (
        added ??
            [previousSibling, nextSibling].find(
                one => one?.nodeName === 'FONT' && fresh.has(one) && !standing.has(one),
            )
    );

/** @param {Node} text @param {ChildNode} instead @param {string} said */
function cover(text, instead, said) {
    covered.set(text, {said, instead});
    standing.set(instead, text);
}

/** @param {Node} node that was taken away @param {MutationRecord} record @param {Set<Node>} fresh */
function taken(node, record, fresh) {
    const instead = insteadOf(record, fresh);
    const text = standing.get(node);
    const one = text && covered.get(text);
    if (covered.has(node)) uncover(node, true);
    else if (one && one.instead === node) {
        if (instead) cover(text, instead, one.said);
        else uncover(text, true);
    } else if (
        node.nodeType === Node.TEXT_NODE &&
        !node.parentNode &&
        instead?.nodeType === Node.ELEMENT_NODE &&
        instead.parentNode
    ) {
        cover(node, instead, node.nodeValue ?? '');
        node.nodeValue = '';
        instead.after(node);
    }
}

/** What Preact puts before a text is also before what stands for it. @param {Node | null} text */
function together(text) {
    const {instead} = (text && covered.get(text)) ?? {};
    if (instead?.parentNode && text?.previousSibling !== instead)
        /** @type {ChildNode} */ (text).before(instead);
}

/** @param {Element} root in which Preact draws */
export function keepTexts(root) {
    options.vnode = mark;
    const observer = new MutationObserver(records => {
        const fresh = new Set(records.flatMap(({addedNodes}) => [...addedNodes]));
        for (const {type, target} of records)
            if (type === 'characterData' && covered.has(target)) uncover(target);
        for (const record of records) {
            for (const node of record.removedNodes) taken(node, record, fresh);
            together(record.nextSibling);
        }
        observer.takeRecords();
    });
    observer.observe(root, {childList: true, subtree: true, characterData: true});
}
