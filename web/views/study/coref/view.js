/* coref - heads that resolve pronouns: how often the mention that a head looks at most from a
 * pronoun is one of what it stands for, against rules that look at no attention.
 */
import {h} from 'preact';
import {Bars, barsSvg, rateBar} from '../parts/bars.js';
import {HeadMap, headMapSvg} from '../parts/headmap.js';
import {judgedSays} from '../parts/judged.js';
import {PickSetting} from '../parts/pick.js';
import {perCent, placeName, placeOf, sheet} from '../parts/sheet.js';
import {setting} from '../study.js';

/**
 * @typedef {import('../study.js').Data} Data
 * @typedef {import('../study.js').State} State
 */

const MENTION = 'mention';
const WAYS = ['head', 'mean', 'last', 'sum'];
const RULES = /** @type {const} */ (['nearest', 'first', 'random']);

/** Heads chosen on one half of the texts and scored on the other, and the best head of all, against
 * the rules.
 * @param {State} state @param {Data} data */
function barsOf(state, {answer, otherName, t}) {
    const {best, held_out: held, baselines, baseline, random_layers: random} = answer;
    const place = (/** @type {import('../study.js').Place} */ head) =>
        placeName(head, state.oneBased);
    return [
        held.n && rateBar('held', t.coref.held, held),
        rateBar('best', `${t.coref.best} ${place(best)}`, best),
        baseline && {
            ...rateBar('baseline', t.coref.beside(otherName, place(baseline.best)), baseline.best),
            base: true,
        },
        random && {key: 'layers', label: t.judged.best, value: random.accuracy, base: true},
        ...RULES.map(rule => ({
            key: rule,
            label: t.coref.names[rule],
            value: baselines[rule],
            base: true,
        })),
    ].filter(Boolean);
}

/** @param {State} state @param {Data} data */
const mapOf = (state, {answer, model, theme, t}) => ({
    values: answer.accuracy,
    layers: model.layers,
    heads: model.heads,
    theme,
    scale: {
        low: 0,
        high: Math.max(
            0.01,
            ...answer.accuracy.map((/** @type {number | null} */ value) => value ?? 0),
        ),
    },
    name: t.coref.map,
    format: perCent,
    oneBased: state.oneBased,
});

/** What the test says, with its p. @param {State} state @param {Data} data */
function verdict(state, {answer, t}) {
    const {held_out: held, above_rule: above, p, rule, chosen} = answer;
    if (!held.n) return t.coref.untested;
    const places = chosen.map((/** @type {import('../study.js').Place} */ place) =>
        placeName(place, state.oneBased),
    );
    const found = t.coref.verdict({
        accuracy: perCent(held.accuracy),
        n: held.n,
        rule: t.coref.names[rule],
        above,
        p: p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`,
        places: [...new Set(places)],
    });
    return judgedSays(found, answer, t);
}

/** Short texts with a marked pronoun. */
const example = (
    /** @type {{a: string, b?: string, mentions: {pronoun: boolean}[]}} */ {a, b = '', mentions},
) => (mentions.some(({pronoun}) => pronoun) ? 1 / (1 + (a.length + b.length) / 100) : -1);

/** @type {import('../study.js').StudyView} */
export const corefStudy = {
    id: 'coref',
    study: 'coref',
    options: state => ({mention: setting(state, MENTION, WAYS[0])}),
    controls: (state, about, on, t) =>
        h(PickSetting, {
            id: 'coref-mention',
            label: t.coref.mention,
            hint: t.coref.mentionHint,
            options: WAYS.map(value => ({value, name: t.coref.ways[value]})),
            ...{state, set: on.set, name: MENTION, fallback: WAYS[0]},
        }),
    render(state, data, on) {
        const {answer, t, model, width} = data;
        if (!answer.n) return null;
        return [
            h(
                'section',
                {key: 'bars'},
                h('h3', null, t.coref.baselines),
                h(Bars, {bars: barsOf(state, data), most: 1, format: perCent, none: '–'}),
            ),
            h(HeadMap, {
                key: 'map',
                ...mapOf(state, data),
                t,
                width: Math.min(width, 480),
                label: t.coref.map,
                say: i =>
                    t.coref.say({
                        place: placeName(placeOf(i, model.heads), state.oneBased),
                        n: answer.n,
                        value: answer.accuracy[i] === null ? '–' : perCent(answer.accuracy[i]),
                    }),
                onPick: i => on.openWhere(example, placeOf(i, model.heads)),
            }),
        ];
    },
    svg: (state, data, t) =>
        sheet({
            title: t.studies.coref.title,
            note: `${data.corpus.name}, ${data.answer.n}; ${data.modelName}. ${verdict(state, data)}`,
            width: data.width,
            theme: data.theme,
            blocks: [
                {
                    title: t.coref.baselines,
                    ...barsSvg({
                        bars: barsOf(state, data),
                        most: 1,
                        format: perCent,
                        width: data.width,
                        theme: data.theme,
                    }),
                },
                headMapSvg({...mapOf(state, data), t, width: data.width}),
            ],
        }),
    table(state, {answer: {accuracy, baselines, held_out: held}, model, t}) {
        const cell = (/** @type {number | null} */ value) =>
            value === null ? '' : {value, text: perCent(value)};
        return {
            caption: t.coref.caption,
            columns: [t.coref.accuracy, t.coref.what],
            rows: [
                ...(held.n ? [[cell(held.accuracy), t.coref.held]] : []),
                ...RULES.map(rule => [cell(baselines[rule]), t.coref.names[rule]]),
                ...accuracy.map((/** @type {number | null} */ value, /** @type {number} */ i) => [
                    cell(value),
                    `${t.coref.head} ${placeName(placeOf(i, model.heads), state.oneBased)}`,
                ]),
            ],
        };
    },
    describe: (state, data, t) => (data.answer.n ? verdict(state, data) : t.missing.mentions),
};
