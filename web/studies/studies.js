/* studies - the choice of a study, each with a sentence, and why not where the corpus does not fit;
 * the model; the settings that a run starts with.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {knownStudy, studies} from '../views/study/index.js';
import {FileButton} from '../views/parts/file_button.js';
import {Pick, Picked} from '../views/study/parts/pick.js';
import {withSetting} from '../views/study/study.js';
import {nameOf} from '../model/models.js';
import {DRAWN, limitOf, otherOf, sourceName, usualLimit} from './runs.js';

/** @import {Props} from './corpus_page.js' */

const LIMITS = [100, 300, 1000, 3000, 10000, 0];
const WITH_MENTIONS = 'pronouns'; // of corpora/index.json
const PICKED = ' picked';

/** Why a study cannot be run, as a key of `missing`; '' when it can. @param {Props} props
 * @param {string} id */
export function missingOf({state, page: {corpus}, control, ...parts}, id) {
    if (!corpus) return '';
    const entry = knownStudy(id);
    const second =
        entry.second === 'model' && !otherOf({...state, study: id}, parts, control.otherFolder());
    return entry.missing?.(corpus.about) || (second ? 'other' : '');
}

/** One study: what it is, or why not with this corpus, and a corpus that it can be run on.
 * @param {Props & {id: string, chosen: string}} props */
function Study({id, chosen, ...props}) {
    const {set, words} = props;
    const missing = missingOf(props, id);
    const {title, says} = words.studies[id];
    return [
        h(
            'label',
            {key: id, class: missing ? 'lacking' : undefined},
            h('input', {
                type: 'radio',
                name: 'study',
                value: id,
                checked: id === chosen,
                disabled: missing !== '' && id !== chosen,
                onChange: () => set({study: id, settings: []}),
            }),
            h('span', null, title, h('small', null, missing ? words.missing[missing] : says)),
        ),
        missing === 'mentions' &&
            buttonOf(
                'plain other-corpus',
                {
                    key: 'corpus',
                    onClick: () => set({corpus: WITH_MENTIONS, study: id, settings: []}),
                },
                words.otherCorpus,
            ),
    ];
}

/** @param {Props} props */
export function Studies(props) {
    const {state, words} = props;
    const chosen = knownStudy(state.study).id;
    return h(
        'fieldset',
        {class: 'study-list'},
        h('legend', null, words.study),
        studies.map(({id}) => h(Study, {...props, key: id, id, chosen})),
    );
}

/** A model, with the button that opens a folder beside its label.
 * @param {{id: string, label: string, value: string | undefined, folder: string,
 *     options: {value: string, name: string}[], onPick: (value: string) => void,
 *     onFiles: (files: File[]) => void, hint?: string}} props   folder: what the button says */
const ModelField = ({id, label, value, folder, options, onPick, onFiles, hint = ''}) =>
    h(
        'div',
        {class: 'field'},
        h(
            'div',
            {class: 'label-row'},
            h('label', {class: 'label', for: id}, label),
            h(FileButton, {label: folder, folder: true, onFiles}),
        ),
        h(Picked, {
            ...{id, value, options, hint},
            onPick: picked => picked !== PICKED && onPick(picked),
        }),
    );

/** @param {Props} props */
export function ModelChoice({t, state, set, words, menu, session, sourceOf, shown}) {
    const id = state.model || menu[0]?.id;
    const options = menu.map(entry => ({value: entry.id, name: nameOf(entry, t)}));
    if (shown.picked)
        options.push({
            value: PICKED,
            name: t.modelLocal(sourceName(session.source(), menu, sourceOf)),
        });
    else if (!menu.some(entry => entry.id === id)) options.push({value: id, name: id});
    return h(ModelField, {
        id: 'study-model',
        label: words.model,
        value: shown.picked ? PICKED : id,
        folder: t.modelFolder,
        options,
        onPick: model => set({model}),
        onFiles: files => session.open(files),
    });
}

/** How many items, and the second model where there is one. @param {Props} props */
export function Settings(props) {
    const {
        state,
        set,
        words,
        page: {view, corpus},
        control,
    } = props;
    if (!corpus || !view) return null;
    const {second, id, index} = knownStudy(state.study);
    const {limitName} = index ? words.ask : words;
    const limit = limitOf(state);
    const limits = [...new Set([...LIMITS, limit])].filter(
        value => value === 0 || value < corpus.about.items || value === limit,
    );
    return h(
        'div',
        {class: 'study-settings'},
        limits.length > 1 &&
            h(Pick, {
                id: 'limit',
                label: words.limit,
                value: limit,
                options: limits.map(value => ({value, name: limitName(value)})),
                onPick: value => set(withSetting(state, 'limit', value, usualLimit(state))),
            }),
        second === 'random' && h(Baseline, props),
        second && second !== 'random' && h(Second, props),
        view.id === id && view.controls?.(state, corpus.about, {set, load: control.load}, words),
    );
}

/** No second model, and those that are none. @param {Props['words']} words @param {string} [none] */
const withoutModel = (words, none = words.noBaseline) =>
    ['', ...DRAWN].map(value => ({value, name: value ? words.drawn[value].name : none}));

/** Random weights beside the model's own, and which. @param {Props} props */
function Baseline({state, set, words}) {
    const chosen = DRAWN.find(name => name === state.otherModel) ?? '';
    return h(Pick, {
        id: 'baseline',
        label: words.baseline,
        value: chosen,
        options: withoutModel(words),
        hint: chosen ? words.drawn[chosen].hint : words.baselineHint,
        onPick: otherModel => set({otherModel}),
    });
}

/** The second model of a comparison, or none. @param {Props} props */
function Second({t, state, set, words, menu, session, sourceOf, control}) {
    const free = knownStudy(state.study).second === 'either';
    const folder = control.otherFolder();
    const other = otherOf(state, {menu, sourceOf, session}, folder);
    const none = free ? withoutModel(words, words.ask.alone) : [];
    const models = menu
        .filter(({id}) => sourceOf(id) !== session.source())
        .map(entry => ({value: entry.id, name: nameOf(entry, t)}));
    const options = [...none, ...models];
    if (folder) options.push({value: PICKED, name: sourceName(folder, menu, sourceOf)});
    return h(ModelField, {
        id: 'other-model',
        label: free ? words.ask.compare : words.second,
        hint: free ? (words.drawn[String(other)]?.hint ?? words.ask.compareHint) : '',
        value: folder
            ? PICKED
            : (none.find(({value}) => value === (other ?? ''))?.value ??
              menu.find(({id}) => sourceOf(id) === other)?.id),
        folder: words.secondFolder,
        options,
        onPick(otherModel) {
            control.other(null);
            set({otherModel});
        },
        onFiles: control.other,
    });
}
