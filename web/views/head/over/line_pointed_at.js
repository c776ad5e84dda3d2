/* line_pointed_at - the line under the pointer says which head it is of, from which token to which, and its
 * weight; it stands out while it does. For the mouse: by keyboard and touch the same numbers stand in
 * the panel of a token. On the page only, and fetched after the first picture.
 */
import {Component, h} from 'preact';
import {curve, linkPath, LINES} from '../../../draw/marks/arcs.js';
import {headName} from '../../../draw/head_name.js';
import {decimal} from '../../../draw/scale.js';

/** @import {Links, Frame} from '../../../draw/marks/arcs.js' */

const NEAR = 5; // px
const HALVINGS = 20;

/** How far from the level of its query to that of its key a line is at x: 0 to 1, the same for all
 * lines. @param {number} x @param {{left: number, right: number}} layout */
export function wayAt(x, {left, right}) {
    const at = (x - left) / (right - left);
    let [low, high] = [0, 1];
    for (let i = 0; i < HALVINGS; i++) {
        const t = (low + high) / 2;
        // both control points lie in the middle
        if (1.5 * t * (1 - t) + t ** 3 < at) low = t;
        else high = t;
    }
    return 3 * (1 - low) * low ** 2 + low ** 3;
}

/** The line nearest to a point, -1 if none is near; of two alike the stronger one, which lies on top.
 * @param {Links} list @param {Frame} frame @param {number} x @param {number} y */
export function nearest(list, frame, x, y) {
    const way = wayAt(x, frame.layout);
    let [best, least] = [-1, NEAR];
    for (let i = list.count - 1; i >= 0; i--) {
        const {from, to} = curve(list, i, frame);
        const distance = Math.abs(from + (to - from) * way - y);
        if (distance < least) [best, least] = [i, distance];
    }
    return best;
}

/** @extends {Component<any, {at: {x: number, y: number} | null}>} */
export class Probe extends Component {
    /** @type {{at: {x: number, y: number} | null}} */
    state = {at: null};

    point = (/** @type {any} */ {currentTarget, clientX, clientY, pointerType}) => {
        if (pointerType === 'touch') return;
        const {left, top} = currentTarget.getBoundingClientRect();
        this.setState({at: {x: clientX - left, y: clientY - top}});
    };

    leave = () => {
        if (this.state.at) this.setState({at: null});
    };

    /** @param {any} props @param {{at: {x: number, y: number} | null}} state */
    render({mark, over, scene}, {at}) {
        const {list, frame, colourOf} =
            over?.marks?.find((/** @type {any} */ {kind}) => kind === LINES) ?? mark.lines;
        const {left, right, height} = frame.layout;
        const i = at ? nearest(list, frame, at.x + left, at.y) : -1;
        const place = {left: `${left}px`, width: `${right - left}px`, height: `${height}px`};
        return h(
            'div',
            {class: 'probe', style: place, onPointerMove: this.point, onPointerLeave: this.leave},
            at &&
                i >= 0 && [
                    h(
                        'svg',
                        {
                            key: 'line',
                            viewBox: `${left} 0 ${right - left} ${height}`,
                            'aria-hidden': true,
                        },
                        h('path', {d: linkPath(list, i, frame), stroke: colourOf(list.head[i])}),
                    ),
                    h(
                        'p',
                        {
                            key: 'said',
                            class: 'line-said',
                            style: {top: `${Math.max(0, at.y - 40)}px`},
                        },
                        scene.mix === 'heads' &&
                            `${headName(scene.count(scene.layer), scene.count(list.head[i]))} `,
                        h('bdi', null, scene.tokens[list.query[i]].piece),
                        ' → ',
                        h('bdi', null, scene.tokens[list.key[i]].piece),
                        ' ',
                        h('b', null, decimal(list.weight[i])),
                    ),
                ],
        );
    }
}
