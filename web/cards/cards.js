/* cards - opens the card of a head (card.js) wherever one is named, and the glossary's sentence of a term,
 * and closes them again. What carries data-card="layer.head" or data-term="id" opens, and Query and Key above
 * the head view's picture: names and terms by pointing, focus or a press; buttons that do something else already (chips, thumbnails, rows) by the mark
 * that stands at them while they are pointed at, by I, or by a long touch. Fetched when the first picture is
 * there. At most one is open.
 */
import {Component, h} from 'preact';
import {useEffect} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {useWords} from '../shell/hooks.js';
import {HEIGHT, closeLayer, openLayer} from '../shell/layers.js';
import {nameIn} from '../lessons/number.js';
import {HeadCard} from './card.js';
import {marked} from './marks.js';
import {placed} from './place.js';

/**
 * @import {Place} from './facts.js'
 * @typedef {import('../base/shared.js').Shared & {session: import('../session/session.js').Session, words:
 *     import('../words/languages.js').Cards}} Props
 * @typedef {{place: Place | null, term: string, anchor: HTMLElement, box: DOMRect, pinned: boolean}} Open   box:
 *     where the anchor was; pinned: it stays when the pointer leaves
 * @typedef {{open: Open | null, at: HTMLElement | null, style: Record<string, string>, markStyle: Record<string,
 *     string>}} State   at: the button that the mark stands at
 */

const [CARD_MS, TERM_MS, AWAY_MS, TOUCH_MS] = [450, 200, 300, 550];
const SCROLLED = 40; // px that a term has moved: it has been scrolled away
const AXES = '.axis > span'; // Query and Key above the head view's picture
const NAMES = `.head-name[data-card], [data-term], ${AXES}`;
const HIDDEN = {left: '0', top: '0', visibility: 'hidden'};

/** @param {EventTarget | null} target @param {string} selector @returns {HTMLElement | null} */
const closest = (target, selector) => (target instanceof Element ? target.closest(selector) : null);

/** @param {HTMLElement} anchor @returns {Place | null} */
function placeOf({dataset: {card}}) {
    const [layer, head] = (card ?? '').split('.').map(Number);
    return Number.isInteger(layer) && Number.isInteger(head) ? {layer, head} : null;
}

/** The glossary's term that an anchor names, '' for none. @param {HTMLElement} anchor */
const termOf = anchor =>
    anchor.dataset.term ??
    (anchor.matches(AXES) ? (closest(anchor, '.axis.query') ? 'query' : 'key') : '');

/** @extends {Component<Props, State>} */
export class Cards extends Component {
    /** @type {State} */
    state = {open: null, at: null, style: HIDDEN, markStyle: HIDDEN};
    root = /** @type {HTMLElement | null} */ (null);
    timer = 0;
    touch = 0;
    /** After a long touch the press that ends it is not one of the button. */
    swallow = false;
    /** A card that was asked for with a key takes the focus, once it is seen: hidden it cannot. */
    takesFocus = false;

    /** What is open is the topmost layer; what a term says is too small to lie over the page.
     * @type {import('../shell/layers.js').Layer} */
    layer = {
        height: HEIGHT.card,
        card: true,
        over: () => Boolean(this.state.open?.place),
        escape: () => this.state.open !== null && (this.close(), true),
    };

    /** @type {[string, (event: any) => void][]} */
    heard = [
        ['pointerover', event => this.over(event)],
        ['pointerdown', event => this.down(event)],
        ['pointerup', () => this.ended()],
        ['pointercancel', () => this.ended()],
        ['scroll', () => this.scrolled()],
        ['click', event => this.click(event)],
        ['focusin', event => this.focus(event)],
        ['keydown', event => this.key(event)],
    ];

    componentDidMount() {
        for (const [type, listener] of this.heard) document.addEventListener(type, listener, true);
    }

    componentWillUnmount() {
        for (const [type, listener] of this.heard)
            document.removeEventListener(type, listener, true);
        clearTimeout(this.timer);
        clearTimeout(this.touch);
        closeLayer(this.layer);
    }

    /** What it was opened at may be gone with what was shown. @param {Props} _ @param {State} before */
    componentDidUpdate(_, before) {
        const {open, at, style} = this.state;
        if (open && !before.open) openLayer(this.layer);
        if (!open && before.open) closeLayer(this.layer);
        if (at && !at.isConnected) this.setState({at: null});
        if (open && !open.pinned && !open.anchor.isConnected) return this.close();
        if (open?.term && open !== before.open)
            open.anchor.setAttribute('aria-describedby', 'term-tip');
        if (before.open && before.open !== open)
            before.open.anchor.removeAttribute('aria-describedby');
        if (open && this.root && (open !== before.open || style === HIDDEN)) this.put(open);
        else if (open && this.root && this.takesFocus) {
            this.takesFocus = false;
            this.root.focus();
        }
    }

    /** Where there is room for it. @param {Open} open */
    put({anchor, box, term}) {
        const at = anchor.isConnected ? anchor.getBoundingClientRect() : box;
        if (this.root) this.setState({style: placed(at, this.root, term !== '')});
    }

    /** @param {HTMLElement} anchor @param {boolean} pinned */
    open(anchor, pinned) {
        clearTimeout(this.timer);
        const place = placeOf(anchor);
        const term = termOf(anchor);
        const {layers = 0, heads = 0} = this.props.shown.model ?? {};
        if (!term && !(place && place.layer < layers && place.head < heads)) return;
        const box = anchor.getBoundingClientRect();
        this.takesFocus = false;
        this.setState({
            open: {place: term ? null : place, term, anchor, box, pinned},
            style: HIDDEN,
        });
    }

    close = () => {
        clearTimeout(this.timer);
        const {open} = this.state;
        const inside = this.root?.contains(document.activeElement);
        this.setState({open: null, style: HIDDEN});
        if (inside && open?.anchor.isConnected) open.anchor.focus({preventScroll: true});
    };

    /** @param {number} ms @param {() => void} action */
    later(ms, action) {
        clearTimeout(this.timer);
        this.timer = setTimeout(action, ms);
    }

    /** @param {PointerEvent} event */
    over({target, pointerType}) {
        if (pointerType === 'touch') return;
        const {open} = this.state;
        const name = closest(target, NAMES);
        if (name && name !== open?.anchor && !open?.pinned)
            this.later(termOf(name) ? TERM_MS : CARD_MS, () => this.open(name, false));
        else if (
            open &&
            (name === open.anchor || this.root?.contains(/** @type {Node} */ (target)))
        )
            clearTimeout(this.timer);
        else if (open && !open.pinned) this.later(AWAY_MS, this.close);
        else clearTimeout(this.timer);
        this.markAt(closest(target, '[data-card]:not(.head-name)'), target);
    }

    /** The mark stands at what is pointed at, and stays while it is pointed at itself.
     * @param {HTMLElement | null} button @param {EventTarget | null} target */
    markAt(button, target) {
        if (closest(target, '.card-mark') || button === this.state.at) return;
        if (!button) return this.setState({at: null});
        const {right, top} = button.getBoundingClientRect();
        this.setState({
            at: button,
            markStyle: {left: `${right + scrollX - 10}px`, top: `${top + scrollY - 8}px`},
        });
    }

    /** A press beside it closes it; in what a term says there is nothing to press.
     * @param {PointerEvent} event */
    down({target, pointerType}) {
        this.swallow = false;
        const {open} = this.state;
        const inside = open?.place && this.root?.contains(/** @type {Node} */ (target));
        if (open && !inside && !closest(target, NAMES)) this.close();
        const button = pointerType === 'touch' && closest(target, '[data-card]:not(.head-name)');
        if (!button) return;
        this.touch = setTimeout(() => {
            this.swallow = true;
            this.open(button, true);
        }, TOUCH_MS);
    }

    ended() {
        clearTimeout(this.touch);
    }

    /** What a term says goes when the term is scrolled away; a card stays, it may be long. */
    scrolled() {
        this.ended();
        const {open} = this.state;
        if (!open?.term) return;
        const {left, top} = open.anchor.getBoundingClientRect();
        if (Math.hypot(left - open.box.left, top - open.box.top) > SCROLLED) this.close();
    }

    /** @param {MouseEvent} event */
    click(event) {
        if (this.swallow) {
            this.swallow = false;
            event.preventDefault();
            event.stopPropagation();
            return;
        }
        const name = closest(event.target, NAMES);
        if (!name || this.root?.contains(name)) return;
        const {open} = this.state;
        if (open?.anchor === name && open.pinned) this.close();
        else this.open(name, true);
        event.stopPropagation();
    }

    /** @param {FocusEvent} event */
    focus({target}) {
        const term = closest(target, '[data-term]');
        if (term?.matches(':focus-visible')) return this.open(term, false);
        const {open} = this.state;
        if (open?.term && !term && !open.pinned) this.close();
        const button = closest(target, '[data-card]:not(.head-name)');
        if (button?.matches(':focus-visible')) this.markAt(button, target);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const plain = !event.altKey && !event.ctrlKey && !event.metaKey;
        const button = closest(event.target, '[data-card]');
        const opens =
            event.key.toLowerCase() === 'i' || (event.key === 'Enter' && event.target === button);
        if (!plain || !button || !opens || (event.key === 'Enter' && !button.matches('.head-name')))
            return;
        event.preventDefault();
        event.stopPropagation();
        this.open(button, true);
        this.takesFocus = true;
    }

    /** It grows when its numbers come. */
    sizes = new ResizeObserver(() => this.state.open && this.put(this.state.open));

    keep = (/** @type {HTMLElement | null} */ root) => {
        this.sizes.disconnect();
        this.root = root;
        if (root) this.sizes.observe(root);
    };

    /** The mark at a button whose press does something else. */
    mark() {
        const {words, state} = this.props;
        const {at, markStyle} = this.state;
        const place = at?.isConnected ? placeOf(at) : null;
        if (!at || !place) return null;
        return buttonOf(
            'card-mark',
            {
                key: 'mark',
                tabIndex: -1,
                'aria-label': words.card.mark(nameIn([place.layer, place.head], state)),
                style: markStyle,
                onClick: () => this.open(at, true),
            },
            'i',
        );
    }

    /** @param {Props} props @param {State} state */
    render({words, ...props}, {open, style}) {
        const says = open?.term && words.glossary.terms.find(({id}) => id === open.term)?.says;
        return h(
            'div',
            {'data-cards': ''},
            this.mark(),
            says &&
                h(
                    'div',
                    {
                        key: 'tip',
                        ref: this.keep,
                        id: 'term-tip',
                        class: 'term-tip',
                        role: 'tooltip',
                        style,
                    },
                    says,
                ),
            open?.place &&
                h(HeadCard, {
                    key: 'card',
                    ...props,
                    words: words.card,
                    place: open.place,
                    go: place => this.setState({open: {...open, place, pinned: true}}),
                    close: this.close,
                    keep: this.keep,
                    style,
                }),
        );
    }
}

/** The cards with their words, once these are here; lends the page what marks its own.
 * @param {Omit<Props, 'words'> & {lend: (mark: () => (t: any) => any) => void}} props */
export function Marked({lend, ...props}) {
    const words = useWords(props.t.code, 'cards', true);
    useEffect(() => {
        if (words) lend(() => t => marked(t, words));
    }, [words]);
    return words && h(Cards, {...props, words});
}
