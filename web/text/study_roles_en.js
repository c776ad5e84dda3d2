/* study_roles_en - what the studies of roles, distances, two models and published claims say in English; part of text/study_en.js.
 * text/study_roles_zh.js has the same keys.
 */

/** @param {number} count @param {string} one */
const plural = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`;

const roles = {
    names: /** @type {Record<string, string>} */ ({local: 'local', delimiter: 'delimiter', cls: '[CLS]', sep: '[SEP]', block: 'block', nsubj: 'nsubj',
        obj: 'obj', amod: 'amod', advmod: 'advmod', syntactic: 'syntactic'}),
    map: 'Roles of the heads',
    legend: 'Roles shown: number of heads and ceiling',
    presets: {fine: 'Fine', coarse: 'Coarse', all: 'All'},
    notTested: 'not tested',
    /** @param {string} value */
    ceilingOf: value => `≤ ${value}`,
    below: 'below τ',
    refused: {
        /** @param {string} name @param {string} ceiling @param {string} tau */
        ceiling: (name, ceiling, tau) => `${name}: not tested, because no head can score above ${ceiling} on these texts (n/|S|), and τ is ${tau}. ` +
            'Lower τ or choose longer texts.',
        /** @param {string} name */
        pairs: name => `${name}: not tested, because it needs pairs of sentences.`,
        /** @param {string} name */
        relations: name => `${name}: not tested, because this corpus has no such relations; CoNLL-U has.`,
        /** @param {string} name */
        few: name => `${name}: not tested, because fewer than two texts have it.`,
    },
    test: 'The test',
    tau: 'Threshold τ, times even attention',
    even: '1 even', published: '3 published',
    tauHint: 'A head has a role when its mean score is above τ by a one-sided t test.',
    alpha: 'Level α',
    correction: 'Many tests', corrections: {none: 'not corrected', bh: 'Benjamini–Hochberg'},
    sd: 'Deviation', sds: {population: 'population (published)', sample: 'sample'},
    direction: 'Syntactic roles',
    directions: {dependent: 'word → governor', governor: 'governor → word', both: 'mean of both'},
    role: 'Role', mean: 'Mean', sdShort: 'Spread', n: 'Texts', interval: '95 % interval', has: 'Has it', yes: 'yes', no: 'no',
    head: 'Head', layer: 'Layer', headNumber: 'Number', low: 'Lower end', high: 'Upper end', ceilingName: 'Ceiling', ceiling:
        /** @param {string} value */ value => `ceiling ${value}`,
    caption: 'Sieve bias score of every head in every role that is shown, with the test.',
    /** @param {string} place @param {string} list */
    say: (place, list) => (list ? `Head ${place}: ${list}` : `Head ${place}: none of these roles`),
    /** @param {string} list */
    hasRoles: list => `Roles: ${list}.`,
    hasNone: 'None of the roles shown.',
    /** @param {string} name */
    scoresOf: name => `Its scores: ${name}`,
    /** @param {string} name @param {string} mean @param {number} n */
    scoresSay: (name, mean, n) => `Histogram of the ${name} scores of this head over ${n} texts; mean ${mean}.`,
    /** @param {string} name */
    noScores: name => `No text has a score for ${name}.`,
    even1: 'even', scoreAxis: 'Score, times even attention', texts: 'Texts',
    /** @param {number} item @param {string} score */
    open: (item, score) => `See it on text ${item}, where it scores ${score}`,
    perLayer: 'Roles by layer', several: 'several roles',
    /** @param {string} name @param {string} counts */
    layersSay: (name, counts) => `${name}, heads by layer: ${counts}`,
    overlap: 'Which roles go together',
    overlapHint: 'One line a combination: heads that have exactly these roles. Press a number to light them on the map.',
    setSizes: 'of all heads', headsWith: 'Heads',
    noRole: 'no role', noHeads: 'No head has any of these roles.',
    /** @param {number} count */
    headCount: count => plural(count, 'head'),
    pTitle: 'p-values', pAxis: 'p', tests: 'Tests',
    /** @param {number} count @param {string} low @param {string} high */
    pSays: (count, low, high) => `${plural(count, 'test')}: ${low} of the p-values are below 0.05, ${high} above 0.95.`,
    /** @param {string} model @param {string} corpus @param {{tau: number, alpha: number, correction: string, sd: string, items: number}} asked */
    note: (model, corpus, {tau, alpha, correction, sd, items}) => `${model}; ${corpus}, ${plural(items, 'item')}; τ = ${tau}, α = ${alpha}, ` +
        `${correction === 'bh' ? 'Benjamini–Hochberg' : 'no correction'}, ${sd} deviation`,
    /** @param {number} tau @param {number} count @param {number} all @param {string} each */
    describe: (tau, count, all, each) => `At τ = ${tau}, ${count} of ${all} heads have one of the roles shown${each ? `: ${each}` : ''}.`,
};

export const studyRolesEn = {roles};
