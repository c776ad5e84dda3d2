/* columns - what the rows of the neuron view show: how a query and the keys become weights, and how
 * weights and values become a sum. `open` names the blocks of cells that are unfolded.
 */
import {h} from 'preact';

/**
 * @typedef {import('../../draw/blocks/rows.js').Column} Column
 * @typedef {import('./scene.js').HeadScene} HeadScene
 * @typedef {import('./scene.js').QueryScene} QueryScene
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {{scene: HeadScene, shown: QueryScene, t: Texts, open: readonly string[], narrow:
 *     boolean, file: boolean}} Look
 */

export const BLOCKS = {q: 'q', k: 'k', products: 'q × k', v: 'v', weighted: 'a × v'};

const title = (/** @type {string} */ concept, /** @type {string} */ text) =>
    h('span', {class: `of-${concept}`}, text);

/** @param {Look} look @returns {Column[]} */
export function scoreColumns({scene, shown, t, open, narrow, file}) {
    const {tokens, d, vectorScale, productScale, zeroed} = scene;
    const {was} = t.inside;
    const {decision} = shown;
    // neurons that decide
    const marks = decision && !file ? decision.order.slice(0, decision.half) : [];
    const block = {marks, struck: zeroed};
    /** @type {Column[]} */
    const blocks = [
        {
            id: 'q',
            kind: 'cells',
            title: title('query', 'q'),
            grid: shown.q,
            scale: vectorScale,
            faint: shown.query,
            ...block,
        },
        {
            id: 'k',
            kind: 'cells',
            title: title('key', 'k'),
            grid: shown.k,
            scale: vectorScale,
            ...block,
        },
        {
            id: 'products',
            kind: 'cells',
            title: 'q × k',
            grid: shown.products,
            scale: productScale,
            ...block,
        },
    ];
    /** @type {Column[]} */
    const columns = [
        {
            id: 'query',
            kind: 'tokens',
            title: t.query,
            tokens,
            side: 'query',
            label: t.head.queryColumn,
        },
        ...blocks.filter(({id}) => open.includes(id)),
        {
            id: 'score',
            kind: 'numbers',
            title: `q·k / √${d}`,
            values: shown.scores,
            old: shown.before?.scores ?? null,
            was,
            width: 68,
        },
        {
            id: 'weight',
            kind: 'bars',
            title: 'softmax',
            values: shown.weights,
            old: shown.before?.weights ?? null,
            was,
            width: file ? 104 : narrow ? 64 : 124,
        },
    ];
    return narrow
        ? columns
        : [
              ...columns,
              {
                  id: 'key',
                  kind: 'tokens',
                  title: t.key,
                  tokens,
                  side: 'key',
                  label: t.head.keyColumn,
              },
          ];
}

/** @param {Look} look @returns {Column[]} */
export function valueColumns({scene, shown, open, narrow, t}) {
    const {tokens, valueScale, sumScale} = scene;
    /** @type {Column[]} */
    const blocks = [
        {id: 'v', kind: 'cells', title: title('value', 'v'), grid: shown.v, scale: valueScale},
        {id: 'weighted', kind: 'cells', title: 'a × v', grid: shown.weighted, scale: sumScale},
    ];
    return [
        {id: 'key', kind: 'tokens', title: t.key, tokens},
        {id: 'weight', kind: 'bars', title: 'a', values: shown.weights, width: narrow ? 46 : 104},
        ...blocks.filter(({id}) => open.includes(id)),
    ];
}
