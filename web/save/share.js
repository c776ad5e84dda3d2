/* share - the dialog that hands out what is shown in the form that a reader's page, blog or
 * notebook wants. Fetched when first opened.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {encodeFigure} from '../files/precomputed_write.js';
import {LESSONS, titleOf} from '../lessons/list.js';
import {questionOf} from '../lessons/own.js';
import {Choice} from '../views/parts/choice.js';
import {selection} from '../views/head/scene.js';
import {save, svgOf} from './save.js';
import {OwnFields} from './own_fields.js';
import {fileName} from './texts.js';
import {FALLBACK, SNIPPETS} from './snippets.js';
import {Dialog} from '../shell/dialog.js';

/**
 * @import {Props} from './export.js'
 * @import {Parts} from './snippets.js'
 * @typedef {import('../words/languages.js').Dialogs['share']} Words
 */

/** Kinds that fetch a script of this site into another one. */
const TAGGED = ['lesson', 'element', 'jekyll', 'hugo', 'quarto', 'mdx'];

/** The lesson beside the figure, at its step; a link that names none is of the six patterns.
 * @param {import('../state/state.js').State} state @param {string} code of the page's language */
function lessonOf({lesson, tour}, code) {
    const entry = LESSONS.find(({id}) => id === (lesson || 'patterns'));
    return entry && tour >= 0 ? {id: entry.id, at: tour, title: titleOf(entry.title, code)} : null;
}

/** @param {Props} props @returns {Parts} */
function partsOf(props) {
    const {
        t,
        link,
        menu,
        modelName,
        drawable: {view, state, data},
    } = props;
    const {model, pass, tensors} = data;
    const entry = state.model ? menu.find(({id}) => id === state.model) : menu[0];
    const isHead = view.id === 'head';
    const {rows, cols} = isHead ? selection(state, data) : {rows: [0, 0], cols: [0, 0]};
    return {
        base: link()
            .replace(/[?#].*$/s, '')
            .replace(/[^/]*$/, ''),
        state: {...state, tour: -1, lesson: ''},
        lesson: lessonOf(state, t.code),
        ask: questionOf(state),
        lang: t.code,
        title: `${t.viewTitles[view.id]} · ${modelName}`,
        file: `${fileName(view, state, model.layers)}.svg`,
        svg: svgOf(props, {width: FALLBACK, theme: state.theme === 'dark' ? 'dark' : 'light'}),
        rows: Math.max(rows[1] - rows[0], cols[1] - cols[0]),
        figure: isHead
            ? encodeFigure({
                  model,
                  pass,
                  tensors,
                  id: state.model,
                  name: modelName,
                  bytes: (entry && 'bytes' in entry && entry.bytes) || 0,
              })
            : null,
    };
}

/** What a press on Copy has come to; where nothing may be copied, the code is marked for the reader's
 * own keys. @param {string} code @param {Words} words */
function useCopy(code, words) {
    const [said, setSaid] = useState('');
    const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
    useEffect(() => setSaid(''), [code]);
    const copy = () =>
        navigator.clipboard.writeText(code).then(
            () => setSaid(words.copied),
            () => {
                area.current?.select();
                setSaid(words.copyFailed);
            },
        );
    return {said, area, copy};
}

/** @param {{label: string, code: string, words: Words}} props */
function Piece({label, code, words}) {
    const {said, area, copy} = useCopy(code, words);
    return h(
        'div',
        {class: 'snippet'},
        h(
            'div',
            {class: 'doing'},
            h('span', {class: 'label'}, label),
            h('span', {class: 'said', role: 'status'}, said),
            buttonOf('main', {onClick: copy, 'aria-label': `${words.copy}: ${label}`}, words.copy),
        ),
        h('textarea', {
            ref: area,
            class: 'code',
            readOnly: true,
            rows: Math.min(8, code.split('\n').length + 3),
            value: code,
            'aria-label': label,
            lang: 'en',
            dir: 'ltr',
            spellcheck: false,
        }),
    );
}

/** @param {{kind: keyof Words['kinds'], parts: Parts, words: Words, onSave: (kind: 'svg' | 'html')
 *     => void, said: string}} props */
function Kind({kind, parts, words, onSave, said}) {
    const {where, save: label} = words.kinds[kind];
    const file = {markdown: 'svg', html: 'html'}[/** @type {string} */ (kind)];
    return h(
        'div',
        {class: 'share-kind'},
        h('p', null, where),
        TAGGED.includes(kind) && h('p', {class: 'hint'}, words.cors),
        label &&
            file &&
            h(
                'p',
                {class: 'doing'},
                buttonOf('main', {onClick: () => onSave(/** @type {any} */ (file))}, label),
                h('span', {class: 'said', role: 'status'}, h('bdi', {translate: true}, said)),
            ),
        SNIPPETS[kind](parts).map(({label: name, code}) =>
            h(Piece, {
                key: name,
                label: words.pieces[/** @type {keyof Words['pieces']} */ (name)],
                code,
                words,
            }),
        ),
    );
}

/** The way to the gallery, and out. @param {Pick<Props, 't'> & {words: Words, close: () => void}} props */
const Foot = ({t, words, close}) =>
    h(
        'p',
        {class: 'doing foot'},
        h(
            'a',
            {class: 'plain', href: t.gallery.file, target: '_blank', rel: 'noopener'},
            words.gallery.link,
        ),
        buttonOf('plain', {onClick: close}, words.close),
    );

/** @param {Props & {words: Words, onClose: () => void}} props */
export function ShareDialog({words, onClose, ...props}) {
    const [kind, setKind] = useState(/** @type {keyof Words['kinds']} */ ('link'));
    const [said, setSaid] = useState('');
    const [parts, setParts] = useState(/** @type {Parts | null} */ (null));
    // not while drawing: it draws, too
    useEffect(() => setParts(partsOf(props)), [props.drawable, props.t, props.menu]);
    const isLesson = lessonOf(props.drawable.state, props.t.code);
    const options = /** @type {(keyof Words['kinds'])[]} */ (Object.keys(words.kinds))
        .filter(value => value !== 'lesson' || isLesson)
        .map(value => ({value, label: words.kinds[value].name, title: words.kinds[value].name}));
    const onSave = async (/** @type {'svg' | 'html'} */ file) =>
        setSaid((await save(file, props)).text);
    const body = (/** @type {() => void} */ close) => [
        h(OwnFields, {...props, of: 'share'}),
        h(Choice, {
            name: 'share',
            legend: words.as,
            options,
            value: kind,
            onChoose: value => {
                setKind(value);
                setSaid('');
            },
        }),
        parts && h(Kind, {key: kind, kind, parts, words, onSave, said}),
        h(Foot, {t: props.t, words, close}),
    ];
    return h(Dialog, {
        ...{id: 'share-title', title: words.title, closeName: props.t.close, onClose},
        ...{className: 'share-dialog', children: body},
    });
}
