/* figure - the frame around a view: its width, and which token the reader points at. Pointing (mouse), focus
 * (keyboard) and tapping all come to the same: `hover` lasts as long as the pointer stays, `pinned` until it is
 * pressed again, Escape, or a press elsewhere; the figure shows hover, else pinned.
 */
import {Component, h} from 'preact';
import {Canvas} from './canvas.js';

/**
 * @typedef {import('../views/view.js').Focus} Focus
 * @typedef {import('../views/view.js').ViewState} ViewState
 * @typedef {import('../views/view.js').Computed & {theme: string}} Data
 * @typedef {{view: import('../views/view.js').View, state: ViewState, data: Data}} Drawable
 * @typedef {Drawable & {t: import('./app.js').Texts, busy: boolean, set: (patch: Partial<ViewState>) => void}} Props
 * @typedef {{hover: Focus | null, pinned: Focus | null, cursor: Focus | null, width: number,
 *   byKey: boolean, pass?: object}} State
 *   cursor: the token that Tab reaches; byKey: hover came from the keyboard, so the numbers are read out
 */

const SIDES = new Map([['ArrowLeft', 'query'], ['ArrowRight', 'key']]);
const STEPS = new Map([['ArrowDown', 1], ['ArrowUp', -1]]);

/** @param {Focus | null | undefined} a @param {Focus | null | undefined} b */
const same = (a, b) => a?.side === b?.side && a?.index === b?.index;

/** The token button at or around a target. @param {EventTarget | null} target @returns {HTMLElement | null} */
const tokenOf = target => target instanceof Element ? target.closest('[data-index]') : null;

/** @param {EventTarget | null} target @returns {Focus | null} */
function spotOf(target) {
    const {side, index} = tokenOf(target)?.dataset ?? {};
    return side === undefined ? null : {side, index: Number(index)};
}

/** The token that a key leads to. @param {HTMLElement} token @param {string} key @returns {Element | undefined} */
function neighbour(token, key) {
    const column = [...token.parentElement?.children ?? []];
    const row = column.indexOf(token);
    const step = STEPS.get(key);
    if (step) return column[row + step];
    if (key === 'Home') return column[0];
    if (key === 'End') return column[column.length - 1];
    const side = SIDES.get(key);
    if (!side || side === token.dataset.side) return undefined;
    const other = [...token.closest('.columns')?.querySelectorAll(`[data-side="${side}"]`) ?? []];
    return other[Math.min(row, other.length - 1)];
}

/** @extends {Component<Props, State>} */
export class Figure extends Component {
    /** @type {State} */
    state = {hover: null, pinned: null, cursor: null, width: 0, byKey: false};
    root = /** @type {HTMLElement | null} */ (null);
    wanted = /** @type {Focus | null} */ (null);
    frame = 0;
    sizes = new ResizeObserver(([entry]) => this.setState({width: Math.floor(entry.contentRect.width)}));

    /** Other tokens: nothing of the old ones is chosen. @param {Props} props @param {State} state */
    static getDerivedStateFromProps({data: {pass}}, state) {
        return state.pass === pass ? null : {pass, hover: null, pinned: null, cursor: null};
    }

    componentDidMount() {
        if (this.root) this.sizes.observe(this.root);
        document.addEventListener('pointerdown', this.pressAnywhere);
        document.addEventListener('keydown', this.keyAnywhere);
    }

    componentWillUnmount() {
        this.sizes.disconnect();
        cancelAnimationFrame(this.frame);
        document.removeEventListener('pointerdown', this.pressAnywhere);
        document.removeEventListener('keydown', this.keyAnywhere);
    }

    /** Nothing is drawn anew when nothing was chosen: that would take back the press on a view's own radio button. */
    release() {
        if (this.state.hover || this.state.pinned) this.setState({hover: null, pinned: null});
    }

    /** A press outside lets the token go, but not one on the controls or on its numbers. */
    pressAnywhere = (/** @type {PointerEvent} */ {target}) => {
        if (!(target instanceof Element) || !this.state.pinned) return;
        if (!this.root?.contains(target) && !target.closest('.aside, .rail')) this.release();
    };

    keyAnywhere = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        const {hover, pinned, byKey} = this.state;
        const {view, state, set} = this.props;
        const writing = event.target instanceof Element && event.target.closest('textarea, select');
        const change = pinned || (hover && byKey) || writing ? null : view.escape?.(state);
        if (change) set(change);
        else if (hover || pinned) this.release();
    };

    /** At most one change a frame, however many events come. */
    point = (/** @type {PointerEvent} */ event) => {
        if (event.pointerType === 'touch') return;
        this.wanted = event.type === 'pointerleave' ? null : spotOf(event.target);
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            if (!same(this.wanted, this.state.hover)) this.setState({hover: this.wanted, byKey: false});
        });
    };

    press = (/** @type {MouseEvent} */ event) => {
        const spot = spotOf(event.target);
        if (!spot) return this.release();
        const pinned = same(spot, this.state.pinned) ? null : spot;
        this.setState({pinned, cursor: spot, hover: pinned && this.state.hover});
    };

    focus = (/** @type {FocusEvent} */ {target}) => {
        const spot = spotOf(target);
        if (spot && tokenOf(target)?.matches(':focus-visible')) this.setState({cursor: spot, hover: spot, byKey: true});
    };

    blur = () => this.setState({hover: null});

    move = (/** @type {KeyboardEvent} */ event) => {
        const token = tokenOf(event.target);
        if (!token || event.altKey || event.ctrlKey || event.metaKey) return;
        const next = neighbour(token, event.key);
        if (!(next instanceof HTMLElement)) return;
        event.preventDefault();
        next.focus();
    };

    keep = (/** @type {HTMLElement | null} */ root) => { this.root = root; };

    /** @param {Props} props @param {State} state */
    render({view, state, data, t, busy, set}, {hover, pinned, cursor, width, byKey}) {
        const focus = hover ?? pinned;
        const full = {...data, t, width, focus, pinned, cursor};
        return [
            h('div', {key: 'figure', class: 'figure', role: 'group', 'aria-label': t.figureLabel, 'aria-busy': busy,
                'aria-describedby': 'describe figure-help', ref: this.keep, onClick: this.press, onKeyDown: this.move,
                onPointerMove: this.point, onPointerLeave: this.point, onFocusIn: this.focus, onFocusOut: this.blur},
            h('p', {class: 'hidden', id: 'describe'}, view.describe(state, data, t)),
            h('p', {class: 'hidden', id: 'figure-help'}, t.canvasHelp),
            width > 0 && view.render(state, full, {Canvas, set})),
            h('aside', {key: 'aside', class: focus && view.panel ? 'aside chosen' : 'aside', 'aria-label': t.panelLabel},
                h('div', {class: 'how'}, view.howTo(t, state).map(line => h('p', {key: line}, line))),
                h('div', {'aria-live': byKey ? 'polite' : 'off'}, focus && view.panel?.(state, full, t))),
        ];
    }
}
