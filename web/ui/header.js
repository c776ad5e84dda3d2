/* header - the name of the page and what concerns all of it: language, appearance, a link to what
 * is shown.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {LANGUAGES} from '../text/languages.js';
import {Choice} from '../views/choice.js';

/** @typedef {import('./app.js').Texts} Texts */

const SAID_MS = 4000;

/** @param {{t: Texts, link: () => string}} props */
function Share({t, link}) {
    const [said, setSaid] = useState('');
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(link());
            setSaid(t.shared);
        } catch {
            setSaid(t.shareFailed);
        }
        setTimeout(() => setSaid(''), SAID_MS);
    };
    return h(
        'span',
        {class: 'share'},
        h('span', {class: 'said', role: 'status'}, said),
        h('button', {type: 'button', class: 'plain', onClick: copy}, t.share),
    );
}

/** @param {import('./app.js').Shared & {link: () => string}} props */
export function Header({t, state, set, link}) {
    const themes = /** @type {const} */ (['auto', 'light', 'dark']).map(value => ({
        value,
        label: t.themes[value],
        title: t.themes[value],
    }));
    const languages = LANGUAGES.map(({code, name}) => ({value: code, label: name, title: name}));
    return h(
        'header',
        {class: 'top'},
        h('span', {class: 'brand'}, 'Headlight'),
        h(Share, {t, link}),
        h(Choice, {
            name: 'lang',
            legend: t.language,
            className: 'quiet',
            options: languages,
            value: t.code,
            onChoose: lang => set({lang}),
        }),
        h(Choice, {
            name: 'theme',
            legend: t.theme,
            className: 'quiet',
            options: themes,
            value: state.theme,
            onChoose: theme => set({theme}),
        }),
    );
}
