/* views - the English words of the views of one text: how to read them, their names for things, the
 * sentences that describe a picture to one who does not see it. Fetched with the first of them; the
 * head view's words, which a visit begins with, are in head.js. A Tree is something drawn: tokens
 * of the text come in already wrapped, so such functions give lists.
 */
import {headName} from '../../draw/head_name.js';

/** @typedef {import('preact').ComponentChild} Tree */

/** @param {readonly number[]} neurons */
const neuronsNamed = neurons =>
    neurons.length === 1 ? `neuron ${neurons[0]}` : `neurons ${neurons.join(', ')}`;

export const views = {
    /** whether B is the sentence after A */
    pair: {
        title: 'Next sentence',
        says: 'Is B the sentence after A? The model’s probabilities:',
        follows: 'B follows A',
        random: 'B is unrelated',
    },
    modelView: {
        /** @param {number} key */
        shareKeys: key => `These heads share the keys and values of key head ${key}`,
        grid: 'All heads: a row is a layer, a column a head',
        /** @param {number} layer @param {number} head */
        name: headName,
        head: 'Head',
        /** What is on the picture. */
        pictured: 'all heads that are shown',
        howTo: [
            'Every head of the model is one small picture: layers from top to bottom, heads from left to right. ' +
                'A pale picture is a head that spreads its attention over many tokens.',
            'Point at a head for its numbers. Press it to see it large, Escape to come back.',
        ],
        readLines: 'Query on the left, key on the right',
        readHeatmaps: 'Queries down, keys across; colour strength is the square root of the weight',
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
        orderNeeds: 'By a measure: choose one above.',
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
        previous: 'Previous head',
        next: 'Next head',
        tableCaption:
            'Every head: its measures, each a mean over the queries, and its strongest link.',
        /** @param {{heads: number, tokens: number, best: {name: string, layer: number, head: number,
         *     value: string}[]}} seen */
        describe: ({heads, tokens: count, best}) =>
            `Model view of ${heads} heads, ${count} ${count === 1 ? 'token' : 'tokens'}.` +
            (best.length
                ? ` Strongest head for each measure: ${best.map(({name, layer, head, value}) => `${name}: ${headName(layer, head)}, ${value}`).join('; ')}.`
                : ''),
        /** @param {number} layers @param {number} heads */
        svgTitle: (layers, heads) => `Attention in ${layers} layers of ${heads} heads`,
    },
    inside: {
        head: 'Head',
        was: 'was',
        readout: 'Numbers of the cell pointed at',
        /** @param {number} count */
        numbersOf: count => `The ${count} numbers`,
    },
    neuron: {
        /** What is on the picture. */
        pictured: 'query, keys and weights',
        howTo: [
            'A query token looks at key tokens. Each row multiplies the query vector q by that row’s key vector k, ' +
                'neuron by neuron; the sum of the products, divided by √d, is the score, and softmax turns scores into weights.',
            'Blue is positive, orange negative. Point at a query to see its rows, press to pin it. Point at a cell to read its ' +
                'numbers below; press it to set that neuron to zero in all queries of this head.',
        ],
        /** @param {number} other */
        together: other => `rotated together with ${other}`,
        blocks: 'Show',
        neuron: 'Neuron',
        zero: 'Set to zero',
        restore: 'Restore',
        /** @param {number} count */
        restoreAll: count => (count ? `Restore all neurons (${count})` : 'Restore all neurons'),
        /** @param {number} neuron @param {string} note */
        buttonFor: (neuron, note) =>
            `Neuron ${neuron}${note && `, ${note} of the lead`}: set to zero`,
        nobody: 'All keys have the same score here: no neuron decides.',
        /** @param {Tree} query @param {Tree} key @param {string} weight @param {string} lead
         * @returns {Tree[]} */
        looksMost: (query, key, weight, lead) => [
            query,
            ' looks most at ',
            key,
            ` (weight ${weight}): it scores ${lead} above the average key.`,
        ],
        /** @param {number} count @param {number} width */
        half: (count, width) =>
            count === 1
                ? `At least half of that comes from 1 of ${width} neurons:`
                : `Half of that comes from ${count} of ${width} neurons:`,
        /** @param {number} count */
        andMore: count => `and ${count} more`,
        /** @param {{least: number, median: number, most: number, queries: number,
         *   common: {neuron: number, count: number}[]}} summary @param {number} width */
        overAll: ({least, median, most, queries, common}, width) =>
            `For all ${queries} tokens: usually ${median} of ${width} neurons decide (${least} to ${most}); ` +
            `most often neuron ${common
                .slice(0, 3)
                .map(({neuron, count}) => `${neuron} (${count} of ${queries})`)
                .join(', ')}.`,
        several: 'Compare queries',
        severalSays:
            'Products q·k for up to three queries, on one scale. Marked above: neurons that explain half of the difference; framed: the key with the highest score. Press tokens to choose the queries.',
        zeroNow: 'Zero in this head:',
        effects: 'Compare the predictions',
        before: 'Before',
        noChange: 'No changes yet: set a neuron to zero to compare.',
        then: 'From weights to the output: values, their weighted sum, the projection',
        sumName: 'Context of this head: the sum over the keys of a × v',
        projection: 'Output projection',
        /** @param {number} head */
        projectionSays: head =>
            `The contexts of all heads, joined, are multiplied by one more matrix; the result is added to the token’s own vector and ` +
            `normalised. The outlined part is head ${head}.`,
        contextName: 'Contexts of all heads, joined',
        projectedName: 'Times the output matrix, plus its bias',
        outputName: '+ layer input, then LayerNorm: the token after attention',
        /** @param {number} layer @param {number} head @param {string} query @param {boolean} all */
        tableCaption: (layer, head, query, all) =>
            `${headName(layer, head)}, query ${query}. ` +
            (all
                ? 'One row per key; q is the query vector of the row’s own token; the last row is the sum of a×v.'
                : 'One row per key; the text is long, so q×k is the only vector listed.'),
        /** @param {{layer: number, head: number, query: string, key: string, weight: string, neurons:
         *     readonly number[],
         *   width: number, zeroed: readonly number[]}} seen */
        describe: ({layer, head, query, key, weight, neurons, width, zeroed}) =>
            `Neuron view of ${headName(layer, head)}, query ${query}. ` +
            (key
                ? `It looks most at ${key}, weight ${weight}; half of its lead over the average key comes from ${neuronsNamed(neurons)} of ${width}.`
                : 'All keys have the same score.') +
            (zeroed.length ? ` Set to zero: ${neuronsNamed(zeroed)}.` : ''),
        /** @param {number} layer @param {number} head @param {string} query */
        svgTitle: (layer, head, query) =>
            `How ${headName(layer, head)} computes where ${query} looks`,
    },
    steps: {
        /** What is on the picture. */
        pictured: 'this step',
        howTo: [
            'Self-attention step by step, with the numbers of this model and this text. Choose a token, a layer and a head; ' +
                'the buttons or the arrow keys lead on. Blue is positive, orange negative.',
            'It begins with a head whose attention goes to a few tokens; another head may give all its weight to one.',
        ],
        token: 'Token',
        allTokens: 'All tokens',
        form: 'Shown as',
        forms: {vectors: 'Vectors of one token', matrices: 'Matrices of all tokens'},
        back: 'Back',
        next: 'Next',
        all: 'Steps',
        play: 'Show the steps one after the other',
        playWord: 'Play steps',
        whole: 'The whole computation; press a part to go to its step',
        /** @param {number} step @param {number} count */
        nth: (step, count) => `Step ${step} of ${count}`,
        point: 'Point at a cell to read its number.',
        /** @param {number} row */
        row: row => `row ${row}`,
        /** @param {number} layer @param {boolean} isLast */
        ends: (layer, isLast) => ({
            before: isLast
                ? `Here the model ends. It says at this token: `
                : `If the model ended after layer ${layer}, it would say at this token: `,
            after: isLast
                ? '.'
                : '. This is the logit lens, raw: only the last layer was trained to be read so.',
        }),
        noWords:
            'This model predicts no words, so what it would say after this layer cannot be read.',
        /** @param {number} column */
        column: column => `column ${column}`,
        /** @param {number} rows @param {number} columns */
        pooled: (rows, columns) => `each dot shows the largest of ${rows} × ${columns} numbers`,
        /** @param {number} n */
        everyNth: n => `One token in ${n} is labelled.`,
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
            normed: 'normalised',
            rotated: 'rotated',
            masked: 'masked',
            fed: 'what the MLP adds',
            layerOutput: 'output of the layer',
        },
        /** @param {string} mean @param {string} deviation */
        moments: (mean, deviation) => `mean μ = ${mean}, standard deviation σ = ${deviation}`,
        /** @param {string} size */
        rms: size => `root of the mean square = ${size}`,
        /** @param {number} half @param {number} token @param {number} theta */
        turned: (half, token, theta) =>
            `Neurons n and n + ${half} are the two coordinates of a point, which is rotated by ${token} / ${theta}^(n / ${half}) radians: ` +
            `${token} is the token’s position.`,
        /** @param {number} half @param {number} token @param {number} theta */
        turnedScaled: (half, token, theta) =>
            `Neurons n and n + ${half} are the two coordinates of a point, which is rotated by ${token} times a frequency that falls with n: ` +
            `1 / ${theta}^(n / ${half}), scaled for longer texts. ${token} is the token’s position.`,
        /** @param {{positions: boolean, types: boolean, norm: string}} has */
        embedding: ({positions, types, norm}) =>
            `A learned vector represents the word${positions ? '; one for its position is added' : ''}` +
            `${types ? '; one for its sentence is added' : ''}.` +
            `${positions ? '' : ' The position comes in later, through the queries and keys.'}` +
            `${norm ? ` ${norm} then brings the sum to a common scale.` : ''}`,
        outputFirst:
            'The results of all heads are joined and multiplied by the output matrix. The layer’s input is added, and the sum ' +
            'goes on to the feed-forward part of the layer, which has its own norm.',
        outputBeside:
            'The results of all heads are joined and multiplied by the output matrix. The layer’s input is added. The feed-forward ' +
            'part of the layer does not wait for that: it takes the input too, with a norm of its own.',
        /** @param {string} total */
        total: total =>
            `The exponentials sum to ${total}; dividing each by this sum gives the weights, which sum to 1.`,
        /** @param {number} layer @param {number} first */
        laterLayer: (layer, first) =>
            `This is how the text enters layer ${first}. Layer ${layer} gets the output of layer ${layer - 1} instead.`,
        off: 'This head is switched off: its weighted sum is replaced by zeros.',
        // What a step does to the token; {token} and {key} are put in where it is shown.
        /** @type {Record<string, (facts: {layer: number, head: number, position: number, tokens: number, seen: number,
         *     embedded: number, width: number, d: number, root: string, product: string, score: string, weight:
         *     string}) => string>} */
        leads: {
            embed: ({embedded}) => `“{token}” enters the model as a vector of ${embedded} numbers.`,
            norm: () =>
                'The vector of “{token}” is brought to a common scale before the head reads it.',
            project: ({layer, head, d}) =>
                `From the vector of “{token}”, ${headName(layer, head)} makes a query, a key and a value, ${d} numbers each.`,
            rotate: ({position}) =>
                `“{token}” is at position ${position}: its query and its key are rotated accordingly.`,
            scores: ({product}) =>
                `The query of “{token}” matches the key of “{key}” best: ${product}.`,
            scale: ({d, root, product, score}) =>
                `Every score of “{token}” is divided by √${d} = ${root}: for “{key}”, ${product} becomes ${score}.`,
            distance: () => 'The scores of “{token}” are corrected for how far away each key is.',
            mask: ({seen, tokens}) =>
                `“{token}” may look at ${seen} of the ${tokens} tokens; the others are masked.`,
            softmax: ({weight}) =>
                `The scores of “{token}” become weights. “{key}” gets the largest: ${weight}.`,
            weigh: ({weight}) =>
                `“{token}” takes from every value as much as its weight says; most from “{key}”: ${weight} of it.`,
            sum: ({layer, head, d}) =>
                `What ${headName(layer, head)} has gathered for “{token}” is one vector of ${d} numbers.`,
            output: ({layer}) =>
                `Here the heads of layer ${layer} come together: what they have gathered for “{token}” is added to its vector.`,
            feed: ({layer, width}) =>
                `“{token}” leaves layer ${layer} as a vector of ${width} numbers again, now with what it has gathered.`,
        },
        stages: {
            embed: {
                title: 'Embedding',
                says:
                    'Three learned vectors are added: one for the word, one for its position, one for its ' +
                    'sentence. LayerNorm then brings the sum to a common scale.',
                saysMatrix:
                    'All tokens at once: a row is a token. The three tables are added and each row is normalised.',
            },
            norm: {
                title: 'Norm',
                says:
                    'Here the norm comes before attention: the layer’s input is brought to a common scale and multiplied ' +
                    'by a learned gain; attention sees only the result. The input itself is added at the end.',
                saysMatrix: 'Each row is normalised by itself.',
            },
            project: {
                title: 'Query, key, value',
                says:
                    'The layer’s input x is multiplied by three learned matrices of this head. ' +
                    'The query says what the token looks for, the key what it can be found by, the value what it passes on.',
                saysMatrix:
                    'One matrix product gives the queries of all tokens, another the keys, a third the values.',
            },
            rotate: {
                title: 'Rotation',
                says:
                    'Queries and keys are rotated by an angle that grows with their position, two neurons at a time. The product of ' +
                    'a query and a key then depends on how far apart they are.',
                saysMatrix: 'Row i is rotated by the angles of position i.',
            },
            scores: {
                title: 'Scores',
                says:
                    'The query is multiplied by the key of every token, neuron by neuron, and the products are summed: the ' +
                    'larger the sum, the better they match.',
                saysMatrix:
                    'All queries times all keys: row i, column j is how well query i matches key j.',
            },
            scale: {
                title: 'Scaling',
                says:
                    'Sums over more neurons spread more widely. Dividing by √d keeps scores in the same range, ' +
                    'however wide the head.',
                saysMatrix: 'Every score is divided by the same number.',
            },
            distance: {
                title: 'Distance',
                says: 'A learned number for the distance between the two tokens is added to each score.',
                saysMatrix: 'The numbers added are the same along each diagonal.',
            },
            mask: {
                title: 'Mask',
                says: 'Keys that the query must not see get the score −∞: its exponential is 0, and so is their weight.',
                saysMatrix: 'Masked cells are left blank.',
            },
            softmax: {
                title: 'Softmax',
                says:
                    'The exponential makes every score positive; divided by their sum, they add up to 1. A score that is ' +
                    'higher by 1 gives a weight e = 2.72 times as large. The largest score is subtracted first, so that ' +
                    'no exponential grows too large; the weights stay the same.',
                saysMatrix:
                    'Row by row: each row of weights adds up to 1. This is the attention that the head view draws.',
            },
            weigh: {
                title: 'Weighted values',
                says:
                    'Each token’s value vector is multiplied by its weight: what gets more attention ' +
                    'counts more.',
                saysMatrix: 'The weights of the chosen row multiply the rows of V.',
            },
            sum: {
                title: 'Sum',
                says:
                    'The weighted values are added up, neuron by neuron. Since the weights add up to 1, this is a mean ' +
                    'of the values, in which tokens with more attention count more.',
                saysMatrix:
                    'Weights times values: one row per token, the weighted mean of the values.',
            },
            output: {
                title: 'Output',
                says:
                    'The results of all heads are joined and multiplied by the output matrix. The layer’s input is ' +
                    'added, and the normalised sum goes on to the feed-forward part of the layer.',
                saysMatrix:
                    'The same for all tokens. Only this head’s rows of the output matrix are shown; every head has its own.',
            },
            feed: {
                title: 'Feed-forward',
                says: 'Each token goes through the MLP by itself.',
                saysMatrix: 'Each row goes through the MLP by itself.',
            },
        },
        /** @param {{gated: boolean, act: string, norm: string, normFirst: boolean}} block */
        feed: ({gated, act, norm, normFirst}) =>
            'Tokens do not look at each other here: each goes by itself through a small network, the MLP: ' +
            (gated
                ? `it is gated: one matrix product, through ${act}, scales another, neuron by neuron; `
                : `two matrix products with ${act} between them; `) +
            (normFirst
                ? `its input is the vector after ${norm}; its output is added to the vector itself. The sum is the input of the next layer.`
                : `its output is added, and ${norm} follows. The result is the input of the next layer.`),
        /** @param {number} step @param {string} title @param {number} layer @param {number} head
         * @param {string} token */
        caption: (step, title, layer, head, token) =>
            `Step ${step}, ${title}: ${headName(layer, head)}, token ${token}`,
        /** @param {string} caption @param {string} lead @param {string} says */
        describe: (caption, lead, says) => `${caption}. ${lead} ${says}`,
    },
    next: {
        /** What is on the picture. */
        pictured: 'the words that can follow, and the best at every position',
        howTo: [
            'A causal model, such as a GPT, gives every word of its vocabulary a probability to come next. Press a token to see what the model expected after it.',
            'Press a word to write it, or have the model write on. What it writes is part of the text: every view shows its attention.',
            'A masked model, such as BERT, reads both sides: mask a token and it says which words fit there.',
        ],
        none: 'This model has no head for words, so it predicts none. A GPT predicts the next word, a masked model a hidden one.',
        writes: 'This model fills gaps; it does not write on. Mask a word to see what fits there, or continue the text with:',
        text: 'The text, token by token',
        marks: '␣ is the space before a word; <|endoftext|> marks where a text begins.',
        title: {
            /** @param {number} position @param {string} piece */
            next: (position, piece) => `Next token after position ${position} (${piece})`,
            /** @param {number} position @param {string} piece */
            masked: (position, piece) => `Words at position ${position} (${piece})`,
        },
        /** @param {boolean} presses @param {'next' | 'masked'} kind
         * @param {{temperature: number, topK: number, topP: number} | null} how of a draw */
        hint: (presses, kind, how) =>
            (presses
                ? kind === 'next'
                    ? 'Press a word to write it. '
                    : 'Press a word to put it there. '
                : '') +
            (how
                ? `Bar and first number: how probable a draw is after temperature ${how.temperature}, top-k ${how.topK} and top-p ${how.topP}. Tick and second number: the model’s own probability (softmax).`
                : 'Bar and number: the model’s own probability (softmax). Temperature, top-k and top-p leave it as it is.'),
        /** @param {string} share */
        own: share => `model ${share}`,
        waits: 'Predictions are being computed …',
        /** @param {string} there @param {number} nth @param {string} share */
        goesOn: (there, nth, share) =>
            `The text goes on with “${there}”: ${nth === 1 ? 'the most probable word' : `number ${nth} of the list`}, ${share}.`,
        /** @param {string} there @param {number} count */
        goesOnBeyond: (there, count) =>
            `The text goes on with “${there}”, which is none of the ${count} most probable words.`,
        press: {
            /** @param {string} word */
            next: word => `Write ${word} at the end`,
            /** @param {string} word */
            masked: word => `Put ${word} there`,
        },
        temperature: 'Temperature',
        temperatureHint: 'Below 1: the best words gain; above 1: all become more alike.',
        topK: 'Top-k',
        topKHint:
            'Only so many words can be drawn, the most probable ones: at most those of the list, also where it is off.',
        off: 'off',
        topP: 'Top-p',
        topPHint: 'Of these, the fewest whose probabilities reach this sum.',
        /** @param {number} nats @param {number} most */
        shades: (nats, most) =>
            `The stronger the colour, the less expected the token was: −ln p, full from ${nats}. Beyond the first ${most} words p is taken as the last one’s.`,
        how: 'Each step takes',
        hows: {best: 'the most probable word', random: 'a word at random'},
        /** @param {number} count */
        go: count => `Write ${count} tokens`,
        stop: 'Stop',
        back: 'Take one back',
        clear: 'Remove all',
        /** @param {number} count */
        written: count =>
            `${count} ${count === 1 ? 'token' : 'tokens'} written by the model, underlined.`,
        parts: 'Typed as text, they would be cut into other tokens; the link keeps these.',
        ended: 'The model ended the text here.',
        /** @param {number} most */
        full: most => `The text is full: this model reads at most ${most} tokens.`,
        /** @param {string} piece */
        mask: piece => `Mask “${piece}” and ask`,
        /** @param {number} count */
        more: count => `All ${count}`,
        fewer: 'Fewer',
        all: 'At every position',
        allHint: {
            next: 'The most probable next token after each one. Last column: the probability of the token that does come next.',
            masked: 'The most probable word at each position, with the token in sight. Last column: the probability of that token.',
        },
        columns: {
            token: 'Token',
            best: 'Prediction',
            chance: 'Probability',
            there: {next: 'Actual next', masked: 'Token itself'},
            /** @param {number} n */
            nth: n => (n === 1 ? 'Most probable' : `Number ${n}`),
        },
        lens: {
            title: 'After each layer',
            hint: 'The logit lens at this position: what the model would say if it ended after each layer. Raw: earlier layers were not trained for this.',
            /** @param {{word: string, layer: number, share: string, end: string, before: number}} found   end: after the last
             * layer, '' where it is this one; before: an earlier layer after which the word came first, else -1 */
            settled: ({word, layer, share, end, before}) =>
                (end
                    ? `“${word}” is the most probable word from layer ${layer} on: ${share} after it, ${end} after the last layer.`
                    : `“${word}” is the most probable word ${before < 0 ? 'only ' : ''}after the last layer: ${share}.`) +
                (before < 0
                    ? ''
                    : ` It was after layer ${before} too, but not after every layer since.`),
            columns: {
                first: 'Most probable',
                chance: 'Probability',
                /** @param {string} word */
                rank: word => `Rank of ${word}`,
                /** @param {string} word */
                share: word => `P(${word})`,
                final: 'Final word',
                rankOf: 'Rank of the final word',
                shareOf: 'P(final word)',
            },
            where: 'Shown for',
            wheres: {one: 'this position', all: 'every position'},
            map: 'Rank of the final word: layers down, positions across',
            keys: 'Rank of the final word after each layer; the arrow keys choose a cell',
            ink: 'Full colour: the last layer’s word ranks first already; each power of ten is a quarter paler, from rank 10,000 on there is none. Raw, as above.',
            caption:
                'The logit lens at every position: the most probable word after each layer, and the rank of the last layer’s word.',
            /** @param {number} position @param {string} piece */
            captionAt: (position, piece) =>
                `The logit lens at position ${position} (${piece}): the most probable word after each layer.`,
        },
        caption: 'The most probable words at every position, with the model’s own probabilities.',
    },
    find: {
        moved: 'Numbers here are shares of what each head moves; map and list of like heads stay with the weights.',
        /** What is on the picture. */
        pictured: 'the list of heads and the map',
        howTo: [
            'Press the token that looks (query), then the one it looks at (key): every head is ranked by the weight that it ' +
                'gives from the first to the second. Press a row to open that head.',
            'Or press a pattern, such as “previous token”: every head is ranked by how much of its attention, over the whole text, ' +
                'goes there.',
            'On the map each point is a head; heads that attend similarly on this text lie close together. The axes have ' +
                'no meaning; only nearness counts.',
        ],
        text: 'The text, token by token',
        pick: 'To ask about another pair, press the token that looks, then the one it looks at.',
        example:
            'An example. To ask about your own pair, press the token that looks, then the one it looks at.',
        question: 'Which heads do this?',
        pickKey: 'Now press the key: the token that is looked at.',
        waiting: 'The heads are ranked here as soon as a key is chosen.',
        looksAt: 'looks at',
        orPattern: 'Or ask for a pattern',
        /** @param {string} goal */
        patternAsked: goal => `Every token looks at ${goal}`,
        /** @param {string} goal */
        patternQuestion: goal => `Which heads look at ${goal}?`,
        /** Where attention goes, in a sentence. */
        goals: {
            next: 'the next token',
            previous: 'the previous token',
            self: 'itself',
            cls: '[CLS]',
            sep: '[SEP]',
            same_word: 'the same word elsewhere',
            other_sentence: 'the other sentence',
        },
        /** @param {import('../../views/find/say.js').Even} what */
        ifAlike: ({even, tokens, most}) =>
            `uniform attention over ${tokens ? `all ${tokens} tokens` : 'the tokens that it sees'}: ${even}` +
            (most && `; at most ${most}, since one token has none`),
        /** @param {import('../../views/find/say.js').Best} best */
        clearly: ({layer, head, weight, even}) =>
            `${headName(layer, head)} does this: ${weight} of its attention on this text (${even}).`,
        /** @param {import('../../views/find/say.js').Best} best */
        partly: ({layer, head, weight, even}) =>
            `${headName(layer, head)} does this in part: ${weight} of its attention on this text (${even}).`,
        /** @param {import('../../views/find/say.js').Best} best */
        none: ({layer, head, weight, even}) =>
            `No head does this on this text; ${headName(layer, head)} comes nearest, with ${weight} of its attention (${even}).`,
        /** @param {{piece: string, count: number, heads: number, much: number}} what */
        taken: ({piece, count, heads, much}) =>
            ` In this model ${piece} has that place: ${count} of ${heads} heads give it more than ${much} × uniform attention.`,
        /** @param {string} model @param {number} layer @param {number} head @param {string} share */
        elsewhere: (model, layer, head, share) =>
            `Another model on the menu has such a head: ${model}, ${headName(layer, head)}, ${share} on the text of the lesson on six patterns.`,
        openModel: 'Load it',
        /** @param {number} layer @param {number} head @param {number} heads */
        matters: (layer, head, heads) =>
            `${headName(layer, head)} is one of ${heads} heads: does it matter?`,
        off: 'Switch it off',
        overCorpus: 'Does it hold over many sentences?',
        noneHere: 'This text has nothing of the kind.',
        swap: 'Swap direction',
        ranked: 'The heads that do it most',
        /** @param {import('../../views/find/say.js').Even} what */
        even: ({even, tokens, pairs}) =>
            `Tick: ${even}, uniform attention over ` +
            (tokens ? `all ${tokens} tokens, special ones too` : 'the tokens that it sees') +
            (pairs ? ` (${pairs} of ${tokens} × ${tokens} pairs fit)` : '') +
            '. ×: multiples of that.',
        /** @param {number} layer @param {number} head */
        headName,
        /** @param {number} layer @param {number} head */
        chosenRow: (layer, head) => `${headName(layer, head)} (shown)`,
        /** @param {number} layer @param {number} head */
        open: (layer, head) => `Open ${headName(layer, head)} in the head view`,
        /** @param {number} layer @param {number} head */
        choose: (layer, head) => `Show heads that act like ${headName(layer, head)}`,
        /** @param {number} count */
        more: count => `Show all ${count} heads`,
        fewer: 'Show only the first',
        map: 'Heads that attend similarly',
        mapKeys: 'Map of heads: arrow keys move from head to head, Enter chooses one.',
        colour: 'Colours',
        colours: {layer: 'by layer', pattern: 'by pattern'},
        patterns: {
            next: 'next token',
            previous: 'previous token',
            self: 'itself',
            cls: '[CLS]',
            sep: '[SEP]',
            same_word: 'same word',
            other_sentence: 'other sentence',
            none: 'no clear pattern',
        },
        /** @param {number} layer @param {number} head @param {string} pattern */
        pointName: (layer, head, pattern) => `${headName(layer, head)}: ${pattern}`,
        /** @param {string} share @param {string} stress */
        fit: (share, stress) =>
            `Two dimensions show ${share} of how the heads differ (stress ${stress}; 0 would be exact). ` +
            'The axes have no meaning; only nearness counts.',
        /** @param {number} layer @param {number} head */
        alike: (layer, head) => `Heads that attend like ${headName(layer, head)}`,
        /** @type {Record<string, (pattern: string, share: string) => string>} */
        chosenIs: {
            clearly: (pattern, share) => `Its pattern on this text: ${pattern} (${share}).`,
            partly: (pattern, share) => `Its pattern on this text, in part: ${pattern} (${share}).`,
        },
        chosenNone: 'It shows none of these patterns on this text.',
        openIt: 'Open in the head view',
        divergence:
            'Jensen-Shannon divergence from the chosen head, mean over the queries. 0: identical; ln 2 = 0.693: nothing in common.',
        rank: 'Rank',
        times: '× uniform',
        divergenceColumn: 'Divergence',
        pattern: 'Pattern',
        /** @param {number} layer @param {number} head */
        tableCaption: (layer, head) =>
            'All heads by the weight from query to key, with their divergence from ' +
            `${headName(layer, head)} and their place on the map.`,
        /** @param {string} asked */
        patternTable: asked => (/** @type {number} */ layer, /** @type {number} */ head) =>
            `${asked}: all heads by the share of their attention that does this, with their divergence from ` +
            `${headName(layer, head)} and their place on the map.`,
        /** @param {{query: string, key: string, layer: number, head: number, weight: string}} best */
        describe: ({query, key, layer, head, weight}) =>
            `${query} looks at ${key} most in ${headName(layer, head)}: weight ${weight}.`,
    },
    /** where weight and what is moved differ */
    differ: {
        says: 'Moved: the length of what each key sends, ‖a·v·W_O‖, as a share of its query’s sum.',
        /** @param {string} piece @param {string} weight @param {string} moved */
        differ: (piece, weight, moved) =>
            `${piece} gets ${weight} of the weight and ${moved} of what is moved.`,
        /** @param {string} least */
        alike: least => `Here no token’s share differs from its weight by more than ${least}.`,
    },
    heatmap: {
        layerMaps: {
            together: {
                label: 'Moved by all heads',
                title: 'What all heads of the layer move together',
            },
            through: {
                label: 'With residual and norm',
                title: 'The same with the token’s own stream and the LayerNorm',
            },
            zeroing: {
                label: 'Value zeroing',
                title: 'How far the layer’s output turns when a token’s values are set to zero',
            },
        },
        /** What is on the picture. */
        pictured: 'the map of this head',
        howTo: [
            'Each row is a query, each column a key: the stronger the colour of a cell, the more attention the token of the row ' +
                'gives to the token of the column. Each row sums to 1.',
            'Point at a cell or tap it, or use Tab and the arrow keys, to read its weight.',
        ],
        /** @param {number} layer @param {number} head */
        title: (layer, head) => `Attention of ${headName(layer, head)}: queries down, keys across`,
        /** @param {number} n */
        every: n => `One token in ${n} is labelled: there is no room for all.`,
        keys: 'Attention of one head; the arrow keys choose a cell',
        hidden: 'cannot be seen from there',
        hatched: 'Hatched: keys that the query cannot see.',
        /** @param {string} most */
        ink: most =>
            `Full colour: ${most}; strength is the square root of the weight, so that small weights can be seen.`,
        /** @param {string} most @param {string} least */
        inkLog: (most, least) =>
            `Full colour: ${most}; strength is the logarithm of the number, and ${least} or less has none.`,
        log: 'Logarithmic colours, for small weights',
        /** @param {number} layer @param {number} head */
        tableCaption: (layer, head) =>
            `Attention of ${headName(layer, head)}: a row for each query, a column for each key`,
        /** @param {{layer: number, head: number, tokens: number, query: string, key: string, weight:
         *     string}} _ */
        describe: ({layer, head, tokens, query, key, weight}) =>
            `Heat map of ${headName(layer, head)}, ${tokens} tokens. ` +
            `The largest weight is ${weight}, from ${query} to ${key}.`,
        maps: /** @type {Record<string, string>} */ ({
            together: 'moved by all heads',
            through: 'moved, with residual and norm',
            zeroing: 'value zeroing',
        }),
        saysOf: /** @type {Record<string, string>} */ ({
            together:
                'The length of what all heads of the layer send together, ‖Σ a·v·W_O‖. Heads can cancel each other.',
            through:
                'The same with the token’s own residual stream and the LayerNorm. The mixing ratio sets two lengths of this layer against each other, what other tokens send and the token’s own part; they may partly cancel.',
            zeroing:
                'Value zeroing: how far the layer’s output of each query turns when a key’s values are set to zero in all heads, as a share of the row.',
        }),
        /** @param {string} piece @param {string} ratio */
        mixed: (piece, ratio) => `mixing ratio of ${piece} in this layer ${ratio}`,
        mixedColumn: 'Mixing ratio',
        /** @param {string} name */
        titleOf: name => `${name}: queries down, keys across`,
        /** @param {string} most */
        inkOf: most => `Full colour: ${most}; strength is the square root of the number.`,
        /** @param {string} name */
        tableCaptionOf: name => `${name}: a row for each query, a column for each key`,
        /** @param {{name: string, tokens: number, query: string, key: string, weight: string}} _ */
        describeOf: ({name, tokens, query, key, weight}) =>
            `Heat map of ${name}, ${tokens} tokens. The largest number is ${weight}, from ${query} to ${key}.`,
    },
    decides: {
        /** What is on the picture. */
        pictured: 'the lists, and all heads',
        howTo: [
            'What does this prediction rest on? The model runs again with one thing changed: a token masked (or removed), a head off, an MLP off. ' +
                'Each number is the change of ln p, exactly.',
            'Orange, below 0: without it the prediction is less probable. Blue, above 0: without it, more probable. −0.69 halves p.',
            'Parts back each other up, so the numbers do not add up; one text proves nothing about other texts.',
        ],
        none: 'There is no prediction here to explain. Put [MASK] into the text, or choose a model that predicts the next word, labels or answers, or one that makes embeddings, with two sentences.',
        /** @param {string} piece */
        hide: piece => `Mask “${piece}”`,
        writes: 'Or ask for the next word:',
        /** @param {string} word @param {number} position @param {string} piece @param {string} p @param {string} ln */
        word: (word, position, piece, p, ln) =>
            `“${word}” at position ${position} (${piece}): ${p}, ln p = ${ln}.`,
        /** @param {string} best @param {string} p @param {string} other */
        label: (best, p, other) =>
            `The label “${best}” (${p}), against “${other}”: the numbers are changes of ln p(${best}) − ln p(${other}).`,
        /** @param {string} piece @param {number} position @param {string} p @param {string} ln */
        start: (piece, position, p, ln) =>
            `The answer starts at “${piece}” (${position}): ${p}, ln p = ${ln}.`,
        /** @param {string} kind @param {string} value */
        similar: (kind, value) =>
            `Similarity of sentence A and sentence B (${{cosine: 'cosine', dot: 'dot product', euclidean: 'Euclidean distance, negative', manhattan: 'Manhattan distance, negative'}[kind]}): ${value}.`,
        similarHint:
            'Change of the similarity without it, the largest first. Orange, below 0: the sentences are then less similar; blue, above 0: more. Heads and MLPs are off in both sentences.',
        similarColumns: ['Kind', 'Masked, removed or off', 'Change of the similarity'],
        /** @param {string} name @param {string} text */
        ofText: (name, text) => `${name} in ${text}`,
        ways: /** @type {Record<string, string>} */ ({
            label: 'Each token',
            masked: 'masked: its position stays',
            removed: 'removed: what follows moves up',
        }),
        by: /** @type {Record<string, string>} */ ({
            label: 'Heads and MLPs off',
            zero: 'by zero',
            mean: 'by the mean of the other tokens',
        }),
        together: {
            label: 'Several heads at once',
            hint: 'Choose two or more: what they change together, beside the sum of what each changes alone.',
            /** @param {string} names @param {string} change @param {string} sum */
            say: (names, change, sum) =>
                `${names} off at once: ${change}; the sum of each alone: ${sum}.`,
        },
        wrote: {
            press: 'What wrote it',
            hint: 'Direct logit attribution. Bar and last number: what a part wrote into the logit (against another word or label: into the difference; else less the mean of all in its softmax); each norm’s σ and the slope of the output head are held. The number before: the exact change of ln p, or of the difference, with the part off, with all that later layers make of it. A part that wrote for the word takes away when it is off: where the two agree, their signs are opposite.',
            none: 'Not there yet. Against another word: one that is offered.',
        },
        parts: /** @type {Record<string, string>} */ ({
            word: 'word',
            position: 'position',
            segment: 'segment',
            biases: 'biases',
            output: 'output biases',
            rest: 'rest of output head',
            others: 'all others',
            sum: 'sum',
        }),
        /** @param {string} label @param {string} piece @param {number} position @param {string} ln */
        ofToken: (label, piece, position, ln) =>
            `“${piece}” (${position}) is “${label}”: ln p = ${ln}.`,
        chooseToken: 'Explain another token',
        /** @param {string} name @param {string} value */
        most: (name, value) => `What changes this most: ${name}. Without it: ${value}.`,
        /** @param {string} name @param {string} value */
        mostOfHeads: (name, value) => `Of the heads, ${name}: ${value}.`,
        choose: 'Explain another word',
        less: 'Against the word',
        lessNone: 'none',
        /** @param {string} word @param {string} against @param {number} position @param {string} piece @param {string} ln */
        contrast: (word, against, position, piece, ln) =>
            `“${word}” against “${against}” at position ${position} (${piece}): ln p(${word}) − ln p(${against}) = ${ln}.`,
        /** @param {string} word @param {string} against */
        contrastHint: (word, against) =>
            `Change of ln p(${word}) − ln p(${against}) without it, the largest first. Orange, below 0: it is then more in favour of “${against}”; blue, above 0: of “${word}”.`,
        chooseStart: 'Explain another start',
        coming: 'Passes that have been run',
        hint: 'Change of ln p without it, the largest first. Orange, below 0: the prediction is then less probable; blue, above 0: more.',
        then: 'In percent: how probable it is then.',
        lists: /** @type {Record<string, string>} */ ({
            wrote: 'Change without each part, and what it wrote into the logit',
            token: 'Each token masked',
            removed: 'Each token removed',
            head: 'Each head off',
            mlp: 'Each MLP off',
        }),
        kinds: /** @type {Record<string, string>} */ ({
            token: 'token',
            removed: 'token removed',
            head: 'head',
            mlp: 'MLP',
            patch_token: 'row',
            patch_head: 'head',
        }),
        /** @param {number} position @param {string} piece */
        token: (position, piece) => `${piece} (${position})`,
        grid: 'All heads',
        /** @param {string} most @param {number[]} ends */
        gridHint: (most, [first, last]) =>
            `A row a layer, a cell a head from ${first} to ${last}, at the right its MLP. Full colour: ${most} or −${most}.`,
        beside: 'Looked at, moved, zeroed, decided',
        masked: 'Token',
        readings: /** @type {Record<string, string>} */ ({
            weight: 'looked at',
            moved: 'moved',
            zeroed: 'zeroed',
            decided: 'decided',
        }),
        /** @param {string} id @param {string} value */
        agrees: (id, value) =>
            `${{weight: 'attention weight', moved: 'what heads move', zeroed: 'value zeroing', rollout: 'rollout', nearness: 'nearness, as a control'}[id]} ${value}`,
        /** @param {number} count @param {string[]} said */
        besideHint: (count, said) =>
            `Attention from this position (mean over all heads), what it moves, value zeroing (mean over layers), and the size of the change when the token is masked; each as a share of the column’s largest. Rank correlation with “decided” over ${count} tokens: ${said.join(', ')}. One sentence proves nothing; the command “headlight agree” takes their mean over many texts.`,
        columns: ['Kind', 'Masked, removed or off', 'Change of ln p'],
        patch: {
            ask: 'Or patch from another text',
            example: 'The capital of Italy is [MASK].',
            hint:
                'Patching: one part is taken from the other text, and everything above it is computed anew. 1: the prediction is then that of the other text; ' +
                '0: nothing changes; below 0: further away from it. Shares do not add up.',
            waits: 'Working it out: the other text first …',
            none: 'The other text has no prediction. Put [MASK] into it, too.',
            same: 'The two differ by less than 0.1 in this, and shares of that say nothing: choose texts that differ more.',
            /** @param {string} a @param {string} b */
            contrast: (a, b) => `ln p of “${a}” less that of “${b}”`,
            /** @param {string} a */
            one: a => `ln p of “${a}”`,
            /** @param {string} what @param {string} onto @param {string} of */
            values: (what, onto, of) => `${what}: ${onto} here, ${of} in the other text.`,
            /** @param {string} name @param {string} share */
            kept: (name, share) =>
                `The last token vector that still brings half of the difference: ${name}, ${share}.`,
            /** @param {string} name @param {string} share */
            most: (name, share) =>
                `Of the token vectors ${name} brings most: ${share} of the difference.`,
            /** @param {string} name @param {string} share */
            byHead: (name, share) => `Of the heads ${name} brings most: ${share}.`,
            /** @param {string} name @param {string} share */
            away: (name, share) => `${name} leads away from it most: ${share}.`,
            /** Of a token that is another in the other text. @param {string} other @param {string} own */
            swap: (other, own) => `${other} for ${own}`,
            /** @param {number} count @param {number} all */
            unchanged: (count, all) =>
                `${count} of ${all} patches change nothing: both texts have the same there, or the prediction does not read it.`,
            /** @param {number} onto @param {number} of */
            other: (onto, of) =>
                `The texts have ${onto} and ${of} tokens, so one token of each is set against the other.`,
            to: 'In this text',
            from: 'taken from',
            /** @param {number} layer @param {string} token */
            row: (layer, token) => `${token}, before layer ${layer}`,
            list: 'Recovered share',
            rows: 'Tokens at each layer',
            /** @param {number} first @param {number} last */
            rowsHint: (first, last) =>
                `A row a token, a cell a layer (${first} to ${last}): the token’s vector as that layer finds it. Full blue: 1, full orange: −1.`,
            rowTitles: ['Token', 'Layers'],
            heads: 'Heads',
            headsHint: 'A row a layer, a cell a head: its output at the tokens that are patched.',
            columns: ['Kind', 'From the other text', 'Recovered share', 'Change of ln p'],
        },
    },
    why: {
        /** What is on the picture. */
        pictured: 'both lists, and the heads',
        howTo: [
            'Score of one link, split over what wrote the two tokens’ vectors before this layer. Compared with the mean of ' +
                'the keys that the query can see: the contrast, ln of the weight ÷ the geometric mean of the row.',
            'Two ways to split the same number: by what was written at the key, and by what was written at the query. ' +
                'Each list sums to the contrast; do not add the two.',
            'Each norm’s divisor (σ) is held as it was. “Written by” is not “because”: to see what a head really does here, switch it off.',
        ],
        from: 'From (query)',
        to: 'to (key)',
        back: 'Head view',
        waits: 'Working it out: this loads the engine with all measures, and the model once more …',
        /** @param {number} query @param {number} key */
        hidden: (query, key) =>
            `Token ${query} cannot see token ${key} in this layer (mask), so there is no score to split. Choose another pair.`,
        /** @param {{name: string, from: string, to: string, weight: string, times: string}} what */
        link: ({name, from, to, weight, times}) =>
            `${name} looks from “${from}” to “${to}” with weight ${weight}: ${times} times a typical key of this row. ` +
            'The lists below split its logarithm, the contrast, over what the model wrote at the two tokens.',
        /** For a number above 1,000. */
        most: 'more than 1,000',
        /** @param {string} name @param {string} from @param {string} to */
        only: (name, from, to) =>
            `“${to}” is the only key that “${from}” can see, so ${name} gives it all its weight: there is nothing to compare.`,
        /** The query, as the sentences below name it: @param {string} from */
        query: from => `this query, “${from}”`,
        /** Where more than half of the query’s side is its position. */
        placed: 'this query’s place more than its word',
        decided: {
            /** @param {{query: string, to: string, contrast: string, alone: string}} what */
            key: ({to, contrast, alone}) =>
                `“${to}” draws this head whatever the query: the text’s mean query has ${alone} of the contrast of ${contrast}.`,
            /** @param {{query: string, to: string, contrast: string, alone: string}} what */
            query: ({query, contrast, alone}) =>
                `It takes ${query}: the text’s mean query has only ${alone} of the contrast of ${contrast}.`,
            /** @param {{query: string, to: string, contrast: string, alone: string}} what */
            both: ({query, to, contrast, alone}) =>
                `Partly “${to}” alone, partly ${query}: the text’s mean query has ${alone} of the contrast of ${contrast}.`,
            /** @param {{query: string, to: string, contrast: string, alone: string}} what */
            weak: ({to, contrast}) =>
                `“${to}” gets less than a typical key: the contrast is ${contrast}.`,
            /** @param {{query: string, to: string, contrast: string, alone: string}} what */
            typical: ({to, contrast}) =>
                `“${to}” gets about as much as a typical key: the contrast is ${contrast}.`,
        },
        /** @param {string} value */
        rounded: value =>
            `Arithmetic in int8 leaves ${value} of it unexplained (in “the rest”); “fine” or float32 leaves less.`,
        /** @param {string} before @param {string} now */
        changed: (before, now) =>
            `With your changes the weight is ${now}; without them ${before} (exact).`,
        sides: {
            /** @param {string} piece */
            key: piece => `Written at the key “${piece}”`,
            /** @param {string} piece */
            query: piece => `Written at the query “${piece}”`,
        },
        parts: {
            word: 'the word',
            itself: 'the token itself (word and first MLP)',
            position: 'position and segment',
            biases: 'all biases',
            rest: 'the rest',
        },
        /** @param {number} layer */
        mlp: layer => `MLP of layer ${layer}`,
        /** @param {number} at @param {string} piece */
        brought: (at, piece) => `brought by heads from ${at} “${piece}”`,
        sum: 'contrast',
        heads: 'Written by heads',
        headsHint:
            'What each earlier head wrote at the key and at the query, as a part of the contrast. Then the weight without just that, all other heads and MLPs held (exact). Switched off, a head is missing everywhere.',
        headColumns: [
            'Head',
            'At the key',
            'At the query',
            'Weight without: key · query',
            'All of it',
        ],
        /** @param {{part: string, side: 'key' | 'query', piece: string, weight: string}} what */
        cut: ({part, side, piece, weight}) =>
            `Without what ${part.replace('MLP', 'the MLP')} wrote at the ${side} “${piece}”, all else held, the weight would be ${weight} (exact): no other head or MLP does as much at one of the two.`,
        off: 'Switch off',
        on: 'Switch on',
        table: {
            /** @param {string} head @param {string} from @param {string} to */
            caption: (head, from, to) =>
                `${head}, “${from}” to “${to}”: what wrote the contrast, at the key and at the query. Each column sums to it.`,
            columns: [
                ...['Part', 'At the key', 'At the query'],
                ...['Weight without, at the key', 'Weight without, at the query'],
            ],
            rows: ['word', 'position', 'segment', 'biases', 'relative position', 'rounding'],
        },
    },
    change: {
        /** What is on the picture. */
        pictured: 'all heads, and the map of the chosen one',
        howTo: [
            'Press a token to mask it or to put another word in its place, or switch heads off below. The model runs twice: ' +
                'without and with your changes.',
            'Each small picture is a head: queries down, keys across. Blue: more attention than before; orange: less. The ' +
                'number is the share of its attention that has moved, on average over the queries.',
            'Switching off a head changes the attention of later layers only.',
        ],
        text: 'The text, token by token',
        pick: 'Press a token to mask or replace it.',
        pickOnly: 'Press a token to replace it. This model knows no [MASK].',
        /** @param {string} word @param {boolean} chosen by the reader, in the view before */
        begun: (word, chosen) =>
            (chosen
                ? `To begin with, the token you had chosen is masked: ${word}.`
                : `To begin with, Headlight has masked one word: ${word}.`) +
            ' Press another word to mask that one instead.',
        against:
            'To begin with, B is set against A: B’s words take the places of A’s, so each change is from A to B. “Undo all changes” goes back.',
        /** @param {number[]} tokens of each */
        uneven: ([a, b]) =>
            `A has ${a} tokens and B ${b}: attention is compared only between texts of as many tokens, of which at most 64 differ.`,
        most: 'In which head does attention differ most?',
        /** @param {number} position */
        at: position => `Position ${position}`,
        mask: 'Mask',
        putBack: 'Put it back',
        otherWord: 'Another word',
        putIn: 'Put in',
        oneWord: 'One word only, without spaces.',
        offers: 'Predicted here:',
        /** @param {string} word @param {string[]} pieces */
        refused: (word, pieces) =>
            pieces.length > 1
                ? `“${word}” is ${pieces.length} tokens in this vocabulary (${pieces.join(' ')}); only a single token can take ` +
                  'the place of another, so nothing was changed here.'
                : `“${word}” is not in this model’s vocabulary, so nothing was changed here.`,
        nothing: 'No changes yet: before and after are the same.',
        /** @param {{words: number, off: number, zeroed: number, swapped: boolean, without: string}} what
         *     without: of the embeddings, 'positions' or 'types' */
        changed: ({words, off, zeroed, swapped, without}) =>
            `Changed: ${
                [
                    [words, 'token', 'tokens'],
                    [off, 'head off', 'heads off'],
                    [zeroed, 'neuron at zero', 'neurons at zero'],
                ]
                    .filter(([count]) => count)
                    .map(([count, one, more]) => `${count} ${count === 1 ? one : more}`)
                    .concat(swapped ? 'two positions swapped' : [])
                    .concat(without === 'positions' ? 'no position embeddings' : [])
                    .concat(without === 'types' ? 'no segment embeddings' : [])
                    .join(', ') || 'nothing in this text'
            }.`,
        reset: 'Undo all changes',
        grid: 'What has changed in each head',
        press: 'A press on a head',
        presses: {show: 'shows it large', off: 'switches it off or on'},
        /** @param {number} layer @param {number} head @param {string} moved @param {boolean} off */
        cell: (layer, head, moved, off) =>
            `${headName(layer, head)}: ${moved} of the attention moved${off ? '; switched off' : ''}`,
        /** @param {string} most '': nothing has changed */
        gridHint: most =>
            'Layers down, heads across. Below each head: the share of its attention that has moved.' +
            (most
                ? ' Blue: more attention; orange: less; the stronger the colour, the larger the change (square root).'
                : ''),
        gridEmpty:
            'Nothing has changed yet. Mask or replace a token, switch a head off, or write a sentence B of as many tokens: each square then shows where that head’s attention has moved.',
        gridScale: 'Colours of the small maps:',
        mapScale: 'Colours of this map:',
        /** @param {number} layer @param {number} head */
        mapTitle: (layer, head) => `${headName(layer, head)}: after minus before`,
        isOff: '(switched off)',
        mapKeys:
            'Map of differences, queries down, keys across: arrow keys move from cell to cell.',
        /** @param {string} most */
        mapHint: most =>
            `Queries down, keys across. Blue: more attention; orange: less. Full colour: ${most}, the largest change in ` +
            'this head; colour grows with the square root of the change.',
        mapSame: 'The attention of this head is the same as before.',
        to: 'to',
        predictions: 'What the model predicts',
        noPredictions:
            'Predictions before and after appear here when there is a sentence B, a [MASK] or a replaced token.',
        noOutput: 'This model has no head for words, labels or answers: it predicts nothing.',
        /** @type {Record<import('../../worker/passes.js').Prediction['task'], string>} */
        says: {
            labels: 'Labels of the text',
            token_labels: 'Labels of tokens, those that changed most',
            answer: 'Answers',
            replaced: 'Probability that a token was replaced, those that changed most',
        },
        /** @param {number} position @param {string} piece */
        nextAfter: (position, piece) => `Next token after position ${position} (${piece})`,
        before: 'before',
        after: 'after',
        points: 'points',
        /** @param {number} position @param {string} piece */
        wordsAt: (position, piece) => `Best words at position ${position} (${piece})`,
        moved: 'Moved',
        difference: 'difference',
        /** @param {number} n */
        nthKey: n => ['Most changed key', 'Second', 'Third'][n - 1],
        /** @param {number} layer @param {number} head */
        tableCaption: (layer, head) =>
            `${headName(layer, head)}: the share of each query’s attention that has moved, and ` +
            'the keys whose weight has changed most.',
        /** @param {number} layer @param {number} head @param {string} moved */
        describe: (layer, head, moved) =>
            `${headName(layer, head)} has changed most: ${moved} of its attention has moved.`,
        /** @param {string[]} ends query and key @param {string} difference */
        where: ([query, key], difference) =>
            ` Its largest change: from ${query} to ${key}, ${difference}.`,
    },
};
