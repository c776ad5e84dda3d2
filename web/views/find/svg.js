/* svg - the find view as one static picture: the best heads of the ranking with their weights, and
 * the map of heads with its legend. Colours are written out, since a saved file has no style sheet.
 */
import {h} from 'preact';
import {headColour} from '../../draw/colour.js';
import {layoutPoints, markPath} from '../../draw/points.js';
import {barLength, decimal, percent} from '../../draw/scale.js';
import {legend, lookOf, mapSize} from './map.js';
import {chosenHead, mapOf, ranking, shownPair} from './numbers.js';
import {timesEven} from './ranking.js';

const PAPER = {
    light: {ink: '#1d1f24', page: '#ffffff', hair: '#dfe2e7'},
    dark: {ink: '#e6e7ea', page: '#15171c', hair: '#333842'},
};
const [ROW, BEST, NAME, BAR] = [22, 10, 160, 200];

const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** @param {NonNullable<ReturnType<typeof ranking>>} rows
 * @param {{theme: string, hair: string}} look @param {import('../view.js').Texts} t */
const bars = (rows, {theme, hair}, t) =>
    rows.slice(0, BEST).map(({layer, head, weight, seen}, i) => {
        const y = i * ROW;
        return h(
            'g',
            null,
            h('text', {x: 8, y: y + 14}, t.find.headName(layer, head)),
            h('rect', {x: NAME, y: y + 5, width: BAR, height: 10, fill: hair}),
            h('rect', {
                x: NAME,
                y: y + 5,
                width: rounded(barLength(BAR)(weight)),
                height: 10,
                fill: headColour(head, theme),
            }),
            h(
                'text',
                {x: NAME + BAR + 12, y: y + 14},
                `${decimal(weight)}  ${timesEven(weight, seen)}`,
            ),
        );
    });

/** @param {Parameters<import('../view.js').View['svg']>[1]} data
 * @param {Parameters<import('../view.js').View['svg']>[0]} state
 * @param {string} theme @param {{width: number, height: number}} size @param {string} ink */
function plot(data, state, theme, {width, height}, ink) {
    const {points} = mapOf(data);
    const look = lookOf(state.mapColour, theme, data.model.layers);
    const chosen = chosenHead(state, data.model);
    return layoutPoints(points, width, height).map(({x, y}, i) => {
        const {colour, mark} = look(points[i]);
        const own = points[i].layer === chosen.layer && points[i].head === chosen.head;
        return h(
            'path',
            {
                d: markPath(mark),
                fill: colour,
                transform: `translate(${rounded(x)} ${rounded(y)})`,
                stroke: own ? ink : undefined,
                'stroke-width': own ? 2 : undefined,
            },
            h('title', null, `${points[i].layer}.${points[i].head}`),
        );
    });
}

/** @type {import('../view.js').View['svg']} */
export function findSvg(state, data, {width: wished, theme}, t) {
    const {tokens} = data.pass;
    const paper = theme === 'dark' ? PAPER.dark : PAPER.light;
    const {query, key} = shownPair(state, tokens.length);
    const rows = ranking(state, data) ?? [];
    const size = mapSize(wished);
    const {shares, stress} = mapOf(data);
    const top = 34 + Math.min(BEST, rows.length) * ROW + 30;
    const names = legend(state.mapColour, data.model.layers, t);
    const look = lookOf(state.mapColour, theme, data.model.layers);
    const height = top + size.height + 30 + names.length * 18 + 10;
    const asked =
        key === null
            ? t.find.waiting
            : `${tokens[query].piece} ${t.find.looksAt} ${tokens[key].piece}`;
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${size.width} ${height}`,
            width: size.width,
            height,
            role: 'img',
            'font-family': 'system-ui, sans-serif',
            'font-size': 13,
            fill: paper.ink,
        },
        h('title', null, asked),
        h('rect', {width: size.width, height, fill: paper.page}),
        h('text', {x: 8, y: 20, 'font-weight': 650}, asked),
        h('g', {transform: 'translate(0 34)'}, bars(rows, {theme, hair: paper.hair}, t)),
        h(
            'text',
            {x: 8, y: top - 8},
            t.find.fit(percent(shares[0] + shares[1]), stress.toFixed(2)),
        ),
        h('g', {transform: `translate(0 ${top})`}, plot(data, state, theme, size, paper.ink)),
        h(
            'g',
            {transform: `translate(16 ${top + size.height + 20})`},
            names.map((row, i) =>
                h(
                    'g',
                    {transform: `translate(0 ${i * 18})`},
                    h('path', {d: markPath(look(row).mark), fill: look(row).colour}),
                    h('text', {x: 14, y: 4}, row.name),
                ),
            ),
        ),
    );
}
