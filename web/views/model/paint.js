/* paint - the thumbnails on a canvas, point by point at the resolution of the screen: the ink of a
 * head is its colour, on paper; a measure tints the frame.
 */
import {channels, headColour, scaleColour} from '../../draw/colour.js';
import {averager, largest, tintPixels} from '../../draw/picture.js';
import {cornerOf} from './scene.js';

/** @typedef {import('./scene.js').Scene} Scene */

export const PAPER = {light: '#f4f5f7', dark: '#1e2128'};

/** @param {string} theme */
export const paperOf = theme => (theme === 'dark' ? PAPER.dark : PAPER.light);

/** The pictures and how they are brought to a size; made once for each size.
 * @param {import('../view.js').Attention} pictures [L, H, S, S] @param {string} kind
 * @param {number} tokens */
function sampler({data, shape}, kind, tokens) {
    const size = shape[3];
    /** @type {Map<number, (picture: Float32Array) => Float32Array>} */
    const made = new Map();
    return (/** @type {number} */ id, /** @type {number} */ to) => {
        const sample =
            made.get(to) ?? (kind === 'lines' ? averager(size, to) : largest(size, tokens, to));
        made.set(to, sample);
        return sample(data.subarray(id * size * size, (id + 1) * size * size));
    };
}

/** @param {Scene} scene @param {import('../view.js').Attention} pictures
 * @param {string} kind 'lines' or 'heatmaps'
 * @param {string} theme @returns {import('../view.js').Painter} */
export function thumbPainter({cells, layout, tokens}, pictures, kind, theme) {
    const sample = sampler(pictures, kind, tokens.length);
    const paper = channels(paperOf(theme));
    return {
        count: cells.length,
        paint(context, [top, bottom], begin, end) {
            const {a: scale, f: shift} = context.getTransform();
            const inset = Math.round(layout.frame * scale);
            const side = Math.round(layout.thumb * scale) - 2 * inset;
            const image = context.createImageData(side, side);
            for (let i = begin; i < end; i++) {
                const {x, y} = cornerOf(layout, i);
                if (y > bottom || y + layout.thumb < top) continue;
                const [left, upper] = [Math.round(x * scale), Math.round(y * scale + shift)];
                if (inset) {
                    context.fillStyle = scaleColour(cells[i].share, theme);
                    context.fillRect(
                        left / scale,
                        (upper - shift) / scale,
                        layout.thumb,
                        layout.thumb,
                    );
                }
                tintPixels(
                    sample(cells[i].id, side),
                    channels(headColour(cells[i].head, theme)),
                    paper,
                    image.data,
                );
                context.putImageData(image, left + inset, upper + inset);
            }
        },
    };
}
