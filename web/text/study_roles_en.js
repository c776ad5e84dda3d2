/* study_roles_en - what the studies of roles, distances, two models and published claims say in
 * English; part of text/study_en.js. text/study_roles_zh.js has the same keys.
 */
import {claimsEn} from './study_claims_en.js';

/** @param {number} count @param {string} one */
const plural = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`;

const roles = {
    names: /** @type {Record<string, string>} */ ({
        local: 'local',
        delimiter: 'delimiter',
        cls: '[CLS]',
        sep: '[SEP]',
        block: 'block',
        nsubj: 'nsubj',
        obj: 'obj',
        amod: 'amod',
        advmod: 'advmod',
        syntactic: 'syntactic',
        block_published: 'block, as published',
    }),
    map: 'Roles of the heads',
    rest: 'Point at a head for its roles; press it for all its scores, below.',
    /** @param {string} name of the second model, '' without one */
    legend: name => `Roles shown: number of heads${name ? ` (with ${name})` : ''} and ceiling`,
    presets: {fine: 'Fine', coarse: 'Coarse', all: 'All'},
    notTested: 'not tested',
    /** @param {string} value */
    ceilingOf: value => `≤ ${value}`,
    below: 'below τ',
    refused: {
        /** @param {string} name @param {string} ceiling @param {string} tau */
        ceiling: (name, ceiling, tau) =>
            `${name}: not tested, because no head can score above ${ceiling} on these texts, and τ is ${tau}. ` +
            'Lower τ or choose longer texts.',
        /** @param {string} name */
        pairs: name => `${name}: not tested, because it needs pairs of sentences.`,
        /** @param {string} name */
        relations: name =>
            `${name}: not tested, because this corpus has no such relations; CoNLL-U has.`,
        /** @param {string} name */
        few: name => `${name}: not tested, because fewer than two texts have it.`,
    },
    test: 'The test',
    tau: 'Threshold τ, times even attention',
    even: '1 even',
    published: '3 published',
    tauHint:
        'A head has a role when its mean score is above τ by a one-sided t test. The block score is divided by that of even attention (ln n as published), so that 1 is even in every role.',
    tauBlock: 'Threshold of block',
    alpha: 'Level α',
    correction: 'Many tests',
    corrections: {none: 'not corrected', bh: 'Benjamini–Hochberg'},
    sd: 'Deviation',
    sds: {population: 'population (published)', sample: 'sample'},
    direction: 'Syntactic roles',
    directions: {dependent: 'word → governor', governor: 'governor → word', both: 'mean of both'},
    role: 'Role',
    mean: 'Mean',
    sdShort: 'Spread',
    n: 'Texts',
    interval: '95 % interval',
    has: 'Has it',
    yes: 'yes',
    no: 'no',
    head: 'Head',
    layer: 'Layer',
    headNumber: 'Number',
    low: 'Lower end',
    high: 'Upper end',
    ceilingName: 'Ceiling',
    ceiling: /** @param {string} value */ value => `mean ceiling ${value}`,
    /** @param {string} name */
    beside: name => `All heads, ${name}: mean (highest)`,
    caption: 'Sieve bias score of every head in every role that is shown, with the test.',
    /** @param {string} place @param {string} list */
    say: (place, list) => (list ? `Head ${place}: ${list}` : `Head ${place}: none of these roles`),
    /** @param {string} list */
    hasRoles: list => `Roles: ${list}.`,
    hasNone: 'None of the roles shown.',
    /** @param {string} name */
    scoresOf: name => `Its scores: ${name}`,
    /** @param {string} name @param {string} mean @param {number} n */
    scoresSay: (name, mean, n) =>
        `Histogram of the ${name} scores of this head over ${n} texts; mean ${mean}.`,
    /** @param {string} name */
    noScores: name => `No text has a score for ${name}.`,
    even1: 'even',
    scoreAxis: 'Score, times even attention',
    texts: 'Texts',
    /** @param {number} item @param {string} score */
    open: (item, score) => `See it on text ${item}, where it scores ${score}`,
    perLayer: 'Roles by layer',
    several: 'several roles',
    /** @param {string} name @param {string} counts */
    layersSay: (name, counts) => `${name}, heads by layer: ${counts}`,
    overlap: 'Which roles go together',
    overlapHint:
        'One line a combination: heads that have exactly these roles. Press a number to light them on the map.',
    setSizes: 'of all heads',
    headsWith: 'Heads',
    noRole: 'no role',
    noHeads: 'No head has any of these roles.',
    /** @param {number} count */
    headCount: count => plural(count, 'head'),
    pTitle: 'p-values',
    pAxis: 'p',
    tests: 'Tests',
    /** @param {number} count @param {string} low @param {string} high */
    pSays: (count, low, high) =>
        `${plural(count, 'test')}: ${low} of the p-values are below 0.05, ${high} above 0.95.`,
    /** @param {string} model @param {string} corpus
     * @param {{tau: number, alpha: number, correction: string, sd: string, items: number}} asked */
    note: (model, corpus, {tau, alpha, correction, sd, items}) =>
        `${model}; ${corpus}, ${plural(items, 'item')}; τ = ${tau}, α = ${alpha}, ` +
        `${correction === 'bh' ? 'Benjamini–Hochberg' : 'no correction'}, ${sd} deviation`,
    /** @param {number} tau @param {number} count @param {number} all @param {string} each */
    describe: (tau, count, all, each) =>
        `At τ = ${tau}, ${count} of ${all} heads have one of the roles shown${each ? `: ${each}` : ''}.`,
};

const distances = {
    by: 'Colour and shape',
    colourings: /** @type {Record<string, string>} */ ({
        cluster: 'cluster',
        kind: 'kind (Clark et al. 2019)',
        layer: 'layer',
    }),
    clusterCount: 'Clusters',
    auto: 'chosen (silhouette)',
    clusterColumn: 'Cluster',
    kind: 'Kind',
    map: 'Heads that act alike lie close together',
    mapKeys: 'Map of the heads; arrow keys go from head to head, Enter chooses',
    kinds: /** @type {Record<string, string>} */ ({
        next: 'next token',
        previous: 'previous token',
        entropy: 'broad',
        cls: '[CLS]',
        sep: '[SEP]',
        punctuation: 'full stop, comma',
        none: 'no kind',
    }),
    /** @param {number} n */
    cluster: n => `Cluster ${n}`,
    /** @param {number} count @param {string} middle @param {string} inside @param {string} kinds */
    clusterSays: (count, middle, inside, kinds) =>
        `${plural(count, 'head')}, middle ${middle}${count > 1 ? `, mean divergence from it ${inside} nats` : ''}` +
        `${kinds ? `; ${kinds}` : ''}`,
    /** @param {{place: string, cluster: number, kind: string, near: string, distance: string}} of
     */
    say: ({place, cluster, kind, near, distance}) =>
        `Head ${place}: cluster ${cluster}${kind ? `, ${kind}` : ''}${near ? `; nearest ${near} at ${distance} nats` : ''}`,
    /** @param {string} share @param {string} stress */
    fit: (share, stress) =>
        `The plane keeps ${share} % of the variation; stress ${stress} (0 is a true picture). Trust near points more than far ones.`,
    /** @param {number} limit @param {string} even */
    kindHint: (limit, even) =>
        `A kind is a mean above 0.5 (next, previous), 0.6 ([CLS], [SEP], full stop and comma), or an entropy above ${limit} nats; ` +
        `on these texts an even head has ${even}.`,
    nearest: 'Nearest:',
    open: 'See it on the first text',
    clusters: 'Clusters',
    /** @param {string} silhouette */
    clustersHint: silhouette =>
        `Around middle heads (k-medoids) on the square root of the divergence${silhouette ? `; mean silhouette ${silhouette} (1 is clear, 0 is none)` : ''}.`,
    heat: 'Divergence of every two heads, in nats',
    heatKeys:
        'Heat map of the divergences; arrow keys go from pair to pair, Enter chooses the row’s head',
    heatRest:
        'Point at a cell for its two heads. No two heads are further apart than ln 2 = 0.693.',
    /** @param {string} a @param {string} b @param {string} value */
    pair: (a, b, value) => `Heads ${a} and ${b}: ${value} nats`,
    caption: 'Cluster, kind and place of every head, and its divergence from every other, in nats.',
    /** @param {{clusters: number, near: string[], far: string[]}} of */
    describe: ({clusters, near, far}) =>
        `${plural(clusters, 'cluster')}. Most alike: heads ${near[0]} and ${near[1]} (${near[2]} nats); ` +
        `least: ${far[0]} and ${far[1]} (${far[2]}).`,
};

const compare = {
    /** @param {string} before @param {string} after */
    which: (before, after) =>
        `Before: ${before}. After: ${after}. Every difference is after − before, tested by a paired t test over the texts.`,
    sep: 'Attention to [SEP], by layer',
    all: 'all',
    before: 'Before',
    after: 'After',
    difference: 'Difference',
    what: 'Role or measure',
    change: 'Change',
    roles: 'Roles gained and lost',
    roleMap: 'Roles gained minus roles lost',
    shown: 'Roles shown: gained, lost',
    gained: 'gained',
    lost: 'lost',
    measures: 'Change of a measure in every head',
    /** @param {string} name */
    measureMap: name => `${name}: after − before`,
    /** @param {number} up @param {number} down @param {number} same @param {number} alpha
     * @param {number} margin */
    movement: (up, down, same, alpha, margin) =>
        `${plural(up, 'head')} up, ${down} down, ${same} neither: up and down are significant (Benjamini–Hochberg over all tests, α = ${alpha}; ` +
        `marked *) and by an effect of at least d = ${margin} (mean difference over its spread).`,
    rest: 'Point at a head for its numbers; press it to see it on the text where it changed most.',
    /** @param {{place: string, before: string, after: string, difference: string, q: string}} of */
    sayMeasure: ({place, before, after, difference, q}) =>
        `Head ${place}: ${before} before, ${after} after, difference ${difference}, q = ${q}`,
    /** @param {string} place @param {string} gained @param {string} lost @param {string} kept */
    sayRoles: (place, gained, lost, kept) =>
        `Head ${place}: ${
            [gained && `gained ${gained}`, lost && `lost ${lost}`, kept && `kept ${kept}`]
                .filter(Boolean)
                .join('; ') || 'no role before or after'
        }`,
    /** @param {string} gained @param {string} lost */
    layersSay: (gained, lost) => `Roles by layer: gained ${gained}; lost ${lost}.`,
    caption:
        'Every role and measure of every head before and after, with paired tests; q is after Benjamini–Hochberg.',
    /** @param {{before: string, after: string, difference: string, gained: number, lost: number}} of
     */
    describe: ({before, after, difference, gained, lost}) =>
        `Attention to [SEP], mean over all heads: ${before} before, ${after} after (${difference}). ` +
        `Of the roles shown ${gained} were gained and ${lost} lost.`,
};

export const studyRolesEn = {roles, distances, compare, claims: claimsEn};
