/* inside_en - the words of the neuron view and the steps view, in English; en.js takes them in.
 * inside_zh.js has the same keys. A Tree is something drawn: pieces of the text come in already
 * wrapped, so these give lists.
 */

/** @typedef {import('preact').ComponentChild} Tree */

/** @param {readonly number[]} neurons */
const neuronsNamed = neurons =>
    neurons.length === 1 ? `neuron ${neurons[0]}` : `neurons ${neurons.join(', ')}`;

export const inside = {
    head: 'Head',
    was: 'was',
    readout: 'Numbers of the cell pointed at',
    /** @param {number} count */
    numbersOf: count => `The ${count} numbers`,
};

export const neuron = {
    howTo: [
        'A query token looks at key tokens. Each row multiplies its query vector q with the key vector k of that row, ' +
            'neuron by neuron; the sum of the products over √d is the score, and softmax makes scores into weights.',
        'Blue is positive, orange negative. Point at a query to see its rows, click to keep it. Point at a cell to read its ' +
            'numbers below; click it to set that neuron to zero in all queries of this head.',
    ],
    blocks: 'Show',
    neuron: 'Neuron',
    zero: 'Set to zero',
    restore: 'Restore',
    /** @param {number} count */
    restoreAll: count => (count ? `Restore all neurons (${count})` : 'Restore all neurons'),
    /** @param {number} neuron @param {string} note */
    buttonFor: (neuron, note) => `Neuron ${neuron}${note && `, ${note} of the lead`}: set to zero`,
    nobody: 'All keys have the same score here: no neuron decides.',
    /** @param {Tree} query @param {Tree} key @param {string} weight @param {string} lead
     * @returns {Tree[]} */
    looksMost: (query, key, weight, lead) => [
        query,
        ' looks most at ',
        key,
        ` (weight ${weight}). Its score leads the mean of `,
        `the other keys by ${lead}.`,
    ],
    /** @param {number} count @param {number} width */
    half: (count, width) =>
        count === 1
            ? `One of ${width} neurons makes up half of this lead or more:`
            : `${count} of ${width} neurons make up half of this lead:`,
    /** @param {number} count */
    andMore: count => `and ${count} more`,
    /** @param {{least: number, median: number, most: number, queries: number,
     *   common: {neuron: number, count: number}[]}} summary @param {number} width */
    overAll: ({least, median, most, queries, common}, width) =>
        `Over all ${queries} queries of this head: ${median} of ${width} (median; ${least} to ${most}). ` +
        `Most often among them: ${common
            .slice(0, 3)
            .map(({neuron, count}) => `${neuron} (${count}×)`)
            .join(', ')}.`,
    zeroNow: 'Zero in this head:',
    effects: 'Compare the predictions',
    before: 'Before',
    noChange: 'Nothing is changed yet: set a neuron to zero to compare.',
    then: 'From weights to the output: values, their weighted sum, the projection',
    sumName: 'Context of this head: the sum over the keys of a × v',
    projection: 'Output projection',
    /** @param {number} head */
    projectionSays: head =>
        `The contexts of all heads, joined, go through one more matrix; what comes out is added to the token’s own vector and ` +
        `normalised. The outlined part is head ${head}.`,
    contextName: 'Contexts of all heads, joined',
    projectedName: 'Times the output matrix, plus its bias',
    outputName: 'Added to the layer’s input, LayerNorm: what attention leaves of this token',
    /** @param {number} layer @param {number} head @param {string} query @param {boolean} all */
    tableCaption: (layer, head, query, all) =>
        `Layer ${layer}, head ${head}, query ${query}. ` +
        (all
            ? 'A row is a key; q is that of the row’s own token; the last row is the sum of a×v.'
            : 'A row is a key; the text is long, so of the vectors only q×k is listed.'),
    /** @param {{layer: number, head: number, query: string, key: string, weight: string, neurons:
     *     readonly number[],
     *   width: number, zeroed: readonly number[]}} seen */
    describe: ({layer, head, query, key, weight, neurons, width, zeroed}) =>
        `Neuron view of layer ${layer}, head ${head}, query ${query}. ` +
        (key
            ? `It looks most at ${key}, weight ${weight}; half of the lead comes from ${neuronsNamed(neurons)} of ${width}.`
            : 'All keys have the same score.') +
        (zeroed.length ? ` Set to zero: ${neuronsNamed(zeroed)}.` : ''),
    /** @param {number} layer @param {number} head @param {string} query */
    svgTitle: (layer, head, query) =>
        `How layer ${layer}, head ${head} computes where ${query} looks`,
};

export const steps = {
    howTo: [
        'Self-attention in eight steps, with the numbers of this model and this text. Choose a token, a layer and a head; ' +
            'go on with the buttons or the arrow keys. Blue is positive, orange negative.',
    ],
    token: 'Token',
    form: 'Shown as',
    forms: {vectors: 'Vectors of one token', matrices: 'Matrices of all tokens'},
    back: 'Back',
    next: 'Next',
    all: 'Steps',
    whole: 'The whole computation; each part leads to its step',
    /** @param {number} step @param {number} count */
    nth: (step, count) => `Step ${step} of ${count}`,
    point: 'Point at a cell to read its number.',
    /** @param {number} row */
    row: row => `row ${row}`,
    /** @param {number} column */
    column: column => `column ${column}`,
    /** @param {number} rows @param {number} columns */
    pooled: (rows, columns) => `a point shows the strongest of ${rows} × ${columns}`,
    /** @param {number} from @param {number} to */
    rowsOnly: (from, to) => `rows ${from}–${to}, those of this head`,
    names: {
        word: 'word',
        position: 'position',
        segment: 'segment',
        sum: 'sum',
        input: 'layer input',
        query: 'query',
        key: 'key',
        value: 'value',
        weight: 'weight',
        score: 'score',
        context: 'context',
        joined: 'all heads joined',
        projected: 'projected',
        output: 'output',
        residual: 'with the input added',
        bias: 'bias',
    },
    /** @param {string} mean @param {string} deviation */
    moments: (mean, deviation) => `mean μ = ${mean}, standard deviation σ = ${deviation}`,
    /** @param {string} total */
    total: total =>
        `The exponentials sum to ${total}; each divided by it gives the weights, which sum to 1.`,
    /** @param {number} layer */
    laterLayer: layer =>
        `This is how the text enters layer 0. Layer ${layer} gets the output of layer ${layer - 1} in its place.`,
    off: 'This head is switched off: its weighted sum is not used, zeros go on instead.',
    stages: {
        embed: {
            title: 'Embedding',
            says:
                'Three learned vectors are added: one for the word, one for its position, one for its ' +
                'sentence. LayerNorm then brings the sum to a common scale.',
            saysMatrix:
                'All tokens at once: a row is a token. The three tables are added and each row is normalised.',
        },
        project: {
            title: 'Query, key, value',
            says:
                'The layer’s input x is multiplied with three learned matrices of this head. ' +
                'The query says what the token looks for, the key what it can be found by, the value what it passes on.',
            saysMatrix:
                'One product of matrices gives the queries of all tokens, another the keys, a third the values.',
        },
        scores: {
            title: 'Scores',
            says:
                'The query is multiplied with the key of every token, neuron by neuron, and summed: the ' +
                'greater the number, the better they match.',
            saysMatrix:
                'All queries times all keys: row i, column j is how well query i matches key j.',
        },
        scale: {
            title: 'Scaling',
            says:
                'Sums over more neurons spread more widely. Division by √d keeps scores in the same range, ' +
                'whatever the width of a head.',
            saysMatrix: 'Every score is divided by the same number.',
        },
        softmax: {
            title: 'Softmax',
            says:
                'The exponential makes all scores positive; divided by their sum they become weights ' +
                'that add up to 1. A lead of 1 in the score is a factor of e = 2.72 in the weight.',
            saysMatrix:
                'Row by row: each row of weights adds up to 1. This is the attention that the head view draws.',
        },
        weigh: {
            title: 'Weighted values',
            says:
                'Each token’s value vector is multiplied with its weight: what is looked at more ' +
                'counts more.',
            saysMatrix: 'The weights of the chosen row are multiplied with the rows of V.',
        },
        sum: {
            title: 'Sum',
            says: 'The weighted values are added up: this is what the head has gathered for the token.',
            saysMatrix:
                'Weights times values: a row for each token, a mean of values by its weights.',
        },
        output: {
            title: 'Output',
            says:
                'The results of all heads are joined and go through the output matrix. The sum with the layer’s ' +
                'input, normalised, goes on to the feed-forward part of the layer.',
            saysMatrix:
                'The same for all tokens. Of the output matrix the rows of this head are shown; the other heads have rows of their own.',
        },
    },
    /** @param {number} step @param {string} title @param {number} layer @param {number} head
     * @param {string} token */
    caption: (step, title, layer, head, token) =>
        `Step ${step}, ${title}: layer ${layer}, head ${head}, token ${token}`,
    /** @param {string} caption @param {string} says */
    describe: (caption, says) => `${caption}. ${says}`,
};
