/* cards - the English words of the card of a head, and the glossary: one short plain sentence a
 * term. Fetched once the first picture is there.
 *
 * A term has an id, a pattern that finds it in a text (a regular expression, in either case unless exact
 * is set) and its sentence. `common` terms stand almost everywhere; they are marked only where a text has
 * little else to explain. The same ids in all languages (tests/js/cards.test.mjs).
 */

export const cards = {
    card: {
        /** @param {string} name */
        about: name => `About ${name}`,
        /** @param {string} name */
        mark: name => `About ${name} (I, or touch and hold)`,
        close: 'Close',
        waiting: 'Computing…',
        failed: 'Its numbers cannot be computed here.',
        /** @param {number} tokens */
        onText: tokens => `On the text shown (${tokens} tokens)`,
        measure: 'Attention to',
        value: 'share',
        times: '× uniform',
        measures: /** @type {Record<string, string>} */ ({
            next: 'the next token',
            previous: 'the previous token',
            self: 'the token itself',
            delimiter: '[CLS] and [SEP]',
            cls: '[CLS]',
            sep: '[SEP]',
            same_word: 'the same word',
            copies: 'the same word elsewhere',
            same_word_across: 'the same word, other sentence',
            partner: 'the rest of a cut word',
            own_sentence: 'its own sentence',
            other_sentence: 'the other sentence',
            punctuation: 'punctuation',
        }),
        /** @type {Record<string, (pattern: string, share: string) => string>} */
        pattern: {
            clearly: (pattern, share) => `It looks at ${pattern}: ${share} of its attention.`,
            partly: (pattern, share) =>
                `In part it looks at ${pattern}: ${share} of its attention.`,
        },
        noPattern: 'It shows none of the simple patterns.',
        /** @param {string} value @param {string} even */
        entropy: (value, even) => `Entropy ${value} nats; uniform attention: ${even}.`,
        roles: /** @type {Record<string, string>} */ ({
            local: 'local (two tokens to either side)',
            delimiter: 'delimiter ([CLS] and [SEP])',
            block: 'block (its own sentence)',
        }),
        /** @param {string} roles */
        role: roles => `Role on this text: ${roles}.`,
        /** @param {string} best */
        noRole: best => `No role on this text; nearest: ${best}.`,
        /** @param {string} tau @param {string} block */
        counts: (tau, block) =>
            `A pattern counts from 30 % of the way from uniform attention to the pure pattern, a role from ${tau}× uniform attention (block: ${block}×), so a head may have one without the other. One text says little; a test needs a corpus.`,
        /** @param {string} role @param {string} score */
        scored: (role, score) => `${role}, ${score}×`,
        nearest: 'Most similar heads',
        /** @param {string} distance */
        distance: distance => `${distance} nats apart (Jensen–Shannon)`,
        off: 'What changes without it',
        measureOff: 'Compute it',
        /** @param {string} mean */
        words: mean =>
            `The predictions move by ${mean} nats on average (Jensen–Shannon; 0.69 at most).`,
        /** @param {import('preact').ComponentChild} token @param {import('preact').ComponentChild} before
         * @param {string} p @param {import('preact').ComponentChild} after @param {string} q
         * @returns {import('preact').ComponentChild[]} */
        most: (token, before, p, after, q) => [
            'Most at ',
            token,
            ': “',
            before,
            `” ${p} → “`,
            after,
            `” ${q}.`,
        ],
        /** @param {string} moved @param {string} label @param {string} p @param {string} q */
        labels: (moved, label, p, q) =>
            `${label}: ${p} → ${q}. The probabilities of the labels move by ${moved} nats (Jensen–Shannon).`,
        /** @param {string} moved */
        hidden: moved =>
            `The last layer’s vectors change: 1 − cosine is ${moved} on average over the tokens.`,
        views: {head: 'Head view', neuron: 'Neurons', steps: 'Steps'},
        switchOff: 'Switch off',
        switchOn: 'Switch on',
        corpus: 'Test over a corpus',
        ask: 'All it does in a corpus',
    },
    glossary: {
        bounded: true, // words stand apart
        terms: /** @type {{id: string, find: string, says: string, common?: boolean, exact?: boolean}[]} */ ([
            {
                id: 'query',
                find: 'quer(?:y|ies)',
                says: 'The token that looks. Its query vector says what it looks for.',
                common: true,
            },
            {
                id: 'key',
                find: '(?<!arrow )(?:keys?)(?! chooses?| or | press)',
                says: 'The token that is looked at. Its key vector says what it can be found by.',
                common: true,
            },
            {
                id: 'value',
                find: 'value vectors?|(?<=keys? and |keys?, )values?',
                says: 'What a token passes on to those that look at it, in proportion to their weight.',
            },
            {
                id: 'softmax',
                find: 'softmax',
                says: 'Turns scores into weights: all positive, and together 1.',
            },
            {
                id: 'head',
                find: 'attention heads?|heads?',
                says: 'One of several attention mechanisms side by side in a layer, each with its own weights.',
                common: true,
            },
            {
                id: 'layer',
                find: 'layers?',
                says: 'One stage of the model: attention, then a small network; its output goes to the next layer.',
                common: true,
            },
            {
                id: 'token',
                find: 'tokens?',
                says: 'What the model reads: a word or a part of one, an entry of its vocabulary.',
                common: true,
            },
            {
                id: 'cls',
                find: '\\[CLS\\]',
                says: 'The mark at the beginning, where a model may gather what it says about the whole text.',
            },
            {
                id: 'sep',
                find: '\\[SEP\\]',
                says: 'The mark at the end of each sentence. Heads that have nothing to do often look at it.',
            },
            {
                id: 'mask',
                find: '\\[MASK\\]',
                says: 'Replaces a word; the model then predicts the word.',
            },
            {
                id: 'unk',
                find: '\\[UNK\\]',
                says: 'What the model reads where its vocabulary has nothing that fits.',
            },
            {
                id: 'uas',
                find: 'UAS',
                says: 'Unlabelled attachment score: the share of words for which the right governor was found.',
                exact: true,
            },
            {
                id: 'governor',
                find: 'governors?',
                says: 'The word that another one depends on in a syntax tree: of “red house”, house governs red.',
            },
            {
                id: 'nats',
                find: 'nats',
                says: 'A unit of information, as bits are, but with the natural logarithm: 1 nat is 1.44 bits.',
            },
            {
                id: 'lens',
                find: 'logit lens',
                says: 'The output head on the stream after a layer, last norm included; ranks count larger logits (nostalgebraist 2020).',
            },
            {
                id: 'moved',
                find: '‖a·v·W_O‖|‖Σ a·v·W_O‖',
                says: 'Attention weight times the length of the value vector after the head’s part of W_O, biases of W_O left out (Kobayashi et al. 2020).',
            },
            {
                id: 'mixing',
                find: 'mixing ratio',
                says: '‖Σ_{j≠i} u_ij‖ / (‖Σ_{j≠i} u_ij‖ + ‖u_ii‖): of one layer, by length, what other tokens give a token’s row (Kobayashi et al. 2021).',
            },
            {
                id: 'zeroing',
                find: 'value zeroing',
                says: '1 − cos of the layer’s output with and without a token’s values, each query’s numbers made to sum to 1 (Mohebbi et al. 2023).',
            },
            {
                id: 'temperature',
                find: 'temperature',
                says: 'T in softmax(logits / T): the probabilities are raised to the power 1/T and made to sum to 1 again. T = 1 leaves them.',
            },
            {
                id: 'topk',
                find: 'top-k',
                says: 'A draw from the k most probable words only, whose probabilities are made to sum to 1 (Fan et al. 2018). k = 1 is greedy.',
            },
            {
                id: 'entropy',
                find: 'entropy',
                says: 'How spread attention is: 0 when it rests on one token, ln T when T tokens get the same.',
            },
            {
                id: 'sieve',
                find: 'sieves?',
                says: 'For each query, the set of keys that belong to a role, such as its neighbours.',
            },
            {
                id: 'tau',
                find: 'τ|tau',
                says: 'The threshold: how many times uniform attention a head must give to count as having a role.',
                exact: true,
            },
            {
                id: 'p',
                find: 'p-values?',
                says: 'How likely a mean this high would be if the head were not above the threshold.',
            },
            {
                id: 'q',
                find: 'q-values?',
                says: 'A p-value corrected for testing many heads: the share of false discoveries that is accepted.',
            },
            {
                id: 'wilson',
                find: 'Wilson(?: intervals?)?',
                says: 'A confidence interval for a proportion that also holds for few cases (Wilson 1927).',
            },
            {
                id: 'rollout',
                find: 'rollout',
                says: 'Attention multiplied through the layers: how much of each input token reaches a position.',
            },
            {
                id: 'norm',
                find: 'LayerNorm',
                says: 'Brings a vector to mean 0 and spread 1, then applies a learned scale and shift.',
            },
            {
                id: 'residual',
                find: 'residuals?(?: connections?)?|layer’s input',
                says: 'A layer’s input is added to what it computes, so that nothing is lost on the way.',
            },
            {
                id: 'embedding',
                find: 'position embeddings?|embeddings?',
                says: 'A learned vector that represents a word, a position or a sentence.',
            },
            {
                id: 'neuron',
                find: 'neurons?',
                says: 'One number of a vector; here, of a head’s query or key.',
            },
            {
                id: 'score',
                find: 'scores?(?! even)',
                says: 'How well a query matches a key, before softmax makes it a weight.',
                common: true,
            },
            {
                id: 'even',
                find: 'uniform attention|uniform head',
                says: 'The same weight for every token: what heads are measured against.',
            },
            {
                id: 'js',
                find: 'Jensen[–-]Shannon(?: divergence)?',
                says: 'How far two distributions lie apart: 0 when equal, ln 2 = 0.69 nats at most.',
            },
            {
                id: 'coreference',
                find: 'coreferen(?:ce|t)|antecedents?',
                says: 'Two expressions that refer to the same thing: “the cat … it”; the earlier one is the antecedent.',
            },
            {
                id: 'finetuning',
                find: 'fine-tun(?:ing|ed)',
                says: 'Further training of a trained model, for one task.',
            },
            {
                id: 'probe',
                find: 'prob(?:es?|ing classifiers?)',
                says: 'A small classifier trained to read something off the model, to see whether the model contains it.',
            },
            {
                id: 'delimiter',
                find: 'delimiters?',
                says: '[CLS] and [SEP]: marks that the tokenizer adds around sentences.',
            },
        ]),
    },
};
