/* first - the first screen's English besides the question and its answer (page.js): the
 * head's role, and the ways on. Fetched with the first figure.
 */

/** @typedef {import('preact').ComponentChildren} Node */
/** @param {number} share */
const perCent = share => `${Math.round(100 * share)} %`;

export const first = {
    /** @param {Node} head @param {Node} answer */
    answer: (head, answer) => ['In head ', head, ', “it” attends to ', answer, '.'],
    /** @param {string} word @param {Node} answer @param {boolean} same the strongest is the same */
    swapped: (word, answer, same) => [
        `With “${word}”: `,
        answer,
        same ? '. The meaning turns, this head does not.' : '. The head turns with the meaning.',
    ],
    /** @param {Node} before @param {Node} head @param {Node} after */
    without: (before, head, after) => [
        'With “it” masked the model expects ',
        before,
        '; without ',
        head,
        ' ',
        after,
        '. ',
    ],
    stays: 'The same word stays first.',
    turns: 'Another word comes first.',
    waits: 'The same without it is being computed …',
    /** lines: where there is room */
    about: {
        model: 'A small language model in this page, on your device',
        lines: ': each line is what one of its heads attends to',
        end: '. ',
        lesson: 'New here? Ten minutes',
    },
    /** @param {string} head */
    back: head => `Show ${head} again`,
    /** @param {string} word @param {string} before */
    swap: (word, before) => `“${word}” instead of “${before}”`,
    off: 'Switch this head off',
    all: 'All heads',
    /** @param {Node} head @param {{texts: number, share: number, heads: number}} role */
    role: (head, {texts, share, heads}) => [
        'The role of ',
        head,
        `, over ${texts} texts: it finds the word that a word depends on (${perCent(share)} of words, [CLS] and [SEP] aside; the most of ${heads} heads).`,
    ],
    /** @param {{items: number, share: number}} coref @param {Node} best @param {number} most */
    coref: ({items, share}, best, most) => [
        `It finds the antecedent of a pronoun in ${perCent(share)} of ${items} sentences; `,
        best,
        ` in ${perCent(most)}.`,
    ],
    on: 'More to see',
    /** @param {import('../../base/shared.js').Begin} begin @returns {Record<string, [string, string]>} */
    entrances: ({claims}) => ({
        patterns: [
            'Six patterns',
            'Next word, same word, [SEP]: what most heads do, one after the other.',
        ],
        claims: [
            'Published claims',
            claims
                ? `${claims.all} claims from papers: ${claims.found} found in this model, ${claims.missing} not, ${claims.all - claims.found - claims.missing} not tested. Not compared with random layers.`
                : 'Claims from papers, measured on this model.',
        ],
        find: ['Find a head', 'Two words: which heads attend from one to the other?'],
        steps: ['Step by step', 'From a word to its attention, every number on the way.'],
        text: ['Your own text', 'Type a sentence; the model runs in this page.'],
        model: ['Your own model', 'A folder or a name from the Hugging Face hub.'],
    }),
};
