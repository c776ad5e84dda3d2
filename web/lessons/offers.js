/* offers - below the text box: example texts, each with the view and the head that are worth a look
 * there; the lessons (list.js has their titles); the articles' figures; the texts typed before; and what can be done with a
 * pair. Nothing is sent anywhere: an example is a change of the state like any other.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {useLazy} from '../shell/hooks.js';
import {isCausal} from '../views/parts/select.js';
import {typed} from '../text/draft.js';
import {examplesHere, pressedHere, withOther} from './begin.js';
import examples from './data/examples.json';
import {readHistory, withText, writeHistory} from '../text/history.js';
import {lessonsHere, titleOf} from './list.js';
import {isFinished, readPlaces} from './places.js';
import {TEXTS} from './question.js';
import {HEIGHT, useLayer} from '../shell/use_layer.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('../words/languages.js').Lessons['offers']} Words
 * @typedef {Shared & {menu: import('../base/shared.js').Menu, session: import('../session/session.js').Session, words: Words}} Props
 * @typedef {import('./begin.js').Made & {id: string, label: import('./list.js').Said, text: string, textB: string,
 *     state: any}} Example
 */

const SHORT = 60;
const short = (/** @type {string} */ text) =>
    text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text;

/** The texts that the reader typed: what neither an example nor a lesson put there.
 * @param {Shared} shared @param {{current: boolean}} ours the next change is not the reader's
 */
function useHistory({state: {text, textB, tour}, set: put}, ours) {
    const [list, setList] = useState(readHistory);
    const first = useRef(true);
    useEffect(() => {
        const skip = first.current || ours.current || tour >= 0 || TEXTS.includes(text);
        first.current = ours.current = false;
        if (!skip) setList(before => withText(before, [text, textB]));
    }, [text, textB]);
    useEffect(() => writeHistory(list), [list]);
    return {
        list,
        clear: () => setList([]),
        /** What was typed and never shown is among the earlier texts when another takes its place.
         * @param {Partial<import('../state/state.js').State>} patch */
        set(patch) {
            const {text: a, textB: b} = typed.draft;
            if (typed.isNew) setList(before => withText(before, [a, b]));
            put(patch);
        },
    };
}

/** @param {{name: string, children?: any}} props */
const Panel = ({name, children}) => h('div', {class: 'offer-panel', 'data-panel': name}, children);

/** How long it takes, or where the reader is in it. @param {Words} words @param {number} minutes
 * @param {import('./places.js').Places[string] | undefined} place */
function placeSaid(words, minutes, place) {
    if (!place) return words.minutes(minutes);
    return isFinished(place) ? words.finished : words.left(place[0] + 1, place[1]);
}

/** @param {Props & {close: () => void}} props */
function Lessons({t, state, words, set, menu, close}) {
    const places = readPlaces();
    return h(
        'ol',
        null,
        lessonsHere(menu).map(({id, minutes, title}) => {
            const place = places[id];
            const onClick = () => {
                set({lesson: id, tour: place && !isFinished(place) ? place[0] : 0});
                close();
            };
            const now = state.tour >= 0 && state.lesson === id;
            return h(
                'li',
                {key: id},
                buttonOf(
                    'plain',
                    {'aria-current': now || undefined, onClick},
                    titleOf(title, t.code),
                ),
                ' ',
                h('span', {class: 'soft'}, placeSaid(words, minutes, place)),
            );
        }),
    );
}

/** @param {Props & {list: import('../text/history.js').Pair[], clear: () => void, close: () => void}} props */
const Earlier = ({words, set, list, clear, close}) => [
    h(
        'ul',
        {key: 'list'},
        list.map(([text, textB]) =>
            h(
                'li',
                {key: `${text}\n${textB}`},
                buttonOf(
                    'plain',
                    {
                        onClick: () => {
                            set(withOther(text, textB));
                            close();
                        },
                    },
                    h('bdi', null, short(textB ? `${text} | ${textB}` : text)),
                ),
            ),
        ),
    ),
    buttonOf('plain soft', {key: 'clear', onClick: clear}, words.forget),
];

/** @param {{name: string, open: string, setOpen: (name: string) => void, label: string, on?: boolean}} props   on: one
 *     of what it opens is shown */
const Opener = ({name, open, setOpen, label, on = false}) =>
    buttonOf(
        'plain',
        {
            'aria-expanded': open === name,
            'aria-current': on || undefined,
            onClick: () => setOpen(open === name ? '' : name),
        },
        label,
    );

/** Is its text the one that is shown? @param {Pick<Example, 'text' | 'textB'>} example
 * @param {Props['state']} state */
const isShown = ({text, textB}, state) =>
    state.tour < 0 && text === state.text && textB === state.textB;

/** @param {Props & {press: (example: Example) => void}} props */
const Examples = ({t, state, shown: {model}, menu, words, press}) =>
    h(
        'ul',
        {class: 'example-chips pills', 'aria-label': words.examples},
        examplesHere(
            /** @type {Example[]} */ (examples),
            menu,
            t.code,
            Boolean(model && isCausal(model)),
        ).map(example =>
            h(
                'li',
                {key: example.id},
                h(
                    'button',
                    {
                        type: 'button',
                        'aria-current': isShown(example, state) || undefined,
                        onClick: () => press(example),
                    },
                    titleOf(example.label, t.code),
                ),
            ),
        ),
    );

/** What can be done with a pair. It is done to what stands in the boxes, shown or not; an empty box
 * counts as what is shown. @param {Props} props */
function Pair({state, set, words}) {
    if (!state.textB) return null;
    const button = (
        /** @type {string} */ label,
        /** @type {(a: string, b: string) => [string, string]} */ made,
    ) => {
        const onClick = () => {
            const {text, textB} = typed.draft;
            set(
                withOther(
                    ...made(text.trim() ? text : state.text, textB.trim() ? textB : state.textB),
                ),
            );
        };
        return buttonOf('plain', {key: label, onClick}, label);
    };
    return [button(words.clearB, a => [a, '']), button(words.swap, (a, b) => [b, a])];
}

/** A list that is open. @param {() => void} close @returns {import('../shell/use_layer.js').Layer} */
const listLayer = close => ({
    height: HEIGHT.list,
    escape(_, writing) {
        if (writing) return false;
        const opener = document.querySelector('.more-offers [aria-expanded="true"]');
        close();
        /** @type {HTMLElement | null} */ (opener)?.focus();
        return true;
    },
});

/** The list that is open, '' for none.
 * @param {Props & {open: string, own: Props['set'], list: import('../text/history.js').Pair[], clear: () => void, close: () => void}} props */
function Opened({open, own, list, clear, ...props}) {
    const articles = useLazy(() => import('./articles.js'), open === 'articles');
    return [
        open === 'lessons' && h(Panel, {key: open, name: open}, h(Lessons, props)),
        open === 'history' &&
            h(Panel, {key: open, name: open}, h(Earlier, {...props, set: own, list, clear})),
        open === 'articles' &&
            articles &&
            h(Panel, {key: open, name: open}, h(articles.Articles, props)),
    ];
}

/** @param {Props} props */
export function Offers(props) {
    const {words} = props;
    const ours = useRef(false);
    const {list, clear, set} = useHistory(props, ours);
    const [open, setOpen] = useState('');
    const close = () => setOpen('');
    useLayer(open !== '', listLayer(close));
    const own = (/** @type {Partial<import('../state/state.js').State>} */ patch) => {
        ours.current = patch.text !== props.state.text || patch.textB !== props.state.textB;
        set(patch);
    };
    const press = (/** @type {Example} */ example) => {
        close();
        const {shown, state, menu} = props;
        own(pressedHere(example, shown.picked ? '' : state.model || menu[0]?.id, menu));
    };
    const opener = {open, setOpen};
    return [
        h(
            'div',
            {key: 'row', class: 'row'},
            h(Examples, {...props, press}),
            h(
                'p',
                {class: 'more-offers'},
                h(Opener, {
                    ...opener,
                    name: 'lessons',
                    label: words.lessons,
                    on: props.state.tour >= 0,
                }),
                h(Opener, {...opener, name: 'articles', label: words.articles}),
                list.length > 0 && h(Opener, {...opener, name: 'history', label: words.history}),
                h(Pair, props),
            ),
        ),
        h(Opened, {...props, key: 'opened', open, own, list, clear, close}),
    ];
}
