/* use_found - a hook for numbers that are computed when they are first shown: what was found for what is
 * shown, or why there is nothing. Asked again for something else, which calls off what is under way.
 */
import {useEffect, useState} from 'preact/hooks';

/** Null until it is there. @template T @param {(signal: AbortSignal) => Promise<T>} find
 * @param {any[]} of what it is found for @param {boolean} [wanted]
 * @returns {{found?: T, why?: string} | null} */
export function useFound(find, of, wanted = true) {
    const [last, setLast] = useState(
        /** @type {{of: any[], found?: T, why?: string} | null} */ (null),
    );
    useEffect(() => {
        if (!wanted) return;
        const controller = new AbortController();
        const {signal} = controller;
        find(signal).then(
            found => signal.aborted || setLast({of, found}),
            error => signal.aborted || setLast({of, why: error.message}),
        );
        return () => controller.abort();
    }, [...of, wanted]);
    const same = last?.of.length === of.length && last.of.every((one, i) => one === of[i]);
    return same ? last : null;
}
