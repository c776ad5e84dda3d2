/* sheet - the box of the panel. Where it is a sheet over the lower part of the window (style.css, narrow),
 * the token that has just been pinned is brought above it, so that the lines can be seen of which the panel
 * has the numbers. Two figures side by side, and a page around a figure, are left where they are; and so
 * is a page that was opened by a link with a pinned token, until something has been pressed.
 */
import {Component, createRef, h} from 'preact';

let pressed = false;
for (const kind of ['pointerdown', 'keydown'])
    globalThis.addEventListener?.(
        kind,
        () => {
            pressed = true;
        },
        {once: true, capture: true},
    );

/** @extends {Component<{side: string, pinned: string, children?: any}>} */
export class Sheet extends Component {
    box = createRef();

    componentDidMount() {
        this.clear();
    }

    /** @param {{pinned: string}} before */
    componentDidUpdate({pinned}) {
        if (pinned !== this.props.pinned) this.clear();
    }

    clear() {
        const box = this.box.current;
        if (!box || !this.props.pinned || !pressed) return;
        if (globalThis.getComputedStyle(box).position !== 'fixed') return;
        if (box.closest('.beside')) return;
        const token = box
            .closest('.stage')
            ?.querySelector(`.column.${this.props.side} .token[aria-pressed="true"]`);
        const still = globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;
        token?.scrollIntoView({block: 'nearest', behavior: still ? 'instant' : 'smooth'});
    }

    /** @param {any} props */
    render({side, children}) {
        return h('div', {class: `panel ${side}`, ref: this.box}, children);
    }
}
