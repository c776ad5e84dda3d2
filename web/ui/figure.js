/* figure - the frame around a view: its width, and which token the reader points at. Pointing (mouse), focus
 * (keyboard) and tapping all come to the same: `hover` lasts as long as the pointer stays, `pinned` until it is
 * pressed again, Escape, or a press elsewhere; the figure shows hover, else pinned. */

import {Component, h} from 'preact';
import {Canvas} from './canvas.js';

const same = (a, b) => a?.side === b?.side && a?.index === b?.index;

function spotOf(target) {
    const token = target.closest?.('[data-index]');
    return token ? {side: token.dataset.side, index: Number(token.dataset.index)} : null;
}

/* The token that an arrow key leads to. */
function neighbour(token, key) {
    const column = token.parentElement;
    const row = [...column.children].indexOf(token);
    if (key === 'ArrowDown') return column.children[row + 1];
    if (key === 'ArrowUp') return column.children[row - 1];
    if (key === 'Home') return column.firstElementChild;
    if (key === 'End') return column.lastElementChild;
    const side = {ArrowLeft: 'query', ArrowRight: 'key'}[key];
    const other = side && column.parentElement.querySelector(`.column.${side}`);
    return other && other !== column ? other.children[Math.min(row, other.children.length - 1)] : null;
}

export class Figure extends Component {
    state = {hover: null, pinned: null, cursor: null, width: 0, byKey: false};

    static getDerivedStateFromProps({data}, state) {
        return state.pass === data.pass ? null : {pass: data.pass, hover: null, pinned: null, cursor: null};
    }

    componentDidMount() {
        this.sizes = new ResizeObserver(([entry]) => this.setState({width: Math.floor(entry.contentRect.width)}));
        this.sizes.observe(this.root);
        document.addEventListener('pointerdown', this.pressAnywhere);
        document.addEventListener('keydown', this.keyAnywhere);
    }

    componentWillUnmount() {
        this.sizes.disconnect();
        cancelAnimationFrame(this.frame);
        document.removeEventListener('pointerdown', this.pressAnywhere);
        document.removeEventListener('keydown', this.keyAnywhere);
    }

    pressAnywhere = event => {
        if (!this.root.contains(event.target) && this.state.pinned && event.target.closest('.aside, .rail') === null) this.release();
    };

    keyAnywhere = event => {
        if (event.key === 'Escape' && (this.state.hover || this.state.pinned)) this.release();
    };

    release() {
        this.setState({hover: null, pinned: null});
    }

    /* At most one change a frame, however many events come. */
    point = event => {
        if (event.pointerType === 'touch') return;
        this.wanted = event.type === 'pointerleave' ? null : spotOf(event.target);
        if (this.frame) return;
        this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            if (!same(this.wanted, this.state.hover)) this.setState({hover: this.wanted, byKey: false});
        });
    };

    press = event => {
        const spot = spotOf(event.target);
        if (!spot) return this.release();
        const pinned = same(spot, this.state.pinned) ? null : spot;
        this.setState({pinned, cursor: spot, hover: pinned ? this.state.hover : null});
    };

    enter = event => {
        const spot = spotOf(event.target);
        if (spot && event.target.matches(':focus-visible')) this.setState({cursor: spot, hover: spot, byKey: true});
    };

    leave = () => this.setState({hover: null});

    move = event => {
        if (event.altKey || event.ctrlKey || event.metaKey || !spotOf(event.target)) return;
        const next = neighbour(event.target.closest('[data-index]'), event.key);
        if (!next) return;
        event.preventDefault();
        next.focus();
    };

    render({view, state, data, t, busy, label}, {hover, pinned, cursor, width, byKey}) {
        const focus = hover ?? pinned;
        const full = {...data, t, width, focus, pinned, cursor};
        return [
            h('div', {key: 'figure', class: 'figure', role: 'group', 'aria-label': label, 'aria-describedby': 'describe figure-help',
                'aria-busy': String(busy), ref: root => { this.root = root ?? this.root; }, onPointerMove: this.point,
                onPointerLeave: this.point, onClick: this.press, onFocusIn: this.enter, onFocusOut: this.leave, onKeyDown: this.move},
            h('p', {class: 'hidden', id: 'describe'}, view.describe(state, full, t)),
            h('p', {class: 'hidden', id: 'figure-help'}, t.canvasHelp),
            width > 0 && view.render(state, full, {Canvas})),
            h('aside', {key: 'aside', class: focus ? 'aside chosen' : 'aside', 'aria-label': t.panelLabel},
                h('div', {class: 'how'}, view.howTo(t).map(line => h('p', {key: line}, line))),
                h('div', {'aria-live': byKey ? 'polite' : 'off'}, focus && view.panel(state, full, t))),
        ];
    }
}
