/* map - the heads of a corpus as points of a plane: those that act alike lie close together. Colour
 * and shape tell the cluster, the kind by Clark et al. 2019, or the layer.
 */
import {pointLegend, points} from '../../../draw/blocks/points.js';
import {layoutPoints, lookOfCategory, lookOfLayer} from '../../../draw/marks/points.js';
import {KINDS} from './numbers.js';

/**
 * @import {Scene} from './view.js'
 * @import {Words} from '../study.js'
 */

const [HEIGHT, WIDEST] = [0.72, 620];

/** @param {Scene} scene @param {string} theme @returns {(index: number) => {colour: string, mark: number}} */
function lookOf({answer: {clusters, kinds}, layers, heads, by}, theme) {
    if (by === 'layer') return i => lookOfLayer(Math.floor(i / heads), layers, theme);
    return by === 'kind'
        ? i => lookOfCategory(kinds[i] ? 1 + KINDS.indexOf(kinds[i]) : -1, theme)
        : i => lookOfCategory(clusters[i], theme);
}

/** The rows of the legend: a head that looks so, and the name. @param {Scene} scene @param {Words} t
 * @returns {{example: number, name: string}[]} */
function examples({answer: {clusters, kinds, medoids}, layers, heads, by, oneBased}, t) {
    if (by === 'layer')
        return Array.from({length: layers}, (_, layer) => ({
            example: layer * heads,
            name: `${t.map.layer} ${layer + (oneBased ? 1 : 0)}`,
        }));
    if (by === 'kind')
        return [...KINDS, '']
            .map(kind => ({example: kinds.indexOf(kind), name: t.distances.kinds[kind || 'none']}))
            .filter(({example}) => example >= 0);
    return medoids.map((_, i) => ({
        example: clusters.indexOf(i),
        name: t.distances.cluster(i + 1),
    }));
}

/** The plane of all heads. @param {Scene} scene @param {import('../../../draw/blocks.js').Look} look
 * @param {Words} t @param {(index: number) => string} say */
export function plane(scene, {width: room, theme, file}, t, say) {
    const width = Math.min(WIDEST, room);
    const height = Math.round(width * HEIGHT);
    const look = lookOf(scene, theme);
    const places = layoutPoints(
        scene.answer.map.map(([x, y]) => ({x, y})),
        width,
        height,
    );
    return points({
        ...{id: 'distance', width, height, labels: true, name: t.distances.mapKeys},
        chosen: file ? -1 : scene.chosen,
        points: places.map((at, i) => ({...at, ...look(i), name: say(i), label: scene.name(i)})),
        onPick: (i, {on}) => on.set({opened: scene.key(i)}),
    });
}

/** What its colours mean. @param {Scene} scene @param {string} theme @param {Words} t */
export function legend(scene, theme, t) {
    const look = lookOf(scene, theme);
    const entries = examples(scene, t).map(({example, name}) => ({...look(example), name}));
    return pointLegend(entries, t.distances.by, {across: 4, className: 'point-legend'});
}
