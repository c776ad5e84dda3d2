/* load_box - the dialog in which a model is chosen that is not in the menu: by its name on the Hugging
 * Face hub or an address, from a list of well-known ones, from the copies that this browser keeps, or
 * from the disk. Fetched by the press that opens it. The download itself, with its question and its
 * progress, stands where the figure will be (question.js, progress.js).
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {createCopies} from '../files/copies.js';
import {isId, isModel} from '../base/model_names.js';
import {FileButton} from '../views/parts/file_button.js';
import {useWords} from '../shell/hooks.js';
import {KNOWN_MODELS} from './known_models.js';
import {Dialog} from '../shell/dialog.js';

/**
 * @typedef {import('../words/languages.js').Dialogs['models']} Words
 * @import {Mark} from '../files/copies.js'
 * @typedef {{t: import('../base/shared.js').Texts, words: Words, onModel: (name: string) => void, onFiles:
 *     (files: File[]) => void, onClose: () => void, className?: string}} Props
 */

const copies = createCopies();

/** As in the box: org/name, with the revision where it is another than main. @param {Mark} mark */
const nameOf = ({name, revisions: [revision]}) =>
    revision === 'main' ? name : `${name}@${revision}`;

/** @param {Pick<Props, 'words' | 'onModel'>} props */
function NameForm({words, onModel}) {
    const [text, setText] = useState('');
    const [refused, setRefused] = useState(false);
    const submit = (/** @type {Event} */ event) => {
        event.preventDefault();
        const name = text.trim();
        if (!isModel(name) || isId(name)) return setRefused(true);
        onModel(name);
    };
    return h(
        'form',
        {class: 'named', onSubmit: submit, noValidate: true},
        h('label', {for: 'load-name'}, words.name),
        h('input', {
            id: 'load-name',
            type: 'text',
            value: text,
            placeholder: 'org/name',
            autocomplete: 'off',
            autocapitalize: 'off',
            spellcheck: false,
            dir: 'ltr',
            'aria-describedby': 'load-hint',
            'aria-invalid': refused ? 'true' : undefined,
            onInput: (/** @type {{currentTarget: HTMLInputElement}} */ {currentTarget}) => {
                setText(currentTarget.value);
                setRefused(false);
            },
        }),
        h('button', {type: 'submit', class: 'main'}, words.load),
        h(
            'p',
            {id: 'load-hint', class: refused ? 'hint refused' : 'hint', role: 'status'},
            refused ? words.refused : words.hint,
        ),
    );
}

/** @param {Pick<Props, 't' | 'words' | 'onModel'>} props */
const Known = ({t, words, onModel}) =>
    h(
        'section',
        {class: 'known', 'aria-labelledby': 'load-known'},
        h('h3', {id: 'load-known'}, words.known),
        h(
            'dl',
            null,
            KNOWN_MODELS.map(({family, models}) => [
                h('dt', {key: family}, family),
                models.map(({name, megabytes}) =>
                    h(
                        'dd',
                        {key: name},
                        buttonOf('plain', {onClick: () => onModel(name)}, h('bdi', null, name)),
                        h('span', {class: 'size'}, t.size(megabytes * 1e6)),
                    ),
                ),
            ]),
        ),
        h('p', {class: 'hint'}, words.knownHint),
    );

/** A copy that this browser keeps.
 * @param {Pick<Props, 't' | 'words' | 'onModel'> & {mark: Mark, onDrop: () => void}} props */
const Copy = ({t, words, onModel, mark, onDrop}) =>
    h(
        'li',
        null,
        buttonOf('plain', {onClick: () => onModel(nameOf(mark))}, h('bdi', null, nameOf(mark))),
        h(
            'span',
            {class: 'size'},
            t.size(mark.bytes),
            t.comma,
            h('code', {title: words.commit}, mark.commit.slice(0, 7)),
            t.comma,
            mark.at.slice(0, 10),
        ),
        buttonOf(
            'plain',
            {'aria-label': words.deleteName(nameOf(mark)), onClick: onDrop},
            words.delete,
        ),
    );

/** @param {Pick<Props, 't' | 'words' | 'onModel'>} props */
function Kept({t, words, onModel}) {
    const [marks, setMarks] = useState(/** @type {Mark[]} */ ([]));
    const [said, setSaid] = useState('');
    const look = async () => setMarks(await copies.list());
    useEffect(() => {
        look();
    }, []);
    const drop = async (/** @type {Mark} */ mark) => {
        await copies.drop(mark);
        setSaid(words.deleted(nameOf(mark)));
        await look();
    };
    const row = (/** @type {Mark} */ mark) =>
        h(Copy, {
            key: `${mark.host} ${mark.name} ${mark.commit}`,
            ...{t, words, onModel, mark},
            onDrop: () => drop(mark),
        });
    const all = marks.reduce((sum, {bytes}) => sum + bytes, 0);
    return h(
        'section',
        {class: 'kept', 'aria-labelledby': 'load-kept'},
        h('h3', {id: 'load-kept'}, words.kept),
        marks.length > 0 && h('ul', null, marks.map(row)),
        h('p', {class: 'hint'}, marks.length ? words.keptSum(t.size(all)) : words.keptNone),
        h('p', {class: 'said', role: 'status'}, said),
    );
}

/** @param {Pick<Props, 'words'> & {onFiles: (files: File[]) => void}} props */
const FromDisk = ({words, onFiles}) =>
    h(
        'section',
        {'aria-labelledby': 'load-disk'},
        h('h3', {id: 'load-disk'}, words.disk),
        h(
            'p',
            {class: 'doing'},
            h(FileButton, {label: words.folder, folder: true, onFiles}),
            h(FileButton, {label: words.files, many: true, onFiles}),
        ),
        h('p', {class: 'hint'}, words.diskHint),
    );

/** @param {Props} props */
function Box({t, words, onModel, onFiles, onClose, className = ''}) {
    /** @template T @param {() => void} close @param {(chosen: T) => void} take */
    const closing = (close, take) => (/** @type {T} */ chosen) => {
        close();
        take(chosen);
    };
    const parts = (/** @type {() => void} */ close) => [
        h(NameForm, {words, onModel: closing(close, onModel)}),
        h(Kept, {t, words, onModel: closing(close, onModel)}),
        h(Known, {t, words, onModel: closing(close, onModel)}),
        h(FromDisk, {words, onFiles: closing(close, onFiles)}),
        h('p', {class: 'doing'}, buttonOf('plain', {onClick: close}, words.close)),
    ];
    return h(Dialog, {
        ...{id: 'load-title', title: words.title, closeName: words.close, onClose},
        ...{className: `load-box ${className}`, drop: true, children: parts},
    });
}

/** The box with its words. @param {Omit<Props, 'words'>} props */
export function LoadBox(props) {
    const words = useWords(props.t.code, 'dialogs', true)?.models;
    return words ? h(Box, {...props, words}) : null;
}
