/* list - the lessons there are, in the order in which they are offered, and how each is fetched: a
 * lesson is a file of data in this folder (tests/js/lessons.test.mjs says what it may hold). Its id is
 * part of links.
 */

/** @typedef {{en: string, zh: string}} Said   a sentence in each language of the page */

/** @param {Said} said @param {string} code of the page's language */
export const titleOf = (said, code) => said[/** @type {keyof Said} */ (code)] ?? said.en;

/** What links to the tour of before mean. */
const FIRST = 'patterns';

/** @type {{id: string, minutes: number, title: Said, load: () => Promise<{default: any}>}[]} */
export const LESSONS = [
    {
        id: 'patterns',
        minutes: 6,
        title: {en: 'Six patterns of attention', zh: '注意力的六种模式'},
        load: () => import('./patterns.json'),
    },
];

/** @param {string} id one that is not known is the first: links are typed and cut
 * @returns {Promise<import('./step.js').Lesson>} */
export async function lessonOf(id) {
    const entry =
        LESSONS.find(one => one.id === id) ?? LESSONS.find(one => one.id === FIRST) ?? LESSONS[0];
    const {steps, next} = (await entry.load()).default;
    return {id: entry.id, title: entry.title, steps, next};
}
