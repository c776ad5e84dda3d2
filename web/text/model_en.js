/* model_en - the words of the model view in English; part of text/en.js.
 */

export const modelViewEn = {
    grid: 'All heads: a row is a layer, a column a head',
    /** @param {number} layer @param {number} head */
    name: (layer, head) => `Layer ${layer}, head ${head}`,
    head: 'Head',
    howTo: [
        'Every head of the model is one small picture: layers from top to bottom, heads from left to right. ' +
            'A pale picture is a head that spreads its attention over many tokens.',
        'Point at a head for its numbers. Click it to see it large, Escape to come back.',
    ],
    readLines: 'Query on the left, key on the right',
    readHeatmaps: 'Query downwards, key to the right; ink is the square root of the weight',
    picture: 'Pictures',
    pictures: {lines: 'Lines', heatmaps: 'Heat maps'},
    measure: 'Colour frames by',
    noMeasure: 'Nothing',
    measures: /** @type {Record<string, string>} */ ({
        entropy: 'Entropy',
        next: 'Next token',
        previous: 'Previous token',
        self: 'Itself',
        cls: '[CLS]',
        sep: '[SEP]',
        same_word: 'Same word',
        other_sentence: 'Other sentence',
        punctuation: 'Punctuation',
        entropy_cls: 'Entropy of [CLS]',
        sep_sep: '[SEP] from [SEP]',
        other_sep: '[SEP] from others',
    }),
    nats: 'nats',
    order: 'Order',
    orders: {model: 'By number', layer: 'In each layer', all: 'All'},
    orderTitles: {
        model: 'As in the model',
        layer: 'Within each layer, most first',
        all: 'All heads together, most first',
    },
    keepLayers: 'Layers',
    keepHeads: 'Heads',
    measureCaption: 'Share of attention, mean over the queries; entropy in nats',
    strongest: 'Strongest links',
    strongestQuery: 'Strongest link: query',
    toHeadView: 'Open in head view',
    back: 'Back to all heads',
    tableCaption: 'Every head: its measures, each a mean over the queries, and its strongest link.',
    /** @param {{heads: number, tokens: number, best: {name: string, layer: number, head: number,
     *     value: string}[]}} seen */
    describe: ({heads, tokens: count, best}) =>
        `Model view of ${heads} heads, ${count} ${count === 1 ? 'token' : 'tokens'}.` +
        (best.length
            ? ` Most of each measure: ${best.map(({name, layer, head, value}) => `${name}: layer ${layer}, head ${head}, ${value}`).join('; ')}.`
            : ''),
    /** @param {number} layers @param {number} heads */
    svgTitle: (layers, heads) => `Attention in ${layers} layers of ${heads} heads`,
};
