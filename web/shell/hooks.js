/* hooks - small bridges from the browser and from subscribable things to Preact.
 */
import {useEffect, useState} from 'preact/hooks';
import {words} from '../words/languages.js';

/** Draws again after every change. @template T
 * @param {{get: () => T, subscribe: (listener: () => void) => () => void}} source @returns {T} */
export function useSource(source) {
    const [value, setValue] = useState(source.get());
    useEffect(() => {
        setValue(source.get());
        return source.subscribe(() => setValue(source.get()));
    }, [source]);
    return value;
}

/** @param {string} query */
export function useMedia(query) {
    const [matches, setMatches] = useState(() => matchMedia(query).matches);
    useEffect(() => {
        const media = matchMedia(query);
        const follow = () => setMatches(media.matches);
        media.addEventListener('change', follow);
        return () => media.removeEventListener('change', follow);
    }, [query]);
    return matches;
}

/** A module that is fetched when it is first wanted; null until it is here. @template T
 * @param {() => Promise<T>} load @param {boolean} wanted @returns {T | null} */
export function useLazy(load, wanted) {
    const [loaded, setLoaded] = useState(/** @type {T | null} */ (null));
    useEffect(() => {
        if (wanted && !loaded) load().then(module => setLoaded(() => module));
    }, [wanted]);
    return loaded;
}

/** The words of a part in a language, fetched when first wanted; until they are here, those that
 * were shown before.
 * @template {keyof import('../words/languages.js').Words} P
 * @param {string} code @param {P} part @param {boolean} wanted
 * @param {import('../words/languages.js').Words[P] | null} [before]
 * @returns {import('../words/languages.js').Words[P] | null} */
export function useWords(code, part, wanted, before = null) {
    const [loaded, setLoaded] = useState(before);
    useEffect(() => {
        let latest = true;
        if (wanted)
            words(code, part).then(found => {
                if (latest) setLoaded(() => found);
            });
        return () => {
            latest = false;
        };
    }, [code, wanted]);
    return loaded;
}
