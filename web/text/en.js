/* en - every word the page says, in English. text/zh.js has the same keys; a test compares them.
 */

import {modelViewEn} from './model_en.js';
import {inside, neuron, steps} from './inside_en.js';
import {extrasEn} from './extras.en.js';
import {runs} from './runs.js';

/** @param {readonly number[]} heads */
const headsNamed = heads => (heads.length === 1 ? `head ${heads[0]}` : `heads ${runs(heads, ', ')}`);
/** @param {string} text */
const capital = text => text[0].toUpperCase() + text.slice(1);
/** @param {number} count */
const tokens = count => `${count} ${count === 1 ? 'token' : 'tokens'}`;
const SENTENCE = ['A', 'B'];

export const en = {
    code: 'en',
    name: 'English',
    pageTitle: 'Headlight: see what BERT’s attention heads do',
    heading: 'What BERT pays attention to',
    lede: 'In each attention head every token looks at all tokens and shares out a weight of 1 among them. ' +
        'The model runs in this page; the lines are its own numbers.',
    query: 'Query',
    queryDoes: 'looks',
    key: 'Key',
    keyDoes: 'is looked at',
    weight: 'Weight',
    position: 'No.',
    headWord: 'head',

    views: 'Views',
    viewTitles: /** @type {Record<string, string>} */ ({
        head: 'Head view',
        model: 'Model view',
        neuron: 'Neuron view', steps: 'Step by step',
        find: 'Find a head',
        change: 'What changes',
    }),
    controls: 'Text, layer and heads',
    oneBased: 'Count layers and heads from 1',
    textA: 'Sentence A',
    textB: 'Sentence B',
    textBNone: 'none',
    show: 'Show',
    showHint: 'Enter shows the new text, Escape restores the old.',
    model: 'Model',
    modelOther: 'Another model…',
    modelFolder: 'Open a folder…',
    /** @param {string} name */
    modelLocal: name => `${name} (your folder)`,
    layer: 'Layer',
    /** @param {number} layer */
    layerName: layer => `Layer ${layer}`,
    heads: 'Heads',
    headsAll: 'All',
    headsNone: 'None',
    headsNoneHint: 'Turns off all heads but one: the last stays on',
    headsHint: 'Double-click or Shift+Enter: solo.',
    /** @param {number} head */
    headChip: head => `Head ${head}`,
    filter: 'Pairs',
    filterHint: 'Weights are those of the whole text; they are not rescaled to the part shown.',
    filterNeedsB: 'Needs a sentence B.',
    filters: {all: 'All', aa: 'A→A', ab: 'A→B', ba: 'B→A', bb: 'B→B'},
    filterNames: {all: 'All tokens', aa: 'A looks at A', ab: 'A looks at B', ba: 'B looks at A', bb: 'B looks at B'},

    theme: 'Appearance', themes: {auto: 'Auto', light: 'Light', dark: 'Dark'},
    language: 'Language',
    share: 'Copy link',
    shared: 'Link copied',
    shareFailed: 'Copy the address of this page instead.',
    ...extrasEn,

    /** @param {string} name */
    loading: name => `Loading ${name}`,
    /** @param {string} done @param {string} total */
    bytes: (done, total) => (total ? `${done} of ${total}` : done),
    /** @param {number} bytes */
    megabytes: bytes => `${(bytes / 1e6).toFixed(1)} MB`,
    preparing: 'Starting',
    computing: 'Computing…',
    /** @param {number} count @param {number} ms */
    ready: (count, ms) => `${tokens(count)}, computed in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
    /** @param {number} count @param {number} sentence @param {number} most */
    dropped: (count, sentence, most) =>
        `${tokens(count)} of sentence ${SENTENCE[sentence]} ${count === 1 ? 'was' : 'were'} cut: ` +
        `the model reads at most ${most}.`,
    problem: 'This did not work:',
    problemKept: 'The figure still shows what was there before.',
    retry: 'Try again', close: 'Close',

    nextSentence: 'Next sentence',
    nextSentenceSays: 'Is B the sentence after A? The model’s probabilities:',
    follows: 'B follows A', random: 'B is unrelated',
    fillings: 'What could stand at [MASK]',
    /** @param {number} position */
    fillingAt: position => `[MASK] at position ${position}`,
    tableTitle: 'The numbers as a table',
    figureLabel: 'Attention figure',
    panelLabel: 'Numbers of the chosen token',
    canvasHelp: 'Arrow keys move between tokens, Enter pins one, Shift+Enter adds one, M masks it, Escape lets go.',

    head: {
        queryColumn: 'Query tokens',
        keyColumn: 'Key tokens',
        howTo: [
            'A line runs from the token that looks (query) to the one it looks at (key). A colour is a head; ' +
                'the greater the weight, the stronger the line.',
            'Point at a token to see only its lines, and their numbers here. Click pins it, Shift+click adds another, ' +
                'double-click masks it. Keys: arrows, Enter, Shift+Enter, M, Escape.',
            'The small cells outside, one a head: what a token receives on average from the queries and, where only a ' +
                'part of the keys is shown, what it gives them. Of a chosen token, its own weights opposite.',
        ],
        /** @param {number} count @returns {string} */
        looksAt: count => (count === 1 ? 'looks at' : 'look at'),
        /** @param {number} count @returns {string} */
        lookedAtBy: count => (count === 1 ? 'is looked at by' : 'are looked at by'),
        /** @param {number} count */
        summed: count => `(sum of ${count} tokens)`,
        pin: 'Pin',
        unpin: 'Unpin',
        addOthers: 'Add others',
        mask: 'Mask',
        unmask: 'Unmask',
        unmaskAll: 'Unmask',
        /** @param {number} count */
        maskedNote: count => `${count} masked`,
        maskedHere: 'The model reads [MASK] here.',
        unknown: 'Not in the vocabulary; the model reads [UNK] for',
        expected: 'The model’s words for',
        expectedMasked: 'The model’s words instead of',
        expectedColumn: 'The model’s words here',
        meanGiven: 'Mean over the keys, by head',
        meanReceived: 'Mean over the queries, by head',
        /** @param {number} head */
        received: head => `Received, head ${head}`,
        receivedMean: 'Received',
        nothing: 'Nothing is shown.',

        mix: 'Shown',
        mixes: /** @type {Record<string, string>} */ ({heads: 'Heads', mean: 'Mean', layers: 'Layers', rollout: 'Rollout'}),
        mixTitles: /** @type {Record<string, string>} */ ({
            heads: 'Each head that is on, in its colour',
            mean: 'The mean of the heads that are on, in this layer',
            layers: 'The mean over all layers of the heads that are on',
            rollout: 'Attention rollout: what reaches each position from the input up to this layer, over all heads',
        }),
        /** @param {{mix: string, layer: number, heads: readonly number[]}} what */
        shown: ({mix, layer, heads}) => ({
            heads: `layer ${layer}, ${headsNamed(heads)}`,
            mean: `layer ${layer}, mean of ${headsNamed(heads)}`,
            layers: `mean over all layers of ${headsNamed(heads)}`,
            rollout: `rollout from the input to layer ${layer}`,
        }[mix] ?? ''),
        level: 'Rows',
        levels: {pieces: 'Pieces', words: 'Words'},
        levelTitles: {
            pieces: 'The pieces of the model’s vocabulary',
            words: 'Words as typed, between spaces and punctuation; Chinese is grouped by the spaces you type',
        },
        groupedNote: 'Chinese is grouped as typed: put spaces between words to see words.',
        wordsNote: 'words (to: sum, from: mean over the pieces)',
        more: 'More',
        top: 'Strongest attention shown',
        topHint: 'Of each query the largest weights, until they reach this share of what it gives.',
        /** @param {number} top */
        topNote: top => `strongest ${top} % of each query`,
        hideSpecials: 'Hide [CLS] and [SEP]',
        hideSpecialsHint: 'The other weights stay as they are; they are not rescaled to 1.',
        specialsNote: '[CLS], [SEP] hidden, weights not rescaled',
        showFillings: 'Words the model expects',
        showFillingsHint: 'The likeliest beside each query, five in the numbers.',
        /** @param {number} count */
        meanOf: count => `Mean weight over ${count} heads`,
        /** @param {number} head */
        weightOf: head => `Weight in head ${head}`,
        /** @param {string} sum @param {boolean} fromQuery @param {boolean} filtered */
        sum: (sum, fromQuery, filtered) => (fromQuery
            ? `Sum over the keys ${filtered ? 'shown' : 'of the text'}: ${sum}`
            : `Sum over the queries ${filtered ? 'shown' : 'of the text'}: ${sum}`),
        topKeys: 'Where each head looks most',
        topQueries: 'Who looks most, head by head',
        /** @param {number} n */
        nthKey: n => ['Strongest key', 'Second key', 'Third key'][n - 1],
        sharpest: 'Sharpest head',
        /** @param {string} name of what is shown @param {boolean} perHead */
        tableCaption: (name, perHead) => `${capital(name)}: the strongest keys of every query by mean weight` +
            `${perHead ? ', the head with the largest single weight' : ''}; what the token receives as a key, ` +
            'mean over the queries.',
        /** @param {{name: string, tokens: number,
         *   best: {head: number | null, query: string, key: string, weight: string}}} seen */
        describe: ({name, tokens: count, best}) => `Head view: ${name}, ${tokens(count)}. ` +
            `Strongest link: ${best.query} looks at ${best.key}, ` +
            `${best.head === null ? '' : `head ${best.head}, `}weight ${best.weight}.`,
        /** @param {string} name */
        svgTitle: name => `Attention, ${name}: query on the left, key on the right`,
    },
    modelView: modelViewEn,
    inside, neuron, steps,
    find: {
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
        even: weight => `The tick marks ${weight}: what a head gives that looks at all tokens alike. × is how many times that.`,
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
        patterns: {next: 'next token', previous: 'previous token', self: 'itself', cls: '[CLS]', sep: '[SEP]',
            same_word: 'same word', other_sentence: 'other sentence', none: 'no clear pattern'},
        /** @param {number} layer @param {number} head @param {string} pattern */
        pointName: (layer, head, pattern) => `Layer ${layer}, head ${head}: ${pattern}`,
        /** @param {string} share @param {string} stress */
        fit: (share, stress) => `The plane keeps ${share} of the variation between heads (stress ${stress}); ` +
            'the axes have no meaning, only nearness has.',
        /** @param {number} layer @param {number} head */
        alike: (layer, head) => `What acts like layer ${layer}, head ${head}`,
        /** @param {string} pattern */
        chosenIs: pattern => `Where at least half of its attention goes: ${pattern}.`,
        openIt: 'Open in the head view',
        divergence: 'Jensen-Shannon divergence from the chosen head, mean over the queries: 0 is equal, ln 2 = 0.693 the most there is.',
        rank: 'Rank',
        times: '× even',
        apart: 'Divergence',
        pattern: 'Pattern',
        /** @param {number} layer @param {number} head */
        tableCaption: (layer, head) => 'All heads by the weight from query to key, with their divergence from ' +
            `layer ${layer}, head ${head} and their place on the map.`,
        /** @param {{query: string, key: string, layer: number, head: number, weight: string}} best */
        describe: ({query, key, layer, head, weight}) =>
            `${query} looks at ${key} most in layer ${layer}, head ${head}: weight ${weight}.`,
    },
    change: {
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
        refused: (word, pieces) => (pieces.length > 1
            ? `“${word}” is ${pieces.length} pieces in this vocabulary (${pieces.join(' ')}); only a word of one piece can take ` +
                'the place of a token, so nothing was changed here.'
            : `“${word}” is not in this model’s vocabulary, so nothing was changed here.`),
        nothing: 'Nothing is changed yet: before and after are the same.',
        /** @param {number} words @param {number} off @param {number} zeroed */
        changed: (words, off, zeroed) => `Changed: ${[[words, 'token', 'tokens'], [off, 'head off', 'heads off'],
            [zeroed, 'neuron at zero', 'neurons at zero']].filter(([count]) => count)
            .map(([count, one, more]) => `${count} ${count === 1 ? one : more}`).join(', ') || 'nothing that this text has'}.`,
        reset: 'Undo all changes',
        grid: 'What has changed in each head',
        press: 'A click on a head',
        presses: {show: 'shows it', off: 'switches it off or on'},
        /** @param {number} layer @param {number} head @param {string} moved @param {boolean} off */
        cell: (layer, head, moved, off) => `Layer ${layer}, head ${head}: ${moved} of the attention moved${off ? '; switched off' : ''}`,
        /** @param {string} most */
        gridHint: most => `Layers down, heads to the right. Full colour: a weight changed by ${most}; the strength of a colour grows with the root of the change.`,
        /** @param {number} layer @param {number} head */
        mapTitle: (layer, head) => `Layer ${layer}, head ${head}: after minus before`,
        isOff: '(switched off)',
        mapKeys: 'Map of differences, query down, key to the right: arrow keys move from cell to cell.',
        /** @param {string} most */
        mapHint: most => `Query down, key to the right. Full colour: ${most}.`,
        mapSame: 'The attention of this head is the same as before.',
        to: 'to',
        predictions: 'What the model predicts',
        noPredictions: 'Predictions before and after stand here when there is a sentence B, a [MASK], or another word in the place of a token.',
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
        tableCaption: (layer, head) => `Layer ${layer}, head ${head}: the share of each query’s attention that has moved, and ` +
            'the keys whose weight has changed most.',
        /** @param {number} layer @param {number} head @param {string} moved */
        describe: (layer, head, moved) => `Most has changed in layer ${layer}, head ${head}: ${moved} of its attention has moved.`,
    },
    footer: 'Everything is computed on your device; no text leaves it.',
};
