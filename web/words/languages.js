/* languages - the languages of the page and how their words are fetched: only the language that is
 * read, and of it only the parts that are shown. A language is a folder, words/<code>/:
 *
 *   page      title, controls, states, errors; takes in element and head
 *   head      what the head view says, and how the views are called
 *   first     the first screen's ways on, and the role of its head
 *   views     what the other views of one text say
 *   dialogs   imported attention, saving, sharing, precision
 *   studies   the studies over a corpus
 *   lessons   examples, lessons and the articles' figures (what a lesson teaches: lessons/data/*.json)
 *   cards     cards of heads, and the glossary
 *   touch     what is said otherwise where a finger points instead of a mouse
 *   element   <head-light> before a model is there (fetched with it, all languages: element.js)
 *
 * English is the model of the others: tests/js/languages.test.mjs says what one lacks.
 */

/**
 * @typedef {{mark?: import('../views/parts/mark.js').Mark}} Marked   what names of heads and terms become,
 *     once it is there
 * @typedef {typeof import('./en/page.js').page & Views & Marked} Page   with the words of all views
 * @typedef {typeof import('./en/first.js').first} First
 * @typedef {typeof import('./en/views.js').views} Views
 * @typedef {typeof import('./en/dialogs.js').dialogs} Dialogs
 * @typedef {typeof import('./en/studies.js').studies & Marked} Studies
 * @typedef {typeof import('./en/lessons.js').lessons} Lessons
 * @typedef {typeof import('./en/cards.js').cards} Cards
 * @typedef {typeof import('./en/touch.js').touch} Touch
 * @typedef {{page: Page, first: First, views: Views, dialogs: Dialogs, studies: Studies, lessons: Lessons, cards:
 *     Cards, touch: Touch}} Words   the parts that are fetched
 * @typedef {{[P in keyof Words]: () => Promise<any>}} Parts
 */

/** @type {{code: string, name: string, parts: Parts}[]} */
export const LANGUAGES = [
    {
        code: 'en',
        name: 'English',
        parts: {
            page: () => import('./en/page.js'),
            first: () => import('./en/first.js'),
            views: () => import('./en/views.js'),
            dialogs: () => import('./en/dialogs.js'),
            studies: () => import('./en/studies.js'),
            lessons: () => import('./en/lessons.js'),
            cards: () => import('./en/cards.js'),
            touch: () => import('./en/touch.js'),
        },
    },
    {
        code: 'zh',
        name: '中文',
        parts: {
            page: () => import('./zh/page.js'),
            first: () => import('./zh/first.js'),
            views: () => import('./zh/views.js'),
            dialogs: () => import('./zh/dialogs.js'),
            studies: () => import('./zh/studies.js'),
            lessons: () => import('./zh/lessons.js'),
            cards: () => import('./zh/cards.js'),
            touch: () => import('./zh/touch.js'),
        },
    },
];

/** The code of the first wish that there is a language for, else of the first language.
 * @param {readonly string[]} wishes language tags; '' is no wish */
export const codeFor = wishes =>
    wishes.map(tag => tag.slice(0, 2)).find(wish => LANGUAGES.some(({code}) => code === wish)) ??
    LANGUAGES[0].code;

/** The words of a part in a language, else in the first language.
 * @template {keyof Words} P @param {string} code @param {P} part @returns {Promise<Words[P]>} */
export async function words(code, part) {
    const {parts} = LANGUAGES.find(language => language.code === code) ?? LANGUAGES[0];
    return /** @type {Words} */ (await parts[part]())[part];
}

/** The words of the page and of every view. @param {string} code @returns {Promise<Page>} */
export const allWords = async code => ({
    ...(await words(code, 'page')),
    ...(await words(code, 'views')),
});
