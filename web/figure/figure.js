/* figure - the frame around a view: its width, and which token the reader points at. Pointing
 * (mouse), focus (keyboard) and tapping all come to the same: `hover` lasts as long as the pointer
 * stays, `pinned` until it is pressed again, Escape, or a press beside everything; the figure shows
 * hover, else pinned. In views that edit, pinned tokens are part of the page's state; Shift adds
 * one, and a double press or M masks it: the first of two presses pins at once, and the second puts
 * the pinned tokens back as they were.
 */
import {Component, h} from 'preact';
import {pick, toggleMask} from '../views/parts/select.js';
import {Canvas} from './canvas.js';
import {layers, openLayer} from '../shell/layers.js';
import {neighbour, positionsAt, same, spotOf, tokenOf} from '../shell/spots.js';

/**
 * @import {Focus, ViewState} from '../views/view.js'
 * @typedef {import('../views/view.js').Computed & {theme: string}} Data
 * @typedef {{view: import('../views/view.js').View, state: ViewState, data: Data}} Drawable
 * @typedef {Drawable & {t: import('../base/shared.js').Texts, busy: boolean, peek: number, frozen?: boolean,
 *   help?: boolean, sheet?: typeof import('../shell/use_layer.js').LayerHere | null, suffix?: string, of?: string, linked?: Focus | null, onHover?: (focus: Focus | null) => void,
 *   set: (patch: Partial<ViewState>) => void}} Props   help: whether it is said how to read the picture; sheet: where the numbers of a token are a sheet over the page, its layer; for two figures on a page (beside.js): suffix: of
 *     ids; linked: the token pointed at in the other one
 * @typedef {{hover: Focus | null, pinned: Focus | null, cursor: Focus | null, width: number,
 *     several: boolean,
 *   byKey: boolean, tokens: readonly {id: number, from: number}[]}} State pinned: in views that do
 *   not edit; cursor: the token that Tab reaches; byKey: hover came from the keyboard, so the
 *   numbers are read out
 */

const DOUBLE_MS = 400;
const USED =
    'a, button, input, select, textarea, label, summary, .rail, .aside, .below, .top, .tools, .notices';

/** @param {State['tokens']} a @param {State['tokens']} b */
const sameTokens = (a, b) =>
    a === b ||
    (a.length === b.length && a.every(({id, from}, i) => id === b[i].id && from === b[i].from));

/** The pinned token that stands for all; a link may name some that the text does not have.
 * @param {ViewState} state @param {number} count of tokens @returns {Focus | null} */
function pinnedOf({picked, side, token}, count) {
    const known = picked.filter(index => index < count);
    return known.length ? {side, index: known.includes(token) ? token : known[0]} : null;
}

/** @extends {Component<Props, State>} */
export class Figure extends Component {
    /** @type {State} */
    state = {
        hover: null,
        pinned: null,
        cursor: null,
        width: 0,
        several: false,
        byKey: false,
        tokens: [],
    };
    #root = /** @type {HTMLElement | null} */ (null);
    #wanted = /** @type {Focus | null} */ (null);
    #frame = 0;
    /** The last press, and what was pinned before it. */
    #last = {
        spot: /** @type {Focus | null} */ (null),
        time: 0,
        before: /** @type {Partial<ViewState>} */ ({}),
    };
    #sizes = new ResizeObserver(
        ([
            {
                contentRect: {width},
            },
        ]) => {
            if (width) this.setState({width: Math.floor(width)});
        },
    );

    /** Other tokens: nothing of the old ones is pointed at. @param {Props} props
     * @param {State} state */
    static getDerivedStateFromProps(
        {
            data: {
                pass: {tokens},
            },
        },
        state,
    ) {
        return sameTokens(state.tokens, tokens)
            ? null
            : {tokens, hover: null, pinned: null, cursor: null};
    }

    componentDidMount() {
        if (this.#root) {
            // at once: what stands below must not jump a frame later
            this.setState({width: this.#root.clientWidth});
            this.#sizes.observe(this.#root);
        }
        openLayer(this);
    }

    /** @param {Props} _ @param {State} before */
    componentDidUpdate(_, before) {
        if (before.hover !== this.state.hover) this.props.onHover?.(this.state.hover);
    }

    componentWillUnmount() {
        this.#sizes.disconnect();
        cancelAnimationFrame(this.#frame);
        layers.delete(this);
    }

    /** Nothing is drawn anew when nothing was chosen: that would take back the press on a view's own
     * radio button. */
    #release = () => {
        const {hover, pinned, several} = this.state;
        if (hover || pinned || several) this.setState({hover: null, pinned: null, several: false});
        if (this.#edits() && this.props.state.picked.length)
            this.props.set({picked: [], token: -1});
    };

    #edits = () => this.props.view.edits?.(this.props.state) ?? false;

    /** The pinned token, or the one that stands for several. @returns {Focus | null} */
    #pinned() {
        const {state, data} = this.props;
        return this.#edits() ? pinnedOf(state, data.pass.tokens.length) : this.state.pinned;
    }

    /** A press on nothing lets the tokens go, but not one on what can be used. */
    released = (/** @type {Element} */ target) => {
        if (this.#pinned() && !this.#root?.contains(target) && !target.closest(USED))
            this.#release();
    };

    /** Two figures obey both: neither takes it from the other. */
    escape = (/** @type {Element} */ _, /** @type {boolean} */ writing) => {
        const {hover, byKey} = this.state;
        const {view, state, set} = this.props;
        const pinned = this.#pinned();
        const change = pinned || (hover && byKey) || writing ? null : view.escape?.(state);
        if (change) set(change);
        else if (hover || pinned) this.#release();
    };

    /** At most one change a frame, however many events come. */
    #point = (/** @type {PointerEvent} */ event) => {
        if (event.pointerType === 'touch') return;
        this.#wanted = event.type === 'pointerleave' ? null : spotOf(event.target);
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            if (!same(this.#wanted, this.state.hover))
                this.setState({hover: this.#wanted, byKey: false});
        });
    };

    /** Pinned when the visit began, and its numbers are not in sight yet. @param {Focus} spot */
    #opens = spot =>
        same(spot, this.#pinned()) &&
        !same(spot, this.state.pinned) &&
        this.#root?.parentElement?.querySelector('.panel')?.getClientRects().length === 0;

    /** @param {Focus} spot @param {boolean} add */
    #pin(spot, add) {
        const {state, set} = this.props;
        const {picked, side, token} = state;
        const next = pick(state, spot, add);
        const on = this.#edits()
            ? next.picked.includes(spot.index)
            : !same(spot, this.state.pinned);
        this.#last = {...this.#last, before: {picked, side, token}};
        if (this.#edits()) set(next);
        this.setState({
            cursor: spot,
            pinned: on ? spot : null,
            hover: on ? this.state.hover : null,
        });
    }

    /** @param {Element} token @param {Partial<ViewState>} [before] what was pinned */
    #mask(token, before) {
        const {state, set, frozen} = this.props;
        if (!frozen) set({...before, masked: toggleMask(state.masked, positionsAt(token))});
    }

    #press = (/** @type {MouseEvent} */ event) => {
        const token = tokenOf(event.target);
        const spot = spotOf(event.target);
        if (!token || !spot) return this.#pressBeside(event);
        if (this.#opens(spot)) return this.setState({pinned: spot});
        const last = this.#last;
        const add = event.shiftKey || this.state.several;
        if (
            this.#edits() &&
            !this.props.frozen &&
            !add &&
            event.detail > 0 &&
            same(spot, last.spot) &&
            event.timeStamp - last.time < DOUBLE_MS
        ) {
            this.#last = {spot: null, time: 0, before: {}};
            return this.#mask(token, last.before);
        }
        this.#last = {...last, spot: add ? null : spot, time: event.timeStamp};
        this.#pin(spot, add);
    };

    /** Between the columns. @param {MouseEvent} event */
    #pressBeside({target}) {
        if (target instanceof Element && !target.closest(USED)) this.#release();
    }

    #focus = (/** @type {FocusEvent} */ {target}) => {
        const spot = spotOf(target);
        if (spot && tokenOf(target)?.matches(':focus-visible'))
            this.setState({cursor: spot, hover: spot, byKey: true});
    };

    #blur = () => this.setState({hover: null});

    #move = (/** @type {KeyboardEvent} */ event) => {
        const token = tokenOf(event.target);
        if (!token || event.altKey || event.ctrlKey || event.metaKey) return;
        const spot = spotOf(token);
        const edits = this.#edits() && spot;
        const next = neighbour(token, event.key);
        if (edits && event.key === 'Enter' && event.shiftKey) this.#pin(spot, true);
        else if (edits && event.key.toLowerCase() === 'm' && !event.repeat) this.#mask(token);
        else if (next instanceof HTMLElement) next.focus({focusVisible: true});
        else return;
        event.preventDefault();
    };

    #several = (/** @type {boolean} */ several) => this.setState({several});

    #keep = (/** @type {HTMLElement | null} */ root) => {
        this.#root = root;
    };

    /** What stands beside the picture: how it is read, and the numbers of the token that is pointed at.
     * @param {Focus | null} focus @param {import('../views/view.js').ViewData} full
     * @param {import('../views/view.js').On} on */
    #beside(focus, full, on) {
        const {view, state, t, help = true, sheet, of = ''} = this.props;
        if (!help && !view.panel && !view.beside) return null;
        const chosen = focus && view.panel;
        return h(
            'aside',
            {
                key: 'aside',
                class: `aside${chosen ? ' chosen' : ''}${same(this.state.pinned, focus) ? ' pressed' : ''}`,
                'aria-label': of ? `${t.panelLabel}: ${of}` : t.panelLabel,
            },
            sheet &&
                view.panel &&
                this.#pinned() &&
                h(sheet, {back: () => true, cover: this.#release}),
            help &&
                h(
                    'div',
                    {class: 'how'},
                    view.howTo(t, state).map(line => h('p', {key: line}, line)),
                ),
            view.beside?.(state, full, t, on),
            !help &&
                !chosen &&
                view.panel &&
                h('p', {class: 'how hint'}, t.pointHint, ' ', view.cells?.(t)),
            h(
                'div',
                {'aria-live': this.state.byKey ? 'polite' : 'off'},
                chosen?.(state, full, t, on),
            ),
        );
    }

    /** Where the pointer and the keys are heard. */
    #heard() {
        return {
            ref: this.#keep,
            onClick: this.#press,
            onKeyDown: this.#move,
            onPointerMove: this.#point,
            onPointerLeave: this.#point,
            onFocusIn: this.#focus,
            onFocusOut: this.#blur,
        };
    }

    /** @param {Props} props @param {State} state */
    render(props, {hover, cursor, width, several}) {
        const {view, state, data, t, busy, set, peek} = props;
        const {frozen = false, suffix = '', linked = null} = props;
        const pinned = this.#pinned();
        const focus = hover ?? linked ?? pinned;
        const full = {...data, t, width, focus, pinned, cursor, peek, several, frozen};
        const on = {Canvas, set, several: this.#several};
        return [
            h(
                'div',
                {
                    key: 'figure',
                    class: 'figure',
                    role: 'group',
                    'aria-label': t.figureLabel,
                    'aria-busy': busy,
                    'aria-describedby': `describe${suffix} figure-help${suffix}`,
                    ...this.#heard(),
                },
                h('p', {class: 'hidden', id: `describe${suffix}`}, view.describe(state, data, t)),
                h('p', {class: 'hidden', id: `figure-help${suffix}`}, t.canvasHelp),
                width > 0 && view.render(state, full, on),
            ),
            this.#beside(focus, full, on),
        ];
    }
}
