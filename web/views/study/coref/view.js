/* coref - heads that resolve pronouns: how often the mention that a head looks at most from a
 * pronoun is one of what it stands for, against rules that look at no attention.
 */
import {h} from 'preact';
import {rateBar, rates} from '../parts/bars.js';
import {headMap} from '../parts/headmap.js';
import {judgedSays} from '../parts/judged.js';
import {section} from '../parts/layout.js';
import {PickSetting} from '../parts/pick.js';
import {common, drawnStudy, numberCell, perCent, placeName, pSays} from '../parts/sheet.js';
import {setting} from '../study.js';

/**
 * @import {Words, Place} from '../study.js'
 * @typedef {ReturnType<typeof common>} Scene
 */

const MENTION = 'mention';
const WAYS = ['head', 'mean', 'last', 'sum'];
const RULES = /** @type {const} */ (['nearest', 'first', 'random']);

/** Heads chosen on one half of the texts and scored on the other, and the best head of all, against
 * the rules.
 * @param {Scene} scene @param {Words} t */
function barsOf({answer, otherName, oneBased}, t) {
    const {best, held_out: held, baselines, baseline, random_layers: random} = answer;
    const place = (/** @type {Place} */ head) => placeName(head, oneBased);
    return [
        held.n && rateBar('held', t.coref.held, held),
        rateBar('best', `${t.coref.best} ${place(best)}`, best),
        baseline && {
            ...rateBar('baseline', t.coref.beside(otherName, place(baseline.best)), baseline.best),
            base: true,
        },
        random && {key: 'layers', label: t.judged.best, value: random.accuracy, base: true},
        ...RULES.map(rule => ({
            ...{key: rule, label: t.coref.names[rule], value: baselines[rule], base: true},
        })),
    ].filter(Boolean);
}

/** What the test says, with its p. @param {Scene} scene @param {Words} t */
function verdict({answer, oneBased}, t) {
    const {held_out: held, above_rule: above, p, rule, chosen} = answer;
    if (!held.n) return t.coref.untested;
    const places = chosen.map((/** @type {Place} */ place) => placeName(place, oneBased));
    const found = t.coref.verdict({
        accuracy: perCent(held.accuracy),
        n: held.n,
        rule: t.coref.names[rule],
        above,
        p: pSays(p),
        places: [...new Set(places)],
    });
    return judgedSays(found, answer, t);
}

/** Short texts with a marked pronoun. */
const example = (
    /** @type {{a: string, b?: string, mentions: {pronoun: boolean}[]}} */ {a, b = '', mentions},
) => (mentions.some(({pronoun}) => pronoun) ? 1 / (1 + (a.length + b.length) / 100) : -1);

/** The accuracy of every head. @param {Scene} scene @param {Words} t */
function mapOf(scene, t) {
    const {accuracy: values, n} = scene.answer;
    const high = Math.max(0.01, ...values.map((/** @type {number | null} */ value) => value ?? 0));
    return headMap(
        scene,
        {
            ...{values, scale: {low: 0, high}, name: t.coref.map, format: perCent, most: 480},
            say: i => {
                const value = values[i] === null ? '–' : perCent(values[i]);
                return t.coref.say({place: scene.name(i), n, value});
            },
            onPick: (i, on) => on.openWhere(example, scene.place(i)),
        },
        t,
    );
}

/** @param {Scene} scene @param {Words} t */
function rows({answer: {accuracy, baselines, held_out: held}, name}, {coref: t}) {
    const cell = (/** @type {number | null} */ value) => numberCell(value, perCent);
    return {
        caption: t.caption,
        columns: [t.accuracy, t.what],
        rows: [
            ...(held.n ? [[cell(held.accuracy), t.held]] : []),
            ...RULES.map(rule => [cell(baselines[rule]), t.names[rule]]),
            ...accuracy.map((/** @type {number | null} */ value, /** @type {number} */ i) => [
                cell(value),
                `${t.head} ${name(i)}`,
            ]),
        ],
    };
}

export const corefStudy = drawnStudy({
    id: 'coref',
    options: state => ({mention: setting(state, MENTION, WAYS[0])}),
    controls: (state, about, on, t) =>
        h(PickSetting, {
            id: 'coref-mention',
            label: t.coref.mention,
            hint: t.coref.mentionHint,
            ...{options: WAYS, names: t.coref.ways, state, set: on.set, name: MENTION},
        }),
    scene: common,
    blocks: (scene, look, t) =>
        scene.answer.n
            ? [section(t.coref.baselines, [rates(barsOf(scene, t))]), mapOf(scene, t)]
            : [],
    rows,
    say: (scene, t) => (scene.answer.n ? verdict(scene, t) : t.missing.mentions),
    sheet: {
        note: (scene, t) =>
            `${scene.corpus}, ${scene.answer.n}; ${scene.modelName}. ${verdict(scene, t)}`,
    },
});
