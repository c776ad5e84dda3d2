/* numbers - what the head view says in figures: the strongest partners of a token, for the panel beside
 * the figure, the table and the text alternative. Means are over the heads that are on. */

/* The partners of a focused token: {others: [{index, mean, parts}], perHead: [{head, index, weight, sum}]}. */
export function partners(scene, focus) {
    const {attention, heads, rows, cols} = scene;
    const T = attention.shape[1];
    const fromQuery = focus.side === 'query';
    const [begin, end] = fromQuery ? cols : rows;
    const weight = (head, other) => (fromQuery
        ? attention.data[(head * T + focus.index) * T + other]
        : attention.data[(head * T + other) * T + focus.index]);
    const others = [];
    for (let index = begin; index < end; index++) {
        const parts = heads.map(head => ({head, weight: weight(head, index)}));
        others.push({index, parts, mean: parts.reduce((sum, part) => sum + part.weight, 0) / heads.length});
    }
    const perHead = heads.map((head, slot) => {
        const best = others.reduce((a, b) => (b.parts[slot].weight > a.parts[slot].weight ? b : a));
        const sum = others.reduce((total, other) => total + other.parts[slot].weight, 0);
        return {head, index: best.index, weight: best.parts[slot].weight, sum};
    });
    others.sort((a, b) => b.mean - a.mean || a.index - b.index);
    return {others, perHead, sum: perHead.reduce((total, head) => total + head.sum, 0) / heads.length};
}

/* One row a query: its strongest keys, and the head with the largest single weight. */
export function tableRows(scene, keys = 3) {
    const rows = [];
    for (let query = scene.rows[0]; query < scene.rows[1]; query++) {
        const {others, perHead} = partners(scene, {side: 'query', index: query});
        const best = perHead.reduce((a, b) => (b.weight > a.weight ? b : a));
        rows.push({ query, keys: others.slice(0, keys).map(({index, mean}) => ({index, mean})), best});
    }
    return rows;
}

/* The strongest single link shown: {head, query, key, weight}. */
export function strongest(scene) {
    return tableRows(scene, 0)
        .map(({query, best}) => ({head: best.head, query, key: best.index, weight: best.weight}))
        .reduce((a, b) => (b.weight > a.weight ? b : a));
}
