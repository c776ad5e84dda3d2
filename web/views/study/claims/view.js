/* claims - published claims about BERT's heads, one row a claim: the reported number, the number
 * measured on the loaded model, and whether they agree. The claims, their numbers and their
 * verdicts are the study's answer (src/study/kinds/claims_list.c); here they are put into words.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {page} from '../../../draw/blocks.js';
import {signed} from '../../../draw/chart.js';
import {paperOf} from '../../../draw/paper.js';
import {hint, section} from '../parts/layout.js';
import {relationName} from '../parts/relation.js';
import {common, drawnStudy, namesIn, perCent, placeName} from '../parts/sheet.js';
import {inHeadView} from '../study.js';

/**
 * @import {Data, On, Words} from '../study.js'
 * @import {State} from '../../../state/state.js'
 * @typedef {'agrees' | 'differs' | 'found' | 'uncompared' | 'chance' | 'missing' | 'foreign' |
 *     'lacks'} Verdict   found: not on random layers; chance: on these too
 * @typedef {{unit: string, value: number | null, high: number | null, against: number | null,
 *     layer: number | null, head: number | null}} Reported   high: the end of a range; against: the
 *     baseline; layer, head: of the published head
 * @typedef {{id: string, study: string | null, source: string, model: string,
 *     language: string | null, evidence: string, relation: string | null, text: number | null,
 *     reported: Reported, verdict: Verdict, why: string, same: boolean, value: number | null,
 *     layer: number | null, head: number | null, item: number | null, at: number | null,
 *     against: number | null}} Claim   of the study's answer; study: null for one about a sentence;
 *     same: this is the model it is about; layer, head: the strongest head here; at: the number at
 *     the published head
 * @typedef {ReturnType<typeof common>} Scene
 * @typedef {{state: State, data: Data, on: On}} Props
 */

/** @type {readonly Verdict[]} */
export const VERDICTS = [
    'agrees',
    'differs',
    'found',
    'uncompared',
    'chance',
    'missing',
    'foreign',
    'lacks',
];
/** Headings, and the studies whose claims stand below each; null: sentences. @type {Record<string,
 * (string | null)[]>} */
const GROUPS = {
    text: [null],
    corpus: ['patterns'],
    parse: ['parse', 'coref'],
    roles: ['roles', 'compare'],
};
const LINE = 22;
/** @type {Record<Verdict, string>} */
const SIGNS = {
    agrees: '✓',
    differs: '≠',
    found: '✓',
    uncompared: '?',
    chance: '–',
    missing: '–',
    foreign: '·',
    lacks: '·',
};

/** @param {Pick<Claim, 'id' | 'relation'>} claim @param {Words} words */
export const titleOf = ({id, relation}, words) => {
    const t = words.claims;
    const name = relation === 'all' ? t.anyRelation : relation && relationName(relation, words);
    return name ? t.relation(name) : (t.titles[id] ?? id);
};

/** @param {{layer: number | null, head: number | null}} of */
const placeOf = ({layer, head}) => (layer === null || head === null ? null : {layer, head});

/** A published number: a share in per cent, with one decimal where its baseline stands beside it.
 * @param {Reported} reported */
function numberOf({unit, value, high, against}) {
    if (value === null) return '';
    const share = unit === 'share';
    const print = (/** @type {number} */ x) =>
        share ? (100 * x).toFixed(against === null ? 0 : 1) : String(x);
    const range = (high === null ? [value] : [value, high]).map(print).join('–');
    if (!share) return range;
    return against === null ? `${range} %` : `${range} % (${print(against)} %)`;
}

/** What was published: the number and the head. @param {Pick<Claim, 'id' | 'reported'>} claim
 * @param {boolean} oneBased @param {Words} t */
export function expectedOf({id, reported}, oneBased, {claims: t, comma}) {
    const place = placeOf(reported);
    return [
        t.expected[id]?.(oneBased ? 1 : 0, numberOf(reported)) ?? numberOf(reported),
        place && placeName(place, oneBased),
    ]
        .filter(Boolean)
        .join(comma);
}

/** @param {number} value @param {string} unit @param {Words} t */
function printed(value, unit, t) {
    switch (unit) {
        case 'share':
            return perCent(value);
        case 'heads':
            return t.claims.headCount(value);
        case 'nats':
            return `${value.toFixed(2)} ${t.patterns.nats}`;
        case 'layer':
            return t.claims.layer(value.toFixed(1));
        case 'each':
            return t.claims.each(value.toFixed(1));
        default:
            return signed(value);
    }
}

/** What was measured, in print: the number, where, the baseline. On the model that the claim is
 * about, the number of the published head. @param {Claim} claim @param {boolean} oneBased
 * @param {Words} t */
function measuredText({reported: {unit}, value, layer, head, against, at, same}, oneBased, t) {
    if (value === null) return '';
    const own = same ? at : null;
    const main = own ?? (unit === 'layer' && oneBased ? value + 1 : value);
    const place = own === null ? placeOf({layer, head}) : null;
    const where = place ? ` (${placeName(place, oneBased)})` : '';
    return `${printed(main, unit, t)}${where}${against === null ? '' : `; ${printed(against, unit, t)}`}`;
}

/** What was measured, or what it would take. @param {Claim} claim @param {boolean} oneBased
 * @param {Words} t */
export function hereOf(claim, oneBased, t) {
    if (claim.verdict === 'foreign')
        return t.claims.foreign(t.claims.languages[claim.language ?? '']);
    return claim.verdict === 'lacks'
        ? (t.claims.lacks[claim.study ?? 'text'] ?? t.claims.lacks.none)
        : measuredText(claim, oneBased, t);
}

/** Opens where it can be seen: the sentence of the claim, or the item of the corpus.
 * @param {Props & {claim: Claim}} props */
function Show({state, data: {answer, t}, on, claim}) {
    const {text, relation, item, value, same, verdict} = claim;
    const place = (same && placeOf(claim.reported)) || placeOf(claim);
    if (value === null || !place || verdict === 'foreign') return null;
    if (text === null && item === null && !relation) return null;
    const open = () => {
        if (text !== null)
            on.set(inHeadView(answer.texts[text], {layer: place.layer, heads: [place.head]}));
        else if (item !== null) on.openItem(item, place);
        else
            on.openWhere(
                ({words}) =>
                    words.some(one => relation === 'all' || one.relation === relation)
                        ? 1 / words.length
                        : -1,
                place,
            );
    };
    return buttonOf(
        'plain',
        {'data-card': `${place.layer}.${place.head}`, onClick: open},
        t.claims.open(placeName(place, state.oneBased)),
    );
}

/** What is claimed: its title, its sentence, and who said it of which model.
 * @param {{claim: Claim, answer: any, t: Words}} props */
function Named({claim, answer, t}) {
    const text = claim.text === null ? null : answer.texts[claim.text];
    return h(
        'div',
        null,
        h('p', {class: 'claim-title'}, titleOf(claim, t)),
        text &&
            h(
                'p',
                {class: 'hint', lang: claim.language ?? 'en'},
                h('bdi', null, `${text.a} / ${text.b}`),
            ),
        h(
            'p',
            {class: 'hint'},
            `${t.claims.sources[claim.source]}; ${t.claims.tuned(claim.model)}; ${t.claims.grades[claim.evidence]}`,
        ),
    );
}

/** @param {Props & {claim: Claim}} props */
function Row(props) {
    const {
        state,
        data: {answer, t},
        claim,
    } = props;
    const {verdict} = claim;
    return h(
        'li',
        {class: `claim is-${verdict}`},
        h(Named, {claim, answer, t}),
        h(
            'p',
            null,
            h('span', {class: 'claim-label'}, t.claims.published),
            claim.same
                ? namesIn(t, expectedOf(claim, state.oneBased, t), state.oneBased)
                : expectedOf(claim, state.oneBased, t),
        ),
        h(
            'p',
            null,
            h('span', {class: 'claim-label'}, t.claims.here),
            namesIn(t, hereOf(claim, state.oneBased, t), state.oneBased),
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

/** How many claims have each verdict. @param {readonly Claim[]} claims */
const tally = claims =>
    VERDICTS.map(verdict => ({
        verdict,
        count: claims.filter(claim => claim.verdict === verdict).length,
    })).filter(({count}) => count);

/** The claims of a group. @param {Props & {block: {claims: Claim[]}}} props */
const Group = ({block: {claims}, ...props}) =>
    h(
        'ul',
        {class: 'claim-list'},
        claims.map(claim => h(Row, {key: claim.id, ...props, claim})),
    );

/** A claim in two lines of a file. @param {Claim} claim @param {number} i @param {boolean} oneBased
 * @param {import('../../../draw/blocks.js').Look} look @param {Words} t */
const lineSvg = (claim, i, oneBased, {width, theme}, t) =>
    h(
        'g',
        {transform: `translate(0 ${i * 2 * LINE + 14})`},
        h('text', {x: 0}, titleOf(claim, t)),
        h(
            'text',
            {x: width, 'text-anchor': 'end'},
            `${SIGNS[claim.verdict]} ${t.claims.verdicts[claim.verdict]}`,
        ),
        h(
            'text',
            {x: 12, y: LINE - 5, fill: paperOf(theme).soft},
            `${t.claims.published}: ${expectedOf(claim, oneBased, t)}   ${t.claims.here}: ${hereOf(claim, oneBased, t)}`,
        ),
    );

/** @type {import('../../../draw/blocks.js').Kind} */
const LINES = {
    svg: ({claims, oneBased, t}, look) => ({
        tree: h(
            'g',
            {'font-size': 12},
            claims.map((/** @type {Claim} */ claim, /** @type {number} */ i) =>
                lineSvg(claim, i, oneBased, look, t),
            ),
        ),
        width: look.width,
        height: claims.length * 2 * LINE,
    }),
};

/** In groups on the page, in a file as one list. @param {Scene} scene
 * @param {import('../../../draw/blocks.js').Look} look @param {Words} t */
function blocks({answer, oneBased}, {file}, t) {
    const claims = /** @type {Claim[]} */ (answer.claims);
    if (file) return [{kind: LINES, claims, oneBased, t}];
    return [
        hint(t.claims.rule),
        ...Object.entries(GROUPS).map(([group, studies]) =>
            section(t.claims.groups[/** @type {'text'} */ (group)], [
                hint(t.claims.groupHints[/** @type {'text'} */ (group)]),
                page(Group, {claims: claims.filter(({study}) => studies.includes(study))}),
            ]),
        ),
    ];
}

/** @param {Scene} scene @param {Words} t */
const rows = ({answer, oneBased}, t) => ({
    caption: t.claims.caption,
    columns: [
        ...[t.claims.source, t.claims.claim, t.claims.model, t.claims.grade],
        ...[t.claims.published, t.claims.here, t.claims.verdict],
    ],
    rows: answer.claims.map((/** @type {Claim} */ claim) => [
        t.claims.sources[claim.source],
        titleOf(claim, t),
        t.claims.tuned(claim.model),
        t.claims.grades[claim.evidence],
        expectedOf(claim, oneBased, t),
        hereOf(claim, oneBased, t),
        t.claims.verdicts[claim.verdict],
    ]),
});

export const claimsStudy = drawnStudy({
    id: 'claims',
    ...{scene: common, blocks, rows},
    say: ({answer: {claims}}, t) =>
        t.claims.describe(
            claims.length,
            tally(claims)
                .map(({verdict, count}) => `${t.claims.verdicts[verdict]} ${count}`)
                .join(t.comma),
        ),
    sheet: {note: ({modelName, corpus}) => `${modelName}; ${corpus}`},
});
