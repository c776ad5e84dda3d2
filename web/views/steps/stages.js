/* stages - the blocks of each step: vectors, rows (one a token), equations of matrices, lines of
 * words; of the chosen token, or of all as matrices.
 */
import {h} from 'preact';
import {words} from '../../draw/blocks.js';
import {BARS} from '../../draw/blocks/columns/bars.js';
import {CELLS} from '../../draw/blocks/columns/cells.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {equation, matrix} from '../../draw/blocks/equation.js';
import {rows as rowsBlock} from '../../draw/blocks/rows.js';
import {vector} from '../../draw/blocks/vector.js';
import {scaleOf, short, signed} from '../../draw/chart.js';
import {gridOf} from '../../draw/marks/matrix.js';
import {moments} from '../../draw/vector.js';

/**
 * @import {Scene} from './scene.js'
 * @import {Texts} from '../view.js'
 * @import {Block} from '../../draw/blocks.js'
 * @import {Column} from '../../draw/blocks/rows.js'
 */

/** Weights go from 0 to 1, and their colours as well. */
const WEIGHTS = {limit: 1, weights: true};

/** A matrix of weights of the model. @param {string} label
 * @param {import('../../draw/marks/matrix.js').Grid} grid @param {{note?: string}} [more] */
const given = (label, grid, more) => ({label, grid, scale: scaleOf(grid.data), ...more});

/** @param {Scene} scene @param {Texts} t @param {(Column & {plain?: string})[]} columns   plain: the title as plain text,
 *     where it is more than that */
const rows = ({tokens}, {key: title}, columns) =>
    rowsBlock([{id: 'key', kind: TOKENS, title, tokens}, ...columns], {
        titles: [title, ...columns.map(column => column.plain ?? String(column.title))],
        legends: true,
    });

/** @param {string} id @param {string} name @param {ArrayLike<number>} data @param {Scene} scene
 * @returns {import('../../draw/blocks/rows.js').CellsColumn} */
const cells = (id, name, data, {T, d}, scale = scaleOf(data)) => ({
    ...{id, kind: CELLS, title: name, scale},
    grid: gridOf(data, T, d),
});

/** The query, which passes over the keys. @param {ArrayLike<number>} q */
const passing = q => ({grid: gridOf(q, 1, q.length), scale: scaleOf(q)});

/** @param {string} id @param {import('../../draw/blocks.js').Tree} title
 * @param {ArrayLike<number>} values @returns {import('../../draw/blocks/rows.js').NumbersColumn} */
const numbers = (id, title, values, width = 84) => ({
    id,
    kind: NUMBERS,
    title,
    values,
    width,
    digits: 3,
});

/** Numbers of each key before a step and after it. @param {Scene} scene @param {Texts} t
 * @param {[id: string, title: string, values: ArrayLike<number>][]} columns */
const inNumbers = (scene, t, ...columns) => [
    rows(
        scene,
        t,
        columns.map(column => numbers(...column, 110)),
    ),
];

/** A number of each two tokens, the chosen one marked. @param {string} label @param {ArrayLike<number>} data
 * @param {Pick<Scene, 'T' | 'token'>} scene @param {object} [more] */
const square = (label, data, {T, token}, more) =>
    matrix(label, data, T, T, {row: token, tokens: 'both', ...more});

/** How a matrix with a row of each token is drawn. @param {number} token the chosen one */
const byRow = token => ({row: token, tokens: /** @type {const} */ ('rows')});

/** A power of at most 1, in what a phone's column has room for. @param {number} power */
const shortPower = power => (power > 0 && power < 0.001 ? '<0.001' : short(power));

/** The steps between scores and weights: the largest score is taken from all first, so that no
 * exponential is beyond any number. The largest power is thus 1, and a weight is its power in parts
 * of their sum: the powers are the weights in parts of the largest.
 * @param {ArrayLike<number>} scores @param {ArrayLike<number>} weights */
export function softmaxOf(scores, weights) {
    const most = Math.max(...Array.from(scores));
    const largest = Math.max(...Array.from(weights));
    return {
        below: Float64Array.from(scores, score => score - most),
        powers: Float64Array.from(weights, weight => weight / largest),
        total: 1 / largest,
    };
}

/** @type {Record<string, (scene: Scene, t: Texts) => Block[]>} */
const ofToken = {
    embed(scene, t) {
        const {names, moments: said, laterLayer} = t.steps;
        const {one, D, E, layer, named, word, position, segment, sum} = scene;
        const {embedded, widened, block} = scene;
        const more = [
            {name: `+ ${names.position} ${scene.token}`, from: position},
            {name: `+ ${names.segment} ${scene.tokens[scene.token].type}`, from: segment},
        ].flatMap(({name, from}) => (from ? [{name, values: one(from, E)}] : []));
        const first = one(word, E);
        const scale = scaleOf(first, ...more.map(({values}) => values));
        const total = one(sum, E);
        const {mean, deviation} = moments(total);
        const normal = block.embeddingNorm;
        return [
            vector(names.word, first, {scale}),
            ...more.map(({name, values}) => vector(name, values, {scale})),
            ...(more.length ? [vector(`= ${names.sum}`, total, {scale})] : []),
            ...(normal ? [words(said(signed(mean, 4), signed(deviation, 4)))] : []),
            ...(normal ? [vector(`x = ${block.norm}`, one(embedded, E))] : []),
            ...(widened ? [vector('x W_E', one(widened, D))] : []),
            ...(layer ? [words(laterLayer(named.layer, named.layer - layer))] : []),
        ];
    },
    norm({one, x, normed, D, block}, t) {
        const input = one(x, D);
        const {mean, deviation} = moments(input);
        const said =
            block.norm === 'RMSNorm'
                ? t.steps.rms(signed(Math.hypot(mean, deviation), 4))
                : t.steps.moments(signed(mean, 4), signed(deviation, 4));
        return [
            vector(`x_i ${t.steps.names.input}`, input),
            words(said),
            vector(`x_i ${t.steps.names.normed}`, one(normed, D)),
        ];
    },
    project({one, x, D, d, W, before, v, head, biases, block}, t) {
        const {names} = t.steps;
        const results = [one(before.q, d), one(before.k, d), one(v, d)];
        const said = [names.query, names.key, names.value];
        return [
            ...(block.inputNorm ? [] : [vector(`x_i ${names.input}`, one(x, D))]),
            equation(...W.map(({name, grid}) => given(`W_${name}`, grid))),
            ...W.map(({name}, which) =>
                vector(`${name.toLowerCase()}_i ${said[which]}`, results[which]),
            ),
            ...(block.bias ? W : []).map(({name}, which) =>
                vector(
                    `b_${name} ${names.bias}`,
                    biases.subarray(which * D + head * d, which * D + (head + 1) * d),
                ),
            ),
        ];
    },
    rotate({one, before, q, k, d, token, block: {half, theta, scaled}}, t) {
        const {names, turned, turnedScaled} = t.steps;
        return [
            words((scaled ? turnedScaled : turned)(half, token, theta)),
            vector(`q_i ${names.query}`, one(before.q, d)),
            vector(`R_i q_i ${names.rotated}`, one(q, d)),
            vector(`k_i ${names.key}`, one(before.k, d)),
            vector(`R_i k_i ${names.rotated}`, one(k, d)),
        ];
    },
    scores: (scene, t) => [
        vector(`q_i ${t.steps.names.query}`, scene.one(scene.q, scene.d)),
        rows(scene, t, [
            {...cells('k', 'k', scene.k, scene), slides: passing(scene.one(scene.q, scene.d))},
            numbers('raw', 'q·k', scene.one(scene.raw, scene.T)),
        ]),
    ],
    scale: (scene, t) =>
        inNumbers(
            scene,
            t,
            ['raw', 'q·k', scene.one(scene.raw, scene.T)],
            ['score', `/ √${scene.d}`, scene.one(scene.scaled, scene.T)],
        ),
    distance: (scene, t) =>
        inNumbers(
            scene,
            t,
            ['scaled', `q·k / √${scene.d}`, scene.one(scene.scaled, scene.T)],
            ['score', t.steps.names.score, scene.row],
        ),
    mask: (scene, t) =>
        inNumbers(
            scene,
            t,
            ['score', t.steps.names.score, scene.row],
            ['masked', t.steps.names.masked, scene.maskedRow],
        ),
    softmax(scene, t) {
        const {below, powers, total} = softmaxOf(scene.maskedRow, scene.a);
        const power = h('span', {class: 'unbroken'}, 'e', h('sup', null, 's − max'));
        return [
            rows(scene, t, [
                numbers('score', t.steps.names.score, scene.maskedRow, 76),
                numbers('below', 's − max', below, 76),
                {...numbers('power', power, powers, 112), text: shortPower, plain: 'exp(s − max)'},
                {id: 'weight', kind: BARS, title: 'softmax', values: scene.a, width: 140},
            ]),
            words(t.steps.total(short(total))),
        ];
    },
    weigh: (scene, t) => [
        rows(scene, t, [
            {id: 'weight', kind: BARS, title: 'a', values: scene.a, width: 100},
            cells('v', 'v', scene.v, scene),
            cells('weighted', 'a × v', scene.weighted, scene, scene.sumScale),
        ]),
    ],
    sum(scene, t) {
        const {head, d, A, context, off} = scene;
        return [
            rows(scene, t, [cells('weighted', 'a × v', scene.weighted, scene, scene.sumScale)]),
            ...(off ? [words(t.steps.off)] : []),
            vector(
                `z_i ${t.steps.names.context}`,
                scene.one(context, A).subarray(head * d, (head + 1) * d),
                {scale: scene.sumScale},
            ),
        ];
    },
    output({one, context, projected, residual, output, D, A, d, head, WO, block}, t) {
        const {names, rowsOnly} = t.steps;
        const part = [head * d, (head + 1) * d];
        return [
            vector(`z_i ${names.joined}`, one(context, A), {part}),
            equation(given('W_O', WO, {note: rowsOnly(part[0], part[1] - 1)})),
            vector(
                `z_i W_O${block.outputBias ? ' + b_O' : ''} ${names.projected}`,
                one(projected, D),
            ),
            vector(`+ x_i ${names.residual}`, one(residual, D)),
            ...(block.normFirst
                ? []
                : [vector(`y_i = ${block.norm} ${names.output}`, one(output, D))]),
        ];
    },
    feed({one, output, fed, hidden, D}, {steps: {names}}) {
        return [
            vector(`y_i ${names.output}`, one(output, D)),
            vector(`+ MLP ${names.fed}`, one(fed, D)),
            vector(`h_i ${names.layerOutput}`, one(hidden, D)),
        ];
    },
};

/** @type {Record<string, (scene: Scene, t: Texts) => Block[]>} */
const ofAll = {
    embed({word, position, segment, sum, embedded, widened, T, D, E, token, block}, t) {
        const {names} = t.steps;
        const more = [
            {name: names.position, from: position},
            {name: names.segment, from: segment},
        ].flatMap(({name, from}) => (from ? [{name, from}] : []));
        const scale = scaleOf(word, ...more.map(({from}) => from));
        const options = byRow(token);
        const last = block.embeddingNorm ? embedded : sum;
        return [
            equation(
                matrix(`E_${names.word}`, word, T, E, {scale, ...options}),
                ...more.flatMap(({name, from}) => [
                    '+',
                    matrix(`E_${name}`, from, T, E, {scale, ...options}),
                ]),
                ...(more.length ? ['=', matrix(names.sum, sum, T, E, {scale, ...options})] : []),
                ...(block.embeddingNorm
                    ? [`${block.norm} →`, matrix('X', last, T, E, options)]
                    : []),
                ...(widened ? ['× W', matrix('X', widened, T, D, options)] : []),
            ),
        ];
    },
    norm({x, normed, T, D, token, block}, t) {
        const options = byRow(token);
        return [
            equation(
                matrix('X', x, T, D, options),
                `${block.norm} →`,
                matrix(`X ${t.steps.names.normed}`, normed, T, D, options),
            ),
        ];
    },
    project({normed, W, before, v, T, D, d, token, block}) {
        const options = byRow(token);
        return W.map(({name, grid}, which) =>
            equation(
                matrix('X', normed, T, D, options),
                '×',
                given(`W_${name}`, grid),
                block.bias ? `+ b =` : '=',
                matrix(name, [before.q, before.k, v][which], T, d, options),
            ),
        );
    },
    rotate({before, q, k, T, d, token}, t) {
        const options = byRow(token);
        return [
            {name: 'Q', from: before.q, to: q},
            {name: 'K', from: before.k, to: k},
        ].map(({name, from, to}) =>
            equation(
                matrix(name, from, T, d, options),
                '→',
                matrix(`${name} ${t.steps.names.rotated}`, to, T, d, options),
            ),
        );
    },
    scores: scene => [
        equation(
            matrix('Q', scene.q, scene.T, scene.d, byRow(scene.token)),
            '×',
            matrix('Kᵀ', scene.k, scene.d, scene.T, {transposed: true, tokens: 'columns'}),
            '=',
            square('S', scene.raw, scene),
        ),
    ],
    scale: scene => [
        equation(
            square('S', scene.raw, scene),
            `/ √${scene.d} =`,
            square(`S / √${scene.d}`, scene.scaled, scene),
        ),
    ],
    distance: (scene, t) => [
        equation(
            square(`S / √${scene.d}`, scene.scaled, scene),
            '→',
            square(t.steps.names.score, scene.scores, scene),
        ),
    ],
    mask: (scene, t) => [
        equation(
            square(`S / √${scene.d}`, scene.scores, scene),
            '→',
            square(t.steps.names.masked, scene.masked, scene),
        ),
    ],
    softmax: scene => [
        equation(
            'softmax',
            square(`S / √${scene.d}`, scene.masked, scene),
            '=',
            square('A', scene.attention, scene, {scale: WEIGHTS}),
        ),
    ],
    weigh: ({attention, v, weighted, sumScale, T, d, token}) => [
        equation(
            square('A', attention, {T, token}, {scale: WEIGHTS}),
            '×',
            matrix('V', v, T, d, {tokens: 'rows'}),
            '→',
            matrix('a_i × V', weighted, T, d, {tokens: 'rows', scale: sumScale}),
        ),
    ],
    sum({attention, v, context, sumScale, T, A, d, head, token, off}, t) {
        const z = gridOf(context, T, d, {start: head * d, rowStep: A});
        return [
            equation(
                square('A', attention, {T, token}, {scale: WEIGHTS}),
                '×',
                matrix('V', v, T, d, {tokens: 'rows'}),
                '=',
                {label: 'Z', grid: z, scale: sumScale, row: token, tokens: 'rows'},
            ),
            ...(off ? [words(t.steps.off)] : []),
        ];
    },
    output({context, WO, projected, x, output, T, D, A, d, head, token, block}, t) {
        const options = byRow(token);
        return [
            equation(
                matrix(`Z ${t.steps.names.joined}`, context, T, A, options),
                '×',
                given('W_O', WO, {note: t.steps.rowsOnly(head * d, (head + 1) * d - 1)}),
                block.outputBias ? '+ b =' : '=',
                matrix(`P ${t.steps.names.projected}`, projected, T, D, options),
            ),
            equation(
                matrix('P', projected, T, D, options),
                '+',
                matrix('X', x, T, D, options),
                block.normFirst ? '=' : `${block.norm} →`,
                matrix(`Y ${t.steps.names.output}`, output, T, D, options),
            ),
        ];
    },
    feed({output, fed, hidden, T, D, token, block}, {steps: {names}}) {
        const options = byRow(token);
        return [
            equation(
                matrix(`Y ${names.output}`, output, T, D, options),
                '+',
                matrix(`MLP ${names.fed}`, fed, T, D, options),
                block.normFirst ? '=' : `${block.norm} →`,
                matrix(`H ${names.layerOutput}`, hidden, T, D, options),
            ),
        ];
    },
};

/** @param {string} step @param {string} form @param {Scene} scene @param {Texts} t @returns {Block[]}
 */
export const partsOf = (step, form, scene, t) =>
    (form === 'matrices' ? ofAll : ofToken)[step](scene, t);
