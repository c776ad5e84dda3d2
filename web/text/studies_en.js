/* studies_en - the words of the studies over a corpus in English: title and sentence of each, and
 * what their views say. Part of text/study_en.js.
 */

/** @param {number} value */
const percent = value => `${(100 * value).toFixed(1)} %`;

export const studiesEn = {
    studies: /** @type {Record<string, {title: string, says: string}>} */ ({
        about: {title: 'The corpus', says: 'What it is, as Headlight reads it.'},
        roles: {
            title: 'Head roles',
            says: 'Local, delimiter, block and syntactic heads, each tested.',
        },
        patterns: {
            title: 'Patterns',
            says: 'Where each head looks: next, previous, [SEP], same word …',
        },
        distances: {title: 'Distances', says: 'Which heads act alike: clusters and a map.'},
        parse: {
            title: 'Heads as parsers',
            says: 'How often a head points from a word to its governor.',
        },
        coref: {title: 'Coreference', says: 'How often a pronoun looks at what it stands for.'},
        probe: {title: 'Syntax probe', says: 'Trees read off all heads together, trained here.'},
        labels: {title: 'Label probe', says: 'Labels told from what heads do, trained here.'},
        compare: {
            title: 'Two models',
            says: 'Roles gained and lost, before and after fine-tuning.',
        },
        claims: {
            title: 'Published claims',
            says: 'What articles say of BERT’s heads, checked on this model.',
        },
    }),
    about: {
        counts: 'What is in it',
        first: 'First items',
        relations: 'Relations',
        labels: 'Labels',
        items: 'Items',
        format: 'Format',
        pairs: 'Pairs of sentences',
        words: 'Words with relations',
        mentions: 'Marked mentions',
        yes: 'yes',
        no: 'no',
        relation: 'Relation',
        count: 'Count',
        label: 'Label',
        number: 'No.',
        a: 'Sentence A',
        b: 'Sentence B',
        /** @param {number} count */
        more: count => `and ${count} more`,
        /** @param {{items: number, relations: number, format: string}} what */
        describe: ({items, relations, format}) =>
            `${format}, ${items} items${relations ? `, ${relations} kinds of relations` : ''}.`,
    },
    patterns: {
        /** @param {{name: string, place: string, best: string, mean: string}} of */
        beside: ({name, place, best, mean}) =>
            `With ${name}: at most ${best} (head ${place}), ${mean} on the mean of all heads. This much comes of position and chance.`,
        measure: 'Measure',
        names: /** @type {Record<string, string>} */ ({
            entropy: 'Entropy',
            next: 'Next token',
            previous: 'Previous token',
            self: 'Itself',
            cls: '[CLS]',
            sep: '[SEP]',
            same_word: 'Same word',
            other_sentence: 'Other sentence',
            delimiter: '[CLS] and [SEP]',
            same_word_across: 'Same word, other sentence',
            copies: 'Another copy of the word',
            partner: 'Other pieces of the word',
            own_sentence: 'Own sentence',
            punctuation: 'Punctuation',
            entropy_cls: 'Entropy of [CLS]',
            entropy_smoothed: 'Entropy, smoothed as published',
            sep_sep: 'From [SEP] to [SEP]',
            other_sep: 'From others to [SEP]',
            period_comma: 'Full stop and comma',
        }),
        nats: 'nats',
        /** @param {string} name @param {string} even */
        mapName: (name, even) =>
            `${name}: mean over the items${even ? `; an even head has ${even}` : ''}`,
        /** @param {{place: string, mean: string, sd: string, n: number, max: string}} of */
        say: ({place, mean, sd, n, max}) =>
            `Head ${place}: mean ${mean}, spread ${sd}, ${n} items, at most ${max}`,
        none: 'no item has it',
        best: 'The heads that do it most',
        head: 'Head',
        mean: 'Mean',
        sd: 'Spread',
        n: 'Items',
        max: 'Most',
        where: 'Where',
        open: 'Open',
        layers: 'By layer',
        layersHint:
            'Every dot is a head; the line is the mean of the layer, the dashed line a head that looks at all tokens alike.',
        entropyLayers: 'Entropy by layer (Clark et al. 2019)',
        layer: 'Layer',
        hint: 'Press a head to see it at work on the item where the measure is greatest.',
        /** @param {{name: string, place: string, mean: string}} of */
        describe: ({name, place, mean}) => `${name}: head ${place} does it most, mean ${mean}.`,
        caption: 'Every measure of every head over the corpus.',
    },
    parse: {
        /** @param {string} name */
        beside: name => `Best head, ${name}`,
        relation: 'Relation',
        words: 'Words',
        head: 'Best head',
        accuracy: 'Right',
        offset: 'Best fixed offset',
        better: 'Better than the offset',
        gain: 'Gain',
        direction: /** @type {Record<number, string>} */ ({
            0: 'word → governor',
            1: 'governor → word',
        }),
        /** @param {number} offset */
        offsetName: offset => (offset > 0 ? `+${offset}` : `\u2212${-offset}`),
        yes: 'yes',
        no: 'no',
        p: 'p',
        names: /** @type {Record<string, string>} */ ({
            all: 'all',
            all_without_punct: 'all without punct',
        }),
        /** @param {string} relation */
        withSubtypes: relation => `${relation} and ${relation}:…`,
        /** @param {string} relation @param {string} direction */
        mapName: (relation, direction) =>
            `${relation}, ${direction}: share of words of which the head points at the governor`,
        /** @param {{place: string, value: string, n: number}} of */
        say: ({place, value, n}) => `Head ${place}: ${value} of ${n} words`,
        directions: 'Direction',
        from: 'From a split word',
        froms: {first: 'its first piece', mean: 'the mean of its pieces'},
        hint: 'Press a relation for its map; press a head to see it at work. The interval holds 95 % (Wilson).',
        choose: 'Show the map of',
        few: 'Few words: the interval is wide.',
        /** @param {{relation: string, place: string, accuracy: string, offset: string}} of */
        describe: ({relation, place, accuracy, offset}) =>
            `${relation}: head ${place} finds ${accuracy} of the governors, the best fixed offset ${offset}.`,
        caption: 'The best head of each relation against the best fixed offset.',
        example: 'Example',
        noExample: 'There is no example of this relation among the items.',
    },
    coref: {
        /** @param {string} name @param {string} place */
        beside: (name, place) => `Best head, ${name}: ${place}`,
        map: 'Share of pronouns of which the head looks most at what they stand for',
        /** @param {{place: string, value: string, n: number}} of */
        say: ({place, value, n}) => `Head ${place}: ${value} of ${n} pronouns`,
        best: 'Best head of all, chosen here:',
        held: 'Head chosen on the other half',
        baselines: 'Against baselines',
        mention: 'Looking at a mention of several pieces',
        ways: /** @type {Record<string, string>} */ ({
            head: 'its head word',
            mean: 'the mean of its pieces',
            last: 'its last piece',
            sum: 'the sum of its pieces',
        }),
        mentionHint: 'Clark et al. 2019 take head words; a sum favours long mentions.',
        names: /** @type {Record<string, string>} */ ({
            nearest: 'Nearest mention before it',
            first: 'First mention',
            random: 'A mention at random',
        }),
        accuracy: 'Right',
        head: 'Head',
        what: 'What',
        /** @param {{accuracy: string, n: number, rule: string, better: boolean, p: string, places:
         *     string[]}} of */
        verdict: ({accuracy, n, rule, better, p, places}) =>
            `Chosen on one half of the texts and scored on the other, the best head (${places.join(', ')}) ` +
            `finds what ${accuracy} of ${n} pronouns stand for; that is ${better ? '' : 'not '}better than “${rule}” (McNemar’s test, p ${p}).`,
        untested:
            'There are too few pronouns to choose a head on one half and score it on the other.',
        caption: 'Coreference accuracy of every head.',
    },
    probe: {
        kind: 'Reads',
        kinds: {attention: 'attention only', words: 'attention and words'},
        kindHints: {
            attention: 'Two weights a head and direction (Clark et al. 2019)',
            words: 'The weights depend on the two words',
        },
        train: 'Trained on',
        epochs: 'Passes',
        rate: 'Learning rate',
        seed: 'Seed',
        punct: 'Count punctuation',
        /** @param {string} share */
        trainName: share => `${Math.round(100 * Number(share))} %`,
        uas: 'Words with the right governor (UAS)',
        names: /** @type {Record<string, string>} */ ({
            probe: 'This probe',
            right_branching: 'The next word',
            left_branching: 'The word before',
            best_offset: 'Best fixed offset',
        }),
        /** @param {string} other the second model; '' when there is none */
        on: other => `On ${other || 'random weights'}`,
        curve: 'Training',
        loss: 'Loss',
        step: 'Sentences seen',
        curveUas: 'UAS',
        relations: 'By relation',
        relation: 'Relation',
        words: 'Words',
        right: 'Right',
        weights: 'Weights learned',
        toGovernor: 'Word looks at governor',
        toDependent: 'Governor looks at word',
        root: 'Root from',
        /** @param {{place: string, value: string}} of */
        say: ({place, value}) => `Head ${place}: weight ${value}`,
        saveWeights: 'Save the weights',
        loadWeights: 'Load weights…',
        loadHint: 'Weights saved here: the probe is only tested then.',
        notWeights:
            'this file holds no weights of a probe; choose one that “Save the weights” has made',
        /** @param {number} train @param {number} test */
        parts: (train, test) =>
            train
                ? `Trained on ${train} sentences, tested on ${test} others.`
                : `Loaded weights, tested on ${test} sentences.`,
        /** @param {{uas: string, right: string, train: number, test: number}} of */
        describe: ({uas, right, train, test}) =>
            `UAS ${uas} on ${test} sentences ${
                train ? `after training on ${train}` : 'with loaded weights'
            }; pointing at the next word gives ${right}.`,
        caption: 'UAS by relation.',
    },
    labels: {
        features: 'Features',
        all: 'All heads',
        some: 'Chosen heads',
        chosenHint: 'Layer.head, separated by commas, such as 2.0, 3.5',
        accuracy: 'Items told right',
        majority: 'Always the commonest label',
        probe: 'This probe',
        classes: 'Labels',
        weights: 'Weights',
        feature: 'Feature',
        head: 'Head',
        label: 'Label',
        weight: 'Weight',
        curve: 'Training',
        loss: 'Loss',
        step: 'Items seen',
        /** @param {{accuracy: string, majority: string, test: number}} of */
        describe: ({accuracy, majority, test}) =>
            `${accuracy} of ${test} items told right; the commonest label alone gives ${majority}.`,
        /** @param {{folds: number, repeats: number, least: string, most: string, sd: string, better:
         *     boolean, p: string}} of */
        spread: ({folds, repeats, least, most, sd, better, p}) =>
            `Each item is told by what was trained on the other folds (${folds} folds, ${repeats} times; items with one first ` +
            `sentence stay together). From fold to fold ${least} to ${most}, spread ${sd}. ${better ? 'Better' : 'Not better'} than the commonest label (McNemar’s test, p ${p}).`,
        caption: 'The weights of every feature.',
        /** @param {{place: string, value: string}} of */
        say: ({place, value}) => `Head ${place}: size ${value}`,
        mapName: 'Size of the weights of each head, over labels and measures',
        confusion: 'Which labels are taken for which',
    },
    percent,
};
