/* motion - moves the lines from what was shown to what is shown now, when layer, head or text
 * change. A line is the same where its head, query and key are; it changes place, width and
 * opacity, one that goes fades out and one that comes fades in. Drawn above the picture, which is
 * at its end already: when this is over it is hidden, and nothing depends on its frames. None where
 * the reader wants no motion, none for very many lines. On the page only.
 */
import {Component, h} from 'preact';
import {curve} from '../../../draw/marks/arcs.js';
import {paperOf} from '../../../draw/paper.js';
import {widthOf} from '../../../draw/scale.js';

/**
 * @typedef {{list: import('../../../draw/marks/arcs.js').Links, frame: import('../../../draw/marks/arcs.js').Frame, colourOf:
 *     (head: number) => string}} Lines
 * @typedef {{from: number, to: number, opacity: number}} End
 * @typedef {{colour: string, start: End, end: End}} Path   of one line
 */

const MS = 220;
const MOST_LINES = 3000;
const MOST_HEIGHT = 2000; // px: a canvas of its own

/** Where each line is, by head, query and key. @param {Lines} lines */
function endsOf({list, frame, colourOf}) {
    /** @type {Map<string, End & {colour: string}>} */
    const ends = new Map();
    for (let i = 0; i < list.count; i++) {
        const {from, to} = curve(list, i, frame);
        ends.set(`${list.head[i]} ${list.query[i]} ${list.key[i]}`, {
            ...{from, to, opacity: list.opacity[i]},
            colour: colourOf(list.head[i]),
        });
    }
    return ends;
}

/** The ways of all lines from one picture to another. @param {Lines} before @param {Lines} after
 * @returns {Path[]} */
export function waysOf(before, after) {
    const [starts, ends] = [endsOf(before), endsOf(after)];
    return [...new Set([...starts.keys(), ...ends.keys()])].map(key => {
        const [start, end] = [starts.get(key), ends.get(key)];
        const there = /** @type {End & {colour: string}} */ (end ?? start);
        return {
            colour: there.colour,
            start: start ?? {...there, opacity: 0},
            end: end ?? {...there, opacity: 0},
        };
    });
}

/** A line at a share 0..1 of its way. @param {Path} path @param {number} share @returns {End} */
export function onWay({start, end}, share) {
    const mix = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * share;
    return {
        from: mix(start.from, end.from),
        to: mix(start.to, end.to),
        opacity: mix(start.opacity, end.opacity),
    };
}

const still = () => globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @extends {Component<any>} */
export class Motion extends Component {
    canvas = /** @type {HTMLCanvasElement | null} */ (null);
    frame = 0;

    /** @param {any} before */
    componentDidUpdate({mark: {lines: before}}) {
        const {lines: after} = this.props.mark;
        if (before === after) return;
        this.stop();
        const fits =
            before.list.count + after.list.count <= MOST_LINES &&
            after.frame.layout.height <= MOST_HEIGHT;
        if (fits && before.list !== after.list && !this.props.over?.marks && !still())
            this.run(waysOf(before, after), after.frame.layout);
    }

    componentWillUnmount() {
        this.stop();
    }

    stop() {
        cancelAnimationFrame(this.frame);
        if (this.canvas) this.canvas.hidden = true;
    }

    /** @param {Path[]} ways @param {import('../../../draw/tokens.js').Layout} layout */
    run(ways, {left, right, height}) {
        const {canvas} = this;
        const context = canvas?.getContext('2d');
        if (!canvas || !context) return;
        const scale = Math.min(2, globalThis.devicePixelRatio || 1);
        canvas.width = Math.round((right - left) * scale);
        canvas.height = Math.round(height * scale);
        canvas.hidden = false;
        const begun = performance.now();
        const draw = (/** @type {number} */ now) => {
            const share = (now - begun) / MS;
            if (share >= 1) return this.stop();
            context.setTransform(scale, 0, 0, scale, 0, 0);
            context.globalAlpha = 1;
            context.fillStyle = paperOf(this.props.data.theme).page;
            context.fillRect(0, 0, right - left, height);
            for (const way of ways)
                paint(context, way.colour, onWay(way, Math.max(0, share)), right - left);
            this.frame = requestAnimationFrame(draw);
        };
        this.frame = requestAnimationFrame(draw);
    }

    keep = (/** @type {any} */ canvas) => {
        this.canvas = canvas;
        if (canvas) canvas.hidden = true;
    };

    /** @param {any} props */
    render({mark}) {
        const {left, right, height} = mark.lines.frame.layout;
        const style = {left: `${left}px`, width: `${right - left}px`, height: `${height}px`};
        return h('canvas', {class: 'motion', 'aria-hidden': true, ref: this.keep, style});
    }
}

/** @param {CanvasRenderingContext2D} context @param {string} colour @param {End} at
 * @param {number} width */
function paint(context, colour, {from, to, opacity}, width) {
    context.globalAlpha = opacity;
    context.lineWidth = widthOf(opacity);
    context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(0, from);
    context.bezierCurveTo(width / 2, from, width / 2, to, width, to);
    context.stroke();
}
