/* about - a corpus as Headlight reads it: counts, relations, labels, its first items. Needs no run
 * and no model.
 */
import {h} from 'preact';
import {Bars} from '../parts/bars.js';

/**
 * @typedef {import('../study.js').StudyView} StudyView
 * @typedef {import('../study.js').About} About
 * @typedef {import('../study.js').Words} Words
 */

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

/** @param {{title: string, list: About['relations'], t: Words}} props */
function Counts({title, list, t}) {
    if (!list.length) return null;
    const sorted = [...list].sort((a, b) => b.count - a.count);
    return h(
        'section',
        null,
        h('h3', null, title),
        h(Bars, {
            bars: sorted
                .slice(0, SHOWN)
                .map(({name, count}) => ({key: name, label: h('bdi', null, name), value: count})),
            none: '',
            most: sorted[0].count,
            format: String,
        }),
        sorted.length > SHOWN && h('p', {class: 'hint'}, t.about.more(sorted.length - SHOWN)),
    );
}

/** @type {StudyView} */
export const aboutStudy = {
    id: 'about',
    study: 'about',
    render(state, {answer, t}) {
        const about = /** @type {About} */ (answer);
        return [
            h(
                'dl',
                {class: 'study-facts'},
                facts(about, t).map(([name, value]) =>
                    h('div', {key: name}, h('dt', null, name), h('dd', null, value)),
                ),
            ),
            h(
                'section',
                null,
                h('h3', null, t.about.first),
                h(
                    'ol',
                    {class: 'first-items'},
                    about.first.map(({a, b}, i) =>
                        h(
                            'li',
                            {key: i},
                            h('p', {dir: 'auto'}, a),
                            b !== undefined && h('p', {dir: 'auto'}, b),
                        ),
                    ),
                ),
            ),
            h(
                'div',
                {class: 'abreast'},
                h(Counts, {title: t.about.relations, list: about.relations, t}),
                h(Counts, {title: t.about.labels, list: about.labels, t}),
            ),
        ];
    },
    table(state, {answer: {relations, labels}}, {about: w}) {
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
    describe: (state, {answer: {format, items, relations}}, t) =>
        t.about.describe({format: t.formats[format] ?? format, items, relations: relations.length}),
};
