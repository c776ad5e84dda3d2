/* find - find a head: all heads ranked by the weight they give from one token to another, or by how much
 * of their attention follows a pattern (the previous token, say); and the heads that act like a chosen one, as a list and as a map: each point a head, and heads that act
 * alike lie close together. Pointing at a head anywhere shows where it is in the others.
 */
import {h} from 'preact';
import {group, onPage, page} from '../../draw/blocks.js';
import {bars} from '../../draw/blocks/bars.js';
import {flow} from '../../draw/blocks/flow.js';
import {pointLegend, points} from '../../draw/blocks/points.js';
import {finding, note, title} from '../../draw/blocks/prose.js';
import {signed} from '../../draw/chart.js';
import {headColour} from '../../draw/colour.js';
import {layoutPoints, lookOfCategory, lookOfLayer} from '../../draw/marks/points.js';
import {decimal, decimalCell, percent} from '../../draw/scale.js';
import {drawnView} from '../../draw/view.js';
import {beginPinned} from '../parts/begin_link.js';
import {PATTERNS} from '../parts/six_patterns.js';
import {askedNeed, pressToken, timesEven} from './numbers.js';
import {Answer, Asked, Chosen, Colours, Matters, More, Patterns} from './page.js';
import {answer, evenOf, patternAsked, patternName} from './say.js';
import {findScene, MEASURES} from './scene.js';
import {lookBeside, twoFrame} from '../parts/two.js';

/**
 * @import {Scene} from './scene.js'
 * @import {Cell, Drawn as Look, Texts} from '../view.js'
 * @import {Block} from '../../draw/blocks.js'
 */

const LEFT = 400; // px of the column with the ranking, as in style.css
const FIRST = 10; // of the ranking
const ALIKE = 8;
const MOST_APART = Math.LN2; // no two heads are further apart
const [WIDEST, HEIGHT] = [620, 0.72]; // of the map

/** A head's place in the list of all. @param {Scene} scene */
const indexIn =
    ({points: all, layers}) =>
    (/** @type {{layer: number, head: number}} */ {layer, head}) =>
        layer * (all.length / layers) + head;

/** A press on a row chooses its head here, so that this is what the way back shows, and opens it.
 * @param {Scene} scene @param {{layer: number, head: number}} place
 * @param {{set: (patch: any) => void}} on */
function openHead(scene, {layer, head}, on) {
    on.set({layer, heads: [head]});
    on.set(opened(scene, {layer, head}));
}

/** The head in the head view, with the query of the pair pinned; nothing where the whole head was
 * asked about. @param {Scene} scene @param {{layer: number, head: number}} place */
const opened = ({ask, query}, {layer, head}) => ({
    ...{view: 'head', layer, heads: [head], mix: 'heads', filter: 'all'},
    ...(ask ? {picked: [], token: -1} : {picked: [query], side: 'query', token: query}),
});

/** @param {string} className @param {string} name @param {(Block | false)[]} blocks */
const section = (className, name, blocks) =>
    group(inside => h('section', {class: className, 'aria-label': name}, inside), blocks);

/** The heads that do it most; in a bar the even share is ticked. @param {Scene} scene
 * @param {NonNullable<Scene['ranked']>} ranked @param {Look} look @param {Texts} t */
function rankedBars(scene, ranked, {theme, local, file}, t) {
    const all = local.all && !file;
    const index = indexIn(scene);
    return bars({
        ...{id: 'ranked', side: 'head', long: all, numeric: true},
        rows: (all ? ranked : ranked.slice(0, FIRST)).map(row => ({
            index: index(row),
            name: scene.of(
                row,
                index(row) === scene.chosenIndex ? t.find.chosenRow : t.find.headName,
            ),
            share: row.weight,
            tick: row.even,
            colour: headColour(row.head, theme),
            value: decimal(row.weight),
            more: timesEven(row.weight, row.even),
            hint: scene.of(row, t.find.open),
            card: `${row.layer}.${row.head}`,
            chosen: index(row) === scene.chosenIndex,
        })),
        onPick: ({index: i}, {on}) => openHead(scene, scene.points[i], on),
    });
}

/** The heads most like the chosen one. @param {Pick<Scene, 'points' | 'alike' | 'of' | 'tokens'>} scene
 * @param {string} theme @param {Texts} t */
export const alikeBars = (scene, theme, t) =>
    bars({
        ...{id: 'alike', side: 'head'},
        rows: scene.alike
            .slice(0, ALIKE)
            .map(other => ({
                index: other.index,
                name: scene.of(other, t.find.headName),
                share: other.distance / MOST_APART,
                colour: headColour(other.head, theme),
                value: other.distance.toFixed(3),
                more: patternName(scene.points[other.index].pattern, scene, t),
                hint: scene.of(other, t.find.choose),
                card: `${other.layer}.${other.head}`,
            })),
        onPick: ({index}, {on}) => {
            const {layer, head} = scene.points[index];
            on.set({layer, heads: [head]});
            on.point(null);
        },
    });

/** How a head is drawn on the map: by its layer, or by its pattern. @param {Scene} scene
 * @param {string} theme @returns {(layer: number, pattern: string) => {colour: string, mark: number}} */
const lookOf =
    ({colourBy, layers}, theme) =>
    (layer, pattern) =>
        colourBy === 'layer'
            ? lookOfLayer(layer, layers, theme)
            : lookOfCategory(PATTERNS.indexOf(pattern), theme);

/** @param {Scene} scene @param {Look} look @param {Texts} t */
function mapOf(scene, {width: available, theme}, t) {
    const look = lookOf(scene, theme);
    const width = Math.min(WIDEST, available);
    const height = Math.round(width * HEIGHT);
    const places = layoutPoints(scene.points, width, height);
    return points({
        ...{id: 'map', width, height, chosen: scene.chosenIndex, name: t.find.mapKeys},
        points: scene.points.map(({layer, head, pattern}, i) => ({
            ...places[i],
            ...look(layer, pattern),
            name: t.find.pointName(
                ...scene.of({layer, head}, (a, b) => /** @type {const} */ ([a, b])),
                patternName(pattern, scene, t),
            ),
        })),
        onPick: (i, {on}) => {
            const {layer, head} = scene.points[i];
            on.set({layer, heads: [head]});
        },
    });
}

/** @param {Scene} scene @param {string} theme @param {Texts} t */
function legendOf(scene, theme, t) {
    const look = lookOf(scene, theme);
    const {colourBy, layers} = scene;
    return pointLegend(
        colourBy === 'layer'
            ? Array.from({length: layers}, (_, layer) => ({
                  ...look(layer, ''),
                  name: scene.layerName(layer, t),
              }))
            : [...PATTERNS, ''].map(pattern => ({
                  ...look(0, pattern),
                  name: patternName(pattern, scene, t),
              })),
        t.find.colours[/** @type {'layer' | 'pattern'} */ (colourBy)],
    );
}

/** @param {Scene} scene @param {Texts} t */
const askedName = (scene, t) => {
    const {ask, tokens, query, key} = scene;
    return ask
        ? patternAsked(scene, t)
        : `${tokens[query].piece} ${t.find.looksAt} ${key === null ? '…' : tokens[key].piece}`;
};

/** The text, to choose the pair from, and the patterns. @param {Scene} scene @param {Texts} t */
function text({ask, tokens, query, key}, t) {
    const classOf = (/** @type {number} */ index) =>
        ask ? '' : [index === query ? 'query' : '', index === key ? 'key' : ''].join(' ').trim();
    return section('find-text', t.find.text, [
        page(Asked),
        flow({
            name: t.find.text,
            words: tokens.map(({piece}, index) => ({index, piece, className: classOf(index)})),
            isPressed: index => classOf(index) !== '',
            onPick: (index, {state, on}) => on.set(pressToken(state, index)),
        }),
        page(Patterns),
    ]);
}

/** The heads that do it most, or why none are listed. @param {Scene} scene @param {Look} look
 * @param {Texts} t */
function list(scene, look, t) {
    const {ask, ranked} = scene;
    const said = ask ? answer(scene, t) : '';
    const inside =
        ranked?.length && ranked[0].even > 0
            ? [
                  title(t.find.ranked),
                  look.file || !ask ? finding(say(scene, t)) : page(Answer),
                  page(Matters),
                  note(t.find.even(evenOf(scene))),
                  scene.isMoved && note(t.find.moved),
                  rankedBars(scene, ranked, look, t),
                  ranked.length > FIRST && page(More),
              ]
            : [note(said || t.find.waiting)];
    return section('find-list', t.find.ranked, inside);
}

/** @param {Scene} scene @param {Look} look @param {Texts} t */
function blocks(scene, look, t) {
    const {chosen, shares, stress} = scene;
    const alike = scene.of(chosen, t.find.alike);
    return [
        look.file && title(askedName(scene, t)),
        text(scene, t),
        list(scene, look, t),
        section('find-map', t.find.map, [
            title(t.find.map),
            page(Colours),
            mapOf(scene, lookBeside(look, LEFT), t),
            legendOf(scene, look.theme, t),
            note(t.find.fit(percent(shares[0] + shares[1]), stress.toFixed(2))),
        ]),
        onPage(
            section('find-alike', alike, [
                title(alike),
                page(Chosen, {opened: opened(scene, chosen)}),
                alikeBars(scene, look.theme, t),
                note(t.find.divergence),
            ]),
        ),
    ];
}

/** The head pointed at, on the map or in a list. @param {Scene} scene
 * @param {import('../../draw/blocks.js').Pointed} pointed */
function over(scene, {focus, point}) {
    const at = focus?.side === 'head' ? focus.index : point?.index;
    return at === undefined ? null : {map: {at}, ranked: {at}, alike: {at}};
}

/** @param {number} value */
const inPrint = value => ({value, text: signed(value, 3)});

/** A row a head: its weight for the pair or the pattern, its divergence from the chosen head, its place on the map.
 * @param {Scene} scene @param {Texts} t */
function rows(scene, t) {
    const index = indexIn(scene);
    const weights = new Map((scene.ranked ?? []).map(row => [index(row), row]));
    const divergences = new Map(scene.alike.map(({index: i, distance}) => [i, distance]));
    const order = [...scene.points.keys()].sort(
        (a, b) => (weights.get(b)?.weight ?? 0) - (weights.get(a)?.weight ?? 0) || a - b,
    );
    const {rank, times, divergenceColumn, pattern: patternColumn} = t.find;
    return {
        caption: scene.of(
            scene.chosen,
            scene.ask ? t.find.patternTable(askedName(scene, t)) : t.find.tableCaption,
        ),
        columns: [
            rank,
            t.headWord,
            scene.isMoved ? t.moved : t.weight,
            times,
            divergenceColumn,
            'x',
            'y',
            patternColumn,
        ],
        rows: order.map((i, place) => {
            const {pattern, x, y} = scene.points[i];
            const found = weights.get(i);
            return /** @type {Cell[]} */ ([
                place + 1,
                scene.of(scene.points[i], t.find.headName),
                found ? decimalCell(found.weight) : '',
                found ? timesEven(found.weight, found.even) : '',
                ...[divergences.get(i) ?? 0, x, y].map(inPrint),
                patternName(pattern, scene, t),
            ]);
        }),
    };
}

/** @param {Scene} scene @param {Texts} t */
function say(scene, t) {
    const {ask, ranked, tokens, query, key, of} = scene;
    if (ask) return answer(scene, t);
    if (key === null || !ranked?.length) return t.find.pickKey;
    const [best] = ranked;
    return of(best, (layer, head) =>
        t.find.describe({
            query: tokens[query].piece,
            key: tokens[key].piece,
            ...{layer, head, weight: decimal(best.weight)},
        }),
    );
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'find',
    controls: ['show'],
    needs: state => [...askedNeed(state), ...MEASURES.map(measure => ({measure}))],
    begin: beginPinned,
    scene: findScene,
    local: {all: false},
    blocks,
    over,
    frame: twoFrame('find'),
    broad: true,
    sheet: {font: 13, title: (scene, _, t) => askedName(scene, t)},
    rows,
    say,
    pictured: t => t.find.pictured,
    howTo: t => t.find.howTo,
};

export const findView = drawnView(view);
