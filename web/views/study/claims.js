/* claims - what has been published of BERT's heads, one row a claim: what was reported, what is
 * measured here on the loaded model, and whether they agree. The claims are data (claims/list.js),
 * each measured by a small function (claims/measure.js).
 */
import {h} from 'preact';
import {placeName, sheet} from './parts/sheet.js';
import {paperOf} from '../parts/rows_svg.js';
import {CLAIMS, MODELS, TEXTS} from './claims/list.js';
import {claimRows, measuredText, VERDICTS} from './claims/rows.js';

/**
 * @typedef {import('./study.js').StudyView} StudyView
 * @typedef {import('./study.js').Data} Data
 * @typedef {import('./study.js').On} On
 * @typedef {import('./study.js').Words} Words
 * @typedef {import('../../core/state.js').State} State
 * @typedef {import('./claims/rows.js').Row} Row
 * @typedef {{state: State, data: Data, on: On}} Props
 */

const GROUPS = /** @type {const} */ (['text', 'corpus', 'parse', 'roles']);
const LINE = 22;
/** @type {Record<string, string>} */
const SIGNS = {agrees: '✓', differs: '≠', found: '✓', missing: '–', foreign: '·', lacks: '·'};

/** @param {Row['claim']} claim @param {Words} t */
export const titleOf = ({id, relation}, {claims: t}) =>
    relation ? t.relation(relation === 'all' ? t.anyRelation : relation) : (t.titles[id] ?? id);

/** What was published: the number and the head. @param {Row['claim']} claim
 * @param {boolean} oneBased @param {Words} t */
export const expectedOf = ({id, expected, place}, oneBased, {claims: t}) =>
    [
        t.expected[id]?.(oneBased ? 1 : 0) ?? expected,
        place && placeName({layer: place[0], head: place[1]}, oneBased),
    ]
        .filter(Boolean)
        .join(', ');

/** What was measured, or what it would take. @param {Row} row @param {boolean} oneBased
 * @param {Words} t */
export const hereOf = (row, oneBased, t) =>
    row.verdict === 'lacks'
        ? (t.claims.lacks[row.claim.needs] ?? t.claims.lacks.none)
        : row.verdict === 'foreign'
          ? t.claims.foreign(t.claims.languages[row.claim.language ?? ''])
          : measuredText(row, oneBased, t);

/** Opens where it can be seen: the sentence of the claim, or the item of the corpus.
 * @param {Props & {row: Row}} props */
function Show({state, data: {t}, on, row: {claim, measured, same, verdict}}) {
    const own = same && claim.place ? {layer: claim.place[0], head: claim.place[1]} : undefined;
    const place = own ?? measured?.place;
    if (!measured || !place || verdict === 'foreign') return null;
    const {text, relation} = claim;
    const {item} = measured;
    if (text === undefined && item === undefined && !relation) return null;
    const open = () => {
        if (text !== undefined)
            on.set({
                desk: 'text',
                view: 'head',
                text: TEXTS[text].text,
                textB: TEXTS[text].textB,
                layer: place.layer,
                heads: [place.head],
                filter: 'all',
            });
        else if (item !== undefined) on.openItem(item, place);
        else
            on.openWhere(
                ({words}) =>
                    words.some(one => relation === 'all' || one.relation === relation)
                        ? 1 / words.length
                        : -1,
                place,
            );
    };
    return h(
        'button',
        {type: 'button', class: 'plain', onClick: open},
        t.claims.open(placeName(place, state.oneBased)),
    );
}

/** @param {Props & {row: Row}} props */
function Claim(props) {
    const {
        state,
        data: {t},
        row,
    } = props;
    const {claim, verdict} = row;
    const text = claim.text === undefined ? null : TEXTS[claim.text];
    return h(
        'li',
        {class: `claim is-${verdict}`},
        h(
            'div',
            null,
            h('p', {class: 'claim-title'}, titleOf(claim, t)),
            text &&
                h(
                    'p',
                    {class: 'hint', lang: claim.language ?? 'en'},
                    h('bdi', null, `${text.text} / ${text.textB}`),
                ),
            h(
                'p',
                {class: 'hint'},
                `${t.claims.sources[claim.source]}; ${t.claims.tuned(MODELS[claim.model].name)}; ${t.claims.grades[claim.grade]}`,
            ),
        ),
        h(
            'p',
            null,
            h('span', {class: 'claim-label'}, t.claims.published),
            expectedOf(claim, state.oneBased, t),
        ),
        h(
            'p',
            null,
            h('span', {class: 'claim-label'}, t.claims.here),
            hereOf(row, state.oneBased, t),
            ' ',
            h(Show, props),
        ),
        h(
            'p',
            {class: 'verdict'},
            h('span', {'aria-hidden': true}, SIGNS[verdict]),
            ' ',
            t.claims.verdicts[verdict],
        ),
    );
}

/** @param {Data} data */
const rowsOf = ({model, modelName, answers, passes}) =>
    claimRows({model: /** @type {any} */ (model), name: modelName, answers, passes});

/** How many rows have each verdict. @param {readonly Row[]} rows */
const tally = rows =>
    VERDICTS.map(verdict => ({
        verdict,
        count: rows.filter(row => row.verdict === verdict).length,
    })).filter(({count}) => count);

/** @param {Props} props */
function Claims(props) {
    const {
        data,
        data: {t},
    } = props;
    const rows = rowsOf(data);
    return h(
        'div',
        {class: 'claims'},
        h('p', {class: 'hint'}, t.claims.rule),
        GROUPS.map(group =>
            h(
                'section',
                {key: group},
                h('h3', null, t.claims.groups[group]),
                h('p', {class: 'hint'}, t.claims.groupHints[group]),
                h(
                    'ul',
                    {class: 'claim-list'},
                    rows
                        .filter(({claim}) => claim.group === group)
                        .map(row => h(Claim, {key: row.claim.id, ...props, row})),
                ),
            ),
        ),
    );
}

/** @type {StudyView} */
export const claimsStudy = {
    id: 'claims',
    study: 'roles',
    studies: ['roles', 'patterns', 'parse', 'coref'],
    texts: TEXTS,
    ask: () => ({}),
    render: (state, data, on) => h(Claims, {state, data, on}),
    svg(state, data, t) {
        const {width, theme} = data;
        const {soft} = paperOf(theme);
        const rows = rowsOf(data);
        const tree = h(
            'g',
            {'font-size': 12},
            rows.map((row, i) =>
                h(
                    'g',
                    {transform: `translate(0 ${i * 2 * LINE + 14})`},
                    h('text', {x: 0}, titleOf(row.claim, t)),
                    h(
                        'text',
                        {x: width, 'text-anchor': 'end'},
                        `${SIGNS[row.verdict]} ${t.claims.verdicts[row.verdict]}`,
                    ),
                    h(
                        'text',
                        {x: 12, y: LINE - 5, fill: soft},
                        `${t.claims.published}: ${expectedOf(row.claim, state.oneBased, t)}   ${t.claims.here}: ${hereOf(row, state.oneBased, t)}`,
                    ),
                ),
            ),
        );
        return sheet({
            title: t.studies.claims.title,
            note: `${data.modelName}; ${data.corpus.name}`,
            width,
            theme,
            blocks: [{tree, height: rows.length * 2 * LINE}],
        });
    },
    table: ({oneBased}, data, t) => ({
        caption: t.claims.caption,
        columns: [
            t.claims.source,
            t.claims.claim,
            t.claims.model,
            t.claims.grade,
            t.claims.published,
            t.claims.here,
            t.claims.verdict,
        ],
        rows: rowsOf(data).map(row => [
            t.claims.sources[row.claim.source],
            titleOf(row.claim, t),
            t.claims.tuned(MODELS[row.claim.model].name),
            t.claims.grades[row.claim.grade],
            expectedOf(row.claim, oneBased, t),
            hereOf(row, oneBased, t),
            t.claims.verdicts[row.verdict],
        ]),
    }),
    describe: (state, data, t) =>
        t.claims.describe(
            CLAIMS.length,
            tally(rowsOf(data))
                .map(({verdict, count}) => `${t.claims.verdicts[verdict]} ${count}`)
                .join(', '),
        ),
};
