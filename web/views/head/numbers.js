/* numbers - what the head view says in figures: the strongest partners of a token, for the panel beside
 * the figure, the table and the text alternative. Means are over the heads that are on.
 */

/**
 * @typedef {import('./scene.js').Selection} Selection
 * @typedef {{head: number, weight: number}} Part
 * @typedef {{index: number, mean: number, parts: Part[]}} Partner
 */

/** The partners of a focused token, strongest first, and each head's own.
 * @param {Selection} scene @param {import('./scene.js').Focus} focus */
export function partners({attention, heads, rows, cols}, focus) {
    const T = attention.shape[1];
    const fromQuery = focus.side === 'query';
    const [begin, end] = fromQuery ? cols : rows;
    const weightOf = (/** @type {number} */ head, /** @type {number} */ other) => attention.data[fromQuery
        ? (head * T + focus.index) * T + other
        : (head * T + other) * T + focus.index];
    /** @type {Partner[]} */
    const others = [];
    for (let index = begin; index < end; index++) {
        const parts = heads.map(head => ({head, weight: weightOf(head, index)}));
        others.push({index, parts, mean: parts.reduce((sum, part) => sum + part.weight, 0) / heads.length});
    }
    const perHead = heads.map((head, slot) => {
        const best = others.reduce((a, b) => b.parts[slot].weight > a.parts[slot].weight ? b : a);
        const sum = others.reduce((total, other) => total + other.parts[slot].weight, 0);
        return {head, index: best.index, weight: best.parts[slot].weight, sum};
    });
    others.sort((a, b) => b.mean - a.mean || a.index - b.index);
    return {others, perHead, sum: perHead.reduce((total, head) => total + head.sum, 0) / heads.length};
}

/** One row a query: its strongest keys, and the head with the largest single weight. @param {Selection} scene */
export function tableRows(scene, keys = 3) {
    return Array.from({length: scene.rows[1] - scene.rows[0]}, (_, row) => {
        const query = scene.rows[0] + row;
        const {others, perHead} = partners(scene, {side: 'query', index: query});
        const best = perHead.reduce((a, b) => b.weight > a.weight ? b : a);
        return {query, keys: others.slice(0, keys).map(({index, mean}) => ({index, mean})), best};
    });
}

/** The strongest single link shown. @param {Selection} scene */
export function strongest({attention, heads, rows, cols}) {
    const T = attention.shape[1];
    let best = {head: heads[0], query: rows[0], key: cols[0], weight: -1};
    for (const head of heads) {
        for (let query = rows[0]; query < rows[1]; query++) {
            for (let key = cols[0]; key < cols[1]; key++) {
                const weight = attention.data[(head * T + query) * T + key];
                if (weight > best.weight) best = {head, query, key, weight};
            }
        }
    }
    return best;
}
