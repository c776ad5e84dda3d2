/* study_claims_en - what the page of published claims says in English; part of
 * text/study_roles_en.js. text/study_claims_zh.js has the same keys. Its numbers are published
 * ones; what is measured comes from views/study/claims/measure.js.
 */

export const claimsEn = {
    rule:
        'On the model that a claim is about, known by its name, the published head itself is measured: it agrees or differs. On another model the question is whether any head ' +
        'does the same: which, and how strongly.',
    groups: {
        text: 'On single sentences',
        corpus: 'Over a corpus',
        parse: 'Heads as parsers',
        roles: 'Proportions of roles',
    },
    groupHints: {
        text: 'Strength 0 is even attention, 1 the pure pattern; from 0.3 on a head counts. Links: the weight from word to word; it counts when no other token gets more and it is at least twice even attention.',
        corpus: 'Means over the texts of the open corpus. Clark et al. took Wikipedia, 128 tokens each; shorter texts have less entropy.',
        parse:
            'Share of words of which the head points at the governor; in brackets, or after the semicolon, the best fixed offset (pronouns: the best simple rule). ' +
            'A head counts when it is significantly better. Published on the Penn Treebank, here on Universal Dependencies.',
        roles: 'At τ = 3, α = 0.05 and the population deviation, as published.',
    },
    claim: 'Claim',
    source: 'Source',
    model: 'Model',
    grade: 'Evidence',
    published: 'Published',
    here: 'Here',
    verdict: 'Verdict',
    sources: /** @type {Record<string, string>} */ ({
        vig: 'Vig 2019, six patterns',
        clark: 'Clark et al. 2019',
        pande: 'Pande et al. 2021',
        chapter: 'Attention in four languages (article)',
    }),
    grades: /** @type {Record<string, string>} */ ({
        article: 'stated in the article',
        plot: 'read off a plot',
        files: 'in the authors’ files',
        memory: 'not checked again at its source',
    }),
    /** @param {string} name */
    tuned: name => name,
    verdicts: /** @type {Record<string, string>} */ ({
        agrees: 'agrees',
        differs: 'differs',
        found: 'found here too',
        missing: 'not found here',
        foreign: 'does not apply',
        lacks: 'not measured',
    }),
    lacks: /** @type {Record<string, string>} */ ({
        roles: 'this corpus or this model gives nothing to measure',
        patterns: 'this corpus has nothing to measure',
        parse: 'needs a corpus with such relations (CoNLL-U)',
        coref: 'needs a corpus with marked mentions',
        compare: 'needs two models: see the study “Two models”',
        text: 'the sentence has nothing to measure',
        none: 'not measured',
    }),
    languages: /** @type {Record<string, string>} */ ({de: 'German', tr: 'Turkish'}),
    /** @param {string} language */
    foreign: language => `asks for a ${language} model`,
    /** @param {string} place */
    open: place => `See head ${place}`,
    anyRelation: 'any relation',
    /** @param {string} relation */
    relation: relation => `A head finds the governor by ${relation}`,
    titles: /** @type {Record<string, string>} */ ({
        next: 'A head looks at the next word',
        previous: 'A head looks at the previous word',
        same: 'A head looks at the same or a related word',
        across: 'A head looks at the same word in the other sentence',
        partner: 'A head looks at words that predict the word',
        sep: 'A head looks at the [SEP] tokens',
        own: 'A head spreads evenly over its own sentence',
        cat: 'A head looks from it at cat',
        kedi: 'A head looks from o at Kedi',
        katze: 'A head looks from sie at Katze',
        germanNext: 'A head looks at the next word (German)',
        clarkNext: 'Some head has over half its attention on the next token',
        clarkPrevious: 'Some head has over half its attention on the previous token',
        clarkNextHeads: 'Heads with over half their attention on the next token',
        clarkPreviousHeads: 'Heads with over half their attention on the previous token',
        clarkSep: 'Some head has over 0.6 of its attention on [SEP]',
        clarkSepSep: 'From [SEP], some head looks at [SEP] with over 0.6',
        clarkCls: 'Some head has over half its attention on [CLS]',
        clarkPunctuation: 'Some head has over half its attention on full stops and commas',
        clarkSepLayers: 'After the first layers, whole layers look at [SEP]',
        clarkEntropy: 'Entropy is lowest in the middle layers',
        clarkEntropyCls: 'From [CLS], the last layer looks broadly (beside it: all its tokens)',
        coref: 'A head finds what pronouns stand for',
        delimiterShare: 'Most heads are delimiter heads',
        localSyntactic: 'Many syntactic heads are local too',
        clsEarly: '[CLS] heads sit in early layers',
        sepLate: '[SEP] heads sit in later layers',
        blockFirst: 'Block heads sit mostly in the first layer',
        severalMiddle: 'Heads with several roles sit in the middle layers',
        severalLast: 'The last two layers have few heads with several roles',
        syntacticThree: 'Nearly every layer has three syntactic heads',
        pNear: 'Nearly all p-values are near 0 or 1',
        sepTuning: 'Fine-tuning takes attention off [SEP]',
    }),
    // n: what the first layer is called, 0 or 1
    expected: /** @type {Record<string, (n: number) => string>} */ ({
        severalLast: () => 'few',
        syntacticThree: () => 'at least 3 a layer',
        clsEarly: n => `layers ${1 + n}–${3 + n} of 12`,
        sepLate: n => `layers ${5 + n}–${9 + n} of 12`,
        severalMiddle: n => `layers ${5 + n}–${9 + n} of 12`,
        blockFirst: n => `mostly layer ${n}`,
        sepTuning: () => 'less',
        clarkSepLayers: n => `0.48–0.57 in layers ${4 + n}–${9 + n}, 0.2 in layer ${3 + n}`,
        clarkPrevious: n => `0.68 in layer ${3 + n}`,
        clarkSep: n => `0.89 in layer ${7 + n}`,
        clarkSepSep: n => `about 0.9 in layers ${4 + n}–${8 + n}`,
        clarkPunctuation: n => `0.50 and 0.57 in layers ${10 + n}–${11 + n}`,
        clarkNextHeads: () => 'five heads',
        clarkPreviousHeads: () => 'four heads',
        clarkEntropy: n => `3.7, lowest 1.75 (layer ${7 + n}), 2.8 nats`,
        clarkEntropyCls: () => 'high: very broad attention',
    }),
    /** @param {number} count */
    headCount: count => `${count} ${count === 1 ? 'head' : 'heads'}`,
    /** @param {string} value */
    layer: value => `layer ${value}`,
    /** @param {string} value */
    each: value => `${value} a layer`,
    caption: 'Published claims, what is measured here, and whether they agree.',
    /** @param {number} count @param {string} tally */
    describe: (count, tally) => `${count} published claims: ${tally}.`,
};
