/* sample - parts of long lists, so that `make test` ends soon; `make test-long` (LONG=1) takes them whole. tests/README.md
 * says which.
 */
export const LONG = Boolean(process.env.LONG);

/** The first of each `n` in a list; all of them with LONG=1. @template T @param {number} n @param {readonly T[]} list */
export const oneIn = (n, list) => (LONG ? [...list] : list.filter((_, i) => i % n === 0));
