/* corpus - the choice of a corpus: those that come with the page, a file, pasted text, an address;
 * what it was taken for, and corrections where the guess was wrong.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {Track} from '../model/progress.js';
import {FileButton} from '../views/parts/file_button.js';
import {Pick as PickOne} from '../views/study/parts/pick.js';
import {columnsOf, corpusName} from './corpora.js';
import {Refused} from './refused.js';

/** @import {Props} from './corpus_page.js' */

const YOURS = ' yours'; // no id of a corpus has a space
const TABLES = ['tsv', 'csv', 'jsonl'];
const FORMATS = ['auto', 'lines', 'pairs', ...TABLES, 'conllu', 'coref', 'gap'];

/** @param {Props} props */
function Pick({words, control, page}) {
    const {corpus, list} = page;
    const options = list.map(({id}) => ({
        value: id,
        name: corpusName({yours: false, name: id}, words),
    }));
    if (corpus?.yours) options.push({value: YOURS, name: words.yourName(corpus.name)});
    return h(PickOne, {
        id: 'corpus',
        label: words.corpus,
        value: corpus?.yours ? YOURS : corpus?.id,
        options,
        onPick: value => value !== YOURS && control.corpora.choose(value),
    });
}

/** The form in which text is pasted or an address typed.
 * @param {Props & {kind: 'paste' | 'address', onClose: () => void}} props */
function Entry({words, control, kind, onClose}) {
    const [value, setValue] = useState('');
    const paste = kind === 'paste';
    const submit = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (paste) control.corpora.openText(value, words.pasted);
        else control.corpora.openAddress(value);
        onClose();
    };
    const common = {
        id: 'corpus-entry',
        value,
        autocomplete: 'off',
        onInput: (/** @type {{currentTarget: {value: string}}} */ event) =>
            setValue(event.currentTarget.value),
    };
    return h(
        'form',
        {class: 'entry', onSubmit: submit},
        h('label', {for: 'corpus-entry'}, paste ? words.pasteLabel : words.addressLabel),
        paste
            ? h('textarea', {...common, rows: 6, dir: 'auto', spellcheck: false})
            : h('input', {
                  ...common,
                  type: 'text',
                  inputMode: 'url',
                  placeholder: 'https://',
                  'aria-describedby': 'address-hint',
              }),
        !paste && h('p', {class: 'hint', id: 'address-hint'}, words.addressHint),
        h(
            'div',
            {class: 'entry-acts'},
            h('button', {type: 'submit', class: 'main', disabled: !value.trim()}, words.use),
            buttonOf('plain', {onClick: onClose}, words.back),
        ),
    );
}

/** @param {Props} props */
function OwnCorpus(props) {
    const {words, control} = props;
    const [kind, setKind] = useState(/** @type {'' | 'paste' | 'address'} */ (''));
    const toggle = (/** @type {'paste' | 'address'} */ name, /** @type {string} */ label) =>
        buttonOf(
            'plain',
            {'aria-expanded': kind === name, onClick: () => setKind(kind === name ? '' : name)},
            label,
        );
    return h(
        'div',
        {role: 'group', 'aria-label': words.openTitle},
        h(
            'div',
            {class: 'corpus-acts'},
            h(FileButton, {
                label: words.file,
                accept: '.txt,.tsv,.conllu,.conllup,.conll,.csv,.json,.jsonl,text/*',
                onFiles: ([file]) => control.corpora.openFile(file),
            }),
            toggle('paste', words.paste),
            toggle('address', words.address),
        ),
        kind && h(Entry, {key: kind, ...props, kind, onClose: () => setKind('')}),
    );
}

/** Columns by their names, and where the first line may have none by number.
 * @param {string[]} columns @param {string} format @param {import('./corpus_page.js').Words} words */
const choicesOf = (columns, format, words) => [
    ...columns.map(column => ({value: column, name: column})),
    ...(format === 'jsonl' ? [] : columns).map((_, i) => ({
        value: String(i + 1),
        name: words.columnNumber(i + 1),
    })),
];

/** Format, and which columns of a table mean what: of the corpus, or of one that is refused until that is said.
 * @param {Props} props */
function Corrections({words, control, page: {corpus, asking}}) {
    const held = asking ?? corpus;
    if (!held) return null;
    const {wished: options, bytes} = held;
    const format = options.format ?? (asking ? 'tsv' : (corpus?.about.format ?? ''));
    const choices = TABLES.includes(format) ? choicesOf(columnsOf(bytes), format, words) : [];
    const correct = (/** @type {string} */ name, /** @type {string} */ value) => {
        const chosen = {...options.columns, [name]: value};
        if (!value) delete chosen[name];
        control.corpora.correct({...options, columns: chosen});
    };
    return h(
        'details',
        {
            class: 'corrections',
            open: Boolean(asking ?? options.format ?? options.columns) || undefined,
        },
        h('summary', null, words.readAs),
        h(PickOne, {
            id: 'corpus-format',
            label: words.format,
            value: options.format ?? 'auto',
            options: FORMATS.map(value => ({value, name: words.formats[value]})),
            onPick: format => control.corpora.correct({format}),
        }),
        choices.length > 0 &&
            ['a', 'b', 'label'].map(name =>
                h(PickOne, {
                    key: name,
                    id: `column-${name}`,
                    label: words.columnNames[name],
                    value: options.columns?.[name] ?? '',
                    options: [{value: '', name: words.noColumn}, ...choices],
                    onPick: value => correct(name, value),
                }),
            ),
    );
}

/** @param {Props} props */
function Reading({words, page: {fetching}}) {
    if (!fetching) return null;
    const {done, total} = fetching;
    const amount = done ? words.bytes(words.size(done), total ? words.size(total) : '') : '';
    return h(
        'div',
        {class: 'reading-corpus'},
        h('p', {class: 'hint'}, words.fetching, amount && `: ${amount}`),
        h(Track, {
            'aria-label': words.fetching,
            share: total ? Math.min(1, done / total) : undefined,
            amount: amount || undefined,
        }),
    );
}

/** @param {Props} props */
export function Corpus(props) {
    const {
        words,
        control,
        page: {corpus, problem},
    } = props;
    return h(
        'div',
        {class: 'corpus-choice'},
        h(Pick, props),
        corpus &&
            h(
                'p',
                {class: 'hint corpus-summary', role: 'status'},
                words.summary(
                    words.formats[corpus.about.format] ?? corpus.about.format,
                    corpus.about.items,
                    words.size(corpus.bytes.length),
                ),
            ),
        corpus?.about.left_out &&
            h(
                'p',
                {class: 'hint'},
                words.leftOut(corpus.about.left_out.rows),
                ' ',
                h('bdi', {lang: 'en'}, `${corpus.about.left_out.why}.`),
            ),
        h(Reading, props),
        problem?.of === 'corpus' &&
            h(Refused, {words, message: problem.message, onClose: control.dismiss}),
        h(OwnCorpus, props),
        h(Corrections, props),
    );
}
