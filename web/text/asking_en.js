/* asking_en - the words of the views "find a head" and "what changes" in English; part of
 * text/en.js.
 */

export const findWords = {
    howTo: [
        'Press the token that looks (query), then the one it looks at (key): every head is ranked by the weight that it ' +
            'gives from one to the other. Press a row to open that head.',
        'On the map each point is a head; heads that look alike on this text lie close together. The axes themselves mean ' +
            'nothing, and neither does left or right.',
    ],
    text: 'The text, token by token',
    pick: 'Press a token to ask about another pair.',
    pickKey: 'Now press the key: the token that is looked at.',
    waiting: 'The heads are ranked here as soon as a key is chosen.',
    looksAt: 'looks at',
    swap: 'Swap direction',
    ranked: 'Which heads do this most',
    /** @param {string} weight */
    even: weight =>
        `The tick marks ${weight}: what a head gives that looks at all tokens alike. × is how many times that.`,
    /** @param {number} layer @param {number} head */
    headName: (layer, head) => `Layer ${layer}, head ${head}`,
    /** @param {number} layer @param {number} head */
    open: (layer, head) => `Open layer ${layer}, head ${head} in the head view`,
    /** @param {number} layer @param {number} head */
    choose: (layer, head) => `Show what is like layer ${layer}, head ${head}`,
    /** @param {number} count */
    more: count => `Show all ${count} heads`,
    fewer: 'Show the first only',
    map: 'Which heads act alike',
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
    pointName: (layer, head, pattern) => `Layer ${layer}, head ${head}: ${pattern}`,
    /** @param {string} share @param {string} stress */
    fit: (share, stress) =>
        `The plane keeps ${share} of the variation between heads (stress ${stress}); ` +
        'the axes have no meaning, only nearness has.',
    /** @param {number} layer @param {number} head */
    alike: (layer, head) => `What acts like layer ${layer}, head ${head}`,
    /** @param {string} pattern */
    chosenIs: pattern => `Where at least half of its attention goes: ${pattern}.`,
    chosenNone: 'No one pattern takes half of its attention.',
    openIt: 'Open in the head view',
    divergence:
        'Jensen-Shannon divergence from the chosen head, mean over the queries: 0 is equal, ln 2 = 0.693 the most there is.',
    rank: 'Rank',
    times: '× even',
    apart: 'Divergence',
    pattern: 'Pattern',
    /** @param {number} layer @param {number} head */
    tableCaption: (layer, head) =>
        'All heads by the weight from query to key, with their divergence from ' +
        `layer ${layer}, head ${head} and their place on the map.`,
    /** @param {{query: string, key: string, layer: number, head: number, weight: string}} best */
    describe: ({query, key, layer, head, weight}) =>
        `${query} looks at ${key} most in layer ${layer}, head ${head}: weight ${weight}.`,
};

export const changeWords = {
    howTo: [
        'Choose a token to mask it or to put another word in its place, or switch heads off below. The model runs twice, ' +
            'with and without your changes.',
        'Each small picture is a head: query down, key to the right. Blue: more attention than before; orange: less. The ' +
            'number is the share of its attention that has moved, as a mean over the queries.',
        'Switching off a head of a layer changes the attention of later layers only.',
    ],
    text: 'The text, token by token',
    pick: 'Choose a token to mask or replace it.',
    /** @param {number} position */
    at: position => `Position ${position}`,
    mask: 'Mask it',
    putBack: 'Put it back',
    otherWord: 'Another word',
    putIn: 'Put in',
    oneWord: 'One word only, without spaces.',
    offers: 'The model’s own words here:',
    /** @param {string} word @param {string[]} pieces */
    refused: (word, pieces) =>
        pieces.length > 1
            ? `“${word}” is ${pieces.length} pieces in this vocabulary (${pieces.join(' ')}); only a word of one piece can take ` +
              'the place of a token, so nothing was changed here.'
            : `“${word}” is not in this model’s vocabulary, so nothing was changed here.`,
    nothing: 'Nothing is changed yet: before and after are the same.',
    /** @param {number} words @param {number} off @param {number} zeroed */
    changed: (words, off, zeroed) =>
        `Changed: ${
            [
                [words, 'token', 'tokens'],
                [off, 'head off', 'heads off'],
                [zeroed, 'neuron at zero', 'neurons at zero'],
            ]
                .filter(([count]) => count)
                .map(([count, one, more]) => `${count} ${count === 1 ? one : more}`)
                .join(', ') || 'nothing that this text has'
        }.`,
    reset: 'Undo all changes',
    grid: 'What has changed in each head',
    press: 'A click on a head',
    presses: {show: 'shows it', off: 'switches it off or on'},
    /** @param {number} layer @param {number} head @param {string} moved @param {boolean} off */
    cell: (layer, head, moved, off) =>
        `Layer ${layer}, head ${head}: ${moved} of the attention moved${off ? '; switched off' : ''}`,
    /** @param {string} most */
    gridHint: most =>
        `Layers down, heads to the right. Full colour: a weight changed by ${most}; the strength of a colour grows with the root of the change.`,
    /** @param {number} layer @param {number} head */
    mapTitle: (layer, head) => `Layer ${layer}, head ${head}: after minus before`,
    isOff: '(switched off)',
    mapKeys: 'Map of differences, query down, key to the right: arrow keys move from cell to cell.',
    /** @param {string} most */
    mapHint: most =>
        `Query down, key to the right. Full colour: ${most}; strength grows with the root of the change.`,
    mapSame: 'The attention of this head is the same as before.',
    to: 'to',
    predictions: 'What the model predicts',
    noPredictions:
        'Predictions before and after stand here when there is a sentence B, a [MASK], or another word in the place of a token.',
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
        `Layer ${layer}, head ${head}: the share of each query’s attention that has moved, and ` +
        'the keys whose weight has changed most.',
    /** @param {number} layer @param {number} head @param {string} moved */
    describe: (layer, head, moved) =>
        `Most has changed in layer ${layer}, head ${head}: ${moved} of its attention has moved.`,
};
