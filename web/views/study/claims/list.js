/* list - what has been published of BERT's heads, one row a claim: what, by whom, on which model,
 * the published number, and how it is measured here (measure.js). Published numbers are written
 * here; measured ones never. Heads count from 0. Sources: vig (the six patterns, 2019), clark
 * ("What does BERT look at", 2019), pande ("The Heads Hypothesis", 2021), chapter (an article on
 * BERT's attention in several languages). To add a claim, add a row, and its words in
 * text/<code>/studies.js.
 */
import * as measure from './measure.js';

/**
 * @typedef {import('./measure.js').Measure} Measure
 * @typedef {{id: string, group: 'text' | 'corpus' | 'parse' | 'roles', source: 'vig' | 'clark' |
 *     'pande' | 'chapter', model: string,
 *   expected: string, place?: [number, number], grade: 'article' | 'plot' | 'files' | 'memory',
 *   unit: Unit, needs: string, text?: number,
 *   relation?: string, language?: string, measure: Measure}} Claim   model: a key of MODELS;
 *       expected: as published; needs: a study,
 *   or 'text'; relation: names the claim; language: of the text, when only its own model can read
 *   it
 * @typedef {'heads' | 'share' | 'nats' | 'strength' | 'weight' | 'layer' | 'each' | 'number'} Unit
 */

/** Models that claims are about: what the last part of their name is (rows.js), and the size of
 * their vocabulary. Which checkpoints Pande et al. fine-tuned is not known; one that names its GLUE
 * task counts as theirs. @type {Record<string, {name: string, vocab: number, called: RegExp}>} */
export const MODELS = {
    uncased: {name: 'bert-base-uncased', vocab: 30522, called: /^bert-base-uncased$/},
    cased: {name: 'bert-base-cased', vocab: 28996, called: /^bert-base-cased$/},
    german: {name: 'bert-base-german-cased', vocab: 30000, called: /^bert-base-german-cased$/},
    turkish: {
        name: 'dbmdz/bert-base-turkish-cased',
        vocab: 32000,
        called: /^bert-base-turkish-cased$/,
    },
    tuned: {
        name: 'BERT-base, fine-tuned on GLUE',
        vocab: 30522,
        called: /^bert-base-uncased\b.*\b(mrpc|qqp|qnli|sst-?2)\b/,
    },
};

/** The texts of the claims about single sentences. */
export const TEXTS = [
    {text: 'I went to the store.', textB: 'At the store, I bought fresh strawberries.'},
    {text: 'The cat is very sad.', textB: 'Because it could not find food to eat.'},
    {text: 'Kedi çok üzgün.', textB: 'Çünkü o her zamanki gibi çok fazla yemek yedi.'},
    {text: 'Die Katze ist sehr traurig.', textB: 'Weil sie zu viel gegessen hat'},
];

/** @param {string} id @param {string} name of the measure @param {[number, number]} place
 * @param {'article' | 'memory'} grade @returns {Claim} */
const pattern = (id, name, place, grade) => ({
    id,
    group: 'text',
    source: 'vig',
    model: 'uncased',
    expected: '',
    place,
    grade,
    unit: 'strength',
    needs: 'text',
    text: 0,
    measure: measure.pattern(0, name, place),
});

/** @param {string} id @param {number} text @param {[string, string]} words
 * @param {[number, number]} place @param {string} model
 * @param {string} [language] @returns {Claim} */
const link = (id, text, words, place, model, language) => ({
    id,
    group: 'text',
    source: 'chapter',
    model,
    expected: '',
    place,
    grade: 'article',
    unit: 'weight',
    needs: 'text',
    text,
    language,
    measure: measure.link(text, words, place),
});

/** The best head for a measure over a corpus, above a limit. @param {string} id @param {string} name
 * @param {string} expected
 * @param {number} above @param {[number, number]} [place] @returns {Claim} */
const top = (id, name, expected, above, place) => ({
    id,
    group: 'corpus',
    source: 'clark',
    model: 'uncased',
    expected,
    place,
    grade: 'plot',
    unit: 'weight',
    needs: 'patterns',
    measure: measure.top(name, above, place),
});

/** How many heads have a measure above a limit; in the text of the paper, which its plot need not
 * show. @param {string} id @param {string} name
 * @param {number} published @returns {Claim} */
const count = (id, name, published) => ({
    id,
    group: 'corpus',
    source: 'clark',
    model: 'uncased',
    expected: '',
    grade: 'article',
    unit: 'heads',
    needs: 'patterns',
    measure: measure.count(name, 0.5, published),
});

/** @param {string} relation as Universal Dependencies name it @param {number} percent
 * @param {[number, number]} place
 * @param {number} offset @returns {Claim} */
const parser = (relation, percent, place, offset) => ({
    id: `parse.${relation}`,
    group: 'parse',
    source: 'clark',
    model: 'uncased',
    relation,
    place,
    grade: 'article',
    expected: `${percent.toFixed(1)} % (${offset.toFixed(1)} %)`,
    unit: 'share',
    needs: 'parse',
    measure: measure.parser(relation, percent / 100, place),
});

/** @param {string} id @param {string} expected @param {Unit} unit @param {Measure} how
 * @param {'plot' | 'article'} [grade] @returns {Claim} */
const role = (id, expected, unit, how, grade = 'article') => ({
    id,
    group: 'roles',
    source: 'pande',
    model: 'tuned',
    expected,
    grade,
    unit,
    needs: 'roles',
    measure: how,
});

/** @type {Claim[]} */
export const CLAIMS = [
    pattern('next', 'next', [2, 0], 'article'),
    pattern('previous', 'previous', [0, 2], 'memory'),
    pattern('same', 'copies', [2, 6], 'memory'),
    pattern('across', 'same_word_across', [10, 10], 'memory'),
    pattern('partner', 'partner', [2, 1], 'memory'),
    pattern('sep', 'sep', [7, 3], 'article'),
    pattern('own', 'own_sentence', [0, 0], 'article'),
    link('cat', 1, ['it', 'cat'], [8, 8], 'cased'),
    link('kedi', 2, ['o', 'Kedi'], [8, 8], 'turkish', 'tr'),
    link('katze', 3, ['sie', 'Katze'], [8, 11], 'german', 'de'),
    {
        ...pattern('germanNext', 'next', [2, 6], 'article'),
        source: 'chapter',
        model: 'german',
        language: 'de',
        text: 3,
        measure: measure.pattern(3, 'next', [2, 6]),
    },
    top('clarkNext', 'next', '0.98', 0.5, [2, 0]),
    top('clarkPrevious', 'previous', '0.68', 0.5),
    count('clarkNextHeads', 'next', 5),
    count('clarkPreviousHeads', 'previous', 4),
    top('clarkSep', 'sep', '0.89', 0.6),
    top('clarkSepSep', 'sep_sep', '0.9', 0.6),
    top('clarkCls', 'cls', '0.66', 0.5),
    top('clarkPunctuation', 'punctuation', '0.57', 0.5),
    {...top('clarkSepLayers', 'sep', '0.48–0.57', 0), measure: measure.sepLayers},
    {
        ...top('clarkEntropy', 'entropy', '3.7 → 1.75 → 2.8', 0),
        unit: 'nats',
        measure: measure.dip('entropy'),
    },
    {
        ...top('clarkEntropyCls', 'entropy_cls', '', 0),
        grade: 'article',
        unit: 'nats',
        measure: measure.broadLast,
    },
    parser('det', 94.3, [7, 10], 51.7),
    parser('obj', 86.8, [7, 9], 40),
    parser('nsubj', 58.5, [7, 1], 45.5),
    parser('amod', 75.6, [3, 9], 68.3),
    parser('advmod', 48.8, [6, 5], 40.2),
    parser('nmod:poss', 80.5, [6, 5], 47.7),
    parser('aux', 81.1, [3, 9], 71.5),
    parser('aux:pass', 82.5, [3, 9], 40.5),
    parser('compound:prt', 99.1, [5, 6], 91.4),
    parser('ccomp', 48.8, [7, 0], 12.4),
    parser('mark', 50.7, [7, 1], 14.5),
    parser('all', 34.5, [6, 5], 26.3),
    {
        id: 'coref',
        group: 'parse',
        source: 'clark',
        model: 'uncased',
        expected: '64 %',
        place: [4, 3],
        grade: 'article',
        unit: 'share',
        needs: 'coref',
        measure: measure.coref([4, 3]),
    },
    role('delimiterShare', '67–73 %', 'share', measure.delimiterShare),
    role('localSyntactic', '42–89 %', 'share', measure.localSyntactic),
    role('clsEarly', '1–3 / 12', 'layer', measure.clsEarly, 'plot'),
    role('sepLate', '5–9 / 12', 'layer', measure.sepLate, 'plot'),
    role('blockFirst', '> 50 %', 'share', measure.blockFirst),
    role('severalMiddle', '5–9 / 12', 'layer', measure.severalMiddle),
    role('severalLast', '', 'each', measure.severalLast),
    role('syntacticThree', '≥ 3', 'share', measure.syntacticThree),
    role('pNear', '98 %', 'share', measure.pNear),
    {...role('sepTuning', '< 0', 'number', measure.sepTuning), needs: 'compare'},
];
