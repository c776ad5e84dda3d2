/* studies - the choice of a study, each with a sentence, and why not where the corpus does not fit;
 * the model; the settings that a run starts with.
 */
import {h} from 'preact';
import {knownStudy, studies} from '../../views/study/index.js';
import {withSetting} from '../../views/study/study.js';
import {DRAWN, limitOf, otherOf, sourceName} from './runs.js';

/**
 * @typedef {import('./corpus_page.js').Props} Props
 * @typedef {{currentTarget: HTMLSelectElement}} SelectEvent
 */

const LIMITS = [100, 300, 1000, 3000, 10000, 0];
const PICKED = ' picked';

/** Why a study cannot be run, as a key of `missing`; '' when it can. @param {Props} props
 * @param {string} id */
export function missingOf({state, page: {corpus}, control, ...parts}, id) {
    if (!corpus) return '';
    const entry = knownStudy(id);
    const second =
        entry.second === 'model' && !otherOf({...state, study: id}, parts, control.otherFolder());
    return entry.missing(corpus.about) || (second ? 'other' : '');
}

/** @param {Props} props */
export function Studies(props) {
    const {state, set, words} = props;
    const chosen = knownStudy(state.study).id;
    return h(
        'fieldset',
        {class: 'study-list'},
        h('legend', null, words.study),
        studies.map(({id}) => {
            const missing = missingOf(props, id);
            const {title, says} = words.studies[id];
            return h(
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
            );
        }),
    );
}

/** @param {Props} props */
export function ModelChoice({t, state, set, words, menu, session, sourceOf, shown}) {
    const id = state.model || menu[0]?.id;
    const options = menu.map(entry => ({value: entry.id, name: entry.name ?? entry.id}));
    if (shown.picked)
        options.push({
            value: PICKED,
            name: t.modelLocal(sourceName(session.source(), menu, sourceOf)),
        });
    else if (!menu.some(entry => entry.id === id)) options.push({value: id, name: id});
    const choose = (/** @type {SelectEvent} */ {currentTarget: {value}}) => {
        if (value !== PICKED) set({model: value});
    };
    const open = (/** @type {HTMLInputElement} */ input) => {
        session.open([...(input.files ?? [])]);
        input.value = '';
    };
    return h(
        'div',
        {class: 'field'},
        h(
            'div',
            {class: 'label-row'},
            h('label', {class: 'label', for: 'study-model'}, words.model),
            h(
                'label',
                {class: 'plain folder'},
                t.modelFolder,
                h('input', {
                    type: 'file',
                    webkitdirectory: true,
                    multiple: true,
                    class: 'hidden',
                    onChange: event => open(event.currentTarget),
                }),
            ),
        ),
        h(
            'select',
            {id: 'study-model', value: shown.picked ? PICKED : id, onChange: choose},
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
    );
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
    const {second, id} = knownStudy(state.study);
    const limit = limitOf(state);
    const limits = [...new Set([...LIMITS, limit])].filter(
        value => value === 0 || value < corpus.about.items || value === limit,
    );
    const on = {
        set,
        load: (
            /** @type {File} */ file,
            /** @type {(object: any) => Record<string, any>} */ read,
        ) =>
            file
                .text()
                .then(text => control.run(read(JSON.parse(text))))
                .catch(control.fail),
    };
    return h(
        'div',
        {class: 'study-settings'},
        limits.length > 1 &&
            h(
                'div',
                {class: 'field'},
                h('label', {for: 'limit'}, words.limit),
                h(
                    'select',
                    {
                        id: 'limit',
                        value: limit,
                        onChange: (/** @type {SelectEvent} */ {currentTarget: {value}}) =>
                            set(withSetting(state, 'limit', value, '1000')),
                    },
                    limits.map(value => h('option', {key: value, value}, words.limitName(value))),
                ),
            ),
        second === 'model' && h(Second, props),
        second === 'random' && h(Baseline, props),
        view.id === id && view.controls?.(state, corpus.about, on, words),
    );
}

/** Random weights beside the model's own, and which. @param {Props} props */
function Baseline({state, set, words}) {
    const chosen = DRAWN.find(name => name === state.otherModel) ?? '';
    return h(
        'div',
        {class: 'field'},
        h('label', {for: 'baseline'}, words.baseline),
        h(
            'select',
            {
                id: 'baseline',
                value: chosen,
                'aria-describedby': 'baseline-hint',
                onChange: (/** @type {SelectEvent} */ {currentTarget: {value}}) =>
                    set({otherModel: value}),
            },
            ['', ...DRAWN].map(value =>
                h(
                    'option',
                    {key: value, value},
                    value ? words.drawn[value].name : words.noBaseline,
                ),
            ),
        ),
        h(
            'p',
            {class: 'hint', id: 'baseline-hint'},
            chosen ? words.drawn[chosen].hint : words.baselineHint,
        ),
    );
}

/** The second model of a comparison. @param {Props} props */
function Second({state, set, words, menu, session, sourceOf, control}) {
    const folder = control.otherFolder();
    const other = otherOf(state, {menu, sourceOf, session}, folder);
    const options = menu
        .filter(({id}) => sourceOf(id) !== session.source())
        .map(({id, name}) => ({value: id, name: name ?? id}));
    if (folder) options.push({value: PICKED, name: sourceName(folder, menu, sourceOf)});
    const chosen = folder ? PICKED : menu.find(({id}) => sourceOf(id) === other)?.id;
    const open = (/** @type {HTMLInputElement} */ input) => {
        if (input.files?.length) control.other([...input.files]);
        input.value = '';
    };
    return h(
        'div',
        {class: 'field'},
        h(
            'div',
            {class: 'label-row'},
            h('label', {class: 'label', for: 'other-model'}, words.second),
            h(
                'label',
                {class: 'plain folder'},
                words.secondFolder,
                h('input', {
                    type: 'file',
                    webkitdirectory: true,
                    multiple: true,
                    class: 'hidden',
                    onChange: event => open(event.currentTarget),
                }),
            ),
        ),
        h(
            'select',
            {
                id: 'other-model',
                value: chosen,
                onChange: (/** @type {SelectEvent} */ {currentTarget: {value}}) => {
                    if (value === PICKED) return;
                    control.other(null);
                    set({otherModel: value});
                },
            },
            !options.length && h('option', null, '\u2013'),
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
    );
}
