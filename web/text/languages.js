/* languages - the languages of the page; only the one that is read is fetched. To add one: write
 * text/<code>.js with the keys of text/en.js and name it here.
 */

/** @typedef {typeof import('./en.js').en} Words */

/** @type {{code: string, name: string, load: () => Promise<Words>}[]} */
export const LANGUAGES = [
    {code: 'en', name: 'English', load: () => import('./en.js').then(module => module.en)},
    {code: 'zh', name: '中文', load: () => import('./zh.js').then(module => module.zh)},
];

/** The code of the first wish that there is a language for, else of the first language.
 * @param {readonly string[]} wishes language tags; '' is no wish */
export const codeFor = wishes =>
    wishes.map(tag => tag.slice(0, 2)).find(wish => LANGUAGES.some(({code}) => code === wish)) ??
    LANGUAGES[0].code;

/** @param {string} code */
export const loadWords = code =>
    (LANGUAGES.find(language => language.code === code) ?? LANGUAGES[0]).load();
