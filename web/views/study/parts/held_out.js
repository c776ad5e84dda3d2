/* held_out - the picture of a study of scores of heads (src/study/held_out.h): the heads as a map, one score at a time;
 * the best head, chosen on one half of the texts and scored on the other, beside random layers and the rule; and the
 * verdict.
 */
import {h} from 'preact';
import {page} from '../../../draw/blocks.js';
import {setting} from '../study.js';
import {rateBar, rates} from './bars.js';
import {headMap} from './headmap.js';
import {judgedSays} from './judged.js';
import {section} from './layout.js';
import {PickSetting} from './pick.js';
import {common, drawnStudy, numberCell, placeName, pSays} from './sheet.js';

/**
 * @import {Words, Place, State, Data} from '../study.js'
 * @typedef {(value: number) => string} Format
 * @typedef {{format: Format, difference: Format}} Unit
 * @typedef {import('./judged.js').Judged & {score: string, rule: number, chosen: Place[], p: number | null,
 *     held_out: {n: number, mean: number | null, low: number, high: number}}} Score
 * @typedef {{id: 'importance' | 'induction', unit: (score: string) => Unit,
 *     scaleOf: (values: (number | null)[], rule: number) => import('./headmap.js').Scale,
 *     about: (scene: Scene, t: Words) => string,
 *     more?: Partial<import('../study.js').StudyDescribed>}} Given   about: what was measured, in a sentence
 * @typedef {ReturnType<typeof sceneOf>} Scene
 */

/** The score that is shown. @param {Given} given @param {State} state @param {Data} data */
function sceneOf(given, state, data) {
    const {answer} = data;
    const m = Math.max(0, answer.measures.indexOf(setting(state, 'score', answer.measures[0])));
    const at = (/** @type {string} */ member) => answer[member][m];
    return {
        ...common(state, data),
        id: /** @type {string} */ (answer.measures[m]),
        unit: given.unit(answer.measures[m]),
        score: /** @type {Score} */ (answer.scores[m]),
        mean: /** @type {(number | null)[]} */ (at('mean')),
        ...{sd: at('sd'), low: at('low'), high: at('high'), n: at('n'), has: at('has'), q: at('q')},
        beside: /** @type {(number | null)[] | null} */ (answer.baseline?.mean[m] ?? null),
    };
}

/** @param {import('../../../draw/blocks.js').Props & {scene: Scene}} props */
const WhichScore = ({state, data: {t}, on, scene: {answer, id}}) =>
    h(PickSetting, {
        ...{id: 'held-out-score', className: 'field measure-of', label: t.heldOut.score},
        ...{options: answer.measures, names: t.heldOut.names, value: id},
        ...{state, set: on.set, name: 'score'},
    });

/** The place of the largest of a second model. @param {(number | null)[]} values */
const largest = values => values.indexOf(Math.max(...values.map(value => value ?? -Infinity)));

/** @param {Scene} scene @param {Words} t @returns {import('./bars.js').Bar[]} */
function barsOf({score, beside, otherName, name}, t) {
    const {held_out: held, random_layers: random, rule} = score;
    const best = largest(beside ?? []);
    const base = (
        /** @type {string} */ key,
        /** @type {string} */ label,
        /** @type {any} */ value,
    ) => ({...{key, label, value, base: true}});
    return [
        rateBar('held', t.heldOut.held, {...held, accuracy: held.mean}),
        ...(random ? [base('layers', t.judged.best, random.accuracy)] : []),
        ...(beside ? [base('beside', t.heldOut.beside(otherName, name(best)), beside[best])] : []),
        ...(rule ? [base('rule', t.heldOut.rule, rule)] : []),
    ];
}

/** @param {Given} given @param {Scene} scene @param {Words} t */
function mapOf({scaleOf}, scene, t) {
    const {mean, score, unit, id, place, name} = scene;
    return headMap(
        scene,
        {
            ...{values: mean, scale: scaleOf(mean, score.rule), format: unit.format, most: 480},
            name: t.heldOut.maps[id],
            say(i) {
                const value = mean[i];
                if (value === null) return `${name(i)}: ${t.map.none}`;
                return t.heldOut.say({
                    ...{place: name(i), n: scene.n[i], q: scene.q[i], has: !!scene.has[i]},
                    mean: unit.format(value),
                    low: scene.low[i] === null ? '–' : unit.format(scene.low[i]),
                    high: scene.high[i] === null ? '–' : unit.format(scene.high[i]),
                });
            },
            onPick: (i, on) => on.openWhere(({a}) => 1 / (1 + a.length), place(i)),
        },
        t,
    );
}

/** @param {Given} given @param {Scene} scene @param {Words} t */
function say({about}, scene, t) {
    const {score, unit, id, oneBased} = scene;
    const {held_out: held, chosen, p, above_rule: above} = score;
    if (held.mean === null) return t.heldOut.untested;
    const places = [...new Set(chosen.map(place => placeName(place, oneBased)))].join(t.comma);
    const found = t.heldOut.verdict({
        ...{name: t.heldOut.names[id], places, mean: unit.format(held.mean), above},
        p: pSays(p),
        rule: score.rule ? `${t.heldOut.rule} (${unit.format(score.rule)})` : '0',
    });
    return `${about(scene, t)} ${judgedSays(found, score, t, unit.format, unit.difference)}`;
}

/** @param {Scene} scene @param {Words} t */
function rows({answer, name, otherName}, t) {
    const cell = (/** @type {number | null} */ value) => numberCell(value, one => one.toFixed(5));
    const {score, head, mean, sd, low, high, q, caption, names} = t.heldOut;
    return {
        caption,
        columns: [score, head, mean, sd, low, high, q, ...(answer.baseline ? [otherName] : [])],
        rows: answer.measures.flatMap((/** @type {string} */ id, /** @type {number} */ m) =>
            answer.mean[m].map((/** @type {number | null} */ value, /** @type {number} */ i) => [
                ...[names[id], name(i), cell(value), cell(answer.sd[m][i])],
                ...[answer.low, answer.high, answer.q].map(one => cell(one[m][i])),
                ...(answer.baseline ? [cell(answer.baseline.mean[m][i])] : []),
            ]),
        ),
    };
}

/** @param {Given} given */
export const heldOutStudy = given =>
    drawnStudy({
        id: given.id,
        ...given.more,
        scene: (state, data) => sceneOf(given, state, data),
        blocks: (scene, look, t) => {
            const {unit, mean, score} = scene;
            const known = [score.held_out.high, score.random_layers?.accuracy, score.rule, ...mean];
            const most = Math.max(1e-9, ...known.map(value => value ?? 0));
            return [
                page(WhichScore),
                mapOf(given, scene, t),
                section(t.heldOut.best, [rates(barsOf(scene, t), {most, format: unit.format})]),
            ];
        },
        rows,
        say: (scene, t) => say(given, scene, t),
        sheet: {
            title: ({id}, look, t) => `${t.studies[given.id].title}: ${t.heldOut.names[id]}`,
            note: ({corpus, items, modelName}) => `${corpus}, ${items}; ${modelName}`,
        },
    });
