/* about - a corpus as Headlight reads it: counts, relations, labels, its first items. Needs no run
 * and no model.
 */
import {h} from 'preact';
import {page} from '../../../draw/blocks.js';
import {rates} from '../parts/bars.js';
import {abreast, hint, section} from '../parts/layout.js';
import {drawnStudy} from '../parts/sheet.js';

/** @import {About, Words} from '../study.js' */

const SHOWN = 12; // relations or labels

/** @param {About} about @param {Words} t @returns {[string, string][]} */
function facts({format, items, pairs, words, mentions}, {about: w, formats}) {
    const yes = (/** @type {boolean} */ value) => (value ? w.yes : w.no);
    return [
        [w.format, formats[format] ?? format],
        [w.items, String(items)],
        [w.pairs, yes(pairs)],
        [w.words, yes(words)],
        [w.mentions, yes(mentions)],
    ];
}

/** @param {string} title @param {About['relations']} list @param {Words} t */
function counts(title, list, t) {
    if (!list.length) return null;
    const sorted = [...list].sort((a, b) => b.count - a.count);
    const bars = sorted
        .slice(0, SHOWN)
        .map(({name, count}) => ({key: name, label: h('bdi', null, name), value: count}));
    return section(title, [
        rates(bars, {most: sorted[0].count, format: String, none: ''}),
        sorted.length > SHOWN && hint(t.about.more(sorted.length - SHOWN)),
    ]);
}

/** @param {{scene: About, data: {t: Words}}} props */
const Facts = ({scene, data: {t}}) =>
    h(
        'dl',
        {class: 'study-facts'},
        facts(scene, t).map(([name, value]) =>
            h('div', {key: name}, h('dt', null, name), h('dd', null, value)),
        ),
    );

/** @param {{scene: About}} props */
const First = ({scene: {first}}) =>
    h(
        'ol',
        {class: 'first-items'},
        first.map(({a, b}, i) =>
            h(
                'li',
                {key: i},
                h('p', {dir: 'auto'}, a),
                b !== undefined && h('p', {dir: 'auto'}, b),
            ),
        ),
    );

export const aboutStudy = drawnStudy({
    id: 'about',
    scene: (state, {answer}) => /** @type {About} */ (answer),
    blocks: ({relations, labels}, look, t) => [
        page(Facts),
        section(t.about.first, [page(First)]),
        abreast([counts(t.about.relations, relations, t), counts(t.about.labels, labels, t)]),
    ],
    rows({relations, labels}, {about: w}) {
        const rows = [
            ...relations.map((/** @type {any} */ one) => ({kind: w.relation, ...one})),
            ...labels.map((/** @type {any} */ one) => ({kind: w.label, ...one})),
        ];
        return {
            caption: w.counts,
            columns: [w.label, w.relation, w.count],
            rows: rows.map(({kind, name, count}) => [
                kind,
                {text: name, user: /** @type {true} */ (true)},
                count,
            ]),
        };
    },
    say: ({format, items, relations}, t) =>
        t.about.describe({format: t.formats[format] ?? format, items, relations: relations.length}),
});
