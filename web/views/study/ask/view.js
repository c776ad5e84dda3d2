/* ask - questions to an index of the corpus (docs/search.md): where else a head does this, which tokens are
 * like one; each answer with its sentences, and with bars of what is more frequent in it than in the corpus.
 * A head without a filter is that head's page. The index is built by the run; questions take no model.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {page} from '../../../draw/blocks.js';
import {headMark} from '../../parts/mark.js';
import {rates} from '../parts/bars.js';
import {box, hint, section} from '../parts/layout.js';
import {relationName} from '../parts/relation.js';
import {common, drawnStudy, numberCell, perCent, placeName} from '../parts/sheet.js';
import {Form} from './form.js';
import {chosenAxes, headBlocks, mainShare, withBeside} from './heads.js';
import {askedBy, isWhole, writeQuestion} from './question.js';
import {Rows} from './rows.js';

/**
 * @import {Data, Words} from '../study.js'
 * @import {Question} from './question.js'
 * @typedef {{count: number, share: number, base: number, lift: number | null, low: number, high: number, p: number | null,
 *     adjusted: number | null, claim: 'more' | 'less' | null}} Finding
 * @typedef {Finding & {label: string | number, expected: number, query?: string, key?: string, beside?: Finding | null}} Label   query, key: of
 *     two linked words
 * @typedef {{of: string, by: string, matches: number, sentences: number, others: number, tested: boolean,
 *     count: number, labels: Label[]}} Bars   of src/search/answer.c
 * @typedef {{question: Question, matches: number, candidates?: number, rows: import('./rows.js').Row[],
 *     bars: Bars[], about: any, heads?: any, beside?: any, refused?: string, text?: string, of?: any}} Answer   refused: why not;
 *     heads: of a head's answer, what all heads do
 * @typedef {ReturnType<typeof scene>} Scene
 */

const SHOWN = 8; // labels of a set of bars; all are in the table
const TOLD = 3; // findings in the sentence
const [MUCH, RISE] = [0.1, 1.5]; // share and lift of a finding that is worth a sentence

/** @param {import('../study.js').State} state @param {Data} data */
function scene(state, data) {
    const {question, ...found} = /** @type {Answer} */ (data.answer);
    const answer = {...found, question, heads: found.heads && withBeside(found.heads, data)};
    const about = {...answer.about, pairs: data.corpus.about?.pairs};
    return {
        ...common(state, data),
        answer,
        question,
        about,
        ...{model: data.model, drawn: data.drawn, part: data.part ?? ''},
        wished: askedBy(state),
        axes: chosenAxes(state),
        roles: data.beside?.roles?.roles ?? null,
        importance: data.beside?.importance ?? null,
    };
}

/** @param {Question} question @param {boolean} oneBased @param {Words} t */
function nameOf(question, oneBased, {ask: t}) {
    const {ask, layer = 0, head = 0} = question;
    if (ask !== 'head') return t.kinds[ask] ?? ask;
    return placeName({layer, head}, oneBased);
}

/** @param {Bars} set @param {Label} one @param {Words} t */
const labelOf = ({by}, {label}, t) =>
    by === 'offset'
        ? [t.ask.offset(Number(label)), t.ask.places[label]].filter(Boolean).join(' ')
        : String(label);

/** @param {number | null | undefined} lift */
const times = lift =>
    lift === null || lift === undefined
        ? '–'
        : `${lift < 9.95 ? lift.toFixed(1) : lift.toFixed(0)}×`;

const SIGNS = {more: ' ↑', less: ' ↓'};

/** @param {Label} one @param {Scene} shown @param {Words} t */
function noteOf({lift, low, high, claim, beside}, {otherName, drawn}, t) {
    const own = `${times(lift)} (${times(low).slice(0, -1)}–${times(high)})${claim ? SIGNS[claim] : ''}`;
    if (!otherName) return own;
    return `${own} · ${t.ask.drawn[drawn] ?? t.ask.other} ${times(beside?.lift)}`;
}

/** The question for the sentences that link two words. @param {Question} question @param {Label} one */
const linkOf = (question, {query: word, key}) =>
    writeQuestion({
        ...question,
        query: {...question.query, word},
        key: {...question.key, word: key},
    });

/** A set of bars. @param {Scene} shown @param {Bars} set @param {Words} t */
function setOf(shown, set, t) {
    const {question} = shown;
    const linked = set.by === 'words';
    const labels = [...set.labels]
        .filter(({count}) => count > 0)
        .sort((a, b) => (linked ? 0 : b.count - a.count))
        .slice(0, SHOWN);
    const bars = labels.map(one => ({
        key: String(one.label),
        label: set.by === 'relation' ? relationName(String(one.label), t) : labelOf(set, one, t),
        ...(linked && {press: {title: t.ask.openLink, asked: linkOf(question, one)}}),
        value: one.share,
        ...{low: one.low * one.base, high: Math.min(1, one.high * one.base), tick: one.base},
        note: noteOf(one, shown, t),
    }));
    const most = Math.max(...bars.map(({value, high}) => Math.max(value, high)), 0.01);
    return (
        bars.length > 0 &&
        section(t.ask.title(set.of, set.by), [
            rates(bars, {most}),
            hint(t.ask[linked ? 'linked' : 'counted'](set.matches, set.others, set.tested)),
        ])
    );
}

/** What the numbers mean, and the same on the command line. @param {import('../../../draw/blocks.js').Props} props */
const Reading = ({scene: {question, about}, data: {t}}) =>
    h(
        'details',
        {class: 'ask-reading'},
        h('summary', null, t.ask.reading),
        t.ask.readings.map((/** @type {string} */ text, /** @type {number} */ i) =>
            h('p', {key: i}, text),
        ),
        h(
            'p',
            null,
            t.ask.index(about.tokens, t.size(about.bytes), about.vectors.length === about.layers),
        ),
        h(
            'p',
            null,
            t.ask.command,
            ' ',
            h('code', null, `headlight search FILE "${writeQuestion(question)}"`),
        ),
    );

const ABSENT = / not have the word (.*)$| fits the pattern (.*)$/;
/** Of an index that is still built, the word that is asked for and has not come yet; else ''.
 * @param {Scene} scene */
function awaited({answer, part}) {
    const [, word, pattern] = (part && ABSENT.exec(String(answer.refused))) || [];
    return word ?? pattern ?? '';
}

/** Why there is no answer. @param {import('../../../draw/blocks.js').Props} props */
function Refusal({scene, data: {t}}) {
    const {answer, part, about} = scene;
    const word = awaited(scene);
    if (word)
        return h(
            'p',
            {class: 'nothing-yet', role: 'status'},
            t.ask.notYet(word, about.sentences, part === 'built'),
        );
    return h(
        'p',
        {class: 'study-problem', role: 'alert'},
        `${t.problem} `,
        h('bdi', {lang: 'en'}, String(answer.refused).replace(/\.?$/, '.')),
    );
}

/** Where else one reads of this head, and what is measured on request.
 * @param {import('../../../draw/blocks.js').Props} props */
function Ways({scene: {question, oneBased, roles, importance}, data: {t}, on}) {
    const {layer = 0, head = 0} = question;
    const whole = isWhole(question);
    const ways = [
        !whole && [t.ask.whole, () => on.set({asked: `head layer=${layer} head=${head}`})],
        whole && !importance && [t.ask.need, () => on.beside(['importance'])],
        whole && !roles && [t.ask.besides, () => on.beside(['roles', 'patterns'])],
        whole && roles && [t.ask.roles, () => on.set({study: 'roles', opened: `${layer}.${head}`})],
    ].filter(way => way !== false && way !== null);
    return h(
        'p',
        {class: 'ask-ways'},
        headMark(t, {layer, head}, placeName({layer, head}, oneBased)),
        ways.map(([name, onClick]) => [' ', buttonOf('plain', {key: name, onClick}, name)]),
    );
}

const FIRST = ['words', 'offset'];
/** Where the key lies comes first, then which words are linked. @param {Bars[]} bars */
const inOrder = bars => [...bars].sort((a, b) => FIRST.indexOf(b.by) - FIRST.indexOf(a.by));

/** By what the sentences are sorted, where the first ones are listed. @param {Answer} answer @param {Words} t */
function sortedBy({rows: [row], question: {show = 'top'}}, {ask: {sorted}}) {
    if (!row || show !== 'top') return '';
    return row.moved === undefined ? (row.cosine ? sorted.cosine : '') : sorted.moved;
}

/** @param {Scene} shown @param {import('../../../draw/blocks.js').Look} look @param {Words} t */
function blocks(shown, look, t) {
    const {answer, question} = shown;
    const bars = answer.matches
        ? inOrder(answer.bars).flatMap(set => setOf(shown, set, t) || [])
        : [];
    return [
        page(Form),
        answer.refused ? page(Refusal) : null,
        question.ask === 'head' && !answer.refused ? page(Ways) : null,
        answer.heads && isWhole(question) && headBlocks(shown, look, t),
        !answer.refused &&
            section(t.ask.sentences(answer.rows.length, answer.matches, sortedBy(answer, t)), [
                page(Rows),
            ]),
        bars.length > 0 && hint(t.ask.legend),
        box(bars, 'ask-bars'),
        page(Reading),
    ];
}

/** @param {Scene} shown @param {Words} t */
function rows({answer, otherName}, t) {
    const cells = (/** @type {Finding | null | undefined} */ one) =>
        one ? [one.lift, one.low, one.high, one.p, one.adjusted] : ['', '', '', '', ''];
    const print = (/** @type {any} */ value) =>
        typeof value === 'number' ? numberCell(value) : (value ?? '');
    return {
        caption: t.ask.caption,
        columns: [
            ...t.ask.columns,
            'p',
            t.ask.adjusted,
            t.ask.claim,
            ...(otherName ? [otherName] : []),
        ],
        rows: answer.bars.flatMap(set =>
            set.labels.map(one => [
                t.ask.title(set.of, set.by),
                {text: labelOf(set, one, t), user: /** @type {true} */ (true)},
                one.count,
                ...[one.share, one.base, ...cells(one)].map(print),
                one.claim ? t.ask.claims[one.claim] : '',
                ...(otherName ? [print(one.beside?.lift)] : []),
            ]),
        ),
    };
}

/** What is found more often than chance, the largest shares first. @param {Answer} answer @param {Words} t */
const findings = ({bars}, t) =>
    bars
        .flatMap(set => set.labels.map(one => ({set, one})))
        .filter(({one}) => one.claim === 'more' && one.share >= MUCH && (one.lift ?? 0) >= RISE)
        .sort((a, b) => b.one.share - a.one.share)
        .slice(0, TOLD)
        .map(({set, one}) => {
            const share = one.share === 1 ? '' : perCent(one.share);
            if (set.by === 'offset')
                return t.ask.findingAt(Number(one.label), share, times(one.lift));
            return t.ask.finding(
                t.ask.title(set.of, set.by),
                set.by === 'word' ? `“${one.label}”` : labelOf(set, one, t),
                perCent(one.share),
                times(one.lift),
                set.others > set.matches ? set.matches : 0,
            );
        });

/** That nothing is above chance, or nothing that is worth a sentence; '' where nothing was tested.
 * @param {Answer} answer @param {Words} t */
function unfound({bars}, {ask: t}) {
    const tested = bars.flatMap(set => (set.tested ? set.labels : []));
    if (tested.some(({claim}) => claim === 'more')) return t.little;
    return tested.length ? t.nothing(tested.length) : '';
}

/** Where the head's keys lie most often. @param {Scene} shown @param {Words} t */
function mostly(shown, t) {
    const {name, own, mean} = mainShare(shown);
    return t.ask.mostly(t.ask.measures[name], perCent(own), perCent(mean));
}

/** The words that the head links most. @param {Answer} answer @param {Words} t */
function linksOf({bars}, t) {
    const labels = bars.find(({by}) => by === 'words')?.labels ?? [];
    return labels.length
        ? t.ask.linksMost(labels.slice(0, TOLD).map(one => String(one.label)))
        : '';
}

/** @param {Scene} shown @param {Words} t */
function say(shown, t) {
    const {answer, oneBased} = shown;
    const {question, matches, candidates = 0, refused} = answer;
    if (refused) return '';
    const name = nameOf(question, oneBased, t);
    const found = findings(answer, t);
    return [
        t.ask.says(name, matches, candidates, isWhole(question)),
        ...(answer.heads && isWhole(question) ? [mostly(shown, t), linksOf(answer, t)] : []),
        found.length ? t.ask.stands(t.ask.list(found)) : matches ? unfound(answer, t) : '',
    ]
        .filter(Boolean)
        .join(' ');
}

export const askStudy = drawnStudy({
    id: 'ask',
    ask: askedBy,
    ...{scene, blocks, rows, say},
    local: {brush: null},
    over: (shown, {point}) => (point?.id === 'heads' ? {heads: {at: point.index}} : null),
    sheet: {
        title: ({question, oneBased}, look, t) => nameOf(question, oneBased, t),
        note: ({question, modelName, corpus}) =>
            `${writeQuestion(question)}; ${modelName}; ${corpus}`,
    },
});
