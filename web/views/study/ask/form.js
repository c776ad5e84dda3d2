/* form - the question to an index: its kind, the head or the word that it is of, filters that narrow it down.
 * Each change asks anew.
 */
import {h} from 'preact';
import {headName} from '../../../draw/head_name.js';
import {Entered} from '../../parts/entered.js';
import {Pick} from '../parts/pick.js';
import {relationName} from '../parts/relation.js';
import {writeQuestion} from './question.js';

/**
 * @import {Question, Wanted} from './question.js'
 * @import {Words} from '../study.js'
 * @typedef {{question: Question, about: any, oneBased: boolean, refused: boolean, t: Words,
 *     ask: (patch: Partial<Question>) => void}} Props   about: what the index is of
 */

const KINDS = ['head', 'like', 'context', 'find'];
const SHOWS = ['top', 'deciles', 'random'];
const FAR = 99999;
/** Where the key lies, as offsets. @type {Record<string, number[]>} */
const OFFSETS = {
    '-1:-1': [-1, -1],
    '1:1': [1, 1],
    '0:0': [0, 0],
    [`-${FAR}:-1`]: [-FAR, -1],
    [`1:${FAR}`]: [1, FAR],
};
const WEIGHTS = [0.1, 0.3, 0.5, 0.9];

/** A word to be typed; it is asked for when it is entered.
 * @param {{id: string, label: string, value?: string, onEnter: (word: string) => void}} props */
const Word = ({id, label, value = '', onEnter}) =>
    h(
        'div',
        {class: 'field'},
        h('label', {for: id}, label),
        h(Entered, {
            ...{id, value, type: 'text', autocomplete: 'off', spellcheck: false, dir: 'auto'},
            onEnter: text => onEnter(text.split(/\s+/)[0]),
        }),
    );

/** Another kind of question, with what it has in common with this one. @param {Question} question
 * @param {string} kind @param {any} about @returns {Question} */
function turned({layer, head}, kind, {vectors, layers}) {
    const known = vectors.includes(layer) ? layer : vectors.at(-1);
    if (kind === 'head') return {ask: kind, layer: layer ?? layers - 1, head: head ?? 0};
    if (kind === 'find') return {ask: kind, word: 'it'};
    return {
        ask: kind,
        of: 'it',
        layer: known,
        ...(kind === 'context' && head !== undefined && {heads: [head]}),
    };
}

/** The head that is asked about, and which of its matches are listed. @param {Props} props */
function OfHead({question: {layer = 0, head = 0, show = 'top'}, about, oneBased, t, ask}) {
    const first = oneBased ? 1 : 0;
    const options = Array.from({length: about.layers * about.heads}, (_, i) => {
        const [l, one] = [Math.floor(i / about.heads), i % about.heads];
        return {value: `${l}.${one}`, name: headName(l + first, one + first)};
    });
    return [
        h(Pick, {
            ...{key: 'head', id: 'ask-head', label: t.ask.head, options, value: `${layer}.${head}`},
            onPick(value) {
                const [l, one] = value.split('.').map(Number);
                ask({layer: l, head: one});
            },
        }),
        h(Pick, {
            ...{key: 'show', id: 'ask-show', label: t.ask.show, value: show},
            options: SHOWS.map(value => ({value, name: t.ask.shows[value]})),
            onPick: value => ask({show: value === 'top' ? undefined : value}),
        }),
    ];
}

/** The word that others are to be like, and by what. @param {Props} props */
function OfWord({question: {ask: kind, of, at, layer, heads}, about, oneBased, t, ask}) {
    const first = oneBased ? 1 : 0;
    const all = Array.from({length: about.heads}, (_, i) => ({value: i, name: `${i + first}`}));
    return [
        h(Word, {
            ...{
                key: 'of',
                id: 'ask-of',
                label: t.ask.of,
                value: at ? t.ask.at(at[0] + 1, at[1] + 1) : of,
            },
            onEnter: word => ask({of: word, at: undefined}),
        }),
        h(Pick, {
            ...{
                key: 'layer',
                id: 'ask-layer',
                label: t.map.layer,
                value: layer ?? about.vectors.at(-1),
            },
            options: about.vectors.map((/** @type {number} */ l) => ({
                value: l,
                name: `${l + first}`,
            })),
            onPick: value => ask({layer: Number(value)}),
        }),
        kind === 'context' &&
            h(Pick, {
                ...{key: 'heads', id: 'ask-heads', label: t.ask.heads, value: heads?.[0] ?? ''},
                options: [{value: '', name: t.ask.allHeads}, ...all],
                onPick: value => ask({heads: value === '' ? undefined : [Number(value)]}),
            }),
    ];
}

/** What is wanted of one side: its word, part of speech, relation.
 * @param {Pick<Props, 'about' | 't'> & {id: string, legend: string, wanted: Wanted, set: (wanted: Wanted) => void}} props */
function Side({id, legend, wanted, about, t, set}) {
    const pick = (/** @type {'pos' | 'relation'} */ name, /** @type {string[]} */ labels) =>
        labels.length > 0 &&
        h(Pick, {
            ...{id: `${id}-${name}`, label: t.ask.by[name], value: wanted[name] ?? ''},
            options: [
                {value: '', name: t.ask.any},
                ...[...labels]
                    .sort()
                    .map(value => ({
                        value,
                        name: name === 'relation' ? relationName(value, t) : value,
                    })),
            ],
            onPick: value => set({...wanted, [name]: value || undefined}),
        });
    return h(
        'fieldset',
        null,
        h('legend', null, legend),
        h(Word, {
            ...{id: `${id}-word`, label: t.ask.by.word, value: wanted.word},
            onEnter: word => set({...wanted, word: word || undefined}),
        }),
        pick('pos', about.tags),
        pick('relation', about.relations),
    );
}

/** By which relation the one depends on the other; in pairs, whether they are in one text. @param {Props} props */
function Links({question, about, t, ask}) {
    const any = [
        {value: '', name: t.ask.any},
        {value: 'any', name: t.ask.anyRelation},
    ];
    const relations = [...about.relations]
        .sort()
        .map(value => ({value, name: relationName(value, t)}));
    return [
        ...(relations.length ? /** @type {const} */ (['governor', 'dependent']) : []).map(name =>
            h(Pick, {
                ...{
                    key: name,
                    id: `ask-${name}`,
                    label: t.ask.links[name],
                    value: question[name] ?? '',
                },
                options: [...any, ...relations],
                onPick: value => ask({[name]: value || undefined}),
            }),
        ),
        about.pairs &&
            h(Pick, {
                ...{key: 'sentence', id: 'ask-sentence', label: t.ask.sentence},
                value: question.sentence ?? '',
                options: ['', 'same', 'other'].map(value => ({
                    value,
                    name: t.ask.inSentence[value] ?? t.ask.any,
                })),
                onPick: value => ask({sentence: value || undefined}),
            }),
    ];
}

/** Where the key lies, and the least weight. @param {Props} props */
const Between = props => {
    const {
        question: {offset, weight},
        t,
        ask,
    } = props;
    return h(
        'fieldset',
        null,
        h('legend', null, t.ask.between),
        h(Pick, {
            ...{id: 'ask-offset', label: t.ask.by.offset, value: offset ? offset.join(':') : ''},
            options: ['', ...Object.keys(OFFSETS)].map((value, i) => ({
                value,
                name: t.ask.offsets[i],
            })),
            onPick: value => ask({offset: OFFSETS[value]}),
        }),
        h(Pick, {
            ...{id: 'ask-weight', label: t.ask.weight, value: weight ?? ''},
            options: [
                {value: '', name: t.ask.any},
                ...WEIGHTS.map(value => ({value, name: `≥ ${value}`})),
            ],
            onPick: value => ask({weight: Number(value) || undefined}),
        }),
        h(Links, props),
    );
};

/** What is asked of the query and the key of a head. @param {Props} props */
function OfPair(props) {
    const {question, about, t, ask} = props;
    const side = (/** @type {'query' | 'key'} */ name) =>
        h(Side, {
            ...{key: name, id: `ask-${name}`, legend: t.ask.sides[name], about, t},
            wanted: question[name] ?? {},
            set: wanted => ask({[name]: wanted}),
        });
    return [side('query'), side('key'), h(Between, {key: 'between', ...props})];
}

/** What is narrowed down, in words. @param {Props} props @returns {string[]} */
function narrowed({question, t: {ask: t}}) {
    const {word, pos, relation, query, key, offset, weight, governor, dependent, sentence} =
        question;
    const sides = /** @type {const} */ ([
        ['match', {word, pos, relation}],
        ['query', query ?? {}],
        ['key', key ?? {}],
    ]);
    const place = offset?.join(':') ?? '';
    const between = [
        [
            t.by.offset,
            offset &&
                (place in OFFSETS ? t.offsets[1 + Object.keys(OFFSETS).indexOf(place)] : place),
        ],
        [t.weight, weight && `≥ ${weight}`],
        ...[governor, dependent].map((value, i) => [t.links[i ? 'dependent' : 'governor'], value]),
        [t.sentence, sentence && t.inSentence[sentence]],
    ];
    const wanted = sides.flatMap(([side, of]) =>
        /** @type {const} */ (['word', 'pos', 'relation']).map(by => [
            `${t.sides[side]}: ${t.by[by]}`,
            of[by],
        ]),
    );
    return [...wanted, ...between].flatMap(([name, value]) => (value ? `${name} ${value}` : []));
}

/** @param {Props} props */
function Filters(props) {
    const {question, about, refused, t, ask} = props;
    const {word, pos, relation} = question;
    return h(
        'details',
        {class: 'ask-filters', open: question.ask === 'find' || refused},
        h('summary', null, [t.ask.narrow, ...narrowed(props)].join(' · ')),
        !about.tags.length && h('p', {class: 'hint'}, t.ask.wordsOnly),
        question.ask === 'head'
            ? h(OfPair, props)
            : h(Side, {
                  ...{id: 'ask-match', legend: t.ask.sides.match, wanted: {word, pos, relation}},
                  ...{about, t, set: ask},
              }),
    );
}

/** @param {import('../../../draw/blocks.js').Props} props */
export function Form({scene, data: {t}, on}) {
    const {wished: question, about, oneBased, answer} = scene;
    const ask = (/** @type {Partial<Question>} */ patch) =>
        on.set({asked: writeQuestion({...question, ...patch})});
    const props = {question, about, oneBased, refused: Boolean(answer.refused), t, ask};
    const kinds = about.vectors.length ? KINDS : ['head', 'find'];
    return h(
        'form',
        {class: 'ask-form', onSubmit: (/** @type {Event} */ event) => event.preventDefault()},
        h(Pick, {
            ...{id: 'ask-kind', label: t.ask.kind, value: question.ask},
            options: kinds.map(value => ({value, name: t.ask.kinds[value]})),
            onPick: kind => on.set({asked: writeQuestion(turned(question, kind, about))}),
        }),
        question.ask === 'head' && h(OfHead, props),
        (question.ask === 'like' || question.ask === 'context') && h(OfWord, props),
        h(Filters, props),
    );
}
