/* head_name - the name of a head: L0·H6 is head 6 of layer 0. The same in every view, picture,
 * sentence and language, so that it is never taken for a decimal number, as 0.6 is. The numbers are
 * given as the reader counts (views/parts/select.js); files for programs have columns of plain
 * numbers.
 */

/** @param {number} layer @param {number} head */
export const headName = (layer, head) => `L${layer}·H${head}`;
