/* stages - what each step shows, as a list of blocks: vectors, rows (one a token), equations of
 * matrices, lines of words; of the chosen token, or of all as matrices.
 */
import {words} from '../../draw/blocks.js';
import {equation, matrix} from '../../draw/blocks/equation.js';
import {rows as rowsBlock} from '../../draw/blocks/rows.js';
import {vector} from '../../draw/blocks/vector.js';
import {scaleOf, short, signed} from '../../draw/chart.js';
import {gridOf} from '../../draw/matrix.js';
import {moments} from '../../draw/vector.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../draw/blocks.js').Block} Block
 * @typedef {import('../../draw/blocks/rows.js').Column} Column
 */

/** Weights go from 0 to 1, and their colours as well. */
const WEIGHTS = {limit: 1, weights: true};

/** A matrix of weights of the model. @param {string} label
 * @param {import('../../draw/matrix.js').Grid} grid @param {{note?: string}} [more] */
const given = (label, grid, more) => ({label, grid, scale: scaleOf(grid.data), ...more});

/** @param {Scene} scene @param {string} title of the tokens @param {Column[]} columns
 * @param {string[]} titles of the columns, as plain text */
const rows = ({tokens}, title, columns, titles) =>
    rowsBlock([{id: 'key', kind: 'tokens', title, tokens}, ...columns], {
        titles: [title, ...titles],
        legends: true,
    });

/** @param {string} id @param {string} name @param {ArrayLike<number>} data @param {Scene} scene
 * @returns {Column} */
const cells = (id, name, data, {T, d}) => ({
    id,
    kind: 'cells',
    title: name,
    grid: gridOf(data, T, d),
    scale: scaleOf(data),
});

/** @param {string} id @param {string} title @param {ArrayLike<number>} values
 * @returns {Column} */
const numbers = (id, title, values, width = 84) => ({
    id,
    kind: 'numbers',
    title,
    values,
    width,
    digits: 3,
});

/** @type {Record<string, (scene: Scene, t: Texts) => Block[]>} */
const ofToken = {
    embed(scene, t) {
        const {names, moments: said, laterLayer} = t.steps;
        const {one, D, layer, word, position, segment, sum, embedded} = scene;
        const parts = [one(word, D), one(position, D), one(segment, D)];
        const scale = scaleOf(...parts);
        const total = one(sum, D);
        const {mean, deviation} = moments(total);
        return [
            vector(names.word, parts[0], {scale}),
            vector(`+ ${names.position} ${scene.token}`, parts[1], {scale}),
            vector(`+ ${names.segment} ${scene.tokens[scene.token].type}`, parts[2], {scale}),
            vector(`= ${names.sum}`, total, {scale}),
            words(said(signed(mean, 4), signed(deviation, 4))),
            vector('x = LayerNorm', one(embedded, D)),
            ...(layer ? [words(laterLayer(layer))] : []),
        ];
    },
    project({one, x, D, d, W, q, k, v, head, biases}, t) {
        const {names} = t.steps;
        const results = [one(q, d), one(k, d), one(v, d)];
        const said = [names.query, names.key, names.value];
        return [
            vector(`x_i ${names.input}`, one(x, D)),
            equation(...W.map(({name, grid}) => given(`W_${name}`, grid))),
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
            words(t.steps.total(short(total))),
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
            ...(off ? [words(t.steps.off)] : []),
            vector(
                `z_i ${t.steps.names.context}`,
                scene.one(context, D).subarray(head * d, (head + 1) * d),
                {scale: scaleOf(scene.weighted)},
            ),
        ];
    },
    output({one, context, projected, residual, output, D, d, head, WO}, t) {
        const {names, rowsOnly} = t.steps;
        const part = [head * d, (head + 1) * d];
        return [
            vector(`z_i ${names.joined}`, one(context, D), {part}),
            equation(given('W_O', WO, {note: rowsOnly(part[0], part[1] - 1)})),
            vector(`z_i W_O + b_O ${names.projected}`, one(projected, D)),
            vector(`+ x_i ${names.residual}`, one(residual, D)),
            vector(`y_i = LayerNorm ${names.output}`, one(output, D)),
        ];
    },
};

/** @type {Record<string, (scene: Scene, t: Texts) => Block[]>} */
const ofAll = {
    embed({word, position, segment, sum, embedded, T, D, token}, t) {
        const {names} = t.steps;
        const scale = scaleOf(word, position, segment);
        const options = {row: token, tokens: /** @type {const} */ ('rows')};
        return [
            equation(
                matrix(`E_${names.word}`, word, T, D, {scale, ...options}),
                '+',
                matrix(`E_${names.position}`, position, T, D, {scale, ...options}),
                '+',
                matrix(`E_${names.segment}`, segment, T, D, {scale, ...options}),
                '=',
                matrix(names.sum, sum, T, D, {scale, ...options}),
                'LayerNorm →',
                matrix('X', embedded, T, D, options),
            ),
        ];
    },
    project({x, W, q, k, v, T, D, d, token}) {
        const options = {row: token, tokens: /** @type {const} */ ('rows')};
        return W.map(({name, grid}, which) =>
            equation(
                matrix('X', x, T, D, options),
                '×',
                given(`W_${name}`, grid),
                `+ b =`,
                matrix(name, [q, k, v][which], T, d, options),
            ),
        );
    },
    scores: ({q, k, raw, T, d, token}) => [
        equation(
            matrix('Q', q, T, d, {row: token, tokens: 'rows'}),
            '×',
            matrix('Kᵀ', k, d, T, {transposed: true, tokens: 'columns'}),
            '=',
            matrix('S', raw, T, T, {row: token, tokens: 'both'}),
        ),
    ],
    scale: ({raw, scores, T, d, token}) => [
        equation(
            matrix('S', raw, T, T, {row: token, tokens: 'both'}),
            `/ √${d} =`,
            matrix(`S / √${d}`, scores, T, T, {row: token, tokens: 'both'}),
        ),
    ],
    softmax: ({scores, attention, T, d, token}) => [
        equation(
            'softmax',
            matrix(`S / √${d}`, scores, T, T, {row: token, tokens: 'both'}),
            '=',
            matrix('A', attention, T, T, {row: token, tokens: 'both', scale: WEIGHTS}),
        ),
    ],
    weigh: ({attention, v, weighted, T, d, token}) => [
        equation(
            matrix('A', attention, T, T, {row: token, tokens: 'both', scale: WEIGHTS}),
            '×',
            matrix('V', v, T, d, {tokens: 'rows'}),
            '→',
            matrix('a_i × V', weighted, T, d, {tokens: 'rows'}),
        ),
    ],
    sum({attention, v, context, T, D, d, head, token, off}, t) {
        const z = gridOf(context, T, d, {start: head * d, rowStep: D});
        return [
            equation(
                matrix('A', attention, T, T, {row: token, tokens: 'both', scale: WEIGHTS}),
                '×',
                matrix('V', v, T, d, {tokens: 'rows'}),
                '=',
                {label: 'Z', grid: z, scale: scaleOf(context), row: token, tokens: 'rows'},
            ),
            ...(off ? [words(t.steps.off)] : []),
        ];
    },
    output({context, WO, projected, x, output, T, D, d, head, token}, t) {
        const options = {row: token, tokens: /** @type {const} */ ('rows')};
        return [
            equation(
                matrix(`Z ${t.steps.names.joined}`, context, T, D, options),
                '×',
                given('W_O', WO, {note: t.steps.rowsOnly(head * d, (head + 1) * d - 1)}),
                '+ b =',
                matrix(`P ${t.steps.names.projected}`, projected, T, D, options),
            ),
            equation(
                matrix('P', projected, T, D, options),
                '+',
                matrix('X', x, T, D, options),
                'LayerNorm →',
                matrix(`Y ${t.steps.names.output}`, output, T, D, options),
            ),
        ];
    },
};

/** @param {string} step @param {string} form @param {Scene} scene @param {Texts} t @returns {Block[]}
 */
export const partsOf = (step, form, scene, t) =>
    (form === 'matrices' ? ofAll : ofToken)[step](scene, t);
