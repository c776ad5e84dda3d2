/* imported_view - the controls of imported attention: the help with the Python lines and the button
 * that opens a file, and above the controls its name, which part of it is shown, and what was odd
 * in it.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {Choice} from '../views/parts/choice.js';
import {FileButton} from '../views/parts/file_button.js';
import {Dialog} from '../shell/dialog.js';
import {TwoPanel} from './two_view.js';

/** @typedef {import('../words/languages.js').Dialogs['imported']} Words */

/** For models of one stack. tokens() and sequence_ids() need a fast tokenizer, which AutoTokenizer
 * gives. */
const SINGLE = `import json, safetensors.torch, transformers
tokenizer = transformers.AutoTokenizer.from_pretrained("bert-base-uncased")
model = transformers.AutoModel.from_pretrained("bert-base-uncased", attn_implementation="eager")
inputs = tokenizer("I went to the store.", "At the store, I bought fresh strawberries.", return_tensors="pt")
tensors = {f"attention.{i}": a[0].detach().contiguous() for i, a in enumerate(model(**inputs, output_attentions=True).attentions)}
safetensors.torch.save_file(tensors, "attention.safetensors", metadata={"tokens": json.dumps(inputs.tokens()), "sentences": json.dumps(inputs.sequence_ids())})`;

/** For an encoder with a decoder: \`inputs\` of the source, \`target\` of the text that the decoder
 * reads. */
const PAIR = `target = tokenizer("Ich ging zum Laden.", return_tensors="pt")
out = model(**inputs, decoder_input_ids=target["input_ids"], output_attentions=True)
kinds = {"attention": out.encoder_attentions, "decoder": out.decoder_attentions, "cross": out.cross_attentions}
tensors = {f"{kind}.{i}": a[0].detach().contiguous() for kind, layers in kinds.items() for i, a in enumerate(layers)}
safetensors.torch.save_file(tensors, "attention.safetensors", metadata={"tokens": json.dumps(inputs.tokens()), "decoder_tokens": json.dumps(target.tokens())})`;

/** @param {{label: string, code: string, words: Words}} props */
function Lines({label, code, words}) {
    const [said, setSaid] = useState('');
    const copy = () =>
        navigator.clipboard.writeText(code).then(
            () => setSaid(words.copied),
            () => setSaid(words.copyFailed),
        );
    return h(
        'figure',
        {class: 'lines'},
        h(
            'figcaption',
            null,
            h('span', null, label),
            h('span', {class: 'said', role: 'status'}, said),
            buttonOf('plain', {onClick: copy, 'aria-label': `${words.copy}: ${label}`}, words.copy),
        ),
        h(
            'pre',
            {tabIndex: 0, role: 'region', 'aria-label': label, lang: 'en', dir: 'ltr'},
            h('code', null, code),
        ),
    );
}

/** @param {{words: Words, onFile: (file: File) => void, onClose: () => void}} props
 */
function ImportedHelp({words, onFile, onClose}) {
    const parts = (/** @type {() => void} */ close) => [
        h('p', null, words.intro),
        h(
            'p',
            {class: 'doing'},
            h(FileButton, {
                label: words.choose,
                accept: '.safetensors,.npy,.json,.csv',
                main: true,
                onFiles([file]) {
                    close();
                    onFile(file);
                },
            }),
            buttonOf('plain', {onClick: close}, words.close),
        ),
        h(Lines, {label: words.single, code: SINGLE, words}),
        h(Lines, {label: words.pair, code: PAIR, words}),
        h('p', {class: 'hint'}, words.needs),
        h('p', {class: 'hint'}, words.rules),
        h('p', {class: 'hint'}, words.others),
    ];
    const {title, close: closeName} = words;
    return h(Dialog, {id: 'imported-title', title, closeName, onClose, children: parts});
}

/** The panel while it is shown, and the help with the button that opens a file.
 * @param {import('../base/shared.js').Shared & {session: import('../session/session.js').Session, asking: boolean, onClose: () =>
 *     void, words: import('../words/languages.js').Dialogs}} props */
export function Imported({words: {imported: words, two}, session, asking, onClose, ...shared}) {
    const onFile = session.openImported;
    const back = () => onFile(null);
    return [
        shared.shown.imported &&
            h(ImportedPanel, {key: 'panel', ...shared, words, two, onClose: back}),
        asking && h(ImportedHelp, {key: 'help', words, onFile, onClose}),
    ];
}

/** @param {Parameters<typeof FilePanel>[0] & {two: import('../words/languages.js').Dialogs['two']}} props   two: words of a model of
 *     two stacks, which runs here */
export function ImportedPanel({two: words, ...props}) {
    const {two, parts, part: shownPart} = props.shown.imported ?? {};
    const {partName, part} = props.words;
    return two && parts && shownPart
        ? h(TwoPanel, {...props, ...{words, two, parts, partName, part, shownPart}})
        : h(FilePanel, props);
}

/** @param {import('../base/shared.js').Shared & {words: Words, onClose: () => void}} props */
function FilePanel({t, words, state, set, shown: {imported}, onClose}) {
    if (!imported) return null;
    const options = imported.parts.map(part => ({
        value: part,
        label: words.partName(part),
        title: words.partName(part),
    }));
    return h(
        'div',
        {class: 'imported'},
        h(
            'p',
            null,
            h('bdi', null, imported.name),
            ' ',
            buttonOf('plain', {onClick: onClose}, t.imported.close),
        ),
        options.length > 1 &&
            h(Choice, {
                name: 'part',
                legend: words.part,
                options,
                value: imported.parts.find(part => part === state.part) ?? imported.part,
                onChoose: part => set({part}),
            }),
        imported.odd
            .slice(0, 2)
            .map(odd =>
                h('p', {key: odd.name, class: 'hint'}, h('bdi', {translate: true}, words.odd(odd))),
            ),
        imported.numbered && h('p', {class: 'hint'}, words.numbered),
        imported.ignored.length > 0 &&
            h('p', {class: 'hint'}, h('bdi', {translate: true}, words.ignored(imported.ignored))),
    );
}
