/* figure - the model view on the page: the grid, or the head opened from it. It keeps keyboard
 * users in place: opening a head moves the focus to the button that closes it, closing moves it
 * back to the head's thumbnail. Going from an opened head to the next leaves the focus where it is.
 */
import {Component, createRef, h} from 'preact';
import {openedPlace} from './numbers.js';
import {Opened} from './opened.js';

/**
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: import('../view.js').On, grid: import('../view.js').View['render']}} Props
 */

/** @extends {Component<Props>} */
export class ModelFigure extends Component {
    closer = createRef();
    root = createRef();

    /** @param {Props} before */
    componentDidUpdate({state: before, data}) {
        const {opened} = this.props.state;
        if (opened === before.opened) return;
        const left = openedPlace(before.opened, data.model);
        if (opened && left) return;
        const goal = opened
            ? this.closer.current
            : left &&
              this.root.current?.querySelector(
                  `[data-index="${left.layer * data.model.heads + left.head}"]`,
              );
        if (goal instanceof HTMLElement) goal.focus({preventScroll: Boolean(opened)});
    }

    /** @param {Props} props */
    render({state, data, on, grid}) {
        const place = openedPlace(state.opened, data.model);
        return h(
            'div',
            {ref: this.root},
            place
                ? h(Opened, {state, data, on, place, closer: this.closer})
                : grid(state, data, on),
        );
    }
}
