/* stages - what each step shows, as a list of plain parts: a vector, rows (one a token), an
 * equation of matrices, a line of words. HTML, SVG and table are made from the same list.
 */
import {h} from 'preact';
import {scaleOf, short, signed} from '../../draw/chart.js';
import {gridOf} from '../../draw/matrix.js';
import {moments} from '../../draw/vector.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../draw/chart.js').Scale} Scale
 * @typedef {{kind: 'vector', id: string, name: import('../view.js').Tree, label: string, values:
 *     Float32Array, scale: Scale,
 *   part?: number[] | null}} VectorPart   label: the name as plain text
 * @typedef {{kind: 'rows', columns: import('../parts/rows.js').Column[], titles: string[]}}
 *     RowsPart
 * @typedef {{kind: 'matrix', id: string, label: string, grid: import('../../draw/matrix.js').Grid,
 *     scale: Scale, row?: number,
 *   note?: string, tokens?: 'rows' | 'both' | 'columns'}} MatrixPart   row: the chosen token's;
 *       tokens: which axes are tokens
 * @typedef {{kind: 'equation', items: (string | MatrixPart)[]}} EquationPart
 * @typedef {{kind: 'words', text: string}} WordsPart
 * @typedef {VectorPart | RowsPart | EquationPart | WordsPart} Part
 */

/** Weights go from 0 to 1, and their colours as well. */
const WEIGHTS = {limit: 1, weights: true};

/** @param {string} label @param {Float32Array} values @param {Scale} [scale]
 * @param {number[]} [part] @returns {VectorPart} */
const vector = (label, values, scale = scaleOf(values), part) => ({
    kind: 'vector',
    id: label,
    name: nameOf(label),
    label,
    values,
    scale,
    part,
});

/** 'W_Q' in a label is W with Q below. @param {string} label */
export const nameOf = label =>
    label.split(' ').flatMap((word, i) => {
        const [letter, below] = word.split('_');
        return [
            i > 0 && ' ',
            below === undefined ? letter : h('b', {key: i}, letter, h('sub', null, below)),
        ];
    });

/** @param {string} label @param {ArrayLike<number>} data @param {number} rows @param {number} cols
 * @param {Partial<MatrixPart> & {transposed?: boolean}} [options] @returns {MatrixPart} */
const matrix = (label, data, rows, cols, {transposed, ...options} = {}) => ({
    kind: 'matrix',
    id: label,
    label,
    grid: gridOf(data, rows, cols, transposed ? {rowStep: 1, colStep: rows} : {}),
    scale: scaleOf(data),
    ...options,
});

/** @param {Scene} scene @param {string} title @param {import('../parts/rows.js').Column[]} columns
 * @param {string[]} titles
 * @returns {RowsPart} */
const rows = ({tokens}, title, columns, titles) => ({
    kind: 'rows',
    titles: [title, ...titles],
    columns: [{id: 'key', kind: 'tokens', title, tokens}, ...columns],
});

/** @param {string} id @param {string} name @param {ArrayLike<number>} data @param {Scene} scene
 * @returns {import('../parts/rows.js').Column} */
const cells = (id, name, data, {T, d}) => ({
    id,
    kind: 'cells',
    title: name,
    grid: gridOf(data, T, d),
    scale: scaleOf(data),
});

/** @param {string} id @param {string} title @param {ArrayLike<number>} values
 * @returns {import('../parts/rows.js').Column} */
const numbers = (id, title, values, width = 84) => ({
    id,
    kind: 'numbers',
    title,
    values,
    width,
    digits: 3,
});

/** @type {Record<string, (scene: Scene, t: Texts) => Part[]>} */
const ofToken = {
    embed(scene, t) {
        const {names, moments: said, laterLayer} = t.steps;
        const {one, D, layer, word, position, segment, sum, embedded} = scene;
        const parts = [one(word, D), one(position, D), one(segment, D)];
        const scale = scaleOf(...parts);
        const total = one(sum, D);
        const {mean, deviation} = moments(total);
        return [
            vector(names.word, parts[0], scale),
            vector(`+ ${names.position} ${scene.token}`, parts[1], scale),
            vector(`+ ${names.segment} ${scene.tokens[scene.token].type}`, parts[2], scale),
            vector(`= ${names.sum}`, total, scale),
            {kind: 'words', text: said(signed(mean, 4), signed(deviation, 4))},
            vector('x = LayerNorm', one(embedded, D)),
            ...(layer ? [{kind: /** @type {const} */ ('words'), text: laterLayer(layer)}] : []),
        ];
    },
    project({one, x, D, d, W, q, k, v, head, biases}, t) {
        const {names} = t.steps;
        const results = [one(q, d), one(k, d), one(v, d)];
        const said = [names.query, names.key, names.value];
        const weights = W.map(
            ({name, grid}) =>
                /** @type {MatrixPart} */ ({
                    kind: 'matrix',
                    id: `W_${name}`,
                    label: `W_${name}`,
                    grid,
                    scale: scaleOf(grid.data),
                }),
        );
        return [
            vector(`x_i ${names.input}`, one(x, D)),
            {kind: 'equation', items: weights},
            ...W.map(({name}, which) =>
                vector(`${name.toLowerCase()}_i ${said[which]}`, results[which]),
            ),
            ...W.map(({name}, which) =>
                vector(
                    `b_${name} ${names.bias}`,
                    biases.subarray(which * D + head * d, which * D + (head + 1) * d),
                ),
            ),
        ];
    },
    scores: (scene, t) => [
        vector(`q_i ${t.steps.names.query}`, scene.one(scene.q, scene.d)),
        rows(
            scene,
            t.key,
            [cells('k', 'k', scene.k, scene), numbers('raw', 'q·k', scene.one(scene.raw, scene.T))],
            ['k', 'q·k'],
        ),
    ],
    scale(scene, t) {
        const titles = ['q·k', `/ √${scene.d}`];
        return [
            rows(
                scene,
                t.key,
                [
                    numbers('raw', titles[0], scene.one(scene.raw, scene.T), 110),
                    numbers('score', titles[1], scene.row, 110),
                ],
                titles,
            ),
        ];
    },
    softmax(scene, t) {
        const exponentials = Float64Array.from(scene.row, Math.exp);
        const total = exponentials.reduce((sum, value) => sum + value, 0);
        const titles = [t.steps.names.score, 'eˢ', 'softmax'];
        return [
            rows(
                scene,
                t.key,
                [
                    numbers('score', titles[0], scene.row),
                    numbers('power', titles[1], exponentials, 96),
                    {id: 'weight', kind: 'bars', title: titles[2], values: scene.a, width: 150},
                ],
                titles,
            ),
            {kind: 'words', text: t.steps.total(short(total))},
        ];
    },
    weigh: (scene, t) => [
        rows(
            scene,
            t.key,
            [
                {id: 'weight', kind: 'bars', title: 'a', values: scene.a, width: 100},
                cells('v', 'v', scene.v, scene),
                cells('weighted', 'a × v', scene.weighted, scene),
            ],
            ['a', 'v', 'a × v'],
        ),
    ],
    sum(scene, t) {
        const {head, d, D, context, off} = scene;
        return [
            rows(scene, t.key, [cells('weighted', 'a × v', scene.weighted, scene)], ['a × v']),
            ...(off ? [{kind: /** @type {const} */ ('words'), text: t.steps.off}] : []),
            vector(
                `z_i ${t.steps.names.context}`,
                scene.one(context, D).subarray(head * d, (head + 1) * d),
                scaleOf(scene.weighted),
            ),
        ];
    },
    output({one, context, projected, residual, output, D, d, head, WO}, t) {
        const {names, rowsOnly} = t.steps;
        const part = [head * d, (head + 1) * d];
        return [
            vector(`z_i ${names.joined}`, one(context, D), undefined, part),
            {
                kind: 'equation',
                items: [
                    {
                        kind: 'matrix',
                        id: 'W_O',
                        label: 'W_O',
                        grid: WO,
                        scale: scaleOf(WO.data),
                        note: rowsOnly(part[0], part[1] - 1),
                    },
                ],
            },
            vector(`z_i W_O + b_O ${names.projected}`, one(projected, D)),
            vector(`+ x_i ${names.residual}`, one(residual, D)),
            vector(`y_i = LayerNorm ${names.output}`, one(output, D)),
        ];
    },
};

/** @type {Record<string, (scene: Scene, t: Texts) => Part[]>} */
const ofAll = {
    embed({word, position, segment, sum, embedded, T, D, token}, t) {
        const {names} = t.steps;
        const scale = scaleOf(word, position, segment);
        const options = {row: token, tokens: /** @type {const} */ ('rows')};
        return [
            {
                kind: 'equation',
                items: [
                    matrix(`E_${names.word}`, word, T, D, {scale, ...options}),
                    '+',
                    matrix(`E_${names.position}`, position, T, D, {scale, ...options}),
                    '+',
                    matrix(`E_${names.segment}`, segment, T, D, {scale, ...options}),
                    '=',
                    matrix(names.sum, sum, T, D, {scale, ...options}),
                    'LayerNorm →',
                    matrix('X', embedded, T, D, options),
                ],
            },
        ];
    },
    project({x, W, q, k, v, T, D, d, token}) {
        const options = {row: token, tokens: /** @type {const} */ ('rows')};
        return W.map(({name, grid}, which) => ({
            kind: 'equation',
            items: [
                matrix('X', x, T, D, options),
                '×',
                {
                    kind: 'matrix',
                    id: `W_${name}`,
                    label: `W_${name}`,
                    grid,
                    scale: scaleOf(grid.data),
                },
                `+ b =`,
                matrix(name, [q, k, v][which], T, d, options),
            ],
        }));
    },
    scores: ({q, k, raw, T, d, token}) => [
        {
            kind: 'equation',
            items: [
                matrix('Q', q, T, d, {row: token, tokens: 'rows'}),
                '×',
                matrix('Kᵀ', k, d, T, {transposed: true, tokens: 'columns'}),
                '=',
                matrix('S', raw, T, T, {row: token, tokens: 'both'}),
            ],
        },
    ],
    scale: ({raw, scores, T, d, token}) => [
        {
            kind: 'equation',
            items: [
                matrix('S', raw, T, T, {row: token, tokens: 'both'}),
                `/ √${d} =`,
                matrix(`S / √${d}`, scores, T, T, {row: token, tokens: 'both'}),
            ],
        },
    ],
    softmax: ({scores, attention, T, d, token}) => [
        {
            kind: 'equation',
            items: [
                'softmax',
                matrix(`S / √${d}`, scores, T, T, {row: token, tokens: 'both'}),
                '=',
                matrix('A', attention, T, T, {row: token, tokens: 'both', scale: WEIGHTS}),
            ],
        },
    ],
    weigh: ({attention, v, weighted, T, d, token}) => [
        {
            kind: 'equation',
            items: [
                matrix('A', attention, T, T, {row: token, tokens: 'both', scale: WEIGHTS}),
                '×',
                matrix('V', v, T, d, {tokens: 'rows'}),
                '→',
                matrix('a_i × V', weighted, T, d, {tokens: 'rows'}),
            ],
        },
    ],
    sum({attention, v, context, T, D, d, head, token, off}, t) {
        const z = gridOf(context, T, d, {start: head * d, rowStep: D});
        return [
            {
                kind: 'equation',
                items: [
                    matrix('A', attention, T, T, {row: token, tokens: 'both', scale: WEIGHTS}),
                    '×',
                    matrix('V', v, T, d, {tokens: 'rows'}),
                    '=',
                    {
                        kind: 'matrix',
                        id: 'Z',
                        label: 'Z',
                        grid: z,
                        scale: scaleOf(context),
                        row: token,
                        tokens: 'rows',
                    },
                ],
            },
            ...(off ? [{kind: /** @type {const} */ ('words'), text: t.steps.off}] : []),
        ];
    },
    output({context, WO, projected, x, output, T, D, d, head, token}, t) {
        const options = {row: token, tokens: /** @type {const} */ ('rows')};
        return [
            {
                kind: 'equation',
                items: [
                    matrix(`Z ${t.steps.names.joined}`, context, T, D, options),
                    '×',
                    {
                        kind: 'matrix',
                        id: 'W_O',
                        label: 'W_O',
                        grid: WO,
                        scale: scaleOf(WO.data),
                        note: t.steps.rowsOnly(head * d, (head + 1) * d - 1),
                    },
                    '+ b =',
                    matrix(`P ${t.steps.names.projected}`, projected, T, D, options),
                ],
            },
            {
                kind: 'equation',
                items: [
                    matrix('P', projected, T, D, options),
                    '+',
                    matrix('X', x, T, D, options),
                    'LayerNorm →',
                    matrix(`Y ${t.steps.names.output}`, output, T, D, options),
                ],
            },
        ];
    },
};

/** @param {string} step @param {string} form @param {Scene} scene @param {Texts} t @returns {Part[]}
 */
export const partsOf = (step, form, scene, t) =>
    (form === 'matrices' ? ofAll : ofToken)[step](scene, t);
