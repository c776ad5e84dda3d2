/* wrote - the logit that is asked about, split over its writers, the largest first (the measures direct of headlight.h); beside
 * a head or an MLP stands the change without it, in which later layers have a hand.
 */
import {signed} from '../../draw/chart.js';
import {total} from '../../draw/scale.js';
import {bySize} from '../asked.js';
import {needName} from '../needs.js';

/** @typedef {import('../asked.js').Effect} Effect */

const MEASURES = ['direct', 'direct_mlps', 'direct_heads'];
const KINDS = ['word', 'position', 'segment', 'biases', 'output', 'rest'];
const SIDES = ['original', 'replaced'];
const [LOGIT, SHOWN] = [7, 12];

/** None: what is asked about is not known yet, or is set against a word that is not offered. @param {Pick<import('../view.js').ViewState, 'ask' | 'against'>} state
 * @param {Pick<import('../view.js').Computed['model'], 'labels'>} model @param {import('./scene.js').Target} target @param {any} answer */
export function wroteNeeds({ask, against}, {labels: names}, target, answer) {
    if (!/\.wrote$/.test(ask)) return [];
    const {position, words, word, labels, ofToken, starts} = target;
    const all = names.length ? names : SIDES;
    const other = against ? words.find(({piece}) => piece === answer?.against)?.id : -1;
    const args = labels.length
        ? [0, ...labels.slice(0, 2).map(({label}) => all.indexOf(label))]
        : ofToken
          ? [answer?.position, all.indexOf(answer?.label), -1]
          : [position, starts ? 0 : word?.id, starts ? -1 : other];
    return args.every(Number.isInteger) ? MEASURES.map(measure => ({measure, args})) : [];
}

/** The largest parts and those that are no heads or MLPs, all others, the sum; none: not there yet. @param {import('../needs.js').Need[]} needs
 * @param {Map<string, any>} tensors @param {readonly Effect[]} ranked @returns {Effect[]} */
export function wroteOf(needs, tensors, ranked) {
    const found = needs.flatMap(need => tensors.get(needName(need)) ?? []);
    if (!found.length || found.length < needs.length) return [];
    const [rows, mlps, heads] = found.map(({data}) => Array.from(data));
    const H = heads.length / mlps.length;
    const parts = [
        ...KINDS.map((kind, i) => ({kind, change: rows[i]})),
        ...mlps.map((change, layer) => ({kind: 'mlp', layer, change})),
        ...heads.map((change, i) => ({
            ...{kind: 'head', layer: Math.floor(i / H), head: i % H, change},
        })),
    ];
    const nameOf = (/** @type {Effect} */ {kind, layer, head}) => [kind, layer, head].join();
    const off = new Map(ranked.map(one => [nameOf(one), signed(one.change ?? 0)]));
    const shown = bySize(parts).filter(
        ({kind, change}, i) => change && (i < SHOWN || KINDS.includes(kind)),
    );
    const sum = rows[LOGIT];
    const others = {kind: 'others', change: sum - total(shown.map(({change}) => change ?? 0))};
    return [...shown, others, {kind: 'sum', change: sum}].map(part => ({
        ...part,
        off: off.get(nameOf(part)) ?? '–',
    }));
}
