/* canvas - draws what a view's painters give, in tiles stacked from top to bottom, so that a figure
 * of any height stays within the browsers' limits on one canvas. Only tiles near the window hold
 * pixels. Each tile has two layers: the base, drawn once and kept, and the overlay of a focused
 * token, which is all that pointing redraws. Long drawings are spread over several frames. For
 * print all tiles are drawn at once, wherever they are.
 */
import {Component, h} from 'preact';

/**
 * @import {Painter, CanvasProps} from '../views/view.js'
 * @typedef {{painter: Painter | null, scale: number, width: number, height: number}} Content
 */

const TILE = 512;
const SLICE_MS = 8;
const STEP = 1500;
const MOST_SCALE = 3;
const AHEAD = '300px 0px'; // tiles this far outside of the window are drawn already

const EMPTY = {painter: null, scale: 1, width: 0, height: 0};
const tileCount = (/** @type {number} */ height) => Math.max(1, Math.ceil(height / TILE));
const tileHeight = (/** @type {number} */ height, /** @type {number} */ tile) =>
    Math.min(TILE, height - tile * TILE);

/** Draws painter's marks from `begin` on until the time is used up; returns where it stopped.
 * @param {CanvasRenderingContext2D} context @param {Painter} painter @param {number[]} band
 * @param {number} begin @param {number} ms */
function paintSlice(context, painter, band, begin, ms) {
    const stop = performance.now() + ms;
    let at = begin;
    do {
        const end = Math.min(at + STEP, painter.count);
        painter.paint(context, band, at, end);
        at = end;
    } while (at < painter.count && performance.now() < stop);
    return at;
}

/** One canvas: sized, cleared and painted when its content is another than before. */
export class Layer {
    /** @type {Content} */
    #content = EMPTY;
    #frame = 0;
    #at = 0; // of the painter's marks, the first that is not drawn yet

    #canvas;
    #top;

    /** @param {HTMLCanvasElement} canvas @param {number} top of the tile in the figure */
    constructor(canvas, top) {
        this.#canvas = canvas;
        this.#top = top;
    }

    /** @param {Content} next @param {number} ms before the next frame */
    show(next, ms) {
        const [content, canvas, top] = [this.#content, this.#canvas, this.#top];
        const {painter, scale, width, height} = next;
        if (
            painter === content.painter &&
            scale === content.scale &&
            width === content.width &&
            height === content.height
        ) {
            if (painter && ms > SLICE_MS) this.#draw(ms);
            return;
        }
        [this.#content, this.#at] = [next, 0];
        const [pixelWidth, pixelHeight] = [width, height].map(side =>
            painter ? Math.round(side * scale) : 0,
        );
        if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
        if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
        const context = painter && canvas.getContext('2d');
        if (!context) return cancelAnimationFrame(this.#frame);
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, pixelWidth, pixelHeight);
        context.setTransform(scale, 0, 0, scale, 0, -top * scale);
        this.#draw(ms);
    }

    /** Goes on where it stopped. @param {number} ms */
    #draw(ms) {
        cancelAnimationFrame(this.#frame);
        const {painter, height} = this.#content;
        const context = painter && this.#canvas.getContext('2d');
        if (!context) return;
        if (this.#at < painter.count)
            this.#at = paintSlice(context, painter, [this.#top, this.#top + height], this.#at, ms);
        if (this.#at < painter.count)
            this.#frame = requestAnimationFrame(() => this.#draw(SLICE_MS));
    }
}

/** @extends {Component<CanvasProps>} */
export class Canvas extends Component {
    /** @type {{base: Layer, overlay: Layer}[]} */
    #tiles = [];
    /** @type {Set<number>} */
    #visible = new Set();
    #printing = false;
    #root = /** @type {HTMLElement | null} */ (null);
    #watch = /** @type {IntersectionObserver | null} */ (null);

    componentDidMount() {
        this.#watch = new IntersectionObserver(
            entries => {
                for (const {target, isIntersecting} of entries) {
                    const tile = Number(target.getAttribute('data-tile'));
                    if (isIntersecting) this.#visible.add(tile);
                    else this.#visible.delete(tile);
                }
                this.#paint();
            },
            {rootMargin: AHEAD},
        );
        addEventListener('resize', this.#paint); // zooming changes devicePixelRatio
        addEventListener('beforeprint', this.#print);
        addEventListener('afterprint', this.#print);
        this.componentDidUpdate();
    }

    componentDidUpdate() {
        const elements = [...(this.#root?.children ?? [])];
        if (elements.length !== this.#tiles.length) this.#takeTiles(elements);
        this.#paint();
    }

    componentWillUnmount() {
        this.#watch?.disconnect();
        removeEventListener('resize', this.#paint);
        removeEventListener('beforeprint', this.#print);
        removeEventListener('afterprint', this.#print);
        this.#visible.clear();
        this.#paint();
    }

    /** A tile that was there keeps its layers: they know what their canvases show.
     * @param {Element[]} elements */
    #takeTiles(elements) {
        this.#watch?.disconnect();
        this.#visible.clear();
        this.#tiles = elements.map((element, i) => {
            const [base, overlay] = [...element.querySelectorAll('canvas')].map(
                canvas => new Layer(canvas, i * TILE),
            );
            this.#watch?.observe(element);
            return this.#tiles[i] ?? {base, overlay};
        });
    }

    /** A page is printed as it is when this returns. */
    #print = (/** @type {Event} */ {type}) => {
        this.#printing = type === 'beforeprint';
        this.#paint();
    };

    #paint = () => {
        const ms = this.#printing ? Infinity : SLICE_MS;
        const {base, overlay, width, height: whole} = this.props;
        const scale = Math.min(MOST_SCALE, devicePixelRatio || 1);
        this.#tiles.forEach((tile, i) => {
            const shown = this.#printing || this.#visible.has(i);
            const height = tileHeight(whole, i);
            tile.base.show(shown ? {painter: base, scale, width, height} : EMPTY, ms);
            tile.overlay.show(
                shown && overlay ? {painter: overlay, scale, width, height} : EMPTY,
                ms,
            );
        });
    };

    #keep = (/** @type {HTMLElement | null} */ root) => {
        this.#root = root;
    };

    /** @param {CanvasProps} props */
    render({width, height, overlay}) {
        const tile = (/** @type {number} */ i) => {
            const style = {width: `${width}px`, height: `${tileHeight(height, i)}px`};
            const canvas = (/** @type {string} */ name) =>
                h('canvas', {class: name, width: 0, height: 0, style});
            return h(
                'div',
                {key: i, class: 'tile', 'data-tile': i, style: {...style, top: `${i * TILE}px`}},
                canvas('base'),
                canvas('overlay'),
            );
        };
        return h(
            'div',
            {class: overlay ? 'canvas focused' : 'canvas', 'aria-hidden': true, ref: this.#keep},
            Array.from({length: tileCount(height)}, (_, i) => tile(i)),
        );
    }
}
