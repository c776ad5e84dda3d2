/* list - the lessons there are, in the order in which they are offered, and how each is fetched: a
 * lesson is a file of data in this folder (lesson.js says what it may hold). Its id is part of links.
 */

/** @typedef {{en: string, zh: string}} Said   a sentence in each language of the page */

/** @param {Said} said @param {string} code of the page's language */
export const titleOf = (said, code) => said[/** @type {keyof Said} */ (code)] ?? said.en;

/** @type {{id: string, minutes: number, title: Said}[]} */
export const LESSONS = [
    {id: '', minutes: 5, title: {en: 'Six patterns of attention', zh: '注意力的六种模式'}},
];
