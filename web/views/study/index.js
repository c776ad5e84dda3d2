/* index - the list of studies over a corpus, in the order in which they are offered. `lacks` says what a corpus or a choice of
 * models would need for it: a key of `lacks` in the texts, '' when it fits. Each is fetched when first shown.
 */

/**
 * @typedef {import('./study.js').StudyView} StudyView
 * @typedef {import('./study.js').About} About
 * @typedef {{id: string, trains?: boolean, second?: 'model' | 'random', lacks: (about: About) => string,
 *   load: () => Promise<StudyView>}} Entry   trains: on one worker, in order; second: the other model it needs or may take
 */

const nothing = () => '';

/** @type {Entry[]} */
export const studies = [
    {id: 'about', lacks: nothing, load: () => import('./about.js').then(module => module.aboutStudy)},
];

/** @param {string} id */
export const knownStudy = id => studies.find(entry => entry.id === id) ?? studies[0];
