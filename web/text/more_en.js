/* more.en - the English words of the parts that are fetched when first used: the guided tour, the
 * help on attention of one's own, what exporting says. text/more_zh.js has the same keys; a test
 * compares them. */

const NAMES = {encoder: 'encoder', decoder: 'decoder', cross: 'cross-attention'};

export const moreEn = {
    tour: {
        title: 'Guided tour',
        /** @param {number} step @param {number} count */
        place: (step, count) => `${step} of ${count}`,
        back: 'Back',
        next: 'Next',
        close: 'End the tour',
        keys: 'In this panel, arrow left and right turn the page and Escape ends the tour.',
        looking: 'Looking for the head…',
        failed: 'The measures of this step are not to be had here.',
        sentences: 'Use the tour’s sentences',
        showHead: 'Show this head',
        steps: {
            next: {
                title: 'The next word',
                about:
                    'Nearly all of a token’s attention goes one place to the right: word order, read off step by step. ' +
                    'The last token has nothing to its right; see where it looks instead.',
                absent: 'One token has no next one.',
            },
            previous: {
                title: 'The previous word',
                about:
                    'The mirror image: one place to the left. Such heads are often a little less sharp, and what is ' +
                    'left over goes to [SEP] or [CLS].',
                absent: 'One token has no previous one.',
            },
            copies: {
                title: 'The same word',
                about:
                    'A word looks at itself and at its other occurrences. Measured is how much each row agrees with ' +
                    'attention shared evenly among all occurrences. Whether words are merely related is not measured: ' +
                    'judge that by the lines.',
                absent: 'No word of this text occurs twice, so the pattern cannot be measured.',
            },
            across: {
                title: 'The same word in the other sentence',
                about:
                    'A word looks at its copy on the far side of [SEP]. This ties the two sentences together, which ' +
                    'predicting the next sentence calls for.',
                absent: 'It takes two sentences that have a word in common; this text has none.',
            },
            partner: {
                title: 'Words that predict a word',
                about:
                    'A token looks at what would betray it if it were masked. What can be measured is the plainest ' +
                    'case: the pieces of one word (straw, ##berries) looking at each other, in both directions. For the ' +
                    'rest, put [MASK] into the text and see where it looks.',
                absent: 'No word of this text is cut into pieces, so the pattern cannot be measured.',
            },
            delimiter: {
                title: 'The delimiters',
                about:
                    'Most attention rests on [SEP] or [CLS]. These tokens say little by themselves; a head that finds ' +
                    'nothing to do in a text parks its attention there.',
                absent: 'This text has neither [SEP] nor [CLS].',
            },
            own: {
                title: 'Its own sentence: a bag of words',
                about:
                    'Each token spreads its attention evenly over its own sentence and leaves out the other. The head ' +
                    'takes an average of the words, whatever their order. Measured is the agreement with exactly that.',
                absent: 'It takes two sentences: within one, this is no different from looking at everything evenly.',
            },
        },
        /** @param {'clearly' | 'partly' | 'none'} verdict @param {string} head */
        verdict: (verdict, head) =>
            ({
                clearly: `${head} shows it clearly.`,
                partly: `${head} shows it in part; no head does more.`,
                none: `This model has no such head on this text. ${head} comes closest, but does not reach the mark.`,
            })[verdict],
        /** @param {number} layer @param {number} head */
        headName: (layer, head) => `Layer ${layer}, head ${head}`,
        /** @param {'share' | 'agreement'} kind @returns {string} */
        measured: kind => (kind === 'share' ? 'Share of attention' : 'Agreement'),
        thisHead: 'this head',
        even: 'even attention',
        mark: 'the mark',
        /** @param {string} factor */
        times: factor => `${factor} times the share of even attention.`,
        /** @param {string} sep @param {string} cls */
        delimiters: (sep, cls) => `Of it, [SEP] gets ${sep} and [CLS] ${cls}.`,
        strongest: 'For instance:',
        looksAt: 'looks at',
        rule: 'The mark: 30 % of the way from even attention to the pure pattern. Clear: from 60 % on.',
    },
    own: {
        title: 'Attention from your own model',
        intro:
            'Save the attention of any model in Python as one safetensors file, then open it here or drop it anywhere on ' +
            'this page. It is read on your device and sent nowhere.',
        choose: 'Choose a file…',
        close: 'Close',
        single: 'BERT, GPT and other models of one stack',
        pair: 'Encoder and decoder (T5, BART, Marian): instead of the last two lines',
        copy: 'Copy',
        copied: 'Copied',
        copyFailed: 'Select the lines and copy them.',
        needs: 'Needs transformers, torch and safetensors. attn_implementation="eager" makes the model keep its attention.',
        rules:
            'Tensors: attention.<layer> [heads, tokens, tokens], decoder.<layer>, cross.<layer> [heads, decoder tokens, ' +
            'encoder tokens]; F32, F16 or BF16. Metadata: tokens, decoder_tokens and, if you like, sentences, each a JSON list.',
        /** @param {string[]} names */
        ignored: names =>
            `Not read: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
        /** @param {{name: string, count: number, head: number, row: number, sum: number}} odd */
        odd: ({name, count, head, row, sum}) =>
            `${name}: ${count} ${count === 1 ? 'row does' : 'rows do'} not sum to 1 ` +
            `(first: head ${head}, row ${row}, sum ${sum.toFixed(3)}).`,
        /** @param {keyof typeof NAMES} part */
        partName: part => NAMES[part],
    },
    saved: {
        /** @param {string} name */
        done: name => `Saved as ${name}`,
        /** @param {string} name @param {string} scale */
        scaled: (name, scale) =>
            `Saved as ${name}, at ${scale} times the size: browsers draw no larger pictures`,
        /** @param {string} name */
        oneLayer: name =>
            `Saved as ${name}, with the layer shown; all layers would be too much for one page`,
        linkCopied: 'Link copied',
        copyFailed: 'The browser does not let the page copy; take it from here:',
        /** @param {string} why */
        failed: why => `That could not be saved: ${why}`,
        madeWith: 'Made with Headlight',
        /** @param {string} model @param {string} text */
        source: (model, text) => (text ? `Model: ${model}. Text: ${text}` : `File: ${model}`),
    },
};
