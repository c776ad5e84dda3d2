/* header - one row above everything: the name of the page, one text or a corpus, the views of a text,
 * and what concerns all of it: a link to what is shown, language, appearance.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {LANGUAGES} from '../words/languages.js';
import {Choice, optionsOf} from '../views/parts/choice.js';
import {closeMenu, Menu} from '../shell/menu.js';
import {Views} from '../figure/views.js';
import {whyNoLink} from '../save/no_link.js';

/** @import {Shared} from '../base/shared.js' */

const SAID_MS = 4000;

/** @param {Shared & {link: () => string}} props */
function Share({t, shown, link}) {
    const [said, setSaid] = useState('');
    const say = (/** @type {string} */ text) => {
        setSaid(text);
        setTimeout(() => setSaid(''), SAID_MS);
    };
    const copy = () => {
        const why = whyNoLink({t, shown});
        if (why) return say(why);
        return navigator.clipboard.writeText(link()).then(
            () => say(t.shared),
            () => say(t.shareFailed),
        );
    };
    return h(
        'span',
        {class: 'share'},
        buttonOf('plain', {onClick: copy}, t.share),
        h('span', {class: 'said', role: 'status'}, said),
    );
}

/** One text, or studies over a corpus. @param {Shared} props */
function Modes({t, state, set}) {
    return h(
        'nav',
        {class: 'modes', 'aria-label': t.modesLabel},
        h(Choice, {
            name: 'desk',
            legend: t.modesLabel,
            className: 'quiet',
            options: optionsOf(['text', 'corpus'], t.modes),
            value: state.desk,
            onChoose: desk => set({desk}),
        }),
    );
}

/** Language and appearance. @param {Shared} props */
function Settings({t, state, set}) {
    const languages = LANGUAGES.map(({code, name}) => ({value: code, label: name}));
    return [
        h(Choice, {
            key: 'lang',
            name: 'lang',
            legend: t.language,
            className: 'quiet',
            options: languages,
            value: t.code,
            onChoose: lang => set({lang}),
        }),
        h(Choice, {
            key: 'theme',
            name: 'theme',
            legend: t.theme,
            className: 'quiet',
            options: optionsOf(['auto', 'light', 'dark'], t.themes),
            value: state.theme,
            onChoose: theme => set({theme}),
        }),
    ];
}

/** Language and appearance in a menu, whose name shows another language and the sign of appearance: a row
 * has room for the views. @param {Shared} props */
function SettingsMenu(props) {
    const {t} = props;
    const other = LANGUAGES.find(({code}) => code !== t.code)?.name;
    return h(
        Menu,
        {label: `${other} ◐`, name: `${other} ◐: ${t.language}, ${t.theme}`},
        h('div', {onChange: closeMenu}, h(Settings, props)),
    );
}

/** @param {Shared & {session: import('../session/session.js').Session, link: () => string}} props */
export const Header = props =>
    h(
        'header',
        {class: 'top'},
        h('span', {class: 'brand'}, 'Headlight'),
        h(Modes, props),
        // Hidden, not left out: the radio buttons keep their place while studies are looked at.
        h('div', {class: 'tabs', hidden: props.state.desk === 'corpus'}, h(Views, props)),
        h('div', {class: 'settings'}, h(Share, props), h(SettingsMenu, props)),
    );
