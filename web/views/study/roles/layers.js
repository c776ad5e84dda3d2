/* layers - the number of heads with a role in each layer: one small chart a role, and one of the
 * heads that have several. All have the same scale. The same drawing in the page and in a saved
 * picture.
 */
import {h} from 'preact';
import {endAt, middleAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';
import {roleColour, RoleMark} from './look.js';
import {Chart} from '../parts/plot.js';
import {countsByLayer, LETTERS, rolesOfHeads} from './numbers.js';

/**
 * @import {Tree} from '../study.js'
 * @import {Role} from './numbers.js'
 * @typedef {{key: string, name: string, counts: number[], colour: string}} Row
 * @typedef {{roles: readonly Role[], layers: number, heads: number, theme: string, oneBased:
 *     boolean, t: import('../study.js').Words}} Props   of the block, with the look's theme
 */

const [WIDTH, HEIGHT, FLOOR, LEFT] = [216, 92, 72, 24];
const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** One row a role that is tested, then the heads with several. @param {Props} props @returns {Row[]}
 */
function layerRows({roles, layers, heads, theme, t}) {
    const several = rolesOfHeads(roles, layers * heads).map(list => Number(list.length > 1));
    return [
        ...roles
            .filter(({testable}) => testable)
            .map(({role, has}) => ({
                key: role,
                name: t.roles.names[role],
                counts: countsByLayer(has, layers),
                colour: roleColour(role, theme),
            })),
        ...(roles.length > 1
            ? [
                  {
                      key: 'several',
                      name: t.roles.several,
                      counts: countsByLayer(several, layers),
                      colour: paperOf(theme).ink,
                  },
              ]
            : []),
    ];
}

/** How many heads of a layer: a bar with its number. @param {number} layer @param {number} count
 * @param {{step: number, tall: number, colour: string}} size */
const bar = (layer, count, {step, tall, colour}) => [
    h('rect', {
        x: round(LEFT + layer * step + step * 0.12),
        y: round(FLOOR - tall),
        width: round(step * 0.76),
        height: round(tall),
        fill: colour,
    }),
    middleAt(round(LEFT + (layer + 0.5) * step), round(FLOOR - tall - 3), count, {
        'font-size': step < 12 ? 8 : 11,
    }),
];

/** Bars of one role. @param {{row: Row, heads: number, theme: string, oneBased: boolean}} props
 * @returns {Tree} */
function bars({row: {counts, colour}, heads, theme, oneBased}) {
    const {soft} = paperOf(theme);
    const step = (WIDTH - LEFT) / counts.length;
    const tall = (/** @type {number} */ count) => ((FLOOR - 14) * count) / heads;
    const every = Math.ceil(counts.length / 12);
    return h(
        'g',
        {'font-size': 11, fill: soft},
        h('path', {
            d: `M${LEFT} ${FLOOR + 0.5}H${WIDTH}M${LEFT} ${14.5}H${WIDTH}`,
            stroke: soft,
            'stroke-opacity': 0.35,
        }),
        endAt(LEFT - 5, 18, heads),
        endAt(LEFT - 5, FLOOR + 4, 0),
        counts.map((count, layer) => [
            count > 0 && bar(layer, count, {step, tall: tall(count), colour}),
            layer % every === 0 &&
                middleAt(
                    round(LEFT + (layer + 0.5) * step),
                    HEIGHT - 5,
                    layer + (oneBased ? 1 : 0),
                ),
        ]),
    );
}

/** @param {Props} props */
function Layers(props) {
    const {heads, theme, oneBased, t} = props;
    return h(
        'ul',
        {class: 'role-layers'},
        layerRows(props).map(row =>
            h(
                'li',
                {key: row.key},
                h('p', null, row.key in LETTERS && h(RoleMark, {role: row.key, theme}), row.name),
                h(Chart, {
                    ...{width: WIDTH, height: HEIGHT},
                    label: t.roles.layersSay(row.name, row.counts.join(t.comma)),
                    tree: bars({row, heads, theme, oneBased}),
                }),
            ),
        ),
    );
}

/** @param {Props & {width: number}} props */
function layersSvg(props) {
    const {heads, theme, oneBased, width} = props;
    const perLine = Math.max(1, Math.floor(width / (WIDTH + 20)));
    const rows = layerRows(props);
    const tree = rows.map((row, i) =>
        h(
            'g',
            {
                transform: `translate(${(i % perLine) * (WIDTH + 20)} ${Math.floor(i / perLine) * (HEIGHT + 28)})`,
            },
            h(
                'text',
                {x: LEFT, y: 14, 'font-size': 13},
                `${LETTERS[row.key] ? `${LETTERS[row.key]} ` : ''}${row.name}`,
            ),
            h('g', {transform: 'translate(0 20)'}, bars({row, heads, theme, oneBased})),
        ),
    );
    return {tree, width, height: Math.ceil(rows.length / perLine) * (HEIGHT + 28)};
}

/** @type {import('../../../draw/blocks.js').Kind} */
const LAYERS = {
    Html: ({block, look: {theme}}) => h(Layers, {...block, theme}),
    svg: (block, {width, theme}) => layersSvg({...block, width, theme}),
};

/** @param {Omit<Props, 'theme'>} given @returns {import('../../../draw/blocks.js').Block} */
export const roleLayers = given => ({kind: LAYERS, ...given});
