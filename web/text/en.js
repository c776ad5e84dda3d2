/* en - every word the page says, in English. text/zh.js has the same keys; a test compares them.
 */

import {modelViewEn} from './model_en.js';
import {inside, neuron, steps} from './inside_en.js';
import {extrasEn} from './extras.en.js';
import {runs} from './runs.js';

/** @param {readonly number[]} heads */
const headsNamed = heads => (heads.length === 1 ? `head ${heads[0]}` : `heads ${runs(heads, ', ')}`);
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
    canvasHelp: 'Arrow keys move between tokens, Enter keeps one chosen, Escape lets it go.',

    head: {
        queryColumn: 'Query tokens',
        keyColumn: 'Key tokens',
        howTo: [
            'A line runs from the token that looks (query) to the one it looks at (key). A colour is a head; ' +
                'the greater the weight, the stronger the line.',
            'Point at a token to see only its lines, and their numbers here. Click to keep it.',
        ],
        looksAt: 'looks at',
        lookedAtBy: 'is looked at by',
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
        /** @param {number} layer @param {readonly number[]} heads */
        tableCaption: (layer, heads) =>
            `Layer ${layer}, ${headsNamed(heads)}: the strongest keys of every query by mean weight, ` +
            'and the head with the largest single weight.',
        /** @param {{layer: number, heads: readonly number[], tokens: number,
         *   best: {head: number, query: string, key: string, weight: string}}} seen */
        describe: ({layer, heads, tokens: count, best}) =>
            `Head view of layer ${layer}, ${headsNamed(heads)}, ${tokens(count)}. ` +
            `Strongest link: ${best.query} looks at ${best.key}, head ${best.head}, weight ${best.weight}.`,
        /** @param {number} layer @param {readonly number[]} heads */
        svgTitle: (layer, heads) =>
            `Attention in layer ${layer}, ${headsNamed(heads)}: query on the left, key on the right`,
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
        chosenNone: 'No one pattern takes half of its attention.',
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
        mapHint: most => `Query down, key to the right. Full colour: ${most}; strength grows with the root of the change.`,
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
