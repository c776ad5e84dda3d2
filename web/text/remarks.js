/* remarks - remarks about the text or the model that is shown, each with a remedy: tokens that the
 * vocabulary lacks, words that a model of few words has never seen, a gap of ___ that is none; weak predictions of the model; what a view needs and an imported file has not; an experiment that is on
 * (embeddings left out, positions swapped); other changes of the reader's, where the view does not
 * show them; changes that a new text has begun without. Each a sentence with its way out. Fetched
 * when there is one.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {defaults} from '../state/state.js';
import {FRESH, UNCHANGED} from '../views/needs.js';
import {typedAt} from './unread.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('../base/shared.js').Menu} Menu
 * @typedef {import('../words/languages.js').Dialogs['remarks']} Words
 * @typedef {keyof typeof UNCHANGED | 'heading' | 'note' | 'marks'} Change
 * @typedef {{text: string, textB: string}} Pair
 * @typedef {{sent: Pair, before: Shared['state']}} Last   the text that was sent last, and the state before
 */

/** What a new text begins without. */
const CHANGES = /** @type {Change[]} */ ([...Object.keys(UNCHANGED), 'heading', 'note', 'marks']);
const NAMED = 6; // of the words that the model cannot read
const LESS = 10; // percent: mini2-en, of lessons, is not told of
/** For text that the vocabulary lacks: a model that reads its characters, of the menu where it has one
 * and shows another. @param {string} text @param {Menu} menu @param {string} model the one that is shown */
function readerOf(text, menu, model) {
    const chinese =
        /\p{Script=Han}/u.test(text) &&
        !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
    if (!chinese) return 'google-bert/bert-base-multilingual-cased';
    const own = menu.find(entry => 'url' in entry && entry.languages?.includes('zh'));
    return own && own.id !== model ? own.id : 'google-bert/bert-base-chinese';
}

/** The first of several, in words. @param {string[]} kinds @param {string} between */
const named = (kinds, between) =>
    kinds.slice(0, NAMED).join(between) + (kinds.length > NAMED ? ' …' : '');

/** @param {string} label @param {() => void} onClick */
const button = (label, onClick) => buttonOf('plain', {onClick}, label);

/** Has the reader gone on from the new text: to another view or model, to a change of its own? Then the
 * way back would take that away. @param {Shared['state']} state @param {Shared['state']} before */
const hasGoneOn = (state, before) =>
    state.view !== before.view ||
    state.model !== before.model ||
    state.tour !== before.tour ||
    CHANGES.some(name => state[name].length > 0);

/** What the new text has begun without, and the way back, until the reader goes on or closes it.
 * @param {Pick<Shared, 't' | 'state' | 'set'> & {words: Words, last: Last}} props */
export function Shed({t, words, state, set, last}) {
    const {sent, before} = last;
    const [closed, setClosed] = useState(/** @type {Last | null} */ (null));
    const isShown = state.text === sent.text && state.textB === sent.textB;
    const moot = isShown && hasGoneOn(state, before);
    useEffect(() => {
        if (moot) setClosed(last);
    }, [moot, last]);
    const {text, textB, picked, token, from, to} = before;
    const changes = Object.fromEntries(CHANGES.map(name => [name, before[name]]));
    const names = CHANGES.filter(name => changes[name].length > 0);
    if (
        closed === last ||
        moot ||
        !isShown ||
        !names.length ||
        (text === sent.text && textB === sent.textB)
    )
        return null;
    return h(
        'p',
        {class: 'shed', role: 'status'},
        words.shed(names.map(name => words.changes[name])),
        ' ',
        button(words.shedBack, () => set({text, textB, ...changes, picked, token, from, to})),
        buttonOf('plain', {'aria-label': t.close, onClick: () => setClosed(last)}, '×'),
    );
}

/** @param {{t: Shared['t'], words: Words, set: Shared['set'], unread: string[], model: string, menu: Menu,
 *     onModel: (model: string) => void}} props */
function Unread({t, words, set, unread, model, menu, onModel}) {
    const other = readerOf(unread.join(''), menu, model);
    const {text, textB} = defaults;
    return h(
        'p',
        {class: 'unread'},
        h('bdi', {translate: true}, words.unread(unread.length, named([...new Set(unread)], ' '))),
        ' ',
        model !== other && [button(t.loadInstead(other), () => onModel(other)), ' '],
        button(words.readable, () => set({text, textB, ...FRESH})),
    );
}

/** Does the model find far fewer masked tokens than the menu's first, and are its predictions shown?
 * @param {Shared['shown']} shown @param {Shared['state']} state @param {Menu} menu */
function weakIn({model, pass, picked, imported}, state, menu) {
    const [first, entry] = [menu[0], menu.find(({id}) => id === state.model)];
    if (!pass || picked || imported || !first || !entry) return null;
    if (!('url' in first && 'url' in entry && first.masked && entry.masked)) return null;
    const predicts =
        state.fillings ||
        state.masked.length > 0 ||
        pass.tokens.some(({id}) => id === model?.special?.mask);
    const one = {id: entry.id, masked: entry.masked, first: first.id, most: first.masked};
    return predicts && one.masked < one.most - LESS ? one : null;
}

/** Words of the text that a model of few words has never seen. @param {Shared['state']} state
 * @param {Menu[number] | undefined} entry */
function unseenIn({text}, entry) {
    const known = (entry && 'url' in entry && entry.reads?.split(' ')) || [];
    const words =
        text
            .normalize('NFC')
            .toLowerCase()
            .match(/[\p{L}\p{N}]+/gu) ?? [];
    return known.length ? [...new Set(words)].filter(word => !known.includes(word)) : [];
}

/** A gap as people write it, which a model reads as so many characters: no __name__ of a program. */
const GAP = /(^|\W)(_{2,})(?!\w)/g;

/** The first one of either text. @param {Shared['state']} state */
const gapIn = ({text, textB}) => [...`${text}\n${textB}`.matchAll(GAP)][0]?.[2];

/** What a gap is written as. @param {{family: string}} model */
const maskOf = ({family}) => (/roberta|mpnet|camembert/.test(family) ? '<mask>' : '[MASK]');

/** @param {Pick<Shared, 'set'> & {words: Words, unseen: string[], text: string}} props   text: that it can read */
const Unseen = ({words, set, unseen, text}) =>
    h(
        'p',
        {class: 'unread'},
        h('bdi', null, words.unseen(named(unseen, ', '), text)),
        ' ',
        button(words.readable, () => set({text, textB: '', ...FRESH})),
    );

/** @param {Pick<Shared, 'state' | 'set'> & {words: Words, gap: string, mask: string}} props */
function Gap({words, state, set, gap, mask}) {
    const filled = (/** @type {string} */ text) => text.replace(GAP, `$1${mask}`);
    const patch = {text: filled(state.text), textB: filled(state.textB), ...FRESH};
    return h(
        'p',
        {class: 'unread'},
        words.gap(gap, mask),
        ' ',
        button(words.fill(mask), () => set(patch)),
    );
}

/** @param {Pick<Shared, 'state' | 'set'> & {words: Words}} props */
const Experiment = ({state: {without, swapped}, set, words}) =>
    h(
        'p',
        {class: 'experiment'},
        [
            ...(without ? [words.without[without]] : []),
            ...(swapped.length ? [words.swapped(swapped[0], swapped[1])] : []),
        ].join(' '),
        ' ',
        button(words.end, () => set({without: '', swapped: []})),
    );

/** Is the model asked to run in another way than it does, where nothing else says so? Lessons and the view
 * of changes do. @param {Shared['state']} state */
const isExperiment = ({without, swapped, tour, view}) =>
    (without !== '' || swapped.length > 0) && tour < 0 && view !== 'change';

/** What else is changed, and does not show in the view: it leads to the view that says what it does.
 * @param {Pick<Shared, 't' | 'state' | 'set'> & {words: Words, names: ('masked' | 'replaced' | 'off' |
 *     'zeroed')[]}} props */
const Changed = ({t, state, set, words, names}) =>
    h(
        'p',
        {class: 'experiment'},
        words.changed(names.map(name => words.changes[name])),
        ' ',
        button(t.viewTitles.change, () =>
            set({view: 'change', ...(state.masked.length && {token: state.masked[0]})}),
        ),
        ' ',
        button(words.undo, () => set(Object.fromEntries(names.map(name => [name, []])))),
    );

/** Where each shows by itself. */
const SHOWN = {masked: ['head'], replaced: [], off: [], zeroed: ['neuron']};

/** What `Changed` speaks of. @param {Shared['state']} state */
const hiddenChanges = state =>
    state.tour < 0 && state.view !== 'change'
        ? /** @type {(keyof typeof SHOWN)[]} */ (Object.keys(SHOWN)).filter(
              name =>
                  state[name].length > 0 &&
                  !(/** @type {string[]} */ (SHOWN[name]).includes(state.view)),
          )
        : [];

/** All of that in the text. @param {Shared['shown']} shown
 * @param {readonly number[]} masked these are read as [MASK] */
const unreadIn = ({model, pass, imported}, masked) =>
    model && pass && !imported
        ? pass.tokens
              .map((_, i) => (masked.includes(i) ? '' : typedAt(pass, model, i)))
              .filter(Boolean)
        : [];

/** @param {Shared & {words: Words, menu: Menu, onModel: (model: string) => void}} props */
export function Remarks({words, menu, onModel, ...shared}) {
    const {t, state, set, shown} = shared;
    const weak = weakIn(shown, state, menu);
    const names = hiddenChanges(state);
    const entry = menu.find(({id}) => id === state.model);
    const unseen = unseenIn(state, entry);
    const gap = shown.model?.mlm && !shown.imported && gapIn(state);
    const unread = unreadIn(shown, state.masked).filter(word => !gap || !/^_+$/.test(word));
    const said = [
        shown.missing &&
            h(
                'p',
                {key: 'missing', class: 'missing'},
                shown.imported?.two ? words.missingTwo : words.missing,
            ),
        isExperiment(state) && h(Experiment, {key: 'experiment', state, set, words}),
        names.length > 0 && h(Changed, {key: 'changed', t, state, set, words, names}),
        unread.length > 0 &&
            h(Unread, {key: 'unread', t, words, set, unread, model: state.model, menu, onModel}),
        unseen.length > 0 &&
            h(Unseen, {key: 'unseen', words, set, unseen, text: entry?.shows?.text ?? ''}),
        gap &&
            h(Gap, {key: 'gap', words, state, set, gap, mask: maskOf(shown.model ?? {family: ''})}),
        weak && h('p', {key: 'weak', class: 'weak'}, words.weak(weak)),
    ].filter(Boolean);
    return said.length > 0 && h('div', {class: 'losses remarks', role: 'status'}, said);
}
