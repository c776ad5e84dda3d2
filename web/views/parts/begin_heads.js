/* begin_heads - chooses heads that show something on a text, by the model's own measures
 * (src/measure/patterns.c): for views of one head, one whose attention goes to a few tokens, in
 * shares that one can compare; for a first visit, the heads of one layer in which some pattern is
 * strongest, a different pattern each. No head is named here: every model and text has its own.
 * Pure.
 */

/**
 * @import {Model} from '../../worker/worker.js'
 * @typedef {{data: Float32Array}} Tensor
 * @typedef {{layer: number, heads: number[]}} Chosen
 */

/** Patterns that say something about the words of a text. */
const SPEAKING =
    'next previous same_word copies same_word_across partner own_sentence delimiter'.split(' ');
const MOST = 3;
const LEAST = 0.1; // strength of a pattern
const FEW = Math.log(4); // entropy in nats of uniform attention over four tokens
const OF_DELIMITERS = 1 / 3; // what theirs counts: [CLS] and [SEP] are no words of the text

/** The values of a measure, of a layer and head. @param {Pick<Model, 'patterns' | 'layers' | 'heads'>} model
 * @param {Tensor} measures [M, L, H] @param {string} name */
function valueOf({patterns, layers, heads}, {data}, name) {
    const from = patterns.indexOf(name) * layers * heads;
    return (/** @type {number} */ i) => (from < 0 ? 0 : data[from + i]);
}

/** The head whose entropy is nearest to that of a few tokens, among those that give delimiters less than
 * half of their attention. The least entropy would be a head that gives all its weight to one token: its
 * softmax is 1, 0, 0, and nothing is to be seen of how scores become weights.
 * @param {Pick<Model, 'patterns' | 'layers' | 'heads'>} model @param {Tensor} measures [M, L, H]
 * @returns {Chosen} */
export function instructive(model, measures) {
    const [entropy, delimiter] = ['entropy', 'delimiter'].map(name =>
        valueOf(model, measures, name),
    );
    const all = Array.from({length: model.layers * model.heads}, (_, i) => i);
    const words = all.filter(i => delimiter(i) < 0.5);
    const off = (/** @type {number} */ i) => Math.abs(entropy(i) - FEW);
    const best = (words.length ? words : all).reduce((a, b) => (off(b) < off(a) ? b : a));
    return {layer: Math.floor(best / model.heads), heads: [best % model.heads]};
}

/** Up to MOST heads of a layer, the strongest of a pattern first, no pattern twice; one at least.
 * @param {(pattern: string, head: number) => number} strengthOf @param {number} heads */
function ofLayer(strengthOf, heads) {
    const all = Array.from({length: heads}, (_, head) =>
        SPEAKING.map(pattern => ({head, pattern, strength: strengthOf(pattern, head)})),
    ).flat();
    /** @type {typeof all} */
    const chosen = [];
    for (const one of all.sort((a, b) => b.strength - a.strength || a.head - b.head)) {
        const taken = chosen.some(
            ({head, pattern}) => head === one.head || pattern === one.pattern,
        );
        const weak = chosen.length > 0 && one.strength < LEAST;
        if (!taken && !weak && chosen.length < MOST) chosen.push(one);
    }
    return chosen;
}

/** The layer whose heads speak most, and these heads. Strength of a pattern: 0 is uniform attention, 1
 * the pure pattern. @param {Pick<Model, 'patterns' | 'layers' | 'heads'>} model
 * @param {Tensor} measures [M, L, H] @param {Tensor} evens [M] of uniform attention @returns {Chosen} */
export function speaking(model, measures, evens) {
    const {patterns, layers, heads} = model;
    const found = Array.from({length: layers}, (_, layer) => {
        const chosen = ofLayer((pattern, head) => {
            const even = evens.data[patterns.indexOf(pattern)];
            const value = valueOf(model, measures, pattern)(layer * heads + head);
            const counts = pattern === 'delimiter' ? OF_DELIMITERS : 1;
            return even > 0 && even < 0.9999 ? (counts * (value - even)) / (1 - even) : 0;
        }, heads);
        return {
            layer,
            heads: chosen.map(({head}) => head).sort((a, b) => a - b),
            strength: chosen.reduce((sum, {strength}) => sum + strength, 0),
        };
    });
    const {layer, heads: on} = found.reduce((a, b) => (b.strength > a.strength ? b : a));
    return {layer, heads: on};
}

/** How a view of one head begins when it is entered by its tab: at an instructive head, unless one is
 * shown alone: then the reader has chosen it, here or before. @param {import('../view.js').ViewState} state */
export const beginInstructive = ({heads}) =>
    heads.length === 1
        ? null
        : {
              needs: [{measure: 'patterns'}],
              patch: (/** @type {Model} */ model, /** @type {Map<string, Tensor>} */ tensors) => {
                  const measures = tensors.get('measure.patterns');
                  return measures ? instructive(model, measures) : {};
              },
          };
