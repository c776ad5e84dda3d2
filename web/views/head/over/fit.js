/* fit - the whole of a long text in the height of the window: the same lines, closer, and as many tokens
 * of each column named as there is room for, the chosen ones and the strongest opposite always. A place in
 * it stands for the token there (shell/spots.js): pointing shows its lines, a press pins it.
 */
import {Component, createRef, h} from 'preact';
import {ROW} from '../../../draw/tokens.js';
import {widthOf} from '../../../draw/scale.js';

/** @import {Lines} from './motion.js' */

const LABEL = 15; // px between two names
const NAMED = 6; // tokens opposite a chosen one

/** @param {HTMLCanvasElement} canvas @param {Lines} lines @param {number} height */
function paint(canvas, {list, frame, colourOf}, height) {
    const {width, left, right, height: whole} = frame.layout;
    const scale = Math.min(2, globalThis.devicePixelRatio || 1);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const each = (height * ROW) / whole;
    const middle = (left + right) / 2;
    for (let i = 0; i < list.count; i++) {
        const from = (list.query[i] - frame.rows[0] + 0.5) * each;
        const to = (list.key[i] - frame.cols[0] + 0.5) * each;
        context.globalAlpha = list.opacity[i];
        context.lineWidth = widthOf(list.opacity[i]) / 2;
        context.strokeStyle = colourOf(list.head[i]);
        context.beginPath();
        context.moveTo(left, from);
        context.bezierCurveTo(middle, from, middle, to, right, to);
        context.stroke();
    }
}

/** The lines, painted when they are others. @extends {Component<{lines: Lines, height: number}>} */
class FitLines extends Component {
    canvas = createRef();
    columns = /** @type {Element | null | undefined} */ (null); // in whose place it stands

    /** @param {{lines: Lines, height: number}} next */
    shouldComponentUpdate({lines, height}) {
        const {lines: before, height: tall} = this.props;
        return lines !== before || height !== tall;
    }

    componentDidMount() {
        this.columns = this.canvas.current?.closest('.columns');
        this.columns?.classList.add('fitted'); // not :has(): all of a long text's styles would be asked anew at each move
        this.componentDidUpdate();
    }

    componentWillUnmount() {
        this.columns?.classList.remove('fitted');
    }

    componentDidUpdate() {
        if (this.canvas.current) paint(this.canvas.current, this.props.lines, this.props.height);
    }

    /** @param {{lines: Lines, height: number}} props */
    render({lines, height}) {
        const style = {width: `${lines.frame.layout.width}px`, height: `${height}px`};
        return h('canvas', {ref: this.canvas, style});
    }
}

/** The rows of a column that are named: those of `lit`, and every so many of the others.
 * @param {number[]} range [from, to) @param {number} each px of a row @param {number[]} lit */
function namedRows([from, to], each, lit) {
    const step = Math.ceil(LABEL / each);
    const isNear = (/** @type {number} */ row) => lit.some(other => Math.abs(other - row) < step);
    return Array.from({length: to - from}, (_, i) => from + i).filter(
        row => lit.includes(row) || ((row - from) % step === 0 && !isNear(row)),
    );
}

/** @param {{side: string, range: number[], scene: any, each: number, lit: number[], style: any}} props */
const Names = ({side, range, scene, each, lit, style}) =>
    h(
        'div',
        {class: `names ${side}`, style},
        namedRows(range, each, lit).map(row =>
            h(
                'bdi',
                {
                    key: row,
                    class: lit.includes(row) ? 'lit' : undefined,
                    style: {top: `${(row - range[0] + 0.5) * each}px`},
                },
                scene.tokens[row].piece,
            ),
        ),
    );

/** @param {{lines: Lines, height: number, scene: any, chosen: import('../../../draw/marks/strips.js').Chosen | null,
 *     targets: number[]}} props   targets: tokens opposite the chosen ones, the strongest first */
export function Fit({lines, height, scene, chosen, targets}) {
    const {rows, cols, layout} = lines.frame;
    const {width, right, box, gutter} = layout;
    const each = (height * ROW) / layout.height;
    // before the figure hears of it, the place says which token it stands for
    const point = (/** @type {any} */ {currentTarget: place, clientX, clientY}) => {
        const {left, top} = place.getBoundingClientRect();
        const side = clientX - left < width / 2 ? 'query' : 'key';
        const [from, to] = side === 'query' ? rows : cols;
        const row = Math.max(from, Math.min(to - 1, from + Math.floor((clientY - top) / each)));
        Object.assign(place.dataset, {side, index: scene.tokens[row].index});
        place.dataset.last = scene.tokens[row].last;
    };
    const lit = (/** @type {string} */ side) =>
        !chosen ? [] : chosen.side === side ? chosen.indexes : targets.slice(0, NAMED);
    const column = (/** @type {'query' | 'key'} */ side) =>
        h(Names, {
            ...{side, scene, each, lit: lit(side), range: side === 'query' ? rows : cols},
            style: {left: `${side === 'query' ? gutter : right + 4}px`, width: `${box}px`},
        });
    return h(
        'div',
        {
            class: 'fit',
            style: {width: `${width}px`, height: `${height}px`},
            onPointerMove: point,
            onPointerDown: point,
        },
        h(FitLines, {lines, height}),
        column('query'),
        column('key'),
    );
}
