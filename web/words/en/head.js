/* head - the English words of the head view, which a visit begins with, and the names of the views.
 * Part of page.js; those of the other views (views.js) are fetched with them. The caption of the
 * picture is in element.js.
 */
import {element} from './element.js';

/** @typedef {import('preact').ComponentChild} Tree */

/** @param {string} text */
const capital = text => text[0].toUpperCase() + text.slice(1);

export const head = {
    viewTitles: /** @type {Record<string, string>} */ ({
        head: 'Head view',
        heatmap: 'Heat map',
        model: 'Model view',
        neuron: 'Neuron view',
        steps: 'Step by step',
        find: 'Find a head',
        why: 'Why?',
        decides: 'What decides',
        next: 'Next word',
        change: 'What changes',
    }),
    /** What a title ends with that its tab leaves out. */
    viewWord: /(.+)( view| a head)$/,
    nothingPredicted: 'Nothing is predicted here',
    head: {
        ...element.head,
        /** What is on the picture. */
        pictured: 'the lines between the tokens',
        howTo: [
            'A line runs from the token that looks (query) to the one it looks at (key). Each colour is a head; ' +
                'the stronger the line, the greater the weight.',
            'Point at a token to see only its lines; their numbers appear here. Press to pin it, with Shift to add another, ' +
                'twice to mask it. Keyboard: arrows, Enter, Shift+Enter, M, Escape.',
            'Small cells, one per head: how much attention the token receives on average. Press a token to see where its own attention goes.',
        ],
        /** @param {number} count */
        summed: count => `(sum of ${count} tokens)`,
        pin: 'Pin',
        unpin: 'Unpin',
        addOthers: 'Add others',
        mask: 'Mask',
        unmask: 'Unmask',
        maskedHere: 'The model reads [MASK] here.',
        unknown: 'Not in the vocabulary; the model reads [UNK] instead of',
        expected: 'Predicted for',
        expectedMasked: 'Predicted instead of',
        expectedColumn: 'Predicted here',
        meanGiven: 'Mean over the keys, by head',
        meanReceived: 'Mean over the queries, by head',
        /** @param {number} head */
        received: head => `Received, head ${head}`,
        receivedMean: 'Received',

        mix: 'Combine',
        mixes: /** @type {Record<string, string>} */ ({
            heads: 'Each head',
            mean: 'Mean of heads',
            layers: 'Mean of layers',
            rollout: 'Rollout',
        }),
        mixTitles: /** @type {Record<string, string>} */ ({
            heads: 'Each chosen head, in its colour',
            mean: 'The mean of the chosen heads, in this layer',
            layers: 'The mean of the chosen heads over all layers',
            rollout:
                'Attention rollout: how much of each input token reaches each position by this layer, over all heads',
        }),
        level: 'Rows',
        levels: {pieces: 'Tokens', words: 'Words'},
        levelTitles: {
            pieces: 'Tokens: entries of the model’s vocabulary',
            words: 'Words as typed, split at spaces and punctuation; put spaces between Chinese words',
        },
        groupedNote: 'Chinese is grouped as typed: put spaces between words to see words.',
        /** @param {string} name of what is shown */
        moved: name => `${name}, what is moved`,
        ofMoved: {
            /** @param {number} count @returns {string} */
            looksAt: count => (count === 1 ? 'takes from' : 'take from'),
            /** @param {number} count @returns {string} */
            lookedAtBy: count => (count === 1 ? 'is sent to' : 'are sent to'),
            /** @param {number} count */
            meanOf: count => `Mean share of what is moved, ${count} heads`,
            /** @param {string} head */
            weightOf: head => `Share of what ${head} moves`,
        },
        more: 'Display options',
        top: 'Strongest attention shown',
        topHint: 'Keeps each token’s largest weights until they add up to this share.',
        hideSpecials: 'Hide [CLS] and [SEP]',
        hideSpecialsHint: 'The other weights stay as they are; they are not rescaled to 1.',
        hideFirst: 'Hide the first token',
        hideFirstHint:
            'Causal models rest much of their attention on it. The other weights stay as they are.',
        showFillings: 'Predicted words',
        showFillingsHint: 'The model’s best guess beside every word.',
        /** @param {number} count */
        meanOf: count => `Mean weight over ${count} heads`,
        /** @param {string} head */
        weightOf: head => `Weight in head ${head}`,
        /** @param {string} sum @param {boolean} fromQuery @param {boolean} filtered */
        sum: (sum, fromQuery, filtered) =>
            fromQuery
                ? `Sum over ${filtered ? 'the keys shown' : 'all keys of the text'}: ${sum}`
                : `Sum over ${filtered ? 'the queries shown' : 'all queries of the text'}: ${sum}`,
        topKeys: 'Where each head looks most',
        topQueries: 'Which token looks here most, by head',
        /** @param {number} n */
        nthKey: n => ['Strongest key', 'Second key', 'Third key'][n - 1],
        sharpest: 'Sharpest head',
        /** @param {string} name of what is shown @param {boolean} perHead */
        tableCaption: (name, perHead) =>
            `${capital(name)}: the strongest keys of every query by mean weight` +
            `${perHead ? ', the head with the largest single weight' : ''}; and the mean ` +
            'weight that the token receives as a key.',
        /** @param {string} name */
        svgTitle: name => `Attention, ${name}: query on the left, key on the right`,
    },
};
