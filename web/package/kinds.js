/* kinds - models of two stacks in the package: which stack a tensor or a measure is of, what a run takes as target, and what is
 * said where there is no such thing.
 */
import {stateError} from '../base/errors.js';

/** @import {ModelInfo, Kind} from './head-light' */

const KINDS = ['encoder', 'decoder', 'cross'];
const GIVE =
    "give {target: 'a text'} that it is to have written (or {target: [ids]}), or {write: 20} to let it write so many tokens";

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
    throw stateError(sentence);
}

/** @param {unknown} value */
const said = value => JSON.stringify(value) ?? String(value);

/** @param {unknown} target @param {number} vocab */
function checkGiven(target, vocab) {
    if (typeof target === 'string') return;
    if (!Array.isArray(target) || !target.length)
        refuse(`the target is ${said(target)}; a text, or a list of ids, was expected`);
    const wrong = /** @type {unknown[]} */ (target).find(
        id => !Number.isInteger(id) || Number(id) < 0 || Number(id) >= vocab,
    );
    if (wrong !== undefined)
        refuse(
            `an id of the target is ${said(wrong)}; a whole number from 0 to ${vocab - 1} was expected`,
        );
}

/** Of a run. @param {{target?: unknown, write?: unknown, pair?: unknown}} options @param {ModelInfo} info */
export function checkTarget({target, write, pair}, {second, family}) {
    const asked = target !== undefined ? 'target' : write !== undefined ? 'write' : '';
    if (!second) {
        if (asked)
            refuse(
                `this model (${family}) has one stack, so it takes no ${asked}; a second text is given as {pair}`,
            );
        return;
    }
    if (!asked) refuse(`this model (${family}) has an encoder and a decoder: ${GIVE}`);
    if (target !== undefined && write !== undefined)
        refuse('target and write were both given; a target is given, or written by the model');
    if (pair) refuse(`a model of two stacks takes no pair: ${GIVE}`);
    if (target !== undefined) checkGiven(target, second.vocab);
    else if (!Number.isInteger(write) || Number(write) < 1)
        refuse(`write is ${said(write)}; a whole number from 1 on was expected`);
}

/** As the worker takes it. @param {{target?: string | number[], write?: number}} options
 * @returns {{text: string} | {ids: number[]} | {write: number} | undefined} */
export const targetOf = ({target, write}) =>
    write !== undefined
        ? {write}
        : target === undefined
          ? undefined
          : typeof target === 'string'
            ? {text: target}
            : {ids: target};

/** What the model has of a kind, tensors of the look at the source under their plain names.
 * @param {ModelInfo} info @param {unknown} [kind] @returns {ModelInfo} */
export function infoOf(info, kind = 'encoder') {
    if (!KINDS.includes(/** @type {string} */ (kind)))
        refuse(`the kind is ${said(kind)}; one of ${KINDS.join(', ')} was expected`);
    const {second} = info;
    if (kind === 'encoder') return info;
    if (!second)
        return refuse(
            `this model (${info.family}) has one stack: there is nothing of kind ${said(kind)}`,
        );
    const isCross = (/** @type {{name: string}} */ {name}) => name.startsWith('cross_');
    const tensors =
        kind === 'cross'
            ? second.tensors
                  .filter(isCross)
                  .map(({name, ...more}) => ({name: name.slice('cross_'.length), ...more}))
            : second.tensors.filter(one => !isCross(one));
    return {...info, ...second, tensors};
}

/** As the worker takes it. @param {string} name @param {Kind} [kind] */
export const tensorWant = (name, kind = 'encoder') => ({
    tensor: kind === 'cross' ? `cross_${name}` : name,
    ...(kind !== 'encoder' && {stack: /** @type {const} */ ('decoder')}),
});

/** @param {Kind} [kind] of a measure */
export function stackOf(kind = 'encoder') {
    if (kind === 'cross')
        refuse(
            "cross-attention has no measures here; read it with attention(layer, 'cross'), or measure kind 'decoder'",
        );
    return kind === 'decoder' ? {stack: /** @type {const} */ ('decoder')} : {};
}
