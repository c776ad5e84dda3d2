/* languages - the texts of the page, fetched one language at a time: nobody reads two at once. To add one: write
 * text/<code>.js and name it here.
 */
import {useEffect, useState} from 'preact/hooks';

/** @typedef {typeof import('../text/en.js').en} Texts */

/** @type {{code: string, name: string, load: () => Promise<Texts>}[]} */
export const LANGUAGES = [
    {code: 'en', name: 'English', load: async () => (await import('../text/en.js')).en},
    {code: 'zh', name: '中文', load: async () => (await import('../text/zh.js')).zh},
];

/** The first wish that there is a text for, else the first text. @param {string} lang '' for the browser's */
export function languageFor(lang) {
    const wishes = [lang, ...navigator.languages].map(tag => tag.slice(0, 2));
    const code = wishes.find(wish => LANGUAGES.some(language => language.code === wish));
    return LANGUAGES.find(language => language.code === code) ?? LANGUAGES[0];
}

/** The texts of the language wished for; until they have come, those before. @param {string} lang @param {Texts} first */
export function useTexts(lang, first) {
    const [t, setTexts] = useState(first);
    const {code} = languageFor(lang);
    useEffect(() => {
        let wanted = true;
        if (t.code !== code) languageFor(lang).load().then(texts => { if (wanted) setTexts(texts); }, () => {});
        return () => { wanted = false; };
    }, [code, t]);
    return t;
}
