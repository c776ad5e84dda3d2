/* marked - the links that the reader has marked (state: marks), as arrows over the lines of the head view:
 * on the page, in files, and in <head-light> before it has a model.
 */
import {arrowAcross, arrowsOver, arrowsSvg, readMarks} from '../../../draw/marks/arrows.js';
import {rowMiddle} from '../../../draw/tokens.js';
import {unitAt} from '../../parts/level.js';

/** @param {any} frame of the lines @param {any} tokens the scene's rows @param {readonly string[]} marks */
function arrowsOf({layout, rows, cols}, tokens, marks) {
    return readMarks(marks).flatMap(({query, key, label}) => {
        const [row, col] = [unitAt(tokens, query), unitAt(tokens, key)];
        const isShown = row >= rows[0] && row < rows[1] && col >= cols[0] && col < cols[1];
        return isShown
            ? [arrowAcross(rowMiddle(row - rows[0]), rowMiddle(col - cols[0]), layout, label)]
            : [];
    });
}

/** The lines among a block's marks; <head-light> has a copy of their kind that is not this one's. */
const linesOf = (/** @type {any} */ {marks}) => marks?.find((/** @type {any} */ {frame}) => frame);

/** Over the lines of the page. @param {any} props */
export const Marked = ({mark: {lines}, scene, state, data}) =>
    arrowsOver(arrowsOf(lines.frame, scene.tokens, state.marks), lines.frame.layout, data.theme);

/** The blocks of a file with the arrows. @param {import('../../../draw/view.js').Parts} parts */
export const withMarks = parts => ({
    ...parts,
    drawn: parts.drawn.map((one, i) => {
        const frame = parts.view.id === 'head' && linesOf(parts.blocks[i])?.frame;
        if (!frame || !parts.state.marks.length) return one;
        const arrows = arrowsOf(frame, parts.scene.tokens, parts.state.marks);
        return {...one, tree: [one.tree, arrowsSvg(arrows, frame.layout, parts.look.theme)]};
    }),
});

const MARKED = {Html: Marked};

/** The head view's description with the arrows over its lines.
 * @param {typeof import('../drawing.js').headDrawing} drawing */
export const marked = drawing => ({
    ...drawing,
    /** @type {typeof drawing.blocks} */
    blocks: (scene, look, t) =>
        drawing.blocks(scene, look, t).map(block => {
            const lines = linesOf(block);
            return lines ? {...block, marks: [...block.marks, {kind: MARKED, lines}]} : block;
        }),
});
