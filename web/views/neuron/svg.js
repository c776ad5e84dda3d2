/* svg - the neuron view as one static picture: the rows from query and keys to weights, then on to
 * the sum. All blocks of cells are open in it.
 */
import {h} from 'preact';
import {gridOf} from '../../draw/matrix.js';
import {paperOf, rowsSvg} from '../parts/rows_svg.js';
import {BLOCKS, scoreColumns, valueColumns} from './columns.js';
import {headScene, queryScene, shownQuery} from './scene.js';

const WIDTH = 960; // three blocks of cells need it, whatever the width asked for
const SPACE = 24;

/** @type {import('../view.js').View['svg']} */
export function neuronSvg(state, data, {theme, focus}, t) {
    const scene = headScene(state, data);
    const shown = queryScene(scene, data, shownQuery(state, data, focus));
    const look = {scene, shown, t, open: Object.keys(BLOCKS), narrow: false, marks: []};
    const scores = scoreColumns(look).map(column =>
        column.kind === 'bars' ? {...column, width: 104} : column,
    );
    const values = valueColumns(look);
    /** @type {import('../parts/rows.js').Column[]} */
    const sum = [
        {id: 'sum', kind: 'tokens', title: '', tokens: [{piece: 'Σ a × v'}]},
        {
            id: 'cells',
            kind: 'cells',
            title: '',
            grid: gridOf(shown.sum, 1, scene.d),
            scale: scene.sumScale,
        },
    ];
    const parts = [
        rowsSvg(
            scores,
            [t.query, 'q', 'k', 'q × k', `q·k / √${scene.d}`, 'softmax', t.key],
            WIDTH,
            theme,
        ),
        rowsSvg(values, [t.key, 'a', 'v', 'a × v'], WIDTH, theme),
        rowsSvg(sum, ['', ''], WIDTH, theme),
    ];
    const height = parts.reduce((total, part) => total + part.height + SPACE, 0);
    const paper = paperOf(theme);
    let y = 0;
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${WIDTH} ${height}`,
            width: WIDTH,
            height,
            role: 'img',
            'font-family': 'system-ui, sans-serif',
            fill: paper.ink,
        },
        h(
            'title',
            null,
            t.neuron.svgTitle(scene.layer, scene.head, scene.tokens[shown.query].piece),
        ),
        h('rect', {width: WIDTH, height, fill: paper.page}),
        parts.map(part => {
            const at = y;
            y += part.height + SPACE;
            return h('g', {transform: `translate(0 ${at})`}, part.tree);
        }),
    );
}
