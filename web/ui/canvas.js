/* canvas - draws what a view's painters give, in tiles stacked from top to bottom, so that a figure of any
 * height stays within the browsers' limits on one canvas. Only tiles near the window hold pixels. Each tile has
 * two layers: the base, drawn once and kept, and the overlay of a focused token, which is all that pointing
 * redraws. Long drawings are spread over several frames. */

import {Component, h} from 'preact';

const TILE = 512;
const SLICE_MS = 8;
const STEP = 1500;

/* Draws painter's marks from `begin` on until the frame's time is used up; returns where it stopped. */
function paintSlice(context, painter, band, begin) {
    const stop = performance.now() + SLICE_MS;
    let at = begin;
    do {
        const end = Math.min(at + STEP, painter.count);
        painter.paint(context, band, at, end);
        at = end;
    } while (at < painter.count && performance.now() < stop);
    return at;
}

/* One canvas element: size it, clear it, paint, and go on in later frames if need be. */
class Layer {
    constructor(canvas, top, width, height) {
        Object.assign(this, {canvas, top, width, height, painter: null, frame: 0});
    }

    show(painter, scale) {
        const {canvas, top, width, height} = this;
        if (painter === this.painter && scale === this.scale && width === this.shownWidth && height === this.shownHeight) return;
        cancelAnimationFrame(this.frame);
        Object.assign(this, {painter, scale, shownWidth: width, shownHeight: height});
        const size = painter ? [Math.round(width * scale), Math.round(height * scale)] : [0, 0];
        if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
        if (!painter) return;
        const context = canvas.getContext('2d');
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, canvas.width, canvas.height);
        context.setTransform(scale, 0, 0, scale, 0, -top * scale);
        const go = begin => {
            const at = paintSlice(context, painter, [top, top + height], begin);
            if (at < painter.count) this.frame = requestAnimationFrame(() => go(at));
        };
        go(0);
    }

    drop() {
        cancelAnimationFrame(this.frame);
        this.painter = null;
        this.canvas.width = 0;
    }
}

const tileCount = height => Math.max(1, Math.ceil(height / TILE));

export class Canvas extends Component {
    layers = [];
    visible = new Set();

    componentDidMount() {
        this.watch = new IntersectionObserver(entries => {
            for (const {target, isIntersecting} of entries) {
                const tile = Number(target.dataset.tile);
                if (isIntersecting) this.visible.add(tile);
                else this.visible.delete(tile);
            }
            this.paint();
        }, {rootMargin: '300px 0px'});
        this.paintAgain = () => this.paint();
        addEventListener('resize', this.paintAgain);
        this.componentDidUpdate();
    }

    componentDidUpdate() {
        const tiles = [...this.root.children];
        if (tiles.length !== this.layers.length) this.watchTiles(tiles);
        this.paint();
    }

    watchTiles(tiles) {
        this.watch.disconnect();
        this.visible.clear();
        this.layers = tiles.map((tile, i) => [...tile.children].map(canvas => new Layer(canvas, i * TILE, 0, 0)));
        tiles.forEach(tile => this.watch.observe(tile));
    }

    componentWillUnmount() {
        this.watch.disconnect();
        removeEventListener('resize', this.paintAgain);
        this.layers.flat().forEach(layer => layer.drop());
    }

    paint() {
        const {base, overlay, width, height} = this.props;
        const scale = Math.min(3, devicePixelRatio || 1);
        this.layers.forEach(([below, above], i) => {
            const shown = this.visible.has(i);
            for (const layer of [below, above]) Object.assign(layer, {width, height: Math.min(TILE, height - i * TILE)});
            below.show(shown ? base : null, scale);
            above.show(shown ? overlay : null, scale);
        });
    }

    render({width, height, overlay}) {
        return h('div', { class: overlay ? 'canvas focused' : 'canvas', 'aria-hidden': true, ref: root => { this.root = root ?? this.root; } },
            Array.from({length: tileCount(height)}, (_, i) => {
                const style = { width: `${width}px`, height: `${Math.min(TILE, height - i * TILE)}px`};
                return h('div', {key: i, class: 'tile', 'data-tile': i, style: {...style, top: `${i * TILE}px` }},
                    h('canvas', {class: 'base', width: 0, height: 0, style}), h('canvas', {class: 'overlay', width: 0, height: 0, style}));
            }));
    }
}
