/* player - a button that goes through a row of places (layers, steps) one after the other, and stops at
 * the last, when it is pressed again, and when the reader goes elsewhere. `round`: it begins at the first
 * place, and after the last goes back to where the reader was. It waits until what it has
 * asked for is drawn. What moves on the way is the picture's; here nothing does.
 */
import {Component, h} from 'preact';
import {buttonOf} from '../../draw/button.js';

const LAYER_MS = 1200; // that a layer stays: 220 of them the lines of the head view move

/**
 * @typedef {{at: number, last: number, ms: number, ready: boolean, round?: boolean, go: (to: number) => void, word: string,
 *     title?: string}} Props   at: the place shown, of
 *     0..last; ms: that each stays; ready: it is drawn
 */

/** @extends {Component<Props, {playing: boolean}>} */
export class Player extends Component {
    state = {playing: false};
    wanted = -1; // the place asked for
    left = -1; // the one before it
    home = -1; // where the reader was
    timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);

    componentDidUpdate() {
        const {at, last, ms, ready, round} = this.props;
        if (!this.state.playing) return;
        if (at !== this.wanted) return at === this.left ? undefined : this.stop();
        if (!ready || this.timer) return;
        this.timer = setTimeout(() => {
            this.timer = undefined;
            if (at < last) return this.go(at + 1);
            this.stop();
            if (round && this.home !== at) this.props.go(this.home);
        }, ms);
    }

    componentWillUnmount() {
        clearTimeout(this.timer);
    }

    /** @param {number} to */
    go(to) {
        [this.left, this.wanted] = [this.props.at, to];
        this.props.go(to);
    }

    stop() {
        clearTimeout(this.timer);
        this.timer = undefined;
        this.setState({playing: false});
    }

    press = () => {
        const {at, last, round} = this.props;
        if (this.state.playing) return this.stop();
        this.setState({playing: true});
        this.home = at;
        this.go(at === last || (round && at > 0) ? 0 : at + 1);
    };

    /** @param {Props} props @param {{playing: boolean}} state */
    render({word, title}, {playing}) {
        return buttonOf(
            'player',
            {'aria-pressed': playing, title, onClick: this.press},
            h('span', {'aria-hidden': true}, playing ? '❚❚' : '▶'),
            ' ',
            word,
        );
    }
}

/** Goes through the layers and comes back. @param {{at: number, data: import('../view.js').ViewData, on:
 *     Pick<import('../view.js').On, 'set'>}} props */
export const PlayLayers = ({at, data: {model, t}, on}) =>
    model.layers > 1 &&
    h(Player, {
        ...{at, last: model.layers - 1, ms: LAYER_MS, ready: true, round: true, word: t.play},
        go: layer => on.set({layer}),
    });
