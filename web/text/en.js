/* en - every word the page says, in English. text/zh.js has the same keys; a test compares them.
 */

import {modelViewEn} from './model_en.js';
import {inside, neuron, steps} from './inside_en.js';
import {extrasEn} from './extras_en.js';
import {changeWords, findWords} from './asking_en.js';
import {stillEn} from './still_en.js';

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
    lede: 'Type a sentence: a BERT model runs in this page and shows, head by head, which token looks at which, and with what weight.',
    ...stillEn.words,
    weight: 'Weight',
    position: 'No.',
    headWord: 'head',

    views: 'Views',
    viewTitles: /** @type {Record<string, string>} */ ({
        head: 'Head view',
        model: 'Model view',
        neuron: 'Neuron view',
        steps: 'Step by step',
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
    filterNames: {
        all: 'All tokens',
        aa: 'A looks at A',
        ab: 'A looks at B',
        ba: 'B looks at A',
        bb: 'B looks at B',
    },

    theme: 'Appearance',
    themes: {auto: 'Auto', light: 'Light', dark: 'Dark'},
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
    early: 'This figure was computed beforehand.',
    coming: 'The model is coming:',
    computing: 'Computing…',
    /** @param {number} count @param {number} ms */
    ready: (count, ms) =>
        `${tokens(count)}, computed in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
    precision: {fine: 'Precision: fine', fast: 'Precision: fast', f32: 'Precision: float32'},
    /** @param {number} count @param {number} sentence @param {number} most */
    dropped: (count, sentence, most) =>
        `${tokens(count)} of sentence ${SENTENCE[sentence]} ${count === 1 ? 'was' : 'were'} cut: ` +
        `the model reads at most ${most}.`,
    problem: 'This did not work:',
    problemKept: 'The figure still shows what was there before.',
    retry: 'Try again',
    close: 'Close',
    refusedModel:
        'The address of this page names “#” as its model, which cannot be the name of one: expected is the id of a model in the menu, ' +
        'org/name of the Hugging Face hub, or an address with https://. The model shown is another one; choose yours in the menu.',

    nextSentence: 'Next sentence',
    nextSentenceSays: 'Is B the sentence after A? The model’s probabilities:',
    follows: 'B follows A',
    random: 'B is unrelated',
    fillings: 'What could stand at [MASK]',
    /** @param {number} position */
    fillingAt: position => `[MASK] at position ${position}`,
    tableTitle: 'The numbers as a table',
    canvasHelp:
        'Arrow keys move between tokens, Enter pins one, Shift+Enter adds one, M masks it, Escape lets go.',

    head: {
        ...stillEn.head,
        howTo: [
            'A line runs from the token that looks (query) to the one it looks at (key). A colour is a head; ' +
                'the greater the weight, the stronger the line.',
            'Point at a token to see only its lines, and their numbers here. Click pins it, Shift+click adds another, ' +
                'double-click masks it. Keys: arrows, Enter, Shift+Enter, M, Escape.',
            'The small cells outside, one a head: what a token receives on average from the queries and, where only a ' +
                'part of the keys is shown, what it gives them. Of a chosen token, its own weights opposite.',
        ],
        /** @param {number} count */
        summed: count => `(sum of ${count} tokens)`,
        pin: 'Pin',
        unpin: 'Unpin',
        addOthers: 'Add others',
        mask: 'Mask',
        unmask: 'Unmask',
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

        mix: 'Shown',
        mixes: /** @type {Record<string, string>} */ ({
            heads: 'Heads',
            mean: 'Mean',
            layers: 'Layers',
            rollout: 'Rollout',
        }),
        mixTitles: /** @type {Record<string, string>} */ ({
            heads: 'Each head that is on, in its colour',
            mean: 'The mean of the heads that are on, in this layer',
            layers: 'The mean over all layers of the heads that are on',
            rollout:
                'Attention rollout: what reaches each position from the input up to this layer, over all heads',
        }),
        level: 'Rows',
        levels: {pieces: 'Pieces', words: 'Words'},
        levelTitles: {
            pieces: 'The pieces of the model’s vocabulary',
            words: 'Words as typed, between spaces and punctuation; Chinese is grouped by the spaces you type',
        },
        groupedNote: 'Chinese is grouped as typed: put spaces between words to see words.',
        more: 'More',
        top: 'Strongest attention shown',
        topHint: 'Of each query the largest weights, until they reach this share of what it gives.',
        hideSpecials: 'Hide [CLS] and [SEP]',
        hideSpecialsHint: 'The other weights stay as they are; they are not rescaled to 1.',
        showFillings: 'Words the model expects',
        showFillingsHint: 'The likeliest beside each query, five in the numbers.',
        /** @param {number} count */
        meanOf: count => `Mean weight over ${count} heads`,
        /** @param {number} head */
        weightOf: head => `Weight in head ${head}`,
        /** @param {string} sum @param {boolean} fromQuery @param {boolean} filtered */
        sum: (sum, fromQuery, filtered) =>
            fromQuery
                ? `Sum over the keys ${filtered ? 'shown' : 'of the text'}: ${sum}`
                : `Sum over the queries ${filtered ? 'shown' : 'of the text'}: ${sum}`,
        topKeys: 'Where each head looks most',
        topQueries: 'Who looks most, head by head',
        /** @param {number} n */
        nthKey: n => ['Strongest key', 'Second key', 'Third key'][n - 1],
        sharpest: 'Sharpest head',
        /** @param {string} name of what is shown @param {boolean} perHead */
        tableCaption: (name, perHead) =>
            `${capital(name)}: the strongest keys of every query by mean weight` +
            `${perHead ? ', the head with the largest single weight' : ''}; what the token receives as a key, ` +
            'mean over the queries.',
        /** @param {string} name */
        svgTitle: name => `Attention, ${name}: query on the left, key on the right`,
    },
    modelView: modelViewEn,
    inside,
    neuron,
    steps,
    find: findWords,
    change: changeWords,
    update: {ready: 'A newer version of this page is ready.', reload: 'Reload'},
    footer: 'Everything is computed on your device; no text leaves it.',
};
