/* index - the list of studies over a corpus, in the order in which they are offered. `lacks` says
 * what a corpus or a choice of models would need for it: a key of `lacks` in the texts, '' when it
 * fits. Each is fetched when first shown.
 */

/**
 * @typedef {import('./study.js').StudyView} StudyView
 * @typedef {import('./study.js').About} About
 * @typedef {{id: string, trains?: boolean, second?: 'model' | 'random', lacks: (about: About) =>
 *     string,
 *   load: () => Promise<StudyView>}} Entry   trains: on one worker, in order; second: the other
 *                                            model it needs or may take
 */

const nothing = () => '';
const relations = (/** @type {About} */ about) => (about.relations.length ? '' : 'relations');

/** @type {Entry[]} */
export const studies = [
    {
        id: 'about',
        lacks: nothing,
        load: () => import('./about.js').then(module => module.aboutStudy),
    },
    {
        id: 'roles',
        second: 'random',
        lacks: nothing,
        load: () => import('./roles.js').then(module => module.rolesStudy),
    },
    {
        id: 'patterns',
        second: 'random',
        lacks: nothing,
        load: () => import('./patterns.js').then(module => module.patternsStudy),
    },
    {
        id: 'distances',
        lacks: nothing,
        load: () => import('./distances.js').then(module => module.distancesStudy),
    },
    {
        id: 'parse',
        second: 'random',
        lacks: relations,
        load: () => import('./parse.js').then(module => module.parseStudy),
    },
    {
        id: 'coref',
        second: 'random',
        lacks: about => (about.mentions ? '' : 'mentions'),
        load: () => import('./coref.js').then(module => module.corefStudy),
    },
    {
        id: 'probe',
        trains: true,
        second: 'random',
        lacks: relations,
        load: () => import('./probe.js').then(module => module.probeStudy),
    },
    {
        id: 'labels',
        trains: true,
        lacks: about => (about.labels.length > 1 ? '' : 'labels'),
        load: () => import('./labels.js').then(module => module.labelsStudy),
    },
    {
        id: 'compare',
        second: 'model',
        lacks: nothing,
        load: () => import('./compare.js').then(module => module.compareStudy),
    },
    {
        id: 'claims',
        lacks: nothing,
        load: () => import('./claims.js').then(module => module.claimsStudy),
    },
];

/** @param {string} id */
export const knownStudy = id => studies.find(entry => entry.id === id) ?? studies[0];
