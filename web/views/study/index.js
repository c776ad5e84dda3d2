/* index - the list of studies over a corpus, in the order in which they are offered. `missing`
 * says what a corpus or a choice of models would need for it: a key of `missing` in the texts, ''
 * when it fits. Each is fetched when first shown.
 */

/**
 * @import {StudyView, About} from './study.js'
 * @typedef {{id: string, trains?: boolean, weights?: boolean, judges?: boolean, index?: boolean,
 *     limit?: number, second?: 'model' | 'random' | 'either', missing?: (about: About) => string,
 *     load: () => Promise<StudyView>}} Entry   trains: on one worker, in order; weights: what it has
 *     learned can be saved and loaded; judges: says what is better, and can be compared with random
 *     layers; index: it is asked of an index of the corpus; limit: items that it takes unless more are asked for; second: it needs another model, may take
 *     random weights, or may take either
 */

const relations = (/** @type {About} */ about) => (about.relations.length ? '' : 'relations');

/** @type {Entry[]} */
export const studies = [
    {id: 'about', load: () => import('./about/view.js').then(module => module.aboutStudy)},
    {
        id: 'ask',
        index: true,
        second: 'either',
        load: () => import('./ask/view.js').then(module => module.askStudy),
    },
    {
        id: 'roles',
        second: 'random',
        load: () => import('./roles/view.js').then(module => module.rolesStudy),
    },
    {
        id: 'patterns',
        second: 'random',
        load: () => import('./patterns/view.js').then(module => module.patternsStudy),
    },
    {
        id: 'importance',
        judges: true,
        second: 'random',
        limit: 100,
        load: () => import('./importance/view.js').then(module => module.importanceStudy),
    },
    {
        id: 'induction',
        judges: true,
        second: 'random',
        limit: 100,
        load: () => import('./induction/view.js').then(module => module.inductionStudy),
    },
    {
        id: 'distances',
        load: () => import('./distances/view.js').then(module => module.distancesStudy),
    },
    {
        id: 'parse',
        judges: true,
        second: 'random',
        missing: relations,
        load: () => import('./parse/view.js').then(module => module.parseStudy),
    },
    {
        id: 'coref',
        judges: true,
        second: 'random',
        missing: about => (about.mentions ? '' : 'mentions'),
        load: () => import('./coref/view.js').then(module => module.corefStudy),
    },
    {
        id: 'probe',
        trains: true,
        weights: true,
        second: 'random',
        missing: relations,
        load: () => import('./probe/view.js').then(module => module.probeStudy),
    },
    {
        id: 'labels',
        trains: true,
        judges: true,
        second: 'random',
        missing: about => (about.labels.length > 1 ? '' : 'labels'),
        load: () => import('./labels/view.js').then(module => module.labelsStudy),
    },
    {
        id: 'compare',
        second: 'model',
        load: () => import('./compare/view.js').then(module => module.compareStudy),
    },
    {
        id: 'claims',
        judges: true,
        load: () => import('./claims/view.js').then(module => module.claimsStudy),
    },
];

/** @param {string} id */
export const knownStudy = id => studies.find(entry => entry.id === id) ?? studies[0];
