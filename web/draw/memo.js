/* memo - a pure function that remembers its last few answers, so that figure, panel and table share
 * one computation. Arguments are compared by identity.
 */

const KEPT = 4;

/** @template {any[]} A @template R @param {(...args: A) => R} make
 * @param {number} [keys] how many arguments, the first ones, the answer depends on: all
 * @returns {(...args: A) => R} */
export function remember(make, keys = Infinity) {
    /** @type {{args: A, result: R}[]} */
    let kept = [];
    return (...args) => {
        const found = kept.find(entry =>
            entry.args.every((arg, i) => i >= keys || arg === args[i]),
        ) ?? {args, result: make(...args)};
        kept = [found, ...kept.filter(entry => entry !== found)].slice(0, KEPT);
        return found.result;
    };
}

/** The same for one component, which keeps the last answer under each name: what useMemo does,
 * without the hooks.
 * @returns {<R>(name: string, args: readonly any[], make: () => R) => R} */
export function createMemo() {
    /** @type {Map<string, {args: readonly any[], result: any}>} */
    const kept = new Map();
    return (name, args, make) => {
        const found = kept.get(name);
        if (found?.args.every((arg, i) => arg === args[i])) return found.result;
        const result = make();
        kept.set(name, {args, result});
        return result;
    };
}
