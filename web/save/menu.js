/* menu - the menu Save: a picture, a page, the link; then the other kinds of files, and the
 * reader's own title and note, both folded on a phone. What makes the files is fetched when first
 * asked for (save.js). Fetched after the first picture.
 */
import {h} from 'preact';
import {select} from '../draw/select.js';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {isMoved} from '../views/needs.js';
import {Switch} from '../views/parts/hide.js';
import {whyNoLink} from './no_link.js';
import {useMedia, useWords} from '../shell/hooks.js';
import {LOOK, PAPERS, SIZES} from './look.js';
import {OwnFields} from './own_fields.js';

/**
 * @typedef {import('../words/languages.js').Dialogs['save']} Words
 * @import {Kind} from './save.js'
 * @import {Props, Said} from './export.js'
 */

/** What the press has come to; what could not be copied can be copied by hand.
 * @param {{said: Said}} props */
const Told = ({said}) => [
    h('p', {class: 'said', role: 'status', key: 'said'}, h('bdi', {translate: true}, said.text)),
    said.code &&
        h('textarea', {
            key: 'code',
            class: 'code',
            readOnly: true,
            rows: 3,
            value: said.code,
            'aria-label': said.text,
            onFocus: (/** @type {{currentTarget: HTMLTextAreaElement}} */ {currentTarget}) =>
                currentTarget.select(),
        }),
];

/** A row of the menu. @param {string} kind @param {string} label @param {string} hint @param {() => void} onClick */
const row = (kind, label, hint, onClick) =>
    h(
        'li',
        {key: label, 'data-kind': kind},
        buttonOf('plain', {onClick}, label),
        hint && h('span', {class: 'hint'}, hint),
    );

/** Of what a file is: a picture is said by what is on it, since some views show several.
 * @param {Words} words @param {keyof Words['hints']} kind @param {Props} props */
const hintOf = ({hints, picture}, kind, {drawable: {view}, t}) =>
    kind === 'svg' || kind === 'png' ? picture(hints[kind], view.pictured(t)) : hints[kind];

/** What most readers save; the rest is under one heading. @type {Kind[]} */
const MOSTLY = ['png', 'html'];

/** Of attention.js, as they are called. */
const FORMATS = {
    csv: '.csv',
    json: '.json',
    npy: '.npy',
    safetensors: '.safetensors',
    half: 'float16',
};

/** The attention of every layer and head, in the formats of other programs.
 * @param {{words: Words, state: Props['state'], onSave: (format: any) => void}} props */
const AllAttention = ({words, state, onSave}) =>
    h(
        'p',
        {class: 'all'},
        h('span', {class: 'hint'}, isMoved(state) ? words.allMoved : words.all),
        h(
            'span',
            null,
            Object.entries(FORMATS).map(([format, label]) =>
                buttonOf('plain', {key: format, onClick: () => onSave(format)}, label),
            ),
        ),
    );

/** Other tables of the view, such as the logit lens. @param {{words: Words, props: Props, onSaid:
 *     (said: Said) => void}} all */
function More({words, props, onSaid}) {
    const {view, state, data} = props.drawable;
    return (view.more?.(state, data, props.t) ?? []).map(({id}) =>
        h(
            'p',
            {class: 'all', key: id},
            h('span', {class: 'hint'}, words.more[id]),
            h(
                'span',
                null,
                /** @type {const} */ (['csv', 'json']).map(kind =>
                    buttonOf(
                        'plain',
                        {
                            key: kind,
                            onClick: async () =>
                                onSaid(await (await import('./save.js')).saveMore(kind, id, props)),
                        },
                        FORMATS[kind],
                    ),
                ),
            ),
        ),
    );
}

/** A part under its heading: open where there is room. @param {{label: string, children?: any}} props */
const Folded = ({label, children}) =>
    h(
        'details',
        {class: 'folded', open: useMedia('(min-width: 760px)')},
        h('summary', null, label),
        children,
    );

/** With or without caption and cells, and for which paper. @param {{words: Words, look: import('./look.js').Look,
 *     view: string, onLook: (look: import('./look.js').Look) => void}} props */
function LookFields({words: {look: words}, look, view, onLook}) {
    /** @param {'size' | 'paper'} name @param {readonly string[]} values @param {Record<string, string>} said */
    const choice = (name, values, said) =>
        select({
            ...{value: look[name], 'aria-label': words[name]},
            onChoose: value => onLook({...look, [name]: /** @type {any} */ (value)}),
            options: values.map(value => ({value, name: said[value]})),
        });
    const flags = /** @type {const} */ (['caption', 'cells']).filter(
        name => name === 'caption' || view === 'head',
    );
    return h(
        'fieldset',
        {class: 'picture-look'},
        h('legend', {class: 'hint'}, words.legend),
        choice('size', Object.keys(SIZES), words.sizes),
        choice('paper', PAPERS, words.papers),
        flags.map(name =>
            h(Switch, {
                ...{key: name, checked: look[name], label: words[name]},
                onChange: on => onLook({...look, [name]: on}),
            }),
        ),
    );
}

/** What makes the files, what the last press has come to, and the look of pictures. @param {Props} props */
function useFiles(props) {
    const [said, setSaid] = useState(/** @type {Said} */ ({text: ''}));
    const [look, setLook] = useState(LOOK);
    const make = (/** @type {Kind} */ kind) => async () =>
        setSaid(await (await import('./save.js')).save(kind, {...props, look}));
    const saveAll = async (/** @type {any} */ format) =>
        setSaid(await (await import('./save.js')).saveAttention(format, props));
    return {said, setSaid, look, setLook, make, saveAll};
}

/** @param {Props & {onShare: () => void}} props */
export function Kinds(props) {
    const {t, link, onShare} = props;
    const {said, setSaid, look, setLook, make, saveAll} = useFiles(props);
    // A link cannot carry the reader's own files, and one to the disk is of use to nobody else.
    const why = whyNoLink(props);
    const canLink = !why && /^https?:/.test(link());
    const words = useWords(t.code, 'dialogs', true)?.save;
    if (!words) return null;
    const kinds = /** @type {(keyof typeof words.files)[]} */ (Object.keys(words.files));
    const rows = (/** @type {boolean} */ mostly) =>
        kinds
            .filter(kind => MOSTLY.includes(kind) === mostly)
            .map(kind => row(kind, words.files[kind], hintOf(words, kind, props), make(kind)));
    return [
        h(
            'ul',
            {key: 'mostly'},
            rows(true),
            canLink && row('link', words.link, '', make('link')),
            canLink && row('share', words.share, words.shareHint, onShare),
        ),
        why && h('p', {key: 'why', class: 'hint'}, why),
        h(
            Folded,
            {key: 'others', label: words.others},
            h('ul', null, rows(false)),
            h(More, {words, props, onSaid: setSaid}),
            props.shown.imported?.part !== 'cross' &&
                h(AllAttention, {words, state: props.drawable.state, onSave: saveAll}),
        ),
        h(
            Folded,
            {key: 'own', label: words.own},
            h(LookFields, {words, look, view: props.drawable.view.id, onLook: setLook}),
            h(OwnFields, {...props, of: 'save'}),
        ),
        h(Told, {key: 'told', said}),
    ];
}
