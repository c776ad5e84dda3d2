/* points - a scatter plot: where each point stands in a frame, the one nearest to a place or in a
 * direction, and its mark. A category has a shape besides its colour, so that it is seen without
 * colours too.
 */
import {scaleLinear} from 'd3-scale';
import {interpolateViridis} from 'd3-scale-chromatic';
import {
    symbol,
    symbolCircle,
    symbolCross,
    symbolDiamond,
    symbolSquare,
    symbolStar,
    symbolTriangle,
    symbolWye,
} from 'd3-shape';
import {headColour} from '../colour.js';

/** @typedef {{x: number, y: number}} Point */

const SYMBOLS = [
    symbolCircle,
    symbolTriangle,
    symbolSquare,
    symbolDiamond,
    symbolCross,
    symbolStar,
    symbolWye,
];
const INSET = 18;

/** Places with one scale for both axes, so that distances are true; y upwards.
 * @param {Point[]} points
 * @param {number} width @param {number} height @returns {Point[]} */
export function layoutPoints(points, width, height) {
    const span = (/** @type {number[]} */ values) => [Math.min(...values), Math.max(...values)];
    const [[x0, x1], [y0, y1]] = [span(points.map(({x}) => x)), span(points.map(({y}) => y))];
    const scale = Math.min(
        (width - 2 * INSET) / (x1 - x0 || 1),
        (height - 2 * INSET) / (y1 - y0 || 1),
    );
    const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
    const across = scaleLinear()
        .domain([mx, mx + 1])
        .range([width / 2, width / 2 + scale]);
    const down = scaleLinear()
        .domain([my, my + 1])
        .range([height / 2, height / 2 - scale]);
    return points.map(({x, y}) => ({x: across(x), y: down(y)}));
}

/** @param {Point[]} places @param {number} x @param {number} y */
export function nearest(places, x, y) {
    const far = (/** @type {Point} */ place) => (place.x - x) ** 2 + (place.y - y) ** 2;
    return places.reduce((best, place, i) => (far(place) < far(places[best]) ? i : best), 0);
}

/** The next point in a direction: near, and rather ahead than aside; the same when there is none.
 * @param {Point[]} places @param {number} from @param {number} dx
 * @param {number} dy of length 1 along an axis */
export function inDirection(places, from, dx, dy) {
    let [best, least] = [from, Infinity];
    places.forEach(({x, y}, i) => {
        const [right, below] = [x - places[from].x, y - places[from].y];
        const ahead = right * dx + below * dy;
        const cost = ahead + 2 * Math.abs(right * dy - below * dx);
        if (i !== from && ahead > 0 && cost < least) [best, least] = [i, cost];
    });
    return best;
}

/** Outline of a mark around 0,0. @param {number} category @param {number} [size] in square px
 * @returns {string} */
export const markPath = (category, size = 64) =>
    symbol(SYMBOLS[category % SYMBOLS.length], size)() ?? '';

/** A colour of a rising row, 0 to 1: dark to light on a light page, light to dark on a dark one;
 * ends are left out.
 * @param {number} share @param {string} theme */
export const risingColour = (share, theme) =>
    interpolateViridis(theme === 'dark' ? 0.98 - 0.6 * share : 0.02 + 0.53 * share);

const PLAIN = {light: '#858c98', dark: '#767d8a'};

/** How a point of a category is drawn, -1 for none. @param {number} category @param {string} theme */
export const lookOfCategory = (category, theme) =>
    category < 0
        ? {colour: theme === 'dark' ? PLAIN.dark : PLAIN.light, mark: 0}
        : {colour: headColour(category, theme), mark: category};

/** How a point of a layer is drawn. @param {number} layer @param {number} layers @param {string} theme */
export const lookOfLayer = (layer, layers, theme) => ({
    colour: risingColour(layers > 1 ? layer / (layers - 1) : 0, theme),
    mark: 0,
});
