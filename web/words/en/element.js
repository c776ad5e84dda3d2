/* element - the captions and key hints of the head view's picture, and what <head-light> says itself
 * before it has a model (element/element.js). Few, since those of all languages come with its one file;
 * the page uses them too (page.js and head.js take them in).
 */
import {runs} from '../runs.js';

export const element = {
    code: 'en',
    words: {
        query: 'Query',
        queryDoes: 'looks',
        key: 'Key',
        keyDoes: 'is looked at',
        figureLabel: 'Attention figure',
        panelLabel: 'Numbers of the chosen token',
    },
    head: {
        queryColumn: 'Query tokens',
        keyColumn: 'Key tokens',
        /** @param {number} count @returns {string} */
        looksAt: count => (count === 1 ? 'looks at' : 'look at'),
        /** @param {number} count @returns {string} */
        lookedAtBy: count => (count === 1 ? 'is looked at by' : 'are looked at by'),
        unmaskAll: 'Unmask',
        /** @param {number} count */
        maskedNote: count => `${count} masked`,
        nothing: 'Nothing is shown.',
        /** @param {{mix: string, layer: number, heads: readonly number[]}} what */
        shown: ({mix, layer, heads}) =>
            ({
                heads: `L${layer}·H${runs(heads, ', H')}`,
                mean: `mean of L${layer}·H${runs(heads, ', H')}`,
                layers: `mean over all layers of H${runs(heads, ', H')}`,
                rollout: `rollout from the input to layer ${layer}`,
            })[mix] ?? '',
        wordsNote: 'words (to: sum, from: mean)',
        /** @param {number} carried per cent */
        carriedNote: carried => `lines: the strongest of each query, ${carried} % of the sum`,
        /** @param {number} top */
        topNote: top => `strongest ${top} % of each query`,
        specialsNote: '[CLS], [SEP] hidden, weights not rescaled',
        firstNote: 'first token hidden, weights not rescaled',
        /** @param {{name: string, tokens: number,
         *   best: {head: number | null, query: string, key: string, weight: string}}} seen */
        describe: ({name, tokens: count, best}) =>
            `Head view: ${name}, ${count} ${count === 1 ? 'token' : 'tokens'}. ` +
            `Strongest link: ${best.query} looks at ${best.key}, ` +
            `${best.head === null ? '' : `head ${best.head}, `}weight ${best.weight}.`,
    },
    element: {
        keys: 'Arrow keys move, Enter pins, Escape unpins.',
        /** @param {string} name of what is shown */
        howTo: name =>
            `Attention in ${name}. Point at a token for its lines and weights (stored to 1/255).`,
        /** @param {string} size '' when not known */
        run: size => `Run it on your own text${size && `: ${size}`}`,
        /** @param {string} size */
        draw: size => `Show the picture${size && ` (loads ${size} once)`}`,
        controls: 'Heads and layer',
        waiting: 'Loading…',
        problem: 'This did not work:',
    },
};
