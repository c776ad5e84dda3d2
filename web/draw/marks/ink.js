/* ink - the coloured cells of a matrix as SVG paths: cells of one colour and similar strength are
 * joined into one path, so that a head of 60 tokens is a few kB and not 3,600 rectangles.
 */
import {h} from 'preact';

const LEVELS = 48;

/** In units of a cell, row r along y = r; to be scaled. @param {number} rows @param {number} cols
 * @param {(row: number, col: number) => number} valueAt @param {(value: number) => number} inkOf
 *     opacity 0..1 @param {(value: number) => string} colourOf */
export function inkPaths(rows, cols, valueAt, inkOf, colourOf) {
    /** @type {Map<string, string[]>} */
    const paths = new Map();
    for (let row = 0; row < rows; row++) {
        for (let col = 0; col < cols; col++) {
            const value = valueAt(row, col);
            const level = Math.round(inkOf(value) * LEVELS);
            const key = `${colourOf(value)} ${level}`;
            const list = paths.get(key) ?? [];
            if (level > 0) paths.set(key, list);
            list.push(`M${col} ${row}h1`);
        }
    }
    return [...paths].map(([key, list]) => {
        const [colour, level] = key.split(' ');
        const opacity = Math.round((1000 * Number(level)) / LEVELS) / 1000;
        return h('path', {d: list.join(''), stroke: colour, 'stroke-opacity': opacity});
    });
}

/** The paths of cells of `cell` px at x, y. @param {number} x @param {number} y
 * @param {number} cell @param {any[]} paths */
export const inkGroup = (x, y, cell, paths) =>
    h(
        'g',
        {
            transform: `translate(${x} ${y + cell / 2}) scale(${cell})`,
            fill: 'none',
            'stroke-width': 1,
        },
        paths,
    );
