/* published - the attention of a published model in a step or an article's figure, without its 440
 * MB: its attention on the article's own sentences, in a small file that lies beside the site where
 * the site was built with it (build/published.mjs), opened as imported attention is. The list of
 * what is there is fetched with the first lesson; what it does not name has no button.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {ownFile} from '../base/build.js';
import {headName} from '../draw/head_name.js';
import {decimal} from '../draw/scale.js';
import {counted} from '../views/parts/select.js';
import {ownText} from '../shell/page_files.js';
import {begun} from './begin.js';
import {sourceOf} from './number.js';
import {readSeen} from './seen.js';

/**
 * @typedef {import('./step.js').Step} Step
 * @typedef {import('../words/languages.js').Lessons['published']} Words
 * @typedef {import('../words/languages.js').Lessons['player']} Player
 * @typedef {{value: number, picked: number[], from: string, to: string}} Figure   a number of a step, as the
 *     model had it when the site was built; the tokens to pin; the words of one weight
 * @typedef {{name: string, model: string, bytes: number, text: string, textB: string, figures:
 *     Record<string, Figure>}} Row
 * @typedef {import('../base/shared.js').Shared & {session: import('../session/session.js').Session}} Shared
 */

const LESSONS_MODEL = 'mini-en';

/** @type {Promise<Row[]> | null} */
let list = null;
/** The step whose file is to be opened as soon as it is shown. */
let wanted = '';
/** The step that is shown, and what opens its file. */
let here = {id: '', text: '', press: () => {}};

/** What the site has; nothing where the list cannot be had: it only adds. @returns {Promise<Row[]>} */
const rows = () => (list ??= ownText('published/index.json').then(JSON.parse, () => []));

/** The files of the site, when the list is here. */
export function usePublished() {
    const [all, setAll] = useState(/** @type {Row[]} */ ([]));
    useEffect(() => {
        rows().then(setAll);
    }, []);
    return all;
}

/** The file of a step. @param {Row[]} all @param {Step} step @param {string} id lesson.step */
export const fileOf = (all, {published}, id) =>
    all.find(({name, figures}) => name === published?.name && figures[id]);

/** As people call it. @param {Row} row */
export const shortName = ({model}) => model.slice(model.indexOf('/') + 1);

/** The step's file is opened, now or when the step comes. @param {string} id */
export function openWith(id) {
    if (here.id === id) here.press();
    else wanted = id;
}

/** Does a step begin with its file? @param {string} id */
export const isWanted = id => wanted === id;

/** @param {Row} row */
async function fetchFile({name}) {
    const file = `${name}.safetensors`;
    const answer = await fetch(ownFile(`published/${file}`, import.meta.url));
    if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
    return new File([await answer.blob()], file);
}

/** Opens the file with the layer, the head and the tokens of the figure. Measures of attention are in the
 * same program as a model, so one must be there: the site's own, not the published one.
 * @param {Shared} shared @param {Row} row @param {Step} step @param {Figure} figure
 * @param {() => boolean} isHere is the step still the one that is shown? */
async function open({state: {text}, set, session}, row, {published, hub}, {picked}, isHere) {
    const asked = performance.now();
    const file = await fetchFile(row);
    if (!isHere() || here.text !== text) return;
    const state = {...published?.state, picked, token: picked.at(-1) ?? -1};
    const own = hub ? {model: LESSONS_MODEL} : {};
    const begins = begun({text: row.text, textB: row.textB, view: published?.view, state});
    set({...begins, ...own}, asked);
    // the one that is shown may be another one's predecessor, which is on its way
    if (hub || !session.beside().model || session.get().precomputed) await session.step();
    if (isHere()) await session.openImported(file);
}

/** Opening and going back; what was opened goes with its step.
 * @param {Shared} shared @param {Row | undefined} row @param {Step} step @param {string} id */
function useOpening(shared, row, step, id) {
    const {state, set, session, shown} = shared;
    const [failed, setFailed] = useState(false);
    const isOpen = row !== undefined && shown.imported?.name === `${row.name}.safetensors`;
    const press = () => {
        const isHere = () => here.id === id;
        if (row) open(shared, row, step, row.figures[id], isHere).catch(() => setFailed(true));
    };
    const back = () => {
        session.openImported(null);
        set(begun(step));
    };
    useEffect(() => {
        here = {id: row ? id : '', text: state.text, press};
    });
    useEffect(() => {
        if (row && wanted === id) press();
        if (row) wanted = '';
        return () => {
            here = {id: '', text: '', press};
            const name = session.get().imported?.name;
            if (row && name === `${row.name}.safetensors`) session.openImported(null);
        };
    }, [id, row]);
    return {isOpen, failed, press, back};
}

/** @param {{shared: Shared, words: {published: Words, player: Player}, step: Step, id: string}} props */
export function Published({shared, words: {published: words, player}, step, id}) {
    const {state, shown} = shared;
    const row = fileOf(usePublished(), step, id);
    const {isOpen, failed, press, back} = useOpening(shared, row, step, id);
    const seen = step.published?.seen ?? step.seen;
    if (!row || !seen) return null;
    const {value, from, to} = row.figures[id];
    const live = isOpen && shown.pass ? readSeen(sourceOf(shown), seen) : null;
    const {head, kind, measure = ''} = seen;
    return h(
        'p',
        {class: 'published', 'data-value': value, 'data-live': live ?? undefined},
        h('code', null, shortName(row)),
        head && ` ${headName(counted(state)(head[0]), counted(state)(head[1]))}`,
        ': ',
        h('strong', null, decimal(live ?? value)),
        ' ',
        player.seen(kind, seen.from ?? from, seen.to ?? to, [], player.roles[measure] ?? ''),
        h('br', null),
        buttonOf(
            'plain',
            {onClick: isOpen ? back : press},
            isOpen ? words.back : words.open(Math.ceil(row.bytes / 1000)),
        ),
        isOpen && h('span', {class: 'soft', role: 'status'}, ` ${words.shown}`),
        failed && h('span', {class: 'soft', role: 'alert'}, ` ${words.failed}`),
    );
}
